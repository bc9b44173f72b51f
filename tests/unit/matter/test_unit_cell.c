/* Unit cells from CIF: atoms, composition, and neighbors of known structures, extinctions, displacements, wrong files. */
#include "unit/matter/cif_files.h"

#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/constants.h"
#include "base/memory.h"
#include "matter/elements/label.h"
#include "matter/crystal/unit_cell.h"
#include "sonde/atoms.h"
#include "sonde/context.h"

static double count_of(const struct unit_cell *cell, const char *label)
{
	double sum = 0.0;

	for (int64_t k = 0; k < cell->site_count; ++k)
		sum += strcmp(cell->sites[k].label, label) == 0 ? cell->sites[k].occupancy : 0.0;
	return sum;
}

/* Mean numbers of atoms per cell, by Z times the formula. */
static const struct {
	const char *file;
	int sites, operations;
	const char *label[4];
	double count[4];
	double volume; /* Angstrom^3 */
} contents[] = {
    {"quartz", 9, 6, {"Si", "O"}, {3, 6}, 113.13},
    {"rutile", 6, 16, {"Ti4+", "O2-"}, {2, 4}, 62.43},
    {"corundum", 30, 36, {"Al", "O"}, {12, 18}, 254.81},
    {"calcite", 10, 12, {"Ca2+", "C", "O"}, {2, 2, 6}, 122.66}, /* a third of 367.98 of the hexagonal cell */
    {"wurtzite", 4, 12, {"Zn", "O"}, {2, 2}, 47.615},
    {"spinel", 56, 192, {"Mg", "Al", "O2-"}, {8, 16, 32}, 528.14},
    {"perovskite", 5, 48, {"Sr", "Ti", "O"}, {1, 1, 3}, 59.547},
    {"baddeleyite", 12, 4, {"Zr", "O"}, {4, 8}, 140.88},
    {"olivine", 36, 8, {"Mg", "Fe2+", "Si", "O"}, {7.2, 0.8, 4, 16}, 289.82},
    {"pyrite", 12, 24, {"Fe", "S"}, {4, 8}, 159.94},
    {"ice", 20, 24, {"O", "D"}, {4, 8}, 128.24},
    {"graphite", 4, 24, {"C"}, {4}, 35.184},
};

static void test_cells_have_their_composition(void **state)
{
	struct unit_cell cell;
	struct label label;

	(void)state;
	for (size_t k = 0; k < COUNT(contents); ++k) {
		read_file(contents[k].file, &cell);
		assert_int_equal(cell.site_count, contents[k].sites);
		assert_int_equal(cell.operation_count, contents[k].operations);
		assert_close(unit_cell_volume(&cell), contents[k].volume, 2e-4, contents[k].file);
		for (int s = 0; s < 4 && contents[k].label[s] != NULL; ++s)
			assert_close(count_of(&cell, contents[k].label[s]), contents[k].count[s], 1e-12,
				     contents[k].label[s]);
		for (int64_t i = 0; i < cell.site_count; ++i) {
			assert_status(SONDE_OK, label_parse(cell.sites[i].label, &label));
			for (int j = 0; j < 3; ++j)
				assert_true(cell.sites[i].position[j] >= 0.0 && cell.sites[i].position[j] < 1.0);
		}
		unit_cell_free(&cell);
	}
}

/* Distances in Angstrom as published with the structures, or by hand: spinel a sqrt(3) (u - 1/8); pyrite a sqrt(3) (1 -
 * 2u); strontium titanate a/2, a/sqrt(2); graphite a/sqrt(3); within 0.01. */
static const struct {
	const char *file, *from, *to;
	double cutoff;
	int neighbors;
	double shortest;
} shells[] = {
    {"quartz", "Si", "O", 2.0, 4, 1.605},      {"quartz", "O", "Si", 2.0, 2, 1.605},
    {"rutile", "Ti4+", "O2-", 2.2, 6, 1.948},  {"rutile", "Ti4+", "O2-", 1.965, 4, 1.948},
    {"corundum", "Al", "O", 2.2, 6, 1.854},    {"corundum", "Al", "O", 1.9, 3, 1.854},
    {"corundum", "O", "Al", 2.2, 4, 1.854},    {"calcite", "C", "O", 1.5, 3, 1.284},
    {"calcite", "Ca2+", "O", 2.6, 6, 2.359},   {"wurtzite", "Zn", "O", 2.2, 4, 1.974},
    {"wurtzite", "Zn", "O", 1.982, 3, 1.974},  {"spinel", "Mg", "O2-", 2.2, 4, 1.9237},
    {"spinel", "Al", "O2-", 2.2, 6, 1.926},    {"spinel", "O2-", "Al", 2.2, 3, 1.926},
    {"perovskite", "Ti", "O", 2.2, 6, 1.9525}, {"perovskite", "Sr", "O", 3.0, 12, 2.7613},
    {"baddeleyite", "Zr", "O", 2.5, 7, 2.051}, {"olivine", "Si", "O", 2.0, 4, 1.614},
    {"olivine", "Mg", "O", 2.35, 6, 2.068},    {"pyrite", "Fe", "S", 2.5, 6, 2.2645},
    {"pyrite", "S", "S", 2.5, 1, 2.1618},      {"ice", "O", "D", 1.2, 4, 0.999},
    {"ice", "O", "O", 2.9, 4, 2.751},          {"graphite", "C", "C", 2.0, 3, 1.4209},
};

