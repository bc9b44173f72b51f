/* NVIDIA GPUs: the driver interface, opened at run time; kernels compiled by NVRTC for the device's own architecture,
 * or by the driver from PTX generated when Sonde was built. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/sha256.h"
#include "device/backend.h"
#include "device/cuda.h"
#include "device/nvrtc.h"
#include "device/peak.h"

#define OLDEST_CAPABILITY 70
#define MOST_WORK_ITEMS 1024
#define OVERLAPPING_CAPABILITY 90 /* for kernels that wait themselves for earlier launches */

sonde_status cuda_failed(const struct cuda_api *api, cuda_result result, const char *doing)
{
	const char *text = NULL;

	(void)api->error_text(result, &text);
	return status_fail(SONDE_RESOURCE, "%s: %s (CUDA error %d)", doing, text != NULL ? text : "unknown error",
			   result);
}

static int attribute(const struct cuda_api *api, int which, cuda_device device)
{
	int value = 0;

	return api->device_attribute(&value, which, device) == 0 ? value : 0;
}

static void describe_speed(const struct cuda_api *api, cuda_device device, sonde_device_description *description)
{
	double clock = 1e3 * attribute(api, CUDA_CLOCK_RATE, device);
	int capability =
	    10 * attribute(api, CUDA_CAPABILITY_MAJOR, device) + attribute(api, CUDA_CAPABILITY_MINOR, device);

	description->threads = attribute(api, CUDA_MULTIPROCESSORS, device);
	struct peak peak = peak_of_nvidia(capability, (double)description->threads, clock);
	description->peak_f32 = peak.f32;
	description->peak_f64 = peak.f64;
	description->peak_matrix_f64 = peak.matrix_f64;
	description->peak_bandwidth = 2.0 * 1e3 * attribute(api, CUDA_MEMORY_CLOCK_RATE, device) *
				      attribute(api, CUDA_MEMORY_BUS_WIDTH, device) / 8.0;
	snprintf(description->instructions, sizeof description->instructions, "sm_%d", capability);
}

static sonde_status cuda_describe(int index, const struct device_settings *settings,
				  sonde_device_description *description, int *found)
{
	const char *reason, *compiler, *no_compiler;
	const struct cuda_api *api = cuda_api_get(&reason);
	int count = 0, version = 0;
	cuda_device device;
	size_t bytes = 0;
	(void)settings;

	*found = 0;
	if (api != NULL && api->device_count(&count) != 0)
		count = 0;
	if (count == 0 && index == 0) {
		/* one line with the reason why there is no device */
		*found = 1;
		strcpy(description->name, "cuda:0");
		strcpy(description->model, "no NVIDIA GPU");
		description->absent = 1;
		snprintf(description->reason, sizeof description->reason, "%s",
			 api != NULL ? "the driver finds no device" : reason);
		return SONDE_OK;
	}
	if (api == NULL || index >= count || api->device_get(&device, index) != 0)
		return SONDE_OK;
	*found = 1;
	snprintf(description->name, sizeof description->name, "cuda:%d", index);
	if (api->device_name(description->model, (int)sizeof description->model - 1, device) != 0)
		strcpy(description->model, "unknown");
	(void)api->device_memory(&bytes, device);
	(void)api->driver_version(&version);
	description->memory = bytes;
	describe_speed(api, device, description);
	compiler = nvrtc_version(&no_compiler);
	snprintf(description->software, sizeof description->software, "driver for CUDA %d.%d, %s", version / 1000,
		 version % 1000 / 10, compiler != NULL ? compiler : "no NVRTC: kernels from PTX");
	description->usable = 1;
	if (attribute(api, CUDA_CAPABILITY_MAJOR, device) * 10 + attribute(api, CUDA_CAPABILITY_MINOR, device) <
	    OLDEST_CAPABILITY) {
		description->usable = 0;
		snprintf(description->reason, sizeof description->reason, "its compute capability is below %d.%d",
			 OLDEST_CAPABILITY / 10, OLDEST_CAPABILITY % 10);
	} else if (attribute(api, CUDA_COMPUTE_MODE, device) == 2) {
		description->usable = 0;
		snprintf(description->reason, sizeof description->reason, "its compute mode is 'prohibited'");
	}
	return SONDE_OK;
}

