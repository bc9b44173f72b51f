/* Groups of atoms: blocks, and chains and residues of biological files. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "matter/atoms/atoms.h"

#define LARGEST_NUMBER 1000000000 /* of a block, so that its name has few digits */

/* The number of a name, which is added if it is new. Adjacent atoms usually have the same group. */
static sonde_status find_name(struct atom_groups *groups, const char *name, uint32_t *number)
{
	const uint32_t last = groups->grouped > 0 ? groups->of[groups->grouped - 1] : 0;

	*number = last;
	if (groups->count > last && strcmp(groups->names[last], name) == 0)
		return SONDE_OK;
	for (*number = 0; *number < groups->count; ++*number)
		if (strcmp(groups->names[*number], name) == 0)
			return SONDE_OK;
	if (groups->count == ATOMS_MOST_GROUPS)
		return SONDE_OK;
	CHECK(memory_grow(&groups->names, &groups->names_capacity, (size_t)groups->count + 1, sizeof *groups->names,
			  "the names of groups"));
	snprintf(groups->names[groups->count++], ATOM_GROUP_NAME, "%s", name);
	return SONDE_OK;
}

static void forget(struct atom_groups *groups, uint32_t count)
{
	free(groups->of);
	free(groups->names);
	*groups = (struct atom_groups){.count = count};
}

/* Sets the group of the next atom without one. */
static sonde_status add(struct atom_groups *groups, const char *name)
{
	uint32_t number;

	CHECK(find_name(groups, name, &number));
	if (number == ATOMS_MOST_GROUPS) {
		forget(groups, ATOMS_MOST_GROUPS + 1);
		return SONDE_OK;
	}
	CHECK(memory_grow(&groups->of, &groups->capacity, (size_t)groups->grouped + 1, sizeof *groups->of,
			  "the groups"));
	groups->of[groups->grouped++] = number;
	return SONDE_OK;
}

sonde_status atoms_group_last(sonde_atoms *atoms, enum atom_grouping grouping, const char *name)
{
	struct atom_groups *groups = &atoms->groupings[grouping];

	/* too many, or some atoms have none */
	return groups->count > ATOMS_MOST_GROUPS || groups->grouped != atoms->count - 1 ? SONDE_OK
											: add(groups, name);
}

sonde_status sonde_atoms_set_blocks(sonde_atoms *atoms, const int64_t *blocks)
{
	struct atom_groups *groups = &atoms->groupings[ATOM_BLOCK];
	char name[ATOM_GROUP_NAME];

	forget(groups, 0);
	for (int64_t i = 0; i < atoms->count; ++i) {
		if (blocks[i] < 0 || blocks[i] > LARGEST_NUMBER)
			return status_fail(SONDE_INVALID,
					   "atom %lld: the number of a block must be 0 to %d, not %lld",
					   (long long)i + 1, LARGEST_NUMBER, (long long)blocks[i]);
		snprintf(name, sizeof name, "%lld", (long long)blocks[i]);
		CHECK(add(groups, name));
		if (groups->count > ATOMS_MOST_GROUPS) {
			forget(groups, 0);
			return status_fail(SONDE_INVALID, "more than %u different blocks", ATOMS_MOST_GROUPS);
		}
	}
	return SONDE_OK;
}

const struct atom_groups *atoms_groups(const sonde_atoms *atoms, enum atom_grouping grouping)
{
	const struct atom_groups *groups = &atoms->groupings[grouping];

	return groups->count > ATOMS_MOST_GROUPS || (groups->of != NULL && groups->grouped == atoms->count) ? groups
													    : NULL;
}

static sonde_status copy_groups(const struct atom_groups *from, struct atom_groups *to)
{
	forget(to, 0);
	if (from->count > ATOMS_MOST_GROUPS) {
		to->count = from->count;
		return SONDE_OK;
	}
	CHECK(memory_grow(&to->of, &to->capacity, (size_t)from->grouped, sizeof *to->of, "the groups"));
	CHECK(memory_grow(&to->names, &to->names_capacity, (size_t)from->count, sizeof *to->names,
			  "the names of groups"));
	memcpy(to->of, from->of, (size_t)from->grouped * sizeof *to->of);
	memcpy(to->names, from->names, (size_t)from->count * sizeof *to->names);
	to->grouped = from->grouped;
	to->count = from->count;
	return SONDE_OK;
}

sonde_status atoms_groups_copy(const sonde_atoms *from, sonde_atoms *to)
{
	for (int k = 0; k < ATOM_GROUPINGS; ++k)
		if (atoms_groups(from, (enum atom_grouping)k) != NULL)
			CHECK(copy_groups(&from->groupings[k], &to->groupings[k]));
	return SONDE_OK;
}

void atoms_groups_free(sonde_atoms *atoms)
{
	for (int k = 0; k < ATOM_GROUPINGS; ++k)
		forget(&atoms->groupings[k], 0);
}
