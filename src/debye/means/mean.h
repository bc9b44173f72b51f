/* The state of a mean over samples. The public interface is in sonde/debye.h. */
#ifndef SONDE_DEBYE_MEAN_H
#define SONDE_DEBYE_MEAN_H

#include "debye/sums/errors.h"
#include "debye/means/mean_spread.h"
#include "debye/means/mean_sums.h"

struct sonde_debye_mean {
	sonde_context *context;
	sonde_debye_options options, single; /* as given, and for each sample */
	int kind;                            /* SONDE_DEBYE_FRAMES, SONDE_DEBYE_MIXTURE */
	int64_t expected;                    /* number of samples; 0: unknown */
	double began;                        /* clock_seconds() */
	struct sonde_debye_plan *plan;       /* of all frames */
	const sonde_atoms *next;             /* those of the next frame, if they are known; else null */
	struct debye_check check;            /* of the frames that are checked */
	sonde_debye_result *first;           /* the first sample's, for what all have in common */
	bool several_methods;
	double bin_width; /* Angstrom; 0 if no sample had a histogram */
	struct mean_sums sums;
	struct spread spread; /* of frames */
	double *weights;      /* of a mixture */
	size_t weights_room;
	struct text names;      /* a line for each component; for samples from files */
	double earlier_seconds; /* of the runs before a resumed one */
};

/* Whether the errors of frame `frame` of a mean are checked. */
bool debye_mean_checks(int64_t frame);
/* Adds the result of the next frame, which has been computed elsewhere by the plan of the mean with a check of its own. *sample is freed, or
 * kept, also after a failure. */
sonde_status debye_mean_take(struct sonde_debye_mean *mean, const struct debye_check *check,
			     sonde_debye_result **sample);

#endif
