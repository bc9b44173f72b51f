/* An engine as seen by the rest of the program: one row. The list of rows is src/engines.def, from
 * which the build, the command line, the manual pages, `sonde info` and the tests take the engines.
 * The row contains what is specific to the engine; common tasks are done by the code that reads the rows.
 *
 * An engine either has `run`, and then delivers its result and its files itself, or it has `pieces` (run/pieces.h), and
 * then the common code shares its work among devices, keeps a checkpoint, resumes from it, and writes its tables.
 */
#ifndef SONDE_RUN_ENGINE_H
#define SONDE_RUN_ENGINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/options.h"
#include "device/device_types.h"
#include "io/containers/hdf5.h"
#include "io/containers/yaml.h"
#include "io/volume/volume_formats.h"
#include "run/context.h"
#include "run/report.h"
#include "sonde/atoms.h"

struct pieces_of_engine;
struct sonde_sample;

/* A request to an engine, from the command line and a job file, or from a program. */
struct engine_request {
	const void *options;                /* the engine's struct, complete and checked against its table */
	const sonde_atoms *atoms;           /* for engines that take a sample */
	const char *sample, *sample_sha256; /* its origin, and the digest of its file; or null */
	const struct yaml_list *lists;      /* in the order of engine->lists */
	const struct yaml_block *build; /* the job's block `build`, for engines that may take a crystal; or null */
	const struct sonde_sample *described; /* for engines with ENGINE_BODIES: a description of a sample; or null */
	const char *job;                      /* the job's file, for messages; null without one */
	const size_t *option_lines;           /* line of each option in the job, 0 if not given; null without a job */
	const char *output;                   /* file of the result; null: it stays in memory */
	bool overwrite;                       /* existing files are replaced */
	bool values_needed;                   /* also in memory, if the result goes to a file: for a picture */
	const char *sample_file; /* for engines that read their samples: the file, else null, and `build` has them */
	const struct sonde_lattice *lattice; /* the sample in place of `atoms`: see take_lattice; else null */
};

/* Estimated requirements of a run. */
struct engine_estimate {
	char method[64];                   /* the method, chosen or given */
	double device_memory, host_memory; /* bytes */
	double seconds;                    /* of the run on the devices of the context; NaN: unknown before it runs */
};

/* The form in which an engine takes a sample that is cut from a lattice. */
enum engine_form {
	ENGINE_FORM_ATOMS,
	ENGINE_FORM_LATTICE,         /* rows of cells (matter/crystal/lattice.h), or the job is refused */
	ENGINE_FORM_LATTICE_IF_LARGE /* the same for samples that are a lattice and have many atoms */
};

/* Inputs and outputs of an engine. */
enum engine_ability {
	ENGINE_SAMPLE = 1,        /* a sample of atoms, from a file or the job's block `build` */
	ENGINE_CRYSTAL = 2,       /* no sample, but jobs may have a block `build` */
	ENGINE_DEVICES = 4,       /* runs on the devices of the context */
	ENGINE_PICTURE = 8,       /* its results can be drawn, */
	ENGINE_PICTURE_AXES = 16, /* along linear or logarithmic axes */
	ENGINE_JOB = 32,          /* needs a job file */
	ENGINE_BODIES = 64,       /* takes the bodies of a described sample (sonde/sample.h) */
	ENGINE_COMPACT = 128, /* takes compact ensembles (matter/atoms/placed_atoms.h); other engines get all atoms */
	ENGINE_RANKS = 256    /* its work is shared by the ranks of a job of MPI (run/share.h) */
};

/* Lets a list of a job, SONDE_LIST(), refer to one of a request. */
#define ENGINE_TAKE_LIST(to, from) \
	((to).count = (int64_t)(from).count, (to).items = (from).items, (to).lines = (from).lines)

/* A job file format of another program. */
struct engine_foreign_job {
	bool (*is_named)(const char *path);
	/* Sets the options that the file gives. */
	sonde_status (*read)(const char *path, void *options);
};

