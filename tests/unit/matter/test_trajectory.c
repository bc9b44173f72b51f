/* Frames one after the other; DCD files as bytes. */
#include "unit/read_atoms.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/text.h"
#include "matter/files/trajectory.h"

/* A DCD file under construction. */
struct bytes {
	unsigned char bytes[4096];
	size_t size;
	bool swapped;
};

static void put(struct bytes *file, const void *value, size_t size)
{
	const unsigned char *from = value;

	assert_true(file->size + size <= sizeof file->bytes);
	for (size_t k = 0; k < size; ++k)
		file->bytes[file->size++] = from[file->swapped ? size - 1 - k : k];
}

static void put_integer(struct bytes *file, int32_t value)
{
	put(file, &value, sizeof value);
}

static void put_header(struct bytes *file, int frames, int fixed, bool cell, int version, int atoms)
{
	put_integer(file, 84);
	memcpy(file->bytes + file->size, "CORD", 4);
	file->size += 4;
	for (int k = 0; k < 20; ++k)
		put_integer(file, k == 0 ? frames : k == 8 ? fixed : k == 10 ? cell : k == 19 ? version : 0);
	put_integer(file, 84);
	put_integer(file, 84);
	put_integer(file, 1);
	memset(file->bytes + file->size, ' ', 80);
	file->size += 80;
	put_integer(file, 84);
	put_integer(file, 4);
	put_integer(file, atoms);
	put_integer(file, 4);
}

static void put_cell(struct bytes *file, const double cell[6])
{
	put_integer(file, 48);
	for (int k = 0; k < 6; ++k)
		put(file, &cell[k], 8);
	put_integer(file, 48);
}

/* x, y, z of atom k of `count` are first + k, 10 and 20 more. */
static void put_positions(struct bytes *file, int count, float first)
{
	for (int axis = 0; axis < 3; ++axis) {
		put_integer(file, 4 * count);
		for (int k = 0; k < count; ++k) {
			float value = first + (float)(k + 10 * axis);
			put(file, &value, 4);
		}
		put_integer(file, 4 * count);
	}
}

static sonde_atoms *make_structure(void)
{
	return read_text("structure.xyz", "3\n\nSi 0 0 0\nO 1 1 1\nO 2 2 2\n", 0);
}

static struct trajectory *open_bytes(const struct bytes *file, const sonde_atoms *structure)
{
	struct trajectory *trajectory;

	assert_status(SONDE_OK,
		      trajectory_open(NULL, test_write("a.dcd", file->bytes, file->size), structure, &trajectory));
	return trajectory;
}

static const sonde_atoms *next(struct trajectory *trajectory)
{
	const sonde_atoms *frame;

	assert_status(SONDE_OK, trajectory_next(trajectory, &frame));
	return frame;
}

static void test_dcd_of_both_byte_orders(void **unused)
{
	/* a = 4, b = sqrt(26) at cos(gamma) = 1/sqrt(26) to it, c = 6 */
	const double cell[6] = {4, 1 / sqrt(26), sqrt(26), 0, 0, 6}, edges[9] = {4, 0, 0, 1, 5, 0, 0, 0, 6};
	sonde_atoms *structure = make_structure();

	(void)unused;
	for (int order = 0; order < 2; ++order) {
		struct bytes file = {.swapped = order == 1};
		put_header(&file, 2, 0, true, 24, 3);
		put_cell(&file, cell);
		put_positions(&file, 3, 1.5F);
		put_cell(&file, (const double[6]){3, 90, 4, 90, 60, 5});
		put_positions(&file, 3, -2);
		struct trajectory *trajectory = open_bytes(&file, structure);
		const sonde_atoms *frame = next(trajectory);
		assert_cell(frame, edges, -1);
		assert_atom(frame, 0, "Si", 1.5, 11.5, 21.5);
		assert_atom(frame, 2, "O", 3.5, 13.5, 23.5);
		frame = next(trajectory);
		/* 60 degrees between b and c */
		assert_cell(frame, (const double[9]){3, 0, 0, 0, 4, 0, 0, 2.5, 5 * sqrt(0.75)}, -1);
		assert_atom(frame, 1, "O", -1, 9, 19);
		assert_int_equal(trajectory_frame(trajectory), 1);
		assert_null(next(trajectory));
		assert_int_equal(trajectory_frame(trajectory), 1);
		trajectory_close(&trajectory);
	}
	sonde_atoms_free(&structure);
}

