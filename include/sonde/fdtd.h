/* Maxwell's equations in the time domain on Yee's grid: light propagating through a structure.
 *
 * A job specifies the grid (its options), the boundaries, materials and bodies, the sources and the monitors. Lengths
 * are in meters, times in seconds, frequencies in Hz, E in V/m, H in A/m; fields at frequencies vary as
 * exp(-i 2 pi f t).
 */
#ifndef SONDE_FDTD_H
#define SONDE_FDTD_H

#include <stddef.h>
#include <stdint.h>

#include "sonde/body.h"
#include "sonde/build.h"
#include "sonde/context.h"
#include "sonde/fdtd_boundary_options.h"
#include "sonde/fdtd_monitor_options.h"
#include "sonde/fdtd_options.h"
#include "sonde/fdtd_source_options.h"
#include "sonde/material.h"
#include "sonde/sample.h"
#include "sonde/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef sonde_material_options sonde_fdtd_material_options;

typedef struct sonde_fdtd_job {
	uint64_t struct_size;       /* set by init: the size that the caller was compiled with */
	const char *file;           /* name of the job's file, for messages; may be null */
	const size_t *option_lines; /* line of each option in the file, in their order, 0 if absent; may be null */
	const sonde_build_options *build; /* solid for bodies of the shape `build`; may be null */
	SONDE_LIST(sonde_fdtd_boundary_options) boundaries;
	SONDE_LIST(sonde_fdtd_material_options) materials;
	SONDE_LIST(sonde_body_options) bodies;
	SONDE_LIST(sonde_fdtd_source_options) sources;
	SONDE_LIST(sonde_fdtd_monitor_options) monitors;
	const sonde_sample
	    *sample; /* whose bodies follow those of the job, and whose materials are known, too; may be null */
	const sonde_sample *joined; /* null: set by the library in its own copies */
	const void *reserved[4];    /* null: reserved for later versions */
	sonde_fdtd_options options; /* last, since it grows at its end */
} sonde_fdtd_job;

/* Sets the defaults of a job without items, and of an item. */
#define sonde_fdtd_job_init(job) sonde_fdtd_job_init_sized((job), sizeof *(job))
#define sonde_fdtd_boundary_init(boundary) sonde_fdtd_boundary_init_sized((boundary), sizeof *(boundary))
#define sonde_fdtd_material_init(material) sonde_fdtd_material_init_sized((material), sizeof *(material))
#define sonde_fdtd_source_init(source) sonde_fdtd_source_init_sized((source), sizeof *(source))
#define sonde_fdtd_monitor_init(monitor) sonde_fdtd_monitor_init_sized((monitor), sizeof *(monitor))
/* The same for structs of `size` bytes: that of the version that the caller was compiled with. All items of a list
 * have the same size. */
SONDE_API void sonde_fdtd_job_init_sized(sonde_fdtd_job *job, uint64_t size);
SONDE_API void sonde_fdtd_boundary_init_sized(sonde_fdtd_boundary_options *boundary, uint64_t size);
SONDE_API void sonde_fdtd_material_init_sized(sonde_fdtd_material_options *material, uint64_t size);
SONDE_API void sonde_fdtd_source_init_sized(sonde_fdtd_source_options *source, uint64_t size);
SONDE_API void sonde_fdtd_monitor_init_sized(sonde_fdtd_monitor_options *monitor, uint64_t size);

/* Values of a monitor with `rank` axes, the last one varying fastest. */
typedef struct sonde_fdtd_array {
	char name[32]; /* "power"; axes are arrays too: "frequency" */
	char unit[16];
	int rank;
	int64_t sizes[5];
	char axes[5][32]; /* array with the coordinates along that axis; "" if there is none */
	double *values;
} sonde_fdtd_array;

typedef struct sonde_fdtd_monitor {
	char name[64];
	char kind[32];
	int array_count;
	sonde_fdtd_array *arrays;
} sonde_fdtd_monitor;

/* Ways of planes between ranks of MPI: there are no ranks; from the GPU of one to that of another on the same machine; by way of
 * the hosts. */
