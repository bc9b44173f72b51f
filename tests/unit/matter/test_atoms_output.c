/* Files of atoms in all formats: read back by the library where it reads them, else parsed here. */
#include "unit/support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <zlib.h>

#include "base/constants.h"
#include "matter/atoms/atoms.h"

static const double skewed[9] = {7.0, 1.0, -0.5, -2.0, 6.0, 1.5, 0.7, -1.1, 9.0};

/* Atoms of several species in random order, around the origin. */
static sonde_atoms *random_atoms(int count, double size)
{
	static const char *const labels[] = {"Co2+", "O2-", "58Ni"};
	sonde_atoms *atoms;
	uint64_t state = 5;

	assert_status(SONDE_OK, sonde_atoms_create(&atoms));
	for (int k = 0; k < count; ++k) {
		const char *label = labels[test_random(&state) % 3];
		const double position[3] = {size * (test_random_real(&state) - 0.5),
					    size * (test_random_real(&state) - 0.5),
					    size * (test_random_real(&state) - 0.5)};
		assert_status(SONDE_OK, sonde_atoms_add(atoms, label, position));
	}
	return atoms;
}

/* The text of a file that is written now; to be freed. */
static char *text_of(const sonde_atoms *atoms, const char *name)
{
	size_t size;
	char *text;

	assert_status(SONDE_OK, sonde_atoms_write(NULL, atoms, test_path(name), 1));
	text = test_read(test_path(name), &size);
	assert_non_null(text);
	return text;
}

static void assert_same_atoms(const sonde_atoms *a, const sonde_atoms *b, double tolerance)
{
	assert_true(sonde_atoms_count(a) == sonde_atoms_count(b));
	for (int64_t i = 0; i < sonde_atoms_count(a); ++i) {
		assert_string_equal(sonde_atoms_species_label(a, sonde_atoms_species(a)[i]),
				    sonde_atoms_species_label(b, sonde_atoms_species(b)[i]));
		for (int64_t k = 3 * i; k < 3 * i + 3; ++k)
			assert_within(sonde_atoms_positions(a)[k], sonde_atoms_positions(b)[k], tolerance,
				      "coordinate");
	}
}

static double distance(const double *positions, int64_t i, int64_t j)
{
	double square = 0.0;

	for (int k = 0; k < 3; ++k)
		square += pow(positions[3 * i + k] - positions[3 * j + k], 2.0);
	return sqrt(square);
}

static void assert_same_distances(const double *a, const double *b, int64_t count, double tolerance)
{
	for (int64_t i = 0; i < count; ++i)
		for (int64_t j = 0; j < i; ++j)
			assert_within(distance(a, i, j), distance(b, i, j), tolerance, "distance");
}

static double determinant(const double m[9])
{
	return m[0] * (m[4] * m[8] - m[5] * m[7]) - m[1] * (m[3] * m[8] - m[5] * m[6]) +
	       m[2] * (m[3] * m[7] - m[4] * m[6]);
}

static void make_left_handed(double cell[9])
{
	memcpy(cell, skewed, sizeof skewed);
	for (int k = 0; k < 3; ++k)
		cell[k] = -cell[k];
	assert_true(determinant(cell) < 0.0);
}

/* The first line after the one that is `words`, or begins with them. */
static char *after(char *text, const char *words)
{
	char *found = strstr(text, words);

	assert_non_null(found);
	found = strchr(found, '\n');
	assert_non_null(found);
	return found + 1;
}

static void test_xyz_has_the_digits_of_printf(void **unused)
{
	sonde_atoms *atoms = random_atoms(9000, 300.0); /* several blocks of rows */
	char *text = text_of(atoms, "digits.xyz"), *line = after(text, "Properties"), wanted[128], number[32];

	(void)unused;
	for (int64_t i = 0; i < 9000; ++i) {
		strcpy(wanted, sonde_atoms_species_label(atoms, sonde_atoms_species(atoms)[i]));
		for (int k = 0; k < 3; ++k) {
			const double x = sonde_atoms_positions(atoms)[3 * i + k];
			sprintf(number, " %.15g", x);
			if (strtod(number, NULL) != x)
				sprintf(number, " %.17g", x);
			strcat(wanted, number);
		}
		strcat(wanted, "\n");
		if (strncmp(line, wanted, strlen(wanted)) != 0)
			fail_msg("row %lld: '%.60s' instead of '%s'", (long long)i, line, wanted);
		line += strlen(wanted);
	}
	assert_int_equal(*line, '\0');
	free(text);
	sonde_atoms_free(&atoms);
}

