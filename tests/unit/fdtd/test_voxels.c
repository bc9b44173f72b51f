/* Bodies from files and crystals: maps of voxels from HDF5 files, shapes and atoms of sonde build. */
#include "unit/support.h"

#include <math.h>
#include <stdlib.h>

#include <hdf5.h>

#include "matter/build/built_body.h"
#include "fdtd/media/paint.h"
#include "io/containers/hdf5.h"
#include "sonde/build.h"

static const double nowhere[3] = {0.0, 0.0, 0.0};

enum { NX = 4, NY = 3, NZ = 2 };

/* [z][y][x] */
static const int numbers[NZ][NY][NX] = {{{0, 1, 2, 0}, {1, 1, 0, 0}, {2, 2, 2, 2}},
					{{0, 0, 0, 1}, {0, 0, 0, 2}, {1, 1, 1, 1}}};

static void add_dataset(hid_t file, const char *path, hid_t type, int rank, const hsize_t *sizes, const void *data)
{
	hid_t space = H5Screate_simple(rank, sizes, NULL);
	hid_t dataset = H5Dcreate2(file, path, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);

	assert_true(dataset >= 0 && H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0);
	H5Dclose(dataset);
	H5Sclose(space);
}

/* A file with a map; null: without it. */
static const char *write_map(const char *name, int rank, const int *materials, const double *permittivities,
			     const double *spacing, int spacings, const double *origin)
{
	const hsize_t sizes[3] = {NZ, NY, NX}, count = (hsize_t)spacings, three = 3;
	const char *path = test_path(name);
	hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
	hid_t group = H5Gcreate2(file, "/voxels", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);

	assert_true(group >= 0);
	if (materials != NULL)
		add_dataset(file, "/voxels/materials", H5T_NATIVE_INT, rank, sizes, materials);
	if (permittivities != NULL)
		add_dataset(file, "/voxels/permittivities", H5T_NATIVE_DOUBLE, rank, sizes, permittivities);
	if (spacing != NULL)
		add_dataset(file, "/voxels/spacing", H5T_NATIVE_DOUBLE, 1, &count, spacing);
	if (origin != NULL)
		add_dataset(file, "/voxels/origin", H5T_NATIVE_DOUBLE, 1, &three, origin);
	H5Gclose(group);
	assert_true(H5Fclose(file) >= 0);
	return path;
}

static void maps_are_read(void **state)
{
	const double spacing[3] = {2.0, 3.0, 4.0}, origin[3] = {1.0, -1.0, 5.0}, one = 2.5;
	struct voxel_map map;
	(void)state;

	assert_status(SONDE_OK, voxel_map_read(write_map("map.h5", 3, &numbers[0][0][0], NULL, spacing, 3, origin),
					       true, false, &map));
	assert_true(map.counts[0] == NX && map.counts[1] == NY && map.counts[2] == NZ && map.has_origin);
	assert_true(map.spacing[1] == 3.0 && map.origin[2] == 5.0 && map.materials[NX] == 1);
	voxel_map_free(&map);
	assert_status(SONDE_OK, voxel_map_read(write_map("one.h5", 3, &numbers[0][0][0], NULL, &one, 1, NULL), false,
					       false, &map));
	assert_true(map.spacing[2] == 2.5 && !map.has_origin && map.origin[0] == 0.0);
	voxel_map_free(&map);
}

