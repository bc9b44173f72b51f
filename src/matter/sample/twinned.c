#include "matter/sample/twinned.h"

#include <math.h>
#include <string.h>

#include "matter/build/cluster.h"
#include "matter/build/room.h"
#include "matter/shape/body.h"
#include "matter/shape/shape.h"

bool twinned_is(const sonde_body_options *body)
{
	return body->shape == SONDE_BODY_SHAPE_ICOSAHEDRON || body->shape == SONDE_BODY_SHAPE_DECAHEDRON;
}

static sonde_status check(const sonde_body_options *body, const sonde_material_options *material)
{
	if (material->cell != SONDE_MATERIAL_CELL_FCC || strchr(material->species, ',') != NULL)
		return status_fail_option(
		    SONDE_INVALID, "shape",
		    "icosahedra and decahedra of atoms are multiply twinned fcc metals: a material "
		    "with `cell: fcc` and one species");
	if (body->orient[0] != '\0' || body->lattice != SONDE_BODY_LATTICE_BODY || body->cell_center.x != 0.0 ||
	    body->cell_center.y != 0.0 || body->cell_center.z != 0.0)
		return status_fail_option(SONDE_INVALID, body->orient[0] != '\0' ? "orient" : "shape",
					  "a multiply twinned body has no lattice of its own; turn it by `rotation`");
	return SONDE_OK;
}

static sonde_status turn(const sonde_body_options *body, sonde_atoms *atoms)
{
	const double degrees[3] = {body->rotation.x, body->rotation.y, body->rotation.z};
	struct shape_axes axes;

	if (!body_is_turned(body))
		return SONDE_OK;
	CHECK(shape_axes_turn(degrees, &axes));
	for (int64_t i = 0; i < atoms->count; ++i) {
		double *at = atoms->positions + 3 * i;
		const double x = at[0], y = at[1], z = at[2];
		for (int m = 0; m < 3; ++m)
			at[m] = x * axes.of[0][m] + y * axes.of[1][m] + z * axes.of[2][m];
	}
	return SONDE_OK;
}

sonde_status twinned_fill(sonde_context *context, const sonde_body_options *body,
			  const sonde_material_options *material, sonde_atoms *atoms)
{
	const double distance = material->a * sqrt(0.5);
	const bool icosahedron = body->shape == SONDE_BODY_SHAPE_ICOSAHEDRON;
	uint16_t species;
	int64_t p = 0, q = 0;

	CHECK(check(body, material));
	const int64_t shells = icosahedron ? cluster_icosahedron_within(body->edge, distance) : 0;
	if (!icosahedron)
		cluster_decahedron_within(body->radius, body->height, distance, &p, &q);
	const double number = (double)(icosahedron ? shells : p + q);
	CHECK(room_check_limit(number * number * number));
	CHECK(atoms_species_index(atoms, material->species, &species));
	CHECK(room_reserve(
	    context, icosahedron ? cluster_icosahedron_atoms(shells) : cluster_decahedron_atoms(p, q, 0), atoms));
	if (icosahedron)
		cluster_icosahedron(shells, distance, species, atoms);
	else
		cluster_decahedron(p, q, 0, distance, species, atoms);
	return turn(body, atoms);
}
