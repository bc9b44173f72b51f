/* Copies of a structure: conventions of rotations, places of files, grids and random places. */
#include "unit/support.h"

#include <math.h>

#include "matter/atoms/atoms.h"
#include "matter/generate/ensemble.h"
#include "run/context.h"

#define PI 3.14159265358979323846

static sonde_context *context;

static int make_context(void **state)
{
	(void)state;
	return sonde_context_create(&context) == SONDE_OK ? 0 : -1;
}

static int free_context(void **state)
{
	(void)state;
	sonde_context_free(&context);
	return 0;
}

static void turn(const double rotation[3][3], double x, double y, double z, double turned[3])
{
	for (int k = 0; k < 3; ++k)
		turned[k] = rotation[k][0] * x + rotation[k][1] * y + rotation[k][2] * z;
}

static void assert_vector(const double is[3], double x, double y, double z)
{
	assert_within(is[0], x, 1e-14, "x");
	assert_within(is[1], y, 1e-14, "y");
	assert_within(is[2], z, 1e-14, "z");
}

/* By hand: psi turns x to y; then theta turns y to z; then phi, about z, leaves that. */
static void euler_angles_turn_about_fixed_axes(void **state)
{
	double rotation[3][3], turned[3];
	(void)state;

	rotation_of_euler_angles((const double[3]){0.0, 0.0, 90.0}, rotation);
	turn((const double(*)[3])rotation, 1, 0, 0, turned);
	assert_vector(turned, 0, 1, 0);
	rotation_of_euler_angles((const double[3]){30.0, 90.0, 90.0}, rotation);
	turn((const double(*)[3])rotation, 1, 0, 0, turned);
	assert_vector(turned, 0, 0, 1);
	/* y goes to -x, stays there, and is turned by phi */
	turn((const double(*)[3])rotation, 0, 1, 0, turned);
	assert_vector(turned, -cos(PI / 6), -sin(PI / 6), 0);
	/* z stays, goes to -y, and is turned by phi */
	turn((const double(*)[3])rotation, 0, 0, 1, turned);
	assert_vector(turned, sin(PI / 6), -cos(PI / 6), 0);
}

static void quaternions_are_rotations_about_their_axis(void **state)
{
	const double angle = 0.7, half[4] = {3.0 * cos(angle / 2), 0.0, 3.0 * sin(angle / 2), 0.0};
	double rotation[3][3], turned[3];
	(void)state;

	assert_status(SONDE_OK, rotation_of_quaternion(half, rotation));
	turn((const double(*)[3])rotation, 0, 0, 1, turned); /* about y: z goes to x */
	assert_vector(turned, sin(angle), 0, cos(angle));
	turn((const double(*)[3])rotation, 1, 0, 0, turned);
	assert_vector(turned, cos(angle), 0, -sin(angle));
	assert_status(SONDE_INVALID, rotation_of_quaternion((const double[4]){0, 0, 0, 0}, rotation));
	assert_message("has no direction");
	assert_status(SONDE_INVALID, rotation_of_quaternion((const double[4]){1, NAN, 0, 0}, rotation));
}

static void files_have_places_angles_or_quaternions(void **state)
{
	struct ensemble ensemble;
	double turned[3];
	(void)state;

	assert_status(SONDE_OK,
		      ensemble_read(context, test_write_text("places.txt", "# places\n1 2 3\n\n4 5 6\n"), &ensemble));
	assert_int_equal(ensemble.count, 2);
	assert_vector(ensemble.placements[1].position, 4, 5, 6);
	turn((const double(*)[3])ensemble.placements[1].rotation, 7, 8, 9, turned);
	assert_vector(turned, 7, 8, 9);
	ensemble_free(&ensemble);
	assert_status(SONDE_OK, ensemble_read(context, test_write_text("places.txt", "0 0 0 0 0 90\n"), &ensemble));
	turn((const double(*)[3])ensemble.placements[0].rotation, 1, 0, 0, turned);
	assert_vector(turned, 0, 1, 0);
	ensemble_free(&ensemble);
	assert_status(SONDE_OK, ensemble_read(context, test_write_text("places.txt", "0 0 0 1 0 0 1\n"), &ensemble));
	turn((const double(*)[3])ensemble.placements[0].rotation, 1, 0, 0, turned);
	assert_vector(turned, 0, 1, 0);
	ensemble_free(&ensemble);
	const struct {
		const char *text, *message;
	} wrong[] = {{"1 2\n", ":1: 2 columns"},
		     {"1 2 3\n1 2 3 4 5 6\n", ":2: 6 columns, but 3 before"},
		     {"1 2 x\n", ":1:"},
		     {"1 2 1e9\n", ":1: z = 1e+09 is not within"},
		     {"1 2 nan\n", ":1:"},
		     {"1 2 3 0 0 0 0\n", ":1: the quaternion has no direction"},
		     {"# nothing\n", "no place of a copy"}};
	for (size_t k = 0; k < sizeof wrong / sizeof *wrong; ++k) {
		assert_invalid(wrong[k].message,
			       ensemble_read(context, test_write_text("places.txt", wrong[k].text), &ensemble));
		assert_null(ensemble.placements);
	}
}