static void maps_are_refused(void **state)
{
	const double spacing[3] = {2.0, 3.0, 4.0}, wrong[3] = {1.0, 0.0, 1.0}, meters[3] = {25e-9, 25e-9, 25e-9};
	double permittivities[NX * NY * NZ];
	struct voxel_map map;
	(void)state;

	for (int n = 0; n < NX * NY * NZ; ++n)
		permittivities[n] = 2.0;
	assert_invalid(
	    "has no /voxels/materials",
	    voxel_map_read(write_map("a.h5", 3, NULL, permittivities, spacing, 3, NULL), false, false, &map));
	assert_invalid(
	    "and /voxels/spacing",
	    voxel_map_read(write_map("b.h5", 3, &numbers[0][0][0], NULL, NULL, 3, NULL), true, true, &map));
	assert_invalid(
	    "must have three sizes",
	    voxel_map_read(write_map("c.h5", 2, &numbers[0][0][0], NULL, spacing, 3, NULL), true, true, &map));
	assert_invalid(
	    "one number or three",
	    voxel_map_read(write_map("d.h5", 3, &numbers[0][0][0], NULL, spacing, 2, NULL), true, true, &map));
	assert_invalid("above 0", voxel_map_read(write_map("e.h5", 3, &numbers[0][0][0], NULL, wrong, 3, NULL), true,
						 true, &map));
	/* meters, if allowed; those of ions are in Angstrom */
	assert_invalid(
	    "above 1e-3 Angstrom",
	    voxel_map_read(write_map("m.h5", 3, &numbers[0][0][0], NULL, meters, 3, NULL), true, false, &map));
	assert_status(SONDE_OK, voxel_map_read(write_map("m2.h5", 3, &numbers[0][0][0], NULL, meters, 3, NULL), true,
					       true, &map));
	assert_true(map.spacing[1] == 25e-9);
	voxel_map_free(&map);
	permittivities[7] = NAN;
	assert_invalid(
	    "voxel 7 has no finite permittivity",
	    voxel_map_read(write_map("f.h5", 3, NULL, permittivities, spacing, 3, NULL), true, true, &map));
	voxel_map_free(&map);
	assert_status(SONDE_INVALID, voxel_map_read(test_write_text("g.h5", "no HDF5"), true, true, &map));
}

/* The grid's cells are half a voxel wide; materials 1 and 2 are painted, 0 leaves what is there. */
static void voxels_are_painted(void **state)
{
	const double spacing[3] = {2.0, 2.0, 2.0}, origin[3] = {4.0, 2.0, 2.0}, shift[3] = {0.5, 0.5, 0.5};
	const struct fdtd_grid grid = {.cells = {14, 10, 9}, .courant = {0.5, 0.5, 0.5}};
	const struct medium water = {.permittivity = 1.77, .permeability = 1.0},
			    glass = {.permittivity = 2.25, .permeability = 1.0},
			    gold = {.permittivity = 1.0, .permeability = 1.0, .conductor = 1};
	uint16_t media_of_voxels[3] = {NO_MEDIUM, 0, 0};
	struct body bodies[2] = {{.medium = 0}, {.medium = 0}};
	const struct scene scene = {
	    .grid = &grid, .frame = {{0.0, 0.0, 0.0}, {0.5, 0.5, 0.5}}, .bodies = bodies, .count = 2};
	struct mixtures_count mixed;
	struct voxel_map map;
	struct voxels voxels;
	struct shape *box;
	struct media media;
	(void)state;

	assert_status(SONDE_OK, voxel_map_read(write_map("paint.h5", 3, &numbers[0][0][0], NULL, spacing, 3, origin),
					       true, false, &map));
	assert_invalid("voxel 2 has material 2, but there are 2", voxels_of_materials(&map, 2, 0.5, shift, &voxels));
	voxels_free(&voxels);
	assert_invalid("scale", voxels_of_materials(&map, 3, NAN, shift, &voxels));
	assert_status(SONDE_OK, voxels_of_materials(&map, 3, 0.5, shift, &voxels));
	voxel_map_free(&map);
	/* from x = 2.5 on, that is node 5; y and z from 1.5 on, node 3; each voxel is two cells */
	assert_within(voxels.origin[0], 2.5, 1e-12, "origin 0");
	assert_status(SONDE_OK, media_make(&grid, 1, 0, &media));
	assert_status(SONDE_OK, media_add(&media, &water, &bodies[0].medium));
	assert_status(SONDE_OK, media_add(&media, &glass, &media_of_voxels[1]));
	assert_status(SONDE_OK, media_add(&media, &gold, &media_of_voxels[2]));
	assert_status(SONDE_OK, shape_create_box((const double[3]){-1.0, -1.0, -1.0},
						 (const double[3]){9.0, 9.0, 3.1}, NULL, &box));
	bodies[0].shape = box;
	bodies[1].voxels = &voxels;
	bodies[1].voxel_media = media_of_voxels;
	assert_status(SONDE_OK, paint_scene(&scene, &media));
	assert_status(SONDE_OK, paint_means(&scene, &media, &mixed));
	for (int i = 0; i < 14; ++i)
		for (int j = 0; j < 10; ++j)
			for (int k = 0; k < 9; ++k)
				for (int a = 0; a < 3; ++a) {
					const int voxel[3] = {(i - 5) / 2, (j - 3) / 2, (k - 3) / 2};
					bool inside = i >= 5 && j >= 3 && k >= 3 && voxel[0] < NX && voxel[1] < NY &&
						      voxel[2] < NZ;
					uint16_t expected = NO_MEDIUM;
					if (inside)
						expected = media_of_voxels[numbers[voxel[2]][voxel[1]][voxel[0]]];
					uint16_t is = media_number(media.edges[a], media_at(&grid, i, j, k));
					if (expected != NO_MEDIUM)
						assert_int_equal(is, expected);
					else if (k < 5)
						assert_int_equal(is, bodies[0].medium);
				}
	/* away from voxels the box's face has a mean: z = 3.1 is node 6.2 */
	assert_within(media.media[media_number(media.edges[0], media_at(&grid, 2, 6, 6))].permittivity,
		      1.0 + 0.77 * 0.7, 1e-3, "media permittivity");
	media_free(&media);
	voxels_free(&voxels);
	shape_free(&box);
}

