/* Flat faces anywhere between the nodes in sonde fdtd: modes of a cavity with a layer of glass, whose frequencies are
 * roots of known equations; reflection of a slab; rods with fields along them. Means at faces are exact to second
 * order, staircases to first. */
#include "physics/fields_helper.h"
#include "physics/optics.h"

#include "fdtd/media/paint.h"
#include "fdtd/monitors/resonances.h"
#include "fdtd/simulation/simulation.h"
#include "fdtd/media/smooth.h"

/* A layer in a cavity --------------------------------------------------------------------- */

#define GLASS 6.0
#define LAYER 0.4321 /* its height, of 1 */
#define WIDTH 0.8

/* tan(q)/q of q^2, also where that is negative. */
static double tangent_over(double square, double length)
{
	double q = sqrt(fabs(square));

	return square >= 0.0 ? tan(q * length) / q : tanh(q * length) / q;
}

/* Half a wave across x. With E across the plane E_y = sin(kx x) sin(q z) and its slope are continuous, with H across it H_y = cos(kx x) cos(q z) and its
 * slope over the permittivity: Harrington, Time-Harmonic Electromagnetic Fields (1961), section 4-6. 0 where it is a mode. */
static double mode_equation(double omega, double permittivity, bool e_across)
{
	double across = PI / WIDTH, inside = permittivity * omega * omega - across * across,
	       outside = omega * omega - across * across;

	if (e_across)
		return tangent_over(inside, LAYER) + tangent_over(outside, 1.0 - LAYER);
	return inside / permittivity * tangent_over(inside, LAYER) + outside * tangent_over(outside, 1.0 - LAYER);
}

/* A layer's permittivity: of electrons without losses where there is a plasma frequency. */
static double layer_permittivity(double omega, double plasma)
{
	return (plasma > 0.0 ? 9.0 : GLASS) - pow(plasma / omega, 2.0);
}

/* A root between two frequencies. */
static double mode_frequency(double low, double high, double plasma, bool e_across)
{
	double at_low = mode_equation(low, layer_permittivity(low, plasma), e_across);

	assert_true(at_low * mode_equation(high, layer_permittivity(high, plasma), e_across) < 0.0);
	for (int n = 0; n < 60; ++n) {
		double middle = 0.5 * (low + high);
		if (at_low * mode_equation(middle, layer_permittivity(middle, plasma), e_across) > 0.0)
			low = middle;
		else
			high = middle;
	}
	return 0.5 * (low + high);
}

enum painting { STAIRS, MEANS, SMOOTH };

/* Paints one body of a medium onto vacuum. */
static void paint(const struct fdtd_grid *grid, double spacing, const struct shape *shape,
		  const struct medium *medium, enum painting painting, struct media *media)
{
	struct body body = {.shape = shape};
	const struct scene scene = {
	    .grid = grid, .frame = {{0.0, 0.0, 0.0}, {spacing, spacing, spacing}}, .bodies = &body, .count = 1};
	struct mixtures_count count;

	succeed(media_add(media, medium, &body.medium));
	succeed(paint_scene(&scene, media));
	if (painting != STAIRS)
		succeed(paint_means(&scene, media, &count));
	if (painting == SMOOTH)
		succeed(paint_smooth(&scene, media));
}

/* The frequency, for c = 1, of what rings between two frequencies after E along an axis was not 0 somewhere; seen at another place. */
static double ring(const struct fdtd_grid *grid, const struct media *media, int component, const int from[3],
		   const int at[3], double spacing, double low, double high, uint64_t steps)
{
	const double step = grid->courant[0] * spacing;
	struct simulation simulation;
	struct resonance *list;
	size_t found;

	succeed(simulation_make(test_device(), grid, media, false, &simulation));
	double *values = component_of(&simulation.fields, FIELD_E, component);
	values[media_at(grid, from[0], from[1], from[2])] = 1.0;
	succeed(fields_write(&simulation.fields, FIELD_E, component, values));
	free(values);
	const uint64_t place = fields_place(&simulation.fields, component, at[0], at[1], at[2]);
	succeed(simulation_add_trace(&simulation, FIELD_E, &place, 1));
	succeed(simulation_run(&simulation, steps, NULL));
	succeed(resonances_find(simulation.trace[0].values, steps, step, low, high, &list, &found));
	double middle = 0.5 * (low + high), frequency = INFINITY;
	for (size_t n = 0; n < found; ++n)
		if (fabs(list[n].frequency - middle) < fabs(frequency - middle))
			frequency = list[n].frequency;
	free(list);
	simulation_release(&simulation);
	return frequency;
}

