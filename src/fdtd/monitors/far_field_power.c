/* Powers, directivities and cross-sections of far fields. */
#include <math.h>
#include <stdlib.h>

#include "base/constants.h"
#include "base/memory.h"
#include "fdtd/monitors/far_field.h"
#include "fdtd/sources/grid_wave.h"

#define MORE_ORDERS 16.0 /* of spherical waves than half a box times k has */

static double square(double complex z)
{
	return creal(z) * creal(z) + cimag(z) * cimag(z);
}

static double impedance_of(const struct far_field *far)
{
	return sqrt(far->permeability / far->permittivity);
}

double far_field_intensity(const struct far_field *far, const struct far_amplitude *amplitude)
{
	return 0.5 * (square(amplitude->polar) + square(amplitude->azimuth)) / impedance_of(far);
}

double far_field_incident_intensity(const struct far_field *far, const double complex incident[3])
{
	return 0.5 * (square(incident[0]) + square(incident[1]) + square(incident[2])) / impedance_of(far);
}

double far_field_cross_section(const struct far_amplitude *amplitude, const double complex incident[3])
{
	return (square(amplitude->polar) + square(amplitude->azimuth)) /
	       (square(incident[0]) + square(incident[1]) + square(incident[2]));
}

double far_field_directivity(const struct far_field *far, const struct far_amplitude *amplitude, double power)
{
	static const double whole[3] = {2.0, 2.0 * PI, 4.0 * PI};

	return whole[far->dimensions - 1] * far_field_intensity(far, amplitude) / power;
}

/* Directions and weights of a rule for the sphere, the circle or both ends. */
struct rule {
	size_t count;
	struct far_direction *directions;
	double *weights;
};

/* Zero number n of Legendre's polynomial of a degree, by Newton's method; *slope is that of the polynomial there. */
static double legendre_zero(int degree, int n, double *slope)
{
	double x = cos(PI * (n + 0.75) / (degree + 0.5)), change = 1.0;

	for (int step = 0; step < 100 && fabs(change) > 1e-15; ++step) {
		double below = 1.0, here = x;
		for (int k = 2; k <= degree; ++k) {
			double above = ((2.0 * k - 1.0) * x * here - (k - 1.0) * below) / k;
			below = here;
			here = above;
		}
		*slope = degree * (below - x * here) / (1.0 - x * x);
		change = here / *slope;
		x -= change;
	}
	return x;
}

static void fill_sphere(int degree, struct rule *rule)
{
	size_t n = 0;
	int around = 2 * degree;

	for (int p = 0; p < degree; ++p) {
		double slope = 0.0, x = legendre_zero(degree, p, &slope),
		       weight = 2.0 / ((1.0 - x * x) * slope * slope) * 2.0 * PI / around;
		for (int q = 0; q < around; ++q, ++n) {
			rule->directions[n] = (struct far_direction){acos(x), 2.0 * PI * (q + 0.5) / around};
			rule->weights[n] = weight;
		}
	}
}

/* Fills the rule for a circle around the uniform axis. */
static void fill_circle(const struct far_field *far, int around, struct rule *rule)
{
	int axis = far->courant[0] == 0.0   ? 0
		   : far->courant[1] == 0.0 ? 1
					    : 2,
	    b = (axis + 1) % 3, c = (axis + 2) % 3;

	for (int q = 0; q < around; ++q) {
		double vector[3] = {0.0}, angle = 2.0 * PI * (q + 0.5) / around;
		vector[b] = cos(angle);
		vector[c] = sin(angle);
		rule->directions[q] = (struct far_direction){atan2(hypot(vector[0], vector[1]), vector[2]),
							     atan2(vector[1], vector[0])};
		rule->weights[q] = 2.0 * PI / around;
	}
}

static void fill_ends(const struct far_field *far, struct rule *rule)
{
	int axis = far->courant[0] > 0.0 ? 0 : far->courant[1] > 0.0 ? 1 : 2;

	for (int end = 0; end < 2; ++end) {
		rule->directions[end] = axis == 2 ? (struct far_direction){end * PI, 0.0}
						  : (struct far_direction){0.5 * PI, 0.5 * PI * axis + PI * end};
		rule->weights[end] = 1.0;
	}
}

static sonde_status make_rule(const struct far_field *far, double omega, struct rule *rule)
{
	double k = omega * sqrt(far->permittivity * far->permeability);
	int degree = (int)ceil(0.5 * k * far->longest + MORE_ORDERS);

	rule->count = far->dimensions == 3   ? 2 * (size_t)degree * (size_t)degree
		      : far->dimensions == 2 ? 2 * (size_t)degree
					     : 2;
	CHECK(memory_allocate(&rule->directions, rule->count, sizeof *rule->directions, "a far field"));
	CHECK(memory_allocate(&rule->weights, rule->count, sizeof *rule->weights, "a far field"));
	if (far->dimensions == 3)
		fill_sphere(degree, rule);
	else if (far->dimensions == 2)
		fill_circle(far, (int)rule->count, rule);
	else
		fill_ends(far, rule);
	return SONDE_OK;
}

