/* The lines of atoms in LAMMPS dumps, and the frame that they belong to. */
#ifndef SONDE_IO_LAMMPS_DUMP_ATOM_H
#define SONDE_IO_LAMMPS_DUMP_ATOM_H

#include "base/text.h"
#include "io/atoms/atom_list.h"
#include "io/atoms/atom_sink.h"
#include "io/atoms/lammps_box.h"
#include "io/text/lines.h"

#define DUMP_MOST_WORDS 128

enum { ID, ELEMENT, MASS, CHARGE, TYPE, NAMED };

/* Columns by name, -1: none. `kind` is that of the positions. The same by column: one of NAMED, or of the positions
 * after them, or -1. */
struct dump_columns {
	int named[NAMED], position[3], count, kind;
	short content[DUMP_MOST_WORDS];
};

struct dump_frame {
	struct line_reader *reader;
	const struct atom_sink *sink;
	struct word title[DUMP_MOST_WORDS]; /* "ITEM:" and so on, of the last item */
	int title_words;
	int64_t count; /* -1: not given */
	struct lammps_box box;
	bool boxed, periodic[3], periodic_known;
	struct dump_columns columns;
	struct atom_list atoms;
	char labels[ATOM_LIST_MOST_LABELS][ATOM_LIST_LABEL];
	double masses[ATOM_LIST_MOST_LABELS];
	int label_count;
};

/* Reads the atom of a line; the message says what is wrong with it. */
sonde_status dump_read_atom(struct dump_frame *frame, const char *line, struct listed_atom *atom);
/* The same, faster; false where the line needs the function above. Any number of threads may call it. */
bool dump_take_atom(const struct dump_frame *frame, const char *line, struct listed_atom *atom);

#endif
