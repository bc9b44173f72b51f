/* Means of intensities over orientations, samples, and their sums over independent copies. */
#ifndef SONDE_PATTERN_AVERAGE_AVERAGE_H
#define SONDE_PATTERN_AVERAGE_AVERAGE_H

#include "pattern/average/turns.h"
#include "pattern/pattern.h"
#include "run/spread.h"

enum average_kind {
	AVERAGE_ONE,    /* one sample */
	AVERAGE_FRAMES, /* samples of the same atoms, whose mean has standard errors */
	AVERAGE_MIXTURE /* components with weights */
};

/* A mean in progress: pixels of the picture, except for those of `batch`. */
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
	int64_t checked;
	int width;    /* of the window of the fast method, as the checks have widened it */
	int64_t done; /* orientations of the present sample */
	/* Called after each part, of orientations first to first + count - 1 of a sample, with their intensities, one picture after
	 * the other; null: not at all. */
	sonde_status (*keep)(void *user, int64_t first, int64_t count, const double *intensity);
	void *user;
};

/* Whether the options of a single sample need a mean. */
bool average_is_needed(const sonde_pattern_options *options);
/* Checks the options of means. */
sonde_status average_check(const sonde_pattern_options *options);
/* Completes the plan for the patterns of all orientations of `samples` samples. */
sonde_status average_choose(sonde_context *context, int64_t samples, struct pattern_plan *plan);
/* For estimates: the cycles of the fast method for turned pictures, which are computed together and fill more of reciprocal space. */
sonde_status average_find_cycles(sonde_context *context, struct pattern_plan *plan);
/* `expected` samples of this kind; 0: unknown. The plan must outlive the average. Freed by average_free(), also after a failure. */
sonde_status average_begin(sonde_context *context, const struct pattern_plan *plan, enum average_kind kind,
			   int64_t expected, struct average *average);
/* Computes a sample and adds it. */
sonde_status average_add(struct average *average, const sonde_atoms *atoms, double weight);
/* Sets intensities, amplitudes, their errors, and numbers of samples of a result that has none. */
sonde_status average_deliver(struct average *average, sonde_pattern_result *result);
void average_free(struct average *average);
/* Bytes that the mean needs in addition to those of a plan. */
double average_bytes(const sonde_context *context, const struct pattern_plan *plan, const struct turns *turns,
		     enum average_kind kind, bool gpu);

#endif
