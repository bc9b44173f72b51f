/* C60, whose 23 distances are known, and the values of spot_values.csv. */
#include "physics/physics.h"

#define EXACT SONDE_DEBYE_METHOD_EXACT
#define HISTOGRAM SONDE_DEBYE_METHOD_HISTOGRAM
#define REFERENCE SONDE_DEBYE_METHOD_REFERENCE
#define UNIT SONDE_DEBYE_FACTORS_UNIT

static const int methods[] = {EXACT, HISTOGRAM, REFERENCE};
static const char *const method_names[] = {"auto", "exact", "histogram", "reference"};

static double tolerance_of(int method)
{
	return method == HISTOGRAM ? 4e-9 : 1e-12;
}

static void test_c60_has_23_distances(void **state)
{
	struct table table = read_table("C60_distances.csv");
	sonde_atoms *atoms = read_sample("C60.xyz");
	double truth[200], pairs = 0.0;
	(void)state;

	assert_int_equal(table.rows, 23);
	for (int m = 0; m < 3; ++m) {
		sonde_debye_result *result = run_simply(atoms, methods[m], UNIT, 0.1, 20.0, 200);
		pairs = 0.0;
		memset(truth, 0, sizeof truth);
		for (int64_t row = 0; row < table.rows; ++row) {
			double r = table_cell(&table, row, 0), count = table_cell(&table, row, 1);
			pairs += count;
			for (int64_t k = 0; k < 200; ++k)
				truth[k] += 2.0 * count / 60.0 * sin(result->q[k] * r) / (result->q[k] * r);
		}
		for (int64_t k = 0; k < 200; ++k)
			truth[k] += 1.0;
		assert_int_equal(result->pair_pairs[0], (int64_t)pairs);
		/* the table has means over distances that differ by 2e-8 */
		double error = largest_error(result, truth);
		print_message("C60 from 23 distances, %s: %.1e\n", method_names[methods[m]], error);
		assert_true(error < 2e-8);
		sonde_debye_result_free(&result);
	}
	sonde_atoms_free(&atoms);
	free_table(&table);
}

static void test_c60_agrees_with_the_files(void **state)
{
	static const char *const names[] = {"C60.unit.dat", "C60.wk.dat"};
	static const int factors[] = {UNIT, SONDE_DEBYE_FACTORS_WAASMAIER_KIRFEL};
	sonde_atoms *atoms = read_sample("C60.xyz");
	double truth[1000];
	(void)state;

	for (int f = 0; f < 2; ++f) {
		struct table table = read_table(names[f]);
		for (int64_t k = 0; k < 1000; ++k)
			truth[k] = table_cell(&table, k, 2);
		for (int m = 0; m < 3; ++m) {
			char what[64];
			sonde_debye_result *result = run_simply(atoms, methods[m], factors[f], 0.1, 20.08, 1000);
			snprintf(what, sizeof what, "%s, %s", names[f], method_names[methods[m]]);
			check_intensity(what, result, truth, tolerance_of(methods[m]), 2e-8);
			sonde_debye_result_free(&result);
		}
		free_table(&table);
	}
	sonde_atoms_free(&atoms);
}

/* Row of spot_values.csv: structure,N,Rg,table,q,I,I/N,S */
struct spot {
	char structure[32], table[16];
	int count;
	double q, intensity, per_atom, structure_factor;
};

static int read_spot(FILE *stream, struct spot *spot)
{
	return fscanf(stream, " %31[^,],%d,%*[^,],%15[^,],%lf,%lf,%lf,%lf", spot->structure, &spot->count,
		      spot->table, &spot->q, &spot->intensity, &spot->per_atom, &spot->structure_factor) == 7;
}

static int factors_of(const char *table)
{
	return strcmp(table, "wk") == 0   ? SONDE_DEBYE_FACTORS_WAASMAIER_KIRFEL
	       : strcmp(table, "it") == 0 ? SONDE_DEBYE_FACTORS_IT1992
					  : UNIT;
}

static void close_to(double value, double wanted, double tolerance, const struct spot *spot, const char *what)
{
	if (!(fabs(value - wanted) <= tolerance))
		fail_msg("%s, %s, q = %g: %s is %.15g instead of %.15g", spot->structure, spot->table, spot->q, what,
			 value, wanted);
}

static void check_spot(const struct spot *spot, const sonde_debye_result *result, double tolerance)
{
	int64_t k = llround((spot->q - 0.1) / 0.1);

	assert_true(k >= 0 && k < result->q_count);
	assert_close(result->q[k], spot->q, 1e-14, "result q");
	double f2 = result->mean_square_amplitude[k], scale = f2 + spot->per_atom;
	assert_int_equal(result->atom_count, spot->count);
	close_to(result->intensity[k], spot->intensity, tolerance * scale * spot->count, spot, "I");
	close_to(result->intensity_per_atom[k], spot->per_atom, tolerance * scale, spot, "I/N");
	close_to(result->structure_factor[k], spot->structure_factor,
		 1e-12 + tolerance * scale / result->square_mean_amplitude[k], spot, "S");
	close_to(result->reduced_structure_factor[k], spot->q * (result->structure_factor[k] - 1.0), 1e-12 * scale,
		 spot, "F");
}

