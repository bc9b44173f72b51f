/* Volumes written to files of every kind and read back, files of other programs, and damaged files. */
#include "unit/support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/memory.h"
#include "io/volume/volume_formats.h"
#include "io/volume/volume_output.h"
#include "sonde/volume.h"

#define BOHR 0.529177210903

/* 3 x 4 x 5 points with one value and one vector each. */
static void make_volume(struct volume *volume, bool oblique)
{
	*volume = (struct volume){.grid = {.size = {3, 4, 5},
					   .origin = {-1.25, 2.5, 0.75},
					   .steps = {{0.5, 0.0, 0.0}, {0.0, 0.25, 0.0}, {0.0, 0.0, 1.5}}}};
	if (oblique) {
		volume->grid.steps[1][0] = 0.125;
		volume->grid.steps[2][1] = -0.5;
	}
	strcpy(volume->title, "a title");
	volume->values = malloc(60 * sizeof(double));
	volume->vectors = malloc(180 * sizeof(double));
	assert_non_null(volume->values);
	assert_non_null(volume->vectors);
	for (int n = 0; n < 60; ++n) {
		volume->values[n] = (n % 7 - 3) * exp(0.3 * n);
		for (int k = 0; k < 3; ++k)
			volume->vectors[3 * n + k] = n + 0.25 * k;
	}
}

static void check_same(const struct volume *a, const struct volume *b, double tolerance, double rounding)
{
	for (int k = 0; k < 3; ++k) {
		assert_int_equal(a->grid.size[k], b->grid.size[k]);
		assert_within(b->grid.origin[k], a->grid.origin[k], tolerance, "origin");
		for (int c = 0; c < 3; ++c)
			assert_within(b->grid.steps[k][c], a->grid.steps[k][c], tolerance, "steps");
	}
	for (int n = 0; n < 60; ++n)
		assert_within(b->values[n], a->values[n], rounding * fabs(a->values[n]), "values");
}

static void volumes_survive_every_format(void **state)
{
	static const struct {
		const char *name;
		double place, rounding;
		bool oblique, vectors, title;
	} kinds[] = {{"a.dx", 1e-11, 1e-9, true, false, true},   {"a.dx.gz", 1e-11, 1e-9, true, false, true},
		     {"a.cube", 1e-11, 1e-9, true, false, true}, {"a.cube.gz", 1e-11, 1e-9, true, false, true},
		     {"a.cub", 1e-11, 1e-9, true, false, true},  {"a.mrc", 1e-6, 6e-8, false, false, true},
		     {"a.map", 1e-6, 6e-8, false, false, true},  {"a.ccp4", 1e-6, 6e-8, false, false, true},
		     {"a.vtk", 0.0, 0.0, false, true, true},     {"a.h5", 0.0, 0.0, true, true, true}};
	(void)state;

	for (size_t k = 0; k < COUNT(kinds); ++k) {
		for (int oblique = 0; oblique <= kinds[k].oblique; ++oblique) {
			struct volume volume, back;
			make_volume(&volume, oblique != 0);
			const char *path = test_path(kinds[k].name);
			if (!kinds[k].vectors) {
				assert_invalid("no field in addition to the potential",
					       volume_write(path, &volume, 3, true));
				free(volume.vectors);
				volume.vectors = NULL;
			}
			assert_status(SONDE_OK, volume_write(path, &volume, 3, true));
			assert_invalid("exists", volume_write(path, &volume, 3, false));
			assert_status(SONDE_OK, volume_read(path, &back));
			check_same(&volume, &back, kinds[k].place, kinds[k].rounding);
			assert_string_equal(back.title, "a title");
			assert_true((back.vectors != NULL) == kinds[k].vectors);
			for (int n = 0; n < 180 && back.vectors != NULL; ++n)
				assert_true(back.vectors[n] == volume.vectors[n]);
			volume_free(&back);
			volume_free(&volume);
		}
	}
}

