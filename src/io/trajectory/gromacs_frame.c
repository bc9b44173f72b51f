#include "io/trajectory/gromacs_frame.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "io/trajectory/trajectory_format.h"

#define ANGSTROM_IN_NM 10.0         /* Angstrom in one nm */
#define AT_ONCE ((uint64_t)1 << 18) /* bytes */

sonde_status gromacs_open(struct gromacs_frame *frame, const char *path)
{
	CHECK(memory_copy_text(path, &frame->path, "a path"));
	return byte_reader_open(&frame->file, path);
}

void gromacs_close(struct gromacs_frame *frame)
{
	byte_reader_close(&frame->file);
	free(frame->path);
	free(frame->bytes);
	free(frame->positions);
}

sonde_status gromacs_fail(const struct gromacs_frame *frame, const char *what)
{
	return status_fail_file(SONDE_INVALID, frame->path, "frame %lld: %s", (long long)frame->frame, what);
}

sonde_status gromacs_take(struct gromacs_frame *frame, uint64_t size)
{
	for (uint64_t done = 0, piece; done < size; done += piece) {
		piece = size - done < AT_ONCE ? size - done : AT_ONCE;
		CHECK(memory_grow(&frame->bytes, &frame->bytes_capacity, (size_t)(done + piece), 1, "a frame"));
		CHECK(byte_reader_take(frame->file, frame->bytes + done, (size_t)piece));
	}
	return SONDE_OK;
}

sonde_status gromacs_skip(struct gromacs_frame *frame, uint64_t size)
{
	if (size == 0)
		return SONDE_OK;
	/* the last byte shows whether the file has all of them */
	CHECK(byte_reader_skip(frame->file, (size_t)(size - 1)));
	return gromacs_take(frame, 1);
}

sonde_status gromacs_set_atoms(struct gromacs_frame *frame, int64_t atoms)
{
	if (atoms < 1)
		return status_fail_file(SONDE_INVALID, frame->path, "frame %lld has %lld atoms",
					(long long)frame->frame, (long long)atoms);
	if (frame->atoms != 0 && atoms != frame->atoms)
		return status_fail_file(SONDE_INVALID, frame->path,
					"frame %lld has %lld atoms, those before it have %lld",
					(long long)frame->frame, (long long)atoms, (long long)frame->atoms);
	frame->atoms = atoms;
	return SONDE_OK;
}

sonde_status gromacs_set_lattice(struct gromacs_frame *frame, const double edges[9])
{
	double *rows = frame->lattice;

	frame->has_lattice = false;
	for (int k = 0; k < 9; ++k) {
		rows[k] = ANGSTROM_IN_NM * edges[k];
		if (!(fabs(rows[k]) <= TRAJECTORY_LARGEST_COORDINATE))
			return gromacs_fail(frame, "its cell is out of range");
		frame->has_lattice = frame->has_lattice || rows[k] != 0.0;
	}
	const double volume = rows[0] * (rows[4] * rows[8] - rows[5] * rows[7]) +
			      rows[1] * (rows[5] * rows[6] - rows[3] * rows[8]) +
			      rows[2] * (rows[3] * rows[7] - rows[4] * rows[6]);
	if (frame->has_lattice && !(volume > 0.0))
		return gromacs_fail(frame, "its cell is impossible, or its volume is zero");
	return SONDE_OK;
}

sonde_status gromacs_place(struct gromacs_frame *frame, int64_t number, double value)
{
	frame->positions[number] = ANGSTROM_IN_NM * value;
	if (fabs(frame->positions[number]) <= TRAJECTORY_LARGEST_COORDINATE)
		return SONDE_OK;
	return status_fail_file(SONDE_INVALID, frame->path,
				"frame %lld: atom %lld is at %g, not within +-%g Angstrom", (long long)frame->frame,
				(long long)(number / 3 + 1), frame->positions[number], TRAJECTORY_LARGEST_COORDINATE);
}

sonde_status gromacs_reserve(struct gromacs_frame *frame)
{
	return frame->positions != NULL ? SONDE_OK
					: memory_allocate(&frame->positions, 3 * (size_t)frame->atoms,
							  sizeof *frame->positions, "a frame");
}