static void permittivities_become_media(void **state)
{
	const double spacing = 2.0;
	double permittivities[NX * NY * NZ];
	struct voxel_map map;
	struct voxels voxels;
	struct media media;
	const struct fdtd_grid grid = {.cells = {2, 2, 2}, .courant = {0.5, 0.5, 0.5}};
	uint16_t *media_of;
	(void)state;

	for (int n = 0; n < NX * NY * NZ; ++n)
		permittivities[n] = 1.0 + (n * 5 % 7) * 0.25;
	assert_status(SONDE_OK, media_make(&grid, 1, 0, &media));
	assert_status(SONDE_OK, voxel_map_read(write_map("eps.h5", 3, NULL, permittivities, &spacing, 1, NULL), true,
					       true, &map));
	assert_status(SONDE_OK, voxels_of_permittivities(&map, 1.0, nowhere, &media, &voxels, &media_of));
	assert_true(media.count == 7); /* one of them is vacuum */
	assert_within(voxels.origin[0], -4.0, 1e-12, "origin 0");
	for (int n = 0; n < NX * NY * NZ; ++n)
		assert_within(media.media[media_of[voxels.materials[n]]].permittivity, permittivities[n], 0.0,
			      "permittivities");
	voxels_free(&voxels);
	free(media_of);
	/* so many that they are rounded */
	free(map.permittivities);
	map.counts[0] = map.counts[1] = map.counts[2] = 20;
	map.permittivities = malloc(8000 * sizeof(double));
	assert_non_null(map.permittivities);
	for (int n = 0; n < 8000; ++n)
		map.permittivities[n] = 1.0 + 4.0 * fmod(n * 0.6180339887498949, 1.0);
	assert_status(SONDE_OK, voxels_of_permittivities(&map, 1.0, nowhere, &media, &voxels, &media_of));
	assert_true(media.count <= 7 + 1024);
	for (int n = 0; n < 8000; ++n)
		assert_within(media.media[media_of[voxels.materials[n]]].permittivity, map.permittivities[n],
			      2.0 / 1023.0, "permittivities");
	voxels_free(&voxels);
	free(media_of);
	map.permittivities[4000] = 0.5;
	assert_invalid("voxel 4000 has permittivity 0.5",
		       voxels_of_permittivities(&map, 1.0, nowhere, &media, &voxels, &media_of));
	voxels_free(&voxels);
	voxel_map_free(&map);
	media_free(&media);
}

