/* Shared by the readers of GROMACS's trajectories XTC and TRR, whose lengths are in nm. */
#ifndef SONDE_IO_TRAJECTORY_GROMACS_FRAME_H
#define SONDE_IO_TRAJECTORY_GROMACS_FRAME_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "io/containers/bytes.h"

struct gromacs_frame {
	struct byte_reader *file;
	char *path;
	int64_t atoms, frame;  /* the number of the present one, from 0 */
	unsigned char *bytes;  /* of a part of a frame */
	size_t bytes_capacity; /* of them */
	double *positions;     /* Angstrom */
	double lattice[9];     /* rows, Angstrom */
	bool has_lattice;
};

/* Opens a file; gromacs_close() also after a failure. */
sonde_status gromacs_open(struct gromacs_frame *frame, const char *path);
void gromacs_close(struct gromacs_frame *frame);
/* SONDE_INVALID, with the number of the present frame. */
sonde_status gromacs_fail(const struct gromacs_frame *frame, const char *what);
/* Reads this many bytes into `bytes`, in pieces, so that memory grows with what the file has and not with what it announces. */
sonde_status gromacs_take(struct gromacs_frame *frame, uint64_t size);
/* Skips bytes, and fails if the file ends within them. */
sonde_status gromacs_skip(struct gromacs_frame *frame, uint64_t size);
/* Sets the number of atoms, or compares it with that of the frames before. */
sonde_status gromacs_set_atoms(struct gromacs_frame *frame, int64_t atoms);
/* Sets the cell from edges in nm; none if all numbers are 0. */
sonde_status gromacs_set_lattice(struct gromacs_frame *frame, const double edges[9]);
/* Stores a coordinate in nm, number 3 atom + axis. */
sonde_status gromacs_place(struct gromacs_frame *frame, int64_t number, double value);
/* Allocates the positions of the first frame. */
sonde_status gromacs_reserve(struct gromacs_frame *frame);

#endif
