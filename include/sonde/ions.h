/* Ions in matter: histories by binary collisions, with full recoil cascades.
 *
 * Between collisions atoms lose energy to electrons; in a collision with an atom of the target they are scattered by
 * a screened Coulomb potential. The target is amorphous, made of layers across x, and begins at the surface, x = 0.
 * Lengths are in Angstrom, energies in eV.
 */
#ifndef SONDE_IONS_H
#define SONDE_IONS_H

#include <stdint.h>

#include "sonde/body.h"
#include "sonde/build.h"
#include "sonde/context.h"
#include "sonde/ions_options.h"
#include "sonde/material.h"
#include "sonde/sample.h"
#include "sonde/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A number with its standard error. */
typedef struct sonde_estimate {
	double value, error;
} sonde_estimate;

/* A sum per ion in each cell of the map. Cells are numbered along x, then y, then z. */
typedef struct sonde_ions_tally {
	char name[48];                /* "vacancies by recoils", unique together with `of` */
	char of[48];                  /* the kind of atoms: "Si", "O in layer 2"; "" for all */
	char unit[8];                 /* "eV", or "" for numbers of events */
	double *values;               /* of each cell, per ion */
	double *errors;               /* standard errors of these */
	sonde_estimate inside, total; /* of all cells together; and including events outside them */
} sonde_ions_tally;

/* The fate of an atom. */
typedef enum sonde_ions_fate {
	SONDE_IONS_IMPLANTED,
	SONDE_IONS_BACKSCATTERED, /* left through x = 0 */
	SONDE_IONS_TRANSMITTED    /* left at the other end */
} sonde_ions_fate;

/* An atom that left the target. */
typedef struct sonde_ions_exit {
	int64_t ion;                      /* number of the history, from 0 */
	int kind;                         /* 0: the ion; else an index into kinds */
	int fate;                         /* sonde_ions_fate */
	double energy;                    /* eV */
	double position[3], direction[3]; /* Angstrom; directions have length 1 */
} sonde_ions_exit;

/* Atoms of one kind that leave the target on one side. Values are per ion unless stated otherwise. */
typedef struct sonde_ions_leaving {
	int kind, fate;                     /* fate: SONDE_IONS_BACKSCATTERED or SONDE_IONS_TRANSMITTED */
	int64_t count;                      /* of all ions */
	sonde_estimate number;              /* atoms */
	sonde_estimate energy;              /* taken out by them, eV */
	sonde_estimate mean_energy;         /* per atom, eV; NaN if there is none */
	sonde_estimate mean_cosine;         /* of the angle with the normal */
	double *energies, *energies_errors; /* atoms per bin of spectrum_edges */
	double *cosines, *cosines_errors;   /* atoms per bin, for cosine_count bins of equal width from 0 to 1 */
} sonde_ions_leaving;

/* A point of a path, where an atom started, collided or ended. */
typedef struct sonde_ions_vertex {
	int64_t ion, atom; /* atoms of a history are numbered from 0, the ion */
	int kind;
	double energy, position[3];
} sonde_ions_vertex;

/* The source of a threshold. */
typedef enum sonde_ions_origin {
	SONDE_IONS_FROM_TABLE,   /* of elements: data/elements_srim95.csv */
	SONDE_IONS_FROM_DEFAULT, /* the same for all elements missing in the table */
	SONDE_IONS_FROM_USER
} sonde_ions_origin;

/* A kind of atoms: 0 the ion, then those of the target, layer by layer and element by element. */
typedef struct sonde_ions_kind {
	char label[48];                                            /* "Si"; "Si in layer 2" if it is in several */
	int atomic_number, layer;                                  /* layer: -1 for the ion */
	double mass, fraction;                                     /* amu; atomic fraction in the layer */
	double displacement, lattice, surface_binding;             /* eV */
	int displacement_from, lattice_from, surface_binding_from; /* sonde_ions_origin */
} sonde_ions_kind;

typedef struct sonde_ions_layer {
	char name[64];
	double begin, end;     /* Angstrom; end may be INFINITY */
	double density, atoms; /* g/cm^3; atoms per cubic Angstrom */
	char state[8];         /* "solid", "liquid", "gas"; "" if a density was given or in vacuum */
	int density_given;     /* by the option */
} sonde_ions_layer;