/* Atoms of a lattice: balls that touch leave gaps, larger ones none. */
static void atoms_become_solid(void **state)
{
	enum { SIDE = 6 };
	double positions[SIDE * SIDE * SIDE][3];
	struct atom_balls balls;
	struct voxels voxels;
	int64_t inside = 0, all;
	(void)state;

	for (int n = 0; n < SIDE * SIDE * SIDE; ++n)
		for (int a = 0, m = n; a < 3; ++a, m /= SIDE)
			positions[n][a] = 2.0 * (m % SIDE);
	for (int wide = 0; wide < 2; ++wide) {
		assert_status(SONDE_OK,
			      atom_balls_make(&positions[0][0], SIDE * SIDE * SIDE, wide ? 1.8 : 1.0, 0.17, &balls));
		voxels_of_balls(&balls, 0.1, nowhere, &voxels);
		all = voxels.counts[0] * voxels.counts[1] * voxels.counts[2];
		inside = 0;
		for (int64_t n = 0; n < all; ++n)
			inside += voxels.materials[n];
		double volume = (double)inside * pow(voxels.spacing[0], 3.0) * 1e3;
		if (wide == 0) /* balls of volume 4 pi/3 */
			assert_within(volume, 216.0 * 4.18879, 20.0, "volume");
		else /* more than the cube between the outermost middles */
			assert_true(volume > 1000.0 + 6.0 * 100.0);
		assert_within(voxels.spacing[2], 0.017, 1e-12, "spacing 2");
		assert_within(voxels.origin[0] + 0.5 * voxels.spacing[0] * (double)voxels.counts[0], 0.5, 1e-9,
			      "voxels origin spacing counts");
		voxels_free(&voxels);
	}
	assert_invalid("too many voxels", atom_balls_make(&positions[0][0], 216, 1.0, 1e-9, &balls));
	assert_invalid("there are none", atom_balls_make(NULL, 0, 1.0, 1.0, &balls));
	assert_invalid("there are none", atom_balls_make(NULL, 0, 1.0, 0.0, &balls));
	assert_invalid("finite numbers above 0", atom_balls_make(&positions[0][0], 216, -1.0, 1.0, &balls));
}

static double error_of_volume(const double *positions, int64_t count, double radius, double size)
{
	struct atom_balls balls;
	double inside = 0.0;

	assert_status(SONDE_OK, atom_balls_make(positions, count, radius, size, &balls));
	for (int64_t n = 0; n < balls.counts[0] * balls.counts[1] * balls.counts[2]; ++n)
		inside += balls.filled[n];
	free(balls.filled);
	return fabs(inside * pow(balls.size, 3.0) / ((double)count * 4.0 / 3.0 * M_PI * pow(radius, 3.0)) - 1.0);
}

/* The smaller the cubes, the better the volume; those chosen for a ball are right to 1.5 %, and larger for atoms far apart. */
static void smaller_cubes_have_a_better_volume(void **state)
{
	static const double one[3] = {0.3, 0.2, 0.1}, far[6] = {0.0, 0.0, 0.0, 300.0, 210.0, 220.0};
	const double coarse = error_of_volume(one, 1, 1.7, 1.7 / 3.0),
		     fine = error_of_volume(one, 1, 1.7, 1.7 / 30.0), usual = error_of_volume(one, 1, 1.7, 0.0);
	struct atom_balls balls;
	(void)state;

	assert_true(coarse > 0.1 && usual < 0.015 && fine < 0.002);
	assert_status(SONDE_OK, atom_balls_make(far, 2, 1.7, 0.0, &balls));
	assert_true(balls.size > 1.7 / 8.0 && balls.size < 1.7 / 3.0);
	free(balls.filled);
}

