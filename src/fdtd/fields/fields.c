#include "fdtd/fields/fields.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "fdtd/streaming/store.h"
#include "fdtd/fields/answering.h"
#include "fdtd/fields/kernels.h"
#include "fdtd/fields/fields_gpu.h"
#include "fdtd/fields/media_index.h"
#include "fdtd/grid/layout.h"
#include "fdtd/grid/list_layout.h"
#include "fdtd/media/edge_lists.h"
#include "fdtd/media/list_totals.h"
#include "fdtd/fields/polarization.h"
#include "fdtd/streaming/chain.h"
#include "fdtd/streaming/exchange.h"
#include "fdtd/streaming/host_exchange.h"
#include "fdtd/streaming/rank_exchange.h"
#include "fdtd/fields/smoothing.h"
#include "fdtd/fields/walls.h"

#define CELLS_OF_GROUP 4096 /* on CPUs, at least */
#define MOST_OF_GROUP 16384 /* long parts of planes are fetched faster; both fields of one fit the cache of a core */
#define GROUPS_OF_THREAD 4  /* of a plane, if it has the cells */
#define ALL_COMPONENTS 7u

static size_t number_size(bool single)
{
	return single ? sizeof(float) : sizeof(double);
}

static uint32_t index_bytes_of(size_t media, bool has_numbers)
{
	return !has_numbers ? 0 : media <= 256 ? 1 : 2;
}

double fields_bytes(const struct fdtd_grid *grid, size_t media, bool has_edges, bool has_faces, bool single,
		    bool on_gpu)
{
	struct layout_sizes sizes;
	struct fdtd_step layout;

	layout_make(grid, on_gpu, &layout, &sizes);
	/* numbers of media, and of the segments of rows */
	const uint64_t rows = layout.volume / layout.row;
	double index = (double)layout.volume * index_bytes_of(media, has_edges || has_faces) +
		       (double)rows * layout.row_segments * sizeof(uint16_t);
	double indexed = (has_edges ? 3.0 : 0.0) + (has_faces ? 3.0 : 0.0);
	return 2.0 * (double)sizes.field *
		   (double)(grid->in_words && on_gpu ? sizeof(uint16_t) : number_size(single)) +
	       (double)sizes.psi * (double)number_size(single) + indexed * index;
}

double fields_bytes_of_step(const struct fields *fields)
{
	const struct fdtd_step *layout = &fields->layout;
	const struct fdtd_grid *grid = &fields->grid;
	const double psi = (double)layout_psi(layout),
		     cells = (double)grid->cells[0] * grid->cells[1] * grid->cells[2],
		     number = (double)number_size(fields->single);

	/* one field is read and written, the other one read; convolutions are read and written */
	return 18.0 * (double)fields_stored_size(fields) + 2.0 * psi / cells * number + 3.0 * layout->index_bytes;
}

/* Converts numbers to the type of the device's fields. */
static void convert(bool single, const double *from, size_t count, void *to)
{
	for (size_t k = 0; k < count; ++k)
		if (single)
			((float *)to)[k] = (float)from[k];
		else
			((double *)to)[k] = from[k];
}

static sonde_status upload(struct fields *fields, const double *from, size_t count, const char *what,
			   struct device_buffer *buffer)
{
	size_t size = number_size(fields->single);
	void *numbers;

	CHECK(memory_allocate(&numbers, count, size, what));
	convert(fields->single, from, count, numbers);
	sonde_status status = device_upload(fields->device, numbers, count * size, what, buffer);
	free(numbers);
	return status;
}

