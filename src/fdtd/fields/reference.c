#include "fdtd/fields/reference.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/threads.h"
#include "fdtd/media/answers.h"
#include "fdtd/media/smooth.h"

static sonde_status fill_media(struct fdtd_reference *reference, const struct media *media)
{
	int most = 0;

	for (size_t m = 0; m < media->count; ++m)
		most = media->media[m].poles > most ? media->media[m].poles : most;
	for (int a = 0; a < 3; ++a) {
		CHECK(memory_allocate(&reference->poles_of[a], reference->count, sizeof **reference->poles_of,
				      "the media"));
		for (int p = 0; p < most; ++p) {
			CHECK(memory_allocate(&reference->polarization[a][p], reference->count, sizeof(double),
					      "the media"));
			CHECK(memory_allocate(&reference->flow[a][p], reference->count, sizeof(double), "the media"));
		}
		CHECK(
		    memory_allocate(&reference->edges[a], reference->count, sizeof **reference->edges, "the media"));
		CHECK(
		    memory_allocate(&reference->faces[a], reference->count, sizeof **reference->faces, "the media"));
		for (size_t n = 0; n < reference->count; ++n) {
			size_t edge = media_number(media->edges[a], n);
			size_t face = media_number(media->faces[a], n);
			reference->edges[a][n] = medium_step_of_e(&media->media[edge]);
			reference->poles_of[a][n] = media->media[edge].poles > 0 ? &media->media[edge] : NULL;
			reference->faces[a][n] =
			    medium_step_of_h(media->faces[a] != NULL ? &media->media[face] : &vacuum);
		}
	}
	reference->smooth = media->smooth;
	reference->media = media;
	const size_t answers = media->answers != NULL ? media->answers->count : 0;
	CHECK(memory_allocate(&reference->values, answers, sizeof(double), "the media"));
	for (int n = 0; n < 2; ++n)
		CHECK(memory_allocate(&reference->answered[n], MOST_MIXED * MOST_POLES * answers, sizeof(double),
				      "the media"));
	return memory_allocate(&reference->displacement, media->smooth != NULL ? media->smooth->count : 0,
			       sizeof(double), "the media");
}

static sonde_status make(const struct fdtd_grid *grid, const struct media *media, struct fdtd_reference *reference)
{
	reference->grid = *grid;
	reference->stride[2] = 1;
	reference->stride[1] = (size_t)grid->cells[2] + 1;
	reference->stride[0] = reference->stride[1] * ((size_t)grid->cells[1] + 1);
	reference->count = reference->stride[0] * ((size_t)grid->cells[0] + 1);
	for (int a = 0; a < 3; ++a) {
		double **const arrays[] = {&reference->e[a],        &reference->h[a],        &reference->psi_e[a][0],
					   &reference->psi_e[a][1], &reference->psi_h[a][0], &reference->psi_h[a][1]};
		CHECK(absorbing_profile_make("xyz"[a], grid -> cells[a], grid -> courant[a], grid -> layers[a],
					     &reference -> profile[a]));
		for (size_t k = 0; k < sizeof arrays / sizeof *arrays; ++k)
			CHECK(memory_allocate(arrays[k], reference->count, sizeof(double), "the fields"));
	}
	return fill_media(reference, media);
}

static sonde_status make_imaginary(const struct fdtd_grid *grid, const struct media *media,
				   struct fdtd_reference *reference)
{
	CHECK(memory_allocate(&reference->imaginary, 1, sizeof *reference->imaginary, "the fields"));
	CHECK(make(grid, media, reference->imaginary));
	reference->other = reference->imaginary;
	reference->sign = -1.0;
	reference->imaginary->other = reference;
	reference->imaginary->sign = 1.0;
	return SONDE_OK;
}

sonde_status fdtd_reference_make(const struct fdtd_grid *grid, const struct media *media,
				 struct fdtd_reference **reference)
{
	*reference = NULL;
	CHECK(grid_check(grid));
	CHECK(memory_allocate(reference, 1, sizeof **reference, "the fields"));
	sonde_status status = make(grid, media, *reference);
	if (status == SONDE_OK && grid->bloch)
		status = make_imaginary(grid, media, *reference);
	if (status != SONDE_OK)
		fdtd_reference_free(reference);
	return status;
}

