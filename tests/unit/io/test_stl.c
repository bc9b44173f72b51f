/* STL files: their contents, and invalid files. */
#include "unit/support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "matter/shape/shape.h"
#include "io/mesh/stl.h"

/* A tetrahedron with legs of length 1, corner by corner. */
static const float tetrahedron[4][9] = {{0, 0, 0, 0, 1, 0, 1, 0, 0},
					{0, 0, 0, 1, 0, 0, 0, 0, 1},
					{0, 0, 0, 0, 0, 1, 0, 1, 0},
					{1, 0, 0, 0, 1, 0, 0, 0, 1}};
#define BINARY_SIZE (84 + 4 * 50)

/* The tetrahedron as a binary file with this title. */
static void make_binary(const char *title, unsigned char bytes[BINARY_SIZE])
{
	memset(bytes, 0, BINARY_SIZE);
	memcpy(bytes, title, strlen(title));
	bytes[80] = 4;
	for (int t = 0; t < 4; ++t)
		memcpy(&bytes[84 + 50 * t + 12], tetrahedron[t], sizeof tetrahedron[t]);
}

/* The same as text; the names of keywords in capitals if asked for. */
static const char *make_text(bool capitals, const char *line_end)
{
	static char text[4096];
	char *to = text;

	to += sprintf(to, capitals ? "SOLID%s" : "solid a name%s", line_end);
	for (int t = 0; t < 4; ++t) {
		to += sprintf(to,
			      capitals ? "FACET NORMAL 0 0 0%s OUTER LOOP%s" : "facet normal nan 0 0%s outer loop%s",
			      line_end, line_end);
		for (int k = 0; k < 9; k += 3)
			to += sprintf(to, "\t%s %g %.3e %.2f%s", capitals ? "VERTEX" : "vertex",
				      (double)tetrahedron[t][k], (double)tetrahedron[t][k + 1],
				      (double)tetrahedron[t][k + 2], line_end);
		to += sprintf(to, capitals ? "ENDLOOP%sENDFACET%s" : " endloop%s endfacet%s", line_end, line_end);
	}
	sprintf(to, capitals ? "ENDSOLID%s" : "endsolid a name%s", line_end);
	return text;
}

static void read_tetrahedron(const char *path)
{
	struct stl stl;

	assert_status(SONDE_OK, stl_read(path, &stl));
	assert_int_equal(4, stl.count);
	for (int t = 0; t < 4; ++t)
		for (int k = 0; k < 9; ++k)
			assert_within(stl.corners[9 * t + k], (double)tetrahedron[t][k], 0.0, "corners");
	stl_free(&stl);
	assert_null(stl.corners);
}

static void refuse(const char *words, const char *path)
{
	struct stl stl;

	assert_invalid(words, stl_read(path, &stl));
	assert_null(stl.corners);
	assert_int_equal(0, stl.count);
	assert_message(path);
}

static void reads_binary_and_text(void **state)
{
	unsigned char bytes[BINARY_SIZE];

	(void)state;
	make_binary("a title", bytes);
	read_tetrahedron(test_write("binary.stl", bytes, sizeof bytes));
	read_tetrahedron(test_write_gzip("binary.stl.gz", bytes, sizeof bytes));
	make_binary("solid, says the title", bytes);
	read_tetrahedron(test_write("solid.stl", bytes, sizeof bytes));
	read_tetrahedron(test_write_gzip("solid.stl.gz", bytes, sizeof bytes));
	read_tetrahedron(test_write_text("text.stl", make_text(false, "\n")));
	read_tetrahedron(test_write_text("windows.stl", make_text(false, "\r\n")));
	read_tetrahedron(test_write_text("capitals.stl", make_text(true, "\n\n")));
	const char *text = make_text(false, "\n");
	read_tetrahedron(test_write_gzip("text.stl.gz", text, strlen(text)));
}

static void joins_the_solids_of_a_text(void **state)
{
	char text[8192];
	struct stl stl;

	(void)state;
	strcpy(text, make_text(false, "\n"));
	strcat(text, make_text(true, "\n"));
	assert_status(SONDE_OK, stl_read(test_write_text("two.stl", text), &stl));
	assert_int_equal(8, stl.count);
	stl_free(&stl);
}

static void reads_more_than_a_block(void **state)
{
	enum { MANY = 3000 };
	size_t size = 84 + 50 * MANY;
	unsigned char *bytes = calloc(size, 1);
	struct stl stl;

	(void)state;
	assert_non_null(bytes);
	bytes[80] = MANY & 0xff;
	bytes[81] = MANY >> 8;
	for (int t = 0; t < MANY; ++t) {
		float number = (float)t;
		memcpy(&bytes[84 + 50 * t + 12 + 20], &number, sizeof number);
	}
	for (int packed = 0; packed < 2; ++packed) {
		const char *path =
		    packed ? test_write_gzip("many.stl.gz", bytes, size) : test_write("many.stl", bytes, size);
		assert_status(SONDE_OK, stl_read(path, &stl));
		assert_int_equal(MANY, stl.count);
		for (int t = 0; t < MANY; ++t)
			assert_within(stl.corners[9 * t + 5], t, 0.0, "corners");
		stl_free(&stl);
	}
	free(bytes);
}

