/* Threshold energies of a job's materials, as values of the options for the regions that consist of them. */
#ifndef SONDE_IONS_MATERIAL_ENERGIES_H
#define SONDE_IONS_MATERIAL_ENERGIES_H

#include "matter/materials/material_list.h"
#include "matter/shape/body.h"
#include "sonde/ions.h"

/* Appends, to the options `displacement`, `lattice`, and `surface_binding`, "Si@2=15" for layer 2 and "Si@b1=15" for
 * body 1, if these are of a material with such energies; values that the options give for the same place are kept.
 * Texts and bodies contain the names of materials, which are not replaced yet. SONDE_INVALID for maps of voxels of
 * such a material. */
sonde_status ions_take_material_energies(const struct material_list *materials, const struct body_list *bodies,
					 sonde_ions_options *options);

#endif
