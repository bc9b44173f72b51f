#include "fdtd/media/medium.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "fdtd/media/edge_lists.h"
#include "fdtd/media/list_totals.h"

#define LEAST_KEPT 1e-12 /* fraction of H kept in a step: so currents added before the step are not lost */

const struct medium vacuum = {.permittivity = 1.0, .permeability = 1.0};

struct medium_pole medium_pole_lorentz(double strength, double resonance, double damping)
{
	double whole = 1.0 + 0.5 * damping, square = resonance * resonance;

	return (struct medium_pole){(1.0 - 0.5 * damping) / whole, strength * square / whole, square / whole, 0.0};
}

struct medium_pole medium_pole_drude(double plasma_frequency, double damping)
{
	double whole = 1.0 + 0.5 * damping;

	return (struct medium_pole){(1.0 - 0.5 * damping) / whole, plasma_frequency * plasma_frequency / whole, 0.0,
				    0.0};
}

/* P(n + 1) (1 + h/2) = P(n) (1 - h/2) + h/2 strength (E(n) + E(n + 1)), h = dt/tau */
struct medium_pole medium_pole_debye(double strength, double relaxation_time)
{
	double half = 0.5 / relaxation_time, at_once = half * strength / (1.0 + half);

	return (struct medium_pole){0.0, at_once, 2.0 * half / (1.0 + half), at_once};
}

struct medium_step medium_step_of_e(const struct medium *medium)
{
	double loss = 0.5 * medium->conductivity, whole = medium->permittivity + loss;

	for (int p = 0; p < medium->poles; ++p)
		whole += medium->pole[p].d;
	if (medium->conductor)
		return (struct medium_step){0.0, 0.0};
	return (struct medium_step){(medium->permittivity - loss) / whole, 1.0 / whole};
}

struct medium_step medium_step_of_h(const struct medium *medium)
{
	double loss = 0.5 * medium->magnetic_conductivity / medium->permeability, kept = 1.0 - loss;

	if (fabs(kept) < LEAST_KEPT)
		kept = LEAST_KEPT;
	return (struct medium_step){kept / (1.0 + loss), -1.0 / (medium->permeability * (1.0 + loss))};
}

double medium_answer_of_h(const struct medium *medium)
{
	const struct medium_step step = medium_step_of_h(medium);

	return step.second / step.first;
}

/* With w = exp(i omega), the factor from one step to the next: f (1 - a w) = b E - c P and P (1 - w) = w f + d E. */
double complex medium_susceptibility(const struct medium *medium, double angular_frequency)
{
	double complex before = cexp(I * angular_frequency), sum = 0.0;

	for (int p = 0; p < medium->poles; ++p) {
		const struct medium_pole *pole = &medium->pole[p];
		double complex memory = 1.0 - pole->a * before;
		sum += (before * pole->b + pole->d * memory) / ((1.0 - before) * memory + before * pole->c);
	}
	return sum;
}

sonde_status media_make(const struct fdtd_grid *grid, int edges, int faces, struct media *media)
{
	uint16_t number;

	*media = (struct media){0};
	CHECK(media_add(media, &vacuum, &number));
	for (int a = 0; a < 3; ++a) {
		if (edges)
			CHECK(media_numbers_make(grid, &media->edges[a]));
		if (faces)
			CHECK(media_numbers_make(grid, &media->faces[a]));
	}
	return SONDE_OK;
}

void media_free(struct media *media)
{
	for (int a = 0; a < 3; ++a) {
		media_numbers_free(&media->edges[a]);
		media_numbers_free(&media->faces[a]);
	}
	smooth_edges_free(&media->smooth);
	answers_free(&media->answers);
	free(media->media);
	free(media->places);
	list_totals_free(&media->totals);
	*media = (struct media){0};
}

bool medium_is_same(const struct medium *a, const struct medium *b)
{
	return a->permittivity == b->permittivity && a->conductivity == b->conductivity &&
	       a->permeability == b->permeability && a->magnetic_conductivity == b->magnetic_conductivity &&
	       a->conductor == b->conductor && a->outside == b->outside && a->collector == b->collector &&
	       a->poles == b->poles && memcmp(a->pole, b->pole, (size_t)a->poles * sizeof *a->pole) == 0;
}

sonde_status media_add(struct media *media, const struct medium *medium, uint16_t *number)
{
	size_t k = 0, capacity = media->count, places = capacity;

	while (k < media->count && !medium_is_same(&media->media[k], medium))
		++k;
	*number = (uint16_t)k;
	if (k < media->count)
		return SONDE_OK;
	if (k == MOST_MEDIA)
		return status_fail(SONDE_INVALID, "more than %d different media on the grid", MOST_MEDIA);
	CHECK(memory_grow(&media->media, &capacity, k + 1, sizeof *media->media, "the media"));
	CHECK(memory_grow(&media->places, &places, k + 1, sizeof *media->places, "the media"));
	media->media[k] = *medium;
	media->places[k] = media->place;
	media->count = k + 1;
	return SONDE_OK;
}
