/* Bodies painted onto a grid, and the media of edges at their faces. */
#include "unit/support.h"

#include <math.h>
#include <stdlib.h>

#include "fdtd/media/paint.h"
#include "fdtd/media/paint_conductors.h"

enum { SIDE = 12 };

static const struct paint_frame frame = {{-1.0, 2.0, 0.5}, {0.5, 0.5, 0.5}}; /* a cell is half a unit long */

static struct fdtd_grid cube(enum fdtd_wall wall)
{
	struct fdtd_grid grid = {.cells = {SIDE, SIDE, SIDE}, .courant = {0.5, 0.5, 0.5}};

	for (int a = 0; a < 3; ++a)
		grid.walls[a][0] = grid.walls[a][1] = wall;
	return grid;
}

/* A box between places that are counted in cells. */
static struct shape *box(double x0, double y0, double z0, double x1, double y1, double z1)
{
	const double corners[2][3] = {{x0, y0, z0}, {x1, y1, z1}};
	double low[3], high[3];
	struct shape *shape;

	for (int a = 0; a < 3; ++a) {
		low[a] = frame.origin[a] + corners[0][a] * frame.spacing[a];
		high[a] = frame.origin[a] + corners[1][a] * frame.spacing[a];
	}
	assert_status(SONDE_OK, shape_create_box(low, high, NULL, &shape));
	return shape;
}

static struct medium glass_of(double permittivity)
{
	return (struct medium){.permittivity = permittivity, .permeability = 1.0};
}

/* Media of bodies painted in order, with means; the shapes are gone then. */
static struct media paint_all(const struct fdtd_grid *grid, struct shape **shapes, const struct medium *media_of,
			      int count, struct mixtures_count *mixed)
{
	struct media media;
	struct body bodies[4] = {{0}};
	const struct scene scene = {.grid = grid, .frame = frame, .bodies = bodies, .count = count};

	assert_status(SONDE_OK, media_make(grid, 1, 1, &media));
	for (int n = 0; n < count; ++n) {
		bodies[n].shape = shapes[n];
		assert_status(SONDE_OK, media_add(&media, &media_of[n], &bodies[n].medium));
	}
	assert_status(SONDE_OK, paint_scene(&scene, &media));
	assert_status(SONDE_OK, paint_means(&scene, &media, mixed));
	for (int n = 0; n < count; ++n)
		shape_free(&shapes[n]);
	return media;
}

static const struct medium *medium_at(const struct fdtd_grid *grid, const struct media *media, int component, int i,
				      int j, int k)
{
	return &media->media[media_number((component < 3 ? media->edges : media->faces)[component % 3],
					  media_at(grid, i, j, k))];
}

#define assert_permittivity(expected, a, i, j, k) \
	assert_within(medium_at(&grid, &media, a, i, j, k)->permittivity, expected, 1e-12, "permittivity")

static double in_series(double share, double permittivity)
{
	return 1.0 / (1.0 - share + share / permittivity);
}

static void faces_of_a_box(void **state)
{
	struct fdtd_grid grid = cube(WALL_CONDUCTOR);
	struct shape *shape = box(3.25, 4.5, 5.0, 8.125, 9.0, 9.75);
	const struct medium glass = glass_of(5.0);
	struct mixtures_count mixed;
	(void)state;
	struct media media = paint_all(&grid, &shape, &glass, 1, &mixed);

	assert_permittivity(5.0, 1, 5, 6, 7);
	/* the cell about x = 3 goes from 2.5 to 3.5: a quarter of it is glass */
	assert_permittivity(2.0, 1, 3, 6, 7);
	assert_permittivity(2.0, 2, 3, 6, 7);
	assert_permittivity(1.0, 1, 2, 6, 7);
	assert_permittivity(5.0, 1, 4, 6, 7);
	/* about 8: from 7.5 to 8.125 */
	assert_permittivity(1.0 + 4.0 * 0.625, 1, 8, 6, 7);
	/* across the faces: from 3 to 4, and from 8 to 9 */
	assert_permittivity(in_series(0.75, 5.0), 0, 3, 6, 7);
	assert_permittivity(in_series(0.125, 5.0), 0, 8, 6, 7);
	assert_permittivity(1.0, 0, 2, 6, 7);
	/* a face on nodes: half of the tangential cell, none of the one across */
	assert_permittivity(3.0, 0, 5, 6, 5);
	assert_permittivity(5.0, 2, 5, 6, 5);
	assert_permittivity(1.0, 2, 5, 6, 4);
	/* in the middle of an edge */
	assert_permittivity(5.0, 0, 5, 5, 7);
	assert_permittivity(in_series(0.5, 5.0), 1, 5, 4, 7);
	/* an edge of the box: a quarter in x and half in z, to one part of 64 */
	assert_within(medium_at(&grid, &media, 1, 3, 6, 5)->permittivity, 1.0 + 4.0 * 0.125, 4.0 / 64.0,
		      "permittivity");
	/* near its end the cell is neither the same along the edge nor across: as painted */
	assert_permittivity(1.0, 1, 3, 4, 7);
	/* H meets none of it */
	assert_true(media_number(media.faces[0], media_at(&grid, 3, 6, 7)) == 0);
	assert_true(mixed.mixed > 150 && mixed.conductors == 0 && mixed.poles == 0 && mixed.full == 0);
	media_free(&media);
}