struct engine {
	const char *name;        /* name of the command and of the block of a job */
	const char *summary;     /* one line */
	const char *usage;       /* "sonde NAME ..." */
	const char *description; /* paragraphs of the help text */
	const char *job;         /* lines of a short example job; null: none */
	const char *examples;    /* lines */
	const struct option_table *options;
	const struct option_table *const *lists; /* of the lists allowed in its block, then null; null: none */
	unsigned abilities;                      /* a sum of enum engine_ability */
	const char *inputs, *outputs;            /* endings of files that it reads and writes, separated by blanks */
	const char *stream;                      /* ending of the default format on the standard output */
	const char *positional_advice; /* for engines without a sample: how to give input other than a job file */
	size_t large_sample; /* size of a sample's file in bytes from which devices are opened while it is read;
	                                        * 0: never */
	const struct engine_foreign_job *foreign_job;
	const struct device_program *const *programs; /* kernels, then null */

	/* Checks before anything is opened; null: only the common checks, of options against their table and of outputs
	 * by check_format. */
	sonde_status (*check)(const struct engine_request *request);
	/* SONDE_INVALID if no result can be written to a file of that name. */
	sonde_status (*check_format)(const char *path);
	/* The frame of the sample's file to read, from the one given; null: that one. */
	sonde_status (*choose_frame)(const void *options, int64_t *frame);
	/* Whether `sample_file`, or `build`, has several samples, which the engine reads itself; `atoms` are null then. May be
	 * null: an engine always has one sample. */
	bool (*reads_samples)(const struct engine_request *request);
	/* Checks and decides everything, estimates, and reports the plan to the user. Nothing is computed. */
	sonde_status (*plan)(sonde_context *context, const struct engine_request *request,
			     struct engine_estimate *estimate, struct report *report);
	/* *result is null after a failure; else it is complete, and in the file request->output, if that is not null. */
	sonde_status (*run)(sonde_context *context, const struct engine_request *request, void **result);
	const struct pieces_of_engine
	    *pieces; /* in place of `run`, `write`, `append_table`, `contents`, `describe` */
	sonde_status (*write)(const void *result, const char *path, bool overwrite);
	sonde_status (*append_table)(const void *result,
				     struct text *text); /* separated by blanks, for the standard output */
	/* The files and folders named by options of the engine, in addition to the output, with lines about them for
	 * people in `written`; null: there are no such options. */
	sonde_status (*write_more)(sonde_context *context, const void *result, const struct engine_request *request,
				   struct text *written);
	/* Writes the contents of the result's HDF5 file: for files, and for programs that read results in place
	 * (sonde/result.h), for which arrays of the result are announced by hdf5_writer_lasts(); and reads such a file. */
	sonde_status (*contents)(const void *result, struct hdf5_writer *writer);
	sonde_status (*read)(sonde_context *context, const char *path, void **result);
	/* The summary of a result. */
	void (*summarize)(const void *result, const struct engine_request *request, struct report *report);
	/* Wall time of the run, with the start of devices and without files that are written after it. */
	double (*seconds)(const void *result);
	/* Describes a result file, for `sonde info`: see run/result_file.h. */
	sonde_status (*describe)(struct hdf5_reader *reader, struct report *report);
	/* The same for the checkpoint of a stopped run. HDF5: whether the open file is one, and its description; */
	bool (*is_checkpoint)(struct hdf5_reader *reader);
	sonde_status (*describe_checkpoint)(struct hdf5_reader *reader, const char *path, struct report *report);
	/* other files. */
	bool (*is_checkpoint_file)(const char *path);
	sonde_status (*describe_checkpoint_file)(const char *path, struct report *report);
	void (*free_result)(void **result);
	/* Of samples described by a job; null: always atoms. */
	enum engine_form (*take_lattice)(const void *options);
};

/* The endings of file formats, for the rows. */
#define ENGINE_JOB_FILES ".yaml .yml"
#define ENGINE_SAMPLE_FILES                                                                                  \
	".xyz .xyz.gz .extxyz .pqr .pqr.gz .pdb .pdb.gz .ent .ent.gz .cif .cif.gz .vasp .poscar .lmp .data " \
	".lammps .dump .dump.gz .lammpstrj .lammpstrj.gz .h5"
#define ENGINE_VOLUME_FILES VOLUME_FILES " .h5 .hdf5 .nxs"
#define ENGINE_TABLE_FILES ".xy .dat .txt .csv"
#define ENGINE_RESULT_FILES ".h5 .hdf5 .nxs " ENGINE_TABLE_FILES

#endif
