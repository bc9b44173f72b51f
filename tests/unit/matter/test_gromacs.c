/* GROMACS's trajectories: files written by mdtraj 1.11 and its numbers (tests/data/README.md). */
#include "unit/read_atoms.h"

#include <stdlib.h>

#include "matter/files/trajectory.h"

#define ATOMS 60
#define FRAMES 4
#define FOLDER STRUCTURES "/"

struct bytes {
	unsigned char bytes[8192];
	size_t size;
};

static struct bytes read_bytes(const char *path)
{
	struct bytes bytes;
	FILE *file = fopen(path, "rb");

	assert_non_null(file);
	bytes.size = fread(bytes.bytes, 1, sizeof bytes.bytes, file);
	fclose(file);
	assert_in_range(bytes.size, 100, sizeof bytes.bytes - 100);
	return bytes;
}

/* Positions in Angstrom of all frames. */
static void read_positions(double *positions)
{
	FILE *file = fopen(FOLDER "gromacs.csv", "r");
	char line[256];

	assert_non_null(file);
	assert_non_null(fgets(line, sizeof line, file));
	for (int k = 0; k < FRAMES * ATOMS; ++k, positions += 3) {
		assert_non_null(fgets(line, sizeof line, file));
		assert_int_equal(sscanf(line, "%lf,%lf,%lf", positions, positions + 1, positions + 2), 3);
		for (int axis = 0; axis < 3; ++axis)
			positions[axis] *= 10.0;
	}
	fclose(file);
}

static sonde_atoms *make_structure(int atoms)
{
	sonde_atoms *structure;

	assert_status(SONDE_OK, sonde_atoms_create(&structure));
	for (int k = 0; k < atoms; ++k)
		assert_status(SONDE_OK, sonde_atoms_add(structure, k % 3 == 0 ? "O" : "H", (double[3]){k, 0, 0}));
	return structure;
}

static struct trajectory *open_file(const char *path, int atoms)
{
	sonde_atoms *structure = make_structure(atoms);
	struct trajectory *trajectory;

	assert_status(SONDE_OK, trajectory_open(NULL, path, structure, &trajectory));
	sonde_atoms_free(&structure);
	return trajectory;
}

/* The status of reading all frames; *frames of them. */
static sonde_status read_all(const char *path, int atoms, int *frames)
{
	sonde_atoms *structure = make_structure(atoms);
	struct trajectory *trajectory;
	const sonde_atoms *frame;
	sonde_status status = trajectory_open(NULL, path, structure, &trajectory);

	sonde_atoms_free(&structure);
	for (*frames = 0; status == SONDE_OK; ++*frames) {
		status = trajectory_next(trajectory, &frame);
		if (status != SONDE_OK || frame == NULL)
			break;
	}
	trajectory_close(&trajectory);
	return status;
}

/* Compares a frame with the numbers, of which the file keeps multiples of 2 `rounding` Angstrom. */
static void compare(const sonde_atoms *frame, const double *expected, double rounding)
{
	assert_non_null(frame);
	assert_int_equal(sonde_atoms_count(frame), ATOMS);
	for (int k = 0; k < 3 * ATOMS; ++k)
		/* the writers compute in float */
		assert_within(sonde_atoms_positions(frame)[k], expected[k], rounding + 2e-7 * fabs(expected[k]),
			      "position");
}

static void compare_all(const char *path, double rounding)
{
	static double positions[FRAMES * ATOMS * 3];
	struct trajectory *trajectory = open_file(path, ATOMS);
	const sonde_atoms *frame;

	read_positions(positions);
	for (int k = 0; k < FRAMES; ++k) {
		assert_status(SONDE_OK, trajectory_next(trajectory, &frame));
		compare(frame, positions + (ptrdiff_t)k * 3 * ATOMS, rounding);
		if (k == 0)
			assert_cell(frame, (const double[9]){30, 0, 0, 5, 40, 0, -2.5, 10, 50}, -1);
		else if (k == 2)
			assert_null(sonde_atoms_cell(frame));
		else
			assert_non_null(sonde_atoms_cell(frame));
	}
	assert_status(SONDE_OK, trajectory_next(trajectory, &frame));
	assert_null(frame);
	trajectory_close(&trajectory);
}

static void test_positions_are_those_of_the_writer(void **unused)
{
	(void)unused;
	compare_all(FOLDER "gromacs.xtc", 0.005001);
	compare_all(FOLDER "gromacs.trr", 1e-9);
}

