/* The properties of atoms in addition to labels, positions, and charges. */
#include <string.h>

#include "matter/atoms/atoms.h"

sonde_status atoms_copy_properties(const sonde_atoms *from, sonde_atoms *to)
{
	if (sonde_atoms_occupancies(from) != NULL)
		CHECK(sonde_atoms_set_occupancies(to, sonde_atoms_occupancies(from)));
	if (from->displacements != NULL)
		CHECK(sonde_atoms_set_displacements(to, from->displacements, from->displacement_size));
	to->group_count = from->group_count;
	memcpy(to->groups, from->groups, sizeof to->groups);
	return atoms_groups_copy(from, to);
}
