/* Ions in matter: histories by binary collisions, with the cascades of the atoms that they hit.
 *
 * Between collisions atoms lose energy to electrons; in a collision with an atom of the target they are scattered by a screened
 * Coulomb potential. The target is amorphous, made of layers across x, which begins at the surface, x = 0. Lengths are in
 * Angstrom, energies in eV.
 */
#ifndef SONDE_IONS_H
#define SONDE_IONS_H

#include <stdint.h>

#include "sonde/body.h"
#include "sonde/context.h"
#include "sonde/ions_options.h"
#include "sonde/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A number with its standard error. */
typedef struct sonde_estimate {
	double value, error;
} sonde_estimate;

/* A sum over all ions in each cell of the map, for one ion. Cells are numbered along x, then y, then z. */
typedef struct sonde_ions_tally {
	char name[48];                /* "vacancies by recoils", unique together with `of` */
	char of[48];                  /* the atoms that it is of: "Si", "O in layer 2"; "" for all */
	char unit[8];                 /* "eV", or "" for numbers of events */
	double *values;               /* of each cell, for an ion */
	double *errors;               /* standard errors of these */
	sonde_estimate inside, total; /* of all cells together; and with what happened outside of them */
} sonde_ions_tally;

/* What became of an atom. */
typedef enum sonde_ions_fate {
	SONDE_IONS_IMPLANTED,
	SONDE_IONS_BACKSCATTERED, /* left through x = 0 */
	SONDE_IONS_TRANSMITTED    /* left at the other end */
} sonde_ions_fate;

/* An atom that left the target. */
typedef struct sonde_ions_exit {
	int64_t ion;                      /* whose history it belongs to, from 0 */
	int kind;                         /* 0: the ion; else an index into kinds */
	int fate;                         /* sonde_ions_fate */
	double energy;                    /* eV */
	double position[3], direction[3]; /* Angstrom; directions have length 1 */
} sonde_ions_exit;

/* What leaves the target on one side, of one kind of atoms: for an ion, unless said otherwise. */
typedef struct sonde_ions_leaving {
	int kind, fate;                     /* fate: SONDE_IONS_BACKSCATTERED or SONDE_IONS_TRANSMITTED */
	int64_t count;                      /* of all ions */
	sonde_estimate number;              /* atoms */
	sonde_estimate energy;              /* that they take out, eV */
	sonde_estimate mean_energy;         /* of one of them, eV; NaN if there is none */
	sonde_estimate mean_cosine;         /* of the angle with the normal */
	double *energies, *energies_errors; /* atoms in each bin of spectrum_edges */
	double *cosines, *cosines_errors;   /* atoms in each of cosine_count bins of equal width from 0 to 1 */
} sonde_ions_leaving;

/* A point of a path: where an atom began, collided or ended. */
typedef struct sonde_ions_vertex {
	int64_t ion, atom; /* atoms of a history are numbered from 0, the ion */
	int kind;
	double energy, position[3];
} sonde_ions_vertex;

/* Where a threshold comes from. */
typedef enum sonde_ions_origin {
	SONDE_IONS_FROM_TABLE,   /* of elements: data/elements_srim95.csv */
	SONDE_IONS_FROM_DEFAULT, /* the same for all elements that the table does not have */
	SONDE_IONS_FROM_USER
} sonde_ions_origin;

/* A kind of atoms: 0 the ion, then those of the target, layer by layer and element by element. */
typedef struct sonde_ions_kind {
	char label[48];                                            /* "Si"; "Si in layer 2" where it is in several */
	int atomic_number, layer;                                  /* layer: -1 for the ion */
	double mass, fraction;                                     /* amu; of the layer's atoms */
	double displacement, lattice, surface_binding;             /* eV */
	int displacement_from, lattice_from, surface_binding_from; /* sonde_ions_origin */
} sonde_ions_kind;

