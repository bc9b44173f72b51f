/* Common to all back ends: the list, memory limits, kernels already compiled, self-tests, pace. */
#include "base/threads.h"
#include "device/device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/sha256.h"
#include "base/text.h"
#include "device/backend.h"
#include "device/host_pieces.h"
#include "device/kept_buffers.h"

static const struct backend *const backends[] = {
#define BACKEND(name) &name##_backend,
#include "device/backends.def"
#undef BACKEND
};
#define BACKEND_COUNT (sizeof backends / sizeof *backends)

const struct device_kind *device_kind(int index)
{
	return index < (int)BACKEND_COUNT ? &backends[index]->kind : NULL;
}

void device_enter_thread(void)
{
	for (size_t k = 0; k < BACKEND_COUNT; ++k)
		if (backends[k]->enter_thread != NULL)
			backends[k]->enter_thread();
}

void device_leave_thread(void)
{
	for (size_t k = 0; k < BACKEND_COUNT; ++k)
		if (backends[k]->leave_thread != NULL)
			backends[k]->leave_thread();
}

/* The back end whose name a device's begins with, up to the colon. */
static const struct backend *backend_of(const char *name)
{
	size_t length = strcspn(name, ":");

	for (size_t k = 0; k < BACKEND_COUNT; ++k)
		if (strlen(backends[k]->kind.name) == length && memcmp(backends[k]->kind.name, name, length) == 0)
			return backends[k];
	return NULL;
}

const struct device_kind *device_kind_of(const char *name)
{
	const struct backend *backend = backend_of(name);

	return backend != NULL ? &backend->kind : NULL;
}

static sonde_status describe(const struct backend *backend, int index, const struct device_settings *settings,
			     sonde_device_description *description, int *found)
{
	memset(description, 0, sizeof *description);
	CHECK(backend->describe(index, settings, description, found));
	description->hidden = backend->kind.is_hidden;
	return SONDE_OK;
}

sonde_status device_describe_of(const struct device_kind *kind, int index, const struct device_settings *settings,
				sonde_device_description *description, int *found)
{
	return describe(backend_of(kind->name), index, settings, description, found);
}

sonde_status device_describe(int index, const struct device_settings *settings, sonde_device_description *description,
			     int *found)
{
	for (size_t k = 0; k < BACKEND_COUNT; ++k) {
		for (int here = 0;; ++here) {
			CHECK(describe(backends[k], here, settings, description, found));
			if (!*found)
				break;
			if (index-- == 0)
				return SONDE_OK;
		}
	}
	*found = 0;
	return SONDE_OK;
}

/* The back end and the index of a name; null if it names none. */
static const struct backend *find_backend(const char *name, int *index)
{
	const char *colon = strchr(name, ':');
	int64_t number = 0;

	if (colon != NULL &&
	    (!text_parse_integer(colon + 1, name + strlen(name), &number) || number < 0 || number > 9999))
		return NULL;
	*index = (int)number;
	return backend_of(name);
}

static sonde_status unknown_device(const char *name)
{
	char names[256] = "auto, gpu, all";
	size_t size = strlen(names);

	for (size_t k = 0; k < BACKEND_COUNT && size < sizeof names; ++k)
		if (!backends[k]->kind.is_hidden)
			size += (size_t)snprintf(names + size, sizeof names - size, ", %s%s", backends[k]->kind.name,
						 backends[k]->kind.is_numbered ? ":N" : "");
	return status_fail(SONDE_INVALID, "unknown device '%.32s': use one of %s", name, names);
}

sonde_status device_open(const char *name, const struct device_settings *settings, struct device **opened)
{
	sonde_device_description description;
	struct device *device;
	int index, found;
	const struct backend *backend = find_backend(name, &index);

	*opened = NULL;
	if (backend == NULL)
		return unknown_device(name);
	CHECK(describe(backend, index, settings, &description, &found));
	if (!found)
		return status_fail(SONDE_INVALID,
				   "there is no device '%.32s'; 'sonde devices' lists the available ones", name);
	if (!description.usable)
		return status_fail(SONDE_RESOURCE, "%s cannot be used: %s", description.name, description.reason);
	CHECK(memory_allocate(&device, 1, sizeof *device, "a device"));
	device->backend = backend;
	device->description = description;
	device->launch_limit = settings->launch_limit > 0.0 ? settings->launch_limit : LAUNCH_LIMIT;
	device->stop = settings->stop;
	kept_buffers_begin(&device->kept);
	kernel_cache_open(&device->cache, settings->kernel_cache);
	sonde_status status = backend->open(index, settings, device);
	if (status != SONDE_OK) {
		free(device);
		return status_prefix(status, "%s", description.name);
	}
	if (settings->memory != 0 && settings->memory < device->properties.memory)
		device->properties.memory = settings->memory;
	device->properties.host_threads = settings->threads > 0 ? (int)settings->threads : threads_available();
	*opened = device;
	return SONDE_OK;
}

