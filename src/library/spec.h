/* The description of a library of computed patterns, a YAML file: which structures, and what is computed of them. */
#ifndef SONDE_LIBRARY_SPEC_H
#define SONDE_LIBRARY_SPEC_H

#include "base/options.h"
#include "campaign/campaign.h"
#include "match/library_file.h"
#include "sonde/atoms.h"
#include "sonde/build.h"
#include "sonde/context.h"
#include "sonde/debye.h"

/* An item of the list `structures`. */
struct library_entry_spec {
	const struct yaml_node *node, *build; /* build: its options; may be null */
	struct campaign_text name, size;      /* .text null: none */
	const char *family;
	struct campaign *variables; /* the jobs of `vary`; one without variables if there is no such key */
	bool cells;                 /* files are unit cells, cut to balls */
	char **files;               /* of `cif` or `file`: of a folder all that can be read; null: none */
	size_t file_count, file_capacity;
	double *sizes; /* diameters, Angstrom; null: none */
	size_t size_count, size_capacity;
};

struct library_spec {
	const char *path;
	struct yaml_node *root;
	bool has[LIBRARY_CURVES], errors, coordinates;
	sonde_debye_options debye;
	char *physics; /* the options of debye that are not the default, as text */
	struct library_entry_spec *entries;
	size_t entry_count;
	int64_t count; /* of structures */
};

#define LIBRARY_MOST_STRUCTURES 10000000 /* of a description, in programs */

/* Everything is checked except what only a built structure shows. SONDE_INVALID with its place. *spec is null after a failure; else freed by
 * library_spec_free(). */
sonde_status library_spec_read(const char *path, int64_t most, struct library_spec **spec);
void library_spec_free(struct library_spec **spec);

/* Whether structures come from HDF5 files, which no thread in the background may open (base/background.h). */
bool library_spec_reads_hdf5(const struct library_spec *spec);

/* Sets one option of a table from the text of a key; names of files are those in the folder of the description `path`. */
sonde_status library_set_option(const char *path, const struct option_table *table, const struct yaml_node *node,
				const char *text, void *options);

/* A structure of a library. */
struct library_structure {
	sonde_atoms *atoms;
	char *name, *source, *parameters, *composition;
	const char *family; /* of the spec */
	double size;        /* NaN: none */
	char key[LIBRARY_KEY + 1];
	double *values; /* computed: each curve of the library and, after it, its errors; null: not yet */
	double error;   /* the largest of the result */
};
/* Makes structure `number`, from 0. Freed by library_structure_free(), also after a failure. */
sonde_status library_structure_make(sonde_context *context, const struct library_spec *spec, int64_t number,
				    struct library_structure *structure);
void library_structure_free(struct library_structure *structure);

#endif