static double distance(const struct ensemble *ensemble, int64_t a, int64_t b)
{
	const double *r = ensemble->placements[a].position, *s = ensemble->placements[b].position;

	return sqrt(pow(r[0] - s[0], 2) + pow(r[1] - s[1], 2) + pow(r[2] - s[2], 2));
}

static double closest(const struct ensemble *ensemble)
{
	double least = INFINITY;

	for (int64_t a = 0; a < ensemble->count; ++a)
		for (int64_t b = 0; b < a; ++b)
			least = fmin(least, distance(ensemble, a, b));
	return least;
}

static void grids_are_cubic_and_centered(void **state)
{
	struct ensemble ensemble;
	double sum[3] = {0.0, 0.0, 0.0};
	(void)state;

	assert_status(SONDE_OK, ensemble_grid(27, 10.0, &ensemble));
	assert_true(closest(&ensemble) == 10.0 && ensemble.edges[1] == 30.0);
	for (int n = 0; n < 27; ++n)
		for (int k = 0; k < 3; ++k)
			sum[k] += ensemble.placements[n].position[k];
	assert_vector(sum, 0, 0, 0);
	ensemble_free(&ensemble);
	assert_status(SONDE_OK, ensemble_grid(28, 10.0, &ensemble));
	assert_true(closest(&ensemble) == 10.0 && ensemble.edges[1] == 40.0);
	ensemble_free(&ensemble);
	assert_status(SONDE_INVALID, ensemble_grid(0, 10.0, &ensemble));
}

static void random_spheres_do_not_overlap_and_have_the_density(void **state)
{
	static const double densities[] = {1e-6, 0.05, 0.3};
	struct ensemble ensemble, again, other;
	(void)state;

	for (int d = 0; d < 3; ++d) {
		assert_status(SONDE_OK, ensemble_random(context, 1500, 7.0, densities[d], 5, &ensemble));
		assert_true(closest(&ensemble) >= 14.0);
		assert_close(1500.0 * 4.0 / 3.0 * PI * 343.0 / pow(ensemble.edges[0], 3), densities[d], 1e-12,
			     "density");
		for (int n = 0; n < 1500; ++n)
			for (int k = 0; k < 3; ++k)
				assert_true(fabs(ensemble.placements[n].position[k]) + 7.0 <=
					    0.5 * ensemble.edges[k] * (1.0 + 1e-12));
		assert_status(SONDE_OK, ensemble_random(context, 1500, 7.0, densities[d], 5, &again));
		assert_memory_equal(again.placements, ensemble.placements, 1500 * sizeof *again.placements);
		assert_status(SONDE_OK, ensemble_random(context, 1500, 7.0, densities[d], 6, &other));
		assert_memory_not_equal(other.placements, ensemble.placements, 1500 * sizeof *other.placements);
		ensemble_free(&ensemble);
		ensemble_free(&again);
		ensemble_free(&other);
	}
	assert_status(SONDE_INVALID, ensemble_random(context, 300, 7.0, 0.6, 5, &ensemble));
	assert_message("instead of 0.6");
	assert_null(ensemble.placements);
	assert_status(SONDE_INVALID, ensemble_random(context, 1, 7.0, 0.9, 5, &ensemble));
	assert_message("has no room for a sphere");
	assert_status(SONDE_OK, ensemble_random(context, 1, 7.0, 0.5, 5, &ensemble));
	ensemble_free(&ensemble);
}

/* Uniform on SO(3): every element of the matrix has mean 0 and mean square 1/3, and cos of the angle of rotation the
 * mean -1/2, since its density is (1 - cos)/pi. */