static void test_frames_are_skipped(void **unused)
{
	static const char *const paths[] = {FOLDER "gromacs.xtc", FOLDER "gromacs.trr"};
	static double positions[FRAMES * ATOMS * 3];
	const sonde_atoms *frame;
	int64_t skipped;

	(void)unused;
	read_positions(positions);
	for (int k = 0; k < 2; ++k) {
		struct trajectory *trajectory = open_file(paths[k], ATOMS);
		assert_status(SONDE_OK, trajectory_skip(trajectory, 3, &skipped));
		assert_int_equal(skipped, 3);
		assert_status(SONDE_OK, trajectory_next(trajectory, &frame));
		compare(frame, positions + (ptrdiff_t)9 * ATOMS, 0.005001);
		assert_int_equal(trajectory_frame(trajectory), 3);
		assert_status(SONDE_OK, trajectory_skip(trajectory, 2, &skipped));
		assert_int_equal(skipped, 0);
		trajectory_close(&trajectory);
	}
}

/* Where frames begin, from the magic number `magic` of each. */
static int find_frames(const struct bytes *file, int magic, size_t starts[FRAMES + 1])
{
	int count = 0;

	for (size_t k = 0; k + 8 <= file->size && count < FRAMES; k += 4)
		if (file->bytes[k] == 0 && file->bytes[k + 1] == 0 && file->bytes[k + 2] == magic >> 8 &&
		    file->bytes[k + 3] == (magic & 255))
			starts[count++] = k;
	starts[count] = file->size;
	return count;
}

/* The same frames in the form for more than 298 million atoms: magic number 2023, and a size of 64 bits. */
static void test_xtc_of_many_atoms(void **unused)
{
	struct bytes file = read_bytes(FOLDER "gromacs.xtc"), large = {.size = 0};
	size_t starts[FRAMES + 1];

	(void)unused;
	assert_int_equal(find_frames(&file, 1995, starts), FRAMES);
	for (int k = 0; k < FRAMES; ++k) {
		const unsigned char *from = file.bytes + starts[k], words[4] = {0};
		unsigned char *to = large.bytes + large.size;
		const size_t size = starts[k + 1] - starts[k], before = 56 + 32;
		memcpy(to, from, before);
		to[2] = 2023 >> 8;
		to[3] = 2023 & 255;
		memcpy(to + before, words, 4);
		memcpy(to + before + 4, from + before, size - before);
		large.size += size + 4;
	}
	compare_all(test_write("large.xtc", large.bytes, large.size), 0.005001);
	compare_all(test_write_gzip("large.xtc.gz", large.bytes, large.size), 0.005001);
}

static void put_word(struct bytes *file, uint32_t word)
{
	for (int shift = 24; shift >= 0; shift -= 8)
		file->bytes[file->size++] = (unsigned char)(word >> shift);
}

static void put_words(struct bytes *file, int count, const int32_t *words)
{
	for (int k = 0; k < count; ++k)
		put_word(file, (uint32_t)words[k]);
}

static void put_float(struct bytes *file, float value)
{
	uint32_t word;

	memcpy(&word, &value, sizeof word);
	put_word(file, word);
}

static void put_real(struct bytes *file, double value)
{
	uint64_t word;

	memcpy(&word, &value, sizeof word);
	put_word(file, (uint32_t)(word >> 32));
	put_word(file, (uint32_t)word);
}

/* Up to nine atoms are not compressed. */
static void test_xtc_of_two_atoms(void **unused)
{
	struct bytes file = {.size = 0};
	int frames;

	(void)unused;
	put_words(&file, 4, (const int32_t[]){1995, 2, 0, 0});
	put_words(&file, 9, (const int32_t[9]){0});
	put_words(&file, 1, (const int32_t[]){2});
	for (int k = 0; k < 6; ++k)
		put_float(&file, 0.25F * (float)(k + 1));
	struct trajectory *trajectory = open_file(test_write("two.xtc", file.bytes, file.size), 2);
	const sonde_atoms *frame;
	assert_status(SONDE_OK, trajectory_next(trajectory, &frame));
	assert_atom(frame, 0, "O", 2.5, 5, 7.5);
	assert_atom(frame, 1, "H", 10, 12.5, 15);
	trajectory_close(&trajectory);
	assert_status(SONDE_OK, read_all(test_write("two.xtc", file.bytes, file.size), 2, &frames));
	assert_int_equal(frames, 1);
}

static void put_trr(struct bytes *file, bool positions, bool velocities)
{
	const int32_t sizes[13] = {[2] = 72, [7] = positions ? 48 : 0, [8] = velocities ? 48 : 0, [10] = 2};

	put_words(file, 3, (const int32_t[]){1993, 13, 12});
	memcpy(file->bytes + file->size, "GMX_trn_file", 12);
	file->size += 12;
	put_words(file, 13, sizes);
	for (int k = 0; k < 11; ++k) /* time, lambda, edges */
		put_real(file, k == 2 || k == 6 || k == 10 ? 0.5 : 0.0);
	for (int k = 0; k < 6 * (positions + velocities); ++k)
		put_real(file, k / 1024.0);
}