static void refuses_damaged_binary_files(void **state)
{
	static const unsigned char not_numbers[2][4] = {{0, 0, 0xc0, 0x7f}, {0, 0, 0x80, 0xff}};
	unsigned char bytes[BINARY_SIZE + 1] = {0};

	(void)state;
	refuse("cannot be read", test_path("missing.stl"));
	refuse("is empty", test_write("a.stl", bytes, 0));
	refuse("too short", test_write("b.stl", bytes, 83));
	refuse("has no triangles", test_write("c.stl", bytes, 84));
	make_binary("solid", bytes);
	refuse("4 triangles, which take 284 bytes, but the file has 283",
	       test_write("d.stl", bytes, BINARY_SIZE - 1));
	refuse("4 triangles, which take 284 bytes, but the file has 285",
	       test_write("e.stl", bytes, BINARY_SIZE + 1));
	refuse("ends too early", test_write_gzip("d.stl.gz", bytes, BINARY_SIZE - 1));
	refuse("continues after the 4 triangles", test_write_gzip("e.stl.gz", bytes, BINARY_SIZE + 1));
	/* more than memory: refused for the file's size, or read as far as it goes */
	memset(&bytes[80], 0xff, 4);
	refuse("4294967295 triangles", test_write("f.stl", bytes, BINARY_SIZE));
	refuse("4294967295 triangles", test_write_gzip("f.stl.gz", bytes, BINARY_SIZE));
	bytes[83] = 0x10;
	refuse("the file has 284", test_write("g.stl", bytes, BINARY_SIZE));
	refuse("ends too early", test_write_gzip("g.stl.gz", bytes, BINARY_SIZE));
	for (int n = 0; n < 2; ++n) {
		make_binary("", bytes);
		memcpy(&bytes[84 + 2 * 50 + 12 + 7 * 4], not_numbers[n], 4);
		refuse("triangle 3 has a corner whose y is not a finite number",
		       test_write("h.stl", bytes, BINARY_SIZE));
	}
}

/* The text with `old` replaced once. */
static const char *text_with(const char *old, const char *new)
{
	static char changed[8192];
	const char *text = make_text(false, "\n"), *at = strstr(text, old);

	assert_non_null(at);
	snprintf(changed, sizeof changed, "%.*s%s%s", (int)(at - text), text, new, at + strlen(old));
	return test_write_text("changed.stl", changed);
}

static void refuses_damaged_texts(void **state)
{
	(void)state;
	refuse("has no triangles", test_write_text("a.stl", "solid nothing\nendsolid nothing\n"));
	refuse("too short", test_write_text("b.stl", "hello\n"));
	refuse(":4: x = 'nan' is not a finite number", text_with("vertex 0", "vertex nan"));
	refuse(":4: vertex needs three numbers", text_with("vertex 0", "vertex"));
	refuse(":4: vertex needs three numbers", text_with("vertex 0", "vertex 0 0"));
	refuse(":7: a facet with more than three vertices", text_with(" endloop", "vertex 0 0 0\n endloop"));
	refuse("a facet with 2 vertices instead of three", text_with("\tvertex 1", "endloop\n"));
	refuse(":2: 'vertex' is not expected here", text_with("facet", "vertex"));
	refuse(":8: 'endsolid' is not expected here", text_with(" endfacet", "endsolid"));
	refuse("ends within a solid, after 4 triangles", text_with("endsolid a name", ""));
	char text[4096];
	strcpy(text, make_text(false, "\n"));
	strstr(text + strlen(text) / 2, "vertex")[0] = '\0';
	refuse("ends within a solid, after 2 triangles: is it cut off?", test_write_text("cut.stl", text));
}

static void names_the_file_of_a_bad_surface(void **state)
{
	static const double nowhere[3] = {0.0, 0.0, 0.0};
	unsigned char bytes[BINARY_SIZE];
	struct shape *shape;

	(void)state;
	make_binary("", bytes);
	const char *path = test_write("whole.stl", bytes, sizeof bytes);
	assert_status(SONDE_OK, shape_create_stl(path, 3.0, nowhere, 0.0, &shape));
	assert_within(shape_volume(shape), 27.0 / 6.0, 1e-12, "shape volume");
	shape_free(&shape);
	bytes[80] = 3;
	path = test_write("open.stl", bytes, sizeof bytes - 50);
	assert_invalid("the surface is not closed: 3 open edges", shape_create_stl(path, 3.0, nowhere, 0.0, &shape));
	assert_null(shape);
	assert_message(path);
}

static void survives_failing_allocations(void **state)
{
	static const double nowhere[3] = {0.0, 0.0, 0.0};
	unsigned char bytes[BINARY_SIZE];
	struct shape *shape;

	(void)state;
	make_binary("", bytes);
	const char *paths[2] = {test_write("memory.stl", bytes, sizeof bytes),
				test_write_text("memory_text.stl", make_text(false, "\n"))};
	for (int k = 0; k < 2; ++k) {
		int fails = 0;
		for (int64_t n = 1;; ++n, ++fails) {
			memory_fail_after(n);
			sonde_status status = shape_create_stl(paths[k], 1.0, nowhere, 0.0, &shape);
			memory_fail_after(0);
			if (status == SONDE_OK)
				break;
			assert_status(SONDE_RESOURCE, status);
			assert_null(shape);
		}
		assert_true(fails > 10);
		shape_free(&shape);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(reads_binary_and_text),        cmocka_unit_test(joins_the_solids_of_a_text),
	    cmocka_unit_test(reads_more_than_a_block),      cmocka_unit_test(refuses_damaged_binary_files),
	    cmocka_unit_test(refuses_damaged_texts),        cmocka_unit_test(names_the_file_of_a_bad_surface),
	    cmocka_unit_test(survives_failing_allocations),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
