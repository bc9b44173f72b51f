/* Stability of sonde fdtd for any bodies: the matrix from D to E is symmetric and positive, with no eigenvalue above
 * the limit of the time step, next to all kinds of sides; and bodies that pass through absorbing layers lose energy
 * there, however they guide waves. */
#include "physics/fields_helper.h"

#include <stdlib.h>

#include "fdtd/media/paint.h"
#include "fdtd/media/paint_conductors.h"
#include "fdtd/simulation/simulation.h"
#include "fdtd/media/smooth.h"

#define BODIES 3

/* Balls, slanting rods and boxes at random, one over the other; some reach out of the grid. */
static void make_bodies(const struct fdtd_grid *grid, size_t set, struct shape *shapes[BODIES])
{
	for (size_t n = 0; n < BODIES; ++n) {
		const size_t from = 40 * set + 12 * n;
		const double size = 2.0 + 3.0 * golden_number(from + 7), radii[2] = {size, size};
		double center[3], axis[3], degrees[3], low[3], high[3];
		struct shape_axes axes;
		for (size_t a = 0; a < 3; ++a) {
			center[a] = grid->cells[a] * golden_number(from + a);
			axis[a] = golden_number(from + a + 3) - 0.5;
			degrees[a] = 90.0 * golden_number(from + a + 8);
			low[a] = center[a] - size * (1.0 + axis[a]);
			high[a] = center[a] + size;
		}
		succeed(shape_axes_turn(degrees, &axes));
		succeed(n % 3 == 0   ? shape_create_sphere(center, 1.5 * size, &shapes[n])
			: n % 3 == 1 ? shape_create_cylinder(center, axis, 100.0, radii, &shapes[n])
				     : shape_create_box(low, high, set % 2 == 0 ? &axes : NULL, &shapes[n]));
	}
}

static struct media paint_bodies(const struct fdtd_grid *grid, size_t set)
{
	struct media media = media_of(grid, 1);
	struct body bodies[BODIES];
	struct shape *shapes[BODIES];
	const struct scene scene = {
	    .grid = grid, .frame = {{0.0, 0.0, 0.0}, {1.0, 1.0, 1.0}}, .bodies = bodies, .count = BODIES};
	struct mixtures_count count;

	make_bodies(grid, set, shapes);
	for (size_t n = 0; n < BODIES; ++n) {
		const struct medium glass = {.permittivity = n == 1 ? 1.0 : 2.0 + 6.0 * (double)n + (double)set,
					     .permeability = 1.0};
		bodies[n] = (struct body){.shape = shapes[n]};
		succeed(media_add(&media, &glass, &bodies[n].medium));
	}
	succeed(paint_scene(&scene, &media));
	succeed(paint_means(&scene, &media, &count));
	succeed(paint_losses(grid, &media));
	succeed(paint_smooth(&scene, &media));
	for (int n = 0; n < BODIES; ++n)
		shape_free(&shapes[n]);
	return media;
}

/* Share that an edge's E takes of another edge's D; the sum if it takes it twice, on both sides of a periodic grid. */
static double weight_of(const struct smooth_edge *edge, uint32_t other)
{
	double sum = 0.0;

	for (int m = 0; m < SMOOTH_NEIGHBORS; ++m)
		sum += edge->neighbors[m] == other ? edge->weights[m] : 0.0;
	return sum;
}

/* The largest eigenvalue of shift + sign A, by powers. */
static double largest_of(const struct smooth_edges *edges, double shift, double sign)
{
	double *x = malloc(edges->count * sizeof *x), *y = malloc(edges->count * sizeof *y), length = 0.0;

	assert_true(x != NULL && y != NULL);
	for (size_t n = 0; n < edges->count; ++n)
		x[n] = golden_number(n + 3) - 0.5;
	for (int times = 0; times < 400; ++times) {
		length = 0.0;
		for (size_t n = 0; n < edges->count; ++n) {
			const struct smooth_edge *edge = &edges->edges[n];
			double sum = edge->own * x[n];
			for (int m = 0; m < SMOOTH_NEIGHBORS; ++m)
				sum += edge->weights[m] * x[edge->neighbors[m]];
			y[n] = shift * x[n] + sign * sum;
			length += y[n] * y[n];
		}
		length = sqrt(length);
		for (size_t n = 0; n < edges->count; ++n)
			x[n] = y[n] / length;
	}
	free(x);
	free(y);
	return length;
}

