/* The sums of a picture by the fast method, and its patches, shared by devices and ranks. */
#ifndef SONDE_PATTERN_FAST_SHARED_PATCHES_H
#define SONDE_PATTERN_FAST_SHARED_PATCHES_H

#include "base/background.h"
#include "pattern/fast/box.h"
#include "pattern/fast/patch_sums.h"
#include "run/context.h"

/* Of sums that failed with SONDE_RESOURCE: the first GPU is to blame; or those are gone that suited, or all. */
enum sums_outcome { FIRST_GPU, NO_GPU, NO_DEVICE };

/* Of the host as a device, whose threads work on one patch together. */
struct host_state {
	struct device *device;
};

struct picture_sums;

/* Of a GPU, in the background: its kernels, and then the atoms. */
struct gpu_preparation {
	struct picture_sums *run;
	int index;
	struct device *gpu; /* null: none */
	double before;      /* seconds of its kernels */
	struct background_job test, job;
};

struct picture_sums {
	struct fast_sums of; /* the same for all devices */
	sonde_context *context;
	const struct pattern_plan *plan;
	const struct pattern_division *division;
	const struct pattern_patches *kept; /* may be null */
	struct patch_list list;
	unsigned char *finished; /* patches of the list */
	struct device *gpu;      /* by which they were made; null: the host */
	double others;           /* bytes of it that the meshes leave */
	enum sums_outcome outcome;
	struct patch_worker host;
	struct fast_box box; /* of a volume on one GPU */
	struct patch_worker workers[CONTEXT_MOST_DEVICES];
	struct gpu_preparation preparations[CONTEXT_MOST_DEVICES];
	struct host_state hosts[CONTEXT_MOST_DEVICES]; /* with several ranks */
	struct stage stage;
	double done;
};

/* Begins to prepare the GPUs that the sums will need: their kernels, while the atoms are grouped; then with the atoms, while the points
 * are divided; and waits for that. */
sonde_status patches_test_gpus(struct picture_sums *run, bool (*suits)(void *user, struct device *device));
void patches_prepare_gpus(struct picture_sums *run);
void patches_wait_for_gpus(struct picture_sums *run);
/* The patches of the list that are not finished: on GPUs that suit the sums, which `suits` is called with, */
sonde_status patches_sum_on_gpus(struct picture_sums *run, bool (*suits)(void *user, struct device *device));
/* on the hosts of several ranks, */
sonde_status patches_sum_on_hosts(struct picture_sums *run);
/* or on the host alone. */
sonde_status patches_sum_on_host(struct picture_sums *run);

#endif