static sonde_status upload_profile(struct fields *fields, uint64_t numbers)
{
	struct fdtd_step *layout = &fields->layout;
	const struct fdtd_grid *grid = &fields->grid;
	sonde_status status = SONDE_OK;
	double *all;

	CHECK(memory_allocate(&all, numbers, sizeof *all, "the profiles"));
	for (int a = 0; a < 3 && status == SONDE_OK; ++a) {
		uint64_t length = layout->profile_length[a];
		struct absorbing_profile profile;
		status = absorbing_profile_make("xyz"[a], grid -> cells[a], grid -> courant[a], grid -> layers[a],
						&profile);
		for (int i = 0; status == SONDE_OK && i <= grid->cells[a]; ++i) {
			double *node = all + layout->node_profile[a] + i, *half = all + layout->half_profile[a] + i;
			bool inside = i < grid->cells[a];
			node[PROFILE_SCALE * length] = grid->courant[a] / profile.node_kappa[i];
			node[PROFILE_B * length] = profile.node_b[i];
			node[PROFILE_C * length] = grid->courant[a] * profile.node_c[i];
			half[PROFILE_SCALE * length] = grid->courant[a] / (inside ? profile.half_kappa[i] : 1.0);
			half[PROFILE_B * length] = inside ? profile.half_b[i] : 0.0;
			half[PROFILE_C * length] = inside ? grid->courant[a] * profile.half_c[i] : 0.0;
		}
		absorbing_profile_free(&profile);
	}
	if (status == SONDE_OK)
		status = upload(fields, all, numbers, "the profiles", &fields->profile);
	free(all);
	return status;
}

static sonde_status upload_tables(struct fields *fields, const struct media *media)
{
	double *tables[2] = {NULL, NULL};
	size_t count = MEDIUM_NUMBERS * media->count;
	sonde_status status = SONDE_OK;

	for (int f = 0; f < 2 && status == SONDE_OK; ++f)
		status = memory_allocate(&tables[f], count, sizeof(double), "the media");
	for (size_t k = 0; k < media->count && status == SONDE_OK; ++k) {
		const struct medium_step e = medium_step_of_e(&media->media[k]),
					 h = medium_step_of_h(&media->media[k]);
		memcpy(tables[FIELD_E] + MEDIUM_NUMBERS * k, (double[]){e.first, e.second}, 2 * sizeof(double));
		memcpy(tables[FIELD_H] + MEDIUM_NUMBERS * k, (double[]){h.first, h.second}, 2 * sizeof(double));
	}
	for (int f = 0; f < 2 && status == SONDE_OK; ++f)
		status = upload(fields, tables[f], count, "the media", &fields->tables[f]);
	free(tables[0]);
	free(tables[1]);
	return status;
}

/* Convolutions of the layers of all axes. */
static sonde_status allocate_psi(struct fields *fields, uint64_t numbers)
{
	const struct fdtd_step *layout = &fields->layout;
	const struct streaming *streaming = fields->streaming;
	const size_t size = number_size(fields->single);
	struct plane_numbers parts[3];
	int count = 0;

	for (int a = 0; a < 3 && streaming != NULL; ++a)
		if (layout->psi_planes[a] > 0)
			parts[count++] =
			    (struct plane_numbers){.offset = layout->e_psi[a] * size,
						   .size = layout->psi_plane[a] * size,
						   .first = a == 0 ? streaming->layer_planes : streaming->planes,
						   .all = layout->psi_planes[a]};
	return streaming_allocate(count > 0 ? fields->streaming : NULL, fields->device,
				  (numbers > 0 ? numbers : 1) * size, parts, count, true, "the absorbing layers",
				  &fields->psi);
}

static sonde_status find_kernels(struct fields *fields)
{
	static const char *const names[2] = {"step_e", "step_h"};

	for (int f = 0; f < 2 && !fields->on_gpu; ++f)
		CHECK(fields_find_kernel(fields, names[f], &fields->kernels[f]));
	CHECK(fields_find_kernel(fields, "fill_walls", &fields->fill_walls));
	CHECK(fields_find_kernel(fields, "inject", &fields->inject));
	CHECK(fields_find_kernel(fields, "gather", &fields->gather));
	CHECK(fields_find_kernel(fields, "polarize", &fields->polarize));
	return fields_find_kernel(fields, "transform", &fields->transform);
}