static void what_does_not_suit(void **state)
{
	struct volume volume, none;
	(void)state;

	make_volume(&volume, true);
	assert_invalid("holds grids along x, y and z", volume_write(test_path("b.vtk"), &volume, 1, false));
	free(volume.vectors);
	volume.vectors = NULL;
	assert_invalid("holds grids along x, y and z", volume_write(test_path("b.mrc"), &volume, 1, false));
	assert_invalid("not a volume by its name", volume_write(test_path("b.png"), &volume, 1, false));
	volume_free(&volume);
	make_volume(&volume, false);
	free(volume.values);
	volume.values = NULL;
	assert_invalid("holds one number per point", volume_write(test_path("b.dx"), &volume, 1, false));
	assert_status(SONDE_OK, volume_write(test_path("b.vtk"), &volume, 1, false));
	volume_free(&volume);
	assert_invalid("not a volume by its name", volume_read(test_path("b.png"), &none));
	assert_invalid("cannot be read", volume_read(test_path("none.dx"), &none));
	assert_invalid("cannot be read", volume_read(test_path("none.mrc"), &none));
	assert_invalid("tables can be written, but not read", volume_read(test_path("b.csv"), &none));
}

/* As APBS writes, with other numbers a line and a header in other words. */
static void dx_of_other_programs(void **state)
{
	struct volume volume;
	(void)state;

	const char *path =
	    test_write_text("apbs.dx", "# Data from APBS\n#\nobject 1 class gridpositions counts 2 1 3\n"
				       "origin -1.0 2 3e0\ndelta 0.5 0 0\ndelta 0 0.5 0\ndelta 0 0 0.25\n"
				       "object 2 class gridconnections counts 2 1 3\n"
				       "object 3 class array type float rank 0 items 6 data follows\n"
				       "1 2\n3 4 5\n\n6\nattribute \"dep\" string \"positions\"\n");
	assert_status(SONDE_OK, volume_read(path, &volume));
	assert_string_equal(volume.title, "Data from APBS");
	assert_true(volume.grid.size[0] == 2 && volume.grid.size[1] == 1 && volume.grid.size[2] == 3);
	/* the last index is the fastest in the file, the first in memory */
	static const double values[] = {1, 4, 2, 5, 3, 6};
	assert_memory_equal(volume.values, values, sizeof values);
	volume_free(&volume);
}

static void damaged_dx_is_refused(void **state)
{
#define TOP "object 1 class gridpositions counts 2 1 2\norigin 0 0 0\ndelta 1 0 0\ndelta 0 1 0\ndelta 0 0 1\n"
#define DATA "object 3 class array type double rank 0 items 4 data follows\n"
	static const char *const files[][2] = {
	    {"", "has no data array"},
	    {"hello\n", "has no data array"},
	    {"object 1 class gridpositions counts 2 1\n", ":1: the grid's positions need"},
	    {"object 1 class gridpositions counts 2 x 2\n", ":1: counts = 'x' is not a whole number"},
	    {"object 1 class gridpositions counts 2 0 2\n", "2 x 0 x 2 is not a valid number of grid points"},
	    {"object 1 class gridpositions counts 9999999 9999999 9999999\n", "points are too many"},
	    {"origin 0 0\n", ":1: origin needs three numbers"},
	    {"delta 1 0 nan\n", ":1: delta = 'nan' is not a finite number"},
	    {TOP "delta 1 1 1\n", ":6: a fourth delta"},
	    {DATA "1 2 3 4\n", ":1: 4 items do not fill"},
	    {TOP "object 3 class array type double rank 0 items 5 data follows\n", ":6: 5 items do not fill"},
	    {TOP "object 3 class array type double rank 1 shape 3 items 4 data follows\n", ":6: holds vectors"},
	    {TOP "object 3 class array type string rank 0 items 4 data follows\n", ":6: only arrays of type double"},
	    {TOP "object 3 class array type double rank 0 items 4 binary data file x\n", ":6: the data must follow"},
	    {TOP DATA "1 2 3\n", "ends after 3 of 4 numbers"},
	    {TOP DATA "1 2 3 4 5\n", ":7: has more than the 4 numbers"},
	    {TOP DATA "1 2 3 inf\n", ":7: value = 'inf' is not a finite number"},
	    {"object 1 class gridpositions counts 1 1 1\nobject 3 class array type double rank 0 items 1 data "
	     "follows\n1\n",
	     "needs an origin and three deltas"}};
	struct volume volume;
	(void)state;

	for (size_t k = 0; k < COUNT(files); ++k) {
		const char *path = test_write_text("bad.dx", files[k][0]);
		assert_invalid(files[k][1], volume_read(path, &volume));
		assert_null(volume.values);
	}
#undef TOP
#undef DATA
}