void fdtd_reference_free(struct fdtd_reference **reference)
{
	if (*reference != NULL && (*reference)->imaginary != NULL)
		fdtd_reference_free(&(*reference)->imaginary);
	for (int a = 0; *reference != NULL && a < 3; ++a) {
		absorbing_profile_free(&(*reference)->profile[a]);
		free((*reference)->e[a]);
		free((*reference)->h[a]);
		free((*reference)->edges[a]);
		free((*reference)->faces[a]);
		free((*reference)->poles_of[a]);
		for (int p = 0; p < MOST_POLES; ++p) {
			free((*reference)->polarization[a][p]);
			free((*reference)->flow[a][p]);
		}
		for (int d = 0; d < 2; ++d) {
			free((*reference)->psi_e[a][d]);
			free((*reference)->psi_h[a][d]);
		}
	}
	if (*reference != NULL) {
		free((*reference)->displacement);
		free((*reference)->values);
		free((*reference)->answered[0]);
		free((*reference)->answered[1]);
	}
	free(*reference);
	*reference = NULL;
}

/* A number on the other side of a periodic axis; for complex fields multiplied by its phase factor. */
static double turned(const struct fdtd_reference *reference, double here, double other, int axis, double direction)
{
	const double phase = direction * reference->grid.phase[axis];

	return phase == 0.0 ? here : cos(phase) * here + reference->sign * sin(phase) * other;
}

static double other_at(const struct fdtd_reference *reference, bool of_e, int component, size_t at)
{
	if (reference->other == NULL)
		return 0.0;
	return (of_e ? reference->other->e : reference->other->h)[component][at];
}

/* E at the next node along an axis, or beyond the last cell there. */
static double ahead(const struct fdtd_reference *reference, int component, size_t at, int axis, int node)
{
	const size_t first = at - (size_t)node * reference->stride[axis];

	if (node + 1 == reference->grid.cells[axis] && reference->grid.walls[axis][1] == WALL_PERIODIC)
		return turned(reference, reference->e[component][first], other_at(reference, true, component, first),
			      axis, 1.0);
	return reference->e[component][at + reference->stride[axis]];
}

/* Differences of H at a node along an axis; those at magnetic walls are twice the field in front of them. */
static double difference_of_h(const struct fdtd_reference *reference, int component, size_t at, int axis, int node)
{
	const int last = reference->grid.cells[axis];
	const size_t stride = reference->stride[axis], behind = at + (size_t)(last - 1) * stride;
	const double *h = reference->h[component];

	if (node == 0 && reference->grid.walls[axis][0] == WALL_PERIODIC)
		return h[at] -
		       turned(reference, h[behind], other_at(reference, false, component, behind), axis, -1.0);
	if (node == 0)
		return 2.0 * h[at];
	if (node == last)
		return -2.0 * h[at - stride];
	return h[at] - h[at - stride];
}

/* c dt times a derivative, stretched within an absorbing layer. */
static double derivative(double courant, double difference, double b, double c, double kappa, double *psi)
{
	*psi = b * *psi + c * courant * difference;
	return courant * difference / kappa + *psi;
}

struct half_step {
	struct fdtd_reference *reference;
	int component;
};