/* Rows per work-group: enough cells for a CPU thread that fetching work takes negligible time. */
static void share_rows(struct fdtd_step *layout, uint32_t threads)
{
	const double wanted = (double)layout->end[2] * layout->end[1] / (GROUPS_OF_THREAD * threads);
	const uint32_t cells = layout->end[2], of_group = (uint32_t)fmax(CELLS_OF_GROUP, fmin(MOST_OF_GROUP, wanted)),
		       rows = (of_group + cells - 1) / cells;

	layout->rows_of_group = rows < layout->end[1] ? rows : layout->end[1];
	layout->groups_of_plane = (layout->end[1] + layout->rows_of_group - 1) / layout->rows_of_group;
	layout->planes_of_group = layout->groups_of_plane > 1
				      ? 1
				      : (CELLS_OF_GROUP + cells * layout->end[1] - 1) / (cells * layout->end[1]);
}

void fields_lay_out(struct device *device, const struct fdtd_grid *grid, bool single, struct fields *fields)
{
	struct layout_sizes sizes;

	*fields =
	    (struct fields){.device = device, .grid = *grid, .single = single, .on_gpu = fields_suit_gpu(device)};
	layout_make(grid, fields->on_gpu, &fields->layout, &sizes);
	share_rows(&fields->layout, device_workers(device));
}

static double quarter_turns_exact(double number)
{
	return fabs(number) < 1e-15 ? 0.0 : number;
}

static sonde_status make_part(struct device *device, const struct fdtd_grid *grid, const struct media *media,
			      bool single, struct streaming *streaming, const struct schedule *schedule,
			      struct fields *fields);

/* Bloch walls: a second part of the fields, and the rotations between them. */
static sonde_status make_imaginary(struct fields *fields, const struct media *media)
{
	struct fdtd_grid grid = fields->grid;
	double turns[6];

	grid.bloch = false;
	for (int a = 0; a < 3; ++a) {
		turns[2 * a] = quarter_turns_exact(cos(grid.phase[a]));
		turns[2 * a + 1] = quarter_turns_exact(sin(grid.phase[a]));
		grid.phase[a] = 0.0;
	}
	CHECK(fields_find_kernel(fields, "turn_walls", &fields->turn_walls));
	CHECK(upload(fields, turns, 6, "the phases", &fields->turns));
	CHECK(memory_allocate(&fields->imaginary, 1, sizeof *fields->imaginary, "the fields"));
	CHECK(make_part(fields->device, &grid, media, fields->single, fields->streaming, NULL, fields->imaginary));
	fields->imaginary->own = fields->own;
	fields->imaginary->in_turn = fields->in_turn;
	return SONDE_OK;
}

bool fields_lag(const struct media *media)
{
	const struct list_totals *totals = media->totals;
	const size_t smooth = totals != NULL          ? totals->smooth[totals->planes]
			      : media->smooth != NULL ? media->smooth->count
						      : 0;

	return smooth > 0 || media->answers != NULL;
}

static sonde_status make_streaming(struct fields *fields, const struct media *media, const struct schedule *schedule)
{
	struct schedule own = *schedule;

	own.planes = fields->layout.end[0];
	own.lag = fields_lag(media) ? 1 : 0;
	CHECK(memory_allocate(&fields->streaming, 1, sizeof *fields->streaming, "the fields"));
	fields->owns_streaming = true;
	const uint32_t steps = own.chain > 1 ? own.chain * own.height : own.height;
	/* ranks take several passes in a block, at whose end they meet */
	const uint32_t least = own.shared ? STEPS_OF_SUMS : MOST_SAMPLES;
	fields->most_times = steps > least ? steps : least;
	fields->in_turn = own.chain > 1;
	return streaming_make(fields->device, &fields->layout, &own, fields->streaming);
}

static sonde_status allocate_fields(struct fields *fields, const struct layout_sizes *sizes)
{
	const struct fdtd_step *layout = &fields->layout;
	const size_t size = fields_stored_size(fields);

	for (int f = 0; f < 2; ++f)
		CHECK(fields_allocate_planes(fields, layout->before * size, layout->plane * size, sizes->field * size,
					     true, "the fields", &fields->buffers[f]));
	return allocate_psi(fields, sizes->psi);
}

