#include "run/speed.h"

#include <math.h>
#include <string.h>

#include "device/peak.h"

#define USUAL_CLOCK 3e9     /* Hz, if it cannot be measured */
#define KERNELS_OF_GPU 0.15 /* seconds to load and test kernels, and to end the driver */
#define F64_OF_F32 0.015625 /* of GPUs that do not report their float64 units */
#define USUAL_BANDWIDTH 4e11

static int number_of(const char *instructions)
{
	return strcmp(instructions, "avx512") == 0 ? 2 : strcmp(instructions, "avx2") == 0 ? 1 : 0;
}

struct speed speed_of_host(const sonde_context *context)
{
	const char *names[DEVICE_MOST_INSTRUCTION_SETS], *used;
	/* two units of one core multiply and add numbers of two lanes: see peak.c */
	const double clock = peak_of_processor(1, "sse2").f64 / 4.0;

	(void)device_instruction_sets(names, &used);
	return (struct speed){.clock = clock > 0.0 ? clock : USUAL_CLOCK,
			      .instructions = number_of(used != NULL ? used : ""),
			      .threads = context_threads(context)};
}

static void add_gpu(const struct device *device, struct speed *speed)
{
	const struct device_properties *has = device_properties(device);
	sonde_device_description is = {0};

	device_identify(device, &is);
	const double f32 = is.peak_f32 > 0.0 ? is.peak_f32 : 256.0 * 1e9 * has->workers;
	speed->peaks[SPEED_F32] += f32;
	speed->peaks[SPEED_F64] += is.peak_f64 > 0.0 ? is.peak_f64 : F64_OF_F32 * f32;
	speed->peaks[SPEED_MATRIX] += is.peak_matrix_f64;
	speed->peaks[SPEED_BANDWIDTH] += is.peak_bandwidth > 0.0 ? is.peak_bandwidth : USUAL_BANDWIDTH;
	speed->gpu_workers += has->workers;
	speed->matrix &= has->matrix_f64;
	speed->start = KERNELS_OF_GPU;
}

void speed_find_some(const sonde_context *context, struct device *const *devices, int count, struct speed *speed)
{
	*speed = speed_of_host(context);
	speed->matrix = true;
	for (int k = 0; k < count; ++k) {
		if (devices[k] == NULL)
			continue;
		if (device_properties(devices[k])->gpu_kernels)
			add_gpu(devices[k], speed);
		else
			speed->cpu_threads += device_workers(devices[k]);
	}
	speed->gpu = speed->gpu_workers > 0.0 && speed->cpu_threads == 0.0;
	speed->matrix &= speed->gpu_workers > 0.0;
}

sonde_status speed_find(sonde_context *context, struct speed *speed)
{
	struct device **devices;
	int count;

	CHECK(context_devices(context, &devices, &count));
	speed_find_some(context, devices, count, speed);
	return SONDE_OK;
}

double speed_seconds(const struct speed *speed, const struct speed_cost *cost, double work)
{
	double rate = 0.0;

	if (speed->cpu_threads > 0.0 && cost->cycles[speed->instructions] > 0.0)
		rate += speed->cpu_threads * speed->clock / cost->cycles[speed->instructions];
	if (speed->gpu_workers > 0.0 && cost->of_gpu > 0.0)
		rate += speed->peaks[cost->unit] / cost->of_gpu;
	return rate > 0.0 ? work / rate : NAN;
}

double speed_host_seconds(const struct speed *speed, double cycles, int threads)
{
	return cycles / (speed->clock * threads);
}