static void later_bodies_replace_earlier_ones(void **state)
{
	struct fdtd_grid grid = cube(WALL_CONDUCTOR);
	struct shape *shapes[3] = {box(-1, -1, 2, 13, 13, 6.25), box(-1, -1, 6.25, 13, 13, 6.375),
				   box(-1, -1, 6, 13, 13, 6.125)};
	const struct medium glasses[3] = {glass_of(2.0), glass_of(9.0), glass_of(3.0)};
	struct mixtures_count mixed;
	(void)state;
	struct media media = paint_all(&grid, shapes, glasses, 3, &mixed);

	/* from 5.5: 1/2 of 2, 1/8 of 3, 1/8 of 2, 1/8 of 9, 1/8 of nothing; the film of 9 holds no edge's middle */
	assert_permittivity(0.5 * 2.0 + 0.125 * (3.0 + 2.0 + 9.0 + 1.0), 0, 4, 5, 6);
	assert_permittivity(1.0 / (0.125 / 3.0 + 0.125 / 2.0 + 0.125 / 9.0 + 0.625), 2, 4, 5, 6);
	assert_permittivity(2.0, 0, 4, 5, 5);
	assert_permittivity(1.0, 0, 4, 5, 7);
	assert_permittivity(1.5, 0, 4, 5, 2);
	media_free(&media);
}

static void means_at_walls_use_images(void **state)
{
	struct mixtures_count mixed;
	(void)state;

	for (int periodic = 0; periodic < 2; ++periodic) {
		struct fdtd_grid grid = cube(periodic ? WALL_PERIODIC : WALL_MAGNETIC);
		struct shape *shapes[2] = {box(-3, -3, 0, 15, 15, 4.25), box(0, 0, 4.25, 0.25, 12, 12)};
		const struct medium glasses[2] = {glass_of(5.0), glass_of(3.0)};
		struct media media = paint_all(&grid, shapes, glasses, 2, &mixed);
		/* the lower half of the cell at a wall is the image, or the other side's, vacuum */
		assert_permittivity(periodic ? 3.0 : 5.0, 0, 6, 6, 0);
		assert_permittivity(4.0, 0, 6, 6, 4);
		/* a film on the wall: a quarter of the cell, or twice that */
		assert_permittivity(periodic ? 1.5 : 2.0, 2, 0, 6, 8);
		assert_permittivity(1.0, 2, 1, 6, 8);
		media_free(&media);
	}
	/* nothing depends on y: a body of one cell fills it */
	struct fdtd_grid grid = cube(WALL_PERIODIC);
	grid.cells[1] = 1;
	grid.courant[1] = 0.0;
	struct shape *shape = box(3, 0, 3, 9, 1, 9);
	const struct medium glass = glass_of(5.0);
	struct media media = paint_all(&grid, &shape, &glass, 1, &mixed);
	assert_permittivity(3.0, 1, 3, 0, 6);
	assert_permittivity(3.0, 2, 3, 0, 6);
	assert_permittivity(5.0, 1, 5, 0, 6);
	assert_within(medium_at(&grid, &media, 1, 3, 0, 9)->permittivity, 2.0, 4.0 / 64.0, "permittivity");
	media_free(&media);
}

