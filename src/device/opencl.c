/* Every device that an OpenCL 1.2 driver offers, of all platforms, numbered in the loader's order. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/sha256.h"
#include "device/backend.h"
#include "device/driver_guard.h"
#include "device/opencl_api.h"
#include "device/peak.h"

#define MOST_DEVICES 64
/* work-items of a group for large kernels: on a CPU many do not help, and on GPUs drivers give large groups too few
 * registers */
#define ITEMS_OF_CPU 16
#define ITEMS_WITH_REGISTERS 256
#define SMALLEST_LOCAL_MEMORY 16384 /* required by the kernels of all engines */

/* Devices of the platforms, found once. */
struct offer {
	opencl_platform platform;
	opencl_device device; /* null: a broken or empty platform */
	char platform_name[96];
};
static struct offer offers[MOST_DEVICES];
static int offer_count;
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* PoCL's name of itself. It keeps what it has compiled, and for a binary it would compile each kernel once more, for
 * work-groups of any size. */
#define POCL "Portable Computing Language"

struct opencl {
	const struct opencl_api *api;
	opencl_device device;
	opencl_context context;
	opencl_queue queues[DEVICE_ALL_QUEUES];
	opencl_kernel *kernels;
	size_t kernel_count, kernel_capacity;
	bool has_own_cache; /* of compiled kernels */
};

/* Without them, as in a bare chroot, PoCL does not find its processor and ends the process. */
static bool has_system_files(void)
{
	return access("/sys/devices/system/cpu", F_OK) == 0;
}

static void list_offers(void)
{
	const char *reason;
	const struct opencl_api *api = opencl_api_get(&reason);
	opencl_platform platforms[16];
	opencl_device devices[MOST_DEVICES];
	uint32_t platform_count = 0, device_count;

	if (api == NULL || !has_system_files() || api->platforms(16, platforms, &platform_count) != 0)
		return;
	for (uint32_t p = 0; p < platform_count && p < 16 && offer_count < MOST_DEVICES; ++p) {
		struct offer offer = {.platform = platforms[p]};
		if (api->platform_info(platforms[p], OPENCL_PLATFORM_NAME, sizeof offer.platform_name - 1,
				       offer.platform_name, NULL) != 0)
			strcpy(offer.platform_name, "a platform without a name");
		device_count = 0;
		if (api->devices(platforms[p], OPENCL_DEVICE_TYPE_ALL, MOST_DEVICES, devices, &device_count) != 0)
			device_count = 0;
		if (device_count == 0)
			offers[offer_count++] = offer;
		for (uint32_t d = 0; d < device_count && d < MOST_DEVICES && offer_count < MOST_DEVICES; ++d) {
			offer.device = devices[d];
			offers[offer_count++] = offer;
		}
	}
}

static void find_offers(void)
{
	struct driver_guard guard;

	driver_guard_begin(&guard);
	list_offers();
	driver_guard_end(&guard);
}

static uint64_t number_of(const struct opencl_api *api, opencl_device device, uint32_t what)
{
	uint64_t value = 0; /* of four or eight bytes, little-endian */

	return api->device_info(device, what, sizeof value, &value, NULL) == 0 ? value : 0;
}

/* The reason why a device cannot run Sonde's kernels; null if it can. */
static const char *unfit(const struct opencl_api *api, opencl_device device)
{
	if (number_of(api, device, OPENCL_DEVICE_AVAILABLE) == 0)
		return "its driver reports it as not available";
	if (number_of(api, device, OPENCL_DEVICE_COMPILER) == 0)
		return "its driver has no compiler";
	if (number_of(api, device, OPENCL_DEVICE_F64) == 0)
		return "it has no float64 arithmetic";
	if (number_of(api, device, OPENCL_DEVICE_LOCAL_MEMORY) < SMALLEST_LOCAL_MEMORY)
		return "it has too little local memory";
	return NULL;
}

/* The queue in use. A CPU has only one: it gains nothing from a second, and PoCL 5 aborts when two run a kernel at
 * once (its pocl_release_dlhandle_cache). */
static opencl_queue queue_of(const struct device *device)
{
	const struct opencl *opencl = device->state;

	return opencl->queues[device->description.is_cpu ? 0 : device->queue];
}

