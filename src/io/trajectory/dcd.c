/* The records are those of Fortran, with their size before and after: "CORD" and 20 integers; titles; the number of
 * atoms; the free atoms, if some are fixed; and for each frame the cell, x, y, z (and a fourth dimension). Documented with
 * CHARMM (dynamc.info, "DCD") and NAMD (https://www.ks.uiuc.edu/Research/namd/wiki, "Read DCD"). */
#include "io/trajectory/dcd.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/constants.h"
#include "base/memory.h"
#include "io/containers/bytes.h"

#define AT_ONCE 65536      /* numbers; a file may announce more than it has */
#define LAST_OF_ANGLES 24  /* version of the header up to which cells are lengths and angles */
#define HEADER_INTEGERS 20 /* after "CORD" */

/* Places in the header. */
enum { FRAMES = 0, FIXED = 8, HAS_CELL = 10, HAS_FOURTH = 11, VERSION = 19 };

struct dcd {
	struct byte_reader *file;
	char *path;
	bool swapped; /* the other byte order */
	int64_t atoms, frames, frame, free;
	bool has_cell, has_fourth;
	int version;
	int32_t *free_atoms; /* from 0; unused if all are free */
	float *numbers;      /* of a record */
	size_t numbers_capacity, free_capacity;
	double *positions;
	double lattice[9];
};

static sonde_status fail_frame(const struct dcd *dcd, const char *what)
{
	return status_fail_file(SONDE_INVALID, dcd->path, "frame %lld: %s", (long long)dcd->frame - 1, what);
}

static void swap(void *values, size_t count, size_t size)
{
	unsigned char *bytes = values;

	for (size_t k = 0; k < count; ++k, bytes += size) {
		for (size_t b = 0; b < size / 2; ++b) {
			unsigned char byte = bytes[b];
			bytes[b] = bytes[size - 1 - b];
			bytes[size - 1 - b] = byte;
		}
	}
}

/* Numbers in the byte order of this machine. */
static sonde_status take(struct dcd *dcd, void *values, size_t count, size_t size)
{
	CHECK(byte_reader_take(dcd->file, values, count * size));
	if (dcd->swapped)
		swap(values, count, size);
	return SONDE_OK;
}

/* The size before or after a record. */
static sonde_status take_marker(struct dcd *dcd, int64_t expected, const char *what)
{
	int32_t marker;

	CHECK(take(dcd, &marker, 1, sizeof marker));
	if (marker == expected)
		return SONDE_OK;
	if (dcd->frame > 0)
		return status_fail_file(SONDE_INVALID, dcd->path,
					"frame %lld: the record of %s has %lld bytes, not %lld",
					(long long)dcd->frame - 1, what, (long long)marker, (long long)expected);
	return status_fail_file(SONDE_INVALID, dcd->path, "the record of %s has %lld bytes, not %lld", what,
				(long long)marker, (long long)expected);
}

/* Numbers of four bytes, in pieces, so that the memory grows with what the file has. */
static sonde_status take_record(struct dcd *dcd, void *array, size_t *capacity, int64_t count, const char *what)
{
	char *values;

	CHECK(take_marker(dcd, 4 * count, what));
	for (int64_t done = 0, piece; done < count; done += piece) {
		piece = count - done < AT_ONCE ? count - done : AT_ONCE;
		CHECK(memory_grow(array, capacity, (size_t)(done + piece), 4, "a frame"));
		memcpy(&values, array, sizeof values);
		CHECK(take(dcd, values + 4 * done, (size_t)piece, 4));
	}
	return take_marker(dcd, 4 * count, what);
}