/* All bytes of a gzip file with any number of members; to be freed. */
static char *inflate_file(const char *path, size_t *size)
{
	gzFile file = gzopen(path, "rb");
	char *bytes = malloc(1 << 24);
	const int got = gzread(file, bytes, (1 << 24) - 1);

	assert_true(got >= 0 && gzclose(file) == Z_OK);
	*size = (size_t)got;
	bytes[got] = '\0';
	return bytes;
}

static void test_gzip_is_the_same_for_all_threads(void **unused)
{
	sonde_atoms *atoms = random_atoms(60000, 300.0); /* 3.5 MB: four members */
	char *plain = text_of(atoms, "plain.xyz"), *one = NULL;
	size_t size, first_size = 0, inflated;

	(void)unused;
	for (int threads = 1; threads <= 3; ++threads) {
		sonde_context *context;
		assert_status(SONDE_OK, sonde_context_create(&context));
		assert_status(SONDE_OK, sonde_context_set_threads(context, threads));
		assert_status(SONDE_OK, sonde_atoms_write(context, atoms, test_path("packed.xyz.gz"), 1));
		char *packed = test_read(test_path("packed.xyz.gz"), &size);
		if (one == NULL) {
			one = packed;
			first_size = size;
		} else {
			assert_true(size == first_size && memcmp(packed, one, size) == 0);
			free(packed);
		}
		sonde_context_free(&context);
	}
	char *text = inflate_file(test_path("packed.xyz.gz"), &inflated);
	assert_true(inflated > (3 << 20));
	assert_string_equal(text, plain);
	sonde_atoms *back;
	assert_status(SONDE_OK, sonde_atoms_read(NULL, test_path("packed.xyz.gz"), 0, &back));
	assert_same_atoms(atoms, back, 0.0);
	sonde_atoms_free(&back);
	free(text);
	free(one);
	free(plain);
	sonde_atoms_free(&atoms);
}

static void test_hdf5_keeps_everything(void **unused)
{
	sonde_atoms *atoms = random_atoms(5000, 123.0), *back;
	double *values = malloc(5000 * sizeof *values);

	(void)unused;
	for (int k = 0; k < 5000; ++k)
		values[k] = 1.0 / (1.0 + k);
	assert_status(SONDE_OK, sonde_atoms_set_charges(atoms, values));
	assert_status(SONDE_OK, sonde_atoms_set_occupancies(atoms, values));
	values[17] = -3.25;
	assert_status(SONDE_OK, sonde_atoms_add_charges(atoms, values));
	assert_status(SONDE_OK, sonde_atoms_set_cell(atoms, skewed, (int[3]){1, 0, 1}));
	assert_status(SONDE_OK, sonde_atoms_write(NULL, atoms, test_path("all.h5"), 1));
	assert_status(SONDE_OK, sonde_atoms_read(NULL, test_path("all.h5"), 0, &back));
	assert_same_atoms(atoms, back, 0.0);
	assert_memory_equal(sonde_atoms_cell(back), skewed, sizeof skewed);
	for (int k = 0; k < 3; ++k)
		assert_int_equal(sonde_atoms_periodic(back, k), k != 1);
	assert_int_equal(sonde_atoms_charge_sets(back), 2);
	assert_memory_equal(sonde_atoms_charges(back), sonde_atoms_charges(atoms), 10000 * sizeof(double));
	assert_memory_equal(sonde_atoms_occupancies(back), sonde_atoms_occupancies(atoms), 5000 * sizeof(double));
	for (int s = 0; s < 3; ++s)
		assert_true(sonde_atoms_species_atoms(back, s) == sonde_atoms_species_atoms(atoms, s));
	sonde_atoms_free(&back);
	assert_invalid("frame 2 does not exist", sonde_atoms_read(NULL, test_path("all.h5"), 2, &back));
	assert_invalid("exists already", sonde_atoms_write(NULL, atoms, test_path("all.h5"), 0));
	sonde_atoms_free(&atoms);
	free(values);
}