static sonde_status count_arrays(struct fields *fields, const struct layout_sizes *sizes, bool has_edges,
				 bool has_faces)
{
	CHECK(allocate_fields(fields, sizes));
	if (fields->streaming->schedule.whole)
		CHECK(fields_count_next(fields, sizes->field * fields_stored_size(fields)));
	if (has_edges)
		CHECK(media_index_allocate(fields, FIELD_E));
	return has_faces ? media_index_allocate(fields, FIELD_H) : SONDE_OK;
}

sonde_status fields_streamed_bytes(struct device *device, const struct fdtd_grid *grid, size_t media, bool has_edges,
				   bool has_faces, bool single, const struct schedule *schedule,
				   struct fields_streamed_bytes *bytes)
{
	struct fields fields = {.device = device, .grid = *grid, .single = single, .on_gpu = fields_suit_gpu(device)};
	struct streaming streaming = {0};
	struct schedule own = *schedule;
	struct layout_sizes sizes;

	layout_make(grid, fields.on_gpu, &fields.layout, &sizes);
	fields.layout.index_bytes = index_bytes_of(media, has_edges || has_faces);
	own.planes = fields.layout.end[0];
	sonde_status status = streaming_make(device, &fields.layout, &own, &streaming);
	streaming.dry = true;
	fields.streaming = &streaming;
	if (status == SONDE_OK)
		status = count_arrays(&fields, &sizes, has_edges, has_faces);
	const bool filed = own.store != NULL;
	*bytes = (struct fields_streamed_bytes){.device = streaming.window_bytes,
						.host = filed ? store_memory(&streaming) : streaming.host_bytes,
						.file = filed ? streaming.host_bytes : 0.0,
						.all = streaming.bytes,
						.least_host = filed ? store_least_memory(&streaming) : 0.0};
	streaming_free(&streaming);
	return status;
}

/* The fields, or the imaginary part of complex ones, which is streamed together with the real one. */
static sonde_status make_part(struct device *device, const struct fdtd_grid *grid, const struct media *media,
			      bool single, struct streaming *streaming, const struct schedule *schedule,
			      struct fields *fields)
{
	struct fdtd_step *layout = &fields->layout;
	struct layout_sizes sizes;

	*fields = (struct fields){.device = device,
				  .grid = *grid,
				  .single = single,
				  .threads = media->threads,
				  .streaming = streaming,
				  .most_times = MOST_SAMPLES};
	CHECK(grid_check(grid));
	fields->on_gpu = fields_suit_gpu(device);
	layout_make(grid, fields->on_gpu, layout, &sizes);
	fields->own = schedule != NULL && (schedule->kept || schedule->shared)
			  ? schedule->own
			  : (struct plane_range){0, layout->end[0]};
	if (schedule != NULL)
		CHECK(make_streaming(fields, media, schedule));
	layout->index_bytes = index_bytes_of(media->count, media->edges[0] != NULL || media->faces[0] != NULL);
	layout->components[FIELD_E] = layout->components[FIELD_H] = ALL_COMPONENTS;
	layout->electric = media->edges[0] != NULL;
	layout->magnetic = media->faces[0] != NULL;
	share_rows(layout, device_workers(device));
	if (fields->on_gpu)
		CHECK(fields_on_gpu_make(fields));
	CHECK(find_kernels(fields));
	CHECK(upload_profile(fields, sizes.profile));
	CHECK(upload_tables(fields, media));
	CHECK(media_index_upload(fields, media, FIELD_E));
	CHECK(media_index_upload(fields, media, FIELD_H));
	CHECK(polarizations_make(fields, media));
	CHECK(smoothing_make(fields, media));
	CHECK(answering_make(fields, media));
	CHECK(allocate_fields(fields, &sizes));
	if (grid->bloch)
		CHECK(make_imaginary(fields, media));
	return device_upload(device, layout, sizeof *layout, "the grid", &fields->step);
}

sonde_status fields_make_streamed(struct device *device, const struct fdtd_grid *grid, const struct media *media,
				  bool single, const struct schedule *schedule, struct fields *fields)
{
	return make_part(device, grid, media, single, NULL, schedule, fields);
}