static double layer_error(int cells, double plasma, bool e_across, bool means, double exact)
{
	const double spacing = 1.0 / cells, low[3] = {-1.0, -1.0, -1.0}, high[3] = {2.0, 2.0, LAYER};
	const struct fdtd_grid grid = {.cells = {4 * cells / 5, 1, cells},
				       .courant = {0.7, 0.0, 0.7},
				       .walls = {[1] = {WALL_PERIODIC, WALL_PERIODIC}}};
	struct medium glass = {.permittivity = GLASS, .permeability = 1.0};
	const int from[3] = {cells / 4, 0, cells / 5}, at[3] = {cells / 5, 0, 7 * cells / 10};
	struct media media = media_of(&grid, 1);
	struct shape *shape;

	succeed(shape_create_box(low, high, NULL, &shape));
	if (plasma > 0.0)
		glass = (struct medium){.permittivity = 9.0,
					.permeability = 1.0,
					.poles = 1,
					.pole = {medium_pole_drude(plasma * grid.courant[0] * spacing, 0.0)}};
	paint(&grid, spacing, shape, &glass, means ? MEANS : STAIRS, &media);
	shape_free(&shape);
	double frequency = ring(&grid, &media, e_across ? 1 : 0, from, at, spacing, 0.93 * exact / (2.0 * PI),
				1.07 * exact / (2.0 * PI), 220u * (uint64_t)cells);
	media_free(&media);
	return fabs(2.0 * PI * frequency / exact - 1.0);
}

static void test_layer_in_a_cavity_has_the_known_modes(void **state)
{
	static const struct {
		bool e_across;
		double low, high, limit; /* of the error times the square of the cells */
		double plasma;
	} modes[] = {{true, 2.5, 2.65, 1.2, 0.0},
		     {false, 2.05, 2.1, 0.7, 0.0},
		     {false, 3.7, 3.8, 1.4, 0.0},
		     {false, 2.05, 2.1, 0.7, 3.585}};
	(void)state;

	for (size_t n = 0; n < sizeof modes / sizeof *modes; ++n) {
		double exact = mode_frequency(modes[n].low, modes[n].high, modes[n].plasma, modes[n].e_across),
		       errors[3] = {0.0};
		/* 80 cells, nine tenths of the work, for one of the modes of either direction and for the dispersive one */
		const int finest = is_thorough() || n != 2 ? 3 : 2;
		for (int k = 0; k < finest; ++k)
			errors[k] = layer_error(20 << k, modes[n].plasma, modes[n].e_across, true, exact);
		print_message("layer, %s across, mode %.6f: stairs off by %.2e, means by %.2e, %.2e, %.2e\n",
			      modes[n].e_across ? "E" : "H", exact,
			      layer_error(20, modes[n].plasma, modes[n].e_across, false, exact), errors[0], errors[1],
			      errors[2]);
		for (int k = 0; k < finest; ++k)
			assert_true(errors[k] * (20 << k) * (20 << k) < modes[n].limit);
	}
}

/* A slab, anywhere ------------------------------------------------------------------------ */

