/* Frame after frame: the magic number, the numbers of atoms and of the step, the time, the cell; and the positions, of up to nine
 * atoms as they are, of more compressed (xtc_numbers.c). */
#include "io/trajectory/xtc.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "io/trajectory/big_endian.h"
#include "io/trajectory/gromacs_frame.h"
#include "io/trajectory/xtc_numbers.h"

#define MAGIC 1995
#define MAGIC_OF_LARGE \
	2023           /* the number of compressed bytes has 64 bits: GROMACS from 2023 on, above 298,261,617 atoms */
#define HEADER 56      /* bytes: magic number, atoms, step, time, nine edges, atoms */
#define RANGE 32       /* bytes: precision, least and largest coordinates, size of differences */
#define MOST_PLAIN 9   /* atoms */
#define MOST_CELLS 100 /* extent of the positions in units of the cell: atoms that diffuse, without being wrapped */

struct xtc {
	struct gromacs_frame frame;
	bool large, has_header; /* of the present frame */
	double precision;       /* coordinates are multiples of 1/precision nm */
	char doubt[160];        /* of the frame that was read; empty without one */
};

static sonde_status read_header(struct xtc *xtc)
{
	struct gromacs_frame *frame = &xtc->frame;
	double edges[9];

	CHECK(gromacs_take(frame, HEADER));
	const int32_t magic = big_endian_integer(frame->bytes), atoms = big_endian_integer(frame->bytes + 4);
	if (magic != MAGIC && magic != MAGIC_OF_LARGE)
		return frame->frame == 0 ? status_fail_file(SONDE_INVALID, frame->path,
							    "is not an XTC file: it does not begin with 1995")
					 : gromacs_fail(frame, "does not begin with 1995: the file is damaged");
	xtc->large = magic == MAGIC_OF_LARGE;
	CHECK(gromacs_set_atoms(frame, atoms));
	if (big_endian_integer(frame->bytes + HEADER - 4) != atoms)
		return gromacs_fail(frame, "the number of its positions is not that of its atoms");
	for (int k = 0; k < 9; ++k)
		edges[k] = (double)big_endian_float(frame->bytes + 16 + 4 * k);
	xtc->has_header = true;
	return gromacs_set_lattice(frame, edges);
}

/* Begins the next frame, or notices the end of the file. */
static sonde_status begin_frame(struct xtc *xtc, bool *ended)
{
	*ended = !xtc->has_header && byte_reader_ended(xtc->frame.file);
	if (!*ended && !xtc->has_header)
		CHECK(read_header(xtc));
	xtc->has_header = false;
	return SONDE_OK;
}

static sonde_status read_plain(struct xtc *xtc)
{
	struct gromacs_frame *frame = &xtc->frame;

	CHECK(gromacs_take(frame, 12 * (uint64_t)frame->atoms));
	CHECK(gromacs_reserve(frame));
	for (int64_t k = 0; k < 3 * frame->atoms; ++k)
		CHECK(gromacs_place(frame, k, (double)big_endian_float(frame->bytes + 4 * k)));
	return SONDE_OK;
}

/* The range of the coordinates, and the number of compressed bytes. */
static sonde_status read_range(struct xtc *xtc, struct xtc_numbers *numbers)
{
	struct gromacs_frame *frame = &xtc->frame;
	const uint64_t word = xtc->large ? 8 : 4;

	CHECK(gromacs_take(frame, RANGE + word));
	xtc->precision = (double)big_endian_float(frame->bytes);
	for (int axis = 0; axis < 3; ++axis) {
		numbers->least[axis] = big_endian_integer(frame->bytes + 4 + 4 * axis);
		numbers->largest[axis] = big_endian_integer(frame->bytes + 16 + 4 * axis);
	}
	numbers->small = big_endian_integer(frame->bytes + 28);
	numbers->size = xtc->large ? big_endian_long(frame->bytes + RANGE) : big_endian_word(frame->bytes + RANGE);
	if (!(xtc->precision > 0.0 && xtc->precision < 1e9))
		return gromacs_fail(frame, "its precision is not a positive number");
	/* an atom takes a bit at least */
	if (numbers->size >= (uint64_t)1 << 40 || numbers->size < (uint64_t)frame->atoms / 8)
		return gromacs_fail(frame, "the size of its compressed positions is impossible");
	return SONDE_OK;
}

/* Sizes are multiples of four in the file. */
static uint64_t padded(uint64_t size)
{
	return (size + 3) / 4 * 4;
}

static sonde_status place(void *user, int64_t atom, const int64_t coordinates[3])
{
	struct xtc *xtc = user;

	for (int axis = 0; axis < 3; ++axis)
		CHECK(gromacs_place(&xtc->frame, 3 * atom + axis, (double)coordinates[axis] / xtc->precision));
	return SONDE_OK;
}