static double neighbors_of(const struct unit_cell *cell, const struct unit_cell_site *from, const char *to,
			   double cutoff, int *count)
{
	double shortest = INFINITY, x[3], r[3];

	*count = 0;
	for (int64_t k = 0; k < cell->site_count; ++k)
		for (int n = 0; n < 343; ++n) {
			const int shift[3] = {n % 7 - 3, n / 7 % 7 - 3, n / 49 - 3};
			for (int j = 0; j < 3; ++j)
				x[j] = cell->sites[k].position[j] + shift[j] - from->position[j];
			unit_cell_cartesian(cell, x, r);
			double distance = sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2]);
			if (strcmp(cell->sites[k].label, to) != 0 || distance < 1e-6 || distance > cutoff)
				continue;
			++*count;
			shortest = fmin(shortest, distance);
		}
	return shortest;
}

static void test_neighbors_are_those_of_the_literature(void **state)
{
	struct unit_cell cell;
	int count, checked;

	(void)state;
	for (size_t k = 0; k < COUNT(shells); ++k) {
		read_file(shells[k].file, &cell);
		checked = 0;
		for (int64_t i = 0; i < cell.site_count; ++i) {
			/* one of the atoms of olivine has other neighbors, and the second site of all images the same */
			if (strcmp(cell.sites[i].label, shells[k].from) != 0 ||
			    (checked > 0 && cell.sites[i].atom > 4))
				continue;
			double shortest = neighbors_of(&cell, &cell.sites[i], shells[k].to, shells[k].cutoff, &count);
			if (count != shells[k].neighbors)
				fail_msg("%s: %d neighbors %s of %s instead of %d", shells[k].file, count,
					 shells[k].to, cell.sites[i].name, shells[k].neighbors);
			if (checked++ == 0)
				assert_within(shortest, shells[k].shortest, 0.01, shells[k].file);
		}
		assert_true(checked > 0);
		unit_cell_free(&cell);
	}
}

/* Sum of exp(-2 pi^2 s U s) exp(2 pi i h x) with an arbitrary amplitude per label and s = h in Cartesian axes. */
static double structure_factor(const struct unit_cell *cell, const int h[3])
{
	double complex sum = 0.0;
	double normal[3], s[3] = {0.0};

	for (int k = 0; k < 3; ++k) {
		const double *b = cell->vectors[(k + 1) % 3], *c = cell->vectors[(k + 2) % 3];
		for (int j = 0; j < 3; ++j) {
			normal[j] = b[(j + 1) % 3] * c[(j + 2) % 3] - b[(j + 2) % 3] * c[(j + 1) % 3];
			s[j] += h[k] * normal[j] / unit_cell_volume(cell);
		}
	}
	for (int64_t k = 0; k < cell->site_count; ++k) {
		const struct unit_cell_site *site = &cell->sites[k];
		const double *x = site->position, *u = site->u;
		double square = site->has_u ? s[0] * s[0] * u[0] + s[1] * s[1] * u[1] + s[2] * s[2] * u[2] +
						  2.0 * (s[1] * s[2] * u[3] + s[0] * s[2] * u[4] + s[0] * s[1] * u[5])
					    : 0.0;
		sum += site->occupancy * (site->label[0] - 50.0) * exp(-2.0 * PI * PI * square) *
		       cexp(2.0 * PI * I * (h[0] * x[0] + h[1] * x[1] + h[2] * x[2]));
	}
	return cabs(sum);
}

