/* Frame after frame: 1993, the name of the format, the sizes in bytes of ten parts, the number of atoms, and the parts, among them
 * the cell, positions, velocities, and forces (GROMACS manual, "File formats: trr"). */
#include "io/trajectory/trr.h"

#include <stdlib.h>

#include "base/memory.h"
#include "io/trajectory/big_endian.h"
#include "io/trajectory/gromacs_frame.h"

#define MAGIC 1993
#define NAME "GMX_trn_file"
#define NAME_SIZE (sizeof NAME - 1)
/* the magic number, the size of the name with and without the zero at its end, and the name */
#define BEGINNING (12 + NAME_SIZE)

/* Sizes of parts, in the order of the file. */
enum part { INPUT, ENERGY, CELL, VIRIAL, PRESSURE, TOPOLOGY, SYMBOLS, POSITIONS, VELOCITIES, FORCES, PARTS };
/* after them the number of atoms, of the step, and of energies, which are not used */
#define WORDS (PARTS + 3)

struct trr {
	struct gromacs_frame frame; /* first: its address is that of the file */
	uint64_t sizes[PARTS];
	uint64_t real;   /* bytes of a number */
	bool has_header; /* of the present frame */
};

/* Four or eight, from a part of which the number of numbers is known. */
static uint64_t size_of_real(const struct trr *trr)
{
	const uint64_t of_atoms = 3 * (uint64_t)trr->frame.atoms;

	for (enum part part = POSITIONS; part < PARTS; ++part)
		if (trr->sizes[part] != 0)
			return trr->sizes[part] / of_atoms;
	return trr->sizes[CELL] / 9;
}

/* Whether the sizes are those of numbers of one precision. */
static bool is_consistent(const struct trr *trr)
{
	const uint64_t of_atoms = 3 * (uint64_t)trr->frame.atoms * trr->real;

	if (trr->real != 4 && trr->real != 8)
		return false;
	for (enum part part = POSITIONS; part < PARTS; ++part)
		if (trr->sizes[part] != 0 && trr->sizes[part] != of_atoms)
			return false;
	for (enum part part = CELL; part <= PRESSURE; ++part)
		if (trr->sizes[part] != 0 && trr->sizes[part] != 9 * trr->real)
			return false;
	return true;
}

/* The numbers before the parts of a frame. */
static sonde_status read_header(struct trr *trr)
{
	struct gromacs_frame *frame = &trr->frame;
	const unsigned char *words = NULL;

	CHECK(gromacs_take(frame, BEGINNING + 4 * WORDS));
	if (big_endian_integer(frame->bytes) != MAGIC || memcmp(frame->bytes + 12, NAME, NAME_SIZE) != 0)
		return frame->frame == 0 ? status_fail_file(SONDE_INVALID, frame->path,
							    "is not a TRR file: it does not begin with 1993")
					 : gromacs_fail(frame, "does not begin with 1993: the file is damaged");
	words = frame->bytes + BEGINNING;
	for (enum part part = INPUT; part < PARTS; ++part) {
		const int32_t size = big_endian_integer(words + 4 * part);
		if (size < 0)
			return gromacs_fail(frame, "has a part of negative size");
		trr->sizes[part] = (uint64_t)size;
	}
	CHECK(gromacs_set_atoms(frame, big_endian_integer(words + 4 * PARTS)));
	trr->real = size_of_real(trr);
	if (!is_consistent(trr))
		return gromacs_fail(frame, "the sizes of its parts do not fit the number of atoms");
	trr->has_header = true;
	return gromacs_skip(frame, 2 * trr->real); /* the time, and lambda */
}

static uint64_t size_before(const struct trr *trr, enum part end, enum part begin)
{
	uint64_t size = 0;

	for (enum part part = begin; part < end; ++part)
		size += trr->sizes[part];
	return size;
}

/* The header of the next frame with positions. */
static sonde_status find_frame(struct trr *trr, bool *ended)
{
	for (;;) {
		*ended = !trr->has_header && byte_reader_ended(trr->frame.file);
		if (*ended)
			return SONDE_OK;
		if (!trr->has_header)
			CHECK(read_header(trr));
		if (trr->sizes[POSITIONS] > 0)
			return SONDE_OK;
		trr->has_header = false;
		CHECK(gromacs_skip(&trr->frame, size_before(trr, PARTS, INPUT)));
	}
}

static double number(const struct trr *trr, uint64_t index)
{
	const unsigned char *bytes = trr->frame.bytes + index * trr->real;

	return trr->real == 8 ? big_endian_double(bytes) : (double)big_endian_float(bytes);
}

static sonde_status read_cell(struct trr *trr)
{
	double edges[9] = {0};

	CHECK(gromacs_take(&trr->frame, trr->sizes[CELL]));
	for (uint64_t k = 0; k < trr->sizes[CELL] / trr->real; ++k)
		edges[k] = number(trr, k);
	return gromacs_set_lattice(&trr->frame, edges);
}

static sonde_status read_frame(struct trr *trr)
{
	struct gromacs_frame *frame = &trr->frame;

	trr->has_header = false;
	CHECK(gromacs_skip(frame, size_before(trr, CELL, INPUT)));
	CHECK(read_cell(trr));
	CHECK(gromacs_skip(frame, size_before(trr, POSITIONS, VIRIAL)));
	CHECK(gromacs_take(frame, trr->sizes[POSITIONS]));
	CHECK(gromacs_reserve(frame));
	for (int64_t k = 0; k < 3 * frame->atoms; ++k)
		CHECK(gromacs_place(frame, k, number(trr, (uint64_t)k)));
	CHECK(gromacs_skip(frame, size_before(trr, PARTS, VELOCITIES)));
	++frame->frame;
	return SONDE_OK;
}

static void trr_close(void **file)
{
	struct trr *trr = *file;

	if (trr != NULL)
		gromacs_close(&trr->frame);
	free(trr);
	*file = NULL;
}

static sonde_status trr_open(const char *path, void **file)
{
	struct trr *trr;
	sonde_status status;

	CHECK(memory_allocate(&trr, 1, sizeof *trr, "a trajectory"));
	*file = trr;
	CHECK_GOTO(status, gromacs_open(&trr->frame, path), failed);
	CHECK_GOTO(status, read_header(trr), failed);
	return SONDE_OK;
failed:
	trr_close(file);
	return status;
}

static int64_t trr_atoms(const void *file)
{
	return ((const struct trr *)file)->frame.atoms;
}

static sonde_status trr_next(void *file, const double **positions, const double **lattice)
{
	struct trr *trr = file;
	bool ended;

	*positions = *lattice = NULL;
	CHECK(find_frame(trr, &ended));
	if (ended)
		return SONDE_OK;
	CHECK(read_frame(trr));
	*positions = trr->frame.positions;
	*lattice = trr->frame.has_lattice ? trr->frame.lattice : NULL;
	return SONDE_OK;
}

static sonde_status trr_skip(void *file, bool *ended)
{
	struct trr *trr = file;

	CHECK(find_frame(trr, ended));
	if (*ended)
		return SONDE_OK;
	trr->has_header = false;
	CHECK(gromacs_skip(&trr->frame, size_before(trr, PARTS, INPUT)));
	++trr->frame.frame;
	return SONDE_OK;
}

const struct trajectory_format trr_format = {
    .name = "TRR", .open = trr_open, .close = trr_close, .atoms = trr_atoms, .next = trr_next, .skip = trr_skip};
