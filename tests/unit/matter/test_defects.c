/* Faults, relaxation, strain, substitutions, vacancies, and displacements. */
#include "unit/support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "matter/generate/defects.h"
#include "unit/builder.h"

static sonde_atoms *rocksalt(int cells)
{
	sonde_build_options options = structure(SONDE_BUILD_CELL_ROCKSALT, "Co,O", 4);

	options.supercell = (sonde_vector){cells, cells, cells};
	return build(&options);
}

static int64_t species_atoms(const sonde_atoms *atoms, const char *label)
{
	for (int s = 0; s < atoms->species_count; ++s)
		if (strcmp(atoms->species[s].label, label) == 0)
			return atoms->species[s].atoms;
	return 0;
}

/* The counts of the species are those of the atoms. */
static void assert_counted(const sonde_atoms *atoms)
{
	for (int s = 0; s < atoms->species_count; ++s) {
		int64_t count = 0;
		for (int64_t i = 0; i < atoms->count; ++i)
			count += atoms->species_of[i] == s;
		assert_true(count == atoms->species[s].atoms && count > 0);
	}
}

static void test_substitutions_have_exact_numbers(void **unused)
{
	sonde_atoms *atoms = rocksalt(5), *before = rocksalt(5); /* 500 Co, 500 O */

	(void)unused;
	/* 0.333 of 500 is 166.5, rounded up; fractions are those of the original numbers */
	assert_status(SONDE_OK, defects_substitute("Co:Fe=0.333,Co:Ni=0.25,O:S=0.0029", 7, atoms));
	assert_true(species_atoms(atoms, "Fe") == 167 && species_atoms(atoms, "Ni") == 125);
	assert_true(species_atoms(atoms, "Co") == 500 - 167 - 125);
	assert_true(species_atoms(atoms, "S") == 1 && species_atoms(atoms, "O") == 499);
	assert_counted(atoms);
	assert_memory_equal(atoms->positions, before->positions, 3 * 1000 * sizeof(double));
	for (int64_t i = 0; i < 1000; ++i) {
		const char *label = atoms->species[atoms->species_of[i]].label;
		assert_true((before->species_of[i] == 0) == (strcmp(label, "O") != 0 && strcmp(label, "S") != 0));
	}
	assert_status(SONDE_OK, defects_substitute("O:F=1", 7, atoms));
	assert_true(species_atoms(atoms, "O") == 0 && species_atoms(atoms, "F") == 499);
	assert_counted(atoms);
	sonde_atoms_free(&atoms);
	sonde_atoms_free(&before);
}

/* Each atom is chosen as often as any other, and a pair as often as the fraction's square. */
static void test_choices_are_uniform(void **unused)
{
	enum { SEEDS = 2000, ATOMS = 64 };
	int chosen[ATOMS] = {0}, pairs = 0;

	(void)unused;
	for (int seed = 0; seed < SEEDS; ++seed) {
		sonde_atoms *atoms = rocksalt(2);
		assert_true(atoms->count == ATOMS);
		assert_status(SONDE_OK, defects_substitute("Co:Fe=0.25", seed, atoms));
		int first = -1, second = -1;
		for (int i = 0, cobalt = 0; i < ATOMS; ++i) {
			const char *label = atoms->species[atoms->species_of[i]].label;
			const bool replaced = strcmp(label, "Fe") == 0;
			chosen[i] += replaced;
			if (strcmp(label, "O") == 0)
				continue;
			first = cobalt == 0 ? replaced : first;
			second = cobalt == 17 ? replaced : second;
			++cobalt;
		}
		pairs += first == 1 && second == 1;
		sonde_atoms_free(&atoms);
	}
	/* 5 standard deviations of binomial numbers */
	for (int i = 0; i < ATOMS; ++i)
		assert_true(chosen[i] == 0 || fabs(chosen[i] - 0.25 * SEEDS) < 5 * sqrt(SEEDS * 0.25 * 0.75));
	const double pair = 8.0 / 32 * 7 / 31;
	assert_within(pairs, pair * SEEDS, 5 * sqrt(SEEDS * pair), "pairs");
}