/* 84 in one of the byte orders, and "CORD". */
static sonde_status read_order(struct dcd *dcd)
{
	unsigned char start[8];
	int32_t marker;

	CHECK(byte_reader_take(dcd->file, start, sizeof start));
	memcpy(&marker, start, sizeof marker);
	if (marker != 84) {
		swap(&marker, 1, sizeof marker);
		dcd->swapped = true;
	}
	if (marker == 84 && memcmp(start + 4, "CORD", 4) == 0)
		return SONDE_OK;
	if (marker == 84 || (marker == 0 && (start[4] == 84 || start[7] == 84)))
		return status_fail_file(SONDE_INVALID, dcd->path,
					"is not a DCD file of coordinates with record markers of 32 bits");
	return status_fail_file(SONDE_INVALID, dcd->path, "is not a DCD file: it does not begin with CORD");
}

static sonde_status read_header(struct dcd *dcd)
{
	int32_t header[HEADER_INTEGERS];

	CHECK(read_order(dcd));
	CHECK(take(dcd, header, HEADER_INTEGERS, sizeof *header));
	CHECK(take_marker(dcd, 84, "the header"));
	dcd->frames = header[FRAMES];
	dcd->version = header[VERSION];
	/* X-PLOR has neither cells nor fixed atoms of this kind; its version is 0 */
	dcd->has_cell = dcd->version != 0 && header[HAS_CELL] != 0;
	dcd->has_fourth = dcd->version != 0 && header[HAS_FOURTH] != 0;
	dcd->free = -(int64_t)header[FIXED];
	if (header[FRAMES] < 0 || header[FIXED] < 0)
		return status_fail_file(SONDE_INVALID, dcd->path, "is damaged: its header has negative numbers");
	return SONDE_OK;
}

/* Titles of 80 characters, which are not used. */
static sonde_status skip_titles(struct dcd *dcd)
{
	char bytes[80];
	int32_t size, left;

	CHECK(take(dcd, &size, 1, sizeof size));
	if (size < 0)
		return status_fail_file(SONDE_INVALID, dcd->path, "the record of the titles has %d bytes", (int)size);
	for (left = size; left > 0; left -= left < 80 ? left : 80)
		CHECK(byte_reader_take(dcd->file, bytes, left < 80 ? (size_t)left : 80));
	return take_marker(dcd, size, "the titles");
}

static sonde_status read_free_atoms(struct dcd *dcd)
{
	CHECK(take_record(dcd, &dcd->free_atoms, &dcd->free_capacity, dcd->free, "the free atoms"));
	for (int64_t k = 0; k < dcd->free; ++k) {
		if (dcd->free_atoms[k] < 1 || dcd->free_atoms[k] > dcd->atoms)
			return status_fail_file(SONDE_INVALID, dcd->path,
						"free atom %d does not exist: there are %lld",
						(int)dcd->free_atoms[k], (long long)dcd->atoms);
		--dcd->free_atoms[k];
	}
	return SONDE_OK;
}

static sonde_status read_beginning(struct dcd *dcd)
{
	int32_t atoms;

	CHECK(read_header(dcd));
	CHECK(skip_titles(dcd));
	CHECK(take_marker(dcd, 4, "the number of atoms"));
	CHECK(take(dcd, &atoms, 1, sizeof atoms));
	CHECK(take_marker(dcd, 4, "the number of atoms"));
	if (atoms < 1)
		return status_fail_file(SONDE_INVALID, dcd->path, "has %d atoms", (int)atoms);
	dcd->atoms = atoms;
	dcd->free += atoms;
	if (dcd->free < 0 || dcd->atoms > INT32_MAX / 4)
		return status_fail_file(SONDE_INVALID, dcd->path, "%lld atoms, %lld of them fixed, are impossible",
					(long long)dcd->atoms, (long long)(dcd->atoms - dcd->free));
	return dcd->free < dcd->atoms ? read_free_atoms(dcd) : SONDE_OK;
}

static void dcd_close(void **file)
{
	struct dcd *dcd = *file;

	if (dcd == NULL)
		return;
	byte_reader_close(&dcd->file);
	free(dcd->path);
	free(dcd->free_atoms);
	free(dcd->numbers);
	free(dcd->positions);
	free(dcd);
	*file = NULL;
}

