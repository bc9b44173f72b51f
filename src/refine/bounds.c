#include "refine/bounds.h"

#include <math.h>

/* At a bound the slope is 0, and a start there would stay: it is moved by this part of the range, or of the scale. */
#define NUDGE 0.01
#define REACHED 1e-4

static double clamp(double x, double low, double high)
{
	return x < low ? low : x > high ? high : x;
}

/* The unknown of the start before it is shifted to 1. */
static double origin(const struct bound *bound)
{
	if (isfinite(bound->lower) && isfinite(bound->upper)) {
		const double part = (bound->start - bound->lower) / (bound->upper - bound->lower);
		return asin(2.0 * clamp(part, NUDGE, 1.0 - NUDGE) - 1.0);
	}
	if (isfinite(bound->lower) || isfinite(bound->upper)) {
		const double away =
				 isfinite(bound->lower) ? bound->start - bound->lower : bound->upper - bound->start,
			     t = fmax(away / bound->scale, NUDGE) + 1.0;
		return sqrt(t * t - 1.0);
	}
	return 0.0;
}

double bound_parameter(const struct bound *bound, double unknown)
{
	const double z = unknown - 1.0 + origin(bound);

	if (isfinite(bound->lower) && isfinite(bound->upper))
		return clamp(bound->lower + 0.5 * (bound->upper - bound->lower) * (sin(z) + 1.0), bound->lower,
			     bound->upper);
	if (isfinite(bound->lower))
		return bound->lower + bound->scale * (sqrt(z * z + 1.0) - 1.0);
	if (isfinite(bound->upper))
		return bound->upper - bound->scale * (sqrt(z * z + 1.0) - 1.0);
	return bound->start + bound->scale * z;
}

double bound_slope(const struct bound *bound, double unknown)
{
	const double z = unknown - 1.0 + origin(bound);

	if (isfinite(bound->lower) && isfinite(bound->upper))
		return 0.5 * (bound->upper - bound->lower) * cos(z);
	if (isfinite(bound->lower))
		return bound->scale * z / sqrt(z * z + 1.0);
	if (isfinite(bound->upper))
		return -bound->scale * z / sqrt(z * z + 1.0);
	return bound->scale;
}

int bound_reached(const struct bound *bound, double parameter)
{
	const double range =
	    isfinite(bound->lower) && isfinite(bound->upper) ? bound->upper - bound->lower : bound->scale;

	if (parameter - bound->lower <= REACHED * range)
		return -1;
	return bound->upper - parameter <= REACHED * range;
}
