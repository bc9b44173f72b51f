/* The choice of the method, and of the window of the fast one.
 *
 * An error e of the window's approximation of exp(i k x), in each of up to two steps for each of three axes, makes an error of at most
 * 6 e sum |f_j| <= 6 e sqrt(N) sqrt(sum |f_j|^2) of F (Cauchy and Schwarz), as at the peaks of a crystal. */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/threads.h"
#include "pattern/fast/copies.h"
#include "pattern/fast/cost.h"
#include "pattern/fast/fast.h"
#include "pattern/fast/patches.h"
#include "pattern/products.h"

#define STEPS 6.0
#define STEPS_OF_BOX 3.0  /* whose points are not interpolated */
#define LEAST_ERROR 3e-14 /* of a window, above rounding */
#define ATOM_BYTES 90.0
#define PIXEL_BYTES 140.0   /* and 28 of those while they are divided */
#define MOST_MESH_BYTES 1e9 /* a limit independent of the machine, unless memory is shorter */
#define MOST_MESH_BYTES_OF_GPU 2e10
#define LEAST_MESH_BYTES 1e6
#define ATOM_BYTES_OF_GPU 32.0
#define BYTES_OF_PLACE 96.0
#define PIXEL_BYTES_OF_GPU 40.0
#define MOST_CHUNK 16777216   /* pixels divided together */
#define PLANNED 16384         /* pixels of which a plan is made, */
#define PLANNED_OF_LIST 65536 /* and of a list, whose points are not side by side: fewer make other patches; */
#define PLANNED_MOST 262144 /* and if patches have fewer than PLANNED_EACH, which would seem smaller than they are */
#define PLANNED_EACH 4096
#define WORTH_TURNING 2.0 /* cycles, in those of a picture by itself, whose other work is that of the host */
/* of the direct sum in float64 on an H100: terms per second, by the arrangement of the pixels, and nodes at pixels */
static const double direct_of_gpu[] = {[ARRANGED_LIST] = 5e11,
				       [ARRANGED_PAIRS] = 8e11,
				       [ARRANGED_LINES] = 1.4e12,
				       [ARRANGED_LONG_LINES] = 1.4e12,
				       [ARRANGED_LONG_PAIRS] = 8e11};
#define NODES_OF_GPU 4e12
#define TILE_OF_GPU 40.0 /* nodes that take as long as the rest of a tile at a point */
#define TILE_OF_GPU 40.0 /* nodes that take as long as the rest of a tile at a point */

static const double oversamplings[] = {1.25, 1.35, 1.5, 1.75, 2.0, 2.5, 3.0};

double fast_finer(double oversampling)
{
	for (size_t k = 0; k < sizeof oversamplings / sizeof *oversamplings; ++k)
		if (oversamplings[k] > oversampling)
			return oversamplings[k];
	return oversampling;
}

double fast_error(const struct pattern_plan *plan, const struct fast_channels *channels)
{
	const double steps = plan->pixels.geometry == SONDE_PATTERN_BOX ? STEPS_OF_BOX : STEPS;

	return fmax(LEAST_ERROR, (plan->fast.tolerance - channels->error) / (steps * channels->growth));
}

sonde_status fast_find_gpu(sonde_context *context, int *index, struct device **gpu)
{
	struct device **devices;
	int count;

	*gpu = NULL;
	CHECK(context_devices(context, &devices, &count));
	for (*index = 0; *index < count; ++*index)
		if (devices[*index] != NULL && device_properties(devices[*index])->gpu_kernels) {
			*gpu = devices[*index];
			return SONDE_OK;
		}
	return SONDE_OK;
}

double fast_mesh_bytes(const struct device *gpu, double others)
{
	return fmin(MOST_MESH_BYTES_OF_GPU, 0.8 * ((double)device_properties(gpu)->memory - others));
}

void fast_find_memory(const sonde_context *context, const struct pattern_plan *plan, const struct device *gpu,
		      struct fast_memory *memory)
{
	const double allowed = (double)context_host_memory(context), atoms = (double)plan->sample.view.count;
	const bool box = plan->pixels.geometry == SONDE_PATTERN_BOX;
	const double all = (double)plan->pixels.count, most = fmin(all, MOST_CHUNK);

	/* of copies those of one of them, and a batch of all */
	const double batch = (double)fast_copies_most(&plan->sample),
		     places = BYTES_OF_PLACE * (double)pattern_copy_count(&plan->sample);