static sonde_status dcd_open(const char *path, void **file)
{
	struct dcd *dcd;
	sonde_status status;

	CHECK(memory_allocate(&dcd, 1, sizeof *dcd, "a trajectory"));
	*file = dcd;
	CHECK_GOTO(status, memory_copy_text(path, &dcd->path, "a path"), failed);
	CHECK_GOTO(status, byte_reader_open(&dcd->file, path), failed);
	CHECK_GOTO(status, read_beginning(dcd), failed);
	return SONDE_OK;
failed:
	dcd_close(file);
	return status;
}

static int64_t dcd_atoms(const void *file)
{
	return ((const struct dcd *)file)->atoms;
}

/* Rows a along x, b in the xy plane, c, from lengths and cosines of alpha (of b and c), beta, gamma; false if they are impossible. */
static bool lattice_of_lengths(const double length[3], const double cosine[3], double lattice[9])
{
	const double sine = sqrt(1.0 - cosine[2] * cosine[2]), along = (cosine[0] - cosine[1] * cosine[2]) / sine,
		     square = 1.0 - cosine[1] * cosine[1] - along * along;
	const double rows[9] = {length[0],
				0.0,
				0.0,
				length[1] * cosine[2],
				length[1] * sine,
				0.0,
				length[2] * cosine[1],
				length[2] * along,
				length[2] * sqrt(square)};

	memcpy(lattice, rows, sizeof rows);
	return square > 0.0 && length[0] > 0.0 && length[1] > 0.0 && length[2] > 0.0;
}

static bool all_between(const double values[3], double low, double high)
{
	for (int k = 0; k < 3; ++k)
		if (!(values[k] >= low && values[k] <= high))
			return false;
	return true;
}

/* Six numbers: a, gamma, b, beta, alpha, c, where the angles are degrees or their cosines (NAMD); or, by CHARMM from its version 25 on,
 * the lower triangle xx, xy, yy, xz, yz, zz of a symmetric matrix, whose rows are the edges. Off-diagonal numbers of a matrix
 * are far from the angles of cells, unless the matrix is diagonal: then both readings as lengths and cosines of 0 agree. */
static bool find_lattice(const struct dcd *dcd, const double cell[6], double lattice[9])
{
	const double length[3] = {cell[0], cell[2], cell[5]}, angle[3] = {cell[4], cell[3], cell[1]};
	double cosine[3];

	if (dcd->version > LAST_OF_ANGLES && !all_between(angle, 30.0, 150.0)) {
		const double rows[9] = {cell[0], cell[1], cell[3], cell[1], cell[2],
					cell[4], cell[3], cell[4], cell[5]};
		memcpy(lattice, rows, sizeof rows);
		return cell[0] > 0.0 && cell[2] > 0.0 && cell[5] > 0.0;
	}
	const bool cosines = all_between(angle, -1.0, 1.0);
	for (int k = 0; k < 3; ++k)
		cosine[k] = cosines ? angle[k] : angle[k] == 90.0 ? 0.0 : cos(angle[k] * DEGREE);
	return (cosines || all_between(angle, 1.0, 179.0)) && lattice_of_lengths(length, cosine, lattice);
}

static sonde_status read_cell(struct dcd *dcd, const double **lattice)
{
	double cell[6];

	CHECK(take_marker(dcd, sizeof cell, "the cell"));
	CHECK(take(dcd, cell, 6, sizeof *cell));
	CHECK(take_marker(dcd, sizeof cell, "the cell"));
	if (cell[0] == 0.0 && cell[2] == 0.0 && cell[5] == 0.0)
		return SONDE_OK; /* of runs without a cell */
	if (!find_lattice(dcd, cell, dcd->lattice))
		return fail_frame(dcd, "its cell is impossible, or its volume is zero");
	for (int k = 0; k < 9; ++k)
		if (!(fabs(dcd->lattice[k]) <= TRAJECTORY_LARGEST_COORDINATE))
			return fail_frame(dcd, "its cell is out of range");
	*lattice = dcd->lattice;
	return SONDE_OK;
}