/* One component of E or H, from rot by the two other axes in their order: d(second)/d(next) - d(first)/d(third axis). */
static void step_h_planes(void *state, int64_t first, int64_t end, int worker)
{
	const struct half_step *half = state;
	struct fdtd_reference *reference = half->reference;
	const int a = half->component, b = (a + 1) % 3, c = (a + 2) % 3, *cells = reference->grid.cells;
	const double *courant = reference->grid.courant;
	const size_t *stride = reference->stride;
	const struct absorbing_profile *along_b = &reference->profile[b], *along_c = &reference->profile[c];
	const double *e_b = reference->e[b], *e_c = reference->e[c];

	(void)worker;
	for (int i = (int)first; i < (int)end; ++i)
		for (int j = 0; j < cells[b]; ++j)
			for (int k = 0; k < cells[c]; ++k) {
				size_t at = (size_t)i * stride[a] + (size_t)j * stride[b] + (size_t)k * stride[c];
				double by_b = derivative(courant[b], ahead(reference, c, at, b, j) - e_c[at],
							 along_b->half_b[j], along_b->half_c[j],
							 along_b->half_kappa[j], &reference->psi_h[a][0][at]);
				double by_c = derivative(courant[c], ahead(reference, b, at, c, k) - e_b[at],
							 along_c->half_b[k], along_c->half_c[k],
							 along_c->half_kappa[k], &reference->psi_h[a][1][at]);
				const struct medium_step *face = &reference->faces[a][at];
				reference->h[a][at] =
				    face->first * reference->h[a][at] + face->second * (by_b - by_c);
			}
}

static void step_h(struct fdtd_reference *reference, int a)
{
	struct half_step half = {reference, a};

	threads_for(threads_available(), reference->grid.cells[a] + 1, 1, step_h_planes, &half);
}

static void step_e_planes(void *state, int64_t first, int64_t end, int worker)
{
	const struct half_step *half = state;
	struct fdtd_reference *reference = half->reference;
	const int a = half->component, b = (a + 1) % 3, c = (a + 2) % 3;
	const int end_b = grid_end_node(&reference->grid, b), end_c = grid_end_node(&reference->grid, c);
	const double *courant = reference->grid.courant;
	const size_t *stride = reference->stride;
	const struct absorbing_profile *along_b = &reference->profile[b], *along_c = &reference->profile[c];

	(void)worker;
	for (int i = (int)first; i < (int)end; ++i)
		for (int j = grid_first_node(&reference->grid, b); j < end_b; ++j)
			for (int k = grid_first_node(&reference->grid, c); k < end_c; ++k) {
				size_t at = (size_t)i * stride[a] + (size_t)j * stride[b] + (size_t)k * stride[c];
				double by_b = derivative(courant[b], difference_of_h(reference, c, at, b, j),
							 along_b->node_b[j], along_b->node_c[j],
							 along_b->node_kappa[j], &reference->psi_e[a][0][at]);
				double by_c = derivative(courant[c], difference_of_h(reference, b, at, c, k),
							 along_c->node_b[k], along_c->node_c[k],
							 along_c->node_kappa[k], &reference->psi_e[a][1][at]);
				const struct medium_step *edge = &reference->edges[a][at];
				reference->e[a][at] =
				    edge->first * reference->e[a][at] + edge->second * (by_b - by_c);
			}
}

static void step_e(struct fdtd_reference *reference, int a)
{
	struct half_step half = {reference, a};

	threads_for(threads_available(), reference->grid.cells[a], 1, step_e_planes, &half);
}

void fdtd_reference_step_h(struct fdtd_reference *reference)
{
	for (int a = 0; a < 3; ++a)
		step_h(reference, a);
	for (int a = 0; a < 3 && reference->imaginary != NULL; ++a)
		step_h(reference->imaginary, a);
}

void fdtd_reference_step_e(struct fdtd_reference *reference)
{
	for (int a = 0; a < 3; ++a)
		step_e(reference, a);
	for (int a = 0; a < 3 && reference->imaginary != NULL; ++a)
		step_e(reference->imaginary, a);
}

/* Corrects E by the flows that began at the previous time, then computes the flows of the next step. On walls where E
 * stays 0 there is no response. */
static void polarize(struct fdtd_reference *reference, int a, size_t n)
{
	const struct medium *medium = reference->poles_of[a][n];
	double *e = &reference->e[a][n];

	for (int p = 0; p < medium->poles; ++p)
		*e -= reference->edges[a][n].second * reference->flow[a][p][n];
	for (int p = 0; p < medium->poles; ++p) {
		const struct medium_pole *pole = &medium->pole[p];
		double *polarization = &reference->polarization[a][p][n], *flow = &reference->flow[a][p][n];
		*polarization += *flow + pole->d * *e;
		*flow = pole->a * *flow + pole->b * *e - pole->c * *polarization;
	}
}

