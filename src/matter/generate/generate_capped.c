/* Nanotubes with caps. */
#include <math.h>

#include "matter/generate/cage.h"
#include "matter/generate/generate_parts.h"

static sonde_status append_cage(sonde_context *context, const struct cage_caps *caps, double steps, double bond,
				uint16_t species, sonde_atoms *atoms)
{
	struct cage cage;

	/* before its neighbors and springs, which need ten times as much memory */
	CHECK(generate_check_count(
	    context, 10.0 * ((double)cage_least_atoms(caps) + steps * (double)cage_step_atoms(caps)), atoms));
	sonde_status status = cage_make(caps, (int64_t)steps, bond, &cage);
	if (status == SONDE_OK)
		status = cage_relax(context, bond, &cage);
	if (status == SONDE_OK)
		status = generate_reserve(context, (double)cage.count, atoms);
	for (int64_t n = 0; n < cage.count && status == SONDE_OK; ++n)
		atoms_append(atoms, species, cage.positions[n]);
	cage_free(&cage);
	return status;
}

sonde_status generate_capped(sonde_context *context, const int64_t index[2], double bond, int64_t cells,
			     double length, uint16_t species, sonde_atoms *atoms)
{
	struct cage_caps caps;

	CHECK(cage_find_caps(index, &caps));
	const double shortest = bond * cage_length(&caps, 0), step = bond * cage_step(&caps);
	if (cells == 0 && length < shortest - 0.5 * step)
		return status_fail_option(SONDE_INVALID, "length",
					  "the two caps alone are %.4g Angstrom long; a longer tube is needed",
					  shortest);
	return append_cage(context, &caps,
			   cells > 0 ? (double)cells * cage_cell_steps(&caps) : round((length - shortest) / step),
			   bond, species, atoms);
}

sonde_status generate_capped_c60(sonde_context *context, int64_t rings, double bond, uint16_t species,
				 sonde_atoms *atoms)
{
	struct cage_caps caps;

	CHECK(cage_find_caps((const int64_t[2]){5, 5}, &caps));
	return append_cage(context, &caps, (double)(rings - 3), bond, species, atoms);
}