static void test_hdf5_of_few_atoms(void **unused)
{
	(void)unused;
	for (int count = 0; count < 3; ++count) {
		sonde_atoms *atoms = random_atoms(count, 9.0), *back;
		assert_status(SONDE_OK, sonde_atoms_write(NULL, atoms, test_path("few.h5"), 1));
		assert_status(SONDE_OK, sonde_atoms_read(NULL, test_path("few.h5"), 0, &back));
		assert_same_atoms(atoms, back, 0.0);
		assert_null(sonde_atoms_cell(back));
		sonde_atoms_free(&back);
		sonde_atoms_free(&atoms);
	}
}

static void test_damaged_hdf5_is_refused(void **unused)
{
	sonde_atoms *atoms = random_atoms(500, 9.0), *back;
	size_t size;

	(void)unused;
	assert_status(SONDE_OK, sonde_atoms_write(NULL, atoms, test_path("sound.h5"), 1));
	char *bytes = test_read(test_path("sound.h5"), &size);
	bytes[size / 2] ^= 4;
	assert_invalid("", sonde_atoms_read(NULL, test_write("damaged.h5", bytes, size), 0, &back));
	assert_null(back);
	free(bytes);
	sonde_atoms_free(&atoms);
}

/* Field of columns first to last, from 1, of a line. */
static const char *field(const char *line, int first, int last, char *to)
{
	memcpy(to, line + first - 1, (size_t)(last - first + 1));
	to[last - first + 1] = '\0';
	return to;
}

static void test_pdb_of_many_atoms(void **unused)
{
	enum { COUNT_OF_ATOMS = 100030 };
	sonde_atoms *atoms = random_atoms(COUNT_OF_ATOMS, 1990.0), *back;
	static const struct {
		int atom;
		const char *serial;
	} serials[] = {{1, "    1"},      {99999, "99999"},  {100000, "A0000"},
		       {100009, "A0009"}, {100010, "A000A"}, {100029, "A000T"}};
	char *text = text_of(atoms, "many.pdb"), *lines = strstr(text, "HETATM"), word[16];

	(void)unused;
	assert_non_null(lines);
	for (size_t k = 0; k < COUNT(serials); ++k) {
		const char *line = lines + (size_t)(serials[k].atom - 1) * 81;
		assert_string_equal(field(line, 7, 11, word), serials[k].serial);
		assert_int_equal(line[80], '\n');
		for (int axis = 0; axis < 3; ++axis) {
			char wanted[16];
			sprintf(wanted, "%8.3f", sonde_atoms_positions(atoms)[3 * (serials[k].atom - 1) + axis]);
			assert_string_equal(field(line, 31 + 8 * axis, 38 + 8 * axis, word), wanted);
		}
	}
	assert_status(SONDE_OK, sonde_atoms_read(NULL, test_path("many.pdb"), 0, &back));
	assert_true(sonde_atoms_count(back) == COUNT_OF_ATOMS);
	for (int64_t k = 0; k < 3 * (int64_t)COUNT_OF_ATOMS; ++k)
		assert_within(sonde_atoms_positions(back)[k], sonde_atoms_positions(atoms)[k], 5.001e-4,
			      "coordinate");
	assert_string_equal(field(lines, 77, 78, word), strcmp(sonde_atoms_species_label(atoms, 0), "O2-") == 0 ? " O"
							: strcmp(sonde_atoms_species_label(atoms, 0), "Co2+") == 0
							    ? "CO"
							    : "NI");
	sonde_atoms_free(&back);
	free(text);
	sonde_atoms_free(&atoms);
}