static void cube_files_are_read_in_bohr_and_angstrom(void **state)
{
	struct volume volume;
	(void)state;

	/* bohr, two atoms; then Angstrom by negative counts */
	const char *path =
	    test_write_text("a.cube", "title\nsecond\n 2 1.0 2.0 3.0\n 2 0.5 0 0\n 1 0 0.5 0\n 2 0 0 0.25\n"
				      " 8 8.0 0 0 0\n 1 1.0 0 0 1\n 1.0E+00 2.0E+00\n 3.0\n4.0\n");
	assert_status(SONDE_OK, volume_read(path, &volume));
	assert_string_equal(volume.title, "title");
	assert_within(volume.grid.origin[1], 2.0 * BOHR, 1e-12, "origin 1");
	assert_within(volume.grid.steps[2][2], 0.25 * BOHR, 1e-12, "steps 2 2");
	static const double values[] = {1, 3, 2, 4};
	assert_memory_equal(volume.values, values, sizeof values);
	volume_free(&volume);
	path = test_write_text("b.cube", "t\ns\n 0 1.0 2.0 3.0 1\n -1 0.5 0 0\n -1 0 0.5 0\n -1 0 0 0.25\n 7\n");
	assert_status(SONDE_OK, volume_read(path, &volume));
	assert_within(volume.grid.origin[1], 2.0, 1e-12, "origin 1");
	assert_within(volume.grid.steps[0][0], 0.5, 1e-12, "steps 0 0");
	volume_free(&volume);
#define TOP "t\ns\n 0 0 0 0\n 2 1 0 0\n 1 0 1 0\n 1 0 0 1\n"
	static const char *const bad[][2] = {
	    {"", "ends before its header"},
	    {"t\ns\n", "ends before the number of atoms"},
	    {"t\ns\n 0 0 0\n", ":3: the number of atoms and the origin: needs"},
	    {"t\ns\n -1 0 0 0\n", ":3: holds orbitals"},
	    {"t\ns\n 0 0 0 0 2\n", ":3: has 2 values per point"},
	    {"t\ns\n 0 0 0 0\n 2 1 0 0\n", "ends before the number of points"},
	    {"t\ns\n 0 0 0 0\n 0 1 0 0\n 1 0 1 0\n 1 0 0 1\n", "is not a valid number of grid points"},
	    {"t\ns\n 2 0 0 0\n 2 1 0 0\n 1 0 1 0\n 1 0 0 1\n 1 1 0 0 0\n", "ends before all atoms"},
	    {"t\ns\n 1 0 0 0\n 2 1 0 0\n 1 0 1 0\n 1 0 0 1\n 1 1 0 0\n", ":7: an atom needs"},
	    {TOP "1 x\n", ":7: value = 'x' is not a finite number"},
	    {TOP "1\n", "ends after 1 of 2 numbers"},
	    {TOP "1 2 3\n", ":7: has more than the 2 numbers"}};
	for (size_t k = 0; k < COUNT(bad); ++k) {
		path = test_write_text("bad.cube", bad[k][0]);
		assert_invalid(bad[k][1], volume_read(path, &volume));
		assert_null(volume.values);
	}
#undef TOP
}

/* An MRC file with its words at hand. */
struct mrc {
	int32_t words[256];
	unsigned char data[64];
};

static void set_real(struct mrc *file, int word, float value)
{
	memcpy(&file->words[word], &value, sizeof value);
}

/* 2 columns, 3 rows and 1 section of int16. */
static struct mrc make_mrc(void)
{
	struct mrc file = {
	    .words = {[0] = 2, [1] = 3, [2] = 1, [3] = 1, [7] = 2, [8] = 3, [9] = 1, [16] = 1, [17] = 2, [18] = 3}};
	const int16_t values[6] = {-1, 2, 3, 4, 5, 6};

	for (int k = 0; k < 3; ++k) {
		set_real(&file, 10 + k, 6.0F);
		set_real(&file, 13 + k, 90.0F);
	}
	memcpy(file.data, values, sizeof values);
	return file;
}

