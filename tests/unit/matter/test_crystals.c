/* Crystal structures: neighbors, densities, and distinct positions of all atoms. */
#include "unit/support.h"

#include <math.h>

#include "unit/builder.h"

#define SC SONDE_BUILD_CELL_SC
#define BCC SONDE_BUILD_CELL_BCC
#define FCC SONDE_BUILD_CELL_FCC
#define HCP SONDE_BUILD_CELL_HCP
#define DIAMOND SONDE_BUILD_CELL_DIAMOND
#define ROCKSALT SONDE_BUILD_CELL_ROCKSALT
#define ZINCBLENDE SONDE_BUILD_CELL_ZINCBLENDE
#define WURTZITE SONDE_BUILD_CELL_WURTZITE
#define FLUORITE SONDE_BUILD_CELL_FLUORITE
#define PEROVSKITE SONDE_BUILD_CELL_PEROVSKITE

static double distance(const sonde_atoms *atoms, int64_t i, int64_t j)
{
	const double *r = sonde_atoms_positions(atoms);

	return sqrt(pow(r[3 * i] - r[3 * j], 2) + pow(r[3 * i + 1] - r[3 * j + 1], 2) +
		    pow(r[3 * i + 2] - r[3 * j + 2], 2));
}

/* Nearest atoms of a species round atom i: their distance, and how many there are. */
static double nearest(const sonde_atoms *atoms, int64_t i, int species, int *count)
{
	double found = INFINITY;

	*count = 0;
	for (int64_t j = 0; j < sonde_atoms_count(atoms); ++j) {
		if (j == i || sonde_atoms_species(atoms)[j] != species)
			continue;
		double r = distance(atoms, i, j);
		if (r < found - 1e-9) {
			found = r;
			*count = 0;
		}
		*count += r < found + 1e-9;
	}
	return found;
}

/* In units of a, with the ideal c; textbook values. */
static const struct {
	int cell;
	const char *species;
	int from, to;
	double distance; /* squared */
	int neighbors;
} shells[] = {
    {SC, "Po", 0, 0, 1, 6},
    {BCC, "Fe", 0, 0, 3. / 4, 8},
    {FCC, "Au", 0, 0, 1. / 2, 12},
    {HCP, "Mg", 0, 0, 1, 12},
    {DIAMOND, "Si", 0, 0, 3. / 16, 4},
    {ROCKSALT, "Na,Cl", 0, 1, 1. / 4, 6},
    {ROCKSALT, "Na,Cl", 1, 0, 1. / 4, 6},
    {ROCKSALT, "Na,Cl", 0, 0, 1. / 2, 12},
    {ROCKSALT, "Na,Cl", 1, 1, 1. / 2, 12},
    {ZINCBLENDE, "Zn,S", 0, 1, 3. / 16, 4},
    {ZINCBLENDE, "Zn,S", 1, 0, 3. / 16, 4},
    {ZINCBLENDE, "Zn,S", 0, 0, 1. / 2, 12},
    {ZINCBLENDE, "Zn,S", 1, 1, 1. / 2, 12},
    {WURTZITE, "Zn,S", 0, 1, 3. / 8, 4},
    {WURTZITE, "Zn,S", 1, 0, 3. / 8, 4},
    {WURTZITE, "Zn,S", 0, 0, 1, 12},
    {WURTZITE, "Zn,S", 1, 1, 1, 12},
    {FLUORITE, "Ca,F", 0, 1, 3. / 16, 8},
    {FLUORITE, "Ca,F", 1, 0, 3. / 16, 4},
    {FLUORITE, "Ca,F", 0, 0, 1. / 2, 12},
    {FLUORITE, "Ca,F", 1, 1, 1. / 4, 6},
    {PEROVSKITE, "Sr,Ti,O", 0, 2, 1. / 2, 12},
    {PEROVSKITE, "Sr,Ti,O", 1, 2, 1. / 4, 6},
    {PEROVSKITE, "Sr,Ti,O", 0, 1, 3. / 4, 8},
    {PEROVSKITE, "Sr,Ti,O", 1, 1, 1, 6},
    {PEROVSKITE, "Sr,Ti,O", 2, 1, 1. / 4, 2},
    {PEROVSKITE, "Sr,Ti,O", 2, 0, 1. / 2, 4},
    {PEROVSKITE, "Sr,Ti,O", 2, 2, 1. / 2, 8},
};