/* Whether the driver accepts the output of a newer compiler: tested with an empty kernel. */
static bool takes_machine_code(struct cuda *cuda, int architecture)
{
	static const struct device_kernel_source probe = {.name = "probe",
							  .text = "extern \"C\" __global__ void probe(void) {}\n"};
	const struct nvrtc_target target = {architecture, false};
	cuda_module module;
	void *code;
	size_t size;

	if (nvrtc_compile(&probe, NULL, 0, &target, &code, &size, NULL) != SONDE_OK)
		return false;
	bool taken = cuda->api->module_load(&module, code, 0, NULL, NULL) == 0;
	if (taken)
		(void)cuda->api->module_unload(module);
	free(code);
	return taken;
}

/* Determines whether NVRTC can be used for this device. */
static void find_compiler(struct cuda *cuda)
{
	const char *reason, *compiler = nvrtc_version(&reason);
	int architecture = compiler != NULL ? nvrtc_architecture(10 * cuda->major + cuda->minor) : 0;

	if (compiler == NULL)
		snprintf(cuda->no_compiler, sizeof cuda->no_compiler, "%s", reason);
	else if (architecture == 0)
		snprintf(cuda->no_compiler, sizeof cuda->no_compiler,
			 "%s cannot compile for compute capability %d.%d", compiler, cuda->major, cuda->minor);
	else if (nvrtc_version_number() > cuda->driver_version && !takes_machine_code(cuda, architecture))
		snprintf(cuda->no_compiler, sizeof cuda->no_compiler,
			 "%s is newer than the driver, which does not accept its output", compiler);
	cuda->overlaps = cuda->no_compiler[0] == '\0' && architecture >= OVERLAPPING_CAPABILITY;
}

static sonde_status start(struct cuda *cuda, int index, struct device *device)
{
	const struct cuda_api *api = cuda->api;
	size_t free_bytes, total;

	CUDA_CHECK(api, api->device_get(&cuda->device, index), "the device");
	CUDA_CHECK(api, api->context_retain(&cuda->context, cuda->device), "a context on the device");
	CHECK(cuda_make_current(cuda));
	for (int k = 0; k < DEVICE_ALL_QUEUES; ++k)
		CUDA_CHECK(api,
			   api->stream_create(&cuda->streams[k], CUDA_STREAM_ALONE,
					      k == DEVICE_QUEUE_AHEAD ? CUDA_PRIORITY_HIGHEST : 0),
			   "a stream");
	CUDA_CHECK(api, api->memory_info(&free_bytes, &total), "free memory");
	CUDA_CHECK(api, api->driver_version(&cuda->driver_version), "the driver's version");
	cuda->major = attribute(api, CUDA_CAPABILITY_MAJOR, cuda->device);
	cuda->minor = attribute(api, CUDA_CAPABILITY_MINOR, cuda->device);
	find_compiler(cuda);
	if (cuda->no_compiler[0] != '\0')
		snprintf(device->description.software, sizeof device->description.software,
			 "driver for CUDA %d.%d, kernels from PTX: %.64s", cuda->driver_version / 1000,
			 cuda->driver_version % 1000 / 10, cuda->no_compiler);
	device->properties = (struct device_properties){
	    .fixed_kernels = cuda->no_compiler[0] != '\0',
	    .matrix_f64 = cuda->no_compiler[0] == '\0' && device->description.peak_matrix_f64 > 0.0,
	    .gpu_kernels = true,
	    .warp = 32,
	    .copies_to_local = cuda->no_compiler[0] == '\0' && cuda->major >= 8,
	    .lanes = 1,
	    .workers = (uint32_t)attribute(api, CUDA_MULTIPROCESSORS, cuda->device),
	    .local_memory = (uint32_t)attribute(api, CUDA_SHARED_MEMORY_OPTIN, cuda->device),
	    .most_work_items = MOST_WORK_ITEMS,
	    .large_kernel_items = MOST_WORK_ITEMS,
	    .memory = free_bytes - free_bytes / 20};
	return SONDE_OK;
}

static void cuda_close(struct device *device)
{
	struct cuda *cuda = device->state;

	cuda_ahead_end(&cuda->ahead);
	if (cuda->context != NULL) {
		(void)cuda->api->context_set(cuda->context);
		for (size_t k = 0; k < cuda->module_count; ++k)
			(void)cuda->api->module_unload(cuda->modules[k]);
		for (int k = 0; k < DEVICE_ALL_QUEUES; ++k)
			if (cuda->streams[k] != NULL)
				(void)cuda->api->stream_destroy(cuda->streams[k]);
		(void)cuda->api->context_release(cuda->device);
	}
	free(cuda->modules);
	free(cuda);
}

