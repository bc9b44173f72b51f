/* The series of Lorenz, Mie and Debye for spheres. */
#include "physics/optics.h"

#include "physics/physics.h"

/* Riccati and Bessel's psi_n = x j_n and chi_n = -x y_n, n = 0 ... terms. psi comes downward after J. C. P. Miller, since
 * upward it drowns in chi beyond n = x; chi comes upward. */
static void riccati_bessel(double x, int terms, double *psi, double *chi)
{
	int start = terms + 20 + (int)(4.0 * cbrt(x));
	double above = 0.0, here = 1e-250; /* grows by less than 1e150 for x >= 1e-3 */

	for (int n = start; n > 0; --n) {
		double below = (2 * n + 1) / x * here - above;
		above = here;
		here = below;
		if (n - 1 <= terms)
			psi[n - 1] = here;
	}
	/* the larger of the two that are known in closed form: the other may be next to its zero */
	double scale = fabs(psi[0]) > fabs(psi[1]) ? sin(x) / psi[0] : (sin(x) / x - cos(x)) / psi[1];
	for (int n = 0; n <= terms; ++n)
		psi[n] *= scale;
	chi[0] = cos(x);
	chi[1] = cos(x) / x + sin(x);
	for (int n = 1; n < terms; ++n)
		chi[n + 1] = (2 * n + 1) / x * chi[n] - chi[n - 1];
}

/* D_n(z) = psi_n'(z)/psi_n(z), n = 0 ... terms: BH (4.89), downward, which is stable for every z. It begins far enough
 * beyond |z| for (n + 1)/z, the limit of small z, to be forgotten. */
static void logarithmic_derivative(double complex z, int terms, double complex *values)
{
	int beyond = (int)cabs(z) > terms ? (int)cabs(z) : terms;
	int start = beyond + 20 + (int)(4.0 * cbrt(cabs(z)));
	double complex here = (start + 1) / z;

	for (int n = start; n > 0; --n) {
		here = n / z - 1.0 / (here + n / z);
		if (n - 1 <= terms)
			values[n - 1] = here;
	}
}

static void *numbers(size_t count, size_t size)
{
	void *memory = calloc(count, size);

	assert_non_null(memory);
	return memory;
}

/* Orders up to x + 4 x^(1/3) + 2 give W. J. Wiscombe's eight digits or so (Appl. Opt. 19 (1980) 1505); some more give
 * all. */
static struct mie_sphere empty_sphere(double size)
{
	struct mie_sphere sphere = {.size = size, .terms = (int)(size + 6.0 * cbrt(size) + 10.0)};

	sphere.electric = numbers((size_t)sphere.terms, sizeof *sphere.electric);
	sphere.magnetic = numbers((size_t)sphere.terms, sizeof *sphere.magnetic);
	return sphere;
}

/* One coefficient, BH (4.88): N/(N - i C) with N = u psi_n - psi_(n-1) and C = u chi_n - chi_(n-1). */
static double complex coefficient(double complex u, const double *psi, const double *chi, int n, double *loss)
{
	double complex regular = u * psi[n] - psi[n - 1], irregular = u * chi[n] - chi[n - 1];
	double complex denominator = regular - I * irregular;

	/* Re a - |a|^2 = Im(C conj N)/|N - i C|^2, where Wronski's psi_(n-1) chi_n - psi_n chi_(n-1) = 1 leaves -Im u: so
	 * small absorption is no difference of large numbers. */
	*loss = -cimag(u) / (creal(denominator) * creal(denominator) + cimag(denominator) * cimag(denominator));
	return regular / denominator;
}

struct mie_sphere sphere_of_index(double complex index, double size)
{
	struct mie_sphere sphere = empty_sphere(size);
	size_t count = (size_t)sphere.terms + 1;
	double *psi = numbers(count, sizeof *psi), *chi = numbers(count, sizeof *chi);
	double complex *derivative = numbers(count, sizeof *derivative);