static void built_shapes_fill_their_samples(void **state)
{
	const double shift[3] = {10.0, 20.0, 30.0};
	double low[3], high[3];
	sonde_build_options options;
	struct shape *shape;
	const struct shape *hollow;
	(void)state;

	sonde_build_options_init(&options);
	options.cell = SONDE_BUILD_CELL_FCC;
	options.a = 4.0;
	assert_invalid("no shape is given", built_body(&options, 0.1, shift, &shape));
	options.sphere = 25.0;
	assert_status(SONDE_OK, built_body(&options, 0.1, shift, &shape));
	assert_ptr_equal(shape_outer(shape, &hollow), shape);
	assert_null(hollow);
	assert_within(shape_volume(shape), 4.0 / 3.0 * 3.14159265358979 * 2.5 * 2.5 * 2.5, 1e-9, "shape volume");
	shape_bounds(shape, low, high);
	assert_within(low[0], 7.5, 1e-12, "low 0");
	shape_free(&shape);
	options.sphere = 0.0;
	options.cylinder.x = 20.0;
	options.cylinder.y = 50.0;
	options.cylinder.z = 5.0;
	assert_status(SONDE_OK, built_body(&options, 0.1, shift, &shape));
	assert_true(shape_contains(shape_outer(shape, &hollow), shift));
	assert_non_null(hollow);
	assert_true(shape_contains(hollow, shift) && !shape_contains(shape, shift));
	assert_close(shape_volume(shape), 3.14159265358979 * (2.0 * 2.0 - 0.5 * 0.5) * 5.0, 1e-9, "volume of a tube");
	assert_false(shape_contains(shape, (const double[3]){10.0, 20.0, 32.6}));
	shape_free(&shape);
	options.cylinder.x = options.cylinder.y = options.cylinder.z = 0.0;
	options.box.x = 10.0;
	options.box.y = 20.0;
	options.box.z = 40.0;
	assert_status(SONDE_OK, built_body(&options, 0.1, shift, &shape));
	assert_within(shape_volume(shape), 8.0, 1e-12, "shape volume");
	shape_free(&shape);
	options.box.x = options.box.y = options.box.z = 0.0;
	/* hexagonal cells: no box */
	options.cell = SONDE_BUILD_CELL_HCP;
	options.supercell.x = options.supercell.y = options.supercell.z = 3.0;
	assert_status(SONDE_OK, built_body(&options, 1.0, nowhere, &shape));
	assert_within(shape_volume(shape), 27.0 * 64.0 * sqrt(0.75) * sqrt(8.0 / 3.0), 1e-6, "shape volume");
	shape_free(&shape);
	options.cell = SONDE_BUILD_CELL_SC;
	assert_status(SONDE_OK, built_body(&options, 1.0, nowhere, &shape));
	shape_bounds(shape, low, high);
	assert_within(high[2], 12.0, 1e-12, "high 2");
	assert_within(low[1], 0.0, 1e-12, "low 1");
	shape_free(&shape);
}

static void assert_body_volume(const sonde_build_options *options, double volume, double hollow_volume)
{
	static const double shift[3] = {10.0, 20.0, 30.0};
	const struct shape *outer, *hollow;
	struct shape *shape;

	assert_status(SONDE_OK, built_body(options, 0.1, shift, &shape));
	assert_close(shape_volume(shape), volume - hollow_volume, 1e-9, "volume of the body");
	outer = shape_outer(shape, &hollow);
	assert_close(shape_volume(outer), volume, 1e-9, "volume of the outer shape");
	assert_true(shape_contains(outer, shift) && shape_contains(shape, shift) == (hollow == NULL));
	assert_true((hollow != NULL) == (hollow_volume > 0.0));
	if (hollow != NULL)
		assert_close(shape_volume(hollow), hollow_volume, 1e-9, "hollow volume");
	shape_free(&shape);
}