static void test_vacancies(void **unused)
{
	sonde_atoms *atoms = rocksalt(4), *before = rocksalt(4), *same = rocksalt(4); /* 256 of each */
	int64_t at = 0;

	(void)unused;
	assert_status(SONDE_OK, defects_remove("O=0.1,Co=0.02", 3, atoms));
	assert_true(species_atoms(atoms, "O") == 256 - 26 && species_atoms(atoms, "Co") == 256 - 5);
	assert_true(atoms->count == 512 - 31);
	assert_counted(atoms);
	for (int64_t i = 0; i < atoms->count; ++i, ++at) { /* in the same order */
		while (memcmp(before->positions + 3 * at, atoms->positions + 3 * i, 3 * sizeof(double)) != 0)
			assert_true(++at < before->count);
		assert_true(before->species_of[at] == atoms->species_of[i]);
	}
	assert_status(SONDE_OK, defects_remove("O=0.1,Co=0.02", 3, same));
	assert_memory_equal(atoms->positions, same->positions, 3 * (size_t)atoms->count * sizeof(double));
	assert_status(SONDE_OK, defects_remove("0.5", 3, before));
	assert_true(species_atoms(before, "O") == 128 && species_atoms(before, "Co") == 128);
	assert_status(SONDE_OK, defects_remove("Co=1", 3, before));
	assert_true(before->species_count == 1 && before->count == 128);
	assert_invalid("no atom is left", defects_remove("1", 3, before));
	sonde_atoms_free(&atoms);
	sonde_atoms_free(&before);
	sonde_atoms_free(&same);
}

/* Means, mean squares, and fourth moments of normal numbers; each atom's displacement is that of its index. */
static void test_displacements_are_normal(void **unused)
{
	static const double sigma[2] = {0.08, 0.2};
	sonde_atoms *atoms = rocksalt(14), *before = rocksalt(14), *small = rocksalt(14); /* 10,976 of each */
	double mean[2] = {0}, square[2] = {0}, fourth[2] = {0}, product = 0.0;

	(void)unused;
	assert_status(SONDE_OK, defects_displace("Co=0.08,O=0.2", 5, atoms));
	assert_status(SONDE_OK, defects_displace("0.01", 5, small));
	for (int64_t i = 0; i < atoms->count; ++i) {
		const int s = atoms->species_of[i];
		double u[3];
		for (int k = 0; k < 3; ++k) {
			const double d = atoms->positions[3 * i + k] - before->positions[3 * i + k];
			u[k] = d / sigma[s];
			mean[s] += u[k];
			square[s] += u[k] * u[k];
			fourth[s] += pow(u[k], 4);
			assert_within(d / sigma[s],
				      (small->positions[3 * i + k] - before->positions[3 * i + k]) / 0.01, 1e-10,
				      "displacement");
		}
		product += u[0] * u[1] + u[1] * u[2] + u[0] * u[2];
	}
	const double count = 3 * 10976.0; /* standard deviations 1, sqrt(2), sqrt(96) per sqrt(count) */
	for (int s = 0; s < 2; ++s) {
		assert_within(mean[s] / count, 0.0, 4 / sqrt(count), "mean");
		assert_within(square[s] / count, 1.0, 4 * sqrt(2 / count), "mean square");
		assert_within(fourth[s] / count, 3.0, 4 * sqrt(96 / count), "fourth moment");
	}
	assert_within(product / (2 * count), 0.0, 4 / sqrt(2 * count), "correlation");
	assert_status(SONDE_OK, defects_displace("0.01", 6, before));
	assert_true(memcmp(small->positions, before->positions, 3 * sizeof(double)) != 0);
	sonde_atoms_free(&atoms);
	sonde_atoms_free(&before);
	sonde_atoms_free(&small);
}

static void test_strain_transforms_distances(void **unused)
{
	static const double matrix[3][3] = {{1.01, 0.02, -0.03}, {0.04, 0.95, 0.06}, {-0.07, 0.08, 1.09}};
	sonde_atoms *atoms = rocksalt(2), *before = rocksalt(2), *voigt = rocksalt(2);

	(void)unused;
	assert_status(SONDE_OK, defects_strain("0.01,0.02,-0.03,0.04,-0.05,0.06,-0.07,0.08,0.09", atoms));
	for (int64_t i = 1; i < atoms->count; ++i) {
		double expected = 0.0, got = 0.0;
		for (int k = 0; k < 3; ++k) {
			double part = 0.0;
			for (int m = 0; m < 3; ++m)
				part += matrix[k][m] *
					(before->positions[3 * i + m] - before->positions[3 * (i - 1) + m]);
			expected += part * part;
			got += pow(atoms->positions[3 * i + k] - atoms->positions[3 * (i - 1) + k], 2);
		}
		assert_close(got, expected, 1e-13, "squared distance");
	}
	assert_within(atoms->lattice[0], 8 * 1.01, 1e-12, "a");
	assert_within(atoms->lattice[1], 8 * 0.04, 1e-12, "a along y");
	assert_within(atoms->lattice[8], 8 * 1.09, 1e-12, "c");
	/* a shear of Voigt's is twice the tensor's; by 1 % in all directions */
	assert_status(SONDE_OK, defects_strain("0.01,0,0,0.06,0.04,0.02", voigt));
	sonde_atoms_free(&atoms);
	atoms = rocksalt(2);
	assert_status(SONDE_OK, defects_strain("0.01,0.01,0.02,0.01,0,0.03,0.02,0.03,0", atoms));
	assert_memory_equal(atoms->positions, voigt->positions, 3 * 64 * sizeof(double));
	assert_status(SONDE_OK, defects_strain("0.01", before));
	assert_within(before->lattice[4], 8.08, 1e-12, "b");
	assert_within(before->lattice[3], 0.0, 0.0, "b along x");
	sonde_atoms_free(&atoms);
	sonde_atoms_free(&before);
	sonde_atoms_free(&voigt);
}

