/* Maximum field, for the stopping criterion and to detect NaN and infinity. */
#ifndef SONDE_FDTD_FIELDS_SURVEY_H
#define SONDE_FDTD_FIELDS_SURVEY_H

#include "fdtd/fields/fields.h"

/* Nodes from `begin` on, before `end`. */
struct survey_box {
	int begin[3], end[3];
};

struct survey {
	struct device *device;
	struct survey *beside; /* on the other devices of the fields; null: none */
	struct device_kernel kernel;
	struct device_buffer largest[2], boxes;
	uint32_t most_groups, box_count; /* results: anywhere, then outside the boxes */
};

/* Makes a survey, with boxes that survey_take_away() leaves out. To be released by survey_release(), also after a
 * failure. */
sonde_status survey_make(struct fields *fields, const struct survey_box *boxes, int count, struct survey *survey);
void survey_release(struct fields *fields, struct survey *survey);
/* The largest magnitude of any component of E, of both parts of complex fields; infinite if one is infinite or NaN:
 * anywhere, and outside the boxes. Planes are looked at in any order between the beginning and the end, which waits for
 * the device. The same bits on all devices. */
sonde_status survey_begin(struct fields *fields, struct survey *survey);
sonde_status survey_planes(struct fields *fields, const struct survey *survey, uint32_t first, uint32_t count);
sonde_status survey_end(struct fields *fields, const struct survey *survey, double *anywhere, double *away);

#endif