	riccati_bessel(size, sphere.terms, psi, chi);
	logarithmic_derivative(index * size, sphere.terms, derivative);
	for (int n = 1; n <= sphere.terms; ++n) {
		double electric, magnetic;
		sphere.electric[n - 1] = coefficient(derivative[n] / index + n / size, psi, chi, n, &electric);
		sphere.magnetic[n - 1] = coefficient(derivative[n] * index + n / size, psi, chi, n, &magnetic);
		sphere.absorption += 2.0 / (size * size) * (2 * n + 1) * (electric + magnetic);
	}
	free(psi);
	free(chi);
	free(derivative);
	return sphere;
}

/* a_n = psi_n'/xi_n', b_n = psi_n/xi_n: the limit of BH (4.53) for |m| without bound. */
struct mie_sphere sphere_conducting(double size)
{
	struct mie_sphere sphere = empty_sphere(size);
	size_t count = (size_t)sphere.terms + 1;
	double *psi = numbers(count, sizeof *psi), *chi = numbers(count, sizeof *chi);

	riccati_bessel(size, sphere.terms, psi, chi);
	for (int n = 1; n <= sphere.terms; ++n) {
		double slope = psi[n - 1] - n / size * psi[n];
		sphere.electric[n - 1] = slope / (slope - I * (chi[n - 1] - n / size * chi[n]));
		sphere.magnetic[n - 1] = psi[n] / (psi[n] - I * chi[n]);
	}
	free(psi);
	free(chi);
	return sphere;
}

void sphere_free(struct mie_sphere *sphere)
{
	free(sphere->electric);
	free(sphere->magnetic);
	sphere->electric = sphere->magnetic = NULL;
}

static double square(double complex z)
{
	return creal(z) * creal(z) + cimag(z) * cimag(z);
}

struct mie_efficiencies sphere_efficiencies(const struct mie_sphere *sphere)
{
	struct mie_efficiencies q = {.absorption = sphere->absorption};
	double share = 2.0 / (sphere->size * sphere->size), moment = 0.0;
	double complex back = 0.0;

	for (int n = 1; n <= sphere->terms; ++n) {
		double complex a = sphere->electric[n - 1], b = sphere->magnetic[n - 1];
		q.scattering += share * (2 * n + 1) * (square(a) + square(b));
		q.extinction += share * (2 * n + 1) * creal(a + b);
		back += (n % 2 ? -1.0 : 1.0) * (2 * n + 1) * (a - b);
		moment += (2.0 * n + 1.0) / (n * (n + 1.0)) * creal(a * conj(b));
		if (n < sphere->terms)
			moment += n * (n + 2.0) / (n + 1.0) *
				  creal(a * conj(sphere->electric[n]) + b * conj(sphere->magnetic[n]));
	}
	q.back = square(back) / (sphere->size * sphere->size);
	q.asymmetry = 2.0 * share * moment / q.scattering;
	return q;
}

/* pi_n and tau_n by BH (4.47). */
struct mie_amplitudes sphere_amplitudes(const struct mie_sphere *sphere, double angle)
{
	struct mie_amplitudes s = {0.0, 0.0};
	double mu = cos(angle), below = 0.0, here = 1.0;

	for (int n = 1; n <= sphere->terms; ++n) {
		double complex a = sphere->electric[n - 1], b = sphere->magnetic[n - 1];
		double tau = n * mu * here - (n + 1) * below, weight = (2.0 * n + 1.0) / (n * (n + 1.0));
		s.s1 += weight * (a * here + b * tau);
		s.s2 += weight * (a * tau + b * here);
		double above = ((2 * n + 1) * mu * here - (n + 1) * below) / n;
		below = here;
		here = above;
	}
	return s;
}

double sphere_pattern(const struct mie_sphere *sphere, double angle, double azimuth)
{
	struct mie_amplitudes s = sphere_amplitudes(sphere, angle);
	double c = cos(azimuth), d = sin(azimuth);

	return (square(s.s2) * c * c + square(s.s1) * d * d) / (PI * sphere->size * sphere->size);
}
