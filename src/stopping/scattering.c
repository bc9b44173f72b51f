#include "stopping/scattering.h"

#include <math.h>
#include <stddef.h>

#include "base/constants.h"

#define MOST_STEPS 200

/* x^2 F(x) and its derivative; increases with x beyond the apsis. */
static double above(const struct screening *screening, double energy, double impact, double x, double *slope)
{
	double derivative, value = screening_value(screening, x, &derivative);

	*slope = 2.0 * x - (value + x * derivative) / energy;
	return x * x - x * value / energy - impact * impact;
}

double scattering_apsis(const struct screening *screening, double energy, double impact)
{
	/* the apsis of bare charges is an upper limit, s a lower one */
	double half = 0.5 / energy, high = half + sqrt(half * half + impact * impact), low = impact, x = high, slope;

	for (int step = 0; step < MOST_STEPS && high > low; ++step) {
		double off = above(screening, energy, impact, x, &slope);
		if (off > 0.0)
			high = x;
		else
			low = x;
		double next = slope > 0.0 ? x - off / slope : low;
		/* a Newton step, or bisection where it would leave the bracket */
		next = next > low && next < high ? next : 0.5 * (low + high);
		if (fabs(next - x) <= 1e-16 * x)
			break;
		x = next;
	}
	return x;
}

static double node(int i, int points)
{
	return cos(PI * (2.0 * i + 1.0) / (4.0 * points));
}

void scattering_nodes(int points, double *nodes)
{
	for (int i = 0; i < points; ++i)
		nodes[i] = node(i, points);
}

double scattering_beta_by(const struct screening *screening, double energy, double impact, int points,
			  const double *nodes)
{
	double apsis = scattering_apsis(screening, energy, impact), sum = 0.0;

	for (int i = 0; i < points; ++i) {
		double u = nodes != NULL ? nodes[i] : node(i, points), x = apsis / u;
		double rest = 1.0 - screening_value(screening, x, NULL) / (x * energy) - impact * impact / (x * x);
		sum += rest > 0.0 ? sqrt((1.0 - u * u) / rest) : 0.0;
	}
	return 0.5 * PI * impact / apsis * sum / points;
}

double scattering_beta(const struct screening *screening, double energy, double impact, int points)
{
	return scattering_beta_by(screening, energy, impact, points, NULL);
}

double scattering_sin2(const struct screening *screening, double energy, double impact, int points)
{
	double cosine = cos(scattering_beta(screening, energy, impact, points));

	return cosine * cosine;
}
