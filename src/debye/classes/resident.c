#include "debye/classes/resident.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "matter/atoms/atoms_gpu.h"
#include "matter/crystal/lattice.h"

#define MIDDLE_ATOMS 20000.0  /* wanted in the middle of a sample, where a lattice is looked for: at least 80 cells */
#define FEWEST_IN_MIDDLE 8000 /* with fewer, the box around the middle is enlarged */
#define MOST_IN_MIDDLE 65536  /* with more, it is reduced */
#define MOST_TRIALS 24        /* boxes */

/* The device, if it has the positions; else null. */
static sonde_status device_of(sonde_context *context, const sonde_atoms *atoms, struct device **device,
			      const struct device_positions **at)
{
	*at = NULL;
	CHECK(context_device(context, device));
	*at = atoms_on_gpu(atoms, device_name(*device));
	return SONDE_OK;
}

static sonde_status device_with(sonde_context *context, const sonde_atoms *atoms, struct device **device,
				const struct device_positions **at)
{
	CHECK(device_of(context, atoms, device, at));
	return *at != NULL ? SONDE_OK
			   : status_fail(SONDE_RESOURCE, "the positions of the atoms are in the memory of another "
							 "device");
}

/* Whether a GPU can sum the pairs of its own atoms: by the histogram, or, of clusters, exactly. */
static bool method_allows(const sonde_debye_options *options, bool periodic)
{
	return options->method == SONDE_DEBYE_METHOD_HISTOGRAM || options->method == SONDE_DEBYE_METHOD_AUTO ||
	       (options->method == SONDE_DEBYE_METHOD_EXACT && !periodic);
}

static bool options_allow(const sonde_atoms *atoms, const sonde_debye_options *options)
{
	const bool periodic = periodic_is_wanted(atoms, options);

	return atoms->count >= ATOMS_RESIDENT_LEAST && method_allows(options, periodic) &&
	       /* the width of slabs and rods is that of their atoms */
	       (!periodic || !atoms_are_periodic(atoms) ||
		(atoms->periodic[0] && atoms->periodic[1] && atoms->periodic[2])) &&
	       options->placements[0] == '\0' && options->labels[0] == '\0' &&
	       options->copies == SONDE_DEBYE_COPIES_EXACT && options->partials == SONDE_DEBYE_PARTIALS_SPECIES &&
	       sonde_atoms_occupancies(atoms) == NULL;
}

sonde_status resident_choose(sonde_context *context, const sonde_atoms *atoms, const sonde_debye_options *options)
{
	bool allow = false;

	if (!atoms_are_resident(atoms))
		return SONDE_OK;
	if (options_allow(atoms, options))
		CHECK(atoms_gpu_works_alone(context, atoms, &allow));
	return allow ? SONDE_OK : atoms_need_positions(atoms);
}

static sonde_status box_of(sonde_context *context, const sonde_atoms *atoms, double box[ORDER_BOX])
{
	const struct device_positions *at;
	struct device *device;
	bool within;

	CHECK(device_with(context, atoms, &device, &at));
	CHECK(device_positions_box(device, at, atoms->count, box, &within));
	if (within)
		return SONDE_OK;
	/* for the message */
	CHECK(atoms_need_positions(atoms));
	return status_fail(SONDE_INTERNAL, "the GPU has found impossible coordinates, and the host none");
}

sonde_status resident_extent(sonde_context *context, const sonde_atoms *atoms, double *extent)
{
	double box[ORDER_BOX], squares = 0.0;

	CHECK(box_of(context, atoms, box));
	for (int k = 0; k < 3; ++k)
		squares += (box[2 * k + 1] - box[2 * k]) * (box[2 * k + 1] - box[2 * k]);
	*extent = sqrt(squares);
	return SONDE_OK;
}

sonde_status resident_pick(sonde_context *context, const sonde_atoms *atoms, const uint32_t *numbers, uint32_t count,
			   double *positions)
{
	const struct device_positions *at;
	sonde_atoms brought = *atoms;
	struct device *device;
	sonde_status status = device_of(context, atoms, &device, &at);

	if (status == SONDE_OK && at != NULL)
		status = device_positions_pick(device, at, numbers, count, positions);
	if (at != NULL && status != SONDE_RESOURCE)
		return status;
	/* the device has failed, or lacks memory, or another one has done the work */
	CHECK(atoms_need_positions(&brought));
	for (uint32_t n = 0; n < count; ++n)
		memcpy(positions + 3 * (size_t)n, brought.positions + 3 * (size_t)numbers[n], 3 * sizeof *positions);
	return SONDE_OK;
}