bool device_is_stopped(const struct device *device)
{
	return device->stop != NULL && __atomic_load_n(device->stop, __ATOMIC_RELAXED) != 0;
}

void device_close(struct device **device)
{
	if (*device == NULL)
		return;
	kept_buffers_free(*device);
	(*device)->backend->close(*device);
	free((*device)->compiled);
	free((*device)->tested);
	free(*device);
	*device = NULL;
}

const char *device_name(const struct device *device)
{
	return device->description.name;
}

const struct device_properties *device_properties(const struct device *device)
{
	return &device->properties;
}

void device_identify(const struct device *device, sonde_device_description *description)
{
	*description = device->description;
}

uint32_t device_workers(const struct device *device)
{
	return device->properties.workers;
}

void device_limit_workers(struct device *device, uint32_t workers)
{
	const uint32_t threads = (uint32_t)device->description.threads;

	if (device->backend->can_limit_workers)
		device->properties.workers = workers > 0 && workers < threads ? workers : threads;
}

uint32_t device_launch_groups(const struct device *device, uint32_t per_worker)
{
	return device->properties.workers * per_worker;
}

/* Adds the device's name to the message of a failure. */
static sonde_status named(const struct device *device, sonde_status status)
{
	return status == SONDE_OK ? status : status_prefix(status, "%s", device->description.name);
}

sonde_status device_allocate(struct device *device, size_t bytes, const char *what, struct device_buffer *buffer)
{
	/* a CPU is used by several threads */
	const uint64_t allocated = __atomic_load_n(&device->allocated, __ATOMIC_RELAXED);
	bool found;

	CHECK(named(device, kept_buffers_take(device, bytes, buffer, &found)));
	if (found) {
		(void)__atomic_fetch_add(&device->allocated, buffer->bytes, __ATOMIC_RELAXED);
		return SONDE_OK;
	}
	if (bytes > device->properties.memory || allocated > device->properties.memory - bytes)
		return status_fail(SONDE_RESOURCE,
				   "%s: %zu bytes for %s do not fit into its memory: %llu of %llu are taken",
				   device->description.name, bytes, what, (unsigned long long)allocated,
				   (unsigned long long)device->properties.memory);
	if (bytes > device->properties.memory - allocated - kept_buffers_bytes(device))
		kept_buffers_free(device);
	sonde_status status = device->backend->allocate(device, bytes, what, &buffer->memory);
	if (status == SONDE_RESOURCE && kept_buffers_bytes(device) > 0) {
		kept_buffers_free(device);
		status = device->backend->allocate(device, bytes, what, &buffer->memory);
	}
	CHECK(named(device, status));
	buffer->bytes = bytes;
	(void)__atomic_fetch_add(&device->allocated, bytes, __ATOMIC_RELAXED);
	return SONDE_OK;
}

static uint64_t window_memory(const struct device_window *window)
{
	return (uint64_t)window->memory_chunks * window->chunk;
}

static sonde_status map_window(struct device *device, struct device_window *window, const char *what,
			       struct device_buffer *buffer)
{
	const uint64_t bytes = window_memory(window), allocated = device->allocated;

	if (bytes > device->properties.memory || allocated > device->properties.memory - bytes)
		return status_fail(
		    SONDE_RESOURCE,
		    "%s: %llu bytes for a window of %s do not fit into its memory: %llu of %llu are taken",
		    device->description.name, (unsigned long long)bytes, what, (unsigned long long)allocated,
		    (unsigned long long)device->properties.memory);
	kept_buffers_free(device);
	return named(device, device->backend->window_map(device, window, what, &buffer->memory));
}

