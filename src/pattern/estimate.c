/* Time and memory of a run. */
#include <math.h>

#include "pattern/fast/fast.h"
#include "pattern/pattern.h"
#include "pattern/products.h"
#include "run/speed.h"

/* An atom at a pixel, by `sonde pattern --device cpu --threads 1` and SONDE_ISA=sse2, avx2, avx512; on GPUs, what an H100 needs of its
 * peak rate. [arrangement of the pixels][float32] */
static const struct speed_cost terms[ARRANGEMENTS][2] = {
    [ARRANGED_LIST] = {{{9.9, 3.4, 1.65}, SPEED_F64, 66.0}, {{4.1, 1.4, 0.7}, SPEED_F32, 33.0}},
    [ARRANGED_PAIRS] = {{{6.9, 2.6, 1.28}, SPEED_F64, 41.0}, {{2.8, 1.02, 0.55}, SPEED_F32, 26.0}},
    [ARRANGED_LINES] = {{{5.1, 1.6, 0.81}, SPEED_F64, 24.0}, {{2.4, 0.91, 0.5}, SPEED_F32, 18.0}},
    [ARRANGED_LONG_LINES] = {{{3.85, 1.22, 0.6}, SPEED_F64, 24.0}, {{1.85, 0.71, 0.43}, SPEED_F32, 18.0}},
    [ARRANGED_LONG_PAIRS] = {{{6.2, 2.33, 1.13}, SPEED_F64, 41.0}, {{2.6, 0.97, 0.5}, SPEED_F32, 26.0}}};
/* The same of a node of a tile at a pixel, and of the rest of a tile there, with its phase: 21,952 atoms at 512 x 256 points of a sphere,
 * and on an H100 64,373 at 1024 x 1024; [float32] */
static const struct speed_cost node_terms[] = {{{0.62, 0.31, 0.17}, SPEED_F64, 8.0},
					       {{0.2, 0.1, 0.045}, SPEED_F32, 12.0}},
			       tile_terms[] = {{{14.0, 6.0, 4.0}, SPEED_F64, 330.0},
					       {{14.0, 6.0, 4.0}, SPEED_F32, 480.0}};
/* Of products of matrices: an atom at a point, and an operation of a GPU that has units for them, in parts of their peak rate. */
static const struct speed_cost product_term = {.cycles = {1.1, 0.34, 0.17}},
			       product_operation = {.unit = SPEED_MATRIX, .of_gpu = 1.6};
/* of the fast method, relative to those with AVX2 */
static const double fast_cycles[DEVICE_MOST_INSTRUCTION_SETS] = {1.3, 1.0, 0.95};
static const double checked_cycles[DEVICE_MOST_INSTRUCTION_SETS] = {46.0, 22.0, 14.0}; /* of exact_sums.h */
#define READ_CYCLES 1000.0   /* an atom of a further frame, in a text */
#define SORTED_CYCLES 400.0  /* per atom, */
#define GROUPED_CYCLES 100.0 /* and for the fast method on a GPU */
/* a pixel: its vector, the phase of the sample, and copies; [SONDE_PATTERN_POLAR ...] */
static const double pixel_cycles[] = {160.0, 200.0, 230.0, 400.0};
#define WRITTEN_CYCLES 100.0  /* allocated, and written to HDF5, */
#define LARGE_CYCLES 20.0     /* or by all threads, of large results, */
#define CLASS_CYCLES 100.0    /* amplitude of a class, which is the same for all azimuths of a circle, */
#define PLACED_CYCLES 250.0   /* the phase of its amplitude, */
#define COMPLEX_CYCLES 150.0  /* an amplitude in HDF5, */
#define COMPLEX_LARGE 40.0    /* or by all threads, */
#define NUMBER_CYCLES 220.0   /* a number of a table, */
#define FACTOR_CYCLES 170.0   /* factors of the detector, */
#define COUNT_CYCLES 170.0    /* a count, */
#define ADDED_CYCLES 30.0     /* added to the mean of turned samples, */
#define RING_CYCLES 600.0     /* its place in a ring of a detector, */
#define OPERATION_CYCLES 32.0 /* an operation of a Laue class, */
#define FAR_CYCLES 70.0       /* and of large volumes, whose equivalent points are not in the caches */
#define LARGE_VOLUME 1e6      /* points */
#define MESH_BYTE_CYCLES 4.0  /* a byte of a mesh that is not yet in the caches */
#define NODE_CYCLES 250.0     /* the vector of a node */
#define ROW_CYCLES 12.0       /* a row of a mesh that does not fit into the caches, at a point between the waves, */
#define CACHED_BYTES 1.6e7
#define BYTES_OF_ATOM 50.0
#define BYTES_OF_PIXEL 24.0
#define BYTES_OF_PLACE 96.0

