/* Mean square displacements in unit cells from CIF: tensors and isotropic ones, turned by symmetry operations. */
#include "unit/matter/cif_files.h"

#include <math.h>

#include "base/constants.h"

/* A fourfold screw axis maps (x, y) to (-y, x): U_xx and U_yy change places, U_xy its sign. */
static void test_displacements_of_rutile(void **state)
{
	struct unit_cell cell;
	int seen[2] = {0, 0};

	(void)state;
	read_file("rutile", &cell);
	for (int64_t k = 0; k < cell.site_count; ++k) {
		const struct unit_cell_site *site = &cell.sites[k];
		assert_true(site->has_u && site->has_u_iso);
		if (site->atom != 1)
			continue;
		bool is_turned = fabs(site->position[2] - 0.5) < 0.1;
		++seen[is_turned];
		const double expected[6] = {0.006, 0.006, 0.004, 0.0, 0.0, is_turned ? 0.002 : -0.002};
		for (int n = 0; n < 6; ++n)
			assert_within(site->u[n], expected[n], 1e-12, "u");
		assert_close(site->u_iso, 0.016 / 3.0, 1e-12, "u");
	}
	assert_int_equal(seen[0], 2);
	assert_int_equal(seen[1], 2);
	unit_cell_free(&cell);
}

static void rotate(const double u[6], double angle, double rotated[6])
{
	double c = cos(angle), s = sin(angle);

	rotated[0] = c * c * u[0] + s * s * u[1] - 2.0 * c * s * u[5];
	rotated[1] = s * s * u[0] + c * c * u[1] + 2.0 * c * s * u[5];
	rotated[2] = u[2];
	rotated[3] = s * u[4] + c * u[3];
	rotated[4] = c * u[4] - s * u[3];
	rotated[5] = c * s * (u[0] - u[1]) + (c * c - s * s) * u[5];
}

/* The copies of silicon by the threefold screw axis, in Cartesian axes turned by 120 degrees. U_eq = (4/3 (U11 + U22 -
 * U12) + U33)/3 of hexagonal axes; along a* = x cos 30 + y sin 30 the mean square displacement is U11. */
static void test_displacements_of_quartz(void **state)
{
	struct unit_cell cell;
	double turned[6], c = cos(PI / 6.0), s = 0.5;
	int found[2] = {0, 0};

	(void)state;
	read_file("quartz", &cell);
	const double *u = cell.sites[0].u;
	assert_close(cell.sites[0].u_iso, (4.0 / 3.0 * (0.0066 + 0.0050 - 0.0025) + 0.0058) / 3.0, 1e-12, "u");
	assert_close(u[2], 0.0058, 1e-12, "u");
	assert_close(c * c * u[0] + s * s * u[1] + 2.0 * c * s * u[5], 0.0066, 1e-12, "u");
	assert_close(u[1], 0.0050, 1e-12, "u"); /* b* is along y */
	for (int64_t k = 1; k < 3; ++k)
		for (int sign = 0; sign < 2; ++sign) {
			double worst = 0.0;
			rotate(u, (sign == 0 ? 2.0 : -2.0) * PI / 3.0, turned);
			for (int n = 0; n < 6; ++n)
				worst = fmax(worst, fabs(cell.sites[k].u[n] - turned[n]));
			found[sign] += worst < 1e-12;
		}
	assert_int_equal(found[0], 1);
	assert_int_equal(found[1], 1);
	unit_cell_free(&cell);
}

