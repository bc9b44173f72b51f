/* Maximum field, for the stopping criterion and to detect NaN and infinity. */
#ifndef SONDE_FDTD_FIELDS_SURVEY_H
#define SONDE_FDTD_FIELDS_SURVEY_H

#include "fdtd/fields/fields.h"

/* Nodes from `begin` on, before `end`. */
struct survey_box {
	int begin[3], end[3];
};

struct survey {
	struct device_kernel kernel;
	struct device_buffer largest, boxes;
	uint32_t groups, chunk, box_count;
};

/* Makes a survey, with boxes that survey_take_away() leaves out. To be released by survey_release(), also after a
 * failure. */
sonde_status survey_make(struct fields *fields, const struct survey_box *boxes, int count, struct survey *survey);
void survey_release(struct fields *fields, struct survey *survey);
/* The largest magnitude of any component of E, of both parts of complex fields; infinite if one is infinite or NaN.
 * Waits for the device. The same bits on all devices. */
sonde_status survey_take(struct fields *fields, const struct survey *survey, double *largest);
/* The same outside the boxes. */
sonde_status survey_take_away(struct fields *fields, const struct survey *survey, double *largest);

#endif
