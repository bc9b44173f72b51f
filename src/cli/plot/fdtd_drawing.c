/* Units of the pictures of sonde fdtd. */
#include "cli/plot/fdtd_drawing.h"

#include <math.h>

/* Units ------------------------------------------------------------------------------------- */

struct step {
	double from;
	struct scale scale;
};

/* The last scale that begins below the value. */
static struct scale choose(const struct step *steps, int count, double largest)
{
	int found = 0;

	for (int n = 1; n < count; ++n)
		if (largest >= steps[n].from)
			found = n;
	return steps[found].scale;
}

struct scale scale_of_length(double largest)
{
	static const struct step steps[] = {
	    {0.0, {1e9, "nm"}}, {3e-6, {1e6, "µm"}}, {3e-3, {1e3, "mm"}}, {3.0, {1.0, "m"}}};

	return choose(steps, 4, largest);
}

struct scale scale_of_area(double largest)
{
	static const struct step steps[] = {
	    {0.0, {1e18, "nm²"}}, {1e-14, {1e12, "µm²"}}, {1e-8, {1e6, "mm²"}}, {1e-2, {1.0, "m²"}}};

	return choose(steps, 4, largest);
}

struct scale scale_of_time(double largest)
{
	static const struct step steps[] = {
	    {0.0, {1e15, "fs"}}, {3e-12, {1e12, "ps"}}, {3e-9, {1e9, "ns"}}, {3e-6, {1e6, "µs"}}};

	return choose(steps, 4, largest);
}

struct scale scale_of_frequency(double largest)
{
	static const struct step steps[] = {
	    {0.0, {1.0, "Hz"}}, {1e5, {1e-6, "MHz"}}, {1e9, {1e-9, "GHz"}}, {1e12, {1e-12, "THz"}}};

	return choose(steps, 4, largest);
}

double largest_size(const double *values, int64_t count)
{
	double most = 0.0;

	for (int64_t n = 0; n < count; ++n)
		if (isfinite(values[n]))
			most = fmax(most, fabs(values[n]));
	return most;
}