static double *edge_at(struct fdtd_reference *reference, int component, const int node[3])
{
	return &reference->e[component][media_at(&reference->grid, node[0], node[1], node[2])];
}

/* One answer to the change of D, which the step left at the edges: see answers.h. */
static void answer(struct fdtd_reference *reference, size_t n)
{
	const struct media *media = reference->media;
	const struct answer *one = &media->answers->answers[n];
	const struct answer_kind *kind = &media->answers->kinds[one->kind];
	const struct medium_step step = answer_step(media, one);
	double *flows = reference->answered[0] + n * MOST_MIXED * MOST_POLES,
	       *polarizations = reference->answered[1] + n * MOST_MIXED * MOST_POLES, sum = 0.0;

	for (size_t m = 0; m < EDGES_OF_ANSWER; ++m) {
		const struct answered_edge *edge = &media->answers->edges[one->edges[m]];
		sum += one->parts[m] * *edge_at(reference, edge->component, edge->node);
	}
	for (int m = 0; m < kind->count; ++m)
		for (int p = 0; p < media->media[kind->media[m]].poles; ++p)
			sum -= one->shares[m] * flows[m * MOST_POLES + p];
	const double x = reference->values[n] = step.first * reference->values[n] + step.second * sum;
	for (int m = 0; m < kind->count; ++m)
		for (int p = 0; p < media->media[kind->media[m]].poles; ++p) {
			const struct medium_pole *pole = &media->media[kind->media[m]].pole[p];
			double *polarization = &polarizations[m * MOST_POLES + p], *flow = &flows[m * MOST_POLES + p];
			*polarization += *flow + pole->d * x;
			*flow = pole->a * *flow + pole->b * x - pole->c * *polarization;
		}
}

static void answer_all(struct fdtd_reference *reference)
{
	const struct answers *answers = reference->media->answers;

	for (size_t n = 0; answers != NULL && n < answers->count; ++n)
		answer(reference, n);
	for (size_t n = 0; answers != NULL && n < answers->edge_count; ++n) {
		double e = 0.0;
		for (uint32_t t = answers->first_terms[n]; t < answers->first_terms[n + 1]; ++t)
			e += answers->terms[t].weight * reference->values[answers->terms[t].answer];
		*edge_at(reference, answers->edges[n].component, answers->edges[n].node) = e;
	}
}

/* The changes of D that the step left. */
static void displace(struct fdtd_reference *reference)
{
	const struct smooth_edges *smooth = reference->smooth;

	for (size_t n = 0; smooth != NULL && n < smooth->count; ++n) {
		const struct smooth_edge *edge = &smooth->edges[n];
		reference->displacement[n] +=
		    reference
			->e[edge->component][media_at(&reference->grid, edge->node[0], edge->node[1], edge->node[2])];
	}
}

/* Computes E from D: see smooth.h. */
static void smooth(struct fdtd_reference *reference)
{
	const struct smooth_edges *smooth = reference->smooth;

	for (size_t n = 0; smooth != NULL && n < smooth->count; ++n) {
		const struct smooth_edge *edge = &smooth->edges[n];
		double e = edge->own * reference->displacement[n];
		for (int m = 0; m < SMOOTH_NEIGHBORS; ++m)
			e += edge->weights[m] * reference->displacement[edge->neighbors[m]];
		reference
		    ->e[edge->component][media_at(&reference->grid, edge->node[0], edge->node[1], edge->node[2])] = e;
	}
}

void fdtd_reference_polarize(struct fdtd_reference *reference)
{
	for (int a = 0; a < 3; ++a)
		for (size_t n = 0; n < reference->count; ++n)
			if (reference->poles_of[a][n] != NULL)
				polarize(reference, a, n);
	displace(reference);
	answer_all(reference);
	smooth(reference);
	if (reference->imaginary != NULL)
		fdtd_reference_polarize(reference->imaginary);
}