/* Ions of one species, of the beam or of a list of particles. */
typedef struct sonde_ions_species {
	char ion[16];                     /* symbol */
	double mass;                      /* amu */
	int64_t rows;                     /* in the list; 0 without one */
	double least_energy, most_energy; /* eV */
} sonde_ions_species;

/* The result, read-only. */
typedef struct sonde_ions_result {
	int64_t ions; /* number of followed ions */
	int64_t implanted, backscattered, transmitted;
	/* of implanted ions, in Angstrom: mean depth, its standard deviation, and from the third and fourth moments
	 * skewness and kurtosis; mean of |y| and |z|, their root mean square; path length */
	sonde_estimate range, straggling, skewness, kurtosis, lateral_range, lateral_straggling, radial_range, path;
	sonde_estimate sputtered;               /* target atoms that left through x = 0, per ion */
	sonde_estimate vacancies, replacements; /* per ion */
	int kind_count, layer_count;
	sonde_ions_kind *kinds;
	sonde_ions_layer *layers;
	int64_t size[3];                 /* cells of the map */
	double origin[3], cell_width[3]; /* Angstrom */
	int tally_count;
	sonde_ions_tally *tallies;
	int64_t spectrum_count; /* bins of energies of primary recoils, */
	double *spectrum_edges; /* spectrum_count + 1, eV */
	double *spectra;        /* recoils per ion, kind by kind except the ion */
	double energy_in, energy_left,
	    energy_missing;   /* eV per ion: brought in, taken out, and missing in the balance, which is 0 */
	double collisions[2]; /* per ion: of the ions, of the recoils */
	int64_t exit_count, exits_left_out;
	sonde_ions_exit *exits;
	int64_t vertex_count;
	sonde_ions_vertex *vertices;

	const sonde_ions_options *options; /* of the run, owned by the result */
	char ion[16];                      /* symbol; "several" if a list has several species: see species */
	double ion_mass;                   /* amu; NaN for several */
	double energy;                     /* mean energy of the ions, eV */
	double seconds;                    /* wall time of the run */
	int64_t resumed;                   /* ions followed by earlier runs */
	struct sonde_ions_provenance *provenance;
	int until_missed; /* the precision requested by option until was not reached */
	int leaving_count, cosine_count;
	sonde_ions_leaving *leaving; /* of each kind, the ion first, through x = 0 and then at the other end */
	/* fractions of the ions and of their energy that leave with ions through x = 0, and at the other end */
	sonde_estimate reflection, energy_reflection, transmission, energy_transmission;
	int species_count;
	sonde_ions_species *species; /* of the ions */
	double resumed_seconds;      /* wall time of the earlier runs */
	/* standard errors of implanted, backscattered, and transmitted; spectra; energy_in, energy_left, and energy_missing;
	 * collisions */
	double implanted_error, backscattered_error, transmitted_error;
	double *spectra_errors;
	double energy_in_error, energy_left_error, energy_missing_error, collisions_errors[2];
} sonde_ions_result;

/* Sets every option to its default. */
#define sonde_ions_options_init(options) sonde_ions_options_init_sized((options), sizeof *(options))
/* The same for a struct of `size` bytes, the size in the version that the caller was compiled with. */
SONDE_API void sonde_ions_options_init_sized(sonde_ions_options *options, uint64_t size);

/* Follows the ions. *result is null after a failure, otherwise to be freed by sonde_ions_result_free(). The
 * numbers of a result are bit-identical for any number of threads and devices. */
SONDE_API sonde_status sonde_ions_run(sonde_context *context, const sonde_ions_options *options,
				      sonde_ions_result **result);
/* A plan: the target, stopping powers, scattering tables. sonde_ions_run() is plan, execute and free. */
struct sonde_ions_plan;
/* *plan is null after a failure (those of sonde_ions_run() that come before the first ion), otherwise to be freed by
 * sonde_ions_plan_free(). The context must outlive the plan and serves one execution at a time. */
SONDE_API sonde_status sonde_ions_plan(sonde_context *context, const sonde_ions_options *options,
				       struct sonde_ions_plan **plan);
/* The options of the run, with every "auto" decided. Owned by the plan. */
SONDE_API const sonde_ions_options *sonde_ions_plan_options(const struct sonde_ions_plan *plan);
/* Sets the options number (1 or more) and seed for the following executions: the tables are kept. SONDE_INVALID if
 * they are out of range. */