sonde_status device_allocate_window(struct device *device, size_t bytes, const struct device_part *parts, int count,
				    const char *what, struct device_buffer *buffer)
{
	struct device_window *window;

	if (device->backend->window_map == NULL || device->backend->window_chunk(device) == 0)
		return status_fail(SONDE_RESOURCE, "%s cannot hold a window of %s: it must have all of it in memory",
				   device->description.name, what);
	CHECK(memory_allocate(&window, 1, sizeof *window, what));
	sonde_status status =
	    device_window_make(bytes, device->backend->window_chunk(device), parts, count, what, window);
	if (status == SONDE_OK)
		status = map_window(device, window, what, buffer);
	if (status != SONDE_OK) {
		device_window_free(window);
		free(window);
		return status;
	}
	buffer->bytes = bytes;
	buffer->window = window;
	(void)__atomic_fetch_add(&device->allocated, window_memory(window), __ATOMIC_RELAXED);
	return SONDE_OK;
}

uint64_t device_window_bytes(const struct device *device, size_t bytes, const struct device_part *parts, int count)
{
	const size_t chunk = device->backend->window_chunk != NULL ? device->backend->window_chunk(device) : 0;

	return chunk > 0 ? device_window_memory(bytes, chunk, parts, count) : bytes;
}

#define PART_KEPT 4 /* of the memory, at most */

void device_keep_buffers(struct device *device, uint64_t most)
{
	const uint64_t part = device->properties.memory / PART_KEPT;

	most = most < part ? most : part;
	device->kept.most = most > device->kept.most ? most : device->kept.most;
}

void device_release(struct device *device, struct device_buffer *buffer)
{
	if (device == NULL || buffer->memory == NULL)
		return;
	if (buffer->window != NULL) {
		(void)__atomic_fetch_sub(&device->allocated, window_memory(buffer->window), __ATOMIC_RELAXED);
		device->backend->window_unmap(device, buffer->window, buffer->memory);
		device_window_free(buffer->window);
		free(buffer->window);
		*buffer = (struct device_buffer){0};
		return;
	}
	(void)__atomic_fetch_sub(&device->allocated, buffer->bytes, __ATOMIC_RELAXED);
	if (!kept_buffers_put(device, buffer))
		device->backend->release(device, buffer->memory);
	*buffer = (struct device_buffer){0};
}

static sonde_status check_range(const struct device_buffer *buffer, size_t offset, size_t bytes)
{
	if (offset > buffer->bytes || bytes > buffer->bytes - offset)
		return status_fail(SONDE_INTERNAL, "%zu bytes at %zu lie outside a buffer of %zu", bytes, offset,
				   buffer->bytes);
	return SONDE_OK;
}

sonde_status device_write(struct device *device, struct device_buffer *buffer, size_t offset, const void *from,
			  size_t bytes)
{
	CHECK(check_range(buffer, offset, bytes));
	return named(device,
		     device_copy_from_host(device, device->backend->write, buffer->memory, offset, from, bytes));
}

sonde_status device_upload(struct device *device, const void *from, size_t bytes, const char *what,
			   struct device_buffer *buffer)
{
	CHECK(device_allocate(device, bytes > 0 ? bytes : 8, what, buffer));
	return device_write(device, buffer, 0, from, bytes);
}

sonde_status device_read(struct device *device, const struct device_buffer *buffer, size_t offset, void *to,
			 size_t bytes)
{
	CHECK(check_range(buffer, offset, bytes));
	return named(device, device_copy_to_host(device, device->backend->read, buffer->memory, offset, to, bytes));
}

sonde_status device_clear(struct device *device, struct device_buffer *buffer, size_t offset, size_t bytes)
{
	CHECK(check_range(buffer, offset, bytes));
	return bytes == 0 ? SONDE_OK : named(device, device->backend->clear(device, buffer->memory, offset, bytes));
}

sonde_status device_wait(struct device *device)
{
	return named(device, device->backend->wait(device));
}

sonde_status device_send(struct device *device, struct device_buffer *buffer, size_t offset, const void *from,
			 size_t bytes)
{
	copy_from_host *send = device->backend->send != NULL ? device->backend->send : device->backend->write;

	CHECK(check_range(buffer, offset, bytes));
	return named(device, device_copy_from_host(device, send, buffer->memory, offset, from, bytes));
}

sonde_status device_fetch(struct device *device, const struct device_buffer *buffer, size_t offset, void *to,
			  size_t bytes)
{
	copy_to_host *fetch = device->backend->fetch != NULL ? device->backend->fetch : device->backend->read;

	CHECK(check_range(buffer, offset, bytes));
	return named(device, device_copy_to_host(device, fetch, buffer->memory, offset, to, bytes));
}

bool device_copies_at_once(const struct device *device)
{
	return device->backend->event_wait == NULL;
}