typedef struct sonde_ions_layer {
	char name[64];
	double begin, end;     /* Angstrom; end may be INFINITY */
	double density, atoms; /* g/cm^3; in a cubic Angstrom */
	char state[8];         /* "solid", "liquid", "gas"; "" where a density was given or in vacuum */
	int density_given;     /* by the option */
} sonde_ions_layer;

/* Ions of one species, which the beam has, or a list of particles. */
typedef struct sonde_ions_species {
	char ion[16];                     /* symbol */
	double mass;                      /* amu */
	int64_t rows;                     /* of the list; 0 without one */
	double least_energy, most_energy; /* eV */
} sonde_ions_species;

/* The answer; read it, do not write it. */
typedef struct sonde_ions_result {
	int64_t ions; /* that were followed */
	int64_t implanted, backscattered, transmitted;
	/* of those that were implanted, in Angstrom: mean depth, its standard deviation, and of the third and fourth moments
	 * skewness and kurtosis; mean of |y| and |z|'s root mean square; length of the path */
	sonde_estimate range, straggling, skewness, kurtosis, lateral_range, lateral_straggling, radial_range, path;
	sonde_estimate sputtered;               /* atoms of the target that left through x = 0, for an ion */
	sonde_estimate vacancies, replacements; /* for an ion */
	int kind_count, layer_count;
	sonde_ions_kind *kinds;
	sonde_ions_layer *layers;
	int64_t size[3];                 /* cells of the map */
	double origin[3], cell_width[3]; /* Angstrom */
	int tally_count;
	sonde_ions_tally *tallies;
	int64_t spectrum_count; /* bins of energies of primary recoils, */
	double *spectrum_edges; /* spectrum_count + 1, eV */
	double *spectra;        /* recoils for an ion, of each kind but the ion one after the other */
	double energy_in, energy_left,
	    energy_missing;   /* eV for an ion: brought in, taken out, and what the balance lacks: 0 */
	double collisions[2]; /* for an ion: of the ions, of the recoils */
	int64_t exit_count, exits_left_out;
	sonde_ions_exit *exits;
	int64_t vertex_count;
	sonde_ions_vertex *vertices;

	const sonde_ions_options *options; /* as they were run, owned by the result */
	char ion[16];                      /* symbol; "several" if a list has several species: see species */
	double ion_mass;                   /* amu; NaN of several */
	double energy;                     /* mean energy of the ions, eV */
	double seconds;                    /* wall time of the run */
	int64_t resumed;                   /* ions that an earlier run had followed */
	struct sonde_ions_provenance *provenance;
	int until_missed; /* option until asks for a precision that was not reached */
	int leaving_count, cosine_count;
	sonde_ions_leaving *leaving; /* of each kind, the ion first, through x = 0 and then at the other end */
	/* parts of the ions, and of their energy, that ions take through x = 0, and at the other end */
	sonde_estimate reflection, energy_reflection, transmission, energy_transmission;
	int species_count;
	sonde_ions_species *species; /* of the ions */
	double resumed_seconds;      /* wall time of the earlier runs */
} sonde_ions_result;

/* Sets every option to its default. */
#define sonde_ions_options_init(options) sonde_ions_options_init_sized((options), sizeof *(options))
/* The same for a struct of `size` bytes: that of the version that the caller was compiled with. */
SONDE_API void sonde_ions_options_init_sized(sonde_ions_options *options, uint64_t size);

/* Follows the ions. *result is null after a failure, else to be freed by sonde_ions_result_free(). The numbers of a result
 * have the same bits for any number of threads and devices. */
SONDE_API sonde_status sonde_ions_run(sonde_context *context, const sonde_ions_options *options,
				      sonde_ions_result **result);
/* What is planned once: the target, stopping powers, tables of scattering. sonde_ions_run() is plan, execute and free. */
struct sonde_ions_plan;
/* *plan is null after a failure (those of sonde_ions_run() that come before the first ion), else to be freed by
 * sonde_ions_plan_free(). The context must outlive the plan and serves one execution at a time. */
