#include "fdtd/sources/beam.h"

#include <math.h>
#include <stdlib.h>

#include "base/constants.h"
#include "base/memory.h"

#define MOST_CUT 0.05 /* of the power */

/* Values on the nodes of the plane, real and imaginary parts. */
struct plane_field {
	double *parts[2];
};

/* E of the edges along axis 1 of the frame with the adjacent H of axis 2, E along axis 2 with H of axis 1. */
enum { E_1, H_2, E_2, H_1, PLANE_FIELDS };

struct builder {
	const struct fields *fields;
	const struct source_plane *plane;
	struct beam_frame frame;
	struct beam_axis axes[2];
	int begin[2], count[2]; /* nodes of the plane, including those of all edges */
	struct plane_field of[PLANE_FIELDS];
	double complex *waves;        /* of E_1 to H_1, for all numbers along axis 2 */
	double *turns[2];             /* exp(i k x) of axis 2: real and imaginary parts, [wave][node] */
	double *line[2];              /* a field along axis 2, for one wavenumber along axis 1 */
	double weight, power, inside; /* sums over waves: E at the focus, power; power through the rectangle */
};

static sonde_status allocate(struct builder *builder)
{
	size_t nodes[2] = {(size_t)builder->count[0], (size_t)builder->count[1]},
	       waves = (size_t)builder->axes[1].count;

	CHECK(memory_allocate(&builder->waves, PLANE_FIELDS * waves, sizeof *builder->waves, "a beam"));
	for (int p = 0; p < 2; ++p) {
		for (int f = 0; f < PLANE_FIELDS; ++f)
			CHECK(
			    memory_allocate(&builder->of[f].parts[p], nodes[0] * nodes[1], sizeof(double), "a beam"));
		CHECK(memory_allocate(&builder->turns[p], waves * nodes[1], sizeof(double), "a beam"));
		CHECK(memory_allocate(&builder->line[p], nodes[1], sizeof(double), "a beam"));
	}
	for (size_t w = 0; w < waves; ++w)
		for (size_t n = 0; n < nodes[1]; ++n) {
			double k = builder->axes[1].first + (double)w * builder->axes[1].step,
			       s = builder->frame.courant[2];
			double complex turn = s > 0.0 ? cexp(I * k * (builder->begin[1] + (double)n) / s) : 1.0;
			builder->turns[0][w * nodes[1] + n] = creal(turn);
			builder->turns[1][w * nodes[1] + n] = cimag(turn);
		}
	return SONDE_OK;
}

static void release(struct builder *builder)
{
	for (int p = 0; p < 2; ++p) {
		for (int f = 0; f < PLANE_FIELDS; ++f)
			free(builder->of[f].parts[p]);
		free(builder->turns[p]);
		free(builder->line[p]);
	}
	free(builder->waves);
}

/* Phase factor of the half cell from a node to the place after it. */
static double complex half_cell(double k, double courant)
{
	return courant > 0.0 ? cexp(0.5 * I * k / courant) : 1.0;
}

/* A wave's four fields, with E in the plane and H half a cell in front of it. */
static void place_wave(struct builder *builder, double k1, double k2, double complex fields[PLANE_FIELDS])
{
	const struct beam_frame *frame = &builder->frame;
	struct beam_wave wave;

	for (int f = 0; f < PLANE_FIELDS; ++f)
		fields[f] = 0.0;
	if (!beam_wave_at(frame, builder->plane->node, k1, k2, &wave))
		return;
	double complex before = half_cell(-frame->sign * wave.along, frame->courant[0]),
		       half_1 = half_cell(k1, frame->courant[1]), half_2 = half_cell(k2, frame->courant[2]);
	fields[E_1] = half_1 * wave.e[1];
	fields[H_2] = half_1 * before * wave.h[2];
	fields[E_2] = half_2 * wave.e[2];
	fields[H_1] = half_2 * before * wave.h[1];
	builder->weight += wave.weight;
	builder->power += creal(before * (conj(wave.e[1]) * wave.h[2] - conj(wave.e[2]) * wave.h[1])) * frame->sign;
}

/* line += amplitude times exp(i k x), or a row of the plane += line times a phase factor; parts are separate. */
static void add_turned(double *const to[2], size_t at, double complex factor, const double *const from[2],
		       size_t begin, size_t count)
{
	double real = creal(factor), imaginary = cimag(factor);
	double *x = to[0] + at, *y = to[1] + at;
	const double *a = from[0] + begin, *b = from[1] + begin;

	for (size_t n = 0; n < count; ++n) {
		x[n] += real * a[n] - imaginary * b[n];
		y[n] += real * b[n] + imaginary * a[n];
	}
}

/* Adds the waves of one wavenumber along axis 1 to one field. */
static void add_line(struct builder *builder, int f, double k1)
{
	size_t rows = (size_t)builder->count[0], nodes = (size_t)builder->count[1];
	const double *const turns[2] = {builder->turns[0], builder->turns[1]}, *const line[2] = {builder->line[0],
												 builder->line[1]};
	double s = builder->frame.courant[1];

	for (size_t n = 0; n < nodes; ++n)
		builder->line[0][n] = builder->line[1][n] = 0.0;
	for (size_t w = 0; w < (size_t)builder->axes[1].count; ++w)
		add_turned(builder->line, 0, builder->waves[w * PLANE_FIELDS + (size_t)f], turns, w * nodes, nodes);
	for (size_t n = 0; n < rows; ++n)
		add_turned(builder->of[f].parts, n * nodes,
			   s > 0.0 ? cexp(I * k1 * (builder->begin[0] + (double)n) / s) : 1.0, line, 0, nodes);
}