static void test_pdb_turns_the_cell(void **unused)
{
	sonde_atoms *atoms = random_atoms(20, 9.0), *back;
	double left[9];

	(void)unused;
	make_left_handed(left);
	assert_status(SONDE_OK, sonde_atoms_set_cell(atoms, left, (int[3]){1, 1, 1}));
	assert_status(SONDE_OK, sonde_atoms_write(NULL, atoms, test_path("cell.pdb.gz"), 1));
	assert_status(SONDE_OK, sonde_atoms_read(NULL, test_path("cell.pdb.gz"), 0, &back));
	assert_same_distances(sonde_atoms_positions(atoms), sonde_atoms_positions(back), 20, 2e-3);
	assert_within(determinant(sonde_atoms_cell(back)), -determinant(left), 0.2, "volume");
	sonde_atoms_free(&back);
	sonde_atoms_free(&atoms);
}

static void test_pdb_keeps_locations(void **unused)
{
	static const char file[] =
	    "ATOM      1  N   SER A   7       1.000   2.000   3.000  1.00  0.00           N  \n"
	    "ATOM      2  CA ASER A   7       2.000   2.000   3.000  0.60  0.00           C  \n"
	    "ATOM      3  CA BSER A   7       2.100   2.000   3.000  0.40  0.00           C  \n"
	    "ATOM      4  C   SER A   7       3.000   2.000   3.000  1.00  0.00           C  \n"
	    "ATOM      5  CB ASER A   7       4.000   2.000   3.000  0.60  0.00           C  \n"
	    "ATOM      6  CB ASER A   8       5.000   2.000   3.000  0.60  0.00           C  \n";
	sonde_atoms *atoms, *back;

	(void)unused;
	assert_status(SONDE_OK, sonde_atoms_read(NULL, test_write_text("sites.pdb", file), 0, &atoms));
	assert_status(SONDE_OK, sonde_atoms_write(NULL, atoms, test_path("again.pdb"), 1));
	assert_status(SONDE_OK, sonde_atoms_read(NULL, test_path("again.pdb"), 0, &back));
	assert_same_atoms(atoms, back, 0.0);
	assert_memory_equal(sonde_atoms_occupancies(atoms), sonde_atoms_occupancies(back), 6 * sizeof(double));
	for (int i = 0; i < 6; ++i) {
		assert_int_equal(atoms_location(atoms, i) % LOCATION_LETTERS,
				 atoms_location(back, i) % LOCATION_LETTERS);
		assert_string_equal(atoms_sites(atoms)[i].name, atoms_sites(back)[i].name);
		assert_string_equal(atoms_sites(atoms)[i].residue, atoms_sites(back)[i].residue);
	}
	/* the same residue for atoms 2, 3 and 5, another one for 6 */
	assert_int_equal(atoms_location(back, 1), atoms_location(back, 4));
	assert_int_equal(atoms_location(back, 1) / LOCATION_LETTERS, atoms_location(back, 2) / LOCATION_LETTERS);
	assert_int_not_equal(atoms_location(back, 4), atoms_location(back, 5));
	sonde_atoms_free(&back);
	sonde_atoms_free(&atoms);
}

static void test_pdb_refuses_what_does_not_fit(void **unused)
{
	static const double far[][3] = {{0, 9999.9996, 0}, {0, 0, -999.9996}};
	sonde_atoms *atoms;
	const int entries = test_folder_entries();

	(void)unused;
	for (size_t k = 0; k < COUNT(far); ++k) {
		assert_status(SONDE_OK, sonde_atoms_create(&atoms));
		assert_status(SONDE_OK, sonde_atoms_add(atoms, "Au", (double[3]){-999.999, 9999.999, 0}));
		assert_status(SONDE_OK, sonde_atoms_write(NULL, atoms, test_path("far.pdb"), 1));
		assert_status(SONDE_OK, sonde_atoms_add(atoms, "Au", far[k]));
		remove(test_path("far.pdb"));
		assert_invalid("atom 2: the coordinate", sonde_atoms_write(NULL, atoms, test_path("far.pdb"), 1));
		assert_int_equal(test_folder_entries(), entries);
		sonde_atoms_free(&atoms);
	}
}