/* Conditions of reflection in International Tables A: screw axes, glide planes, special positions. */
static const struct {
	const char *file;
	int present[3], absent[2][3];
} reflections[] = {
    {"quartz", {0, 0, 3}, {{0, 0, 1}, {0, 0, 5}}},      {"rutile", {1, 1, 0}, {{1, 0, 0}, {0, 1, 2}}},
    {"corundum", {0, 1, 2}, {{1, 0, 0}, {0, 0, 3}}},    {"calcite", {2, 1, 1}, {{1, 1, 1}, {1, 1, -1}}},
    {"wurtzite", {0, 0, 2}, {{0, 0, 1}, {1, 1, 1}}},    {"spinel", {2, 2, 0}, {{2, 0, 0}, {1, 0, 0}}},
    {"baddeleyite", {1, 1, 1}, {{0, 1, 0}, {1, 0, 1}}}, {"olivine", {1, 1, 1}, {{0, 1, 1}, {1, 0, 0}}},
    {"pyrite", {2, 0, 0}, {{1, 0, 0}, {0, 1, 1}}},      {"graphite", {0, 0, 2}, {{0, 0, 1}, {1, 1, 1}}},
};

static void test_extinctions(void **state)
{
	struct unit_cell cell;

	(void)state;
	for (size_t k = 0; k < COUNT(reflections); ++k) {
		read_file(reflections[k].file, &cell);
		assert_true(structure_factor(&cell, reflections[k].present) > 0.5);
		for (int n = 0; n < 2; ++n)
			assert_within(structure_factor(&cell, reflections[k].absent[n]), 0.0, 1e-9,
				      reflections[k].file);
		unit_cell_free(&cell);
	}
}

static void test_special_positions_become_exact(void **state)
{
	struct unit_cell cell;

	(void)state;
	read_file("wurtzite", &cell);
	assert_within(cell.sites[0].position[0], 1.0 / 3.0, 1e-12, "position");
	assert_within(cell.sites[0].position[1], 2.0 / 3.0, 1e-12, "position");
	assert_string_equal(cell.name, "ZnO");
	assert_string_equal(cell.space_group, "P 63 m c");
	unit_cell_free(&cell);
}

static void test_sites_know_their_atom_and_disorder(void **state)
{
	struct unit_cell cell;

	(void)state;
	read_file("ice", &cell);
	const struct unit_cell_site *last = &cell.sites[cell.site_count - 1];
	assert_int_equal(cell.atom_count, 3);
	assert_int_equal(last->atom, 2);
	assert_string_equal(last->name, "D2");
	assert_string_equal(last->disorder_assembly, "A");
	assert_string_equal(last->disorder_group, "2");
	assert_string_equal(cell.sites[0].disorder_group, "");
	unit_cell_free(&cell);
}

static void test_origin_choice_is_noted(void **state)
{
	struct unit_cell cell;

	(void)state;
	assert_status(SONDE_OK, read_text("data_x\n_cell_length_a 5.43\n_cell_length_b 5.43\n_cell_length_c 5.43\n"
					  "_symmetry_space_group_name_H-M 'F d -3 m'\nloop_\n_atom_site_label\n"
					  "_atom_site_fract_x\n_atom_site_fract_y\n_atom_site_fract_z\nSi1 0 0 0\n",
					  &cell));
	assert_non_null(strstr(notes, "F d -3 m:1 is assumed"));
	assert_int_equal(cell.site_count, 8);
	unit_cell_free(&cell);
	assert_status(SONDE_OK, read_text("data_x\n_cell_length_a 5.43\n_cell_length_b 5.43\n_cell_length_c 5.43\n"
					  "_symmetry_space_group_name_H-M 'F d -3 m Z'\nloop_\n_atom_site_label\n"
					  "_atom_site_fract_x\n_atom_site_fract_y\n_atom_site_fract_z\nSi1 1/8 0 0\n",
					  &cell) == SONDE_INVALID
				    ? SONDE_OK
				    : SONDE_INVALID);
	assert_message("'1/8' is not a number");
}

static void test_suspicious_files_are_noted(void **state)
{
	static const struct {
		const char *group, *rows, *words;
	} suspicious[] = {
	    {"_symmetry_space_group_name_H-M 'P 1 21/c 1'\n_symmetry_equiv_pos_as_xyz x,y,z\n", "Na1 0 0 0 1\n",
	     "lists 1 symmetry operations, but P 1 21/c 1 has 4"},
	    {"loop_\n_atom_site_aniso_label\n_atom_site_aniso_U_11\nNa1 0.01\n", "Na1 0 0 0 1\n",
	     "they have 1 of the 6 components"},
	    {"_symmetry_space_group_name_H-M 'P -1'\n", "Na1 0.01 0 0 1\n", "atom Na1 are only 0.08 Angstrom apart"},
	    {"", "Na1 0 0 0 1\nK1 ? ? ? 1\n", "atom K1 has no position"},
	};
	struct unit_cell cell;
	char text[2000];

	(void)state;
	for (size_t k = 0; k < COUNT(suspicious); ++k) {
		snprintf(text, sizeof text, "%s%s%s%s", head, suspicious[k].group, atoms_loop, suspicious[k].rows);
		assert_status(SONDE_OK, read_text(text, &cell));
		if (strstr(notes, suspicious[k].words) == NULL)
			fail_msg("'%s' is not in the notes: %s", suspicious[k].words, notes);
		unit_cell_free(&cell);
	}
}