sonde_status device_begin_after(struct device *device, const struct device_event *event)
{
	return device->backend->begin_after == NULL ? SONDE_OK
						    : named(device, device->backend->begin_after(device, event));
}

sonde_status device_event_wait(struct device *device, const struct device_event *event)
{
	return device->backend->event_wait == NULL ? SONDE_OK
						   : named(device, device->backend->event_wait(device, event));
}

sonde_status device_event_done(struct device *device, const struct device_event *event, bool *done)
{
	if (device->backend->event_done != NULL)
		return named(device, device->backend->event_done(device, event, done));
	*done = true;
	return device_event_wait(device, event);
}

int device_use_queue(struct device *device, int queue)
{
	const int before = device->queue;

	device->queue = queue;
	return before;
}

sonde_status device_event_record(struct device *device, struct device_event *event)
{
	return named(device, device->backend->event_record(device, event));
}

sonde_status device_event_elapsed(struct device *device, struct device_event *from, struct device_event *to,
				  double *seconds)
{
	return named(device, device->backend->event_elapsed(device, from, to, seconds));
}

void device_event_release(struct device *device, struct device_event *event)
{
	device->backend->event_release(device, event);
}

/* Simulators of devices, which look for races in kernels, take hours for tests of results. */
static bool self_tests_are_off(void)
{
	const char *wanted = getenv("SONDE_SELF_TEST");

	return wanted != NULL && strcmp(wanted, "off") == 0;
}

#define SELF_TEST_BYTES (8u << 20) /* enough for that of any program */

/* Runs the program's self-test on the device, once. It requests kernels itself and is therefore recorded first. */
static sonde_status test_once(struct device *device, const struct device_program *program)
{
	for (size_t k = 0; k < device->tested_count; ++k)
		if (device->tested[k] == program)
			return SONDE_OK;
	if (program->self_test == NULL || self_tests_are_off())
		return SONDE_OK;
	CHECK(memory_grow(&device->tested, &device->tested_capacity, device->tested_count + 1, sizeof *device->tested,
			  "the programs"));
	device->tested[device->tested_count++] = program;
	/* the limit is one of runs */
	const uint64_t limit = device->properties.memory;
	device->properties.memory = limit > SELF_TEST_BYTES ? limit : SELF_TEST_BYTES;
	sonde_status status = program->self_test(device);
	device->properties.memory = limit;
	if (status == SONDE_OK)
		return SONDE_OK;
	--device->tested_count;
	return status == SONDE_CANCELLED
		   ? status
		   : status_prefix(SONDE_RESOURCE, "%s failed the self-test of '%s' and is not used",
				   device->description.name, program->name);
}

/* The key of a compiled kernel: all inputs of its compilation. */
static void key_of(const struct device_kernel_source *source, uint32_t work_items, uint32_t local_memory,
		   const struct device_define *defines, size_t define_count, char key[65])
{
	struct sha256 hash;
	char line[96];

	sha256_begin(&hash);
	sha256_add(&hash, source->name, strlen(source->name) + 1);
	snprintf(line, sizeof line, "%u %u %p", work_items, local_memory, (const void *)source);
	sha256_add(&hash, line, strlen(line));
	for (size_t k = 0; k < define_count; ++k) {
		snprintf(line, sizeof line, " %.64s=%u", defines[k].name, defines[k].value);
		sha256_add(&hash, line, strlen(line));
	}
	sha256_end(&hash, key);
}

#define MOST_DEFINES 16

static sonde_status compile(struct device *device, const struct device_kernel_source *source, uint32_t work_items,
			    uint32_t local_memory, const struct device_define *defines, size_t define_count,
			    const char *key, struct device_kernel *kernel)
{
	struct device_define all[MOST_DEFINES] = {{"LOCAL_SIZE", work_items}};
	struct compiled_kernel *compiled;

	if (define_count + 1 > MOST_DEFINES)
		return status_fail(SONDE_INTERNAL, "too many constants of a kernel");
	if (define_count > 0)
		memcpy(all + 1, defines, define_count * sizeof *defines);
	if (device->requesting) {
		*kernel = (struct device_kernel){
		    .name = source->name, .work_items = work_items, .local_memory = local_memory};
		device->requested += device->backend->request(device, source, all, define_count + 1) ? 1 : 0;
		return SONDE_OK;
	}
	CHECK(memory_grow(&device->compiled, &device->compiled_capacity, device->compiled_count + 1,
			  sizeof *device->compiled, "the kernels"));
	compiled = &device->compiled[device->compiled_count];
	*compiled = (struct compiled_kernel){
	    .kernel = {.name = source->name, .work_items = work_items, .local_memory = local_memory}};
	strcpy(compiled->key, key);
	CHECK(named(device, device->backend->kernel(device, source, all, define_count + 1, &compiled->kernel)));
	++device->compiled_count;
	*kernel = compiled->kernel;
	return SONDE_OK;
}