static void maps_of_other_programs(void **state)
{
	struct mrc file = make_mrc();
	struct volume volume;
	const size_t size = 1024 + 12;
	(void)state;

	/* as it is, with the first point away from the origin */
	file.words[4] = 10;
	assert_status(SONDE_OK, volume_read(test_write("a.mrc", &file, size), &volume));
	assert_within(volume.grid.origin[0], 30.0, 1e-6, "origin 0");
	assert_within(volume.grid.steps[0][0], 3.0, 1e-6, "steps 0 0");
	assert_within(volume.grid.steps[1][1], 2.0, 1e-6, "steps 1 1");
	assert_true(volume.values[0] == -1.0 && volume.values[3] == 4.0);
	volume_free(&volume);
	/* columns along z, rows along x, sections along y: start and sizes are the file's, steps and cell those of x, y, z */
	file.words[16] = 3;
	file.words[17] = 1;
	file.words[18] = 2;
	file.words[7] = 3;
	file.words[8] = 1;
	file.words[9] = 2;
	assert_status(SONDE_OK, volume_read(test_write("b.map", &file, size), &volume));
	assert_true(volume.grid.size[0] == 3 && volume.grid.size[1] == 1 && volume.grid.size[2] == 2);
	assert_within(volume.grid.origin[2], 30.0, 1e-6, "origin 2");
	/* z is the fastest in the file, x in memory */
	static const double values[] = {-1, 3, 5, 2, 4, 6};
	assert_memory_equal(volume.values, values, sizeof values);
	volume_free(&volume);
	/* the other byte order */
	struct mrc swapped = make_mrc();
	for (int k = 0; k < 256; ++k)
		swapped.words[k] = (int32_t)__builtin_bswap32((uint32_t)swapped.words[k]);
	for (int k = 0; k < 12; k += 2) {
		unsigned char byte = swapped.data[k];
		swapped.data[k] = swapped.data[k + 1];
		swapped.data[k + 1] = byte;
	}
	assert_status(SONDE_OK, volume_read(test_write("c.ccp4", &swapped, size), &volume));
	assert_true(volume.grid.size[1] == 3 && volume.values[0] == -1.0 && volume.values[5] == 6.0);
	volume_free(&volume);
	/* an oblique cell, float16, an extended header */
	struct mrc other = make_mrc();
	set_real(&other, 15, 60.0F);
	other.words[3] = 12;
	other.words[23] = 8;
	const uint16_t halves[6] = {0x3C00, 0xC000, 0x7BFF, 0x0001, 0x0000, 0x3555};
	memset(other.data, 7, 8);
	memcpy(other.data + 8, halves, sizeof halves);
	assert_status(SONDE_OK, volume_read(test_write("d.mrc", &other, size + 8), &volume));
	assert_within(volume.grid.steps[1][0], 1.0, 1e-6, "steps 1 0");
	assert_within(volume.grid.steps[1][1], sqrt(3.0), 1e-6, "steps 1 1");
	assert_true(volume.values[0] == 1.0 && volume.values[1] == -2.0 && volume.values[2] == 65504.0);
	assert_within(volume.values[3], ldexp(1.0, -24), 1e-20, "values 3");
	assert_within(volume.values[5], 0.33325195, 1e-7, "values 5");
	volume_free(&volume);
}

static void damaged_maps_are_refused(void **state)
{
	static const struct {
		int word;
		int32_t value;
		const char *message;
	} cases[] = {{3, 7, "its mode 7 is not supported"},
		     {3, 4, "its mode 4 is not supported"},
		     {0, 0, "is not a valid number of grid points"},
		     {1, -3, "is not a valid number of grid points"},
		     {16, 5, "its axes are"},
		     {17, 1, "its axes are"},
		     {18, INT32_MIN, "its axes are"},
		     {7, 0, "its header has no cell"},
		     {10, 0, "its header has no cell"},
		     {13, 0x7FC00000, "no cell"},
		     {15, 0x43340000, "no cell"},
		     {23, -8, "extended header"},
		     {23, 1000, "ends too early"},
		     {1, 4, "ends too early"},
		     {2, 2000000000, "ends too early"},
		     {0, 2000000000, "ends too early"},
		     {49, 0x7FC00000, "its origin is not a finite number"}};
	struct volume volume;
	(void)state;

	for (size_t k = 0; k < COUNT(cases); ++k) {
		struct mrc file = make_mrc();
		file.words[cases[k].word] = cases[k].value;
		assert_invalid(cases[k].message, volume_read(test_write("bad.mrc", &file, 1024 + 12), &volume));
		assert_null(volume.values);
	}
	assert_invalid("ends too early", volume_read(test_write("bad.mrc", "MAP ", 4), &volume));
	struct mrc file = make_mrc();
	const float bad = NAN;
	file.words[3] = 2;
	memset(file.data, 0, 24);
	memcpy(file.data + 8, &bad, 4);
	assert_invalid("value 3 is not a finite number",
		       volume_read(test_write("bad.mrc", &file, 1024 + 24), &volume));
}