static void test_dcd_matrix_of_charmm(void **unused)
{
	sonde_atoms *structure = make_structure();
	struct bytes file = {.size = 0};

	(void)unused;
	put_header(&file, 0, 0, true, 36, 3);
	put_cell(&file, (const double[6]){7, -2, 8, 3, -1, 9});
	put_positions(&file, 3, 0);
	struct trajectory *trajectory = open_bytes(&file, structure);
	assert_cell(next(trajectory), (const double[9]){7, -2, 3, -2, 8, -1, 3, -1, 9}, -1);
	assert_null(next(trajectory));
	trajectory_close(&trajectory);
	sonde_atoms_free(&structure);
}

static void test_dcd_with_fixed_atoms(void **unused)
{
	sonde_atoms *structure = make_structure();
	struct bytes file = {.size = 0};

	(void)unused;
	put_header(&file, 2, 1, false, 24, 3);
	put_integer(&file, 8); /* free atoms: 1 and 3 */
	put_integer(&file, 1);
	put_integer(&file, 3);
	put_integer(&file, 8);
	put_positions(&file, 3, 0);
	put_positions(&file, 2, 100);
	struct trajectory *trajectory = open_bytes(&file, structure);
	assert_atom(next(trajectory), 1, "O", 1, 11, 21);
	const sonde_atoms *frame = next(trajectory);
	assert_null(sonde_atoms_cell(frame));
	assert_atom(frame, 0, "Si", 100, 110, 120);
	assert_atom(frame, 1, "O", 1, 11, 21);
	assert_atom(frame, 2, "O", 101, 111, 121);
	trajectory_close(&trajectory);
	sonde_atoms_free(&structure);
}

/* Opens and reads all frames; the status of the first failure. */
static sonde_status read_all(const char *path, const sonde_atoms *structure)
{
	struct trajectory *trajectory;
	const sonde_atoms *frame = NULL;

	CHECK(trajectory_open(NULL, path, structure, &trajectory));
	sonde_status status;
	do
		status = trajectory_next(trajectory, &frame);
	while (status == SONDE_OK && frame != NULL);
	trajectory_close(&trajectory);
	return status;
}

static void test_damaged_dcd_is_refused(void **unused)
{
	sonde_atoms *structure = make_structure();
	struct bytes whole = {.size = 0};

	(void)unused;
	put_header(&whole, 2, 0, true, 24, 3);
	size_t header = whole.size;
	put_cell(&whole, (const double[6]){4, 0, 4, 0, 0, 4});
	put_positions(&whole, 3, 0);
	size_t one = whole.size;
	put_cell(&whole, (const double[6]){4, 0, 4, 0, 0, 4});
	put_positions(&whole, 3, 0);
	assert_status(SONDE_OK, read_all(test_write("a.dcd", whole.bytes, whole.size), structure));
	for (size_t size = 0; size < whole.size; ++size)
		assert_status(SONDE_INVALID, read_all(test_write("a.dcd", whole.bytes, size), structure));
	assert_invalid("ends after 1 of 2 frames", read_all(test_write("a.dcd", whole.bytes, one), structure));
	const char *path = test_write("a.dcd", whole.bytes, whole.size);
	assert_invalid("needs a structure", read_all(path, NULL));
	sonde_atoms *two = read_text("two.xyz", "2\n\nSi 0 0 0\nO 1 1 1\n", 0);
	assert_invalid("has 3 atoms, the structure has 2", read_all(path, two));
	sonde_atoms_free(&two);

	struct bytes wrong = whole;
	wrong.bytes[4] = 'V';
	assert_invalid("not a DCD file", read_all(test_write("a.dcd", wrong.bytes, wrong.size), structure));
	wrong = whole;
	wrong.bytes[header + 4 + 7] = 0; /* a is nearly 0, b and c are not */
	wrong.bytes[header + 4 + 6] = 0;
	assert_invalid("frame 0: its cell is impossible, or its volume is zero",
		       read_all(test_write("a.dcd", wrong.bytes, wrong.size), structure));
	wrong = whole;
	memset(wrong.bytes + one + 56 + 4 + 4, 0xff, 4); /* x of atom 2 of frame 2: NaN */
	assert_invalid("frame 1: atom 2 is at", read_all(test_write("a.dcd", wrong.bytes, wrong.size), structure));
	wrong = whole;
	wrong.bytes[one] = 47;
	assert_invalid("frame 1: the record of the cell has 47 bytes, not 48",
		       read_all(test_write("a.dcd", wrong.bytes, wrong.size), structure));
	sonde_atoms_free(&structure);
}

#define XYZ1 "2\nLattice=\"4 0 0 0 4 0 0 0 4\"\nSi 0 0 0\nO 1 1 1\n"