static sonde_status cuda_open(int index, const struct device_settings *settings, struct device *device)
{
	const char *reason;
	struct cuda *cuda;
	(void)settings;

	CHECK(memory_allocate(&cuda, 1, sizeof *cuda, "a device"));
	device->state = cuda;
	cuda->api = cuda_api_get(&reason);
	sonde_status status = start(cuda, index, device);
	if (status != SONDE_OK)
		cuda_close(device);
	return status;
}

static sonde_status cuda_allocate(struct device *device, size_t bytes, const char *what, void **memory)
{
	struct cuda *cuda = device->state;
	cuda_pointer pointer = 0;

	CHECK(cuda_make_current(cuda));
	cuda_result result = cuda->api->memory_allocate(&pointer, bytes > 0 ? bytes : 1);
	if (result == CUDA_OUT_OF_MEMORY)
		return status_fail(SONDE_RESOURCE, "out of memory: %zu bytes for %s", bytes, what);
	CUDA_CHECK(cuda->api, result, what);
	result = cuda->api->memory_set(pointer, 0, bytes > 0 ? bytes : 1, cuda->streams[device->queue]);
	if (result != 0)
		(void)cuda->api->memory_free(pointer);
	CUDA_CHECK(cuda->api, result, what);
	*memory = (void *)(uintptr_t)pointer;
	return SONDE_OK;
}

static void cuda_release(struct device *device, void *memory)
{
	struct cuda *cuda = device->state;

	(void)cuda->api->context_set(cuda->context);
	(void)cuda->api->memory_free((cuda_pointer)(uintptr_t)memory);
}

static sonde_status cuda_write(struct device *device, void *memory, size_t offset, const void *from, size_t bytes)
{
	struct cuda *cuda = device->state;

	CHECK(cuda_make_current(cuda));
	CUDA_CHECK(cuda->api,
		   cuda->api->copy_to_device((cuda_pointer)(uintptr_t)memory + offset, from, bytes,
					     cuda->streams[device->queue]),
		   "a copy to the device");
	return SONDE_OK;
}

static sonde_status cuda_wait(struct device *device)
{
	struct cuda *cuda = device->state;

	CHECK(cuda_make_current(cuda));
	for (int k = 0; k < DEVICE_ALL_QUEUES; ++k)
		CUDA_CHECK(cuda->api, cuda->api->stream_wait(cuda->streams[k]), "work on the device");
	return SONDE_OK;
}

static sonde_status cuda_read(struct device *device, void *memory, size_t offset, void *to, size_t bytes)
{
	struct cuda *cuda = device->state;

	CHECK(cuda_make_current(cuda));
	CUDA_CHECK(cuda->api,
		   cuda->api->copy_to_host(to, (cuda_pointer)(uintptr_t)memory + offset, bytes,
					   cuda->streams[device->queue]),
		   "a copy from the device");
	CUDA_CHECK(cuda->api, cuda->api->stream_wait(cuda->streams[device->queue]), "work on the device");
	return SONDE_OK;
}

static sonde_status cuda_clear(struct device *device, void *memory, size_t offset, size_t bytes)
{
	struct cuda *cuda = device->state;

	CHECK(cuda_make_current(cuda));
	CUDA_CHECK(
	    cuda->api,
	    cuda->api->memory_set((cuda_pointer)(uintptr_t)memory + offset, 0, bytes, cuda->streams[device->queue]),
	    "clearing memory");
	return SONDE_OK;
}

static sonde_status cuda_event_done(struct device *device, const struct device_event *event, bool *done)
{
	struct cuda *cuda = device->state;

	CHECK(cuda_make_current(cuda));
	const cuda_result result = event->handle != NULL ? cuda->api->event_query(event->handle) : 0;
	*done = result != CUDA_NOT_READY;
	if (*done)
		CUDA_CHECK(cuda->api, result, "work on the device");
	return SONDE_OK;
}

static sonde_status cuda_event_record(struct device *device, struct device_event *event)
{
	struct cuda *cuda = device->state;
	cuda_event handle = NULL;

	CHECK(cuda_make_current(cuda));
	CUDA_CHECK(cuda->api, cuda->api->event_create(&handle, 0), "an event");
	cuda_result result = cuda->api->event_record(handle, cuda->streams[device->queue]);
	if (result != 0)
		(void)cuda->api->event_destroy(handle);
	CUDA_CHECK(cuda->api, result, "an event");
	event->handle = handle;
	return SONDE_OK;
}

static void cuda_event_release(struct device *device, struct device_event *event)
{
	struct cuda *cuda = device->state;

	if (event->handle != NULL && cuda_make_current(cuda) == SONDE_OK)
		(void)cuda->api->event_destroy(event->handle);
	event->handle = NULL;
}