static double direct_seconds(const struct speed *speed, const struct pattern_plan *plan, double times)
{
	const bool single = plan->options.precision == SONDE_PATTERN_PRECISION_FLOAT32;
	const double atoms = (double)plan->sample.count, pixels = times * (double)plan->pixels.count;
	struct pixel_division division;

	if (plan->products)
		return speed->gpu ? speed_seconds(speed, &product_operation,
						  times * atoms * products_operations(&plan->pixels))
				  : speed_seconds(speed, &product_term, atoms * pixels);
	pixel_division_expect(plan, single, &division);
	const struct speed_cost *term = &terms[division.arrangement][single];
	if (division.along.axis < 0)
		return speed_seconds(speed, term, atoms * pixels);
	const double of_nodes = pixels * pixel_division_part(&division), of_tiles = pixels * atoms / division.atoms;
	return speed_seconds(speed, term, atoms * of_nodes) +
	       speed_host_seconds(speed, NODE_CYCLES * of_nodes, speed->threads) +
	       speed_seconds(speed, &node_terms[single], of_tiles * pixel_division_interpolated(&division)) +
	       speed_seconds(speed, &tile_terms[single], of_tiles);
}

sonde_status pattern_expect(sonde_context *context, const struct pattern_plan *plan)
{
	struct pixel_division division;

	if (plan->fast.chosen || !context_expects(context)) /* as was reported when it was chosen */
		return SONDE_OK;
	pixel_division_expect(plan, plan->options.precision == SONDE_PATTERN_PRECISION_FLOAT32, &division);
	const double cycles =
	    plan->products ? products_cycles(&plan->pixels) : division.sums + division.interpolation;
	return context_expect(context, plan->repeats * (double)plan->sample.count * (double)plan->pixels.count *
					   cycles / 3e9 / context_threads(context));
}

static double host_bytes(const struct pattern_plan *plan)
{
	const double counts = plan->options.fluence > 0.0 ? sizeof(int64_t) : 0.0,
		     mask = plan->pixels.masked != NULL ? 1.0 : 0.0;

	/* labels are no more than classes */
	const double partials = plan->options.partials != SONDE_PATTERN_PARTIALS_NONE
				    ? 8.0 + 16.0 * (double)plan->sample.class_count
				    : 0.0;

	return BYTES_OF_ATOM * (double)plan->sample.view.count +
	       BYTES_OF_PLACE * (double)pattern_copy_count(&plan->sample) +
	       (BYTES_OF_PIXEL + counts + mask + partials) * (double)plan->pixels.count;
}

sonde_status pattern_check_memory(const sonde_context *context, const struct pattern_plan *plan)
{
	const double needed = host_bytes(plan), allowed = (double)context_host_memory(context);

	return needed <= allowed ? SONDE_OK
				 : status_fail(SONDE_RESOURCE,
					       "%lld atoms and %lld points need about %.3g MB of main memory, but "
					       "%.3g MB are allowed or free",
					       (long long)plan->sample.count, (long long)plan->pixels.count,
					       1e-6 * needed, 1e-6 * allowed);
}