enum { SONDE_FDTD_EXCHANGE_IN_PROCESS, SONDE_FDTD_EXCHANGE_DIRECT, SONDE_FDTD_EXCHANGE_BY_HOST };

/* Estimated requirements of a job. */
typedef struct sonde_fdtd_plan {
	uint64_t struct_size; /* set by the function that fills it: the size that the caller was compiled with */
	int64_t cells[3];     /* with the absorbing layers */
	int64_t inner_cells[3];
	double cell[3];        /* m */
	double time_step;      /* s */
	int64_t steps;         /* maximum; 0: not known in advance */
	double device_memory;  /* bytes */
	double memory_of_cell; /* bytes, fields and materials only */
	double rate;           /* expected throughput, cells per second */
	double seconds;        /* estimated; 0 if the steps are not known */
	int runs;              /* 2 with a reference run, 3 with a run of the wave alone in addition */
	double
	    shortest_wavelength; /* cells, in the densest material at the highest frequency with 1/100 of the peak */
	/* of grids that go through the device (option `streaming`); streaming is SONDE_FDTD_STREAMING_AUTO, all others 0, if
	 * the grid fits */
	int streaming;          /* SONDE_FDTD_STREAMING_SKEW or _PYRAMID */
	int64_t slab_width;     /* planes */
	int64_t pass_height;    /* steps */
	int64_t planes;         /* of the grid */
	double streamed_memory; /* bytes of the host for the numbers of all planes */
	double link_rate;       /* bytes per second in each direction between host and device, measured */
	double whole_rate;      /* expected of a device that holds the grid, cells per second */
	double
	    scratch_bytes; /* of a scratch file with these numbers (option `store`), or 0; then streamed_memory is that
				 * of buffers */
	double disk_rate;  /* bytes per second in each direction between host and scratch file, measured */
	int devices;       /* that share the grid; 0: one has all of it */
	int64_t exchange_height; /* steps between their exchanges of planes; 0: none */
	double pair_memory; /* bytes of the device in addition, for steps in pairs, which are tried; 0: one by one */
	double pair_rate;   /* cells per second that pairs are expected to reach; `rate` is that of the faster way */
	int exchange;       /* how ranks of MPI exchange planes with each other: SONDE_FDTD_EXCHANGE_... */
} sonde_fdtd_plan;

typedef struct sonde_fdtd_result {
	const sonde_fdtd_options *options; /* the options used, owned by the result */
	const sonde_fdtd_plan *plan;       /* likewise */
	int64_t steps;                     /* completed */
	int64_t resumed;                   /* of these, completed by an earlier run */
	double time;                       /* simulated, s */
	double left;                       /* largest component of E at the end, relative to its peak */
	int until_missed;                  /* whether the time ended before the field had decayed to `until` */
	double seconds;                    /* of the run */
	double rate;                       /* cells per second in the steps */
	int monitor_count;
	sonde_fdtd_monitor *monitors;
	/* numerical errors relative to the largest values, estimated (option `error`), or NaN: of the grid, of the end of the
	 * run, of round-off; and the largest from a companion run with coarser cells, NaN without one */
	double grid_error, truncation_error, rounding_error, companion_error;
	struct sonde_fdtd_provenance *provenance;
} sonde_fdtd_result;

/* Checks a job and fills *plan, without running the job. */
#define sonde_fdtd_make_plan(context, job, plan) sonde_fdtd_make_plan_sized((context), (job), (plan), sizeof *(plan))
/* The same for a struct of `size` bytes: that of the version that the caller was compiled with. */
SONDE_API sonde_status sonde_fdtd_make_plan_sized(sonde_context *context, const sonde_fdtd_job *job,
						  sonde_fdtd_plan *plan, uint64_t size);

/* Runs a job. *result is null after a failure, otherwise to be freed by sonde_fdtd_result_free(). */
SONDE_API sonde_status sonde_fdtd_run(sonde_context *context, const sonde_fdtd_job *job, sonde_fdtd_result **result);
/* The same, and writes the result; a run that is stopped leaves PATH.checkpoint, from which the option `resume`
 * continues (SONDE_SUSPENDED). */