static bool is_power_of_ten(double x)
{
	const double power = round(log10(x));

	return fabs(x / pow(10.0, power) - 1.0) < 1e-6;
}

/* A damaged precision stretches all positions alike: it is usually a power of ten, and the positions fit the cell. */
static void find_doubt(struct xtc *xtc, const struct xtc_numbers *numbers)
{
	const double *edges = xtc->frame.lattice, nanometer = 10.0; /* in Angstrom */

	if (!is_power_of_ten(xtc->precision)) {
		snprintf(xtc->doubt, sizeof xtc->doubt, "its precision, 1/%.9g nm, is not a power of ten",
			 xtc->precision);
		return;
	}
	for (int axis = 0; axis < 3 && xtc->frame.has_lattice; ++axis) {
		const double extent =
				 ((double)numbers->largest[axis] - numbers->least[axis]) / xtc->precision * nanometer,
			     cell = fabs(edges[axis]) + fabs(edges[3 + axis]) + fabs(edges[6 + axis]);
		if (extent > MOST_CELLS * cell)
			snprintf(xtc->doubt, sizeof xtc->doubt,
				 "its atoms spread over %.4g Angstrom along %c, its cell over %.4g", extent,
				 "xyz"[axis], cell);
	}
}

static const char *xtc_doubt(const void *file)
{
	const struct xtc *xtc = file;

	return xtc->doubt[0] != '\0' ? xtc->doubt : NULL;
}

static sonde_status read_compressed(struct xtc *xtc)
{
	struct gromacs_frame *frame = &xtc->frame;
	struct xtc_numbers numbers;
	const char *wrong;

	CHECK(read_range(xtc, &numbers));
	CHECK(gromacs_take(frame, padded(numbers.size)));
	CHECK(memory_grow(&frame->bytes, &frame->bytes_capacity, padded(numbers.size) + XTC_PADDING, 1, "a frame"));
	memset(frame->bytes + numbers.size, 0, XTC_PADDING);
	numbers.bytes = frame->bytes;
	CHECK(gromacs_reserve(frame));
	CHECK(xtc_expand(&numbers, frame->atoms, place, xtc, &wrong));
	find_doubt(xtc, &numbers);
	return wrong == NULL ? SONDE_OK : gromacs_fail(frame, wrong);
}

static void xtc_close(void **file)
{
	struct xtc *xtc = *file;

	if (xtc != NULL)
		gromacs_close(&xtc->frame);
	free(xtc);
	*file = NULL;
}

static sonde_status xtc_open(const char *path, void **file)
{
	struct xtc *xtc;
	sonde_status status;

	CHECK(memory_allocate(&xtc, 1, sizeof *xtc, "a trajectory"));
	*file = xtc;
	CHECK_GOTO(status, gromacs_open(&xtc->frame, path), failed);
	CHECK_GOTO(status, read_header(xtc), failed);
	return SONDE_OK;
failed:
	xtc_close(file);
	return status;
}

static int64_t xtc_atoms(const void *file)
{
	return ((const struct xtc *)file)->frame.atoms;
}

static sonde_status xtc_next(void *file, const double **positions, const double **lattice)
{
	struct xtc *xtc = file;
	bool ended;

	*positions = *lattice = NULL;
	xtc->doubt[0] = '\0';
	CHECK(begin_frame(xtc, &ended));
	if (ended)
		return SONDE_OK;
	CHECK(xtc->frame.atoms <= MOST_PLAIN ? read_plain(xtc) : read_compressed(xtc));
	++xtc->frame.frame;
	*positions = xtc->frame.positions;
	*lattice = xtc->frame.has_lattice ? xtc->frame.lattice : NULL;
	return SONDE_OK;
}

static sonde_status xtc_skip(void *file, bool *ended)
{
	struct xtc *xtc = file;
	struct gromacs_frame *frame = &xtc->frame;
	struct xtc_numbers numbers;

	CHECK(begin_frame(xtc, ended));
	if (*ended)
		return SONDE_OK;
	if (frame->atoms <= MOST_PLAIN) {
		CHECK(gromacs_skip(frame, 12 * (uint64_t)frame->atoms));
	} else {
		CHECK(read_range(xtc, &numbers));
		CHECK(gromacs_skip(frame, padded(numbers.size)));
	}
	++frame->frame;
	return SONDE_OK;
}

const struct trajectory_format xtc_format = {.name = "XTC",
					     .open = xtc_open,
					     .close = xtc_close,
					     .atoms = xtc_atoms,
					     .next = xtc_next,
					     .doubt = xtc_doubt,
					     .skip = xtc_skip};