/* A pixel of each pattern. */
static double cycles_of_pattern(const struct pattern_plan *plan)
{
	const sonde_pattern_options *options = &plan->options;
	const int geometry = plan->pixels.geometry;
	/* the fast method has vectors and amplitudes of a box in its own cycles */
	const bool of_box = plan->fast.chosen && geometry == SONDE_PATTERN_BOX,
		   amplitudes = geometry != SONDE_PATTERN_POLAR && !of_box;
	const double operation = (double)plan->pixels.count < LARGE_VOLUME ? OPERATION_CYCLES : FAR_CYCLES;
	double cycles = (of_box ? 0.0 : pixel_cycles[geometry]) + operation * plan->laue.count;

	if (amplitudes)
		cycles += CLASS_CYCLES * plan->sample.class_count;
	if (options->amplitude)
		cycles += PLACED_CYCLES;
	return cycles;
}

/* A pixel of each picture that is kept: of shots, or of the result. */
static double cycles_of_response(const struct pattern_plan *plan)
{
	const sonde_pattern_options *options = &plan->options;
	const bool factors =
	    options->polarization[0] != '\0' || options->solid_angle != SONDE_PATTERN_SOLID_ANGLE_NONE;

	return (factors ? FACTOR_CYCLES : 0.0) + (options->fluence > 0.0 ? COUNT_CYCLES : 0.0);
}

/* A pixel of the result. */
static double cycles_of_result(const struct pattern_plan *plan, bool table)
{
	const sonde_pattern_options *options = &plan->options;
	const struct pattern_pixels *pixels = &plan->pixels;
	const int axes = pixels->geometry == SONDE_PATTERN_LIST ? 3 : pixels->axis_count,
		  numbers = axes + 1 + (options->amplitude ? 2 : 0) + (options->fluence > 0.0 ? 1 : 0);
	double cycles = !table && pixels->count >= PATTERN_LARGE ? LARGE_CYCLES : WRITTEN_CYCLES;

	if (table)
		cycles += NUMBER_CYCLES * numbers;
	else if (options->amplitude)
		cycles += pixels->count >= PATTERN_LARGE ? COMPLEX_LARGE : COMPLEX_CYCLES;
	if (options->radial[0] != '\0' && pixels->geometry == SONDE_PATTERN_DETECTOR)
		cycles += RING_CYCLES + cycles_of_response(plan);
	return cycles;
}

/* Patterns whose pixels are work of the host before those of others: all, but those of a turned sample share it. */
static double patterns_on_host(const struct pattern_plan *plan)
{
	return plan->fast.turned ? 1.0 : plan->repeats;
}

static double pictures_kept(const struct pattern_plan *plan)
{
	return plan->options.shots > 0 ? plan->repeats : 1.0;
}

static double pixel_seconds(const struct speed *speed, const struct pattern_plan *plan, bool table)
{
	const double pixels = (double)plan->pixels.count, kept = plan->fast.turned ? 1.0 : pictures_kept(plan);

	return speed_host_seconds(
		   speed,
		   pixels * (patterns_on_host(plan) * cycles_of_pattern(plan) + kept * cycles_of_response(plan)),
		   speed->threads) +
	       speed_host_seconds(speed, pixels * cycles_of_result(plan, table), 1);
}

/* By a GPU, while the host adds and keeps the pictures of a turned sample. */
static double seconds_on_gpu(const sonde_context *context, const struct speed *speed, const struct pattern_plan *plan,
			     double times)
{
	const double sums = times * fast_seconds(context, plan),
		     cycles = (double)plan->pixels.count *
			      (plan->repeats * ADDED_CYCLES + pictures_kept(plan) * cycles_of_response(plan));

	return speed->start +
	       (plan->fast.turned ? fmax(sums, speed_host_seconds(speed, cycles, speed->threads)) : sums);
}

static sonde_status fast_memory(sonde_context *context, const struct pattern_plan *plan,
				struct engine_estimate *estimate)
{
	struct device *gpu = NULL;
	struct fast_memory memory;
	int index;

