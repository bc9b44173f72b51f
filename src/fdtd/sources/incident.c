#include "fdtd/sources/incident.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "fdtd/sources/grid_wave.h"

#define MARGIN \
	12 /* places before the box, in units of the largest m: fields are set there, half of it left to settle */
#define ABSORBED 100    /* places behind it over which they are absorbed, likewise */
#define ORDER 4.0       /* of the absorption's profile */
#define ABSORPTION 20.0 /* -log of the amplitude that reaches the end */

static int largest(const int m[3])
{
	int most = 0;

	for (int a = 0; a < 3; ++a)
		most = abs(m[a]) > most ? abs(m[a]) : most;
	return most;
}

/* Components of E and eta_0 H along the axes. Directions are those of m/Delta: Courant numbers are in 1/Delta. */
static sonde_status polarize(const double polarization[3], struct incident_wave *wave)
{
	double along[3], length = 0.0, projection = 0.0, rest = 0.0, whole = 0.0;

	for (int a = 0; a < 3; ++a) {
		along[a] = wave->m[a] * wave->courant[a];
		length += along[a] * along[a];
	}
	length = sqrt(length);
	if (!(length > 0.0))
		return status_fail(SONDE_INVALID, "a plane wave needs a direction");
	/* a place is 1/length of c dt farther */
	wave->delay = 1.0 / length;
	for (int a = 0; a < 3; ++a) {
		along[a] /= length;
		projection += along[a] * polarization[a];
		whole += polarization[a] * polarization[a];
	}
	for (int a = 0; a < 3; ++a) {
		wave->e_part[a] = polarization[a] - projection * along[a];
		rest += wave->e_part[a] * wave->e_part[a];
	}
	if (!(rest > 1e-6 * whole))
		return status_fail(SONDE_INVALID, "the polarization of a plane wave is along its direction");
	for (int a = 0; a < 3; ++a)
		wave->e_part[a] /= sqrt(rest);
	for (int a = 0; a < 3; ++a) {
		int b = (a + 1) % 3, c = (a + 2) % 3;
		wave->h_part[a] = along[b] * wave->e_part[c] - along[c] * wave->e_part[b];
	}
	return SONDE_OK;
}

/* A component is not 0 if it is prescribed, or if the scheme makes it from another one, by a difference along the wave. */
static void find_components(struct incident_wave *wave)
{
	for (int a = 0; a < 3; ++a) {
		wave->e_is_0[a] = wave->e_part[a] == 0.0;
		wave->h_is_0[a] = wave->h_part[a] == 0.0;
	}
	for (int n = 0; n < 6; ++n) {
		const int a = n % 3, b = (a + 1) % 3, c = (a + 2) % 3;
		wave->h_is_0[a] &= (wave->m[b] == 0 || wave->e_is_0[c]) && (wave->m[c] == 0 || wave->e_is_0[b]);
		wave->e_is_0[a] &= (wave->m[b] == 0 || wave->h_is_0[c]) && (wave->m[c] == 0 || wave->h_is_0[b]);
	}
}

/* Factor by which a conductivity reduces a convolution in a step, at a place between numbers. */
static double decay_at(const struct incident_wave *wave, double number)
{
	double thickness = wave->length - wave->first_absorbed, depth = (number - wave->first_absorbed) / thickness;

	return depth > 0.0 ? exp(-ABSORPTION * (ORDER + 1.0) / (wave->delay * thickness) * pow(depth, ORDER)) : 1.0;
}

static sonde_status allocate(struct incident_wave *wave)
{
	for (int a = 0; a < 3; ++a) {
		double **const arrays[] = {&wave->e[a],        &wave->h[a],        &wave->e_decay[a],
					   &wave->h_decay[a],  &wave->e_psi[a][0], &wave->e_psi[a][1],
					   &wave->h_psi[a][0], &wave->h_psi[a][1]};
		for (size_t k = 0; k < sizeof arrays / sizeof *arrays; ++k)
			CHECK(memory_allocate(arrays[k], (size_t)wave->length, sizeof(double), "a plane wave"));
		for (int n = 0; n < wave->length; ++n) {
			/* on an edge half a cell along its axis, on a face along both others */
			wave->e_decay[a][n] = decay_at(wave, n + 0.5 * wave->m[a]);
			wave->h_decay[a][n] = decay_at(wave, n + 0.5 * (wave->m[(a + 1) % 3] + wave->m[(a + 2) % 3]));
		}
	}
	return SONDE_OK;
}

sonde_status incident_make(const int m[3], const double courant[3], const double polarization[3], const int low[3],
			   const int high[3], incident_form *form, const void *user, struct incident_wave *wave)
{
	int first = 0, last = 0, most = largest(m);

	*wave = (struct incident_wave){.form = form, .user = user};
	for (int a = 0; a < 3; ++a) {
		wave->m[a] = m[a];
		wave->courant[a] = courant[a];
		/* including the neighbors on either side of the box */
		first += m[a] * (m[a] > 0 ? low[a] - 1 : high[a] + 1);
		last += m[a] * (m[a] > 0 ? high[a] + 1 : low[a] - 1);
	}
	CHECK(polarize(polarization, wave));
	find_components(wave);
	wave->begin = first - MARGIN * most;
	wave->first_free = (MARGIN / 2) * most;
	wave->first_absorbed = last - wave->begin + most;
	wave->length = wave->first_absorbed + ABSORBED * most;
	return allocate(wave);
}

void incident_free(struct incident_wave *wave)
{
	for (int a = 0; a < 3; ++a) {
		free(wave->e[a]);
		free(wave->h[a]);
		free(wave->e_decay[a]);
		free(wave->h_decay[a]);
		for (int d = 0; d < 2; ++d) {
			free(wave->e_psi[a][d]);
			free(wave->h_psi[a][d]);
		}
	}
	*wave = (struct incident_wave){0};
}

