/* LAMMPS data files: atom_style atomic, or charge for atoms with charges. The cell is turned as LAMMPS requires, a along x and b in
 * the xy plane, right-handed, and the coordinates with it (LAMMPS manual, "Triclinic simulation boxes"). */
#include <string.h>

#include "matter/atoms/atoms_box.h"
#include "matter/files/atoms_writers.h"
#include "matter/elements/isotope.h"
#include "matter/elements/label.h"

struct lammps {
	const sonde_atoms *atoms;
	struct atoms_box box;
};

static bool find_mass(const char *text, double *mass)
{
	struct label label;

	*mass = 0.0;
	return label_parse(text, &label) == SONDE_OK &&
	       isotope_mass(label.atomic_number, label.mass_number, mass) == SONDE_OK && *mass > 0.0;
}

/* The first label without a mass; null if all have one. */
static const char *find_massless(const sonde_atoms *atoms)
{
	double mass;

	for (int s = 0; s < atoms->species_count; ++s)
		if (!find_mass(atoms->species[s].label, &mass))
			return atoms->species[s].label;
	return NULL;
}

static void append_box(const struct atoms_box *box, struct text *text)
{
	static const char axes[] = "xyz";
	const double *edges = box->edges;

	for (int k = 0; k < 3; ++k) {
		text_append_real(text, box->origin[k]);
		text_append_byte(text, ' ');
		text_append_real(text, box->origin[k] + edges[4 * k]);
		text_append(text, " %clo %chi\n", axes[k], axes[k]);
	}
	if (edges[3] == 0.0 && edges[6] == 0.0 && edges[7] == 0.0)
		return;
	for (int k = 0; k < 3; ++k) {
		text_append_real(text, k == 0 ? edges[3] : edges[5 + k]);
		text_append_byte(text, ' ');
	}
	text_append(text, "xy xz yz\n");
}

static void append_masses(const sonde_atoms *atoms, struct text *text)
{
	if (find_massless(atoms) != NULL)
		return;
	text_append(text, "\nMasses\n\n");
	for (int s = 0; s < atoms->species_count; ++s) {
		double mass;
		(void)find_mass(atoms->species[s].label, &mass);
		text_append(text, "%d ", s + 1);
		text_append_real(text, mass);
		text_append(text, " # %s\n", atoms->species[s].label);
	}
}

static void append_header(const struct lammps *lammps, struct text *text)
{
	const sonde_atoms *atoms = lammps->atoms;
	const char *massless = find_massless(atoms);

	text_append(text, "LAMMPS data file. ");
	atoms_append_origin(atoms, text);
	if (massless != NULL)
		text_append(text, "; without masses, since that of %s is not known", massless);
	text_append(text, "\n\n%lld atoms\n%d atom types\n\n", (long long)atoms->count, atoms->species_count);
	append_box(&lammps->box, text);
	append_masses(atoms, text);
	text_append(text, "\nAtoms # %s\n\n", sonde_atoms_charges(atoms) != NULL ? "charge" : "atomic");
}

static void format_rows(const void *user, int64_t first, int64_t end, struct text *text)
{
	const struct lammps *lammps = user;
	const sonde_atoms *atoms = lammps->atoms;
	const double *charges = sonde_atoms_charges(atoms);

	for (int64_t i = first; i < end; ++i) {
		double position[3];
		text_append_integer(text, i + 1);
		text_append_byte(text, ' ');
		text_append_integer(text, atoms->species_of[i] + 1);
		if (charges != NULL) {
			text_append_byte(text, ' ');
			text_append_real(text, charges[i]);
		}
		atoms_box_turn(&lammps->box, atoms->positions + 3 * i, position);
		for (int k = 0; k < 3; ++k) {
			text_append_byte(text, ' ');
			text_append_real(text, position[k]);
		}
		text_append_byte(text, '\n');
	}
}

sonde_status atoms_write_lammps(const struct atoms_output *output)
{
	struct lammps lammps = {.atoms = output->atoms};

	CHECK(atoms_refuse_occupancies(output, "LAMMPS"));
	CHECK(atoms_box_make(output->atoms, &lammps.box));
	append_header(&lammps, &output->file->block);
	return atoms_output_rows(output, format_rows, &lammps);
}