sonde_status fields_make(struct device *device, const struct fdtd_grid *grid, const struct media *media, bool single,
			 struct fields *fields)
{
	return make_part(device, grid, media, single, NULL, NULL, fields);
}

uint32_t fields_least_planes(uint32_t height, bool lag)
{
	return height * (lag ? 2 : 1) + (lag ? 1 : 0);
}

static sonde_status check_devices(const struct fields_devices *on, const struct fields *fields, bool lag)
{
	uint32_t before = on->begin;

	if (fields->grid.walls[0][0] == WALL_PERIODIC)
		return status_fail(SONDE_INVALID, "a grid that is periodic along x cannot be on several devices");
	for (int n = 0; n < on->count; before = on->end[n++])
		if (on->end[n] < before + fields_least_planes(on->height, lag))
			return status_fail(SONDE_INVALID, "a device has %u planes of the grid, and needs at least %u",
					   on->end[n] - before, fields_least_planes(on->height, lag));
	return before == (uint32_t)grid_end_node(&fields->grid, 0) || on->ranks != NULL
		   ? SONDE_OK
		   : status_fail(SONDE_INTERNAL, "the devices have %u planes", before);
}

/* The next of several devices. */
static sonde_status make_beside(struct fields **now)
{
	CHECK(memory_allocate(&(*now)->beside, 1, sizeof **now, "the fields"));
	*now = (*now)->beside;
	return SONDE_OK;
}

static void link_streaming(const struct fields *fields)
{
	for (const struct fields *now = fields; now->beside != NULL; now = now->beside)
		now->streaming->beside = now->beside->streaming;
}

static struct plane_range planes_of(const struct fields_devices *on, int n)
{
	return (struct plane_range){n > 0 ? on->end[n - 1] : on->begin, on->end[n]};
}

/* On devices through which their own planes go. */
static sonde_status make_shared(const struct fields_devices *on, const struct fdtd_grid *grid,
				const struct media *media, bool single, struct fields *fields)
{
	struct schedule schedule = *on->streamed;
	struct fields *now = fields;

	schedule.shared = true;
	for (int n = 0; n < on->count; ++n) {
		if (n > 0)
			CHECK(make_beside(&now));
		schedule.own = planes_of(on, n);
		CHECK(make_part(on->devices[n], grid, media, single, NULL, &schedule, now));
		now->ranks = now->streaming->ranks = on->ranks;
		if (n == 0)
			CHECK(check_devices(on, fields, fields_lag(media)));
	}
	link_streaming(fields);
	return host_exchange_prepare(fields->streaming, media->threads);
}

sonde_status fields_make_on(const struct fields_devices *on, const struct fdtd_grid *grid, const struct media *media,
			    bool single, struct fields *fields)
{
	const bool in_turn = on->width > 0;
	struct schedule schedule = {.width = on->width,
				    .height = on->height,
				    .kept = !in_turn,
				    .chain = in_turn ? (uint32_t)on->count : 0,
				    .whole = in_turn && on->whole};
	struct fields *now = fields;

	if (on->count == 1 && on->ranks == NULL)
		return fields_make(on->devices[0], grid, media, single, fields);
	if (on->streamed != NULL)
		return make_shared(on, grid, media, single, fields);
	for (int n = 0; n < on->count; ++n) {
		schedule.position = in_turn ? (uint32_t)n : 0;
		if (!in_turn) {
			schedule.own = planes_of(on, n);
			schedule.width = schedule.own.end - schedule.own.begin;
		}
		if (n > 0)
			CHECK(make_beside(&now));
		CHECK(make_part(on->devices[n], grid, media, single, NULL, &schedule, now));
		now->ranks = now->streaming->ranks = on->ranks;
		if (n == 0 && !in_turn)
			CHECK(check_devices(on, fields, fields_lag(media)));
	}
	link_streaming(fields);
	if (in_turn)
		return chain_prepare(fields->streaming);
	CHECK(exchange_prepare(fields->streaming));
	return rank_exchange_prepare(fields->streaming);
}