static bool has_extension(const struct opencl_api *api, opencl_device device, const char *name)
{
	size_t size = 0;
	char *names;

	if (api->device_info(device, OPENCL_DEVICE_EXTENSIONS, 0, NULL, &size) != 0 ||
	    memory_allocate(&names, size + 1, 1, "the extensions") != SONDE_OK)
		return false;
	bool has =
	    api->device_info(device, OPENCL_DEVICE_EXTENSIONS, size, names, NULL) == 0 && strstr(names, name) != NULL;
	free(names);
	return has;
}

/* As far as drivers report it: clock and compute units, and vendor extensions. */
static void describe_speed(const struct opencl_api *api, opencl_device device, sonde_device_description *description)
{
	double clock = 1e6 * (double)number_of(api, device, OPENCL_DEVICE_CLOCK),
	       units = (double)description->threads;
	bool nvidia = has_extension(api, device, "cl_nv_device_attribute_query");
	bool amd = has_extension(api, device, "cl_amd_device_attribute_query");
	uint64_t major = nvidia ? number_of(api, device, OPENCL_NVIDIA_CAPABILITY_MAJOR) : 0,
		 minor = nvidia ? number_of(api, device, OPENCL_NVIDIA_CAPABILITY_MINOR) : 0;
	uint64_t amd_lanes =
	    amd ? number_of(api, device, OPENCL_AMD_SIMDS) * number_of(api, device, OPENCL_AMD_SIMD_WIDTH) : 0;
	struct peak peak = {0};

	if (major > 0 && major < 100)
		peak = peak_of_nvidia((int)(10 * major + minor), units, clock);
	else if (amd_lanes > 0 && amd_lanes < 4096)
		peak.f32 = 2.0 * (double)amd_lanes * units * clock;
	description->peak_f64 = peak.f64;
	description->peak_f32 = peak.f32;
}

static sonde_status opencl_describe(int index, const struct device_settings *settings,
				    sonde_device_description *description, int *found)
{
	const char *reason, *no;
	const struct opencl_api *api = opencl_api_get(&reason);
	char driver[64] = "", version[256] = "";
	(void)settings;

	pthread_once(&once, find_offers);
	*found = index < offer_count || (index == 0 && offer_count == 0);
	if (!*found)
		return SONDE_OK;
	snprintf(description->name, sizeof description->name, "opencl:%d", index);
	if (offer_count == 0) {
		strcpy(description->model, "no OpenCL device");
		description->absent = 1;
		snprintf(description->reason, sizeof description->reason, "%s",
			 api == NULL ? reason
			 : has_system_files()
			     ? "no OpenCL platform is installed"
			     : "not queried: /sys is not mounted, without which drivers may end the process");
		return SONDE_OK;
	}
	const struct offer *offer = &offers[index];
	if (offer->device == NULL) {
		snprintf(description->model, sizeof description->model, "%s", offer->platform_name);
		description->absent = 1;
		strcpy(description->reason, "this platform is broken or has no device");
		return SONDE_OK;
	}
	if (api->device_info(offer->device, OPENCL_DEVICE_NAME, sizeof description->model - 1, description->model,
			     NULL) != 0)
		strcpy(description->model, "unknown");
	(void)api->device_info(offer->device, OPENCL_DRIVER_VERSION, sizeof driver - 1, driver, NULL);
	(void)api->device_info(offer->device, OPENCL_DEVICE_VERSION, sizeof version - 1, version, NULL);
	strcpy(description->instructions, "OpenCL C 1.2");
	snprintf(description->software, sizeof description->software, "%.40s, driver %.24s, %.40s",
		 offer->platform_name, driver, version);
	description->threads = (int64_t)number_of(api, offer->device, OPENCL_DEVICE_COMPUTE_UNITS);
	description->memory = number_of(api, offer->device, OPENCL_DEVICE_MEMORY);
	description->is_cpu = (number_of(api, offer->device, OPENCL_DEVICE_TYPE) & OPENCL_DEVICE_TYPE_GPU) == 0;
	describe_speed(api, offer->device, description);
	no = unfit(api, offer->device);
	description->usable = no == NULL;
	snprintf(description->reason, sizeof description->reason, "%s", no != NULL ? no : "");
	return SONDE_OK;
}