/* Round every atom of the species in the middle of the sample, not only round the first. */
static void test_neighbors_are_those_of_the_structure(void **unused)
{
	const double a = 3.7;

	(void)unused;
	for (size_t k = 0; k < COUNT(shells); ++k) {
		sonde_build_options options = structure(shells[k].cell, shells[k].species, a);
		options.sphere = 3.2 * a;
		sonde_atoms *atoms = build(&options);
		int looked_at = 0;
		for (int64_t i = 0; i < sonde_atoms_count(atoms); ++i) {
			const double *r = sonde_atoms_positions(atoms) + 3 * i;
			int count;
			if (sonde_atoms_species(atoms)[i] != shells[k].from ||
			    r[0] * r[0] + r[1] * r[1] + r[2] * r[2] > 4 * a * a)
				continue;
			double found = nearest(atoms, i, shells[k].to, &count);
			++looked_at;
			if (fabs(found - a * sqrt(shells[k].distance)) > 1e-9 || count != shells[k].neighbors)
				fail_msg("shell %zu: %d at %.12g instead of %d at %.12g", k, count, found,
					 shells[k].neighbors, a * sqrt(shells[k].distance));
		}
		assert_true(looked_at >= 8);
		sonde_atoms_free(&atoms);
	}
}

static const double nearest_of_cell[] = {[SC] = 1,
					 [BCC] = 0.866025404,
					 [FCC] = 0.707106781,
					 [HCP] = 1,
					 [DIAMOND] = 0.433012702,
					 [ROCKSALT] = 0.5,
					 [ZINCBLENDE] = 0.433012702,
					 [WURTZITE] = 0.612372436,
					 [FLUORITE] = 0.433012702,
					 [PEROVSKITE] = 0.5};
static const char *const species_of_cell[] = {"Po",    "Fe",   "Au",   "Mg",   "Si",
					      "Na,Cl", "Zn,S", "Zn,S", "Ca,F", "Sr,Ti,O"};

static void test_no_two_atoms_share_a_place(void **unused)
{
	(void)unused;
	for (int cell = SC; cell <= PEROVSKITE; ++cell) {
		sonde_build_options options = structure(cell, species_of_cell[cell], 4);
		options.box = (sonde_vector){17, 18, 19};
		sonde_atoms *atoms = build(&options);
		double closest = INFINITY;
		for (int64_t i = 0; i < sonde_atoms_count(atoms); ++i)
			for (int64_t j = 0; j < i; ++j)
				closest = fmin(closest, distance(atoms, i, j));
		assert_within(closest, 4 * nearest_of_cell[cell], 1e-6, "closest");
		sonde_atoms_free(&atoms);
	}
}

/* Lattice constants and densities in g/cm^3 of the CRC Handbook. */
static const struct {
	int cell;
	const char *species;
	double a, c, mass[3]; /* of an atom, in u */
	double density;
} substances[] = {
    {SC, "Po", 3.359, 0, {208.98}, 9.16},
    {BCC, "Fe", 2.8665, 0, {55.845}, 7.874},
    {FCC, "Au", 4.0782, 0, {196.967}, 19.29},
    {HCP, "Mg", 3.2094, 5.2105, {24.305}, 1.737},
    {DIAMOND, "Si", 5.4310, 0, {28.0855}, 2.329},
    {ROCKSALT, "Na,Cl", 5.6402, 0, {22.990, 35.453}, 2.163},
    {ZINCBLENDE, "Zn,S", 5.4102, 0, {65.38, 32.06}, 4.087},
    {WURTZITE, "Cd,Se", 4.2985, 7.0152, {112.414, 78.971}, 5.66},
    {FLUORITE, "Ca,F", 5.4626, 0, {40.078, 18.998}, 3.181},
    {PEROVSKITE, "Sr,Ti,O", 3.905, 0, {87.62, 47.867, 15.999}, 5.117},
};