static void vtk_images_are_read_and_invalid_ones_refused(void **state)
{
#define TOP "# vtk DataFile Version 2.0\nt\nASCII\nDATASET STRUCTURED_POINTS\n"
#define GRID "DIMENSIONS 2 1 2\nASPECT_RATIO 1 2 3\nORIGIN 0 1 0\nPOINT_DATA 4\n"
	struct volume volume;
	(void)state;

	const char *path =
	    test_write_text("a.vtk", TOP GRID "SCALARS s float\nLOOKUP_TABLE default\n1 2\n3 4\n"
					      "VECTORS v double\n1 2 3 4 5 6 7 8 9 10 11 12\n"
					      "SCALARS again float 1\nLOOKUP_TABLE default\n5 6 7 8\n");
	assert_status(SONDE_OK, volume_read(path, &volume));
	assert_true(volume.values[2] == 3.0 && volume.vectors[11] == 12.0 && volume.grid.steps[1][1] == 2.0);
	volume_free(&volume);
	static const char *const bad[][2] = {
	    {"", "ends too early"},
	    {"vtk\n", "not a VTK file of the legacy format"},
	    {"no vtk\nx\n", "not a VTK file of the legacy format"},
	    {"# vtk DataFile Version 2.0\nt\nHEX\n", "neither ASCII nor BINARY"},
	    {"# vtk DataFile Version 2.0\nt\nASCII\nDATASET POLYDATA\n", "is not an image"},
	    {TOP, "has neither SCALARS nor VECTORS"},
	    {TOP "DIMENSIONS 2 1\n", "ends too early"},
	    {TOP "DIMENSIONS 2 1 x\n", "DIMENSIONS = 'x' is not a whole number"},
	    {TOP "DIMENSIONS 0 1 1\n", "is not a valid number of grid points"},
	    {TOP "SPACING 1 0 1\n", "SPACING = 0 is not positive"},
	    {TOP "POINT_DATA 4\n", "does not fill the grid"},
	    {TOP GRID "SCALARS s int\nLOOKUP_TABLE default\n1 2 3 4\n", "numbers of type 'int' are not supported"},
	    {TOP GRID "SCALARS s float 2\nLOOKUP_TABLE default\n1 2 3 4\n", "one number per point"},
	    {TOP GRID "SCALARS s float\n1 2 3 4\n", "need a LOOKUP_TABLE"},
	    {TOP GRID "SCALARS s float\nLOOKUP_TABLE default\n1 2 3\n", "ends too early"},
	    {TOP GRID "SCALARS s float\nLOOKUP_TABLE default\n1 2 3 nan\n", "value = 'nan' is not a finite number"},
	    {TOP GRID "CELLS 3\n", "'CELLS' is not supported"},
	    {TOP "DIMENSIONS 1 1 1\nPOINT_DATA 1\nSCALARS s float\nLOOKUP_TABLE default\n1\n",
	     "needs ORIGIN and SPACING"}};
	for (size_t k = 0; k < COUNT(bad); ++k) {
		path = test_write_text("bad.vtk", bad[k][0]);
		assert_invalid(bad[k][1], volume_read(path, &volume));
		assert_null(volume.values);
	}
#undef TOP
#undef GRID
}

