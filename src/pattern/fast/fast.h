/* The fast method: sums over classes of scatterers by non-uniform Fourier transforms, with the errors of the tolerance. */
#ifndef SONDE_PATTERN_FAST_FAST_H
#define SONDE_PATTERN_FAST_FAST_H

#include "pattern/fast/channels.h"
#include "pattern/pattern.h"

#define FAST_TOLERANCE 1e-6 /* if none is given */
#define FAST_LEAST_TOLERANCE 1e-10

/* choose.c: chooses the method by the options, and the window of the fast one. Tells the context how long the CPU would take. */
sonde_status fast_choose(sonde_context *context, struct pattern_plan *plan);
/* The first GPU of the context, for whose memory patches are made, and its index; null if there is none. Others that have as much
 * share the patches. */
sonde_status fast_find_gpu(sonde_context *context, int *index, struct device **gpu);
struct fast_memory {
	double host;    /* bytes for the atoms and pixels; without the meshes */
	double meshes;  /* allowed for these: of main memory, or on a GPU; 0 if the others exceed what is allowed */
	double device;  /* bytes of a GPU besides them */
	int64_t pixels; /* that are divided together */
};
/* `gpu`: null for the host. */
void fast_find_memory(const sonde_context *context, const struct pattern_plan *plan, const struct device *gpu,
		      struct fast_memory *memory);
/* What a GPU allows for meshes, besides `others`. */
double fast_mesh_bytes(const struct device *gpu, double others);
/* Of one pattern, without the work of the host for a GPU. */
double fast_seconds(const sonde_context *context, const struct pattern_plan *plan);
/* That of the window, which is a phase that needs no nodes as well. */
double fast_error(const struct pattern_plan *plan, const struct fast_channels *channels);
/* The next finer oversampling of meshes, or the same one after the finest. */
double fast_finer(double oversampling);

struct gpu_mesh;
/* gpu_check.c: the same as pattern_error(), by a GPU that has the atoms. */
sonde_status fast_check_on_gpu(struct gpu_mesh *gpu, const struct pattern_plan *plan,
			       const struct pattern_values *values, double *error, int64_t *checked);
/* The same of the direct sum of a resident sample. */
sonde_status fast_error_of_resident(sonde_context *context, const struct pattern_plan *plan,
				    const struct pattern_values *values, double *largest, int64_t *checked);
/* fast.c: the same as pattern_sums(), on a GPU if that is the plan; */
sonde_status fast_sums(sonde_context *context, const struct pattern_plan *plan, const struct pattern_values *values);
/* with the check of its error: with a wider window and finer meshes if it is larger than the tolerance, and a failure if it remains so. */
sonde_status fast_run(sonde_context *context, struct pattern_plan *plan, const struct pattern_values *values,
		      double *error, int64_t *checked);

/* A wider window and finer meshes, since the error of these was larger than the tolerance; a failure if there are none. */
sonde_status fast_widen(sonde_context *context, double error, const struct pattern_division *division,
			struct pattern_plan *plan);
/* That of a plan, without its memory. */
struct pattern_division fast_division(const struct pattern_plan *plan);

/* self_test.c, gpu_self_test.c: of the kernels for CPUs, and for GPUs. */
sonde_status fast_self_test(struct device *device);
sonde_status fast_gpu_self_test(struct device *device);

#endif