static void what_is_not_mixed(void **state)
{
	struct fdtd_grid grid = cube(WALL_CONDUCTOR);
	const double center[3] = {frame.origin[0] + 3.0, frame.origin[1] + 3.0, frame.origin[2] + 3.0};
	struct mixtures_count mixed;
	struct shape *shape;
	(void)state;

	/* stairs of a sphere stay */
	const struct medium glass = glass_of(5.0);
	assert_status(SONDE_OK, shape_create_sphere(center, 2.2, &shape));
	struct media media = paint_all(&grid, &shape, &glass, 1, &mixed);
	assert_true(mixed.mixed == 0 && media.count == 2);
	media_free(&media);
	/* a conductor is one or is none */
	const struct medium metal = {.permittivity = 1.0, .permeability = 1.0, .conductor = 1};
	shape = box(3.25, 3.25, 3.25, 8.5, 8.5, 8.5);
	media = paint_all(&grid, &shape, &metal, 1, &mixed);
	assert_true(mixed.mixed == 0 && mixed.conductors > 0 && media.count == 2);
	media_free(&media);
	/* losses one behind the other are a pole */
	const struct medium lossy = {.permittivity = 2.0, .permeability = 1.0, .conductivity = 0.5};
	shape = box(3.25, 3.25, 3.25, 8.5, 8.5, 8.5);
	media = paint_all(&grid, &shape, &lossy, 1, &mixed);
	assert_true(mixed.mixed > 0 && mixed.poles == 0);
	assert_within(medium_at(&grid, &media, 1, 3, 6, 6)->conductivity, 0.125, 1e-12, "conductivity");
	assert_true(medium_at(&grid, &media, 0, 3, 6, 6)->conductivity == 0.0);
	assert_int_equal(medium_at(&grid, &media, 0, 3, 6, 6)->poles, 1);
	media_free(&media);
	/* permeabilities: where H meets them */
	const struct medium magnetic = {.permittivity = 1.0, .permeability = 3.0};
	shape = box(3.25, 3.25, 3.25, 8.5, 8.5, 8.5);
	media = paint_all(&grid, &shape, &magnetic, 1, &mixed);
	assert_within(medium_at(&grid, &media, 4, 3, 6, 6)->permeability, 1.0 + 2.0 * 0.75, 1e-12, "permeability");
	assert_within(medium_at(&grid, &media, 3, 3, 6, 6)->permeability, in_series(0.25, 3.0), 1e-12,
		      "permeability");
	media_free(&media);
}

/* Ends of cylinders, sides of prisms, a box of triangles. */
static void flat_parts_of_all_shapes_have_means(void **state)
{
	static const double square[8] = {0.5, 3.0, 3.5, 3.0, 3.5, 6.0, 0.5, 6.0}; /* x, y from cell 3 to 9 */
	struct fdtd_grid grid = cube(WALL_CONDUCTOR);
	const double center[3] = {2.0, 5.0, 3.5}, up[3] = {0.0, 0.0, 1.0}, radii[2] = {2.0, 2.0};
	const struct medium glass = glass_of(5.0);
	struct mixtures_count mixed;
	struct shape *shape;
	(void)state;

	/* z from 0.5 + 0.5 3.5 to 0.5 + 0.5 8.5: ends in the middle of cells */
	assert_status(SONDE_OK, shape_create_cylinder(center, up, 2.5, radii, &shape));
	struct media media = paint_all(&grid, &shape, &glass, 1, &mixed);
	assert_permittivity(in_series(0.5, 5.0), 2, 6, 6, 3);
	assert_permittivity(5.0, 0, 6, 6, 4);
	/* the round side is the same along z: x from 2 to 10 of cells, at the node 10 just inside */
	double rim = medium_at(&grid, &media, 2, 10, 6, 6)->permittivity;
	assert_true(rim > 2.5 && rim < 3.0);
	assert_permittivity(1.0, 1, 10, 6, 6);
	media_free(&media);
	assert_status(SONDE_OK, shape_create_prism(2, square, 4, 1.625, 4.5, &shape));
	media = paint_all(&grid, &shape, &glass, 1, &mixed);
	assert_permittivity(3.0, 1, 3, 6, 6);
	assert_permittivity(1.0 + 4.0 * 0.25, 0, 6, 6, 2);
	media_free(&media);
}

