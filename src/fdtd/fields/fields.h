/* Fields on a device, and their steps. The caller chooses the range of planes of each half step: every operation of a
 * step is done plane by plane, so that a slab of planes can be ahead of the rest. */
#ifndef SONDE_FDTD_FIELDS_FIELDS_H
#define SONDE_FDTD_FIELDS_FIELDS_H

#include "fdtd/fields/field_storage.h"

/* Makes fields that are 0 everywhere. `media` is no longer needed on return. Fails with SONDE_RESOURCE if the device
 * lacks the memory. To be released by fields_release(), also after a failure. */
sonde_status fields_make(struct device *device, const struct fdtd_grid *grid, const struct media *media, bool single,
			 struct fields *fields);
/* The same for fields of which only some planes are on the device at a time, in this order; null: all of them. */
sonde_status fields_make_streamed(struct device *device, const struct fdtd_grid *grid, const struct media *media,
				  bool single, const struct schedule *schedule, struct fields *fields);
/* The same for fields on several devices, with their own planes: from the end of those of the device before to `end`.
 * They exchange planes after at most `height` steps. */
#define FIELDS_MOST_DEVICES 32
struct fields_devices {
	int count;
	struct device *devices[FIELDS_MOST_DEVICES];
	uint32_t end[FIELDS_MOST_DEVICES]; /* increasing; the last one is grid_end_node() */
	uint32_t height;
	/* several ranks: these devices have the planes from `begin` on, before the last `end`, and those of the other ranks,
	 * in their order, have the others; all have `height` */
	struct parallel *ranks;
	uint32_t begin;
	int all;        /* devices of all ranks; 0: as many as here */
	double speedup; /* of all these, over those of the first rank */
	bool direct;    /* neighbors on different ranks copy from device to device: rank_direct.h */
	/* not 0: all planes go through all devices, in slabs of this many (chain.h), and `end` is not used; if `whole`,
	 * both fields are stepped at once */
	uint32_t width;
	bool whole;
	/* not null: the planes of each device go through it as this tells, with `height` steps of a pass */
	const struct schedule *streamed;
};
sonde_status fields_make_on(const struct fields_devices *on, const struct fdtd_grid *grid, const struct media *media,
			    bool single, struct fields *fields);
/* Planes that each of these devices must have, so that they can exchange them after `height` steps. */
uint32_t fields_least_planes(uint32_t height, bool lag);
void fields_release(struct fields *fields);
/* Whether E of a plane follows from E of the next one as well, by smooth surfaces. */
bool fields_lag(const struct media *media);

/* Bytes of device memory needed; both fields count twice with a second copy (fields_gpu.h). */
double fields_bytes(const struct fdtd_grid *grid, size_t media, bool has_edges, bool has_faces, bool single,
		    bool on_gpu);

/* From now on only these components (one bit each) are stepped; the others must be 0 everywhere. GPUs may step all. */
sonde_status fields_step_only(struct fields *fields, uint32_t of_e, uint32_t of_h);

/* The same of streamed fields: bytes on the device, on the host, and in a scratch file; of all of them once; and the
 * least on the host with such a file. */
struct fields_streamed_bytes {
	double device, host, file, all, least_host;
};
sonde_status fields_streamed_bytes(struct device *device, const struct fdtd_grid *grid, size_t media, bool has_edges,
				   bool has_faces, bool single, const struct schedule *schedule,
				   struct fields_streamed_bytes *bytes);

/* Minimum memory traffic of a cell's step in bytes, in two passes: all fields read and written once in each, with the
 * numbers of media; averaged over the grid's cells, layers included. */
double fields_bytes_of_step(const struct fields *fields);
/* Fields that have only a layout, for decisions about them. */
void fields_lay_out(struct device *device, const struct fdtd_grid *grid, bool single, struct fields *fields);

/* Half a step of planes first to first + count - 1, below grid_end_node(): H from E, then E from H. */
sonde_status fields_step(struct fields *fields, enum field field, uint32_t first, uint32_t count);
/* After a step and after the sources have been added: the poles respond to E, and the places beyond the walls are
 * updated. */
sonde_status fields_close(struct fields *fields, enum field field, uint32_t first, uint32_t count);

/* Reads one component at all nodes, (cells + 1) of each axis, z fastest, in float64. Places beyond two walls at once,
 * which no step needs, may be from an earlier time. */
sonde_status fields_read(struct fields *fields, enum field field, int component, double *values);
/* The places beyond walls are updated as well: for complex fields once the real part is written, after the imaginary
 * one. */
sonde_status fields_write(struct fields *fields, enum field field, int component, const double *values);

#endif