static void check_matrix(const struct fdtd_grid *grid, const struct media *media, const char *name)
{
	const struct smooth_edges *edges = media->smooth;
	double asymmetry = 0.0, allowed = 0.0;

	for (size_t n = 0; n < edges->count; ++n)
		for (int m = 0; m < SMOOTH_NEIGHBORS; ++m) {
			const uint32_t other = edges->edges[n].neighbors[m];
			if (other != n)
				asymmetry = fmax(asymmetry, fabs(weight_of(&edges->edges[n], other) -
								 weight_of(&edges->edges[other], (uint32_t)n)));
		}
	for (int a = 0; a < 3; ++a)
		allowed += grid->courant[a] * grid->courant[a];
	const double largest = largest_of(edges, 0.0, 1.0), least = largest - largest_of(edges, largest, -1.0);
	print_message("%s: %zu edges, asymmetry %.1e, eigenvalues from %.4f to %.4f, allowed %.4f\n", name,
		      edges->count, asymmetry, least, largest, 1.0 / allowed);
	assert_true(asymmetry < 1e-15 && least > 0.0 && largest < 1.0 / allowed);
}

static void test_matrix_is_symmetric_and_positive(void **state)
{
	static const struct {
		const char *name;
		enum fdtd_wall walls[3];
		double phase;
		int layer;
	} sides[] = {{"conductors", {WALL_CONDUCTOR, WALL_CONDUCTOR, WALL_CONDUCTOR}, 0.0, 0},
		     {"magnetic walls", {WALL_MAGNETIC, WALL_MAGNETIC, WALL_MAGNETIC}, 0.0, 0},
		     {"periodic", {WALL_PERIODIC, WALL_PERIODIC, WALL_PERIODIC}, 0.0, 0},
		     {"Bloch", {WALL_PERIODIC, WALL_PERIODIC, WALL_CONDUCTOR}, 0.87, 0},
		     {"Bloch and layers", {WALL_CONDUCTOR, WALL_PERIODIC, WALL_CONDUCTOR}, 0.87, 5},
		     {"layers", {WALL_CONDUCTOR, WALL_CONDUCTOR, WALL_CONDUCTOR}, 0.0, 5}};
	(void)state;

	for (size_t n = 0; n < sizeof sides / sizeof *sides; ++n)
		for (size_t set = 0; set < 4; ++set) {
			struct fdtd_grid grid = {.cells = {29, 26, 27}, .courant = {0.577, 0.577, 0.577}};
			for (int a = 0; a < 3; ++a) {
				grid.walls[a][0] = grid.walls[a][1] = sides[n].walls[a];
				if (sides[n].layer > 0 && sides[n].walls[a] == WALL_CONDUCTOR)
					grid.layers[a][0] = grid.layers[a][1] = absorbing_layer_of(sides[n].layer);
			}
			grid.bloch = sides[n].phase != 0.0;
			grid.phase[1] = sides[n].phase;
			struct media media = paint_bodies(&grid, set);
			assert_true(media.smooth->count > (sides[n].layer > 0 ? 10 : 300));
			check_matrix(&grid, &media, sides[n].name);
			media_free(&media);
		}
}

/* In the late half of a run, by how much the field's squares grow. */
static double growth_of(const struct fdtd_grid *grid, const struct media *media, uint64_t steps)
{
	struct simulation simulation;
	double sums[2] = {0.0, 0.0};

	succeed(simulation_make(test_device(), grid, media, true, &simulation));
	double *values = component_of(&simulation.fields, FIELD_E, 2);
	for (int i = 0; i < 3; ++i) /* no charges: two currents that circle */
		values[media_at(grid, 5, 4, grid->cells[2] / 2 - 1 + i)] = (double[]){1.0, -2.0, 1.0}[i];
	succeed(fields_write(&simulation.fields, FIELD_E, 2, values));
	free(values);
	for (int half = 0; half < 2; ++half) {
		succeed(simulation_run(&simulation, steps / 2, NULL));
		for (int a = 0; a < 3; ++a) {
			values = component_of(&simulation.fields, FIELD_H, a);
			for (size_t n = 0; n <= media_at(grid, grid->cells[0], grid->cells[1], grid->cells[2]); ++n)
				sums[half] += values[n] * values[n];
			free(values);
		}
	}
	simulation_release(&simulation);
	return sqrt(sums[1] / sums[0]);
}