/* The rows of a, b, c by lengths and angles, as crystallographers orient them. */
static void cell_of_parameters(const double p[6], double cell[9])
{
	const double ca = cos(p[3] * DEGREE), cb = cos(p[4] * DEGREE), cc = cos(p[5] * DEGREE),
		     sc = sin(p[5] * DEGREE);
	const double along = (ca - cb * cc) / sc;
	const double rows[9] = {
	    p[0], 0, 0, p[1] * cc, p[1] * sc, 0, p[2] * cb, p[2] * along, p[2] * sqrt(1 - cb * cb - along * along)};

	memcpy(cell, rows, sizeof rows);
}

static void to_positions(const double cell[9], const double f[3], double position[3])
{
	for (int k = 0; k < 3; ++k)
		position[k] = f[0] * cell[k] + f[1] * cell[3 + k] + f[2] * cell[6 + k];
}

static void test_cif_has_the_same_distances(void **unused)
{
	enum { N = 25 };
	static const char *const names[] = {"_cell_length_a",    "_cell_length_b",   "_cell_length_c",
					    "_cell_angle_alpha", "_cell_angle_beta", "_cell_angle_gamma"};
	double left[9], cell[9], parameters[6], positions[3 * N], f[3], occupancy, half[N];

	(void)unused;
	make_left_handed(left);
	for (int kind = 0; kind < 3; ++kind) { /* without a cell, right-handed, left-handed with occupancies */
		sonde_atoms *atoms = random_atoms(N, 11.0);
		if (kind > 0)
			assert_status(SONDE_OK,
				      sonde_atoms_set_cell(atoms, kind == 1 ? skewed : left, (int[3]){1, 1, 1}));
		for (int i = 0; i < N; ++i)
			half[i] = kind == 2 ? 0.25 : 1.0;
		assert_status(SONDE_OK, sonde_atoms_set_occupancies(atoms, half));
		char *text = text_of(atoms, "a.cif"), label[16], symbol[16];
		for (int k = 0; k < 6; ++k) {
			const char *found = strstr(text, names[k]);
			assert_non_null(found);
			parameters[k] = strtod(found + strlen(names[k]), NULL);
		}
		cell_of_parameters(parameters, cell);
		if (kind > 0)
			assert_close(fabs(determinant(left)), determinant(cell), 1e-9, "volume");
		char *line = after(text, "_atom_site_occupancy");
		for (int i = 0; i < N; ++i, line = strchr(line, '\n') + 1) {
			assert_int_equal(
			    sscanf(line, "%15s %15s %lf %lf %lf %lf", label, symbol, &f[0], &f[1], &f[2], &occupancy),
			    6);
			to_positions(cell, f, positions + 3 * i);
			assert_string_equal(symbol, sonde_atoms_species_label(atoms, sonde_atoms_species(atoms)[i]));
			assert_within(occupancy, half[i], 0.0, "occupancy");
		}
		assert_same_distances(sonde_atoms_positions(atoms), positions, N, 1e-7);
		free(text);
		sonde_atoms_free(&atoms);
	}
}

/* The numbers of a file of LAMMPS. */
static void parse_lammps(char *text, int count, const double *charges, double cell[9], double *positions, int *types)
{
	double low[3], high[3];
	char *tilt = strstr(text, "xy xz yz");

	memset(cell, 0, 9 * sizeof *cell);
	for (int k = 0; k < 3; ++k) {
		const char *const words[] = {"xlo xhi", "ylo yhi", "zlo zhi"};
		char *line = strstr(text, words[k]);
		assert_non_null(line);
		while (line > text && line[-1] != '\n')
			--line;
		assert_int_equal(sscanf(line, "%lf %lf", &low[k], &high[k]), 2);
		cell[4 * k] = high[k] - low[k];
	}
	if (tilt != NULL) {
		while (tilt[-1] != '\n')
			--tilt;
		assert_int_equal(sscanf(tilt, "%lf %lf %lf", &cell[3], &cell[6], &cell[7]), 3);
	}
	char *line = after(text, "Atoms #") + 1;
	for (int i = 0; i < count; ++i, line += strlen(line) + 1) {
		double x[4];
		int number;
		*strchr(line, '\n') = '\0';
		const int got = sscanf(line, "%d %d %lf %lf %lf %lf", &number, &types[i], &x[0], &x[1], &x[2], &x[3]);
		assert_int_equal(got, charges != NULL ? 6 : 5);
		assert_int_equal(number, i + 1);
		if (charges != NULL)
			assert_within(x[0], charges[i], 0.0, "charge");
		memcpy(positions + (ptrdiff_t)3 * i, x + (charges != NULL), 3 * sizeof *x);
	}
}

