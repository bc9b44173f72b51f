#include "fdtd/streaming/store.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "fdtd/streaming/plane_cache.h"
#include "fdtd/streaming/scratch_file.h"

#define WHAT "the buffers of the scratch file"
#define ENTRIES 512u    /* of a ring */
#define SLABS_BEHIND 3u /* slabs after which the copies from the device are certain to be complete (passes.c) */

/* Consecutive planes of a part. */
struct piece {
	int array, part;
	uint32_t begin, end;
	uint64_t slab; /* counted over all passes */
};

/* A piece on its way: its memory in the ring lies from `begin` on, counted as if the ring were endless. */
struct entry {
	struct scratch_request request;
	struct piece piece;
	uint64_t begin;
	struct device_event event;
};

/* First in, first out: entries from `oldest` to `middle` are in the hands of the side that comes second, those from there
 * to `newest` in those of the first: for reading these are disk and device, for writing device and disk. */
struct ring {
	char *bytes;
	size_t size;
	uint64_t end;
	uint64_t oldest, middle, newest;
	struct entry entries[ENTRIES];
};

/* Where reading ahead has arrived. */
struct cursor {
	uint32_t steps, slabs, slab;
	int array, part;
	uint32_t plane;
};

struct store {
	struct scratch_file *file;
	uint64_t used;    /* bytes of the file */
	size_t piece;     /* bytes, at most */
	void *memory;     /* of both rings */
	bool at_once;     /* copies are complete when they have been requested */
	uint64_t base;    /* number of the present pass's first slab */
	uint64_t current; /* number of the slab that is loaded */
	struct cursor cursor;
	struct ring reads, writes;
	struct plane_cache cache;
};

/* Places in the file ------------------------------------------------------------------------------------ */

static sonde_status open_file(struct streaming *streaming)
{
	struct store *store;

	CHECK(memory_allocate(&streaming->store, 1, sizeof *streaming->store, WHAT));
	store = streaming->store;
	store->at_once = device_copies_at_once(streaming->device);
	CHECK(scratch_file_open(streaming->schedule.store, &store->file));
	return scratch_file_reserve(store->file, (uint64_t)streaming->schedule.store_bytes);
}

static sonde_status make_strip(struct streaming *streaming, const struct plane_numbers *part, int copies,
			       const char *what, struct store_strip *strip)
{
	const struct plane_range here = schedule_here(&streaming->schedule);
	const uint32_t planes = streaming->schedule.planes;
	struct store *store = streaming->store;

	CHECK(memory_allocate(&strip->planes, (size_t)planes + 1, sizeof *strip->planes, what));
	for (uint32_t p = 0; p < planes; ++p) {
		const size_t bytes =
		    streaming_bytes_before(streaming, part, p + 1) - streaming_bytes_before(streaming, part, p);
		strip->planes[p + 1] =
		    strip->planes[p] + (p < here.begin || p >= here.end ? 0 : store_round_up(bytes));
	}
	for (int k = 0; k < copies; ++k) {
		strip->begin[k] = store->used;
		store->used += strip->planes[planes];
	}
	return SONDE_OK;
}

sonde_status store_add(struct streaming *streaming, struct streamed_array *array, int copies, const char *what)
{
	if (streaming->store == NULL)
		CHECK(open_file(streaming));
	CHECK(memory_allocate(&array->strips, (size_t)array->part_count, sizeof *array->strips, what));
	for (int k = 0; k < array->part_count; ++k)
		CHECK(make_strip(streaming, &array->parts[k], copies, what, &array->strips[k]));
	return scratch_file_reserve(streaming->store->file, streaming->store->used);
}

void store_remove(struct streaming *streaming, struct streamed_array *array)
{
	struct store *store = streaming->store;

	if (array->strips == NULL)
		return;
	if (store != NULL) {
		(void)plane_cache_flush(&store->cache, store->file);
		plane_cache_forget(&store->cache);
	}
	for (int k = 0; k < array->part_count; ++k)
		free(array->strips[k].planes);
	free(array->strips);
	array->strips = NULL;
}

static sonde_status make_rings(struct streaming *streaming)
{
	struct store *store = streaming->store;
	const struct store_sizes sizes = store_sizes(streaming);

	if (store->memory != NULL)
		return SONDE_OK;
	store->piece = sizes.piece;
	store->reads.size = sizes.reads;
	store->writes.size = sizes.writes;
	CHECK(device_host_allocate(streaming->device, store->reads.size + store->writes.size + SCRATCH_BLOCK, WHAT,
				   &store->memory));
	const uintptr_t at = (uintptr_t)store->memory;
	store->reads.bytes = (char *)store->memory + (SCRATCH_BLOCK - at % SCRATCH_BLOCK) % SCRATCH_BLOCK;
	store->writes.bytes = store->reads.bytes + store->reads.size;
	return SONDE_OK;
}