static sonde_status failed(opencl_result result, const char *doing)
{
	static const struct {
		opencl_result code;
		const char *text;
	} known[] = {{-1, "device not found"},
		     {-2, "device not available"},
		     {-3, "compiler not available"},
		     {-4, "out of device memory"},
		     {-5, "out of resources"},
		     {-6, "out of host memory"},
		     {-11, "the kernel could not be built"},
		     {-54, "invalid work-group size"},
		     {-55, "invalid work-item size"},
		     {-61, "invalid buffer size"}};
	const char *text = "error";

	for (size_t k = 0; k < sizeof known / sizeof *known; ++k)
		if (known[k].code == result)
			text = known[k].text;
	return status_fail(SONDE_RESOURCE, "%s: %s (OpenCL error %d)", doing, text, result);
}

#define OPENCL_CHECK(call, doing)                             \
	do {                                                  \
		opencl_result opencl_result_ = (call);        \
		if (opencl_result_ != 0)                      \
			return failed(opencl_result_, doing); \
	} while (0)

static void opencl_close(struct device *device)
{
	struct opencl *opencl = device->state;

	for (size_t k = 0; k < opencl->kernel_count; ++k)
		(void)opencl->api->kernel_release(opencl->kernels[k]);
	for (int k = 0; k < DEVICE_ALL_QUEUES; ++k)
		if (opencl->queues[k] != NULL)
			(void)opencl->api->queue_release(opencl->queues[k]);
	if (opencl->context != NULL)
		(void)opencl->api->context_release(opencl->context);
	free(opencl->kernels);
	free(opencl);
}

static sonde_status start(struct opencl *opencl, struct device *device)
{
	const struct opencl_api *api = opencl->api;
	opencl_result result = 0;

	opencl->context = api->context_create(NULL, 1, &opencl->device, NULL, NULL, &result);
	OPENCL_CHECK(result, "a context on the device");
	for (int k = 0; k < DEVICE_ALL_QUEUES; ++k) {
		opencl->queues[k] =
		    api->queue_create(opencl->context, opencl->device, OPENCL_QUEUE_PROFILING, &result);
		OPENCL_CHECK(result, "a queue");
	}
	uint64_t local = number_of(api, opencl->device, OPENCL_DEVICE_LOCAL_MEMORY);
	uint64_t items = number_of(api, opencl->device, OPENCL_DEVICE_WORK_GROUP_SIZE);
	device->properties = (struct device_properties){
	    .gpu_kernels = true,
	    .lanes = 1,
	    .workers = (uint32_t)number_of(api, opencl->device, OPENCL_DEVICE_COMPUTE_UNITS),
	    .local_memory = (uint32_t)(local < (1u << 20) ? local : 1u << 20),
	    .most_work_items = (uint32_t)(items < 1024 ? items : 1024),
	    .large_kernel_items = device->description.is_cpu ? ITEMS_OF_CPU : ITEMS_WITH_REGISTERS,
	    .memory = number_of(api, opencl->device, OPENCL_DEVICE_MEMORY)};
	return SONDE_OK;
}

static sonde_status opencl_open(int index, const struct device_settings *settings, struct device *device)
{
	const char *reason;
	struct opencl *opencl;
	(void)settings;

	CHECK(memory_allocate(&opencl, 1, sizeof *opencl, "a device"));
	struct driver_guard guard;

	device->state = opencl;
	opencl->api = opencl_api_get(&reason);
	opencl->device = offers[index].device;
	opencl->has_own_cache = strcmp(offers[index].platform_name, POCL) == 0;
	driver_guard_begin(&guard);
	sonde_status status = start(opencl, device);
	driver_guard_end(&guard);
	if (status != SONDE_OK)
		opencl_close(device);
	return status;
}

static sonde_status opencl_clear(struct device *device, void *memory, size_t offset, size_t bytes)
{
	struct opencl *opencl = device->state;
	static const uint64_t zero = 0;
	size_t pattern = (offset | bytes) % 8 == 0 ? 8 : 1;

	OPENCL_CHECK(opencl->api->fill(queue_of(device), memory, &zero, pattern, offset, bytes, 0, NULL, NULL),
		     "clearing memory");
	return SONDE_OK;
}

