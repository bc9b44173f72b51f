/* A mean in progress. */
#ifndef SONDE_PATTERN_AVERAGE_RUNNING_MEAN_H
#define SONDE_PATTERN_AVERAGE_RUNNING_MEAN_H

#include "pattern/average/turns.h"
#include "pattern/errors/error_table.h"
#include "pattern/pattern.h"
#include "run/spread.h"

enum average_kind {
	AVERAGE_ONE,    /* one sample */
	AVERAGE_FRAMES, /* samples of the same atoms, whose mean has standard errors */
	AVERAGE_MIXTURE /* components with weights */
};

/* Pixels are those of the picture, except for those of `batch`. */
struct average {
	sonde_context *context;
	const struct pattern_plan *plan; /* of the first sample, with the scattering vectors */
	struct turns turns;
	enum average_kind kind;
	int64_t expected, samples; /* number of samples, 0: unknown; and those so far */
	int64_t pixels, batch;     /* orientations that are computed at a time */
	double weight, atoms, present;
	double *intensity, *real, *imaginary, *variance; /* sums; F with the option `amplitude`, else null */
	struct spread frames;
	/* of the present sample: mean over orientations; mean and squared deviations of random ones */
	double *own, *own_real, *own_imaginary, *turn_mean, *turn_squares;
	/* of the orientations in progress */
	double (*rotations)[3][3], *weights;
	struct pattern_values values;
	double *copies; /* sums over copies */
	int64_t copy_count;
	double largest_error;
	double squares[PATTERN_ERROR_NODES]; /* sums of sum |f|^2 by weights (error_table.h) */
	int64_t checked;
	int width;    /* of the window of the fast method, as the checks have widened it */
	int64_t done; /* orientations of the present sample */
	/* Called after each part, of orientations first to first + count - 1 of a sample, with their intensities, one picture after
	 * the other; null: not at all. */
	sonde_status (*keep)(void *user, int64_t first, int64_t count, const double *intensity);
	void *user;
};

#endif