/* Numbers of the atoms in a box with the middle and the shape of that around all; *count: 0 if no box has a suitable number of them. */
static sonde_status find_middle(sonde_context *context, const sonde_atoms *atoms, uint32_t *numbers, uint32_t *count)
{
	const struct device_positions *at;
	struct device *device;
	double box[ORDER_BOX], part = cbrt(fmin(1.0, MIDDLE_ATOMS / (double)atoms->count)), least = 0.0, most = 1.0;

	CHECK(box_of(context, atoms, box));
	CHECK(device_with(context, atoms, &device, &at));
	for (int trial = 0; trial < MOST_TRIALS; ++trial) {
		double middle[ORDER_BOX];
		for (int k = 0; k < 3; ++k) {
			const double center = 0.5 * (box[2 * k] + box[2 * k + 1]),
				     half = 0.5 * part * (box[2 * k + 1] - box[2 * k]) + 1e-6;
			middle[2 * k] = center - half;
			middle[2 * k + 1] = center + half;
		}
		CHECK(device_positions_within(device, at, (uint32_t)atoms->count, middle, MOST_IN_MIDDLE, numbers,
					      count));
		const bool enough = *count >= FEWEST_IN_MIDDLE || (double)*count == (double)atoms->count;
		if (enough && *count <= MOST_IN_MIDDLE)
			return SONDE_OK;
		*(enough ? &most : &least) = part;
		part = enough && least == 0.0 ? 0.7 * part : fmin(0.5 * (least + most), 1.5 * part);
	}
	*count = 0;
	return SONDE_OK;
}

/* Whether these atoms have a lattice of the kinds of the classes. */
static sonde_status look_for_lattice(sonde_context *context, const struct debye_classes *classes,
				     const struct lattice_atoms *middle, bool *found)
{
	sonde_lattice *lattice;
	int kind;

	sonde_status status = lattice_create(&lattice);
	for (int c = 0; c < classes->count && status == SONDE_OK; ++c)
		status = lattice_add_kind(lattice, classes->view.species[c].label, classes->occupancy[c], &kind);
	if (status == SONDE_OK) {
		status = lattice_find(context, middle, "sample", lattice);
		*found = status == SONDE_OK;
		status = status == SONDE_INVALID ? SONDE_OK : status;
	}
	sonde_lattice_free(&lattice);
	return status;
}

sonde_status resident_may_be_lattice(sonde_context *context, const struct debye_classes *classes, bool *may_be)
{
	const sonde_atoms *atoms = &classes->view;
	uint32_t *numbers = NULL, count;
	double *positions = NULL;
	uint16_t *kinds = NULL;
	sonde_status status;

	*may_be = true;
	CHECK_GOTO(status, memory_allocate(&numbers, MOST_IN_MIDDLE, sizeof *numbers, "the lattice"), done);
	CHECK_GOTO(status, find_middle(context, atoms, numbers, &count), done);
	if (count == 0)
		goto done;
	CHECK_GOTO(status, memory_allocate(&positions, 3 * (size_t)count + 1, sizeof *positions, "the lattice"),
		   done);
	CHECK_GOTO(status, memory_allocate(&kinds, (size_t)count + 1, sizeof *kinds, "the lattice"), done);
	CHECK_GOTO(status, resident_pick(context, atoms, numbers, count, positions), done);
	for (uint32_t n = 0; n < count; ++n)
		kinds[n] = atoms->species_of[numbers[n]];
	const struct lattice_atoms middle = {count, positions, kinds};
	status = look_for_lattice(context, classes, &middle, may_be);
done:
	free(numbers);
	free(positions);
	free(kinds);
	return status;
}

sonde_status resident_bring(struct debye_classes *classes)
{
	CHECK(atoms_need_positions(&classes->view));
	return atoms_need_positions(&classes->summed);
}

sonde_status resident_copy(const sonde_context *context, const sonde_atoms *atoms, const struct periodic *periodic,
			   sonde_atoms *copy, double **positions)
{
	*copy = *atoms;
	CHECK(atoms_need_positions(copy));
	CHECK(memory_allocate_to_fill(positions, 3 * (size_t)atoms->count, sizeof **positions, "the atoms"));
	periodic_wrap_all(periodic, context_threads(context), atoms->count, copy->positions, *positions);
	copy->positions = *positions;
	copy->owner = NULL;
	return SONDE_OK;
}