/* Two media with poles side by side have all of their poles; in series they have poles of their own. */
static void media_side_by_side_have_all_poles(void **state)
{
	struct fdtd_grid grid = cube(WALL_CONDUCTOR);
	struct shape *shapes[2] = {box(-1, -1, -1, 13, 13, 6.25), box(-1, -1, 6.25, 13, 13, 13)};
	struct medium media_of[2] = {glass_of(2.0), glass_of(3.0)};
	struct mixtures_count mixed;
	(void)state;

	media_of[0].poles = 2;
	media_of[0].pole[0] = medium_pole_lorentz(1.0, 0.3, 0.01);
	media_of[0].pole[1] = medium_pole_drude(0.2, 0.01);
	media_of[1].poles = 2;
	media_of[1].pole[0] = medium_pole_debye(1.5, 20.0);
	media_of[1].pole[1] = medium_pole_lorentz(2.0, 0.3, 0.01); /* that of the first, but stronger */
	struct media media = paint_all(&grid, shapes, media_of, 2, &mixed);
	const struct medium *both = medium_at(&grid, &media, 0, 6, 6, 6);
	const struct medium_pole lorentz = medium_pole_lorentz(0.75 * 1.0 + 0.25 * 2.0, 0.3, 0.01),
				 debye = medium_pole_debye(0.25 * 1.5, 20.0);
	assert_int_equal(both->poles, 3);
	assert_within(both->permittivity, 2.25, 1e-12, "permittivity");
	assert_within(both->pole[0].b, lorentz.b, 1e-15, "both pole b");
	assert_within(both->pole[2].b, debye.b, 1e-15, "both pole b");
	assert_within(both->pole[2].d, debye.d, 1e-15, "both pole d");
	/* across the face, which lies in the middle of the edges from 5.75 to 6.75: one behind the other */
	assert_int_equal(mixed.poles, 0);
	const struct medium *behind = medium_at(&grid, &media, 2, 6, 6, 6);
	for (double omega = 1e-3; omega < 3.0; omega *= 1.3) {
		double complex inverse = 0.0;
		for (int n = 0; n < 2; ++n)
			inverse += (n == 0 ? 0.25 : 0.75) /
				   (media_of[n].permittivity + medium_susceptibility(&media_of[n], omega));
		const double complex found = behind->permittivity + medium_susceptibility(behind, omega);
		assert_true(cabs(found * inverse - 1.0) < 1e-9 && cimag(found) > 0.0);
	}
	media_free(&media);
	/* more than a medium can have */
	shapes[0] = box(-1, -1, -1, 13, 13, 6.25);
	shapes[1] = box(-1, -1, 6.25, 13, 13, 13);
	media_of[1].poles = MOST_POLES - 1;
	for (int p = 0; p < MOST_POLES - 1; ++p)
		media_of[1].pole[p] = medium_pole_lorentz(1.0, 0.4 + 0.05 * p, 0.01);
	media = paint_all(&grid, shapes, media_of, 2, &mixed);
	assert_int_equal(mixed.mixed, 0);
	assert_int_equal(medium_at(&grid, &media, 0, 6, 6, 6)->poles, 2);
	media_free(&media);
}