/* The largest error of R from 0.4 to 0.8 c/thickness; the first face lies `aside` cells behind a node. */
static double slab_error(int cells, double aside)
{
	enum { COUNT = 41 };
	const double courant = 0.5;
	const int layer = 60, first = layer + 30 + cells, all = 2 * first + cells;
	struct fdtd_grid grid = {.cells = {1, 1, all}, .courant = {0.0, 0.0, courant}};
	struct total_field_box total = {.low = {0, 0, layer + 30}, .high = {1, 1, all}};
	const double low[3] = {-1.0, -1.0, first + aside}, high[3] = {2.0, 2.0, first + cells + aside};
	const struct medium glass = {.permittivity = 4.0, .permeability = 1.0};
	double omegas[COUNT], powers[2][COUNT], worst = 0.0;
	struct shape *shape;

	for (int a = 0; a < 3; ++a)
		grid.walls[a][0] = grid.walls[a][1] = a == 2 ? WALL_CONDUCTOR : WALL_PERIODIC;
	grid.layers[2][0] = grid.layers[2][1] = absorbing_layer_of(layer);
	total.faces[2][0] = true;
	for (int f = 0; f < COUNT; ++f)
		omegas[f] = 2.0 * PI * (0.4 + 0.01 * f) * courant / cells;
	struct pulse pulse = pulse_of_band(omegas[0], omegas[COUNT - 1], 2.8);
	for (int there = 0; there < 2; ++there) {
		struct media media = media_of(&grid, 1);
		struct simulation simulation;
		struct incident_wave wave;
		succeed(shape_create_box(low, high, NULL, &shape));
		if (there)
			paint(&grid, 1.0, shape, &glass, MEANS, &media);
		shape_free(&shape);
		succeed(simulation_make(test_device(), &grid, &media, false, &simulation));
		succeed(incident_make((const int[3]){0, 0, 1}, grid.courant, (const double[3]){1.0, 0.0, 0.0},
				      total.low, total.high, pulse_at, &pulse, &wave));
		succeed(simulation_add_total_field(&simulation, &media, &total, &wave));
		/* without it: what comes in */
		struct flux_plane plane = {.axis = 2,
					   .node = there ? layer + 15 : all - layer - 15,
					   .high = {1, 1, 0},
					   .sign = there ? -1.0 : 1.0};
		succeed(simulation_add_spectrum(&simulation, &plane, 1, omegas, COUNT, 1));
		succeed(simulation_run(&simulation, (uint64_t)(2.0 * pulse.middle + 60.0 * cells / courant), NULL));
		succeed(spectrum_power(&simulation.fields, &simulation.spectrum[0], powers[there]));
		simulation_release(&simulation);
		media_free(&media);
	}
	for (int f = 0; f < COUNT; ++f) {
		const struct optical_layer layers[3] = {{1.0, 1.0, 0.0}, {4.0, 1.0, 1.0}, {1.0, 1.0, 0.0}};
		struct stack_response exact =
		    stack_response(layers, 3, omegas[f] * cells / courant, 0.0, POLARIZATION_S);
		worst = fmax(worst, fabs(powers[1][f] / powers[0][f] - exact.reflectance));
	}
	return worst;
}

static void test_slab_is_exact_wherever_its_faces_lie(void **state)
{
	static const double asides[4] = {0.0, 0.3, 0.5, 0.85};
	(void)state;

	for (int k = 0; k < 4; ++k) {
		double coarse = slab_error(20, asides[k]), fine = slab_error(40, asides[k]);
		print_message("slab, %g cells behind a node: R off by %.3g, %.3g\n", asides[k], coarse, fine);
		/* nodes at a half are furthest from faces */
		assert_true(coarse < 5.3e-2 && fine < 1.3e-2 &&
			    (asides[k] > 0.0 || (coarse < 3.5e-2 && fine < 8.8e-3)));
	}
}

/* A rod ----------------------------------------------------------------------------------- */

/* A rod of radius 1 and permittivity 12 along y, of which the modes with sin(2 phi) need a quarter. */
struct rod_mode {
	bool e_along; /* else H */
	/* root of n J'(n k) H(k) = J(n k) H'(k), with 1/n for n where H is along it, of order 2 */
	double frequency;
};

static double rod_error(double cells, const struct rod_mode *mode, enum painting painting)
{
	const double spacing = 1.0 / cells, axis[3] = {0.0, 0.0, 0.0}, up[3] = {0.0, 1.0, 0.0}, radii[2] = {1.0, 1.0};
	const int side = (int)(3.0 * cells) + 12, place = (int)(0.6 * cells);
	const enum fdtd_wall wall = mode->e_along ? WALL_CONDUCTOR : WALL_MAGNETIC;
	struct fdtd_grid grid = {
	    .cells = {side, 1, side},
	    .courant = {0.7, 0.0, 0.7},
	    .walls = {{wall, WALL_CONDUCTOR}, {WALL_PERIODIC, WALL_PERIODIC}, {wall, WALL_CONDUCTOR}}};
	const struct medium glass = {.permittivity = 12.0, .permeability = 1.0};
	const int from[3] = {place, 0, (int)(0.3 * cells)}, at[3] = {(int)(0.4 * cells), 0, place};
	struct media media = media_of(&grid, 1);
	struct shape *shape;

	grid.layers[0][1] = grid.layers[2][1] = absorbing_layer_of(12);
	succeed(shape_create_cylinder(axis, up, 100.0, radii, &shape));
	paint(&grid, spacing, shape, &glass, painting, &media);
	shape_free(&shape);
	double exact = mode->frequency / (2.0 * PI);
	double frequency = ring(&grid, &media, mode->e_along ? 1 : 0, from, at, spacing, 0.85 * exact, 1.15 * exact,
				(uint64_t)(150.0 * cells));
	media_free(&media);
	return fabs(frequency / exact - 1.0);
}