static void test_frames_of_xyz(void **unused)
{
	struct trajectory *trajectory;

	(void)unused;
	assert_status(SONDE_OK, trajectory_open(NULL, test_write_text("a.xyz", XYZ1 "2\n\nSi 1 2 3\nO 4 5 6\n" XYZ1),
						NULL, &trajectory));
	assert_atom(next(trajectory), 1, "O", 1, 1, 1);
	const sonde_atoms *frame = next(trajectory);
	assert_atom(frame, 0, "Si", 1, 2, 3);
	assert_null(sonde_atoms_cell(frame));
	assert_non_null(sonde_atoms_cell(next(trajectory)));
	assert_null(next(trajectory));
	trajectory_close(&trajectory);
	assert_null(trajectory);
	assert_invalid("a.xyz:8: atom 2 of frame 1 is C, but O in the first frame",
		       read_all(test_write_text("a.xyz", XYZ1 "2\n\nSi 1 2 3\nC 4 5 6\n"), NULL));
	assert_invalid("a.xyz:5: frame 1 has 3 atoms, the first frame has 2",
		       read_all(test_write_text("a.xyz", XYZ1 "3\n\nSi 1 2 3\nO 4 5 6\nO 7 8 9\n"), NULL));
	assert_invalid("frame 1 has 1 atoms, the first frame has 2",
		       read_all(test_write_text("a.xyz", XYZ1 "1\n\nSi 1 2 3\n"), NULL));
	assert_invalid("a.xyz:7: the file ends after 1 of 2 atoms",
		       read_all(test_write_text("a.xyz", XYZ1 "2\n\nSi 1 2 3\n"), NULL));
}

static void test_frames_of_a_dump(void **unused)
{
	static const char text[] =
	    "ITEM: TIMESTEP\n0\nITEM: NUMBER OF ATOMS\n3\nITEM: BOX BOUNDS pp pp pp\n0 4\n0 4\n0 4\n"
	    "ITEM: ATOMS id type xs ys zs\n3 2 .75 0 0\n1 1 .25 0 0\n2 2 .5 0 0\n"
	    "ITEM: TIMESTEP\n1\nITEM: NUMBER OF ATOMS\n3\nITEM: BOX BOUNDS pp pp pp\n0 8\n0 8\n0 8\n"
	    "ITEM: ATOMS id type xs ys zs\n2 2 .5 0 0\n3 2 .75 0 0\n1 1 .25 0 0\n";
	sonde_atoms *structure = make_structure();
	struct trajectory *trajectory;

	(void)unused;
	/* the labels are those of the structure */
	assert_status(SONDE_OK, trajectory_open(NULL, test_write_text("a.dump", text), structure, &trajectory));
	const sonde_atoms *frame = next(trajectory);
	assert_atom(frame, 0, "Si", 1, 0, 0);
	assert_atom(frame, 2, "O", 3, 0, 0);
	frame = next(trajectory);
	assert_atom(frame, 0, "Si", 2, 0, 0);
	assert_atom(frame, 2, "O", 6, 0, 0);
	assert_true(sonde_atoms_cell(frame)[0] == 8);
	assert_null(next(trajectory));
	trajectory_close(&trajectory);
	assert_invalid("no elements", read_all(test_write_text("a.dump", text), NULL));
	sonde_atoms_free(&structure);
}

static void assert_skipped(struct trajectory *trajectory, int64_t most, int64_t expected)
{
	int64_t skipped;

	assert_status(SONDE_OK, trajectory_skip(trajectory, most, &skipped));
	assert_int_equal(skipped, expected);
}