static sonde_status find_or_compile(struct device *device, const struct device_program *program, const char *name,
				    uint32_t work_items, uint32_t local_memory, const struct device_define *defines,
				    size_t define_count, struct device_kernel *kernel)
{
	const struct device_kernel_source *source = program->kernels;
	char key[65];

	if (!device->requesting)
		CHECK(test_once(device, program));
	while (source->name != NULL && strcmp(source->name, name) != 0)
		++source;
	if (source->name == NULL)
		return status_fail(SONDE_INTERNAL, "program %s has no kernel %s", program->name, name);
	if (work_items > device->properties.most_work_items || local_memory > device->properties.local_memory)
		return status_fail(SONDE_RESOURCE,
				   "%s: kernel %s needs %u work-items and %u bytes of local memory per group; the "
				   "device has %u and %u",
				   device->description.name, name, work_items, local_memory,
				   device->properties.most_work_items, device->properties.local_memory);
	key_of(source, work_items, local_memory, defines, define_count, key);
	for (size_t k = 0; k < device->compiled_count; ++k) {
		if (strcmp(device->compiled[k].key, key) == 0) {
			*kernel = device->compiled[k].kernel;
			return SONDE_OK;
		}
	}
	return compile(device, source, work_items, local_memory, defines, define_count, key, kernel);
}

sonde_status device_kernel(struct device *device, const struct device_program *program, const char *name,
			   uint32_t work_items, uint32_t local_memory, const struct device_define *defines,
			   size_t define_count, struct device_kernel *kernel)
{
	/* self-tests request kernels, too: their time is part of this one's */
	const double before = device->kernel_seconds, began = clock_seconds();
	const sonde_status status =
	    find_or_compile(device, program, name, work_items, local_memory, defines, define_count, kernel);

	device->kernel_seconds = before + (clock_seconds() - began);
	return status;
}

double device_kernel_seconds(const struct device *device)
{
	return device->kernel_seconds;
}

void device_count_waited(struct device *device, double before, double waited)
{
	if (device->kernel_seconds > before + waited)
		device->kernel_seconds = before + waited;
}

bool device_request_kernels(struct device *device, bool requesting)
{
	device->requesting = requesting && device->backend->request != NULL && !device->properties.fixed_kernels;
	device->requested = 0;
	return device->requesting;
}

uint32_t device_requested_kernels(const struct device *device)
{
	return device->requested;
}

sonde_status device_launch(struct device *device, const struct device_kernel *kernel, uint32_t groups,
			   const struct device_argument *arguments, size_t argument_count)
{
	if (argument_count > MOST_ARGUMENTS)
		return status_fail(SONDE_INTERNAL, "%zu arguments are too many for a kernel", argument_count);
	if (groups == 0)
		return SONDE_OK;
	__atomic_store_n(&device->kept.in_use, true, __ATOMIC_RELAXED);
	return named(device, device->backend->launch(device, kernel, groups, arguments, argument_count));
}

void *device_cache_get(const struct device *device, const char *key, size_t *size)
{
	return kernel_cache_get(&device->cache, key, size);
}

void device_cache_put(const struct device *device, const char *key, const void *bytes, size_t size)
{
	kernel_cache_put(&device->cache, key, bytes, size);
}

uint32_t device_pace_groups(const struct device *device, struct device_pace *pace, uint32_t first, uint32_t left)
{
	uint32_t least = device->properties.workers;

	if (pace->groups == 0.0)
		pace->groups = first > least ? first : least;
	return pace->groups < (double)left ? (uint32_t)pace->groups : left;
}

void device_pace_learn(const struct device *device, struct device_pace *pace, uint32_t groups, double seconds)
{
	double fitting = seconds > 0.0 ? 0.5 * device->launch_limit / seconds * groups : 4.0 * pace->groups;

	/* small launches are unreliable measurements: grow slowly, shrink at once */
	fitting = fitting < 4.0 * pace->groups ? fitting : 4.0 * pace->groups;
	if (fitting > pace->groups || seconds > device->launch_limit)
		pace->groups = fitting > 1.0 ? fitting : 1.0;
}
