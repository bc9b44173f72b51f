/* Extended XYZ. */
#include <math.h>
#include <string.h>

#include "matter/atoms/atoms_copies.h"
#include "matter/files/atoms_writers.h"

#define BYTES_PER_ROW 48 /* of most files */
#define MOST_NUMBERS 11  /* of a row: position, occupancy, displacements, and a block */

static char truth(bool value)
{
	return value ? 'T' : 'F';
}

/* Blocks that can be written. */
static const struct atom_groups *blocks_of(const sonde_atoms *atoms)
{
	const struct atom_groups *groups = atoms_groups(atoms, ATOM_BLOCK);

	return groups != NULL && groups->of != NULL ? groups : NULL;
}

static void append_header(const sonde_atoms *atoms, struct text *block)
{
	text_append(block, "%lld\n", (long long)atoms->count);
	if (atoms->has_lattice) {
		text_append(block, "Lattice=\"");
		for (int k = 0; k < 9; ++k) {
			text_append(block, k > 0 ? " " : "");
			text_append_real(block, atoms->lattice[k]);
		}
		text_append(block, "\" ");
	}
	/* a cell without information on periodicity is written as that of a cluster */
	if (atoms->has_lattice || atoms_are_periodic(atoms))
		text_append(block, "pbc=\"%c %c %c\" ", truth(atoms->periodic[0]), truth(atoms->periodic[1]),
			    truth(atoms->periodic[2]));
	int each;
	(void)sonde_atoms_displacements(atoms, &each);
	text_append(block, "Properties=species:S:1:pos:R:3%s%s%s generator=\"sonde %s\"",
		    sonde_atoms_occupancies(atoms) != NULL ? ":occupancy:R:1" : "",
		    each == 0   ? ""
		    : each == 1 ? ":U_iso:R:1"
				: ":U_aniso:R:6",
		    blocks_of(atoms) != NULL ? ":block:S:1" : "", sonde_version());
	if (atoms->group_count > 0) {
		text_append(block, " copies=");
		atoms_copies_print(atoms, block);
	}
	if (atoms->source.bytes != NULL && atoms->source.bytes[strcspn(atoms->source.bytes, "\"\n\r")] == '\0')
		text_append(block, " source=\"%s\"", atoms->source.bytes);
	text_append(block, "\n");
}

/* Unknown numbers are written as nan. */
static char *write_displacement(const sonde_atoms *atoms, int64_t atom, char *to)
{
	int each;
	const double *u = sonde_atoms_displacements(atoms, &each);

	for (int k = 0; k < each; ++k) {
		const double value = u[atom * each + k];
		*to++ = ' ';
		if (isnan(value))
			to = stpcpy(to, "nan");
		else
			to += text_write_real(value, to);
	}
	return to;
}

/* `to` has room for a label and MOST_NUMBERS numbers with blanks; returns the end of the row. */
static char *write_row(const sonde_atoms *atoms, int64_t atom, const double *occupancies, char *to)
{
	to = stpcpy(to, atoms_label(atoms, atom));
	for (int k = 0; k < 3; ++k) {
		*to++ = ' ';
		to += text_write_real(atoms->positions[3 * atom + k], to);
	}
	if (occupancies != NULL) {
		*to++ = ' ';
		to += text_write_real(occupancies[atom], to);
	}
	to = write_displacement(atoms, atom, to);
	if (blocks_of(atoms) != NULL) {
		*to++ = ' ';
		to = stpcpy(to, blocks_of(atoms)->names[blocks_of(atoms)->of[atom]]);
	}
	*to++ = '\n';
	return to;
}

static void format_rows(const void *user, int64_t first, int64_t end, struct text *text)
{
	const sonde_atoms *atoms = user;
	const double *occupancies = sonde_atoms_occupancies(atoms);

	(void)text_room(text, (size_t)(end - first) * BYTES_PER_ROW);
	for (int64_t i = first; i < end; ++i) {
		char *to = text_room(text, SONDE_LABEL_SIZE + MOST_NUMBERS * 33 + 1);
		if (to == NULL)
			return;
		text_grow(text, (size_t)(write_row(atoms, i, occupancies, to) - to));
	}
}

sonde_status atoms_write_xyz(const struct atoms_output *output)
{
	append_header(output->atoms, &output->file->block);
	return atoms_output_rows(output, format_rows, output->atoms);
}
