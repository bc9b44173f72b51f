/* Distributions of sizes, and the sizes and weights by which means over them are computed. */
#ifndef SONDE_MATTER_BUILD_SIZE_DISTRIBUTION_H
#define SONDE_MATTER_BUILD_SIZE_DISTRIBUTION_H

#include <stdbool.h>

#include "sonde/build.h"

#define SIZE_DISTRIBUTION_MOST_POINTS 100

enum size_distribution_kind { SIZE_NORMAL, SIZE_LOG_NORMAL, SIZE_SCHULZ, SIZE_UNIFORM };
struct size_distribution {
	enum size_distribution_kind kind;
	double width; /* relative */
	int points;
	bool by_volume; /* the distribution is that of the volume in particles of a size, not of their number */
};

/* Reads KIND:WIDTH:POINTS, or with :number or :volume after them. SONDE_INVALID otherwise; the message does not name the
 * option. */
sonde_status size_distribution_parse(const char *text, struct size_distribution *distribution);
/* The sizes, as factors of the nominal size in ascending order, and the number fractions, which add up to 1: Gauss's
 * quadrature of the distribution, with which means of polynomials of the size (of its logarithm for log-normal) up to
 * degree 2 points - 1 are exact (G. H. Golub and J. H. Welsch, Math. Comp. 23 (1969) 221). */
sonde_status size_distribution_points(const struct size_distribution *distribution,
				      double factors[SIZE_DISTRIBUTION_MOST_POINTS],
				      double weights[SIZE_DISTRIBUTION_MOST_POINTS]);

/* Whether the description is one of several sizes. */
bool build_has_sizes(const sonde_build_options *options);

#endif