static sonde_status cuda_event_elapsed(struct device *device, struct device_event *from, struct device_event *to,
				       double *seconds)
{
	struct cuda *cuda = device->state;
	float milliseconds = 0.0F;

	CHECK(cuda_make_current(cuda));
	cuda_result result = cuda->api->event_wait(to->handle);
	if (result == 0)
		result = cuda->api->event_elapsed(&milliseconds, from->handle, to->handle);
	cuda_event_release(device, from);
	cuda_event_release(device, to);
	CUDA_CHECK(cuda->api, result, "work on the device");
	*seconds = 1e-3 * (double)milliseconds;
	return SONDE_OK;
}

/* The key of a kernel in the cache: its text, constants, architecture, compiler and driver. */
static void cache_key(const struct cuda *cuda, const struct device_kernel_source *source,
		      const struct device_define *defines, size_t define_count, const char *compiler, char key[65])
{
	struct sha256 hash;
	char line[128];

	sha256_begin(&hash);
	sha256_add(&hash, source->text, strlen(source->text) + 1);
	snprintf(line, sizeof line, "cuda sm_%d%d driver %d %s", cuda->major, cuda->minor, cuda->driver_version,
		 compiler);
	sha256_add(&hash, line, strlen(line));
	for (size_t k = 0; k < define_count; ++k) {
		snprintf(line, sizeof line, " %.64s=%u", defines[k].name, defines[k].value);
		sha256_add(&hash, line, strlen(line));
	}
	sha256_end(&hash, key);
}

static sonde_status load(struct cuda *cuda, const void *code, struct device_kernel *kernel)
{
	const struct cuda_api *api = cuda->api;
	cuda_module module;
	cuda_function function;

	CHECK(memory_grow(&cuda->modules, &cuda->module_capacity, cuda->module_count + 1, sizeof *cuda->modules,
			  "the kernels"));
	CUDA_CHECK(api, api->module_load(&module, code, 0, NULL, NULL), kernel->name);
	cuda->modules[cuda->module_count++] = module;
	CUDA_CHECK(api, api->module_function(&function, module, kernel->name), kernel->name);
	if (kernel->local_memory > 0)
		CUDA_CHECK(api,
			   api->function_set(function, CUDA_FUNCTION_MAX_DYNAMIC_SHARED, (int)kernel->local_memory),
			   kernel->name);
	(void)api->function_attribute(&kernel->registers, CUDA_FUNCTION_REGISTERS, function);
	(void)api->function_attribute(&kernel->spilled_bytes, CUDA_FUNCTION_LOCAL_BYTES, function);
	kernel->handle = function;
	return SONDE_OK;
}

/* From the cache, or compiled by NVRTC. */
static sonde_status compile_and_load(struct device *device, const struct device_kernel_source *source,
				     const struct device_define *defines, size_t define_count, const char *compiler,
				     struct device_kernel *kernel)
{
	struct cuda *cuda = device->state;
	char key[65];
	size_t size;

	cache_key(cuda, source, defines, define_count, compiler, key);
	void *code = kernel_cache_get(&device->cache, key, &size);
	if (code != NULL) {
		sonde_status status = load(cuda, code, kernel);
		free(code);
		if (status == SONDE_OK)
			return status;
	}
	const struct nvrtc_target target = {nvrtc_architecture(10 * cuda->major + cuda->minor), false};
	code = cuda_ahead_take(cuda->ahead, key, &size);
	if (code == NULL)
		CHECK(nvrtc_compile(source, defines, define_count, &target, &code, &size, NULL));
	sonde_status status = load(cuda, code, kernel);
	if (status == SONDE_OK)
		kernel_cache_put(&device->cache, key, code, size);
	free(code);
	return status;
}

/* Begins to compile a kernel that is in no cache. */
static bool cuda_request(struct device *device, const struct device_kernel_source *source,
			 const struct device_define *defines, size_t define_count)
{
	struct cuda *cuda = device->state;
	const char *reason, *compiler = nvrtc_version(&reason);
	char key[65];
	size_t size;

	if (cuda->no_compiler[0] != '\0')
		return false;
	cache_key(cuda, source, defines, define_count, compiler, key);
	void *code = kernel_cache_get(&device->cache, key, &size);
	const bool missing = code == NULL;
	if (missing)
		cuda_ahead_begin(&cuda->ahead, device->properties.host_threads,
				 &(struct cuda_ahead_kernel){key, source, defines, define_count,
							     nvrtc_architecture(10 * cuda->major + cuda->minor)});
	free(code);
	return missing;
}

