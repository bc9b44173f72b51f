#include "coulomb_baselines.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/device.h"
#include "sonde/sonde.h"

#define EDGE 512u
#define STEP 0.125F
#define RUNS 20
#define CHUNK 250u /* charges that the constant bank of a launch takes */
#define ITEMS 128u

static const char rsqrt_text[] =
    "extern \"C\" __global__ void rsqrt_ceiling(unsigned steps, float *sums)\n"
    "{\n"
    "	float x[8];\n"
    "	for (int k = 0; k < 8; ++k) x[k] = 1.0f + k + threadIdx.x;\n"
    "	for (unsigned n = 0; n < steps; ++n)\n"
    "#pragma unroll\n"
    "		for (int k = 0; k < 8; ++k) asm volatile(\"rsqrt.approx.ftz.f32 %0, %0;\" : \"+f\"(x[k]));\n"
    "	float sum = 0.0f;\n"
    "	for (int k = 0; k < 8; ++k) sum += x[k];\n"
    "	sums[blockIdx.x * blockDim.x + threadIdx.x] = sum;\n"
    "}\n";
static const char point_text[] =
    "extern \"C\" __global__ void one_point(const float4 *charges, unsigned count, float step, float z, float *phi)\n"
    "{\n"
    "	unsigned n = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "	float x = step * (n % 512u), y = step * (n / 512u), sum = 0.0f;\n"
    "	for (unsigned j = 0; j < count; ++j) {\n"
    "		float dx = x - charges[j].x, dy = y - charges[j].y, dz = z - charges[j].z;\n"
    "		sum = fmaf(charges[j].w, rsqrtf(fmaf(dx, dx, fmaf(dy, dy, dz * dz))), sum);\n"
    "	}\n"
    "	phi[n] = sum;\n"
    "}\n";
/* x, y, dz^2 and charge of each in the kernel's parameters, which lie in constant memory; a thread's points are a half
 * warp's width apart, so that writes are coalesced. */
static const char constant_text[] = "struct chunk { float4 charges[250]; };\n"
				    "extern \"C\" __global__ void eight_points(const __grid_constant__ chunk chunk, "
				    "unsigned count, float step, float *phi)\n"
				    "{\n"
				    "	unsigned row = blockIdx.x / 4u * 8u + threadIdx.x / 16u, column = blockIdx.x "
				    "% 4u * 128u + threadIdx.x % 16u;\n"
				    "	float y = step * row, x = step * column, wide = step * 16.0f, sums[8];\n"
				    "	for (int k = 0; k < 8; ++k) sums[k] = 0.0f;\n"
				    "	for (unsigned j = 0; j < count; ++j) {\n"
				    "		float dy = y - chunk.charges[j].y, rest = fmaf(dy, dy, "
				    "chunk.charges[j].z), dx = x - chunk.charges[j].x;\n"
				    "		float charge = chunk.charges[j].w;\n"
				    "#pragma unroll\n"
				    "		for (int k = 0; k < 8; ++k) {\n"
				    "			float d = dx + wide * k;\n"
				    "			sums[k] = fmaf(charge, rsqrtf(fmaf(d, d, rest)), sums[k]);\n"
				    "		}\n"
				    "	}\n"
				    "	for (int k = 0; k < 8; ++k) phi[row * 512u + column + 16u * k] += sums[k];\n"
				    "}\n";
static const struct device_kernel_source kernels[] = {{.name = "rsqrt_ceiling", .text = rsqrt_text},
						      {.name = "one_point", .text = point_text},
						      {.name = "eight_points", .text = constant_text},
						      {.name = NULL}};
static const struct device_program program = {"baselines of coulomb", kernels, NULL};

static void must(sonde_status status)
{
	if (status == SONDE_OK)
		return;
	fprintf(stderr, "bench_coulomb: %s\n", sonde_status_message());
	exit(1);
}

/* Null if the device is not an NVIDIA GPU with a compiler. */
static struct device *open_cuda(const char *name)
{
	const struct device_settings settings = {0};
	struct device *device;

	if (strncmp(name, "cuda:", 5) != 0)
		return NULL;
	if (device_open(name, &settings, &device) != SONDE_OK) {
		printf("%s\n", sonde_status_message());
		return NULL;
	}
	if (!device_properties(device)->fixed_kernels)
		return device;
	printf("%s: no compiler, so no baselines\n", name);
	device_close(&device);
	return NULL;
}

static double run(struct device *device, const struct device_kernel *kernel, uint32_t groups,
		  const struct device_argument *arguments, size_t count)
{
	struct device_event began = {0}, ended = {0};
	double seconds;

	must(device_event_record(device, &began));
	must(device_launch(device, kernel, groups, arguments, count));
	must(device_event_record(device, &ended));
	must(device_event_elapsed(device, &began, &ended, &seconds));
	return seconds;
}