/* Pieces and rings -------------------------------------------------------------------------------------- */

static size_t size_of(const struct store_strip *strip, const struct piece *piece)
{
	return (size_t)(strip->planes[piece->end] - strip->planes[piece->begin]);
}

/* Where `bytes` bytes would begin in a ring, which do not cross its end. */
static uint64_t place_in(const struct ring *ring, size_t bytes)
{
	const uint64_t at = ring->end % ring->size;

	return at + bytes <= ring->size ? ring->end : ring->end + ring->size - at;
}

static bool has_room(const struct ring *ring, size_t bytes)
{
	if (ring->oldest == ring->newest)
		return true;
	return ring->newest - ring->oldest < ENTRIES &&
	       place_in(ring, bytes) + bytes - ring->entries[ring->oldest % ENTRIES].begin <= ring->size;
}

static struct entry *push(struct ring *ring, enum scratch_direction direction, const struct store_strip *strip,
			  int copy, const struct piece *piece)
{
	struct entry *entry = &ring->entries[ring->newest % ENTRIES];
	const size_t bytes = size_of(strip, piece);

	entry->piece = *piece;
	entry->begin = place_in(ring, bytes);
	ring->end = entry->begin + bytes;
	entry->request = (struct scratch_request){.direction = direction,
						  .offset = strip->begin[copy] + strip->planes[piece->begin],
						  .bytes = bytes,
						  .memory = ring->bytes + entry->begin % ring->size};
	++ring->newest;
	return entry;
}

typedef sonde_status copy_function(struct device *device, struct device_buffer *window, size_t offset, void *memory,
				   size_t bytes);

static sonde_status send(struct device *device, struct device_buffer *window, size_t offset, void *memory,
			 size_t bytes)
{
	return device_send(device, window, offset, memory, bytes);
}

static sonde_status fetch(struct device *device, struct device_buffer *window, size_t offset, void *memory,
			  size_t bytes)
{
	return device_fetch(device, window, offset, memory, bytes);
}

/* Copies a piece between memory and a window: consecutive planes at once, where nothing lies between them in the file. */
static sonde_status copy_piece(struct streaming *streaming, struct streamed_array *array, int window,
			       const struct piece *piece, char *memory, copy_function *copy, double *copied)
{
	const struct plane_numbers *part = &array->parts[piece->part];
	const uint64_t *planes = array->strips[piece->part].planes;

	for (uint32_t p = piece->begin, end; p < piece->end; p = end) {
		const size_t first = streaming_bytes_before(streaming, part, p);
		end = p + 1;
		while (end < piece->end &&
		       streaming_bytes_before(streaming, part, end) - first == planes[end] - planes[p])
			++end;
		CHECK(copy(streaming->device, &array->windows[window], part->offset + first,
			   memory + (planes[p] - planes[piece->begin]),
			   streaming_bytes_before(streaming, part, end) - first));
		*copied += (double)(streaming_bytes_before(streaming, part, end) - first);
	}
	return SONDE_OK;
}

static sonde_status event_done(struct device *device, struct entry *entry)
{
	const sonde_status status = device_event_wait(device, &entry->event);

	device_event_release(device, &entry->event);
	return status;
}

/* Writing ----------------------------------------------------------------------------------------------- */

/* Hands the next fetched piece to the disk. */
static sonde_status submit(struct streaming *streaming)
{
	struct store *store = streaming->store;
	struct entry *entry = &store->writes.entries[store->writes.middle % ENTRIES];

	CHECK(event_done(streaming->device, entry));
	scratch_file_add(store->file, &entry->request);
	++store->writes.middle;
	return SONDE_OK;
}

/* All pieces up to the last one that lies in these bytes of the file. */
static sonde_status submit_overlapping(struct streaming *streaming, uint64_t offset, size_t bytes)
{
	struct ring *ring = &streaming->store->writes;
	uint64_t last = ring->middle;

	for (uint64_t n = ring->middle; n < ring->newest; ++n) {
		const struct scratch_request *request = &ring->entries[n % ENTRIES].request;
		if (request->offset < offset + bytes && offset < request->offset + request->bytes)
			last = n + 1;
	}
	while (ring->middle < last)
		CHECK(submit(streaming));
	return SONDE_OK;
}

static sonde_status make_room(struct streaming *streaming, size_t bytes)
{
	struct store *store = streaming->store;
	struct ring *ring = &store->writes;

	while (!has_room(ring, bytes)) {
		if (ring->oldest == ring->middle)
			CHECK(submit(streaming));
		CHECK(scratch_file_wait(store->file, &ring->entries[ring->oldest % ENTRIES].request));
		++ring->oldest;
	}
	return SONDE_OK;
}