/* U = B/(8 pi^2) = beta/(2 pi^2 a*_i a*_j) */
static void test_kinds_of_displacements_agree(void **state)
{
	static const char *const kinds[] = {"U", "B", "beta"};
	double first[6] = {0.0}, beta = 100.0 * DEGREE;
	const double edges[3] = {1.0 / (4.0 * sin(beta)), 0.2, 1.0 / (6.0 * sin(beta))};
	static const int i[] = {0, 1, 2, 1, 0, 0}, j[] = {0, 1, 2, 2, 2, 1};
	static const double u[] = {0.01, 0.02, 0.03, 0.004, 0.005, 0.006};
	struct unit_cell cell;
	char text[2000];

	(void)state;
	for (int kind = 0; kind < 3; ++kind) {
		int at =
		    snprintf(text, sizeof text, "%s%sNa1 0 0 0 1\nloop_\n_atom_site_aniso_label\n", head, atoms_loop);
		for (int n = 0; n < 6; ++n)
			at += snprintf(text + at, sizeof text - (size_t)at, "_atom_site_aniso_%s_%d%d\n", kinds[kind],
				       i[n] + 1, j[n] + 1);
		at += snprintf(text + at, sizeof text - (size_t)at, "Na1");
		for (int n = 0; n < 6; ++n)
			at += snprintf(text + at, sizeof text - (size_t)at, " %.15g",
				       u[n] * (kind == 0   ? 1.0
					       : kind == 1 ? 8.0 * PI * PI
							   : 2.0 * PI * PI * edges[i[n]] * edges[j[n]]));
		strcat(text, "\n");
		assert_status(SONDE_OK, read_text(text, &cell));
		assert_non_null(strstr(notes, "P 1 is assumed"));
		for (int n = 0; n < 6; ++n) {
			if (kind == 0)
				first[n] = cell.sites[0].u[n];
			assert_close(cell.sites[0].u[n], first[n], 1e-12, "u");
		}
		assert_close(first[1], 0.02, 1e-12, "u"); /* b is along y, and b* with it */
		assert_close(first[2], 0.03, 1e-12, "u"); /* c* is along z */
		unit_cell_free(&cell);
	}
}

/* Rows of tensors in another order than the atoms, some without an atom, atoms without one, and a name that occurs twice. */
static void test_tensors_belong_to_the_atoms_of_their_names(void **state)
{
	static const char *const rows =
	    "loop_\n_atom_site_aniso_label\n_atom_site_aniso_U_11\n_atom_site_aniso_U_22\n"
	    "_atom_site_aniso_U_33\n_atom_site_aniso_U_23\n_atom_site_aniso_U_13\n"
	    "_atom_site_aniso_U_12\n"
	    "O9 0.9 0.9 0.9 0 0 0\nO3 0.3 0.2 0.2 0 0 0\nO1 0.1 0.2 0.2 0 0 0\n"
	    "O5 0.5 0.2 0.2 0 0 0\nO4 0.4 0.2 0.2 0 0 0\nO1 0.7 0.2 0.2 0 0 0\n";
	static const double along_b[] = {0.2, 0.0, 0.2, 0.2, 0.2, 0.2};
	char text[2000];
	struct unit_cell cell;

	(void)state;
	snprintf(text, sizeof text,
		 "%s%sO1 0 0 0 1\nO2 0.1 0 0 1\nO3 0.2 0 0 1\nO4 0.3 0 0 1\nO5 0.4 0 0 1\nO1 0.5 0 0 1\n%s", head,
		 atoms_loop, rows);
	assert_status(SONDE_OK, read_text(text, &cell));
	assert_int_equal(cell.site_count, 6);
	for (int n = 0; n < 6; ++n) {
		assert_int_equal(cell.sites[n].has_u, along_b[n] > 0.0);
		if (cell.sites[n].has_u)
			assert_close(cell.sites[n].u[1], along_b[n], 1e-12, "u");
	}
	/* those of the first O1, and of the next one in the order of the rows */
	const double of_first = cell.sites[0].u[0];
	assert_close((cell.sites[2].u[0] - of_first) / (cell.sites[4].u[0] - of_first), 0.5, 1e-9, "u of O3 and O5");
	assert_close((cell.sites[5].u[0] - of_first) / (cell.sites[4].u[0] - of_first), 1.5, 1e-9, "u of O1 and O5");
	unit_cell_free(&cell);
}

static void test_isotropic_displacements(void **state)
{
	struct unit_cell cell;

	(void)state;
	read_file("corundum", &cell);
	assert_close(cell.sites[0].u_iso, 0.25 / (8.0 * PI * PI), 1e-12, "u");
	assert_true(cell.sites[0].has_u_iso && !cell.sites[0].has_u);
	unit_cell_free(&cell);
	read_file("calcite", &cell);
	assert_close(cell.sites[0].u_iso, 0.010, 1e-12, "u");
	assert_false(cell.sites[cell.site_count - 1].has_u_iso);
	unit_cell_free(&cell);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_displacements_of_rutile),
	    cmocka_unit_test(test_displacements_of_quartz),
	    cmocka_unit_test(test_kinds_of_displacements_agree),
	    cmocka_unit_test(test_tensors_belong_to_the_atoms_of_their_names),
	    cmocka_unit_test(test_isotropic_displacements),
	};

	if (!is_built())
		return 0;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
