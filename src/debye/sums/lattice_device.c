#include "debye/sums/lattice_device.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "debye/kernels/lattice_layout.h"
#include "run/launches.h"

#define MOST_ITEMS 256u
#define RESERVED_LOCAL_MEMORY 1024u    /* for drivers */
#define USUAL_LOCAL_MEMORY (48u << 10) /* so that several groups fit on a multiprocessor */
#define USUAL_CPU_MEMORY (16u << 20)
#define GROUPS_PER_WORKER 4096 /* of one launch: a moment */
#define GROUPS_AT_FIRST 64

/* The rows of all sheets, one after the other, as the kernel reads them. */
static sonde_status upload_rows(struct lattice_device *run)
{
	const sonde_lattice *lattice = run->lattice;
	uint64_t size = 0;
	uint32_t *rows;

	CHECK(memory_allocate(&run->at, (size_t)lattice->sheet_count, sizeof *run->at, "the rows"));
	for (int s = 0; s < lattice->sheet_count; ++s) {
		const struct lattice_sheet *sheet = &lattice->sheets[s];
		run->at[s] = size;
		size += 2 * ((uint64_t)sheet->width + 1) * sheet->height;
	}
	CHECK(memory_allocate(&rows, size, sizeof *rows, "the rows"));
	for (int s = 0; s < lattice->sheet_count; ++s) {
		const struct lattice_sheet *sheet = &lattice->sheets[s];
		const size_t count = (size_t)sheet->width * sheet->height, lines = sheet->height;
		uint32_t *to = rows + run->at[s];
		memcpy(to, sheet->begin, count * sizeof *to);
		memcpy(to + count, sheet->end, count * sizeof *to);
		memcpy(to + 2 * count, sheet->first, lines * sizeof *to);
		memcpy(to + 2 * count + lines, sheet->last, lines * sizeof *to);
	}
	const sonde_status status = device_upload(run->device, rows, size * sizeof *rows, "the rows", &run->rows);
	free(rows);
	return status;
}

static uint32_t longest_row(const sonde_lattice *lattice)
{
	uint32_t longest = 0;

	for (int s = 0; s < lattice->sheet_count; ++s)
		longest = lattice->sheets[s].length > longest ? lattice->sheets[s].length : longest;
	return longest;
}

struct lattice_shape lattice_shape_of(const struct device *device)
{
	const struct device_properties *has = device_properties(device);
	const uint32_t items = has->most_work_items < MOST_ITEMS ? has->most_work_items : MOST_ITEMS,
		       local = has->local_memory - RESERVED_LOCAL_MEMORY;

	if (!has->gpu_kernels)
		return (struct lattice_shape){1, USUAL_CPU_MEMORY};
	return (struct lattice_shape){items, local < USUAL_LOCAL_MEMORY ? local : USUAL_LOCAL_MEMORY};
}

/* Memory for the counters of a group: local memory, or scratch memory of each worker. */
static sonde_status prepare_counters(struct lattice_device *run)
{
	const struct device_properties *has = device_properties(run->device);
	const uint64_t window = 2 * (uint64_t)longest_row(run->lattice) + 1, room = run->shape.counters / 8;
	const uint32_t items = run->shape.items;

	run->own_memory = !has->gpu_kernels;
	const uint64_t wanted = LATTICE_LOCAL_WORDS(items, LATTICE_COPIES, window | 1u);
	run->counter_words = wanted < room ? wanted : room;
	CHECK(device_kernel(run->device, &debye_program, "lattice_rows", items,
			    run->own_memory ? 0 : (uint32_t)run->counter_words * 8, NULL, 0, &run->kernel));
	return device_allocate(run->device,
			       run->own_memory ? device_workers(run->device) * run->counter_words * 8 : 8,
			       "the counters", &run->scratch);
}

sonde_status lattice_device_prepare(struct device *device, const struct lattice_shape *shape,
				    const sonde_lattice *lattice, const struct lattice_bins *bins,
				    struct lattice_device *run)
{
	*run = (struct lattice_device){.device = device, .shape = *shape, .lattice = lattice, .bins = *bins};
	sonde_status status = prepare_counters(run);
	if (status == SONDE_OK)
		status = upload_rows(run);
	if (status == SONDE_OK)
		status = device_allocate(device, bins->count * LATTICE_WORDS * sizeof(uint64_t), "the histogram",
					 &run->totals);
	if (status != SONDE_OK)
		lattice_device_release(run);
	return status;
}

void lattice_device_release(struct lattice_device *run)
{
	device_release(run->device, &run->rows);
	device_release(run->device, &run->scratch);
	device_release(run->device, &run->totals);
	free(run->at);
	*run = (struct lattice_device){0};
}

uint64_t lattice_lag_count(const struct lattice_sheet *a, const struct lattice_sheet *b)
{
	return ((uint64_t)a->width + b->width - 1) * ((uint64_t)a->height + b->height - 1);
}

static struct lattice_rows_at place_of(const struct lattice_device *run, int sheet)
{
	const struct lattice_sheet *of = &run->lattice->sheets[sheet];