static void test_atoms_without_type(void **state)
{
	static const struct {
		const char *name, *label;
	} names[] = {{"Si1", "Si"}, {"OW1", "O"}, {"SI1", NULL}, {"D1", "D"},
		     {"HO1", NULL}, {"Cb", "C"},  {"X1", NULL}};
	struct unit_cell cell;
	char text[1000];

	(void)state;
	for (size_t k = 0; k < COUNT(names); ++k) {
		snprintf(text, sizeof text, "%s%s%s 0 0 0 1\n", head, atoms_loop, names[k].name);
		if (names[k].label == NULL) {
			assert_invalid("_atom_site_type_symbol", read_text(text, &cell));
			continue;
		}
		assert_status(SONDE_OK, read_text(text, &cell));
		assert_string_equal(cell.sites[0].label, names[k].label);
		unit_cell_free(&cell);
	}
}

/* The rows end a file that is in order; `group` is an additional line. */
static const struct {
	const char *group, *rows, *words;
} wrong[] = {
    {"_symmetry_space_group_name_H-M 'P 21/q'\n", "Na1 0 0 0 1\n", "unknown space group 'P 21/q'"},
    {"_space_group_name_Hall 'nonsense'\n", "Na1 0 0 0 1\n", "unknown space group 'nonsense'"},
    {"_space_group_IT_number 231\n", "Na1 0 0 0 1\n", "unknown space group '231'"},
    {"_symmetry_space_group_name_H-M 'P 4/m m m'\n", "Na1 0 0 0 1\n", "cell does not have the symmetry"},
    {"", "Na1 0 0 0 1.5\n", "cell.cif:6: atom Na1: an occupancy of 1.5"},
    {"", "Na1 0 0 0 -0.1\n", "an occupancy of -0.1"},
    {"", "Na1 0 0 0\n", "cell.cif:6: not valid CIF: Wrong number of values in the loop"},
    {"", "Na1 0 zero 0 1\n", "'zero' is not a number"},
    {"", "Na1 0 nan 0 1\n", "'nan' is not a number"},
    {"", "Na1 0 1.2(x) 0 1\n", "'1.2(x)' is not a number"},
    {"", "Na1 0 1e9 0 1\n", "out of range"},
    {"", "Na1 ? ? ? 1\n", "none of the atoms has a position"},
    {"", "Na1 0 0 0 'one\n", "not valid CIF"},
    {"", "Na1 0 0 0 0.6\nK1 0 0 1 0.6\n", "atoms Na1 and K1 are at one place, where the occupancies add up to 1.2"},
    {"_symmetry_equiv_pos_as_xyz 'x,y'\n", "Na1 0 0 0 1\n", "is not a symmetry operation"},
    {"_symmetry_equiv_pos_as_xyz 'x,y,2z'\n", "Na1 0 0 0 1\n", "does not map the lattice onto itself"},
    {"loop_\n_symmetry_equiv_pos_as_xyz\nx,y,z\n-x,y+1/3,-z\n", "Na1 0 0 0 1\n", "are not a group"},
    {"loop_\n_atom_site_type_symbol\nNa\n", "Na1 0 0 0 1\n",
     "is not in the loop of the atoms, which begins in line 9"},
    {"_cell_length_a 4\n", "Na1 0 0 0 1\n", "duplicate tag _cell_length_a"},
};

static void test_wrong_files(void **state)
{
	struct unit_cell cell;
	char text[2000];

	(void)state;
	for (size_t k = 0; k < COUNT(wrong); ++k) {
		snprintf(text, sizeof text, "%s%s%s%s", head, wrong[k].group, atoms_loop, wrong[k].rows);
		assert_invalid(wrong[k].words, read_text(text, &cell));
		assert_null(cell.sites);
	}
}