	if (plan->fast.on_gpu)
		CHECK(fast_find_gpu(context, &index, &gpu));
	fast_find_memory(context, plan, gpu, &memory);
	estimate->host_memory = memory.host + (gpu == NULL ? plan->fast.bytes : 0.0);
	if (gpu != NULL)
		estimate->device_memory =
		    fmin(memory.device + plan->fast.bytes, (double)device_properties(gpu)->memory);
	return SONDE_OK;
}

/* Of the GPU with most memory; atoms and points that do not fit into what is allowed take turns. */
static sonde_status direct_memory(sonde_context *context, const struct pattern_plan *plan,
				  struct engine_estimate *estimate)
{
	const bool single = plan->options.precision == SONDE_PATTERN_PRECISION_FLOAT32;
	const double needed = (single ? 12.0 : 24.0) * (double)plan->sample.count +
			      (16.0 * plan->sample.class_count + 40.0) * fmin((double)plan->pixels.count, 1 << 20);
	struct device **devices;
	int count;

	CHECK(context_devices(context, &devices, &count));
	for (int k = 0; k < count; ++k)
		if (devices[k] != NULL && device_properties(devices[k])->gpu_kernels)
			estimate->device_memory = fmax(estimate->device_memory,
						       fmin(needed, (double)device_properties(devices[k])->memory));
	return SONDE_OK;
}

/* Of the fast method, besides its own cycles. */
static double mesh_cycles(const struct pattern_plan *plan, double times)
{
	const struct pattern_fast *fast = &plan->fast;
	const bool between = plan->pixels.geometry != SONDE_PATTERN_BOX && fast->bytes > CACHED_BYTES;
	const double rows = (double)plan->pixels.count * fast->transforms * fast->width * fast->width;

	return MESH_BYTE_CYCLES * fast->bytes + (between ? times * ROW_CYCLES * rows : 0.0);
}

sonde_status pattern_estimate(sonde_context *context, const struct pattern_plan *plan, int64_t samples, bool table,
			      struct engine_estimate *estimate)
{
	const double atoms = (double)plan->sample.count;
	struct speed speed;

	CHECK(pattern_expect(context, plan));
	CHECK(speed_find(context, &speed));
	/* those of labels are again those of all atoms */
	const double times = plan->options.partials != SONDE_PATTERN_PARTIALS_NONE ? 2.0 : plan->repeats;
	const double sums =
	    plan->fast.chosen && plan->fast.on_gpu ? seconds_on_gpu(context, &speed, plan, times)
	    : plan->fast.chosen
		? speed_host_seconds(&speed, times * plan->fast.cycles * fast_cycles[speed.instructions],
				     speed.threads) +
		      speed_host_seconds(&speed, mesh_cycles(plan, times), speed.threads)
		: speed.start + direct_seconds(&speed, plan, times);
	/* which finds its error there, too */
	const bool by_gpu = plan->fast.chosen && plan->fast.on_gpu;
	/* of copies, one of each structure is sorted */
	const double checked =
			 by_gpu ? 0.0 : checked_cycles[speed.instructions] * atoms * (double)pattern_checked(plan),
		     prepared = by_gpu ? GROUPED_CYCLES : SORTED_CYCLES;
	/* that of the direct sum on GPUs is found during the sums, by half of the threads */
	const double check = speed_host_seconds(&speed, checked, speed.threads),
		     summed = speed.gpu && !plan->fast.chosen ? fmax(sums, 2.0 * check) : sums + check;
	estimate->seconds = summed +
			    speed_host_seconds(&speed,
					       (prepared * (double)samples + READ_CYCLES * (double)(samples - 1)) *
						   (double)plan->sample.view.count,
					       1) +
			    pixel_seconds(&speed, plan, table);
	estimate->host_memory = host_bytes(plan);
	return plan->fast.chosen ? fast_memory(context, plan, estimate) : direct_memory(context, plan, estimate);
}
