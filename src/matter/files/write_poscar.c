/* POSCAR of VASP: direct coordinates, atoms grouped by species. */
#include <string.h>

#include "matter/atoms/atoms_box.h"
#include "matter/files/atoms_writers.h"
#include "matter/elements/label.h"

#define DECIMALS 14

struct poscar {
	const sonde_atoms *atoms;
	struct atoms_box box;
	int species; /* whose rows are written now */
};

/* The element of a label; a label without one as it is. */
static const char *name_of(const char *text)
{
	struct label label;

	return label_parse(text, &label) == SONDE_OK ? element_symbol(label.atomic_number) : text;
}

static void append_header(const struct poscar *poscar, struct text *text)
{
	const sonde_atoms *atoms = poscar->atoms;

	atoms_append_origin(atoms, text);
	if (poscar->box.vacuum)
		text_append(text, "; a box with %g Angstrom of vacuum on each side", ATOMS_BOX_MARGIN);
	text_append(text, "\n1.0\n");
	for (int k = 0; k < 9; ++k) {
		text_append_byte(text, ' ');
		text_append_real(text, poscar->box.lattice[k]);
		if (k % 3 == 2)
			text_append_byte(text, '\n');
	}
	for (int s = 0; s < atoms->species_count; ++s)
		text_append(text, " %s", name_of(atoms->species[s].label));
	text_append_byte(text, '\n');
	for (int s = 0; s < atoms->species_count; ++s)
		text_append(text, " %lld", (long long)atoms->species[s].atoms);
	text_append(text, "\nDirect\n");
}

static void format_rows(const void *user, int64_t first, int64_t end, struct text *text)
{
	const struct poscar *poscar = user;

	for (int64_t i = first; i < end; ++i) {
		double fractions[3];
		if (poscar->atoms->species_of[i] != poscar->species)
			continue;
		atoms_box_fractions(&poscar->box, poscar->atoms->positions + 3 * i, fractions);
		for (int k = 0; k < 3; ++k) {
			text_append_byte(text, ' ');
			text_append_fixed(text, fractions[k], 0, DECIMALS);
		}
		text_append_byte(text, '\n');
	}
}

sonde_status atoms_write_poscar(const struct atoms_output *output)
{
	struct poscar poscar = {.atoms = output->atoms};

	CHECK(atoms_refuse_occupancies(output, "POSCAR"));
	CHECK(atoms_box_make(output->atoms, &poscar.box));
	append_header(&poscar, &output->file->block);
	for (; poscar.species < output->atoms->species_count; ++poscar.species)
		CHECK(atoms_output_rows(output, format_rows, &poscar));
	return SONDE_OK;
}