/* Closed forms; a tenth of the lengths of build. */
static void all_shapes_of_build_are_bodies(void **state)
{
	const double pi = 3.14159265358979323846;
	sonde_build_options options, begin;
	struct shape *shape;
	(void)state;

	sonde_build_options_init(&begin);
	begin.cell = SONDE_BUILD_CELL_FCC;
	begin.a = 4.0;
	options = begin;
	options.ellipsoid = (sonde_vector){20.0, 30.0, 40.0};
	assert_body_volume(&options, 32.0 * pi, 0.0);
	options.hollow = 0.5;
	assert_body_volume(&options, 32.0 * pi, 4.0 * pi);
	options = begin;
	options.cone = (sonde_vector){40.0, 10.0, 60.0};
	assert_body_volume(&options, 2.0 * pi * (16.0 + 4.0 + 1.0), 0.0);
	options = begin;
	options.hexagonal_prism = (sonde_vector){20.0, 30.0, 0.0};
	assert_body_volume(&options, 18.0 * sqrt(3.0), 0.0);
	options = begin;
	options.truncated_octahedron = 20.0;
	options.hollow = 0.5;
	assert_body_volume(&options, 64.0 * sqrt(2.0), 8.0 * sqrt(2.0));
	options = begin;
	strcpy(options.wulff, "111:1.0,100:1.15,110:1.2,210:1.18");
	options.wulff_radius = 30.0;
	assert_body_volume(&options, 36.0 * pi, 0.0);
	options = begin;
	options.icosahedron = 3;
	/* corners three and a half distances of neighbors away: V = 5/12 (3 + sqrt 5) e^3, e = 4 R/sqrt(10 + 2 sqrt 5) */
	const double edge = 4.0 * 3.5 * 0.1 * options.a * sqrt(0.5) / sqrt(10.0 + 2.0 * sqrt(5.0));
	assert_body_volume(&options, 5.0 / 12.0 * (3.0 + sqrt(5.0)) * edge * edge * edge, 0.0);
	strcpy(options.orient, "z-x-z:10,20,30");
	assert_body_volume(&options, 5.0 / 12.0 * (3.0 + sqrt(5.0)) * edge * edge * edge, 0.0);
	options = begin;
	options.decahedron = (sonde_vector){3.0, 3.0, 0.0};
	/* ten caps and five faces: two and a half rings and distances of neighbors */
	const double distance = 0.1 * options.a * sqrt(0.5), corner = 2.5 * sqrt(0.75) * distance;
	assert_body_volume(&options,
			   2.5 * sin(0.4 * 3.14159265358979323846) * corner * corner *
			       (2.5 * distance + 2.0 / 3.0 * corner / sqrt(3.0)),
			   0.0);
	options.decahedron = (sonde_vector){3.0, 3.0, 1.0};
	assert_invalid("no smooth surface", built_body(&options, 0.1, (const double[3]){0}, &shape));
	assert_null(shape);
	options = begin;
	strcpy(options.supercell_matrix, "2,1,0,0,2,1,-1,0,3");
	strcpy(options.orient, "z-x-z:10,20,30");
	assert_status(SONDE_OK, built_body(&options, 1.0, (const double[3]){0}, &shape));
	assert_close(shape_volume(shape), 11.0 * 64.0, 1e-9, "volume of 11 cells");
	shape_free(&shape);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(maps_are_read),
					   cmocka_unit_test(maps_are_refused),
					   cmocka_unit_test(voxels_are_painted),
					   cmocka_unit_test(permittivities_become_media),
					   cmocka_unit_test(atoms_become_solid),
					   cmocka_unit_test(smaller_cubes_have_a_better_volume),
					   cmocka_unit_test(built_shapes_fill_their_samples),
					   cmocka_unit_test(all_shapes_of_build_are_bodies)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