static void test_lammps_has_the_same_distances_across_the_cell(void **unused)
{
	enum { N = 25 };
	double left[9], cell[9], positions[3 * N], charges[N];
	int types[N];

	(void)unused;
	make_left_handed(left);
	for (int i = 0; i < N; ++i)
		charges[i] = 0.1 * i - 1.0;
	for (int kind = 0; kind < 3; ++kind) {
		sonde_atoms *atoms = random_atoms(N, 11.0);
		const double *before = kind == 1 ? skewed : left;
		if (kind > 0)
			assert_status(SONDE_OK, sonde_atoms_set_cell(atoms, before, (int[3]){1, 1, 1}));
		if (kind == 2)
			assert_status(SONDE_OK, sonde_atoms_set_charges(atoms, charges));
		char *text = text_of(atoms, kind == 2 ? "a.data" : "a.lmp");
		assert_non_null(strstr(text, kind == 2 ? "Atoms # charge" : "Atoms # atomic"));
		assert_non_null(strstr(text, "\n3 atom types\n"));
		parse_lammps(text, N, kind == 2 ? charges : NULL, cell, positions, types);
		assert_same_distances(sonde_atoms_positions(atoms), positions, N, 1e-12);
		for (int i = 0; i < N; ++i)
			assert_int_equal(types[i], sonde_atoms_species(atoms)[i] + 1);
		/* also to the images: b and c are exchanged if the cell is left-handed */
		for (int edge = 0; edge < 3 && kind > 0; ++edge) {
			const int old = kind == 2 && edge > 0 ? 3 - edge : edge;
			double image[6], shifted[6];
			memcpy(image, positions, 3 * sizeof *image);
			memcpy(shifted, sonde_atoms_positions(atoms), 3 * sizeof *shifted);
			for (int k = 0; k < 3; ++k) {
				image[3 + k] = positions[3 + k] + cell[3 * edge + k];
				shifted[3 + k] = sonde_atoms_positions(atoms)[3 + k] + before[3 * old + k];
			}
			assert_same_distances(image, shifted, 2, 1e-12);
		}
		free(text);
		sonde_atoms_free(&atoms);
	}
}

static void test_lammps_has_the_masses(void **unused)
{
	sonde_atoms *atoms = random_atoms(30, 11.0);
	char *text = text_of(atoms, "masses.lmp"), *line = after(text, "Masses") + 1;
	bool nickel = false;

	(void)unused;
	for (int s = 0; s < 3; ++s, line = strchr(line, '\n') + 1) {
		double mass = 0.0;
		char label[16] = "";
		int type = 0;
		assert_int_equal(sscanf(line, "%d %lf # %15s", &type, &mass, label), 3);
		assert_int_equal(type, s + 1);
		assert_within(mass,
			      strcmp(label, "Co2+") == 0  ? 58.933
			      : strcmp(label, "O2-") == 0 ? 15.999
							  : 57.935,
			      1e-2, "mass");
		nickel |= strcmp(label, "58Ni") == 0;
	}
	assert_true(nickel);
	free(text);
	sonde_atoms_free(&atoms);
}