/* Media in series, also where roots are double, real, or cancel. */
static void media_in_series_have_poles_of_their_mean(void **state)
{
	struct medium kinds[7] = {glass_of(1.0), glass_of(4.0), glass_of(2.0), glass_of(3.0),
				  glass_of(1.5), glass_of(2.0), glass_of(2.0)};
	struct media media = {.media = kinds, .count = 7};
	(void)state;

	kinds[1].conductivity = 0.03;
	kinds[2].poles = kinds[3].poles = kinds[4].poles = 1;
	kinds[2].pole[0] = medium_pole_drude(0.3, 0.0);
	kinds[3].pole[0] = medium_pole_debye(2.0, 7.0);
	kinds[4].pole[0] = medium_pole_lorentz(1.3, 0.02, 1e-4);
	kinds[5].poles = 7; /* like those of gold */
	kinds[5].pole[0] = medium_pole_drude(0.137, 5e-4);
	for (int p = 1; p < 7; ++p)
		kinds[5].pole[p] = medium_pole_lorentz(0.3 * p, 0.03 + 0.012 * p, 0.004 * p);
	kinds[6] = kinds[5];
	for (uint16_t a = 0; a < 7; ++a)
		for (uint16_t b = (uint16_t)(a + 1); b < 7; ++b)
			for (uint16_t share = 1; share < MIXTURE_PARTS; share = (uint16_t)(3 * share + 1)) {
				const struct mixture mixture = {.count = 2,
								.in_series = 1,
								.media = {a, b},
								.parts = {(uint16_t)(MIXTURE_PARTS - share), share}};
				struct mixtures_count why = {0};
				struct medium medium;
				const bool mixed = mixture_medium(&media, &mixture, &medium, &why);
				/* two that conduct both have the pole that charges have */
				const bool conduct = (a == 1 || a == 2 || a == 5) && (b == 2 || b >= 5);
				assert_true(mixed || conduct || kinds[a].poles + kinds[b].poles > MOST_POLES);
				for (double omega = 1e-3; mixed && omega < 3.0; omega *= 1.3) {
					double complex inverse = 0.0;
					const double complex before = cexp(I * omega);
					for (int n = 0; n < 2; ++n) {
						const struct medium *one = &kinds[mixture.media[n]];
						inverse +=
						    (double)mixture.parts[n] / MIXTURE_PARTS /
						    (one->permittivity + medium_susceptibility(one, omega) +
						     0.5 * one->conductivity * (1.0 + before) / (1.0 - before));
					}
					assert_true(
					    cabs((medium.permittivity + medium_susceptibility(&medium, omega)) *
						     inverse -
						 1.0) < 1e-6);
				}
				for (int p = 0; mixed && p < medium.poles; ++p) /* roots in the circle */
					assert_true(fabs(medium.pole[p].a) <= 1.0 + 1e-9 &&
						    fabs(1.0 + medium.pole[p].a - medium.pole[p].c) <=
							1.0 + medium.pole[p].a + 1e-9);
			}
}

/* The inside of the hollow is not painted. */
static void inside_of_a_hollow_is_not_painted(void **state)
{
	struct fdtd_grid grid = cube(WALL_CONDUCTOR);
	struct shape *outer = box(2, 2, 2, 10, 10, 10), *inner = box(4, 4, 4, 8, 8, 11), *shell;
	struct body body = {0};
	const struct scene scene = {.grid = &grid, .frame = frame, .bodies = &body, .count = 1};
	const struct medium glass = glass_of(5.0);
	struct mixtures_count mixed;
	struct media media;
	(void)state;

	assert_status(SONDE_OK, shape_create_shell(&outer, &inner, 448.0, &shell));
	body.shape = shell;
	assert_status(SONDE_OK, media_make(&grid, 1, 0, &media));
	assert_status(SONDE_OK, media_add(&media, &glass, &body.medium));
	assert_status(SONDE_OK, paint_scene(&scene, &media));
	assert_status(SONDE_OK, paint_means(&scene, &media, &mixed));
	assert_permittivity(1.0, 0, 6, 6, 6);
	assert_permittivity(1.0, 2, 6, 6, 10);
	assert_permittivity(3.0, 1, 4, 6, 6);
	assert_permittivity(5.0, 1, 3, 6, 6);
	assert_permittivity(3.0, 1, 6, 6, 4);
	media_free(&media);
	shape_free(&shell);
}