static bool same_defines(const struct device_precompiled *ptx, const struct device_define *defines,
			 size_t define_count)
{
	bool same = ptx->define_count == define_count && strcmp(ptx->format, "ptx") == 0;

	for (size_t k = 0; same && k < define_count; ++k)
		same =
		    strcmp(ptx->defines[k].name, defines[k].name) == 0 && ptx->defines[k].value == defines[k].value;
	return same;
}

static sonde_status cuda_kernel(struct device *device, const struct device_kernel_source *source,
				const struct device_define *defines, size_t define_count,
				struct device_kernel *kernel)
{
	struct cuda *cuda = device->state;
	const char *reason, *compiler = nvrtc_version(&reason);
	const struct device_precompiled *ptx = source->precompiled;

	CHECK(cuda_make_current(cuda));
	if (cuda->no_compiler[0] == '\0')
		return compile_and_load(device, source, defines, define_count, compiler, kernel);
	while (ptx != NULL && ptx->code != NULL && !same_defines(ptx, defines, define_count))
		++ptx;
	if (ptx == NULL || ptx->code == NULL)
		return status_fail(SONDE_RESOURCE, "%s, and this build of Sonde has no PTX of kernel %s",
				   cuda->no_compiler, source->name);
	sonde_status status = load(cuda, ptx->code, kernel);
	return status == SONDE_OK ? status : status_prefix(status, "%s; from PTX", cuda->no_compiler);
}

static sonde_status cuda_launch(struct device *device, const struct device_kernel *kernel, uint32_t groups,
				const struct device_argument *arguments, size_t argument_count)
{
	struct cuda *cuda = device->state;
	void *values[MOST_ARGUMENTS];
	struct cuda_launch_attribute overlapping = {.id = CUDA_LAUNCH_OVERLAPPING, .value = {.on = 1}};
	const struct cuda_launch config = {.grid_x = groups,
					   .grid_y = 1,
					   .grid_z = 1,
					   .block_x = kernel->work_items,
					   .block_y = 1,
					   .block_z = 1,
					   .shared_bytes = kernel->local_memory,
					   .stream = cuda->streams[device->queue],
					   .attributes = &overlapping,
					   .attribute_count = kernel->early && cuda->overlaps ? 1 : 0};

	CHECK(cuda_make_current(cuda));
	for (size_t k = 0; k < argument_count; ++k)
		values[k] = (void *)arguments[k].value;
	CUDA_CHECK(cuda->api, cuda->api->launch(&config, kernel->handle, values, NULL), kernel->name);
	return SONDE_OK;
}

static const struct device_variable variables[] = {
    {.name = "SONDE_NVRTC", .help = "Library or folder of NVIDIA's run-time compiler."},
    {.name = "SONDE_SHARING",
     .help = "With `off`, ranks of one machine exchange data of their GPUs by way of the host, as those of different "
	     "ones."},
    /* work queues that CUDA creates when it starts: sonde uses three at the same time, and the others, eight by default, cost about 50 ms
     * at the start and as much at the end */
    {.name = "CUDA_DEVICE_MAX_CONNECTIONS", .value = "3"},
    {.name = NULL}};

const struct backend cuda_backend = {
    .kind = {.name = "cuda",
	     .help = "NVIDIA GPUs",
	     .is_numbered = true,
	     .offers_gpus = true,
	     .opens_together = true,
	     .variables = variables},
    .describe = cuda_describe,
    .open = cuda_open,
    .close = cuda_close,
    .enter_thread = cuda_enter_thread,
    .leave_thread = cuda_leave_thread,
    .allocate = cuda_allocate,
    .release = cuda_release,
    .write = cuda_write,
    .read = cuda_read,
    .clear = cuda_clear,
    .wait = cuda_wait,
    .window_chunk = cuda_window_chunk,
    .window_map = cuda_window_map,
    .window_unmap = cuda_window_unmap,
    .host_pin = cuda_host_pin,
    .host_unpin = cuda_host_unpin,
    .send = cuda_write,
    .fetch = cuda_fetch,
    .begin_after = cuda_begin_after,
    .event_wait = cuda_event_wait,
    .event_done = cuda_event_done,
    .copy = cuda_copy,
    .sharing = &cuda_sharing,
    .event_record = cuda_event_record,
    .event_elapsed = cuda_event_elapsed,
    .event_release = cuda_event_release,
    .kernel = cuda_kernel,
    .request = cuda_request,
    .launch = cuda_launch,
};