double coulomb_rsqrt_ceiling(const char *name)
{
	struct device *device = open_cuda(name);
	struct device_kernel kernel;
	struct device_buffer sums = {0};
	uint32_t steps = 20000, groups;
	double best = 0.0;

	if (device == NULL)
		return 0.0;
	groups = 16 * device_workers(device);
	must(device_kernel(device, &program, "rsqrt_ceiling", ITEMS, 0, NULL, 0, &kernel));
	must(device_allocate(device, sizeof(float) * groups * ITEMS, "sums", &sums));
	const struct device_argument arguments[] = {DEVICE_ARGUMENT(steps), DEVICE_ARGUMENT(sums.memory)};
	for (int k = 0; k < 5; ++k) {
		double rate = 8.0 * steps * groups * ITEMS / run(device, &kernel, groups, arguments, 2);
		best = rate > best ? rate : best;
	}
	device_release(device, &sums);
	device_close(&device);
	return best;
}

static void print(const char *device, const char *name, int charges, double seconds)
{
	double evaluations = (double)EDGE * EDGE * charges;

	printf("%-9s classic: %-46s %10.4f ms  %.3g /s\n", device, name, 1e3 * seconds, evaluations / seconds);
}

static double one_point(struct device *device, const float *numbers, uint32_t charges, struct device_buffer *phi)
{
	struct device_kernel kernel;
	struct device_buffer buffer = {0};
	float step = STEP, z = 3.3F;
	double best = 1e9;

	must(device_kernel(device, &program, "one_point", ITEMS, 0, NULL, 0, &kernel));
	must(device_allocate(device, 4 * sizeof(float) * charges, "charges", &buffer));
	must(device_write(device, &buffer, 0, numbers, 4 * sizeof(float) * charges));
	const struct device_argument arguments[] = {DEVICE_ARGUMENT(buffer.memory), DEVICE_ARGUMENT(charges),
						    DEVICE_ARGUMENT(step), DEVICE_ARGUMENT(z),
						    DEVICE_ARGUMENT(phi->memory)};
	for (int k = 0; k < RUNS; ++k) {
		double seconds = run(device, &kernel, EDGE * EDGE / ITEMS, arguments, 5);
		best = seconds < best ? seconds : best;
	}
	device_release(device, &buffer);
	return best;
}

static double eight_points(struct device *device, const float *numbers, uint32_t charges, struct device_buffer *phi)
{
	struct {
		float charges[4 * CHUNK];
	} chunk = {{0}};
	struct device_kernel kernel;
	float step = STEP, z = 3.3F;
	double best = 1e9;

	must(device_kernel(device, &program, "eight_points", ITEMS, 0, NULL, 0, &kernel));
	for (int k = 0; k < RUNS; ++k) {
		double seconds = 0.0;
		must(device_clear(device, phi, 0, sizeof(float) * EDGE * EDGE));
		for (uint32_t first = 0; first < charges; first += CHUNK) {
			uint32_t count = charges - first < CHUNK ? charges - first : CHUNK;
			memcpy(chunk.charges, numbers + 4 * (size_t)first, 4 * sizeof(float) * count);
			for (uint32_t j = 0; j < count; ++j) {
				float dz = z - chunk.charges[4 * j + 2];
				chunk.charges[4 * j + 2] = dz * dz;
			}
			const struct device_argument arguments[] = {{sizeof chunk, &chunk},
								    DEVICE_ARGUMENT(count),
								    DEVICE_ARGUMENT(step),
								    DEVICE_ARGUMENT(phi->memory)};
			seconds += run(device, &kernel, EDGE / 8u * 4u, arguments, 4);
		}
		best = seconds < best ? seconds : best;
	}
	return best;
}

void coulomb_classic(const char *name, const float *numbers, int charges, double plain)
{
	struct device *device = open_cuda(name);
	struct device_buffer phi = {0};
	float *first = calloc(EDGE * EDGE, sizeof *first), *second = calloc(EDGE * EDGE, sizeof *second);
	double largest = 0.0;

	print("cpu", "serial C loop, one core", charges, (double)EDGE * EDGE * charges / plain);
	if (device != NULL && first != NULL && second != NULL) {
		must(device_allocate(device, sizeof(float) * EDGE * EDGE, "phi", &phi));
		print(name, "one point a thread", charges, one_point(device, numbers, (uint32_t)charges, &phi));
		must(device_read(device, &phi, 0, first, sizeof(float) * EDGE * EDGE));
		print(name, "constant memory, eight points, coalesced", charges,
		      eight_points(device, numbers, (uint32_t)charges, &phi));
		must(device_read(device, &phi, 0, second, sizeof(float) * EDGE * EDGE));
		for (uint32_t n = 0; n < EDGE * EDGE; ++n) {
			double off = (double)first[n] - (double)second[n];
			largest = off > largest ? off : -off > largest ? -off : largest;
		}
		printf("%-9s classic: the two kernels differ by %.1g at most\n", name, largest);
		device_release(device, &phi);
	}
	if (device != NULL)
		device_close(&device);
	free(first);
	free(second);
}