/* E along it goes through glass and air side by side: the means of the sections. */
static void test_rod_has_the_known_mode(void **state)
{
	static const struct rod_mode mode = {true, 1.0611464096};
	static const double sizes[3] = {10.3, 14.7, 20.6};
	(void)state;

	for (int k = 0; k < 3; ++k) {
		double stairs = rod_error(sizes[k], &mode, STAIRS), means = rod_error(sizes[k], &mode, MEANS);
		print_message("rod, E along it, %g cells: stairs off by %.2e, means by %.2e\n", sizes[k], stairs,
			      means);
		assert_true(means * sizes[k] * sizes[k] < 0.3);
	}
}

/* H along it: E meets the round side at all angles. Errors scatter with where nodes are: root mean squares of error times cells. */
static void test_smooth_rod_has_the_known_mode(void **state)
{
	static const struct rod_mode mode = {false, 1.4002504214};
	static const double sizes[6] = {9.1, 10.3, 14.7, 20.6, 25.3, 30.1};
	double stairs = 0.0, smooth = 0.0;
	(void)state;

	for (int k = 0; k < 6; ++k) {
		double of_stairs = sizes[k] * rod_error(sizes[k], &mode, STAIRS),
		       of_smooth = sizes[k] * rod_error(sizes[k], &mode, SMOOTH);
		stairs += of_stairs * of_stairs / 6.0;
		smooth += of_smooth * of_smooth / 6.0;
		print_message("rod, H along it, %g cells: error times cells %.3f by stairs, %.3f smooth\n", sizes[k],
			      of_stairs, of_smooth);
	}
	print_message("rod, H along it: %.3f by stairs, %.3f smooth\n", sqrt(stairs), sqrt(smooth));
	assert_true(sqrt(smooth) < 0.04 && smooth < 0.25 * stairs);
}

/* Smooth balls at random in a closed box, one over the other, one of them cut by a wall. */
static struct media balls_of(const struct fdtd_grid *grid)
{
	enum { BALLS = 5 };
	struct media media = media_of(grid, 1);
	struct body bodies[BALLS];
	struct shape *shapes[BALLS];
	const struct scene scene = {
	    .grid = grid, .frame = {{0.0, 0.0, 0.0}, {1.0, 1.0, 1.0}}, .bodies = bodies, .count = BALLS};
	struct mixtures_count count;

	for (size_t n = 0; n < BALLS; ++n) {
		const struct medium glass = {.permittivity = 2.0 + 3.0 * (double)n, .permeability = 1.0};
		double center[3];
		for (size_t a = 0; a < 3; ++a)
			center[a] = grid->cells[a] * (0.2 + 0.6 * golden_number(3 * n + a + 1));
		center[2] = n == 0 ? 1.3 : center[2];
		succeed(shape_create_sphere(center, 3.0 + 3.0 * golden_number(n + 50), &shapes[n]));
		bodies[n] = (struct body){.shape = shapes[n]};
		succeed(media_add(&media, &glass, &bodies[n].medium));
	}
	succeed(paint_scene(&scene, &media));
	succeed(paint_means(&scene, &media, &count));
	succeed(paint_smooth(&scene, &media));
	for (int n = 0; n < BALLS; ++n)
		shape_free(&shapes[n]);
	return media;
}

/* The largest E after the steps, excited at one edge; the sum of squares of all its values at the end. */
static double ring_on(const struct fdtd_grid *grid, const struct media *media, bool single, uint64_t steps,
		      uint32_t slab, uint32_t at_once, double *sum, double *seen)
{
	struct simulation simulation;
	double most = 0.0;

	succeed(simulation_make(test_device(), grid, media, single, &simulation));
	if (slab > 0) {
		simulation.slab = slab;
		simulation.at_once = at_once;
	}
	double *values = component_of(&simulation.fields, FIELD_E, 2);
	values[media_at(grid, grid->layers[0][0].cells + 6, grid->layers[1][0].cells + 5,
			grid->layers[2][0].cells + 4)] = 1.0;
	succeed(fields_write(&simulation.fields, FIELD_E, 2, values));
	free(values);
	const struct smooth_edge *edge = &media->smooth->edges[media->smooth->count / 2];
	while (edge->component != 0)
		++edge;
	const uint64_t place = fields_place(&simulation.fields, 0, edge->node[0], edge->node[1], edge->node[2]);
	succeed(simulation_add_trace(&simulation, FIELD_E, &place, 1));
	succeed(simulation_run(&simulation, steps, NULL));
	*sum = 0.0;
	for (int a = 0; a < 3; ++a) {
		values = component_of(&simulation.fields, FIELD_E, a);
		for (size_t n = 0; n <= media_at(grid, grid->cells[0], grid->cells[1], grid->cells[2]); ++n) {
			most = fmax(most, fabs(values[n]));
			*sum += values[n] * values[n] * (double)(n % 101);
		}
		free(values);
	}
	for (uint64_t n = 0; seen != NULL && n < steps; ++n)
		seen[n] = simulation.trace[0].values[n];
	simulation_release(&simulation);
	return most;
}

