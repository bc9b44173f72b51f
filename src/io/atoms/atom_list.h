/* Atoms with numbers, as LAMMPS writes them: in any order, which differs from frame to frame. */
#ifndef SONDE_IO_ATOM_LIST_H
#define SONDE_IO_ATOM_LIST_H

#include <stddef.h>

#include "io/atoms/atom_sink.h"
#include "io/text/words.h"

#define ATOM_LIST_LABEL 16 /* bytes of a label, including the terminating zero */
#define ATOM_LIST_MOST_LABELS 1000
#define ATOM_LARGEST_COORDINATE 1e7 /* Angstrom */

struct listed_atom {
	int64_t id, line; /* its number, and the line of the file that gives it */
	double position[3], charge;
	int label; /* index */
};

/* Begins as {0}. */
struct atom_list {
	struct listed_atom *atoms;
	size_t count, capacity;
	int64_t *order; /* of atoms with consecutive numbers: their places; unused if they are sorted */
	size_t order_capacity;
	bool ordered;
};

sonde_status atom_list_add(struct atom_list *list, const struct listed_atom *atom);
/* Room for that many more atoms, which the caller fills and counts. */
sonde_status atom_list_reserve(struct atom_list *list, size_t more);
/* Delivers the atoms in the order of their numbers, each with labels[atom.label], and with its charge if `charged`; an atom that occurs
 * twice is an error. `path` is for messages. */
sonde_status atom_list_deliver(struct atom_list *list, const char *path, const char (*labels)[ATOM_LIST_LABEL],
			       bool charged, const struct atom_sink *sink);
void atom_list_free(struct atom_list *list);

/* Copies a word that is to be a label; fails if it is too long. */
sonde_status atom_list_copy_label(const struct line_reader *reader, const struct word *word,
				  char label[ATOM_LIST_LABEL]);
/* A coordinate x, y or z (`axis` 0, 1, 2), finite; atom_list_check_position() checks the range of the three. */
sonde_status atom_list_coordinate(const struct line_reader *reader, const struct word *word, int axis, double *value);
sonde_status atom_list_check_position(const struct line_reader *reader, const double position[3]);
/* Looks from time to time, by the number of the last line, whether the reading is to stop. */
sonde_status atom_list_check_cancelled(const struct line_reader *reader, const struct atom_sink *sink);

#endif