static void test_frames_are_skipped(void **unused)
{
	static const char dump[] =
	    "ITEM: TIMESTEP\n0\nITEM: NUMBER OF ATOMS\n1\nITEM: BOX BOUNDS pp pp pp\n0 4\n0 4\n0 4\n"
	    "ITEM: ATOMS id element x y z\n1 Si 1 0 0\n";
	sonde_atoms *structure = make_structure();
	struct bytes file = {.size = 0};
	struct trajectory *trajectory;
	char text[1024] = "";
	int64_t skipped;

	(void)unused;
	/* DCD, with fixed atoms and a cell */
	put_header(&file, 3, 1, true, 24, 3);
	put_integer(&file, 8);
	put_integer(&file, 1);
	put_integer(&file, 3);
	put_integer(&file, 8);
	for (int k = 0; k < 3; ++k) {
		put_cell(&file, (const double[6]){4, 0, 4, 0, 0, 4});
		put_positions(&file, k == 0 ? 3 : 2, (float)(100 * k));
	}
	trajectory = open_bytes(&file, structure);
	assert_skipped(trajectory, 2, 2);
	assert_int_equal(trajectory_frame(trajectory), 1);
	const sonde_atoms *frame = next(trajectory);
	assert_atom(frame, 0, "Si", 200, 210, 220);
	assert_atom(frame, 1, "O", 1, 11, 21);
	assert_skipped(trajectory, 5, 0);
	trajectory_close(&trajectory);
	/* a frame that is cut, and is skipped */
	file.size -= 2;
	trajectory = open_bytes(&file, structure);
	assert_invalid("ends too early", trajectory_skip(trajectory, 3, &skipped));
	trajectory_close(&trajectory);
	/* text */
	for (int k = 0; k < 3; ++k)
		strcat(text, dump);
	assert_status(SONDE_OK, trajectory_open(NULL, test_write_text("s.dump", text), NULL, &trajectory));
	assert_skipped(trajectory, 1, 1);
	assert_atom(next(trajectory), 0, "Si", 1, 0, 0);
	assert_skipped(trajectory, 10, 1);
	trajectory_close(&trajectory);
	text[strlen(text) - strlen("1 Si 1 0 0\n")] = '\0';
	assert_status(SONDE_OK, trajectory_open(NULL, test_write_text("s.dump", text), NULL, &trajectory));
	assert_invalid("s.dump:29: the file ends after 0 of 1 atoms", trajectory_skip(trajectory, 10, &skipped));
	trajectory_close(&trajectory);
	assert_status(SONDE_OK, trajectory_open(NULL, test_write_text("a.xyz", XYZ1 XYZ1 XYZ1), NULL, &trajectory));
	assert_skipped(trajectory, 2, 2);
	assert_atom(next(trajectory), 1, "O", 1, 1, 1);
	assert_skipped(trajectory, 2, 0);
	trajectory_close(&trajectory);
	sonde_atoms_free(&structure);
}

/* Many atoms in any order, whose numbers are consecutive or not: as many threads place them. */
static void test_large_frames_of_a_dump(void **unused)
{
	enum { ATOMS = 20000 };
	sonde_context *context;
	struct trajectory *trajectory;

	(void)unused;
	assert_status(SONDE_OK, sonde_context_create(&context));
	assert_status(SONDE_OK, sonde_context_set_threads(context, 3));
	for (int gap = 1; gap <= 2; ++gap) {
		struct text text = {0};
		for (int f = 0; f < 2; ++f) {
			text_append(
			    &text,
			    "ITEM: TIMESTEP\n%d\nITEM: NUMBER OF ATOMS\n%d\nITEM: BOX BOUNDS pp pp pp\n0 4\n0 4\n0 "
			    "4\nITEM: ATOMS id element x y z\n",
			    f, ATOMS);
			for (int k = 0; k < ATOMS; ++k) {
				const int atom = (int)((k * 7919LL + f) % ATOMS);
				text_append(&text, "%d %s %d.25 %d 1e-3\n", 5 + gap * atom, atom % 3 == 0 ? "O" : "H",
					    atom, f);
			}
		}
		assert_status(SONDE_OK, text_status(&text));
		assert_status(SONDE_OK, trajectory_open(context, test_write("l.dump", text.bytes, text.size), NULL,
							&trajectory));
		for (int f = 0; f < 2; ++f) {
			const sonde_atoms *frame = next(trajectory);
			assert_int_equal(sonde_atoms_count(frame), ATOMS);
			for (int k = 0; k < ATOMS; k += 37)
				assert_atom(frame, k, k % 3 == 0 ? "O" : "H", k + 0.25, f, 1e-3);
		}
		trajectory_close(&trajectory);
		text_free(&text);
	}
	sonde_context_free(&context);
}

static void test_failed_allocations(void **unused)
{
	sonde_atoms *structure = make_structure();
	struct bytes file = {.size = 0};
	sonde_status status = SONDE_RESOURCE;

	(void)unused;
	put_header(&file, 1, 0, false, 24, 3);
	put_positions(&file, 3, 0);
	const char *path = test_write("a.dcd", file.bytes, file.size);
	for (int64_t n = 1; status != SONDE_OK; ++n) {
		memory_fail_after(n);
		status = read_all(path, structure);
		memory_fail_after(0);
		assert_true(n < 100 && (status == SONDE_OK || status == SONDE_RESOURCE));
	}
	sonde_atoms_free(&structure);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_dcd_of_both_byte_orders), cmocka_unit_test(test_dcd_matrix_of_charmm),
	    cmocka_unit_test(test_dcd_with_fixed_atoms),    cmocka_unit_test(test_damaged_dcd_is_refused),
	    cmocka_unit_test(test_frames_are_skipped),      cmocka_unit_test(test_large_frames_of_a_dump),
	    cmocka_unit_test(test_frames_of_xyz),           cmocka_unit_test(test_frames_of_a_dump),
	    cmocka_unit_test(test_failed_allocations),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