static void test_poscar_groups_species(void **unused)
{
	enum { N = 40 };
	double cell[9], f[3], position[3];
	int counts[3], next = 0;
	char names[3][16];

	(void)unused;
	for (int kind = 0; kind < 2; ++kind) {
		sonde_atoms *atoms = random_atoms(N, 11.0);
		if (kind > 0)
			assert_status(SONDE_OK, sonde_atoms_set_cell(atoms, skewed, (int[3]){1, 1, 1}));
		char *text = text_of(atoms, "a.vasp"), *line = after(strstr(text, "\n1.0\n") + 1, "1.0");
		double shift[3] = {0}; /* of atoms without a cell */
		for (int k = 0; k < 3; ++k, line = strchr(line, '\n') + 1)
			assert_int_equal(
			    sscanf(line, "%lf %lf %lf", &cell[3 * k], &cell[3 * k + 1], &cell[3 * k + 2]), 3);
		assert_int_equal(sscanf(line, "%15s %15s %15s", names[0], names[1], names[2]), 3);
		line = strchr(line, '\n') + 1;
		assert_int_equal(sscanf(line, "%d %d %d", &counts[0], &counts[1], &counts[2]), 3);
		line = after(line, "Direct");
		for (int s = next = 0; s < 3; ++s) {
			assert_true(strstr(sonde_atoms_species_label(atoms, s), names[s]) != NULL);
			assert_true(counts[s] == sonde_atoms_species_atoms(atoms, s));
			for (int64_t i = 0; i < N; ++i) {
				if (sonde_atoms_species(atoms)[i] != s)
					continue;
				assert_int_equal(sscanf(line, "%lf %lf %lf", &f[0], &f[1], &f[2]), 3);
				line = strchr(line, '\n') + 1;
				to_positions(cell, f, position);
				for (int k = 0; k < 3; ++k) {
					const double x = sonde_atoms_positions(atoms)[3 * i + k];
					if (next == 0 && kind == 0)
						shift[k] = x - position[k];
					assert_within(position[k] + shift[k], x, 1e-11, "coordinate");
					assert_true(kind > 0 || (f[k] > 0.0 && f[k] < 1.0));
				}
				++next;
			}
		}
		assert_int_equal(next, N);
		free(text);
		sonde_atoms_free(&atoms);
	}
}

static void test_what_a_format_lacks_is_refused(void **unused)
{
	sonde_atoms *atoms = random_atoms(3, 9.0);
	const double half[3] = {0.5, 0.5, 0.5};
	const double flat[9] = {1, 0, 0, 0, 1, 0, 1, 1, 0};
	const int entries = test_folder_entries();

	(void)unused;
	assert_invalid(".xyz, .xyz.gz or .extxyz, .pdb, .cif, .lmp or .data (LAMMPS), .vasp (POSCAR), or .h5",
		       sonde_atoms_write(NULL, atoms, test_path("a.mol2"), 1));
	assert_invalid("unknown kind of file", sonde_atoms_write(NULL, atoms, test_path("a.h5.gz"), 1));
	assert_status(SONDE_OK, sonde_atoms_set_occupancies(atoms, half));
	assert_invalid("have no occupancies", sonde_atoms_write(NULL, atoms, test_path("a.lmp"), 1));
	assert_invalid("have no occupancies", sonde_atoms_write(NULL, atoms, test_path("a.vasp.gz"), 1));
	assert_status(SONDE_OK, sonde_atoms_set_cell(atoms, flat, (int[3]){1, 1, 1}));
	assert_invalid("no volume", sonde_atoms_write(NULL, atoms, test_path("a.cif"), 1));
	assert_int_equal(test_folder_entries(), entries);
	sonde_atoms_free(&atoms);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_xyz_has_the_digits_of_printf),
	    cmocka_unit_test(test_gzip_is_the_same_for_all_threads),
	    cmocka_unit_test(test_hdf5_keeps_everything),
	    cmocka_unit_test(test_hdf5_of_few_atoms),
	    cmocka_unit_test(test_damaged_hdf5_is_refused),
	    cmocka_unit_test(test_pdb_of_many_atoms),
	    cmocka_unit_test(test_pdb_turns_the_cell),
	    cmocka_unit_test(test_pdb_keeps_locations),
	    cmocka_unit_test(test_pdb_refuses_what_does_not_fit),
	    cmocka_unit_test(test_cif_has_the_same_distances),
	    cmocka_unit_test(test_lammps_has_the_same_distances_across_the_cell),
	    cmocka_unit_test(test_lammps_has_the_masses),
	    cmocka_unit_test(test_poscar_groups_species),
	    cmocka_unit_test(test_what_a_format_lacks_is_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