static sonde_status opencl_allocate(struct device *device, size_t bytes, const char *what, void **memory)
{
	struct opencl *opencl = device->state;
	opencl_result result = 0;
	size_t size = (bytes + 7) / 8 * 8 + (bytes == 0 ? 8 : 0);

	if (size > number_of(opencl->api, opencl->device, OPENCL_DEVICE_MOST_ALLOCATION))
		return status_fail(SONDE_RESOURCE, "%zu bytes for %s exceed the maximum size of a buffer", bytes,
				   what);
	opencl_memory buffer =
	    opencl->api->buffer_create(opencl->context, OPENCL_MEMORY_READ_WRITE, size, NULL, &result);
	OPENCL_CHECK(result, what);
	sonde_status status = opencl_clear(device, buffer, 0, size);
	if (status != SONDE_OK) {
		(void)opencl->api->memory_release(buffer);
		return status;
	}
	*memory = buffer;
	return SONDE_OK;
}

static void opencl_release(struct device *device, void *memory)
{
	struct opencl *opencl = device->state;

	(void)opencl->api->memory_release(memory);
}

static sonde_status opencl_write(struct device *device, void *memory, size_t offset, const void *from, size_t bytes)
{
	struct opencl *opencl = device->state;

	OPENCL_CHECK(opencl->api->write(queue_of(device), memory, 1, offset, bytes, from, 0, NULL, NULL),
		     "a copy to the device");
	return SONDE_OK;
}

static sonde_status opencl_read(struct device *device, void *memory, size_t offset, void *to, size_t bytes)
{
	struct opencl *opencl = device->state;

	OPENCL_CHECK(opencl->api->read(queue_of(device), memory, 1, offset, bytes, to, 0, NULL, NULL),
		     "a copy from the device");
	return SONDE_OK;
}

/* Processors use main memory itself, GPUs copies of it. */
static size_t opencl_window_chunk(const struct device *device)
{
	return device->description.is_cpu ? device_window_page() : 0;
}

static sonde_status opencl_window_map(struct device *device, struct device_window *window, const char *what,
				      void **memory)
{
	struct opencl *opencl = device->state;
	opencl_result result = 0;

	CHECK(device_window_map(window, what, &window->state));
	*memory = opencl->api->buffer_create(opencl->context, OPENCL_MEMORY_READ_WRITE | OPENCL_MEMORY_USE_HOST,
					     (size_t)window->chunks * window->chunk, window->state, &result);
	if (result != 0)
		device_window_unmap(window, window->state);
	OPENCL_CHECK(result, what);
	return SONDE_OK;
}

static void opencl_window_unmap(struct device *device, struct device_window *window, void *memory)
{
	struct opencl *opencl = device->state;

	for (int k = 0; k < DEVICE_ALL_QUEUES; ++k)
		(void)opencl->api->finish(opencl->queues[k]);
	(void)opencl->api->memory_release(memory);
	device_window_unmap(window, window->state);
}

/* Queues wait on the host: only processors have windows, and nothing to gain from copies beside kernels. */
static sonde_status opencl_begin_after(struct device *device, const struct device_event *event)
{
	struct opencl *opencl = device->state;
	opencl_event handle = event->handle;

	if (handle != NULL)
		OPENCL_CHECK(opencl->api->wait_for_events(1, &handle), "work on the device");
	return SONDE_OK;
}

static sonde_status opencl_wait(struct device *device)
{
	struct opencl *opencl = device->state;

	for (int k = 0; k < DEVICE_ALL_QUEUES; ++k)
		OPENCL_CHECK(opencl->api->finish(opencl->queues[k]), "work on the device");
	return SONDE_OK;
}

static sonde_status opencl_event_record(struct device *device, struct device_event *event)
{
	struct opencl *opencl = device->state;
	opencl_event handle = NULL;

	OPENCL_CHECK(opencl->api->marker(queue_of(device), 0, NULL, &handle), "an event");
	event->handle = handle;
	return SONDE_OK;
}

static void opencl_event_release(struct device *device, struct device_event *event)
{
	struct opencl *opencl = device->state;

	if (event->handle != NULL)
		(void)opencl->api->event_release(event->handle);
	event->handle = NULL;
}