	memory->host = ATOM_BYTES * (atoms + batch) + places + 24.0 * all;
	const double left = allowed - memory->host;
	memory->meshes = gpu != NULL ? 0.0 : fmin(MOST_MESH_BYTES, 0.7 * left);
	memory->pixels = box ? 0 : (int64_t)fmax(fmin(most, (left - memory->meshes) / PIXEL_BYTES), 1024.0);
	memory->host += PIXEL_BYTES * (double)memory->pixels;
	memory->device =
	    gpu != NULL ? ATOM_BYTES_OF_GPU * (atoms + batch) + places + PIXEL_BYTES_OF_GPU * (double)memory->pixels
			: 0.0;
	if (gpu != NULL)
		memory->meshes = fast_mesh_bytes(gpu, memory->device);
	if (memory->meshes < LEAST_MESH_BYTES)
		memory->meshes = 0.0;
}

/* What is found of a window. */
struct trial {
	struct window window;
	bool possible;
	double cycles, bytes;
	size_t patches;
	sonde_status status;
};

/* Some of the pixels, and the atoms as these see them. */
struct some_pixels {
	struct patch_atoms atoms;
	double *vectors;
	uint32_t *numbers;
};

static void some_pixels_free(struct some_pixels **some)
{
	if (*some != NULL) {
		free((*some)->vectors);
		free((*some)->numbers);
	}
	free(*some);
	*some = NULL;
}

static sonde_status divide_some(const struct pattern_plan *plan, const struct window *window, int64_t count,
				struct some_pixels *some, struct patch_list *list)
{
	const double weight = (double)plan->pixels.count / (double)count;

	CHECK(memory_allocate(&some->vectors, 3 * (size_t)count, sizeof *some->vectors, "the plan"));
	CHECK(memory_allocate(&some->numbers, (size_t)count, sizeof *some->numbers, "the plan"));
	some->atoms.weight = weight;
	for (int64_t n = 0; n < count; ++n) {
		(void)pattern_pixel(&plan->pixels, (int64_t)((double)n * weight), some->vectors + 3 * n);
		some->numbers[n] = (uint32_t)n;
	}
	return patches_of_points(&some->atoms, window, some->vectors, some->numbers, count, 1, list);
}

static sonde_status divide(const struct pattern_plan *plan, const struct patch_atoms *atoms,
			   const struct window *window, int64_t most, struct patch_list *list)
{
	const int64_t all = plan->pixels.count;
	struct some_pixels *some;

	if (plan->pixels.geometry == SONDE_PATTERN_BOX)
		return patches_of_box(atoms, window, &plan->pixels, list);
	CHECK(memory_allocate(&some, 1, sizeof *some, "the plan"));
	some->atoms = *atoms;
	const sonde_status status = divide_some(plan, window, all < most ? all : most, some, list);
	some_pixels_free(&some);
	return status;
}

/* Cycles and memory with a window, by some of the pixels. */
static sonde_status find_cycles(const struct pattern_plan *plan, const struct patch_atoms *atoms, int64_t most,
				struct trial *trial)
{
	struct patch_list list = {.count = 0};
	double sizes[4];
	const sonde_status status = divide(plan, atoms, &trial->window, most, &list);

	trial->bytes = 0.0;
	trial->patches = list.count;
	trial->cycles = list.too_large ? INFINITY : list.cycles;
	for (size_t k = 0; k < list.count; ++k) {
		fast_axes_sizes(&list.patches[k].axes, sizes);
		trial->bytes = fmax(trial->bytes, cost_bytes(sizes));
	}
	patch_list_free(&list);
	return status;
}

#define WINDOWS (sizeof oversamplings / sizeof *oversamplings)

struct trying {
	const struct pattern_plan *plan;
	const struct patch_atoms *atoms;
	int64_t most;
	struct trial trials[WINDOWS];
};

static void try_some(void *state, int64_t first, int64_t end, int worker)
{
	struct trying *trying = state;

	(void)worker;
	for (int64_t k = first; k < end; ++k) {
		struct trial *trial = &trying->trials[k];
		trial->possible = window_find(trying->atoms->negligible, oversamplings[k], &trial->window);
		if (trial->possible)
			trial->status = find_cycles(trying->plan, trying->atoms, trying->most, trial);
	}
}