SONDE_API sonde_status sonde_ions_plan_set_number(struct sonde_ions_plan *plan, int64_t number);
SONDE_API sonde_status sonde_ions_plan_set_seed(struct sonde_ions_plan *plan, int64_t seed);
/* Follows the ions, bit-identical to sonde_ions_run() with these options. *result is null after a failure,
 * otherwise to be freed by sonde_ions_result_free(), and independent of the plan. */
SONDE_API sonde_status sonde_ions_execute(struct sonde_ions_plan *plan, sonde_ions_result **result);
/* Frees the plan and sets *plan to null; a null pointer or null plan is allowed. */
SONDE_API void sonde_ions_plan_free(struct sonde_ions_plan **plan);

/* The same with the result in a file of a type that sonde_ions_result_write() supports. A cancelled run leaves
 * PATH.checkpoint; with the option `resume` a run continues from it, or from an existing result, to which ions are
 * added. */
SONDE_API sonde_status sonde_ions_run_to_file(sonde_context *context, const sonde_ions_options *options,
					      const char *path, int overwrite, sonde_ions_result **result);
/* Options, and bodies in the layers in the common form of all engines, a later one replacing earlier ones; lengths in
 * Angstrom. A map of voxels, or the balls of a sample's atoms, must be the first of the list, and there can be only one.
 * The plan, the result and its file contain compositions in place of the names of materials, and solids in place of
 * that of `build`.
 * The origin of a sample lies at option `sample_center`. Without option `target`, the surroundings of the sample fill
 * a layer that is as thick as the box around its bodies, and the sample begins at the surface. */
typedef struct sonde_ions_job {
	uint64_t struct_size; /* set by init: the size that the caller was compiled with */
	const char *file;     /* file of the job, for messages; may be null */
	SONDE_LIST(sonde_body_options) bodies;
	SONDE_LIST(sonde_material_options) materials; /* to whose names texts and bodies may refer */
	const sonde_build_options *build;             /* solid for bodies of the shape `build`; may be null */
	const sonde_sample
	    *sample; /* whose bodies follow those of the job, and whose materials are known, too; may be null */
	const void *reserved[1];    /* null: reserved for later versions */
	sonde_ions_options options; /* last, since it grows at its end */
} sonde_ions_job;

/* Sets the defaults of a job without bodies. */
#define sonde_ions_job_init(job) sonde_ions_job_init_sized((job), sizeof *(job))
SONDE_API void sonde_ions_job_init_sized(sonde_ions_job *job, uint64_t size);
/* Like sonde_ions_plan(). The plan is independent of the job. */
SONDE_API sonde_status sonde_ions_job_plan(sonde_context *context, const sonde_ions_job *job,
					   struct sonde_ions_plan **plan);
/* Runs a job like sonde_ions_run() or, with a path, sonde_ions_run_to_file(). */
SONDE_API sonde_status sonde_ions_job_run(sonde_context *context, const sonde_ions_job *job, const char *path,
					  int overwrite, sonde_ions_result **result);
/* Writes the result: NeXus HDF5 (.h5 .hdf5 .nxs) with everything, or a table of the profiles (.csv .xy .dat .txt).
 * The file appears when it is complete; an existing one is an error unless `overwrite`. */
SONDE_API sonde_status sonde_ions_result_write(const sonde_ions_result *result, const char *path, int overwrite);
/* Writes text files in SRIM's layout into a folder, which is created if necessary. */
SONDE_API sonde_status sonde_ions_result_write_srim(const sonde_ions_result *result, const char *folder,
						    int overwrite);
/* Reads a complete result written as HDF5, bit-identical. Its job is planned again, which takes as long as
 * sonde_ions_plan() and needs the files named by the options. The file's seal and checksums are verified first;
 * damaged files and files of other programs and versions are refused (SONDE_INVALID). *result is null after a
 * failure, otherwise to be freed by sonde_ions_result_free(). */
SONDE_API sonde_status sonde_ions_result_read(sonde_context *context, const char *path, sonde_ions_result **result);
SONDE_API void sonde_ions_result_free(sonde_ions_result **result);

#ifdef __cplusplus
}
#endif
#endif