	return (struct lattice_rows_at){run->at[sheet], of->length, of->width, of->height};
}

/* As many copies of the counters as fit into the memory, and the longest window. */
static void choose_window(const struct lattice_device *run, struct lattice_lags *lags)
{
	const uint32_t positions = lags->a.length + lags->b.length + 1, least = run->own_memory ? LATTICE_COPIES : 1u,
		       room = 2 * ((uint32_t)run->counter_words - 2 * run->shape.items - 2),
		       longest = (room / least - 1) | 1u; /* the largest odd number that fits */

	lags->scratch_words = run->counter_words;
	lags->window = positions < longest ? positions : longest;
	/* odd, so that copies of one counter are in different banks */
	lags->stride = lags->window | 1u;
	lags->copies = room / lags->stride < LATTICE_COPIES ? room / lags->stride : LATTICE_COPIES;
}

/* The lags of two sheets still to be launched. */
struct lag_progress {
	struct lattice_device *run;
	struct lattice_lags lags;
	uint64_t end;
	uint32_t most_groups;
};

static uint32_t lags_left(void *user)
{
	const struct lag_progress *progress = user;
	const uint64_t left = progress->end - progress->lags.first;

	return left < progress->most_groups ? (uint32_t)left : progress->most_groups;
}

static sonde_status launch_lags(void *user, int slot, uint32_t room, uint32_t *groups)
{
	struct lag_progress *progress = user;
	struct lattice_device *run = progress->run;
	const struct lattice_lags lags = progress->lags;
	const struct device_argument arguments[] = {DEVICE_ARGUMENT(lags), DEVICE_ARGUMENT(run->rows.memory),
						    DEVICE_ARGUMENT(run->scratch.memory),
						    DEVICE_ARGUMENT(run->totals.memory)};
	const uint32_t left = lags_left(user);

	(void)slot;
	*groups = room < left ? room : left;
	progress->lags.first += *groups;
	return device_launch(run->device, &run->kernel, *groups, arguments, 4);
}

static sonde_status finish_lags(void *user, int slot, uint32_t groups)
{
	(void)user;
	(void)slot;
	(void)groups;
	return SONDE_OK;
}

static struct lattice_lags lags_of(const struct lattice_device *run, int a, int b)
{
	const sonde_lattice *lattice = run->lattice;
	struct lattice_lags lags = {.per_angstrom =
					run->bins.per_angstrom * (double)(UINT64_C(1) << LATTICE_OFFSET_BITS),
				    .a = place_of(run, a),
				    .b = place_of(run, b),
				    .like = a == b};

	for (int k = 0; k < 3; ++k)
		for (int m = 0; m < 3; ++m)
			lags.vectors[3 * k + m] = lattice->vectors[k][m];
	for (int m = 0; m < 3; ++m)
		lags.offset[m] = lattice->sheets[b].origin[m] - lattice->sheets[a].origin[m];
	choose_window(run, &lags);
	return lags;
}

sonde_status lattice_device_count(sonde_context *context, struct lattice_device *run, int a, int b, uint64_t first,
				  uint64_t end)
{
	const bool gpu = device_properties(run->device)->most_work_items > 1;
	struct lag_progress progress = {.run = run, .lags = lags_of(run, a, b), .end = end};
	const struct launches launches = {.device = run->device,
					  .pace = &run->pace,
					  .count = gpu ? 2 : 1,
					  .first_groups = GROUPS_AT_FIRST * device_workers(run->device),
					  .what = "lattice",
					  .user = &progress,
					  .left = lags_left,
					  .begin = launch_lags,
					  .end = finish_lags};

	progress.lags.first = first;
	progress.most_groups = device_launch_groups(run->device, GROUPS_PER_WORKER);
	run->counted = true;
	if (gpu)
		CHECK(device_wait(run->device)); /* both queues need the uploaded and cleared buffers */
	return launches_run(context, &launches);
}

#define WORDS_AT_ONCE (1u << 18) /* read from the device */

sonde_status lattice_device_collect(struct lattice_device *run, uint64_t *totals)
{
	const uint64_t words = run->bins.count * LATTICE_WORDS;
	uint64_t *own;

	if (!run->counted)
		return SONDE_OK;
	CHECK(memory_allocate(&own, WORDS_AT_ONCE, sizeof *own, "the histogram"));
	sonde_status status = SONDE_OK;
	for (uint64_t first = 0; first < words && status == SONDE_OK; first += WORDS_AT_ONCE) {
		const uint64_t count = words - first < WORDS_AT_ONCE ? words - first : WORDS_AT_ONCE;
		status = device_read(run->device, &run->totals, first * sizeof *own, own, count * sizeof *own);
		for (uint64_t k = 0; status == SONDE_OK && k < count; ++k)
			totals[first + k] += own[k];
	}
	free(own);
	if (status == SONDE_OK)
		status = device_clear(run->device, &run->totals, 0, words * sizeof *own);
	run->counted = false;
	return status;
}