static sonde_status power_of(const struct far_field *far, uint32_t frequency, bool of_grid, double *power)
{
	struct far_field one = *far; /* of one frequency */
	struct far_amplitude *amplitudes = NULL;
	struct rule rule = {0};
	sonde_status status;

	one.frequencies = 1;
	one.angular_frequencies = far->angular_frequencies + frequency;
	for (int n = 0; n < far->plane_count; ++n)
		one.planes[n].currents += (size_t)frequency * far->planes[n].numbers;
	CHECK_GOTO(status, make_rule(far, far->angular_frequencies[frequency], &rule), done);
	CHECK_GOTO(status, memory_allocate(&amplitudes, rule.count, sizeof *amplitudes, "a far field"), done);
	CHECK_GOTO(status, far_field_at(&one, rule.directions, rule.count, amplitudes), done);
	*power = 0.0;
	for (size_t n = 0; n < rule.count; ++n)
		*power += rule.weights[n] * far_field_intensity(far, &amplitudes[n]) *
			  (of_grid ? amplitudes[n].share : 1.0);
done:
	free(amplitudes);
	free(rule.directions);
	free(rule.weights);
	return status;
}

sonde_status far_field_power(const struct far_field *far, bool of_grid, double *power)
{
	for (uint32_t f = 0; f < far->frequencies; ++f)
		CHECK(power_of(far, f, of_grid, &power[f]));
	return SONDE_OK;
}

/* The time-reversed incident wave is one that arrives from where it goes; its H is k~ x E/(omega~ mu). The sum of the
 * currents with it is their work on it, and E counts as the mean of two times. */
sonde_status far_field_extinction(const struct far_field *far, const int m[3], const double complex (*incident)[3],
				  double *power)
{
	double direction[3], length = 0.0;

	for (int a = 0; a < 3; ++a) {
		direction[a] = m[a] * far->courant[a];
		length += direction[a] * direction[a];
	}
	if (!(length > 0.0))
		return status_fail(SONDE_INVALID, "a plane wave needs a direction");
	for (int a = 0; a < 3; ++a)
		direction[a] /= sqrt(length);
	for (uint32_t f = 0; f < far->frequencies; ++f) {
		double omega = far->angular_frequencies[f], k[1][3], tilde[3],
		       scale = 2.0 * sin(0.5 * omega) * far->permeability;
		double complex electric[1][3], magnetic[1][3], sum = 0.0;
		const double complex *e = incident[f];
		CHECK(grid_wave_along(far->courant, direction, omega, far->permittivity * far->permeability, k[0]));
		CHECK(far_field_sums(far, f, (const double(*)[3])k, 1, electric, magnetic));
		grid_wave_tilde(far->courant, k[0], tilde);
		for (int a = 0; a < 3; ++a) {
			int b = (a + 1) % 3, c = (a + 2) % 3;
			double complex h = (tilde[b] * e[c] - tilde[c] * e[b]) / scale;
			sum += electric[0][a] * conj(e[a]) + magnetic[0][a] * conj(h);
		}
		power[f] = 0.5 * cos(0.5 * omega) * creal(sum);
	}
	return SONDE_OK;
}

/* Free dipoles ------------------------------------------------------------------------------------ */

/* The sum over a component's edges or faces around a position, times their weights, of exp(-i k r) from the position. */
static double complex spread_of(const struct far_field *far, enum field field, int component, const double place[3],
				const double k[3])
{
	double complex product = 1.0;

	for (int a = 0; a < 3; ++a) {
		if (far->courant[a] == 0.0)
			continue;
		const double half = (field == FIELD_E) == (a == component) ? 0.5 : 0.0,
			     part = place[a] - half - floor(place[a] - half), angle = k[a] / far->courant[a];
		product *= (1.0 - part) * cexp(I * angle * part) + part * cexp(-I * angle * (1.0 - part));
	}
	return product;
}

/* The squared component perpendicular to a direction. */
static double square_across(const struct far_direction *direction, const double complex vector[3])
{
	double to[3], all = 0.0;
	double complex along = 0.0;

	far_direction_vector(direction, to);
	for (int a = 0; a < 3; ++a) {
		along += to[a] * vector[a];
		all += square(vector[a]);
	}
	return all - square(along);
}

sonde_status far_field_free_ratio(const double courant[3], enum field field, const double place[3],
				  const double direction[3], double omega, double *ratio)
{
	struct far_field far = {.permittivity = 1.0, .permeability = 1.0};
	double of_grid = 0.0, of_continuum = 0.0;
	struct rule rule = {0};
	sonde_status status;

	for (int a = 0; a < 3; ++a) {
		far.courant[a] = courant[a];
		far.dimensions += courant[a] > 0.0;
	}
	CHECK_GOTO(status, make_rule(&far, omega, &rule), done);
	for (size_t n = 0; n < rule.count; ++n) {
		double to[3], k[3];
		double complex grid[3], continuum[3];
		far_direction_vector(&rule.directions[n], to);
		for (int a = 0; a < 3; ++a)
			to[a] = courant[a] > 0.0 ? to[a] : 0.0;
		CHECK_GOTO(status, grid_wave_of(courant, to, omega, 1.0, k), done);
		for (int a = 0; a < 3; ++a) {
			continuum[a] = direction[a];
			grid[a] = direction[a] * spread_of(&far, field, a, place, k);
		}
		of_grid +=
		    rule.weights[n] * far_field_share(&far, omega, k) * square_across(&rule.directions[n], grid);
		of_continuum += rule.weights[n] * square_across(&rule.directions[n], continuum);
	}
	*ratio = of_continuum > 0.0 ? of_grid / of_continuum : 1.0;
done:
	free(rule.directions);
	free(rule.weights);
	return status;
}
