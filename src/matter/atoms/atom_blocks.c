#include "matter/atoms/atom_blocks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/option_spelling.h"
#include "matter/atoms/atoms_copies.h"

static sonde_status allocate_names(int count, struct atom_blocks *blocks)
{
	CHECK(memory_allocate(&blocks->names, (size_t)count, sizeof *blocks->names, "the blocks"));
	blocks->count = count;
	return SONDE_OK;
}

static sonde_status fail_number(double count)
{
	return status_fail_option(SONDE_INVALID, "partials", "the sample has %s%.0f blocks; at most %u are possible",
				  count > ATOMS_MOST_GROUPS + 1 ? "" : "more than ",
				  count > ATOMS_MOST_GROUPS + 1 ? count : (double)ATOMS_MOST_GROUPS,
				  ATOMS_MOST_GROUPS);
}

/* Copies, which the sample is known to consist of, named by their numbers from 1. */
static sonde_status take_known_copies(const sonde_atoms *atoms, struct atom_blocks *blocks)
{
	const int64_t copies = atoms_copy_of(atoms, atoms->count - 1) + 1;
	int64_t atom = 0, first = 0;

	if (copies > ATOMS_MOST_GROUPS)
		return fail_number((double)copies);
	CHECK(allocate_names((int)copies, blocks));
	for (int k = 0; k < blocks->count; ++k)
		snprintf(blocks->names[k], ATOM_GROUP_NAME, "%d", k + 1);
	CHECK(memory_allocate(&blocks->own, (size_t)atoms->count, sizeof *blocks->own, "the blocks"));
	for (int g = 0; g < atoms->group_count; ++g) {
		const struct copy_group *group = &atoms->groups[g];
		for (int64_t i = 0; i < group->copies * group->atoms; ++i)
			blocks->own[atom++] = (uint32_t)(first + i / group->atoms);
		first += group->copies;
	}
	blocks->of = blocks->own;
	return SONDE_OK;
}

/* Copies of one structure, named by their numbers from 1. */
static sonde_status take_copies(const sonde_atoms *atoms, int64_t each, struct atom_blocks *blocks)
{
	const int64_t copies = atoms->count / each;

	if (atoms->count % each != 0)
		return status_fail_option(
		    SONDE_INVALID, "copy_atoms",
		    "the %lld atoms of the sample are not a whole number of copies of %lld atoms",
		    (long long)atoms->count, (long long)each);
	if (copies > ATOMS_MOST_GROUPS)
		return fail_number((double)copies);
	CHECK(allocate_names((int)copies, blocks));
	blocks->each = each;
	for (int k = 0; k < blocks->count; ++k)
		snprintf(blocks->names[k], ATOM_GROUP_NAME, "%d", k + 1);
	return SONDE_OK;
}

static sonde_status take_groups(const struct atom_groups *groups, struct atom_blocks *blocks)
{
	if (groups->count > ATOMS_MOST_GROUPS)
		return fail_number((double)groups->count);
	CHECK(allocate_names((int)groups->count, blocks));
	memcpy(blocks->names, groups->names, groups->count * sizeof *blocks->names);
	blocks->of = groups->of;
	return SONDE_OK;
}

sonde_status atom_blocks_find(const sonde_atoms *atoms, enum atom_grouping grouping, int64_t copy_atoms,
			      struct atom_blocks *blocks)
{
	*blocks = (struct atom_blocks){0};
	const struct atom_groups *groups = atoms_groups(atoms, grouping);
	const bool of_copies = grouping == ATOM_BLOCK;
	if (of_copies && copy_atoms > 0)
		return take_copies(atoms, copy_atoms, blocks);
	if (groups != NULL)
		return take_groups(groups, blocks);
	if (of_copies && atoms->group_count > 0)
		return take_known_copies(atoms, blocks);
	return status_fail_option(
	    SONDE_INVALID, "partials", "%s: %s", atoms->source.bytes != NULL ? atoms->source.bytes : "sample",
	    of_copies
		? "the atoms are in no blocks: these are copies of a job's `build`, a column 'block' or 'copy' of "
		  "extended XYZ, or " OPTION_NAME("copy_atoms") " atoms each"
		: "chains and residues are those of PDB files; a trajectory has those of its " OPTION_NAME(
		      "topology"));
}

void atom_blocks_free(struct atom_blocks *blocks)
{
	free(blocks->names);
	free(blocks->own);
	*blocks = (struct atom_blocks){0};
}

int atom_blocks_of(const struct atom_blocks *blocks, int64_t atom)
{
	return blocks->of != NULL ? (int)blocks->of[atom] : blocks->each > 0 ? (int)(atom / blocks->each) : 0;
}
