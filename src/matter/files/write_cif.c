/* CIF: all atoms as sites of a cell without symmetry, P 1 (S. R. Hall, F. H. Allen, I. D. Brown, Acta Cryst. A47, 655 (1991)). */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "matter/atoms/atoms_box.h"
#include "matter/files/atoms_writers.h"
#include "matter/elements/label.h"

#define DECIMALS 10 /* of coordinates in units of the edges */

struct cif {
	const sonde_atoms *atoms;
	struct atoms_box box;
};

static void append_cell(const struct atoms_box *box, struct text *text)
{
	static const char *const edges[] = {"a", "b", "c"}, *const angles[] = {"alpha", "beta", "gamma"};
	double length[3], angle[3];

	atoms_box_parameters(box, length, angle);
	if (box->vacuum)
		text_append(text,
			    "# The atoms have no cell: this one is a box with %g Angstrom of vacuum on each side.\n",
			    ATOMS_BOX_MARGIN);
	for (int k = 0; k < 3; ++k)
		text_append(text, "_cell_length_%s %.12g\n", edges[k], length[k]);
	for (int k = 0; k < 3; ++k)
		text_append(text, "_cell_angle_%s %.12g\n", angles[k], angle[k]);
	text_append(text, "_cell_volume %.12g\n", atoms_box_volume(box));
}

static void append_header(const struct cif *cif, struct text *text)
{
	text_append(text, "# ");
	atoms_append_origin(cif->atoms, text);
	text_append(text, "\ndata_sonde\n_audit_creation_method 'sonde %s'\n", sonde_version());
	append_cell(&cif->box, text);
	text_append(text, "_space_group_name_H-M_alt 'P 1'\n_space_group_IT_number 1\n"
			  "loop_\n_space_group_symop_operation_xyz\n'x, y, z'\n"
			  "loop_\n_atom_site_label\n_atom_site_type_symbol\n_atom_site_fract_x\n_atom_site_fract_y\n"
			  "_atom_site_fract_z\n_atom_site_occupancy\n");
}

/* "Co" of "Co2+" and of "59Co"; "X" of labels without an element. */
static const char *symbol_of(const char *text)
{
	struct label label;

	return label_parse(text, &label) == SONDE_OK ? element_symbol(label.atomic_number) : "X";
}

static void format_rows(const void *user, int64_t first, int64_t end, struct text *text)
{
	const struct cif *cif = user;
	const sonde_atoms *atoms = cif->atoms;
	const double *occupancies = sonde_atoms_occupancies(atoms);
	const char *symbol = "";
	int species = -1;

	for (int64_t i = first; i < end; ++i) {
		const char *label = atoms_label(atoms, i);
		double fractions[3];
		/* words that begin with another character may have a meaning */
		const char *quote = isalnum((unsigned char)label[0]) ? " " : " '";
		if (species != atoms->species_of[i])
			symbol = symbol_of(label);
		species = atoms->species_of[i];
		text_append_bytes(text, symbol, strlen(symbol));
		text_append_integer(text, i + 1);
		text_append_bytes(text, quote, strlen(quote));
		text_append_bytes(text, label, strlen(label));
		text_append_bytes(text, quote + 1, strlen(quote + 1));
		atoms_box_fractions(&cif->box, atoms->positions + 3 * i, fractions);
		for (int k = 0; k < 3; ++k) {
			text_append_byte(text, ' ');
			text_append_fixed(text, fractions[k], 0, DECIMALS);
		}
		text_append_byte(text, ' ');
		text_append_real(text, occupancies != NULL ? occupancies[i] : 1.0);
		text_append_byte(text, '\n');
	}
}

sonde_status atoms_write_cif(const struct atoms_output *output)
{
	struct cif cif = {.atoms = output->atoms};

	CHECK(atoms_box_make(output->atoms, &cif.box));
	append_header(&cif, &output->file->block);
	return atoms_output_rows(output, format_rows, &cif);
}