static void random_orientations_are_uniform(void **state)
{
	enum { COUNT = 20000 };
	struct ensemble ensemble;
	double mean[9] = {0.0}, square[9] = {0.0}, cosine = 0.0;
	(void)state;

	assert_status(SONDE_OK, ensemble_grid(COUNT, 1.0, &ensemble));
	ensemble_turn(11, &ensemble);
	for (int n = 0; n < COUNT; ++n) {
		const double *r = &ensemble.placements[n].rotation[0][0];
		for (int k = 0; k < 9; ++k) {
			mean[k] += r[k] / COUNT;
			square[k] += r[k] * r[k] / COUNT;
		}
		cosine += 0.5 * (r[0] + r[4] + r[8] - 1.0) / COUNT;
		const double determinant = r[0] * (r[4] * r[8] - r[5] * r[7]) - r[1] * (r[3] * r[8] - r[5] * r[6]) +
					   r[2] * (r[3] * r[7] - r[4] * r[6]);
		assert_within(determinant, 1.0, 1e-13, "determinant");
	}
	/* four standard errors: sqrt(1/3), sqrt(4/45), sqrt(1/4) over sqrt(COUNT) */
	for (int k = 0; k < 9; ++k) {
		assert_within(mean[k], 0.0, 4.0 * sqrt(1.0 / 3.0 / COUNT), "mean");
		assert_within(square[k], 1.0 / 3.0, 4.0 * sqrt(4.0 / 45.0 / COUNT), "mean square");
	}
	assert_within(cosine, -0.5, 4.0 * sqrt(0.25 / COUNT), "cosine");
	ensemble_free(&ensemble);
}

static void copies_keep_distances_charges_and_occupancies(void **state)
{
	const double corners[3][3] = {{0, 0, 0}, {1, 2, 2}, {0, 4, 0}}, charges[3] = {1.0, -2.0, 1.0},
		     occupancies[3] = {1.0, 0.5, 0.25};
	static const char *const labels[3] = {"Na", "Cl", "Na"};
	sonde_atoms *structure, *atoms;
	struct ensemble ensemble;
	(void)state;

	assert_status(SONDE_OK, sonde_atoms_create(&structure));
	for (int i = 0; i < 3; ++i)
		assert_status(SONDE_OK, sonde_atoms_add(structure, labels[i], corners[i]));
	assert_status(SONDE_OK, sonde_atoms_set_charges(structure, charges));
	assert_status(SONDE_OK, sonde_atoms_set_occupancies(structure, occupancies));
	assert_true(ensemble_radius(structure) == 4.0);
	assert_status(SONDE_OK, ensemble_random(context, 50, 5.0, 0.1, 3, &ensemble));
	ensemble_turn(3, &ensemble);
	assert_status(SONDE_OK, ensemble_place(context, structure, &ensemble, &atoms));
	assert_int_equal(sonde_atoms_count(atoms), 150);
	assert_int_equal(atoms->group_count, 1);
	assert_int_equal(atoms->groups[0].copies, 50);
	assert_int_equal(sonde_atoms_species_count(atoms), 2);
	assert_int_equal(sonde_atoms_species_atoms(atoms, 0), 100);
	for (int n = 0; n < 50; ++n) {
		const double *r = sonde_atoms_positions(atoms) + 9 * n, *place = ensemble.placements[n].position;
		assert_vector(r, place[0], place[1], place[2]);
		for (int i = 0; i < 3; ++i) {
			const double *a = r + 3 * i, *b = r + 3 * ((i + 1) % 3), *c = corners[i],
				     *d = corners[(i + 1) % 3];
			assert_close(pow(a[0] - b[0], 2) + pow(a[1] - b[1], 2) + pow(a[2] - b[2], 2),
				     pow(c[0] - d[0], 2) + pow(c[1] - d[1], 2) + pow(c[2] - d[2], 2), 1e-12,
				     "distance");
			assert_true(sonde_atoms_charges(atoms)[3 * n + i] == charges[i]);
			assert_true(sonde_atoms_occupancies(atoms)[3 * n + i] == occupancies[i]);
			assert_int_equal(sonde_atoms_species(atoms)[3 * n + i], i == 1);
		}
	}
	/* another atom, and they are copies no longer */
	assert_status(SONDE_OK, sonde_atoms_add(atoms, "Na", corners[0]));
	assert_int_equal(atoms->group_count, 0);
	sonde_atoms_free(&atoms);
	ensemble.placements[7].position[1] = 2e7;
	assert_status(SONDE_INVALID, ensemble_place(context, structure, &ensemble, &atoms));
	assert_message("atom 1 of copy 8");
	assert_null(atoms);
	ensemble_free(&ensemble);
	sonde_atoms_free(&structure);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(euler_angles_turn_about_fixed_axes),
					   cmocka_unit_test(quaternions_are_rotations_about_their_axis),
					   cmocka_unit_test(files_have_places_angles_or_quaternions),
					   cmocka_unit_test(grids_are_cubic_and_centered),
					   cmocka_unit_test(random_spheres_do_not_overlap_and_have_the_density),
					   cmocka_unit_test(random_orientations_are_uniform),
					   cmocka_unit_test(copies_keep_distances_charges_and_occupancies)};

	return cmocka_run_group_tests(tests, make_context, free_context);
}