static sonde_status keep_piece(struct streaming *streaming, struct streamed_array *array, int copy, int window,
			       const struct piece *piece)
{
	struct store *store = streaming->store;
	const struct store_strip *strip = &array->strips[piece->part];

	CHECK(make_room(streaming, size_of(strip, piece)));
	struct entry *entry = push(&store->writes, SCRATCH_WRITE, strip, copy, piece);
	CHECK(copy_piece(streaming, array, window, piece, entry->request.memory, fetch, &streaming->bytes_stored));
	CHECK(device_event_record(streaming->device, &entry->event));
	return store->at_once ? submit(streaming) : SONDE_OK;
}

sonde_status store_keep(struct streaming *streaming, struct streamed_array *array, struct plane_range planes,
			int window)
{
	struct store *store = streaming->store;
	const int copy = schedule_copies(&streaming->schedule) > 1 ? 1 - streaming->present : 0;
	struct piece piece = {.array = (int)(array - streaming->arrays),
			      .slab = store->current > 0 ? store->current - 1 : 0};

	for (piece.part = 0; piece.part < array->part_count; ++piece.part)
		for (piece.begin = planes.begin; piece.begin < planes.end; piece.begin = piece.end) {
			const struct store_strip *strip = &array->strips[piece.part];
			piece.end = store_piece_end(strip, piece.begin, planes.end, store->piece);
			if (size_of(strip, &piece) > 0)
				CHECK(keep_piece(streaming, array, copy, window, &piece));
		}
	return SONDE_OK;
}

/* Reading ----------------------------------------------------------------------------------------------- */

static bool next_piece(const struct streaming *streaming, struct cursor *cursor, struct piece *piece)
{
	const struct store *store = streaming->store;

	while (cursor->slab < cursor->slabs) {
		const struct streamed_array *array = &streaming->arrays[cursor->array];
		if (cursor->array >= streaming->count) {
			++cursor->slab;
			cursor->array = 0;
			continue;
		}
		if (array->strips == NULL || cursor->part >= array->part_count) {
			++cursor->array;
			cursor->part = 0;
			continue;
		}
		const struct plane_range load = schedule_slab(&streaming->schedule, cursor->steps, cursor->slab).load;
		const uint32_t begin = cursor->plane > load.begin ? cursor->plane : load.begin;
		if (begin >= load.end) {
			++cursor->part;
			cursor->plane = 0;
			continue;
		}
		const struct store_strip *strip = &array->strips[cursor->part];
		*piece = (struct piece){.array = cursor->array,
					.part = cursor->part,
					.begin = begin,
					.end = store_piece_end(strip, begin, load.end, store->piece),
					.slab = store->base + cursor->slab};
		cursor->plane = piece->end;
		if (size_of(strip, piece) > 0)
			return true;
	}
	return false;
}

/* Waits for the oldest copy to the device. */
static sonde_status release_oldest(struct streaming *streaming)
{
	struct ring *ring = &streaming->store->reads;

	CHECK(event_done(streaming->device, &ring->entries[ring->oldest % ENTRIES]));
	++ring->oldest;
	return SONDE_OK;
}

/* Copies of earlier slabs make room; those of the present one do if nothing else helps. */
static bool may_release(const struct store *store, bool necessary)
{
	const struct ring *ring = &store->reads;

	return ring->oldest < ring->middle &&
	       (necessary || store->at_once || ring->entries[ring->oldest % ENTRIES].piece.slab < store->current);
}

/* Requests the next piece, if there is one and room for it. */
static sonde_status read_ahead(struct streaming *streaming, bool necessary, bool *added)
{
	struct store *store = streaming->store;
	struct cursor cursor = store->cursor;
	struct piece piece;

	*added = false;
	if (!next_piece(streaming, &cursor, &piece))
		return SONDE_OK;
	const struct streamed_array *array = &streaming->arrays[piece.array];
	const struct store_strip *strip = &array->strips[piece.part];
	const int copy = array->changes ? streaming->present : 0;
	while (!has_room(&store->reads, size_of(strip, &piece))) {
		if (!may_release(store, necessary))
			return SONDE_OK;
		CHECK(release_oldest(streaming));
	}
	struct entry *entry = push(&store->reads, SCRATCH_READ, strip, copy, &piece);
	store->cursor = cursor;
	CHECK(submit_overlapping(streaming, entry->request.offset, entry->request.bytes));
	scratch_file_add(store->file, &entry->request);
	*added = true;
	return SONDE_OK;
}

static sonde_status read_all_ahead(struct streaming *streaming)
{
	bool added = true;

	while (added)
		CHECK(read_ahead(streaming, false, &added));
	return SONDE_OK;
}

