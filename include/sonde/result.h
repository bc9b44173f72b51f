/* Engines by name, and their results as named arrays: for programs that show, convert, or pass on results without knowing the
 * structs of each engine, such as the Python package.
 */
#ifndef SONDE_RESULT_H
#define SONDE_RESULT_H

#include <stdint.h>

#include "sonde/atoms.h"
#include "sonde/context.h"
#include "sonde/job.h"
#include "sonde/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Options by name ------------------------------------------------------------------------------------------ */

/* The options of a block of jobs, "debye", "pattern", "coulomb", "ions", "stopping", "fdtd" or "build", with their defaults:
 * a pointer to that struct (sonde_debye_options * ...); or those of an item of a list of a block, as "fdtd.monitors"
 * (sonde_fdtd_monitor_options *). *options is null after a failure, else to be freed by sonde_options_free(). */
SONDE_API sonde_status sonde_options_create(const char *block, void **options);
/* Frees the options and sets *options to null; a null pointer or null options are allowed. */
SONDE_API void sonde_options_free(void **options);
/* Sets an option of such a struct from text in the form of job files, "0.1:20:1000", "neutron", "true". SONDE_INVALID for
 * unknown names and for values that are not possible; these change nothing. The message begins with the option's name. */
SONDE_API sonde_status sonde_options_set(const char *block, void *options, const char *name, const char *text);
/* The value of an option in the same form, numbers in the unit of the option without its name: "5e-09" for "5 nm". *text is
 * null after a failure, else to be freed by sonde_text_free(). */
SONDE_API sonde_status sonde_options_get(const char *block, const void *options, const char *name, char **text);

/* Runs ------------------------------------------------------------------------------------------------------ */

/* What to run. To be set to zero, and struct_size to its size, before members are set. */
typedef struct sonde_request {
	uint64_t struct_size; /* the size that the caller was compiled with */
	const char *engine;   /* "debye" ... */
	const void *options;  /* of sonde_options_create(); null: those of the job, or defaults */
	const sonde_job *job; /* lists, sample and options of its block; null without one */
	/* the sample, of engines that need one: atoms; or a file, of one structure, a trajectory, a list, or a description;
	 * or neither, for that of the job */
	const sonde_atoms *atoms;
	const char *sample;
	int64_t frame;      /* of a file with several, from 1; 0: it has one, or the engine reads all of them */
	const char *output; /* file to which the result is written as well; null: it stays in memory */
	int overwrite;      /* whether an existing file is replaced */
} sonde_request;

typedef struct sonde_result sonde_result;

/* Runs an engine as the program does, with the same numbers to the last bit. Warnings are added to the notes of the
 * context. *result is null after a failure, else to be freed by sonde_result_free(). The caller's thread keeps its current
 * context of the CUDA driver. */
SONDE_API sonde_status sonde_run(sonde_context *context, const sonde_request *request, sonde_result **result);
/* Plans it without running: method, memory, time, as the object of `--plan --json`. *plan is null after a failure, else to be
 * freed by sonde_text_free(). */
SONDE_API sonde_status sonde_plan(sonde_context *context, const sonde_request *request, char **plan);
SONDE_API void sonde_text_free(char **text);

/* The geometry of a job of fdtd as a result with contents alone, in SI units, without a run: groups /geometry/section_1 ... with
 * `materials` [up, right], numbers of /geometry/materials from 1 on, 0 for none, and the axes; and /geometry/marks, sources
 * and monitors with their corners and directions. *result is null after a failure. */
SONDE_API sonde_status sonde_fdtd_geometry(sonde_context *context, const sonde_job *job, sonde_result **result);

/* Results --------------------------------------------------------------------------------------------------- */

/* Reads a complete result of any engine, written as HDF5. The file's seal and checksums are verified first; damaged files
 * and files of other programs are refused (SONDE_INVALID). *result is null after a failure. */
SONDE_API sonde_status sonde_result_read(sonde_context *context, const char *path, sonde_result **result);
/* Writes the result in the format given by the ending of the name, as sonde_debye_result_write() and its like. */
SONDE_API sonde_status sonde_result_write(const sonde_result *result, const char *path, int overwrite);
/* The name of the engine: a constant. */
SONDE_API const char *sonde_result_engine(const sonde_result *result);
/* Frees the result and sets *result to null; a null pointer or null result is allowed. */
SONDE_API void sonde_result_free(sonde_result **result);

/* Elements of a dataset. */
enum sonde_element {
	SONDE_REAL,           /* double */
	SONDE_SINGLE,         /* float */
	SONDE_COMPLEX,        /* double[2]: real and imaginary part */
	SONDE_SINGLE_COMPLEX, /* float[2] */
	SONDE_INTEGER,        /* int64_t */
	SONDE_INDEX,          /* uint16_t */
	SONDE_TEXT            /* `size` bytes each, UTF-8, padded with zeros */
};
#define SONDE_MOST_AXES 8

/* An array of a result, with the path and the attributes that it has in an HDF5 file. */
typedef struct sonde_dataset {
	const char *path;             /* "/debye/intensity/I" */
	const char *unit, *long_name; /* "" if it has none */
	int element;                  /* one of enum sonde_element */
	int in_place;                 /* whether `values` are those of the result itself, of which there is no copy */
	int rank;                     /* 0: one value */
	int64_t sizes[SONDE_MOST_AXES]; /* along each axis, the last one varying fastest */
	int64_t size;                   /* bytes of an element */
	const void *values;
} sonde_dataset;

/* An attribute of a group or dataset: texts, as "NX_class", "signal" and "axes". */
typedef struct sonde_attribute {
	const char *path, *name;
	int64_t count;
	const char *const *texts;
} sonde_attribute;

/* All arrays and attributes of a result, owned by it. */
typedef struct sonde_contents {
	uint64_t struct_size; /* set by the function that fills it: the size that the caller was compiled with */
	int64_t dataset_count;
	const sonde_dataset *datasets;
	int64_t attribute_count;
	const sonde_attribute *attributes;
} sonde_contents;

/* Describes the contents of a result: those of its HDF5 file, without a file, and of a pattern its errors at all points, for which the
 * file has a table. Large arrays are not copied. Valid until the result is freed. */
#define sonde_result_contents(result, contents) sonde_result_contents_sized((result), (contents), sizeof *(contents))
/* The same for a struct of `size` bytes: that of the version that the caller was compiled with. */
SONDE_API sonde_status sonde_result_contents_sized(sonde_result *result, sonde_contents *contents, uint64_t size);
/* Compares the contents of two results, for callers that keep what follows from them in a loop. They are alike if they have
 * the same engine, datasets of the same paths, units, long names, elements, and sizes in the same order, and equal
 * attributes except for the time of the file. The values of datasets may differ, and so may the lengths of texts, except for
 * those `count` datasets whose numbers in sonde_contents.datasets are listed in `same`. Returns -1 for results that are not alike; otherwise how many datasets of rank 0
 * have different values, and writes their numbers to `changed`, which has room for all datasets. */
SONDE_API int64_t sonde_result_changes(sonde_result *one, sonde_result *other, int64_t count, const int64_t *same,
				       int64_t *changed);

#ifdef __cplusplus
}
#endif
#endif