/* Nothing grows: the matrix from D to E is symmetric and positive. */
static void test_nothing_grows_at_smooth_surfaces(void **state)
{
	const uint64_t steps = is_thorough() ? 20000 : 8000;
	double sum;
	(void)state;

	for (int walls = 0; walls < 2; ++walls)
		for (int single = 0; single < 2; ++single) {
			const enum fdtd_wall wall = walls == 0 ? WALL_CONDUCTOR : WALL_MAGNETIC;
			const struct fdtd_grid grid = {
			    .cells = {17, 15, 14},
			    .courant = {0.577, 0.577, 0.577},
			    .walls = {{wall, wall}, {WALL_PERIODIC, WALL_PERIODIC}, {wall, wall}}};
			struct media media = balls_of(&grid);
			double early = ring_on(&grid, &media, single, 200, 0, 0, &sum, NULL),
			       late = ring_on(&grid, &media, single, steps, 0, 0, &sum, NULL);
			print_message(
			    "%zu smooth edges, held back at %zu nodes: E %.3g after 200 steps, %.3g after %d\n",
			    media.smooth->count, media.smooth->held_back, early, late, (int)steps);
			assert_true(media.smooth->count > 1000 && early > 0.01 && late < 2.0 * early);
			media_free(&media);
		}
}

/* Slabs of planes, the last edges of which wait for the next slab: the same bits, also of what is seen at such an edge. */
static void test_smooth_surfaces_in_slabs_have_the_same_bits(void **state)
{
	enum { STEPS = 61 };
	static const uint32_t slabs[4][2] = {{1, 9}, {3, 7}, {5, 1}, {40, 16}};
	const struct fdtd_grid grid = {.cells = {23, 15, 38}, .courant = {0.55, 0.57, 0.6}};
	struct media media = balls_of(&grid);
	static double expected[STEPS], seen[STEPS];
	double sum, other;
	(void)state;

	ring_on(&grid, &media, false, STEPS, 1000, 1, &sum, expected);
	assert_true(sum > 0.0 && expected[STEPS - 1] != 0.0);
	for (int k = 0; k < 4; ++k) {
		ring_on(&grid, &media, false, STEPS, slabs[k][0], slabs[k][1], &other, seen);
		assert_true(other == sum && memcmp(seen, expected, sizeof seen) == 0);
	}
	media_free(&media);
}

/* By how much what is seen changes in a step, at most: what stays of charges that were put somewhere counts for nothing. */
static double change(const double *seen, uint64_t first, uint64_t end)
{
	double most = 0.0;

	for (uint64_t n = first + 1; n < end; ++n)
		most = fmax(most, fabs(seen[n] - seen[n - 1]));
	return most;
}