/* The window with least work. */
static sonde_status choose_window(const sonde_context *context, struct pattern_plan *plan,
				  const struct patch_atoms *atoms)
{
	const bool list = plan->pixels.geometry == SONDE_PATTERN_LIST;
	struct trying trying = {.plan = plan, .atoms = atoms, .most = list ? PLANNED_OF_LIST : PLANNED};
	struct trial *chosen = NULL;

	plan->fast.cycles = INFINITY;
	threads_for(context_threads(context), WINDOWS, 1, try_some, &trying);
	for (size_t k = 0; k < WINDOWS; ++k) {
		struct trial *trial = &trying.trials[k];
		if (trial->status != SONDE_OK) /* the message is another thread's */
			return memory_missing("the plan");
		if (!trial->possible || trial->cycles >= plan->fast.cycles)
			continue;
		plan->fast.cycles = trial->cycles;
		chosen = trial;
	}
	if (chosen == NULL)
		return SONDE_OK;
	plan->fast.devices = chosen->patches < CONTEXT_MOST_DEVICES ? (int)chosen->patches : CONTEXT_MOST_DEVICES;
	plan->fast.oversampling = chosen->window.oversampling;
	plan->fast.width = chosen->window.width;
	if (plan->pixels.geometry != SONDE_PATTERN_BOX && plan->pixels.count > trying.most &&
	    (int64_t)chosen->patches * PLANNED_EACH > trying.most)
		CHECK(find_cycles(plan, atoms, PLANNED_MOST, chosen));
	plan->fast.cycles = chosen->cycles;
	plan->fast.bytes = chosen->bytes;
	return SONDE_OK;
}

/* Amplitudes do not depend on the direction of q in the sample. */
static bool can_be_turned(const struct pattern_plan *plan)
{
	return plan->turned && plan->pixels.geometry != SONDE_PATTERN_BOX && !plan->sample.anisotropic &&
	       plan->sample.joint_count == 0;
}

/* Unless the ball around a long or flat sample takes more work than the points of each picture. */
static sonde_status choose_turned(const sonde_context *context, struct pattern_plan *plan, struct patch_atoms *atoms)
{
	const struct pattern_fast before = plan->fast;

	patch_atoms_turn(&plan->sample, atoms);
	CHECK(choose_window(context, plan, atoms));
	if (plan->fast.cycles <= WORTH_TURNING * before.cycles && plan->fast.cycles < INFINITY)
		plan->fast.turned = true;
	else
		plan->fast = before;
	return SONDE_OK;
}

/* Cycles are infinite if meshes do not fit into memory. */
static sonde_status plan_fast(const sonde_context *context, const struct device *gpu, struct pattern_plan *plan)
{
	struct fast_memory memory;
	struct patch_atoms *atoms = NULL;
	struct fast_channels channels = {.count = 0};
	sonde_status status;

	fast_find_memory(context, plan, gpu, &memory);
	CHECK_GOTO(status, memory_allocate(&atoms, 1, sizeof *atoms, "the plan"), done);
	CHECK_GOTO(status, fast_channels_make(plan, &channels), done);
	plan->fast.transforms = channels.count;
	plan->fast.on_gpu = gpu != NULL;
	plan->fast.turned = false;
	CHECK_GOTO(status,
		   patch_atoms_make(&plan->sample, &channels, gpu, memory.meshes, fast_error(plan, &channels),
				    context_threads(context), atoms),
		   done);
	status = choose_window(context, plan, atoms);
	if (status == SONDE_OK && gpu != NULL && can_be_turned(plan))
		status = choose_turned(context, plan, atoms);
done:
	fast_channels_free(&channels);
	free(atoms);
	return status;
}

static sonde_status check(const sonde_pattern_options *options)
{
	const bool fast = options->method == SONDE_PATTERN_METHOD_FAST;

	if (options->tolerance > 0.0 && options->tolerance < FAST_LEAST_TOLERANCE)
		return status_fail_option(SONDE_INVALID, "tolerance",
					  "%.3g is less than the error of the fast method, %.0e; use `method direct`",
					  options->tolerance, FAST_LEAST_TOLERANCE);
	if (options->precision == SONDE_PATTERN_PRECISION_FLOAT32 && (fast || options->tolerance > 0.0))
		return status_fail_option(
		    SONDE_INVALID, "precision",
		    "float32 is of the direct sum without a `tolerance`; leave one of them out");
	return SONDE_OK;
}

