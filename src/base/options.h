/* Each option is defined once, as one row of an options.def, from which everything else follows.
 *
 * A .def file holds rows
 *     OPTION(TYPE, name, unit, default, minimum, maximum, choices, traits, help)
 * with TYPE one of REAL INTEGER BOOLEAN CHOICE GRID VECTOR SIZE TEXT. tools/option_header.c generates the
 * public struct from them; option_table.h generates the table below. The row's name with '-' for '_' is the flag (--bin-width) and the
 * key in a job file (bin-width).
 */
#ifndef SONDE_BASE_OPTIONS_H
#define SONDE_BASE_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"
#include "base/text.h"
#include "sonde/types.h"

enum option_type {
	OPTION_REAL,    /* double */
	OPTION_INTEGER, /* int64_t */
	OPTION_BOOLEAN, /* int */
	OPTION_CHOICE,  /* int: index of the choice */
	OPTION_GRID,    /* sonde_grid, limits for first and last */
	OPTION_VECTOR,  /* sonde_vector, limits for each part */
	OPTION_SIZE,    /* uint64_t bytes, written 256M or 2G (powers of 1024) */
	OPTION_TEXT     /* char[OPTION_TEXT_SIZE] */
};

#define OPTION_TEXT_SIZE 4096      /* room for any path */
#define OPTION_GRID_POINTS 1000000 /* maximum number of points of a grid */

struct option_row {
	enum option_type type;
	const char *name; /* as in the struct, with '_' */
	const char *unit; /* "" if none */
	const char *default_text;
	double minimum, maximum; /* of numbers, both allowed */
	const char *choices;     /* of CHOICE, "a|b|c"; of VECTOR, "one" if one number may stand
				  * for all three; of GRID, "band" if FIRST:LAST is valid, with 0
				  * points; of REAL, "clock" if it is a wall-clock time, "interval" if it is one that may be
				  * written every=TIME, or off for 0; of TEXT,
				  * "commas" if a job may give a list, which is joined by commas, "list"
				  * if it may give one of lists, joined by semicolons, "items" if it may give a
				  * list of blocks (io/containers/yaml.h), or a kind of file (option_file()) */
	const char *traits; /* words: "-n", a short flag; "may-change", a run may be resumed with another value; of a
			     * CHOICE "or:NAME", the name of a file is the value of the TEXT option NAME; of a TEXT
			     * "verbatim", a name, or words, whose blanks count (option_blanks.h) */
	const char *help;   /* one or more sentences */
	size_t offset;      /* into the options struct */
};

/* The options of one engine, or of the program. */
struct option_table {
	const char *name; /* "debye": the block in a job file */
	const struct option_row *rows;
	size_t count;
	size_t struct_size;
	bool begins_with_size; /* a struct of the public interface: its first member is uint64_t struct_size */
};

/* Sets every option of `options` to its default; a CHOICE without a default to -1. */
void options_set_defaults(const struct option_table *table, void *options);
/* A public options struct begins with its size as known to the caller. Sets the defaults of a struct of `size` bytes,
 * which may be older and shorter than this library's. */
void options_init_sized(const struct option_table *table, void *options, uint64_t size);
/* Extends a caller's struct to this library's: options it lacks keep their defaults. Blanks that do not count are removed
 * (option_blanks.h). */
sonde_status options_complete(const struct option_table *table, const void *given, void *complete);
/* Checks every option against its row, for structs filled by calling programs. */
sonde_status options_check(const struct option_table *table, const void *options);

/* The row of a name written with '-' or '_'; null if there is none. */
const struct option_row *options_find(const struct option_table *table, const char *name);
/* Offers all names of the table, as flags without "--", to `nearest`. */
void options_offer_names(const struct option_table *table, struct nearest_word *nearest);

/* Sets one option from text. The message states what is wrong with the text, without naming the option. */
sonde_status option_parse(const struct option_row *row, void *options, const char *text);
/* The same by a row of the table, for what a user writes: the name of a file instead of one of the choices of a row
 * with the trait "or:NAME" sets option NAME. The later one of the two holds. *set, unless null, is the row that was set. */
sonde_status options_set(const struct option_table *table, const struct option_row *row, void *options,
			 const char *text, const struct option_row **set);
/* Appends a note of one line if a value read by option_parse() is in meters, seconds or hertz, has no unit, and is so
 * large (a length above 1 mm, a time above 1 us; a frequency below 1 MHz) that its unit may have been forgotten.
 * `where` is its prefix. */
void option_note_unit(const struct option_row *row, const char *text, const char *where, struct text *notes);
/* Appends the option's value as text that option_parse() reads back; for input files, the name that the user wrote (base/file_names.h). */
void option_print(const struct option_row *row, const void *options, struct text *text);
/* Whether an option's value is the name of a file. */
enum option_file {
	OPTION_NO_FILE,
	OPTION_FILE,          /* "file": an input file */
	OPTION_FILE_OR_VALUE, /* "file-or-value": an input file or another value */
	OPTION_NEW_FILE,      /* "new-file": an output file */
	OPTION_FOLDER         /* "folder" */
};
enum option_file option_file(const struct option_row *row);
/* Whether the table has a BOOLEAN of this name, and it is set. */
bool options_flag(const struct option_table *table, const void *options, const char *name);
/* The value of the REAL of this name; 0 if there is none. */
double options_real(const struct option_table *table, const void *options, const char *name);
/* The text of a TEXT option, OPTION_TEXT_SIZE bytes. */
char *option_text(const struct option_row *row, void *options);

/* The part of a vector along an axis: 0, 1, 2 for x, y, z. */
static inline double vector_part(sonde_vector vector, int axis)
{
	return axis == 0 ? vector.x : axis == 1 ? vector.y : vector.z;
}

/* The row's name as flag and key, with '-' for '_'; `buffer` holds 64 bytes. Returns buffer. */
const char *option_flag(const struct option_row *row, char *buffer);

/* The letter of its short flag, as o of "-o"; 0 if none. */
char option_short_flag(const struct option_row *row);
/* Whether a run may be resumed with another value: results do not depend on it, or only in how far the run goes. */
bool option_may_change(const struct option_row *row);

#endif