void fields_release(struct fields *fields)
{
	struct device_buffer *const whole[] = {&fields->step,      &fields->profile, &fields->tables[0],
					       &fields->tables[1], &fields->turns,   &fields->counters},
				    *const by_planes[] = {&fields->psi,        &fields->buffers[0],
							  &fields->buffers[1], &fields->index[0],
							  &fields->index[1],   &fields->segments[0],
							  &fields->segments[1]};

	if (fields->device == NULL)
		return;
	if (fields->owns_streaming)
		chain_free(fields->streaming);
	if (fields->beside != NULL)
		fields_release(fields->beside);
	free(fields->beside);
	fields->beside = NULL;
	fields_forget_next(fields);
	if (fields->imaginary != NULL)
		fields_release(fields->imaginary);
	free(fields->imaginary);
	polarizations_release(fields);
	smoothing_release(fields);
	answering_release(fields);
	for (size_t k = 0; k < sizeof whole / sizeof *whole; ++k)
		device_release(fields->device, whole[k]);
	for (size_t k = 0; k < sizeof by_planes / sizeof *by_planes; ++k)
		streaming_release(fields->streaming, fields->device, by_planes[k]);
	if (fields->owns_streaming) {
		exchange_free(fields->streaming);
		rank_exchange_free(fields->streaming);
		host_exchange_free(fields->streaming);
		streaming_free(fields->streaming);
		free(fields->streaming);
	}
	*fields = (struct fields){0};
}

/* Steps ------------------------------------------------------------------------------------ */

sonde_status fields_step_only(struct fields *fields, uint32_t of_e, uint32_t of_h)
{
	fields->layout.components[FIELD_E] = of_e;
	fields->layout.components[FIELD_H] = of_h;
	if (fields->imaginary != NULL)
		CHECK(fields_step_only(fields->imaginary, of_e, of_h));
	if (fields->beside != NULL)
		CHECK(fields_step_only(fields->beside, of_e, of_h));
	if (fields->on_gpu)
		CHECK(fields_find_half_steps(fields));
	return device_write(fields->device, &fields->step, 0, &fields->layout, sizeof fields->layout);
}

/* Responses of the media that are not part of the step of E: poles, answers at metal surfaces, tensors. */
static sonde_status answer(struct fields *fields, uint32_t first, uint32_t count)
{
	CHECK(polarizations_step(fields, first, count));
	CHECK(answering_step(fields, first, count));
	return smoothing_step(fields, first, count);
}

sonde_status fields_close(struct fields *fields, enum field field, uint32_t first, uint32_t count)
{
	if (field == FIELD_E)
		CHECK(answer(fields, first, count));
	if (field == FIELD_E && fields->imaginary != NULL)
		CHECK(answer(fields->imaginary, first, count));
	return walls_fill(fields, field, first, count);
}

sonde_status fields_step(struct fields *fields, enum field field, uint32_t first, uint32_t count)
{
	const struct fdtd_step *layout = &fields->layout;
	uint32_t end = first + count, slabs = (count + layout->planes_of_group - 1) / layout->planes_of_group;
	const struct device_buffer *stepped = &fields->buffers[field], *turning = &fields->buffers[1 - field];
	const struct device_argument arguments[] = {DEVICE_ARGUMENT(fields->step.memory),
						    DEVICE_ARGUMENT(stepped->memory),
						    DEVICE_ARGUMENT(turning->memory),
						    DEVICE_ARGUMENT(fields->psi.memory),
						    DEVICE_ARGUMENT(fields->profile.memory),
						    DEVICE_ARGUMENT(fields->tables[field].memory),
						    DEVICE_ARGUMENT(fields->index[field].memory),
						    DEVICE_ARGUMENT(fields->segments[field].memory),
						    DEVICE_ARGUMENT(first),
						    DEVICE_ARGUMENT(end)};

	if (fields->imaginary != NULL)
		CHECK(fields_step(fields->imaginary, field, first, count));
	if (fields->on_gpu)
		return fields_step_on_gpu(fields, field, first, end);
	return device_launch(fields->device, &fields->kernels[field], slabs * layout->groups_of_plane, arguments, 10);
}