/* Rods along z, side by side, through the layers at both ends of z: some of the waves that they guide a layer amplifies, by itself. */
static void test_guided_waves_die_in_layers_with_losses(void **state)
{
	static const double phases[3] = {0.0, 0.0, 70.0 * PI / 180.0};
	static const double rods[3][3] = {{7.2, 3.1, 3.0}, {3.3, 8.4, 4.6}, {1.4, 6.2, 4.4}}; /* middle, radius */
	const double up[3] = {0.0, 0.0, 1.0};
	(void)state;

	for (int n = 0; n < 3; ++n) {
		double growth[2];
		for (int with = 0; with < 2; ++with) {
			struct fdtd_grid grid = {
			    .cells = {10, 10, 54},
			    .courant = {0.5, 0.5, 0.5},
			    .walls = {{WALL_PERIODIC, WALL_PERIODIC}, {WALL_PERIODIC, WALL_PERIODIC}},
			    .bloch = phases[n] != 0.0,
			    .phase = {phases[n]}};
			struct absorbing_layer layer = absorbing_layer_of(22);
			layer.kappa = 5.0;
			layer.sigma_factor = 2.0;
			layer.alpha = 0.03;
			layer.losses = with == 1 ? 0.05 : 0.0;
			grid.layers[2][0] = grid.layers[2][1] = layer;
			struct media media = media_of(&grid, 1);
			struct shape *shape;
			uint16_t number;
			const struct paint_frame frame = {{0.0, 0.0, 0.0}, {1.0, 1.0, 1.0}};
			succeed(
			    media_add(&media, &(struct medium){.permittivity = 12.0, .permeability = 1.0}, &number));
			succeed(shape_create_cylinder((const double[3]){rods[n][0], rods[n][1], 0.0}, up, 1e3,
						      (const double[2]){rods[n][2], rods[n][2]}, &shape));
			succeed(paint_shape(&grid, &frame, shape, number, &media));
			shape_free(&shape);
			succeed(paint_losses(&grid, &media));
			growth[with] = growth_of(&grid, &media, 8000);
			media_free(&media);
		}
		print_message("rod %d through layers: from 4000 to 8000 steps times %.2g, with losses %.2g\n", n,
			      growth[0], growth[1]);
		assert_true(growth[1] < 1.0);
	}
}

/* Conductors at random, curved and slanting, with glass between them, in closed boxes: nothing grows. Cells that are not cubes, and steps up to the longest. */
static void test_nothing_grows_at_cut_conductors(void **state)
{
	static const double courants[4][3] = {{0.5, 0.5, 0.5}, {0.4, 0.3, 0.7}, {0.7, 0.5, 0.1}, {0.35, 0.35, 0.35}};
	const struct medium conductor = {.permittivity = 1.0, .permeability = 1.0, .conductor = 1},
			    glass = {.permittivity = 3.0, .permeability = 1.0};
	(void)state;

	for (size_t set = 0; set < 4; ++set) {
		const double *courant = courants[set % 4];
		struct fdtd_grid grid = {.cells = {29, 26, 27}, .courant = {courant[0], courant[1], courant[2]}};
		struct media media = media_of(&grid, 1);
		struct body bodies[BODIES];
		struct shape *shapes[BODIES];
		const struct scene scene = {
		    .grid = &grid, .frame = {{0.0, 0.0, 0.0}, {1.0, 1.0, 1.0}}, .bodies = bodies, .count = BODIES};
		size_t cut;
		if (set % 2 == 1)
			grid.walls[1][0] = grid.walls[1][1] = WALL_PERIODIC;
		make_bodies(&grid, set + 4, shapes);
		for (size_t n = 0; n < BODIES; ++n) {
			bodies[n] = (struct body){.shape = shapes[n]};
			succeed(media_add(&media, n == 0 ? &glass : &conductor, &bodies[n].medium));
		}
		succeed(paint_scene(&scene, &media));
		succeed(paint_conductors(&scene, &media, &cut));
		succeed(paint_smooth(&scene, &media));
		for (int n = 0; n < BODIES; ++n)
			shape_free(&shapes[n]);
		const double growth = growth_of(&grid, &media, 10000);
		print_message("conductors that cut %zu edges and faces, Courant number %g: times %.3f\n", cut,
			      courant[0], growth);
		assert_true(cut > 1000 && growth < 1.5);
		media_free(&media);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_matrix_is_symmetric_and_positive),
					   cmocka_unit_test(test_guided_waves_die_in_layers_with_losses),
					   cmocka_unit_test(test_nothing_grows_at_cut_conductors)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
