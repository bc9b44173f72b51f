/* The comment line of XYZ files: columns, and the cell. */
#ifndef SONDE_IO_XYZ_COMMENT_H
#define SONDE_IO_XYZ_COMMENT_H

#include <stdbool.h>

#include "base/status.h"
#include "io/atoms/atom_sink.h"
#include "io/text/lines.h"
#include "io/text/words.h"

#define XYZ_COLUMNS 256 /* maximum number of columns of a line */

/* The columns of label, position and charge, and the required number of columns. */
struct atom_columns {
	int label, position, count;
	int charge, charges;             /* `charges` columns from `charge` on; 0: none */
	int occupancy;                   /* -1: none */
	int group;                       /* of a block or copy; -1: none */
	int displacement, displacements; /* U_iso or a tensor of 6 or 9 numbers; 0: none */
	double displacement_unit;        /* in Angstrom^2: 1/(8 pi^2) of B_iso */
	bool maybe_fifth;                /* a plain file: a fifth column may hold occupancies */
};

/* The next word of a line, delimited by blanks. */
static inline bool next_word(const char **cursor, struct word *word)
{
	const char *c = *cursor;

	while (*c == ' ' || *c == '\t')
		++c;
	word->start = c;
	while (*c != '\0' && *c != ' ' && *c != '\t')
		++c;
	word->end = *cursor = c;
	return word->start != word->end;
}

static inline sonde_status fail_here(const struct line_reader *reader, const char *what)
{
	return status_fail_line(SONDE_INVALID, line_reader_path(reader), line_reader_number(reader), "%s", what);
}

/* Reads the comment line: columns of Properties, which stay as they are without it, and the cell and copies, which the sink
 * receives. */
sonde_status xyz_read_comment(const struct line_reader *reader, const char *comment, const struct atom_sink *sink,
			      struct atom_columns *columns);

#endif
