/* Unit cells read from files of tests/data/cif or from text. */
#ifndef TESTS_UNIT_MATTER_CIF_FILES_H
#define TESTS_UNIT_MATTER_CIF_FILES_H

#include "unit/support.h"

#include <stdio.h>

#include "matter/crystal/unit_cell.h"

#define FILES TEST_DATA "/cif/"

static const char head[] = "data_x\n_cell_length_a 4\n_cell_length_b 5\n_cell_length_c 6\n_cell_angle_beta 100\n";
static const char atoms_loop[] =
    "loop_\n_atom_site_label\n_atom_site_fract_x\n_atom_site_fract_y\n_atom_site_fract_z\n"
    "_atom_site_occupancy\n";

static inline bool is_built(void)
{
	struct unit_cell cell;

	if (unit_cell_read_cif(NULL, FILES "graphite.cif", &cell) == SONDE_OK) {
		unit_cell_free(&cell);
		return true;
	}
	assert_message("this build has no CIF reader");
	return false;
}

static char notes[2000];

static inline void take_note(void *user, const char *line)
{
	(void)user;
	assert_true(strlen(notes) + strlen(line) + 2 < sizeof notes);
	strcat(strcat(notes, line), "\n");
}

static inline sonde_status read_named(const char *path, struct unit_cell *cell)
{
	notes[0] = '\0';
	return unit_cell_read_cif_frame(path, 0, take_note, NULL, cell);
}

static inline void read_file(const char *name, struct unit_cell *cell)
{
	char path[500];

	snprintf(path, sizeof path, FILES "%s.cif", name);
	assert_status(SONDE_OK, read_named(path, cell));
}

static inline sonde_status read_text(const char *text, struct unit_cell *cell)
{
	return read_named(test_write_text("cell.cif", text), cell);
}

#endif