static sonde_status opencl_event_elapsed(struct device *device, struct device_event *from, struct device_event *to,
					 double *seconds)
{
	const struct opencl_api *api = ((struct opencl *)device->state)->api;
	opencl_event events[2] = {from->handle, to->handle};
	uint64_t times[2] = {0, 0};
	opencl_result result = api->wait_for_events(2, events);

	for (int k = 0; k < 2; ++k) {
		if (result == 0)
			result = api->profiling(events[k], OPENCL_PROFILING_END, sizeof times[k], &times[k], NULL);
	}
	opencl_event_release(device, from);
	opencl_event_release(device, to);
	OPENCL_CHECK(result, "work on the device");
	*seconds = 1e-9 * (double)(times[1] - times[0]);
	return SONDE_OK;
}

#define OPTIONS_SIZE 1024

static void write_options(const struct device_define *defines, size_t define_count, char *options)
{
	int size = snprintf(options, OPTIONS_SIZE, "-cl-std=CL1.2");

	for (size_t k = 0; k < define_count && size < OPTIONS_SIZE; ++k)
		size += snprintf(options + size, OPTIONS_SIZE - (size_t)size, " -D%.48s=%u", defines[k].name,
				 defines[k].value);
}

static void cache_key(const struct opencl *opencl, const char *text, const char *options, char key[65])
{
	static const uint32_t facts[] = {OPENCL_DEVICE_NAME, OPENCL_DRIVER_VERSION, OPENCL_DEVICE_VERSION};
	struct sha256 hash;
	char value[256];

	sha256_begin(&hash);
	sha256_add(&hash, "opencl", 7);
	sha256_add(&hash, text, strlen(text) + 1);
	sha256_add(&hash, options, strlen(options) + 1);
	for (size_t k = 0; k < sizeof facts / sizeof *facts; ++k) {
		memset(value, 0, sizeof value);
		(void)opencl->api->device_info(opencl->device, facts[k], sizeof value - 1, value, NULL);
		sha256_add(&hash, value, sizeof value);
	}
	sha256_end(&hash, key);
}

static sonde_status build(struct opencl *opencl, opencl_program program, const char *options, const char *name)
{
	struct driver_guard guard;
	size_t needed = 0;
	char *log = NULL, line[300] = "no message";

	driver_guard_begin(&guard);
	opencl_result result = opencl->api->program_build(program, 1, &opencl->device, options, NULL, NULL);
	driver_guard_end(&guard);
	if (result == 0)
		return SONDE_OK;
	if (opencl->api->build_info(program, opencl->device, OPENCL_BUILD_LOG, 0, NULL, &needed) == 0 && needed > 1 &&
	    (log = calloc(needed + 1, 1)) != NULL &&
	    opencl->api->build_info(program, opencl->device, OPENCL_BUILD_LOG, needed, log, NULL) == 0) {
		const char *start = strstr(log, "error");
		while (start != NULL && start > log && start[-1] != '\n')
			--start;
		start = start != NULL ? start : log;
		snprintf(line, sizeof line, "%.*s", (int)strcspn(start, "\n"), start);
	}
	free(log);
	return status_fail(SONDE_RESOURCE, "kernel %s cannot be compiled: %s (OpenCL error %d)", name, line, result);
}

static void keep_binary(struct device *device, opencl_program program, const char *key)
{
	const struct opencl_api *api = ((struct opencl *)device->state)->api;
	unsigned char *binary;
	size_t size = 0;

	if (!kernel_cache_is_open(&device->cache))
		return;
	if (api->program_info(program, OPENCL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL) != 0 || size == 0 ||
	    (binary = malloc(size)) == NULL)
		return;
	if (api->program_info(program, OPENCL_PROGRAM_BINARIES, sizeof binary, &binary, NULL) == 0)
		kernel_cache_put(&device->cache, key, binary, size);
	free(binary);
}

