/* Layers, and dipoles with and without a mirror. */
#include "physics/optics.h"

#include "physics/physics.h"

static double square(double complex z)
{
	return creal(z) * creal(z) + cimag(z) * cimag(z);
}

/* The root that decays along the way; that of a real positive number is positive. */
static double complex decaying_root(double complex z)
{
	double complex root = csqrt(z);

	return cimag(root) < 0.0 ? -root : root;
}

/* Layer by layer from behind, after G. B. Airy and P. Rouard (M. Born and E. Wolf, Principles of Optics, 7th ed.,
 * section 1.6): the products of transfer matrices, in an order in which thick absorbing layers cannot overflow. */
struct stack_response stack_response(const struct optical_layer *layers, int count, double wavenumber, double angle,
				     enum optical_polarization polarization)
{
	struct stack_response response = {0.0, 1.0, 0.0, 0.0};
	double index = sqrt(creal(layers[0].permittivity) * creal(layers[0].permeability));
	double complex along = wavenumber * index * sin(angle), admittance = 0.0, last = 0.0;

	for (int j = count - 1; j >= 0; --j) {
		double complex squared = layers[j].permittivity * layers[j].permeability;
		double complex normal = decaying_root(squared * wavenumber * wavenumber - along * along);
		double complex material =
		    polarization == POLARIZATION_S ? layers[j].permeability : layers[j].permittivity;
		double complex below = admittance;
		admittance = normal / material;
		if (j == count - 1) {
			last = admittance;
			continue;
		}
		double complex r = (admittance - below) / (admittance + below), t = 1.0 + r;
		double complex rest = 1.0 / (1.0 + r * response.r);
		response.t *= t * rest;
		response.r = (r + response.r) * rest;
		if (j > 0) { /* to the upper face of this layer */
			double complex phase = cexp(I * normal * layers[j].thickness);
			response.t *= phase;
			response.r *= phase * phase;
		}
	}
	response.reflectance = square(response.r);
	response.transmittance = creal(last) / creal(admittance) * square(response.t);
	return response;
}

static void cross(const double a[3], const double complex b[3], double complex c[3])
{
	for (int i = 0; i < 3; ++i) {
		int j = (i + 1) % 3, k = (i + 2) % 3;
		c[i] = a[j] * b[k] - a[k] * b[j];
	}
}

static double complex dot(const double a[3], const double complex b[3])
{
	return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* With G = exp(ikr)/(4 pi r): E = i omega mu (1 + grad grad/k^2) G moment, H = grad G x moment. */
struct optical_field dipole_field(const struct optical_medium *medium, double omega, const double complex moment[3],
				  const double separation[3])
{
	struct optical_field field;
	double r =
	    sqrt(separation[0] * separation[0] + separation[1] * separation[1] + separation[2] * separation[2]);
	double unit[3] = {separation[0] / r, separation[1] / r, separation[2] / r};
	double complex k = plane_wavenumber(medium, omega), i_kr = I / (k * r);
	double complex green = cexp(I * k * r) / (4.0 * PI * r);
	double complex transverse = 1.0 + i_kr + i_kr * i_kr, radial = -1.0 - 3.0 * i_kr - 3.0 * i_kr * i_kr;
	double complex parallel = dot(unit, moment);

	cross(unit, moment, field.h);
	for (int i = 0; i < 3; ++i) {
		field.e[i] =
		    I * omega * medium->permeability * green * (transverse * moment[i] + radial * parallel * unit[i]);
		field.h[i] *= I * k * (1.0 + i_kr) * green;
	}
	return field;
}

double dipole_power(const struct optical_medium *medium, double omega, const double complex moment[3])
{
	double k = omega * sqrt(medium->permittivity * medium->permeability);

	return omega * medium->permeability * k / (12.0 * PI) *
	       (square(moment[0]) + square(moment[1]) + square(moment[2]));
}

/* Of far fields, which are i omega mu exp(ikr)/(4 pi r) times the sum of the transverse moments with their phases. */
static double radiated(const struct optical_medium *medium, double omega, const double complex moment[3],
		       const double direction[3])
{
	double k = omega * sqrt(medium->permittivity * medium->permeability);
	double complex parallel = dot(direction, moment);
	double sum = 0.0;

	for (int i = 0; i < 3; ++i)
		sum += square(moment[i] - parallel * direction[i]);
	return omega * medium->permeability * k / (32.0 * PI * PI) * sum;
}

double dipole_pattern(const struct optical_medium *medium, double omega, const double complex moment[3],
		      const double direction[3])
{
	return radiated(medium, omega, moment, direction);
}

void poynting_vector(const struct optical_field *field, double vector[3])
{
	for (int i = 0; i < 3; ++i) {
		int j = (i + 1) % 3, k = (i + 2) % 3;
		vector[i] = 0.5 * creal(field->e[j] * conj(field->h[k]) - field->e[k] * conj(field->h[j]));
	}
}

/* The image of a current along the mirror is reversed, of one normal to it is not. */
struct optical_field mirror_field(const struct optical_medium *medium, double omega, const double complex moment[3],
				  double height, const double position[3])
{
	const double complex image[3] = {-moment[0], -moment[1], moment[2]};
	const double from[3] = {position[0], position[1], position[2] - height};
	const double from_image[3] = {position[0], position[1], position[2] + height};
	struct optical_field field = dipole_field(medium, omega, moment, from);
	struct optical_field other = dipole_field(medium, omega, image, from_image);

	for (int i = 0; i < 3; ++i) {
		field.e[i] += other.e[i];
		field.h[i] += other.h[i];
	}
	return field;
}

double mirror_pattern(const struct optical_medium *medium, double omega, const double complex moment[3],
		      double height, const double direction[3])
{
	double k = omega * sqrt(medium->permittivity * medium->permeability);
	double complex phase = cexp(-I * k * height * direction[2]);
	double complex sum[3];

	for (int i = 0; i < 3; ++i)
		sum[i] = moment[i] * phase + (i == 2 ? moment[i] : -moment[i]) * conj(phase);
	return radiated(medium, omega, sum, direction);
}

/* j_1(u)/u = sin u/u^3 - cos u/u^2, without its cancellation. */
static double first_bessel_ratio(double u)
{
	double s = u * u;

	if (s < 0.04)
		return 1.0 / 3.0 - s / 30.0 * (1.0 - s / 28.0 * (1.0 - s / 54.0 * (1.0 - s / 88.0)));
	return (sin(u) / u - cos(u)) / s;
}

double mirror_power_normal(double wavenumber, double height)
{
	return 1.0 + 3.0 * first_bessel_ratio(2.0 * wavenumber * height);
}

double mirror_power_parallel(double wavenumber, double height)
{
	double u = 2.0 * wavenumber * height;

	return 1.0 - 1.5 * ((u == 0.0 ? 1.0 : sin(u) / u) - first_bessel_ratio(u));
}

void line_field(const struct optical_medium *medium, double omega, double complex current, double distance,
		double complex *e_z, double complex *h_phi)
{
	double k = omega * sqrt(medium->permittivity * medium->permeability), x = k * distance;

	*e_z = -0.25 * omega * medium->permeability * current * (j0(x) + I * y0(x));
	*h_phi = 0.25 * I * k * current * (j1(x) + I * y1(x));
}

double line_power(const struct optical_medium *medium, double omega, double complex current)
{
	return 0.125 * omega * medium->permeability * square(current);
}