int incident_number(const struct incident_wave *wave, int i, int j, int k)
{
	return wave->m[0] * i + wave->m[1] * j + wave->m[2] * k - wave->begin;
}

/* The wave's prescribed value at a place between numbers. */
static double wanted(const struct incident_wave *wave, double number, double time)
{
	return wave->form(wave->user, time - wave->delay * (number - wave->start));
}

void incident_start_at(struct incident_wave *wave, const double node[3])
{
	wave->start = -(double)wave->begin;
	for (int a = 0; a < 3; ++a)
		wave->start += wave->m[a] * node[a];
	/* what has passed the beginning of the line before time 0 */
	for (int a = 0; a < 3; ++a) {
		const int b = (a + 1) % 3, c = (a + 2) % 3;
		for (int n = 0; n < wave->length; ++n) {
			wave->e[a][n] = wave->e_part[a] * wanted(wave, n + 0.5 * wave->m[a], 0.0);
			wave->h[a][n] = wave->h_part[a] * wanted(wave, n + 0.5 * (wave->m[b] + wave->m[c]), -0.5);
		}
	}
}

/* A difference in stretched coordinates: see absorbing_layer.h; along the wave there is only its conductivity. */
static double stretched(double difference, double decay, double *psi)
{
	*psi = decay * *psi + (decay - 1.0) * difference;
	return difference + *psi;
}

/* Adds factor (u[n + apart] - u[n]) to numbers from first_free on: all that have that neighbor. */
static void add_difference(const struct incident_wave *wave, double factor, const double *u, int apart,
			   const double *decay, double *psi, double *sum)
{
	const int most = largest(wave->m), end = wave->length - most,
		  absorbed =
		      wave->first_absorbed - most > wave->first_free ? wave->first_absorbed - most : wave->first_free;

	if (apart == 0 || factor == 0.0)
		return;
	/* there is no conductivity, and psi is 0, before the absorbing end */
	for (int n = wave->first_free; n < absorbed; ++n)
		sum[n] += factor * (u[n + apart] - u[n]);
	for (int n = absorbed; n < end; ++n)
		sum[n] += factor * stretched(u[n + apart] - u[n], decay[n], &psi[n]);
}

/* Numbers that have all neighbors are stepped; the regions in which the wave is set and absorbed extend farther. */
void incident_step_h(struct incident_wave *wave)
{
	for (int a = 0; a < 3; ++a) {
		const int b = (a + 1) % 3, c = (a + 2) % 3;
		double *h = wave->h[a];
		if (wave->h_is_0[a])
			continue;
		add_difference(wave, -wave->courant[b], wave->e[c], wave->m[b], wave->h_decay[a], wave->h_psi[a][0],
			       h);
		add_difference(wave, wave->courant[c], wave->e[b], wave->m[c], wave->h_decay[a], wave->h_psi[a][1],
			       h);
		for (int n = 0; n < wave->first_free; ++n)
			h[n] = wave->h_part[a] * wanted(wave, n + 0.5 * (wave->m[b] + wave->m[c]), wave->steps + 0.5);
	}
}

void incident_step_e(struct incident_wave *wave)
{
	for (int a = 0; a < 3; ++a) {
		const int b = (a + 1) % 3, c = (a + 2) % 3;
		double *e = wave->e[a];
		if (wave->e_is_0[a])
			continue;
		/* h[n] - h[n - m] */
		add_difference(wave, -wave->courant[b], wave->h[c], -wave->m[b], wave->e_decay[a], wave->e_psi[a][0],
			       e);
		add_difference(wave, wave->courant[c], wave->h[b], -wave->m[c], wave->e_decay[a], wave->e_psi[a][1],
			       e);
		for (int n = 0; n < wave->first_free; ++n)
			e[n] = wave->e_part[a] * wanted(wave, n + 0.5 * wave->m[a], wave->steps + 1.0);
	}
	++wave->steps;
}

/* The sum is taken at the nearest number on the line; the phase for the rest of the distance follows from the
 * scheme's wavenumber, which is exact for the wave there. */
sonde_status incident_sums(struct incident_wave *wave, const double place[3], const double *angular_frequencies,
			   uint32_t frequencies, uint64_t steps, double complex (*sums)[3])
{
	double at = -(double)wave->begin, direction[3];

	for (int a = 0; a < 3; ++a) {
		direction[a] = wave->m[a] * wave->courant[a] * wave->delay;
		at += wave->m[a] * place[a];
	}
	int number = (int)lround(at);
	if (number < wave->first_free || number >= wave->first_absorbed)
		return status_fail(SONDE_INVALID, "a plane wave is requested at a position outside its box");
	for (uint32_t f = 0; f < frequencies; ++f)
		sums[f][0] = sums[f][1] = sums[f][2] = 0.0;
	for (uint64_t n = 0; n < steps; ++n) {
		incident_step_h(wave);
		incident_step_e(wave);
		for (uint32_t f = 0; f < frequencies; ++f) {
			double complex phase = cexp(I * angular_frequencies[f] * (double)wave->steps);
			for (int a = 0; a < 3; ++a)
				sums[f][a] += wave->e[a][number] * phase;
		}
	}
	for (uint32_t f = 0; f < frequencies; ++f) {
		double k[3];
		CHECK(grid_wave_along(wave->courant, direction, angular_frequencies[f], 1.0, k));
		double length = sqrt(k[0] * k[0] + k[1] * k[1] + k[2] * k[2]) * wave->delay;
		for (int a = 0; a < 3; ++a)
			sums[f][a] *= cexp(I * length * (at - number - 0.5 * wave->m[a]));
	}
	return SONDE_OK;
}