static void test_wrong_cells(void **state)
{
	static const char *const cells[][2] = {
	    {"_cell_length_a 4\n_cell_length_b 4\n", "needs _cell_length_c"},
	    {"_cell_length_a nan\n_cell_length_b 4\n_cell_length_c 4\n", "'nan' is not a number"},
	    {"_cell_length_a -4\n_cell_length_b 4\n_cell_length_c 4\n", "edge of -4 Angstrom"},
	    {"_cell_length_a 4\n_cell_length_b 4\n_cell_length_c 4\n_cell_angle_gamma 0\n",
	     "cell.cif:2: cell: an angle of 0 degrees"},
	    {"_cell_length_a 4\n_cell_length_b 4\n_cell_length_c 4\n_cell_angle_gamma 170\n_cell_angle_alpha 60\n",
	     "impossible together"},
	};
	struct unit_cell cell;
	char text[2000];

	(void)state;
	for (size_t k = 0; k < COUNT(cells); ++k) {
		snprintf(text, sizeof text, "data_x\n%s%sNa1 0 0 0 1\n", cells[k][0], atoms_loop);
		assert_invalid(cells[k][1], read_text(text, &cell));
	}
	assert_invalid("has no atoms", read_text("data_x\n_cell_length_a 4\n", &cell));
	assert_invalid("Cartesian coordinates", read_text("data_x\nloop_\n_atom_site.Cartn_x\n1\n2\n", &cell));
	assert_invalid("cell.cif", read_text("", &cell));
	assert_invalid("not valid CIF", read_text("Na 0 0 0\n", &cell));
}

/* A file that ends anywhere is read or refused, and its cell is empty or complete. */
static void test_truncated_files(void **state)
{
	struct unit_cell cell;
	size_t size;
	char *bytes = test_read(FILES "olivine.cif", &size);
	int refused = 0;

	(void)state;
	assert_non_null(bytes);
	for (size_t n = 0; n < size; n += 37) {
		sonde_status status = read_named(test_write("cut.cif", bytes, n), &cell);
		assert_true(status == SONDE_OK || status == SONDE_INVALID);
		assert_true((status == SONDE_OK) == (cell.site_count > 0));
		refused += status == SONDE_INVALID;
		unit_cell_free(&cell);
	}
	assert_true(refused > 20);
	free(bytes);
}

static void test_samples(void **state)
{
	sonde_context *context;
	sonde_atoms *atoms;
	size_t size;
	char *bytes = test_read(FILES "olivine.cif", &size);

	(void)state;
	assert_non_null(bytes);
	assert_status(SONDE_OK, sonde_context_create(&context));
	assert_status(SONDE_OK, sonde_atoms_read(context, test_write_gzip("o.cif.gz", bytes, size), 0, &atoms));
	assert_int_equal(sonde_atoms_count(atoms), 36);
	assert_int_equal(sonde_atoms_periodic(atoms, 0), -1);
	assert_close(sonde_atoms_cell(atoms)[4], 10.1943, 1e-12, "cell");
	assert_close(sonde_atoms_occupancies(atoms)[0], 0.9, 1e-12, "cell");
	sonde_atoms_free(&atoms);
	assert_invalid("structures", sonde_atoms_read(context, FILES "olivine.cif", 2, &atoms));
	sonde_context_free(&context);
	free(bytes);
}

/* Every allocation fails once. */
static void test_lack_of_memory(void **state)
{
	struct unit_cell cell;
	int failures = 0;

	(void)state;
	for (int n = 1; n < 200; ++n) {
		memory_fail_after(n);
		sonde_status status = read_named(FILES "ice.cif", &cell);
		memory_fail_after(0);
		if (status == SONDE_OK)
			break;
		assert_int_equal(status, SONDE_RESOURCE);
		assert_null(cell.sites);
		++failures;
	}
	unit_cell_free(&cell);
	assert_true(failures > 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_cells_have_their_composition),
	    cmocka_unit_test(test_neighbors_are_those_of_the_literature),
	    cmocka_unit_test(test_extinctions),
	    cmocka_unit_test(test_special_positions_become_exact),
	    cmocka_unit_test(test_sites_know_their_atom_and_disorder),
	    cmocka_unit_test(test_origin_choice_is_noted),
	    cmocka_unit_test(test_suspicious_files_are_noted),
	    cmocka_unit_test(test_atoms_without_type),
	    cmocka_unit_test(test_wrong_files),
	    cmocka_unit_test(test_wrong_cells),
	    cmocka_unit_test(test_truncated_files),
	    cmocka_unit_test(test_samples),
	    cmocka_unit_test(test_lack_of_memory),
	};

	if (!is_built())
		return 0;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
