/* Libraries of candidates: one HDF5 file with the computed curves of many structures on one axis, which can be larger than memory.
 *
 * Group /library with the attributes format ("sonde library"), version, radiation (x-ray, neutron or electron), and physics, what else
 * fixes the curves (wavelength, energies, options) as text. Datasets of it:
 *     axis          float64 [m], with units: 1/angstrom for q, angstrom for r
 *     axis_r        float64 [m_r], angstrom: that of G in a library which has curves over q, too
 *     curves/NAME   float32 [n][m], NAME being I_per_atom, S, F or G; NAME_error likewise: standard or estimated errors, optional
 *     name, source, family, parameters, composition   texts [n]
 *     key           64 bytes [n]: SHA-256 of what the candidate is, in hexadecimal
 *     atoms         uint64 [n]
 *     size          float64 [n], angstrom; NaN where it has no meaning
 *     coordinates/  optional: positions float32 [N][3] in angstrom, species uint16 [N], rows of `labels`, and first uint64 [n], the
 *                   first atom of each candidate, whose atoms follow each other
 * All datasets over candidates have the same n. */
#ifndef SONDE_MATCH_LIBRARY_FILE_H
#define SONDE_MATCH_LIBRARY_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

#define LIBRARY_VERSION "1"
#define LIBRARY_KEY 64

enum library_radiation { LIBRARY_XRAY, LIBRARY_NEUTRON, LIBRARY_ELECTRON, LIBRARY_RADIATIONS };
/* "x-ray", "neutron", "electron" */
extern const char *const library_radiation_names[LIBRARY_RADIATIONS];

enum library_curve { LIBRARY_I_PER_ATOM, LIBRARY_S, LIBRARY_F, LIBRARY_G, LIBRARY_CURVES };
extern const char *const library_curve_names[LIBRARY_CURVES];

/* What all candidates have in common. */
struct library_head {
	enum library_radiation radiation;
	char *physics;               /* wavelength, energies, options; may be "" */
	int64_t q_count, r_count;    /* at least one of them above 0 */
	double *q, *r;               /* increasing; 1/angstrom and angstrom */
	bool has[LIBRARY_CURVES];    /* curves that the candidates have: G over r, the others over q */
	bool errors[LIBRARY_CURVES]; /* and those with errors */
	bool coordinates;
};

/* The number of points of a curve, and its axis. */
int64_t library_points(const struct library_head *head, enum library_curve curve);
const double *library_axis(const struct library_head *head, enum library_curve curve);
void library_head_free(struct library_head *head);

struct library_candidate {
	const char *name, *key, *source, *family, *parameters, *composition; /* null: "", but for the key */
	uint64_t atoms;
	double size;                          /* angstrom; NaN: none */
	const double *curves[LIBRARY_CURVES]; /* those of the head */
	const double *errors[LIBRARY_CURVES];
	/* With coordinates: `atoms` positions, and species as indices of labels. */
	const float (*positions)[3];
	const uint16_t *species;
	const char *const *labels;
	int label_count;
};

/* Writing: the file is complete at its path after library_writer_finish(), and as it was before, or absent, otherwise. ----------- */

struct library_writer;

/* A new library. */
sonde_status library_create(const char *path, bool overwrite, const struct library_head *head,
			    struct library_writer **writer);
/* A copy of the library at `path`, which replaces it in the end, to be extended. SONDE_INVALID, with the first difference, if its head is
 * not this one. */
sonde_status library_extend(const char *path, const struct library_head *head, struct library_writer **writer);
/* Whether a candidate has this key. */
bool library_writer_has(const struct library_writer *writer, const char *key);
/* Candidates in the file and added. */
int64_t library_writer_count(const struct library_writer *writer);
/* Adds a candidate. SONDE_INVALID if its key is there or is not 64 hexadecimal digits, or a number of its curves is not finite. */
sonde_status library_add(struct library_writer *writer, const struct library_candidate *candidate);
/* Completes the file as it is now, by a copy; the writer remains open. */
sonde_status library_writer_save(struct library_writer *writer);
/* Completes the file, and frees the writer. */
sonde_status library_writer_finish(struct library_writer **writer);
void library_writer_discard(struct library_writer **writer);

/* Reading ----------------------------------------------------------------------------------------------------------------- */

struct library {
	struct library_head head;
	int64_t count; /* of candidates, at least 1 */
	char *path;
	struct hdf5_reader *reader;
	struct hdf5_places *places[LIBRARY_CURVES]; /* of the curves; null: read by the library of HDF5 */
};

/* Whether a file is, by its group, a library, also a damaged one; false if it cannot be opened. */
bool library_is_one(const char *path);
/* Opens a library and reads its head; freed by library_close(). SONDE_INVALID if it is empty, damaged, or of a later version. */
sonde_status library_open(const char *path, struct library *library);
void library_close(struct library *library);
/* Curves of `count` candidates from `first` on, as rows. By any thread. */
sonde_status library_read_curves(struct library *library, enum library_curve curve, int64_t first, int64_t count,
				 float *rows);
sonde_status library_read_errors(struct library *library, enum library_curve curve, int64_t first, int64_t count,
				 float *rows);
/* Candidates per piece that is read fastest. */
int64_t library_piece(const struct library *library, enum library_curve curve);

struct library_entry {
	char *name, *source, *family, *parameters, *composition;
	char key[LIBRARY_KEY + 1];
	uint64_t atoms;
	double size;
};
/* What is known of a candidate; freed by library_entry_free(). */
sonde_status library_read_entry(struct library *library, int64_t candidate, struct library_entry *entry);
void library_entry_free(struct library_entry *entry);
/* All keys, LIBRARY_KEY bytes each without terminating zeros; to be freed. */
sonde_status library_read_keys(struct library *library, char **keys);

/* For the reader and the writer ---------------------------------------------------------------------------------------- */

#define LIBRARY_FORMAT "sonde library"
#define LIBRARY_PATH 64
#define LIBRARY_TEXTS 5

/* Datasets of texts, and where they are in struct library_candidate. */
struct library_text {
	const char *path;
	size_t offset;
};
extern const struct library_text library_texts[LIBRARY_TEXTS];
void library_curve_path(enum library_curve curve, bool errors, char path[LIBRARY_PATH]);
/* library_open() that accepts a library without candidates. */
sonde_status library_open_any(const char *path, struct library *library);

#endif