/* Layers with losses: a rod through one gets them, more with the depth; a slab has none. */
static void rods_in_layers_get_losses(void **state)
{
	(void)state;

	for (int slab = 0; slab < 2; ++slab) {
		struct fdtd_grid grid = cube(WALL_PERIODIC);
		grid.walls[2][0] = grid.walls[2][1] = WALL_CONDUCTOR;
		grid.layers[2][0] = absorbing_layer_of(4);
		grid.layers[2][0].losses = 0.5;
		struct shape *shape = slab ? box(3, -1, -1, 7, 13, 13) : box(3, 3, -1, 7, 7, 13);
		const struct medium glass = glass_of(5.0);
		struct mixtures_count mixed;
		struct media media = paint_all(&grid, &shape, &glass, 1, &mixed);
		const size_t before = media.count;
		assert_status(SONDE_OK, paint_losses(&grid, &media));
		const double sigma = absorbing_layer_sigma(&grid.layers[2][0], 0.5, 1.5);
		assert_within(medium_at(&grid, &media, 2, 5, 5, 2)->conductivity, slab ? 0.0 : 0.5 * 4.0 * sigma,
			      1e-12, "conductivity");
		assert_true((media.count == before) == (slab != 0));
		assert_within(medium_at(&grid, &media, 2, 9, 9, 2)->conductivity, 0.0, 0.0, "conductivity");
		assert_within(medium_at(&grid, &media, 2, 5, 5, 4)->conductivity, 0.0, 0.0, "conductivity");
		assert_within(medium_at(&grid, &media, 2, 5, 5, 0)->permittivity, 5.0, 1e-12, "permittivity");
		media_free(&media);
	}
}

/* A conductor's flat face in the middle of cells, and its corner. */
static void cut_by_a_conductor(void **state)
{
	struct fdtd_grid grid = cube(WALL_CONDUCTOR);
	struct shape *shape = box(-1, -1, -1, 7.25, 8.75, 13);
	struct media media;
	struct body body = {.shape = shape};
	const struct medium conductor = {.permittivity = 1.0, .permeability = 1.0, .conductor = 1};
	const struct scene scene = {.grid = &grid, .frame = frame, .bodies = &body, .count = 1};
	size_t cut;
	(void)state;

	assert_status(SONDE_OK, media_make(&grid, 1, 0, &media));
	assert_status(SONDE_OK, media_add(&media, &conductor, &body.medium));
	assert_status(SONDE_OK, paint_scene(&scene, &media));
	assert_status(SONDE_OK, paint_conductors(&scene, &media, &cut));
	/* three quarters of the edge along x from 7 on are outside, and of the faces about it */
	assert_permittivity(1.0 / 0.75, 0, 7, 4, 4);
	assert_within(medium_at(&grid, &media, 5, 7, 4, 4)->permeability, 0.75, 1e-12, "permeability");
	/* a quarter of the edge along y from 8 on; that area is too small beside 1.5 of edges: 1.5/4 */
	assert_permittivity(4.0, 1, 4, 8, 4);
	assert_within(medium_at(&grid, &media, 5, 4, 8, 4)->permeability, 0.375, 1e-12, "permeability");
	/* the corner: all of a cell but 1/4 of 3/4 */
	assert_within(medium_at(&grid, &media, 5, 7, 8, 4)->permeability, 1.0 - 0.25 * 0.75, 2e-3, "permeability");
	assert_true(medium_at(&grid, &media, 1, 7, 7, 4)->conductor &&
		    !medium_at(&grid, &media, 1, 8, 7, 4)->conductor);
	/* at longer steps all is as it was painted */
	media_free(&media);
	grid.courant[0] = grid.courant[1] = grid.courant[2] = 0.55;
	assert_status(SONDE_OK, media_make(&grid, 1, 0, &media));
	assert_status(SONDE_OK, media_add(&media, &conductor, &body.medium));
	assert_status(SONDE_OK, paint_scene(&scene, &media));
	assert_status(SONDE_OK, paint_conductors(&scene, &media, &cut));
	assert_true(cut == 0 && media.faces[0] == NULL);
	media_free(&media);
	shape_free(&shape);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(faces_of_a_box),
					   cmocka_unit_test(later_bodies_replace_earlier_ones),
					   cmocka_unit_test(means_at_walls_use_images),
					   cmocka_unit_test(what_is_not_mixed),
					   cmocka_unit_test(flat_parts_of_all_shapes_have_means),
					   cmocka_unit_test(media_side_by_side_have_all_poles),
					   cmocka_unit_test(media_in_series_have_poles_of_their_mean),
					   cmocka_unit_test(inside_of_a_hollow_is_not_painted),
					   cmocka_unit_test(rods_in_layers_get_losses),
					   cmocka_unit_test(cut_by_a_conductor)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