static void conversion_preserves_numbers_and_units(void **state)
{
	struct volume volume, back;
	char dx[256], cube[256];
	(void)state;

	make_volume(&volume, false);
	strcpy(dx, test_path("c.dx"));
	strcpy(cube, test_path("c.cube"));
	free(volume.vectors);
	volume.vectors = NULL;
	assert_status(SONDE_OK, volume_write(dx, &volume, 2, false));
	assert_status(SONDE_OK, sonde_volume_convert(dx, cube, 0));
	assert_invalid("exists", sonde_volume_convert(dx, cube, 0));
	assert_status(SONDE_OK, sonde_volume_convert(dx, cube, 1));
	assert_status(SONDE_OK, volume_read(cube, &back));
	check_same(&volume, &back, 1e-11, 2e-9);
	assert_invalid("not a volume by its name", sonde_volume_convert(dx, test_path("c.txtt"), 0));
	assert_invalid("two names", sonde_volume_convert(NULL, cube, 0));
	volume_free(&volume);
	volume_free(&back);
}

/* Titles may have the letters of the unit in them, and the words that ours have. */
static void units_are_found_in_titles(void **state)
{
	static const struct {
		const char *title, *unit, *vector_unit;
	} cases[] = {{"Vacuum, V = 3", "V", "V/Angstrom"},
		     {"a potential in vacuum", "", ""},
		     {"the field in general", "kT/e", "kT/e/Angstrom"},
		     {"unit: V; of old", "V", "V/Angstrom"}};
	static const char *const kinds[] = {"u.vtk", "u.h5"};
	struct volume volume, back;
	(void)state;

	make_volume(&volume, false);
	for (size_t k = 0; k < COUNT(cases); ++k) {
		char from[256], to[256];
		strcpy(volume.title, cases[k].title);
		strcpy(volume.unit, cases[k].unit);
		strcpy(from, test_path("u0.h5"));
		assert_status(SONDE_OK, volume_write(from, &volume, 1, true));
		for (size_t n = 0; n < COUNT(kinds); ++n) {
			strcpy(to, test_path(kinds[n]));
			assert_status(SONDE_OK, sonde_volume_convert(from, to, 1));
			assert_status(SONDE_OK, volume_read(to, &back));
			assert_string_equal(back.unit, cases[k].unit);
			assert_string_equal(back.vector_unit, cases[k].vector_unit);
			volume_free(&back);
		}
	}
	volume_free(&volume);
}

/* Comments are filled up to the room that is left for them: without memory they do not grow, and that must end. */
static void test_comments_without_memory(void **unused)
{
	const struct volume volume = {.grid = {.size = {2, 2, 2}, .steps = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
				      .comments = (char *)"# a comment\n",
				      .comments_to_come = 600};
	struct volume_output output;
	int failures = 0;

	(void)unused;
	alarm(60);
	for (int n = 1; n <= 20; ++n) {
		memory_fail_after(n);
		sonde_status status =
		    volume_output_open(&output, test_path("filled.dx"), &volume, true, false, 1, false);
		memory_fail_after(0);
		failures += status == SONDE_RESOURCE;
		(void)volume_output_close(&output, SONDE_RESOURCE);
	}
	alarm(0);
	assert_true(failures > 0);
	assert_int_not_equal(access(test_path("filled.dx"), F_OK), 0);
}

/* The texts of the program name the formats of the table. */
static void listed_endings_are_formats_of_grids(void **state)
{
	char endings[] = VOLUME_FILES, *rest = endings, *ending;
	int count = 0;
	(void)state;

	for (; (ending = strtok_r(rest, " ", &rest)) != NULL; ++count) {
		assert_string_equal(volume_suffix(ending), ending);
		assert_non_null(volume_format(ending)->begin);
	}
	assert_int_equal(count, 9);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_comments_without_memory),
					   cmocka_unit_test(volumes_survive_every_format),
					   cmocka_unit_test(what_does_not_suit),
					   cmocka_unit_test(dx_of_other_programs),
					   cmocka_unit_test(damaged_dx_is_refused),
					   cmocka_unit_test(cube_files_are_read_in_bohr_and_angstrom),
					   cmocka_unit_test(maps_of_other_programs),
					   cmocka_unit_test(damaged_maps_are_refused),
					   cmocka_unit_test(vtk_images_are_read_and_invalid_ones_refused),
					   cmocka_unit_test(conversion_preserves_numbers_and_units),
					   cmocka_unit_test(units_are_found_in_titles),
					   cmocka_unit_test(listed_endings_are_formats_of_grids)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
