#include "matter/atoms/atoms_copies.h"

#include <string.h>

sonde_status atoms_set_copies(sonde_atoms *atoms, const struct copy_group *groups, int count)
{
	int64_t left = atoms->count;

	if (count < 0 || count > ATOMS_MOST_STRUCTURES)
		return status_fail(SONDE_INVALID, "%d structures: at most %d are possible", count,
				   ATOMS_MOST_STRUCTURES);
	for (int k = 0; k < count; ++k) {
		const bool fine =
		    groups[k].copies > 0 && groups[k].atoms > 0 && groups[k].copies <= left / groups[k].atoms;
		if (!fine)
			return status_fail(SONDE_INVALID, "the copies have more atoms than the sample, or none");
		left -= groups[k].copies * groups[k].atoms;
	}
	if (count > 0 && left != 0)
		return status_fail(SONDE_INVALID, "the copies have %lld of the %lld atoms of the sample",
				   (long long)(atoms->count - left), (long long)atoms->count);
	memcpy(atoms->groups, groups, (size_t)count * sizeof *groups);
	atoms->group_count = count;
	return SONDE_OK;
}

void atoms_copies_print(const sonde_atoms *atoms, struct text *text)
{
	for (int k = 0; k < atoms->group_count; ++k)
		text_append(text, "%s%lldx%lld", k > 0 ? "," : "", (long long)atoms->groups[k].copies,
			    (long long)atoms->groups[k].atoms);
}

bool atoms_copies_parse(const char *text, size_t length, struct copy_group groups[ATOMS_MOST_STRUCTURES], int *count)
{
	const char *const end = text + length;

	for (const char *c = text; c < end; ++c) {
		const char *comma = memchr(c, ',', (size_t)(end - c)), *stop = comma != NULL ? comma : end;
		const char *times = memchr(c, 'x', (size_t)(stop - c));
		struct copy_group group;
		if (times == NULL || *count == ATOMS_MOST_STRUCTURES ||
		    !text_parse_integer(c, times, &group.copies) ||
		    !text_parse_integer(times + 1, stop, &group.atoms) || group.copies < 1 || group.atoms < 1)
			return false;
		groups[(*count)++] = group;
		c = stop;
	}
	return length > 0;
}

int64_t atoms_copy_of(const sonde_atoms *atoms, int64_t atom)
{
	int64_t copy = 0;

	for (int k = 0; k < atoms->group_count; ++k) {
		const struct copy_group *group = &atoms->groups[k];
		if (atom < group->copies * group->atoms)
			return copy + atom / group->atoms;
		atom -= group->copies * group->atoms;
		copy += group->copies;
	}
	return 0;
}

sonde_status atoms_find_copies(const sonde_atoms *atoms, int64_t each,
			       struct copy_group groups[ATOMS_MOST_STRUCTURES], int *count)
{
	if (each > 0 && (atoms->count % each != 0 || atoms->count == 0))
		return status_fail_option(
		    SONDE_INVALID, "copy_atoms",
		    "the %lld atoms of the sample are not a whole number of copies of %lld atoms",
		    (long long)atoms->count, (long long)each);
	if (each == 0 && atoms->group_count == 0)
		return status_fail_option(
		    SONDE_INVALID, "copies",
		    "the sample is not known to consist of copies of one structure; give the number "
		    "of atoms of a copy by `copy_atoms`, or choose `copies exact`");
	*count = each > 0 ? 1 : atoms->group_count;
	memcpy(groups, atoms->groups, sizeof atoms->groups);
	if (each > 0)
		groups[0] = (struct copy_group){atoms->count / each, each};
	return SONDE_OK;
}

/* The numbers of a complete array of which `set` are set, after the first ones. */
static int64_t left(int64_t set, int64_t first, int64_t count)
{
	const int64_t after = set - first;

	return after < 0 ? 0 : after < count ? after : count;
}

sonde_atoms atoms_part(const sonde_atoms *atoms, int64_t first, int64_t count)
{
	sonde_atoms part = *atoms;

	part.count = count;
	part.positions += 3 * first;
	part.species_of += first;
	part.charges = NULL;
	part.charge_sets = 0;
	part.charged = 0;
	part.sites = atoms->sites != NULL ? atoms->sites + first : NULL;
	part.sited = left(atoms->sited, first, count);
	part.occupancies = atoms->occupancies != NULL ? atoms->occupancies + first : NULL;
	part.occupied = left(atoms->occupied, first, count);
	part.locations = atoms->locations != NULL ? atoms->locations + first : NULL;
	part.located = left(atoms->located, first, count);
	part.displacements =
	    atoms->displacements != NULL ? atoms->displacements + atoms->displacement_size * first : NULL;
	part.displaced = left(atoms->displaced, first, count);
	memset(part.groupings, 0, sizeof part.groupings);
	part.group_count = 0;
	part.placements = NULL;
	return part;
}