SONDE_API sonde_status sonde_ions_plan(sonde_context *context, const sonde_ions_options *options,
				       struct sonde_ions_plan **plan);
/* The options as they will be run: nothing is "auto" any more. Owned by the plan. */
SONDE_API const sonde_ions_options *sonde_ions_plan_options(const struct sonde_ions_plan *plan);
/* Other values of the options number (1 or more) and seed for the executions that follow: the tables stay. SONDE_INVALID where
 * they are out of range. */
SONDE_API sonde_status sonde_ions_plan_set_number(struct sonde_ions_plan *plan, int64_t number);
SONDE_API sonde_status sonde_ions_plan_set_seed(struct sonde_ions_plan *plan, int64_t seed);
/* Follows the ions: with the bits of sonde_ions_run() with these options. *result is null after a failure, else to be freed by
 * sonde_ions_result_free(), and does not need the plan. */
SONDE_API sonde_status sonde_ions_execute(struct sonde_ions_plan *plan, sonde_ions_result **result);
/* Frees the plan and sets *plan to null; a null pointer or null plan is fine. */
SONDE_API void sonde_ions_plan_free(struct sonde_ions_plan **plan);

/* The same to a file, of the kinds that sonde_ions_result_write() knows. A run that is cancelled leaves PATH.checkpoint; with the
 * option `resume` a run goes on from there, or from a result that is already there, which then gets more ions. */
SONDE_API sonde_status sonde_ions_run_to_file(sonde_context *context, const sonde_ions_options *options,
					      const char *path, int overwrite, sonde_ions_result **result);
/* Options, and bodies in the layers as all engines read them, a later one in place of those before; lengths in Angstrom. Not of the shape
 * `build`; one map of voxels, the first of the list. */
typedef struct sonde_ions_job {
	uint64_t struct_size; /* set by init: the size that the caller was compiled with */
	const char *file;     /* the job's, for messages; may be null */
	SONDE_LIST(sonde_body_options) bodies;
	const void *reserved[6];    /* null: room for what later versions add */
	sonde_ions_options options; /* last, since it grows at its end */
} sonde_ions_job;

/* Sets the defaults of a job without bodies. */
#define sonde_ions_job_init(job) sonde_ions_job_init_sized((job), sizeof *(job))
SONDE_API void sonde_ions_job_init_sized(sonde_ions_job *job, uint64_t size);
/* As sonde_ions_plan(). The plan does not need the job. */
SONDE_API sonde_status sonde_ions_job_plan(sonde_context *context, const sonde_ions_job *job,
					   struct sonde_ions_plan **plan);
/* Runs a job: as sonde_ions_run() does, or, with a path, as sonde_ions_run_to_file(). */
SONDE_API sonde_status sonde_ions_job_run(sonde_context *context, const sonde_ions_job *job, const char *path,
					  int overwrite, sonde_ions_result **result);
/* Writes the result: NeXus HDF5 (.h5 .hdf5 .nxs) with everything, or a table of the profiles (.csv .xy .dat .txt). The file
 * appears when it is complete; an existing one is an error unless `overwrite`. */
SONDE_API sonde_status sonde_ions_result_write(const sonde_ions_result *result, const char *path, int overwrite);
/* Writes text files in the layout of SRIM's into a folder, which is made if it is not there. */
SONDE_API sonde_status sonde_ions_result_write_srim(const sonde_ions_result *result, const char *folder,
						    int overwrite);
/* Reads a result that was written as HDF5: everything that it had, with the same bits. Its job is planned again for that, which takes as long
 * as sonde_ions_plan() and needs the files that the options name. The file's seal and checksums are compared first; damaged files, and those of
 * other programs and versions, are refused (SONDE_INVALID). *result is null after a failure, else to be freed by
 * sonde_ions_result_free(). */
SONDE_API sonde_status sonde_ions_result_read(sonde_context *context, const char *path, sonde_ions_result **result);
SONDE_API void sonde_ions_result_free(sonde_ions_result **result);

#ifdef __cplusplus
}
#endif
#endif