sonde_status store_begin(struct streaming *streaming, uint32_t steps, uint32_t slabs)
{
	struct store *store = streaming->store;

	if (store == NULL)
		return SONDE_OK;
	CHECK(make_rings(streaming));
	CHECK(plane_cache_flush(&store->cache, store->file));
	plane_cache_forget(&store->cache);
	store->base += store->cursor.slabs;
	store->current = store->base;
	store->cursor = (struct cursor){.steps = steps, .slabs = slabs};
	return read_all_ahead(streaming);
}

sonde_status store_reach(struct streaming *streaming, uint32_t slab)
{
	struct store *store = streaming->store;

	if (store == NULL)
		return SONDE_OK;
	struct ring *ring = &store->writes;
	store->current = store->base + slab;
	while (ring->middle < ring->newest &&
	       ring->entries[ring->middle % ENTRIES].piece.slab + SLABS_BEHIND <= store->current)
		CHECK(submit(streaming));
	return SONDE_OK;
}

static sonde_status load_piece(struct streaming *streaming, struct streamed_array *array, int window,
			       const struct piece *piece)
{
	struct store *store = streaming->store;
	struct ring *ring = &store->reads;
	bool added = true;

	if (ring->middle == ring->newest)
		CHECK(read_ahead(streaming, true, &added));
	struct entry *entry = &ring->entries[ring->middle % ENTRIES];
	if (!added || entry->piece.array != piece->array || entry->piece.part != piece->part ||
	    entry->piece.begin != piece->begin || entry->piece.end != piece->end)
		return status_fail(SONDE_RESOURCE, "the scratch file was read in another order than its planes are "
						   "needed in: this is an error of the program");
	CHECK(scratch_file_wait(store->file, &entry->request));
	CHECK(copy_piece(streaming, array, window, piece, entry->request.memory, send, &streaming->bytes_loaded));
	CHECK(device_event_record(streaming->device, &entry->event));
	++ring->middle;
	return read_all_ahead(streaming);
}

sonde_status store_load(struct streaming *streaming, struct streamed_array *array, struct plane_range planes,
			int window)
{
	struct piece piece = {.array = (int)(array - streaming->arrays)};

	for (piece.part = 0; piece.part < array->part_count; ++piece.part)
		for (piece.begin = planes.begin; piece.begin < planes.end; piece.begin = piece.end) {
			const struct store_strip *strip = &array->strips[piece.part];
			piece.end = store_piece_end(strip, piece.begin, planes.end, streaming->store->piece);
			if (size_of(strip, &piece) > 0)
				CHECK(load_piece(streaming, array, window, &piece));
		}
	return SONDE_OK;
}

/* Between passes ---------------------------------------------------------------------------------------- */

sonde_status store_settle(struct streaming *streaming)
{
	struct store *store = streaming->store;

	if (store == NULL)
		return SONDE_OK;
	while (store->writes.middle < store->writes.newest)
		CHECK(submit(streaming));
	for (; store->writes.oldest < store->writes.newest; ++store->writes.oldest)
		CHECK(scratch_file_wait(store->file, &store->writes.entries[store->writes.oldest % ENTRIES].request));
	return SONDE_OK;
}

void store_forget(struct streaming *streaming)
{
	struct store *store = streaming->store;

	if (store == NULL)
		return;
	scratch_file_forget(store->file);
	for (int k = 0; k < 2; ++k) {
		struct ring *ring = k == 0 ? &store->reads : &store->writes;
		for (uint64_t n = ring->oldest; n < ring->newest; ++n)
			device_event_release(streaming->device, &ring->entries[n % ENTRIES].event);
		ring->oldest = ring->middle = ring->newest;
	}
	store->cursor.slab = store->cursor.slabs;
}

void store_close(struct streaming *streaming)
{
	struct store *store = streaming->store;

	if (store == NULL)
		return;
	if (store->file != NULL)
		store_forget(streaming);
	scratch_file_close(&store->file);
	device_host_release(streaming->device, store->memory);
	plane_cache_free(&store->cache);
	free(store);
	streaming->store = NULL;
}

static sonde_status access_array(struct streaming *streaming, const struct streamed_array *array, size_t offset,
				 size_t bytes, const struct plane_access *access)
{
	struct store *store = streaming->store;

	CHECK(store_settle(streaming));
	return plane_cache_access(&store->cache, store->file, streaming, array, offset, bytes, access);
}

sonde_status store_read(struct streaming *streaming, const struct streamed_array *array, size_t offset, void *to,
			size_t bytes)
{
	/* what lies between the parts is not kept */
	memset(to, 0, bytes);
	return access_array(streaming, array, offset, bytes, &(struct plane_access){.to = to});
}

sonde_status store_write(struct streaming *streaming, const struct streamed_array *array, size_t offset,
			 const void *from, size_t bytes)
{
	return access_array(streaming, array, offset, bytes, &(struct plane_access){.from = from});
}