/* Frames of velocities alone do not count. */
static void test_trr_in_double_precision(void **unused)
{
	struct bytes file = {.size = 0};
	const sonde_atoms *frame;
	int64_t skipped;
	int frames;

	(void)unused;
	put_trr(&file, true, true);
	put_trr(&file, false, true);
	put_trr(&file, true, false);
	put_trr(&file, false, true);
	const char *path = test_write("double.trr", file.bytes, file.size);
	assert_status(SONDE_OK, read_all(path, 2, &frames));
	assert_int_equal(frames, 2);
	struct trajectory *trajectory = open_file(path, 2);
	assert_status(SONDE_OK, trajectory_next(trajectory, &frame));
	assert_atom(frame, 1, "H", 30.0 / 1024, 40.0 / 1024, 50.0 / 1024);
	assert_cell(frame, (const double[9]){5, 0, 0, 0, 5, 0, 0, 0, 5}, -1);
	assert_status(SONDE_OK, trajectory_skip(trajectory, 5, &skipped));
	assert_int_equal(skipped, 1);
	trajectory_close(&trajectory);
}

static void test_damaged_files_are_refused(void **unused)
{
	static const char *const names[] = {"gromacs.xtc", "gromacs.trr"};
	static const int magic[] = {1995, 1993};
	char path[512];
	int frames;

	(void)unused;
	for (int kind = 0; kind < 2; ++kind) {
		size_t starts[FRAMES + 1];
		snprintf(path, sizeof path, FOLDER "%s", names[kind]);
		const struct bytes whole = read_bytes(path);
		assert_int_equal(find_frames(&whole, magic[kind], starts), FRAMES);
		for (size_t size = 0; size < whole.size; size += 3) {
			bool complete = false;
			for (int k = 1; k < FRAMES; ++k)
				complete = complete || size == starts[k];
			assert_status(complete ? SONDE_OK : SONDE_INVALID,
				      read_all(test_write(names[kind], whole.bytes, size), ATOMS, &frames));
		}
		assert_invalid("has 60 atoms, the structure has 59", read_all(path, ATOMS - 1, &frames));
		struct bytes wrong = whole;
		wrong.bytes[3] ^= 1;
		assert_invalid(kind == 0 ? "is not an XTC file" : "is not a TRR file",
			       read_all(test_write(names[kind], wrong.bytes, wrong.size), ATOMS, &frames));
		wrong = whole;
		wrong.bytes[starts[1] + 3] ^= 1;
		assert_invalid(kind == 0 ? "frame 1: does not begin with 1995" : "frame 1: does not begin with 1993",
			       read_all(test_write(names[kind], wrong.bytes, wrong.size), ATOMS, &frames));
	}
	struct bytes wrong = read_bytes(FOLDER "gromacs.xtc");
	wrong.bytes[56 + 31] = 74; /* the bits of differences */
	assert_invalid("frame 0: the range of its compressed positions is impossible",
		       read_all(test_write("a.xtc", wrong.bytes, wrong.size), ATOMS, &frames));
	wrong = read_bytes(FOLDER "gromacs.xtc");
	memset(wrong.bytes + 92, 0xff, 100);
	assert_invalid("frame 0: its compressed positions are damaged",
		       read_all(test_write("a.xtc", wrong.bytes, wrong.size), ATOMS, &frames));
	wrong = read_bytes(FOLDER "gromacs.trr");
	memset(wrong.bytes + 120, 0xff, 12); /* positions that are not numbers */
	assert_invalid("frame 0: ", read_all(test_write("a.trr", wrong.bytes, wrong.size), ATOMS, &frames));
}

/* The format has no checksum, but limits are those of the atoms. */
static void test_limits_that_no_atom_has_are_refused(void **unused)
{
	const struct bytes whole = read_bytes(FOLDER "gromacs.xtc");
	const size_t first = 56 + 4, end = 56 + 28; /* three least coordinates, three largest ones */
	int frames;
	(void)unused;

	for (size_t bit = 8 * first; bit < 8 * end; ++bit) {
		struct bytes wrong = whole;
		wrong.bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
		assert_invalid("frame 0: ", read_all(test_write("a.xtc", wrong.bytes, wrong.size), ATOMS, &frames));
	}
}

static void test_labels_are_necessary(void **unused)
{
	struct trajectory *trajectory;
	sonde_atoms *atoms;

	(void)unused;
	assert_invalid("is a file of the format XTC, which has no labels of atoms: it needs a structure",
		       trajectory_open(NULL, FOLDER "gromacs.xtc", NULL, &trajectory));
	assert_invalid("is a trajectory without labels of atoms",
		       sonde_atoms_read(NULL, FOLDER "gromacs.trr", 0, &atoms));
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_positions_are_those_of_the_writer),
					   cmocka_unit_test(test_frames_are_skipped),
					   cmocka_unit_test(test_xtc_of_many_atoms),
					   cmocka_unit_test(test_xtc_of_two_atoms),
					   cmocka_unit_test(test_trr_in_double_precision),
					   cmocka_unit_test(test_damaged_files_are_refused),
					   cmocka_unit_test(test_limits_that_no_atom_has_are_refused),
					   cmocka_unit_test(test_labels_are_necessary)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