static sonde_status load_program(struct device *device, const struct device_kernel_source *source,
				 const char *options, opencl_program *program)
{
	struct opencl *opencl = device->state;
	const struct opencl_api *api = opencl->api;
	opencl_result result = 0, status = 0;
	const char *text = source->text;
	size_t size;
	char key[65];

	cache_key(opencl, text, options, key);
	unsigned char *binary = kernel_cache_get(&device->cache, key, &size);
	if (binary != NULL) {
		const unsigned char *binaries = binary;
		*program =
		    api->program_from_binary(opencl->context, 1, &opencl->device, &size, &binaries, &status, &result);
		free(binary);
		if (result == 0 && status == 0 && build(opencl, *program, options, source->name) == SONDE_OK)
			return SONDE_OK;
		if (result == 0)
			(void)api->program_release(*program);
	}
	size = strlen(text);
	*program = api->program_from_source(opencl->context, 1, &text, &size, &result);
	OPENCL_CHECK(result, source->name);
	sonde_status built = build(opencl, *program, options, source->name);
	if (built != SONDE_OK) {
		(void)api->program_release(*program);
		return built;
	}
	if (!opencl->has_own_cache)
		keep_binary(device, *program, key);
	return SONDE_OK;
}

static sonde_status opencl_kernel_load(struct device *device, const struct device_kernel_source *source,
				       const struct device_define *defines, size_t define_count,
				       struct device_kernel *kernel)
{
	struct opencl *opencl = device->state;
	char options[OPTIONS_SIZE];
	opencl_program program;
	opencl_result result = 0;
	size_t most = 0;

	write_options(defines, define_count, options);
	CHECK(memory_grow(&opencl->kernels, &opencl->kernel_capacity, opencl->kernel_count + 1,
			  sizeof *opencl->kernels, "the kernels"));
	CHECK(load_program(device, source, options, &program));
	opencl_kernel handle = opencl->api->kernel_create(program, source->name, &result);
	(void)opencl->api->program_release(program);
	OPENCL_CHECK(result, source->name);
	opencl->kernels[opencl->kernel_count++] = handle;
	if (opencl->api->kernel_info(handle, opencl->device, OPENCL_KERNEL_WORK_GROUP_SIZE, sizeof most, &most,
				     NULL) == 0 &&
	    most < kernel->work_items)
		return status_fail(SONDE_RESOURCE, "kernel %s can have %zu work-items per group here, not %u",
				   source->name, most, kernel->work_items);
	kernel->handle = handle;
	return SONDE_OK;
}

static sonde_status opencl_launch(struct device *device, const struct device_kernel *kernel, uint32_t groups,
				  const struct device_argument *arguments, size_t argument_count)
{
	struct opencl *opencl = device->state;
	size_t local = kernel->work_items, global = local * groups;
	uint32_t index = 0;

	for (; index < argument_count; ++index)
		OPENCL_CHECK(opencl->api->kernel_argument(kernel->handle, index, arguments[index].size,
							  arguments[index].value),
			     kernel->name);
	/* the last argument is the group's local memory */
	OPENCL_CHECK(opencl->api->kernel_argument(kernel->handle, index,
						  kernel->local_memory > 0 ? kernel->local_memory : 8, NULL),
		     kernel->name);
	OPENCL_CHECK(opencl->api->launch(queue_of(device), kernel->handle, 1, NULL, &global, &local, 0, NULL, NULL),
		     kernel->name);
	return SONDE_OK;
}

static const struct device_variable variables[] = {
    /* PoCL sets it when devices are looked for, which is done on a thread of its own. With a new variable the list of all
     * moves in memory, and another thread that calls getenv() at this moment reads where it was. */
    {.name = "HWLOC_PLUGINS_PATH", .value = "/dev/null"},
    {.name = NULL}};

const struct backend opencl_backend = {
    .kind = {.name = "opencl",
	     .help = "OpenCL 1.2 devices with float64",
	     .is_numbered = true,
	     .offers_gpus = true,
	     .variables = variables},
    .describe = opencl_describe,
    .open = opencl_open,
    .close = opencl_close,
    .allocate = opencl_allocate,
    .release = opencl_release,
    .write = opencl_write,
    .read = opencl_read,
    .clear = opencl_clear,
    .wait = opencl_wait,
    .window_chunk = opencl_window_chunk,
    .window_map = opencl_window_map,
    .window_unmap = opencl_window_unmap,
    .send = opencl_write,
    .fetch = opencl_read,
    .begin_after = opencl_begin_after,
    .event_wait = opencl_begin_after,
    .event_record = opencl_event_record,
    .event_elapsed = opencl_event_elapsed,
    .event_release = opencl_event_release,
    .kernel = opencl_kernel_load,
    .launch = opencl_launch,
};
