/* Values of a CIF's data block for the reader of unit cells: numbers, species, and the symmetry. */
#ifndef SONDE_MATTER_UNIT_CELL_TAGS_H
#define SONDE_MATTER_UNIT_CELL_TAGS_H

#include "matter/crystal/cif.h"
#include "matter/crystal/unit_cell.h"

struct tag_reader {
	const char *path;
	unit_cell_note *note; /* may be null */
	void *user;
	struct cif *cif;
	int64_t block;
	struct symmetry_operation *operations; /* to be released by free() */
	int operation_count;
};

/* A note that begins with the file's name. */
void tag_note(const struct tag_reader *reader, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The number of a row, perhaps with its standard uncertainty, "1.234(5)"; `what` it belongs to, for messages. */
sonde_status tag_number(const struct tag_reader *reader, const struct cif_column *column, int64_t row,
			const char *what, double *number);
/* Finds the operations: those that are listed; else those of the space group by its Hall symbol, its Hermann-Mauguin
 * symbol, or its number; else the identity, with a note. */
sonde_status tag_read_symmetry(struct tag_reader *reader, struct unit_cell *cell);

/* The label of a type symbol, "Fe", "FE", "Fe3+", "O-2", "D"; `charge` is that of symbols without one. */
sonde_status label_from_type(const char *type, int charge, char label[SONDE_LABEL_SIZE]);
/* The label of an atom without a type symbol by the letters of its name, "Si1", "OW2". Fails for "HO1", which may be
 * holmium. */
sonde_status label_from_name(const char *name, char label[SONDE_LABEL_SIZE]);

#endif