static void test_relaxation_of_a_surface(void **unused)
{
	sonde_build_options options = structure(SONDE_BUILD_CELL_SC, "Po", 3);
	double outermost = 0.0;

	(void)unused;
	options.sphere = 9.1;
	sonde_atoms *before = build(&options);
	strcpy(options.relax, "-0.02,3");
	sonde_atoms *atoms = build(&options);
	assert_true(atoms->count == before->count);
	/* the outermost atoms are those at 9 Angstrom along the axes, and 6, 6, 3 */
	for (int64_t i = 0; i < atoms->count; ++i) {
		const double *r = before->positions + 3 * i;
		const double length = sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2]);
		for (int k = 0; k < 3; ++k)
			assert_within(atoms->positions[3 * i + k], r[k] * (1 - 0.02 * exp((length - 9) / 3)), 1e-12,
				      "position");
		outermost = fmax(outermost, atoms->positions[3 * i]);
	}
	assert_within(outermost, 9 * 0.98, 1e-12, "outermost atom");
	sonde_atoms_free(&atoms);
	sonde_atoms_free(&before);
}

/* Well inside a sphere of fcc gold all atoms have 12 neighbors at a/sqrt(2). An atom straight above another, along [111], is three
 * planes away, but two at a plane in a hexagonal surrounding: returns the number of planes (111) of such atoms. */
static int hexagonal_planes(const char *fault)
{
	const double a = 4, near = a / sqrt(2.0), far = a * sqrt(4.0 / 3.0);
	sonde_build_options options = structure(SONDE_BUILD_CELL_FCC, "Au", a);
	bool hexagonal[41] = {false};
	int planes = 0, inner = 0;

	options.sphere = 17;
	strcpy(options.fault, fault);
	sonde_atoms *atoms = build(&options);
	for (int64_t i = 0; i < atoms->count; ++i) {
		const double *r = atoms->positions + 3 * i;
		const int plane = (int)lround((r[0] + r[1] + r[2]) / a) + 20;
		int neighbors = 0;
		if (sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2]) > 7)
			continue;
		for (int64_t j = 0; j < atoms->count; ++j) {
			const double *q = atoms->positions + 3 * j;
			const double d = sqrt(pow(r[0] - q[0], 2) + pow(r[1] - q[1], 2) + pow(r[2] - q[2], 2));
			assert_true(i == j || d > near - 1e-9);
			neighbors += fabs(d - near) < 1e-6;
			if (fabs(d - far) < 1e-6 && q[0] + q[1] + q[2] > r[0] + r[1] + r[2])
				hexagonal[plane + 1] = true;
		}
		assert_int_equal(neighbors, 12);
		++inner;
	}
	assert_true(inner > 80);
	for (int k = 0; k < 41; ++k)
		planes += hexagonal[k];
	sonde_atoms_free(&atoms);
	return planes;
}

static void test_faults_and_twins_of_fcc(void **unused)
{
	const double t = 4.0 / 6, d = 4 / sqrt(3.0);
	char fault[200];

	(void)unused;
	assert_int_equal(hexagonal_planes(""), 0);
	snprintf(fault, sizeof fault, "1,1,1=%.12g:%.12g,%.12g,%.12g", 0.5 * d, t, t, -2 * t);
	assert_int_equal(hexagonal_planes(fault), 2);
	snprintf(fault, sizeof fault, "1,1,1=%.12g:%.12g,%.12g,%.12g:%.12g", 0.5 * d, t, t, -2 * t, d);
	assert_int_equal(hexagonal_planes(fault), 1);
	/* two faults of neighboring planes: extrinsic, ABC|B|ABC */
	snprintf(fault, sizeof fault, "1,1,1=%.12g:%.12g,%.12g,%.12g/1,1,1=%.12g:%.12g,%.12g,%.12g", 0.5 * d, t, t,
		 -2 * t, 1.5 * d, t, t, -2 * t);
	assert_int_equal(hexagonal_planes(fault), 2);
}