static void add_waves(struct builder *builder)
{
	for (int v = 0; v < builder->axes[0].count; ++v) {
		double k1 = builder->axes[0].first + v * builder->axes[0].step;
		for (int w = 0; w < builder->axes[1].count; ++w)
			place_wave(builder, k1, builder->axes[1].first + w * builder->axes[1].step,
				   builder->waves + (size_t)w * PLANE_FIELDS);
		for (int f = 0; f < PLANE_FIELDS; ++f)
			add_line(builder, f, k1);
	}
}

static double complex field_at(const struct builder *builder, int f, const int node[3])
{
	size_t at = (size_t)(node[builder->frame.axes[1]] - builder->begin[0]) * (size_t)builder->count[1] +
		    (size_t)(node[builder->frame.axes[2]] - builder->begin[1]);

	return builder->of[f].parts[0][at] + I * builder->of[f].parts[1][at];
}

/* Whether the rectangle ends, along axis k of the frame, at a mirror that contains the beam's center; and the
 * position of this mirror. */
static bool mirror_at(const struct builder *builder, int k, int *node)
{
	const struct fdtd_grid *grid = &builder->fields->grid;
	int a = builder->frame.axes[k];

	for (int side = 0; side < 2; ++side) {
		*node = side == 0 ? 0 : grid->cells[a];
		bool ends = (side == 0 ? builder->plane->low[a] : builder->plane->high[a]) == *node,
		     mirrors = grid->walls[a][side] != WALL_PERIODIC && grid->layers[a][side].cells == 0;
		if (ends && mirrors && builder->frame.direction[k] == 0.0 &&
		    fabs(beam_middle(&builder->frame, builder->plane->node, k) - *node) < 1e-6)
			return true;
	}
	return false;
}

/* J = S a x H, M = -S a x E from E along axis k of the frame and the adjacent H: sign is that of k in a x (the other
 * axis). */
static sonde_status add_edges(struct builder *builder, int k, double scale, struct plane_source *source)
{
	const struct beam_frame *frame = &builder->frame;
	int begin[3], end[3], node[3], along = frame->axes[k], across = 3 - k, mirror;
	double sign = k == 1 ? -frame->sign : frame->sign, factor = sign * frame->courant[0] * scale;
	bool mirrored = mirror_at(builder, across, &mirror);

	source_plane_range(&builder->fields->grid, builder->plane, along, begin, end);
	for (node[0] = begin[0]; node[0] < end[0]; ++node[0])
		for (node[1] = begin[1]; node[1] < end[1]; ++node[1])
			for (node[2] = begin[2]; node[2] < end[2]; ++node[2]) {
				double complex e = field_at(builder, k == 1 ? E_1 : E_2, node),
					       h = field_at(builder, k == 1 ? H_2 : H_1, node);
				uint64_t edge = source_plane_edge(builder->fields, along, node),
					 face = source_plane_face(builder->fields, builder->plane, along,
								  frame->sign > 0.0, node);
				CHECK(injection_add(&source->terms[FIELD_E], edge, 0, factor * creal(h)));
				CHECK(injection_add(&source->terms[FIELD_E], edge, 1, factor * cimag(h)));
				CHECK(injection_add(&source->terms[FIELD_H], face, 0, factor * creal(e)));
				CHECK(injection_add(&source->terms[FIELD_H], face, 1, factor * cimag(e)));
				bool shared = mirrored && node[frame->axes[across]] == mirror;
				builder->inside -= (shared ? 0.5 : 1.0) * sign * creal(conj(e) * h);
			}
	return SONDE_OK;
}

/* Powers, once the terms are known; the fraction outside the rectangle. */
static double find_power(const struct builder *builder, const struct beam *beam, double scale,
			 struct plane_source *source)
{
	const struct beam_frame *frame = &builder->frame;
	double unit = 0.5 * scale * scale * cos(0.5 * beam->omega), whole = unit * builder->power,
	       inside = unit * builder->inside;
	int node;

	for (int k = 1; k < 3; ++k) {
		if (frame->courant[k] == 0.0)
			continue;
		whole *= 2.0 * PI / builder->axes[k - 1].step;
		inside *= (mirror_at(builder, k, &node) ? 2.0 : 1.0) / frame->courant[k];
	}
	source->power = whole;
	return fmax(1.0 - inside / whole, 0.0);
}

static sonde_status build(struct builder *builder, const struct beam *beam, struct plane_source *source, double *cut)
{
	CHECK(allocate(builder));
	add_waves(builder);
	double scale = beam->amplitude / builder->weight;
	for (int k = 1; k < 3; ++k)
		CHECK(add_edges(builder, k, scale, source));
	double missing = find_power(builder, beam, scale, source);
	if (cut != NULL)
		*cut = missing;
	if (missing > MOST_CUT)
		return status_fail(SONDE_INVALID,
				   "%.3g %% of a beam's power misses its plane: make the plane larger, or place it "
				   "where the beam is narrower",
				   100.0 * missing);
	return SONDE_OK;
}

sonde_status beam_make(const struct fields *fields, const struct beam *beam, struct plane_source *source, double *cut)
{
	struct builder builder = {.fields = fields, .plane = &beam->plane};

	*source = (struct plane_source){.signals = 2};
	CHECK(beam_frame_make(&fields->grid, beam, &builder.frame));
	CHECK(beam_axes_make(&builder.frame, &beam->plane, builder.axes));
	for (int k = 1; k < 3; ++k) {
		int a = builder.frame.axes[k];
		builder.begin[k - 1] = beam->plane.low[a];
		builder.count[k - 1] = beam->plane.high[a] - beam->plane.low[a] + 1;
	}
	sonde_status status = build(&builder, beam, source, cut);
	release(&builder);
	return status;
}