/* From the second frame on only free atoms are in the file. */
static bool holds_all(const struct dcd *dcd)
{
	return dcd->frame == 1 || dcd->free == dcd->atoms;
}

static sonde_status read_axis(struct dcd *dcd, int axis)
{
	const bool all = holds_all(dcd);
	const int64_t count = all ? dcd->atoms : dcd->free;

	CHECK(take_record(dcd, &dcd->numbers, &dcd->numbers_capacity, count, "coordinates"));
	if (dcd->positions == NULL)
		CHECK(memory_allocate(&dcd->positions, 3 * (size_t)dcd->atoms, sizeof *dcd->positions, "a frame"));
	for (int64_t k = 0; k < count; ++k) {
		const int64_t atom = all ? k : dcd->free_atoms[k];
		const double value = (double)dcd->numbers[k];
		if (!(fabs(value) <= TRAJECTORY_LARGEST_COORDINATE))
			return status_fail_file(
			    SONDE_INVALID, dcd->path, "frame %lld: atom %lld is at %g, not within +-%g Angstrom",
			    (long long)dcd->frame - 1, (long long)atom + 1, value, TRAJECTORY_LARGEST_COORDINATE);
		dcd->positions[3 * atom + axis] = value;
	}
	return SONDE_OK;
}

/* Begins the next frame, whose number counts from 1 here, and from 0 in messages. */
static sonde_status begin_frame(struct dcd *dcd, bool *ended)
{
	*ended = byte_reader_ended(dcd->file);
	if (*ended && dcd->frame < dcd->frames)
		return status_fail_file(SONDE_INVALID, dcd->path, "ends after %lld of %lld frames",
					(long long)dcd->frame, (long long)dcd->frames);
	dcd->frame += !*ended;
	return SONDE_OK;
}

static sonde_status dcd_next(void *file, const double **positions, const double **lattice)
{
	struct dcd *dcd = file;
	bool ended;

	*positions = *lattice = NULL;
	CHECK(begin_frame(dcd, &ended));
	if (ended)
		return SONDE_OK;
	if (dcd->has_cell)
		CHECK(read_cell(dcd, lattice));
	for (int axis = 0; axis < 3; ++axis)
		CHECK(read_axis(dcd, axis));
	if (dcd->has_fourth)
		CHECK(take_record(dcd, &dcd->numbers, &dcd->numbers_capacity, holds_all(dcd) ? dcd->atoms : dcd->free,
				  "the fourth dimension"));
	*positions = dcd->positions;
	return SONDE_OK;
}

static sonde_status dcd_skip(void *file, bool *ended)
{
	struct dcd *dcd = file;
	const double *positions, *lattice;

	/* fixed atoms are in the first frame only */
	if (dcd->frame == 0 && dcd->free < dcd->atoms) {
		CHECK(dcd_next(dcd, &positions, &lattice));
		*ended = positions == NULL;
		return SONDE_OK;
	}
	CHECK(begin_frame(dcd, ended));
	if (*ended)
		return SONDE_OK;
	const int64_t count = 4 * dcd->free, records = dcd->has_fourth ? 4 : 3;
	/* up to the marker at the end of the last record, which shows whether the file has the whole frame */
	CHECK(byte_reader_skip(dcd->file, (size_t)((dcd->has_cell ? 56 : 0) + records * (count + 8) - 4)));
	return take_marker(dcd, count, "coordinates");
}

const struct trajectory_format dcd_format = {
    .name = "DCD", .open = dcd_open, .close = dcd_close, .atoms = dcd_atoms, .next = dcd_next, .skip = dcd_skip};