SONDE_API sonde_status sonde_fdtd_run_to_file(sonde_context *context, const sonde_fdtd_job *job, const char *path,
					      int overwrite, sonde_fdtd_result **result);
/* A job that is checked once and then run any number of times, for example for several polarizations. It has copies of
 * all items of the job and of its options: the caller's may change or be freed. sonde_fdtd_run() does the same once. */
struct sonde_fdtd_prepared;
/* The context must outlive it and serves one run at a time. *prepared is null after a failure (those of
 * sonde_fdtd_run() that come before the steps, without lines of the job's file), else to be freed by
 * sonde_fdtd_prepared_free(). */
SONDE_API sonde_status sonde_fdtd_prepare(sonde_context *context, const sonde_fdtd_job *job,
					  struct sonde_fdtd_prepared **prepared);
/* The options with the time step decided, and the requirements as by sonde_fdtd_make_plan(). Owned by `prepared`. */
SONDE_API const sonde_fdtd_options *sonde_fdtd_prepared_options(const struct sonde_fdtd_prepared *prepared);
SONDE_API const sonde_fdtd_plan *sonde_fdtd_prepared_plan(const struct sonde_fdtd_prepared *prepared);
/* Replaces a source, numbered from 0, for the next executions. After a failure, of which the message states the reason,
 * all is as before. */
SONDE_API sonde_status sonde_fdtd_prepared_set_source(struct sonde_fdtd_prepared *prepared, int64_t number,
						      const sonde_fdtd_source_options *source);
/* Runs it: the same numbers as sonde_fdtd_run(). *result is null after a failure, else to be freed by
 * sonde_fdtd_result_free(), and independent of `prepared`. */
SONDE_API sonde_status sonde_fdtd_execute(struct sonde_fdtd_prepared *prepared, sonde_fdtd_result **result);
/* The same to a file, as sonde_fdtd_run_to_file(). */
SONDE_API sonde_status sonde_fdtd_execute_to_file(struct sonde_fdtd_prepared *prepared, const char *path,
						  int overwrite, sonde_fdtd_result **result);
/* Frees it and sets *prepared to null; a null pointer or null is allowed. */
SONDE_API void sonde_fdtd_prepared_free(struct sonde_fdtd_prepared **prepared);

/* Writes a result as HDF5 in NeXus form (.h5 .hdf5 .nxs), with all data, or as a table of the monitors'
 * one-dimensional data (.csv .dat .txt .xy). The file appears when it is complete; an existing one is an error unless
 * `overwrite`. */
SONDE_API sonde_status sonde_fdtd_result_write(const sonde_fdtd_result *result, const char *path, int overwrite);
/* Reads a complete result written as HDF5. Fields of monitors have the precision in which the file holds them, float32
 * if the run had that; all else is as it was written. The file's seal and checksums are verified first; damaged files and
 * files of other programs or of versions without a seal are refused (SONDE_INVALID). `context` may be null. *result is
 * null after a failure, otherwise to be freed by sonde_fdtd_result_free(). */
SONDE_API sonde_status sonde_fdtd_result_read(sonde_context *context, const char *path, sonde_fdtd_result **result);
/* Writes the pictures and VTK files requested by the options `frames` and `vtk` into these folders, which are created
 * if needed (their parents must exist); does nothing if the options are empty. Existing files are an error unless
 * `overwrite`. `context`, which can stop it, may be null. */
SONDE_API sonde_status sonde_fdtd_result_write_folders(sonde_context *context, const sonde_fdtd_result *result,
						       int overwrite);
SONDE_API void sonde_fdtd_result_free(sonde_fdtd_result **result);

/* Finds an array of a monitor by name; null if there is none. */
SONDE_API const sonde_fdtd_array *sonde_fdtd_find_array(const sonde_fdtd_monitor *monitor, const char *name);

#ifdef __cplusplus
}
#endif
#endif
