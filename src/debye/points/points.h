/* The points of q of a run: a grid, a grid of scattering angles, or a list. */
#ifndef SONDE_DEBYE_POINTS_H
#define SONDE_DEBYE_POINTS_H

#include <stdbool.h>

#include "base/status.h"
#include "io/tables/curve_file.h"
#include "sonde/debye.h"

struct debye_points {
	int64_t count;              /* of the user */
	int64_t all;                /* with those that follow, of the convolution with a resolution */
	sonde_grid range;           /* ends and number of the user's */
	double *q;                  /* 1/Angstrom; the user's increase */
	double *two_theta;          /* degrees, where the user gives angles; else null */
	bool uniform;               /* those of the grid `q` */
	struct curve_file measured; /* of `compare`; empty without it */
};

/* q_k of a grid. */
double grid_value(const sonde_grid *grid, int64_t k);
/* Number of points from the first of `count` on, at most `most`, that are uniform within rounding, so that one
 * recurrence serves them; 1 if they are too few to gain by it. */
int64_t uniform_points(const double *q, int64_t count, int64_t most);

/* The number of uniform points that take as long as `count` points one after another: a single one takes as long as a
 * block of a recurrence. */
double points_cost(const double *q, int64_t count);

/* Makes the points. `options` are settled: `q` becomes their range and number, and `file_axis` that of the file, if one is
 * read. `unset` is the default of `q`, which gives way to other points. Freed by debye_points_free(), also after a
 * failure. */
sonde_status debye_points_make(const sonde_grid *unset, sonde_debye_options *options, struct debye_points *points);
/* Appends the points of a grid, which are not the user's. */
sonde_status debye_points_append(const sonde_grid *grid, struct debye_points *points);
void debye_points_free(struct debye_points *points);
/* Whether the points are given as angles; of settled options. */
bool points_are_angles(const sonde_debye_options *options);
/* Whether the points are those of the grid `q`. */
bool points_are_uniform(const sonde_debye_options *options);

#endif
