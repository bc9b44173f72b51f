/* Composition and density of a material from its crystal's cell. */
#ifndef SONDE_MATTER_SAMPLE_CELL_MATTER_H
#define SONDE_MATTER_SAMPLE_CELL_MATTER_H

#include "base/text.h"
#include "matter/materials/material_list.h"
#include "sonde/body.h"
#include "sonde/build.h"
#include "sonde/material.h"

/* Whether the material has a crystal. */
bool material_has_cell(const sonde_material_options *material);
/* The options of `build` that give its crystal, on top of their defaults. */
void material_build_options(const sonde_material_options *material, sonde_build_options *options);

/* Sets composition and density of a material with a cell, unless they are given. A given composition whose atomic
 * fractions differ from the cell's by more than 0.02 is an error; a given density that differs from the cell's by more
 * than 2 % a note, a line after `where`. Materials without a cell are unchanged. */
sonde_status material_settle(sonde_material_options *material, const char *where, struct text *notes);

/* Sets `c_over_a` of a body of the shape wulff from the cell of its material, one of the list, unless it is given. */
sonde_status body_settle(const struct material_list *materials, sonde_body_options *body);

#endif