/* A ball of glass that meets one with losses, or one that disperses: its own surface is smooth, the other one's is not, and nothing grows. */
static void test_nothing_grows_beside_losses(void **state)
{
	enum { STEPS = 6000 };
	static double seen[STEPS];
	const struct fdtd_grid grid = {.cells = {17, 15, 14}, .courant = {0.5, 0.5, 0.5}};
	const double centers[2][3] = {{5.2, 7.1, 6.8}, {11.3, 7.6, 6.1}};
	const struct medium glass = {.permittivity = 12.0, .permeability = 1.0},
			    lossy = {.permittivity = 4.0, .permeability = 1.0, .conductivity = 0.02},
			    metal = {.permittivity = 4.0,
				     .permeability = 1.0,
				     .poles = 1,
				     .pole = {medium_pole_drude(0.3, 0.05)}};
	(void)state;

	for (int n = 0; n < 2; ++n) {
		struct media media = media_of(&grid, 1);
		struct body bodies[2] = {{NULL}};
		struct shape *shapes[2];
		const struct scene scene = {
		    .grid = &grid, .frame = {{0.0, 0.0, 0.0}, {1.0, 1.0, 1.0}}, .bodies = bodies, .count = 2};
		size_t of_glass = 0;
		double sum;
		for (int k = 0; k < 2; ++k) {
			succeed(shape_create_sphere(centers[k], 4.0, &shapes[k]));
			bodies[k].shape = shapes[k];
			succeed(media_add(&media, k == 0 ? &glass : n == 0 ? &lossy : &metal, &bodies[k].medium));
		}
		succeed(paint_scene(&scene, &media));
		succeed(paint_smooth(&scene, &media));
		for (size_t e = 0; e < media.smooth->count; ++e) {
			const struct smooth_edge *edge = &media.smooth->edges[e];
			double place[3], apart = 0.0;
			paint_shift(edge->component, place);
			for (int a = 0; a < 3; ++a)
				apart += pow(edge->node[a] + place[a] - centers[1][a], 2.0);
			/* of the ball's medium, or with it in the edge's cell: half a diagonal from its surface */
			assert_true(sqrt(apart) > 4.0 && edge->own > 0.0 && edge->own < 1.0 + 1e-9);
			of_glass += edge->own < 0.95 && edge->own > 0.09;
		}
		assert_true(of_glass > 200);
		ring_on(&grid, &media, false, STEPS, 0, 0, &sum, seen);
		const double early = change(seen, 0, 300), late = change(seen, STEPS - 300, STEPS);
		print_message("beside what %s: %zu smooth edges, E changes by %.3g, after %d steps by %.3g\n",
			      n == 0 ? "has losses" : "disperses", media.smooth->count, early, STEPS, late);
		assert_true(late < 0.9 * early);
		for (int k = 0; k < 2; ++k)
			shape_free(&shapes[k]);
		media_free(&media);
	}
}

/* Bodies that go on through layers on all sides, at slanting angles: what rang dies away. Where tensors in layers couple what these stretch with what they do
 * not, fields grow without end within some hundred steps; where edges in the corners of layers see surfaces at different places, within some thousand. */
static void test_bodies_through_layers_ring_out(void **state)
{
	enum { SHAPES = 3, STEPS = 5000 };
	static double seen[STEPS];
	const struct fdtd_grid grid = open_grid(32, 32, 32, 0.5, 11);
	const struct medium glass = {.permittivity = 12.0, .permeability = 1.0};
	const double middle[3] = {16.0, 16.0, 16.0}, ball[3] = {18.1667, 19.5, 18.8333}, axis[3] = {0.27, 0.53, 0.80},
		     degrees[3] = {20.0, 33.0, 0.0}, radii[2] = {3.3, 3.3}, low[3] = {-90.0, -90.0, 12.8},
		     high[3] = {110.0, 110.0, 19.4};
	struct shape_axes axes;
	(void)state;

	succeed(shape_axes_turn(degrees, &axes));
	for (int n = 0; n < SHAPES; ++n) {
		struct media media = media_of(&grid, 1);
		struct shape *shape;
		double sum;
		succeed(n == 0   ? shape_create_sphere(ball, 8.3333, &shape)
			: n == 1 ? shape_create_cylinder(middle, axis, 200.0, radii, &shape)
				 : shape_create_box(low, high, &axes, &shape));
		paint(&grid, 1.0, shape, &glass, SMOOTH, &media);
		shape_free(&shape);
		size_t in_layers = 0;
		for (size_t e = 0; e < media.smooth->count; ++e)
			in_layers += media.smooth->edges[e].node[0] < 11;
		ring_on(&grid, &media, true, STEPS, 0, 0, &sum, seen);
		const double early = change(seen, 0, 300), late = change(seen, STEPS - 300, STEPS);
		print_message(
		    "shape %d, %zu of %zu smooth edges in a layer: E changes by %.3g, after %d steps by %.3g\n", n,
		    in_layers, media.smooth->count, early, STEPS, late);
		assert_true(in_layers > 300 && late < 1e-2 * early);
		media_free(&media);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_layer_in_a_cavity_has_the_known_modes),
					   cmocka_unit_test(test_slab_is_exact_wherever_its_faces_lie),
					   cmocka_unit_test(test_rod_has_the_known_mode),
					   cmocka_unit_test(test_smooth_rod_has_the_known_mode),
					   cmocka_unit_test(test_nothing_grows_at_smooth_surfaces),
					   cmocka_unit_test(test_smooth_surfaces_in_slabs_have_the_same_bits),
					   cmocka_unit_test(test_nothing_grows_beside_losses),
					   cmocka_unit_test(test_bodies_through_layers_ring_out)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