/* Plans for the host, and for a GPU if there is one and the host would take long. */
static sonde_status plan_device(sonde_context *context, double direct_seconds, struct pattern_plan *plan)
{
	struct device_count devices;
	struct device *gpu;
	int index;

	if (context_expects(context)) {
		CHECK(plan_fast(context, NULL, plan));
		CHECK(context_expect(context, fmin(direct_seconds, plan->repeats * plan->fast.cycles / COST_CLOCK /
								       context_threads(context))));
	}
	CHECK(fast_find_gpu(context, &index, &gpu));
	if (gpu != NULL || plan->fast.width == 0)
		CHECK(plan_fast(context, gpu, plan));
	CHECK(context_count_devices(context, &devices));
	const int most = devices.gpus > 1 ? devices.gpus : 1;
	plan->fast.devices = plan->fast.devices < most ? plan->fast.devices : most;
	return SONDE_OK;
}

double fast_seconds(const sonde_context *context, const struct pattern_plan *plan)
{
	return plan->fast.cycles / COST_CLOCK / (plan->fast.on_gpu ? plan->fast.devices : context_threads(context));
}

/* Seconds of a GPU for an atom at a pixel. */
static double term_of_gpu(const struct pixel_division *division)
{
	const double sums = pixel_division_part(division) / direct_of_gpu[division->arrangement];

	return division->along.axis < 0
		   ? sums
		   : sums + (pixel_division_interpolated(division) + TILE_OF_GPU) / division->atoms / NODES_OF_GPU;
}

/* With a tolerance, the method that takes less time. */
static sonde_status choose_automatically(sonde_context *context, struct pattern_plan *plan)
{
	const double terms = (double)plan->sample.count * (double)plan->pixels.count;
	struct device_count devices;
	struct pixel_division division;

	pixel_division_expect(plan, false, &division);
	double direct = terms * products_least_cycles(plan, division.sums + division.interpolation) / COST_CLOCK /
			context_threads(context);

	CHECK(plan_device(context, direct, plan));
	CHECK(context_count_devices(context, &devices));
	if (devices.gpus > 0)
		direct = terms * term_of_gpu(&division) / devices.gpus;
	plan->fast.gain = direct / fast_seconds(context, plan);
	plan->fast.chosen = plan->fast.gain > 1.0;
	return SONDE_OK;
}

/* Of the least meshes and of what is besides them; more may be needed for large patterns. */
static sonde_status refuse_memory(sonde_context *context, const struct pattern_plan *plan)
{
	const struct patch_list none = {.too_large = true};
	struct fast_memory memory;
	struct device *gpu;
	int index;

	CHECK(fast_find_gpu(context, &index, &gpu));
	fast_find_memory(context, plan, gpu, &memory);
	if (memory.meshes > 0.0)
		return patch_list_check(&none);
	const double needed =
	    gpu != NULL ? memory.device + LEAST_MESH_BYTES / 0.8 : memory.host + LEAST_MESH_BYTES / 0.7;
	return status_fail(SONDE_RESOURCE,
			   "the fast method needs more memory for its meshes, %.3g MB at least; allow more, or use "
			   "`method direct`",
			   1e-6 * needed);
}

sonde_status fast_choose(sonde_context *context, struct pattern_plan *plan)
{
	sonde_pattern_options *options = &plan->options;

	CHECK(check(options));
	plan->fast =
	    (struct pattern_fast){.tolerance = options->tolerance > 0.0 ? options->tolerance : FAST_TOLERANCE};
	if (options->method == SONDE_PATTERN_METHOD_FAST) {
		CHECK(plan_device(context, INFINITY, plan));
		if (!(plan->fast.cycles < INFINITY))
			return refuse_memory(context, plan);
		plan->fast.chosen = true;
	} else if (options->method == SONDE_PATTERN_METHOD_AUTO && options->tolerance > 0.0)
		CHECK(choose_automatically(context, plan));
	options->method = plan->fast.chosen ? SONDE_PATTERN_METHOD_FAST : SONDE_PATTERN_METHOD_DIRECT;
	if (plan->fast.chosen)
		options->tolerance = plan->fast.tolerance;
	return SONDE_OK;
}
