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