static double density(const sonde_atoms *atoms, const double *mass, double volume)
{
	double sum = 0;

	for (int s = 0; s < sonde_atoms_species_count(atoms); ++s)
		sum += mass[s] * (double)sonde_atoms_species_atoms(atoms, s);
	return sum / volume / 0.602214;
}

static void test_densities_are_the_published_ones(void **unused)
{
	(void)unused;
	for (size_t k = 0; k < COUNT(substances); ++k) {
		sonde_build_options options = structure(substances[k].cell, substances[k].species, substances[k].a);
		options.c = substances[k].c;
		options.supercell = (sonde_vector){3, 4, 5};
		sonde_atoms *atoms = build(&options);
		const double *l = atoms->lattice;
		double volume = l[0] * (l[4] * l[8] - l[5] * l[7]) - l[1] * (l[3] * l[8] - l[5] * l[6]) +
				l[2] * (l[3] * l[7] - l[4] * l[6]);
		assert_within(density(atoms, substances[k].mass, volume), substances[k].density,
			      0.005 * substances[k].density, "density");
		sonde_atoms_free(&atoms);
		options.supercell = (sonde_vector){0, 0, 0};
		options.sphere = 40;
		atoms = build(&options);
		volume = 4. / 3 * 3.14159265 * 40 * 40 * 40;
		assert_within(density(atoms, substances[k].mass, volume), substances[k].density,
			      0.02 * substances[k].density, "density");
		sonde_atoms_free(&atoms);
	}
}

/* The bonds of wurtzite by its c and u: one along c, three others. */
static void test_parameters_of_wurtzite(void **unused)
{
	sonde_build_options options = structure(WURTZITE, "Zn,O", 3.2496);
	int count;

	(void)unused;
	options.c = 5.2042;
	options.u = 0.3819;
	options.sphere = 12;
	sonde_atoms *atoms = build(&options);
	int64_t middle = 0;
	while (sonde_atoms_positions(atoms)[3 * middle] != 0 || sonde_atoms_positions(atoms)[3 * middle + 1] != 0 ||
	       sonde_atoms_positions(atoms)[3 * middle + 2] != 0)
		++middle;
	assert_int_equal(sonde_atoms_species(atoms)[middle], 0);
	assert_within(nearest(atoms, middle, 1, &count), sqrt(3.2496 * 3.2496 / 3 + pow(5.2042 * (0.5 - 0.3819), 2)),
		      1e-9, "nearest");
	assert_int_equal(count, 3);
	bool along_c = false;
	for (int64_t j = 0; j < sonde_atoms_count(atoms); ++j)
		along_c |=
		    sonde_atoms_species(atoms)[j] == 1 && fabs(distance(atoms, middle, j) - 0.3819 * 5.2042) < 1e-9;
	assert_true(along_c);
	sonde_atoms_free(&atoms);
}

static void test_c_of_hcp(void **unused)
{
	sonde_build_options options = structure(HCP, "Zn", 2.665);
	int count;

	(void)unused;
	options.c = 4.947;
	options.sphere = 10;
	sonde_atoms *atoms = build(&options);
	for (int64_t i = 0; i < sonde_atoms_count(atoms); ++i) {
		const double *r = sonde_atoms_positions(atoms) + 3 * i;
		if (r[0] * r[0] + r[1] * r[1] + r[2] * r[2] < 25) {
			assert_within(nearest(atoms, i, 0, &count), 2.665, 1e-9, "nearest");
			assert_int_equal(count, 6);
		}
	}
	sonde_atoms_free(&atoms);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_neighbors_are_those_of_the_structure),
	    cmocka_unit_test(test_no_two_atoms_share_a_place),
	    cmocka_unit_test(test_densities_are_the_published_ones),
	    cmocka_unit_test(test_parameters_of_wurtzite),
	    cmocka_unit_test(test_c_of_hcp),
	};

	return cmocka_run_group_tests(tests, open_context, close_context);
}