static void test_faults_along_an_axis(void **unused)
{
	sonde_atoms *atoms = rocksalt(2), *before = rocksalt(2);

	(void)unused;
	assert_status(SONDE_OK, defects_fault("z=3:1.2,0.7,0/x=1e3:5,5,5", atoms));
	for (int64_t i = 0; i < atoms->count; ++i) {
		const double *r = before->positions + 3 * i;
		assert_within(atoms->positions[3 * i], r[0] + (r[2] > 3 ? 1.2 : 0), 1e-12, "x");
		assert_within(atoms->positions[3 * i + 1], r[1] + (r[2] > 3 ? 0.7 : 0), 1e-12, "y");
		assert_within(atoms->positions[3 * i + 2], r[2], 0.0, "z");
	}
	sonde_atoms_free(&atoms);
	sonde_atoms_free(&before);
}

static void test_same_seed_same_sample(void **unused)
{
	sonde_build_options options = structure(SONDE_BUILD_CELL_ROCKSALT, "Co,O", 4.2614);
	sonde_atoms *samples[4];

	(void)unused;
	options.sphere = 20;
	strcpy(options.substitute, "Co:Fe=0.1");
	strcpy(options.vacancies, "O=0.05");
	strcpy(options.displace, "0.08");
	strcpy(options.strain, "0.01,0,0,0,0,0");
	for (int k = 0; k < 4; ++k) {
		assert_status(SONDE_OK, sonde_context_set_threads(build_context, (const int64_t[]){1, 2, 5, 5}[k]));
		options.seed = k == 3 ? 2 : 1;
		samples[k] = build(&options);
		assert_true(samples[k]->count == samples[0]->count);
	}
	const size_t size = (size_t)samples[0]->count;
	for (int k = 1; k < 3; ++k) {
		assert_memory_equal(samples[0]->positions, samples[k]->positions, 3 * size * sizeof(double));
		assert_memory_equal(samples[0]->species_of, samples[k]->species_of, size * sizeof(uint16_t));
	}
	assert_true(memcmp(samples[0]->positions, samples[3]->positions, 3 * size * sizeof(double)) != 0);
	for (int k = 0; k < 4; ++k)
		sonde_atoms_free(&samples[k]);
}

static void test_what_is_refused(void **unused)
{
	sonde_atoms *atoms = rocksalt(2);

	(void)unused;
	assert_invalid("no atoms 'Fe'", defects_substitute("Fe:Co=0.1", 1, atoms));
	assert_invalid("FROM:TO=FRACTION", defects_substitute("Co=0.1", 1, atoms));
	assert_invalid("exceed 1", defects_substitute("Co:Fe=0.7,Co:Ni=0.7", 1, atoms));
	assert_invalid("unknown species 'Xx'", defects_substitute("O:Xx=0.1", 1, atoms));
	assert_invalid("0 to 1 are possible", defects_remove("O=1.5", 1, atoms));
	assert_invalid("stands alone", defects_remove("O=0.5,0.1", 1, atoms));
	assert_invalid("no atoms 'Au'", defects_remove("Au=0.5", 1, atoms));
	assert_invalid("missing after the last comma", defects_displace("O=0.5,", 1, atoms));
	assert_invalid("'much' is not a number", defects_displace("O=much", 1, atoms));
	assert_invalid("no atoms 'Au'", defects_displace("Au=0.5", 1, atoms));
	assert_invalid("1, 6 or 9 numbers, not 2", defects_strain("0.1,0.1", atoms));
	assert_invalid("must stay above 0", defects_strain("-1", atoms));
	assert_invalid("'' is not a number", defects_strain("1,,1", atoms));
	assert_invalid("has no surface", defects_relax("-0.02,3", atoms));
	assert_invalid("is not A,D", defects_relax("-0.02", atoms));
	assert_invalid("is not A,D", defects_relax("-0.02,0", atoms));
	assert_invalid("is not NORMAL=POSITION:SHIFT", defects_fault("z=0", atoms));
	assert_invalid("is not NORMAL=POSITION:SHIFT", defects_fault("z=0:1,2,3:0", atoms));
	assert_invalid("is not NORMAL=POSITION:SHIFT", defects_fault("z=0:1,2,3/", atoms));
	assert_invalid("is not a normal", defects_fault("0,0,0=0:1,2,3", atoms));
	assert_invalid("'w' is not a number", defects_fault("w=0:1,2,3", atoms));
	sonde_atoms_free(&atoms);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_substitutions_have_exact_numbers),
	    cmocka_unit_test(test_choices_are_uniform),
	    cmocka_unit_test(test_vacancies),
	    cmocka_unit_test(test_displacements_are_normal),
	    cmocka_unit_test(test_strain_transforms_distances),
	    cmocka_unit_test(test_relaxation_of_a_surface),
	    cmocka_unit_test(test_faults_and_twins_of_fcc),
	    cmocka_unit_test(test_faults_along_an_axis),
	    cmocka_unit_test(test_same_seed_same_sample),
	    cmocka_unit_test(test_what_is_refused),
	};

	return cmocka_run_group_tests(tests, open_context, close_context);
}