/* All values of the table, by every method that is quick enough. */
static void test_spot_values_come_out_by_every_method(void **state)
{
	char path[512], line[256];
	FILE *stream;
	struct spot spot, last = {0};
	sonde_atoms *atoms = NULL;
	sonde_debye_result *results[3] = {NULL, NULL, NULL};
	int rows = 0;
	(void)state;

	snprintf(path, sizeof path, "%s/spot_values.csv", TEST_DATA);
	stream = fopen(path, "r");
	assert_non_null(stream);
	assert_non_null(fgets(line, sizeof line, stream));
	while (read_spot(stream, &spot)) {
		if (strcmp(spot.structure, last.structure) != 0) {
			sonde_atoms_free(&atoms);
			snprintf(line, sizeof line, "%s.xyz%s", spot.structure, spot.count > 10000 ? ".gz" : "");
			atoms = read_sample(line);
			last.table[0] = '\0';
		}
		if (strcmp(spot.table, last.table) != 0) {
			for (int m = 0; m < 3; ++m) {
				sonde_debye_result_free(&results[m]);
				if (spot.count < 100 || (spot.count < 10000 && methods[m] != REFERENCE) ||
				    methods[m] == HISTOGRAM)
					results[m] =
					    run_simply(atoms, methods[m], factors_of(spot.table), 0.1, 20.0, 200);
			}
		}
		for (int m = 0; m < 3; ++m)
			if (results[m] != NULL)
				check_spot(&spot, results[m], methods[m] == HISTOGRAM ? 1e-6 : 1e-11);
		last = spot;
		++rows;
	}
	fclose(stream);
	assert_int_equal(rows, 18 * 4);
	for (int m = 0; m < 3; ++m)
		sonde_debye_result_free(&results[m]);
	sonde_atoms_free(&atoms);
}

/* Nodes and weights of Gauss and Legendre on [-1, 1] by Newton's iteration. */
static void gauss_legendre(int n, double *node, double *weight)
{
	for (int i = 0; i < n; ++i) {
		double x = cos(PI * (i + 0.75) / (n + 0.5)), slope = 1.0;
		for (int iteration = 0; iteration < 50; ++iteration) {
			double p = 1.0, below = 0.0;
			for (int k = 1; k <= n; ++k) {
				double next = ((2 * k - 1) * x * p - (k - 1) * below) / k;
				below = p;
				p = next;
			}
			slope = n * (x * p - below) / (x * x - 1.0);
			x -= p / slope;
			if (fabs(p / slope) < 1e-16)
				break;
		}
		node[i] = x;
		weight[i] = 2.0 / ((1.0 - x * x) * slope * slope);
	}
}

/* |F(q)|^2/N of unit atoms, averaged over the directions of q. */
static double average_over_sphere(const sonde_atoms *atoms, double q, int polar, int azimuthal)
{
	double node[128], weight[128], average = 0.0;
	const double *r = sonde_atoms_positions(atoms);
	int64_t count = sonde_atoms_count(atoms);

	gauss_legendre(polar, node, weight);
	for (int a = 0; a < polar; ++a) {
		for (int b = 0; b < azimuthal; ++b) {
			double rho = sqrt(1.0 - node[a] * node[a]), phi = 2.0 * PI * b / azimuthal, re = 0.0,
			       im = 0.0;
			double qx = q * rho * cos(phi), qy = q * rho * sin(phi), qz = q * node[a];
			for (int64_t i = 0; i < count; ++i) {
				double phase = qx * r[3 * i] + qy * r[3 * i + 1] + qz * r[3 * i + 2];
				re += cos(phase);
				im += sin(phase);
			}
			average += 0.5 * weight[a] / azimuthal * (re * re + im * im) / (double)count;
		}
	}
	return average;
}

static void test_mean_over_directions_is_debyes_sum(void **state)
{
	sonde_atoms *atoms = read_sample("C60.xyz");
	double truth[5];
	(void)state;

	for (int m = 0; m < 3; ++m) {
		sonde_debye_result *result = run_simply(atoms, methods[m], UNIT, 0.5, 8.5, 5);
		char what[64];
		for (int64_t k = 0; k < 5; ++k)
			truth[k] = average_over_sphere(atoms, result->q[k], 96, 192);
		snprintf(what, sizeof what, "C60, spherical average, %s", method_names[methods[m]]);
		check_intensity(what, result, truth, tolerance_of(methods[m]), 2e-8);
		sonde_debye_result_free(&result);
	}
	sonde_atoms_free(&atoms);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_c60_has_23_distances),
	    cmocka_unit_test(test_c60_agrees_with_the_files),
	    cmocka_unit_test(test_spot_values_come_out_by_every_method),
	    cmocka_unit_test(test_mean_over_directions_is_debyes_sum),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
