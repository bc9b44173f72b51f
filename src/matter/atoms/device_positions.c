#include "matter/atoms/device_positions.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "matter/atoms/order_kernels.h"

void order_coordinates_release(struct device *device, struct order_coordinates *coordinates)
{
	for (int k = 0; k < 3; ++k)
		device_release(device, &coordinates->axis[k]);
}

sonde_status order_coordinates_allocate(struct device *device, uint32_t count, struct order_coordinates *coordinates)
{
	for (int k = 0; k < 3; ++k)
		CHECK(device_allocate(device, (size_t)count * sizeof(double), "the order of the atoms",
				      &coordinates->axis[k]));
	return SONDE_OK;
}

sonde_status order_gather(struct device *device, const struct order_gathering *gathering,
			  struct order_coordinates *to, struct device_buffer *wrong)
{
	static const double nowhere[ORDER_CELL_NUMBERS] = {0};
	const struct device_positions *from = gathering->from;
	const uint32_t use_numbers = gathering->numbers != NULL, is_single = from->is_single;
	const double limit = ATOMS_LARGEST_PLACE;
	struct device_buffer cell = {0};
	struct device_kernel kernel;

	CHECK(order_find_kernel(device, ORDERING_GATHER, &kernel));
	CHECK(device_upload(device, gathering->cell != NULL ? gathering->cell : nowhere, sizeof nowhere, "the cell",
			    &cell));
	const struct device_buffer *numbers = use_numbers ? gathering->numbers : wrong;
	const struct device_argument arguments[] = {DEVICE_ARGUMENT(numbers->memory),
						    DEVICE_ARGUMENT(use_numbers),
						    DEVICE_ARGUMENT(from->numbers.memory),
						    DEVICE_ARGUMENT(from->numbers.memory),
						    DEVICE_ARGUMENT(is_single),
						    DEVICE_ARGUMENT(from->first),
						    DEVICE_ARGUMENT(from->row_step),
						    DEVICE_ARGUMENT(from->column_step),
						    DEVICE_ARGUMENT(gathering->count),
						    DEVICE_ARGUMENT(cell.memory),
						    DEVICE_ARGUMENT(limit),
						    DEVICE_ARGUMENT(to->axis[0].memory),
						    DEVICE_ARGUMENT(to->axis[1].memory),
						    DEVICE_ARGUMENT(to->axis[2].memory),
						    DEVICE_ARGUMENT(wrong->memory)};
	const sonde_status status = device_launch(device, &kernel, order_groups_of(gathering->count), arguments, 15);
	device_release(device, &cell);
	return status;
}

static sonde_status box_of(struct device *device, const struct order_coordinates *at, uint32_t count, uint32_t blocks,
			   double (*boxes)[ORDER_BOX])
{
	const uint32_t each = (count + blocks - 1) / blocks, first_word = 0;
	struct device_buffer tables = {0}, found = {0};
	struct device_kernel kernel;
	uint32_t words[ORDER_BLOCKS * ORDER_BLOCK_WORDS] = {0};
	sonde_status status;

	for (uint32_t b = 0; b < blocks; ++b) {
		words[ORDER_BLOCK_WORDS * b + ORDER_BLOCK_FIRST] = b * each;
		words[ORDER_BLOCK_WORDS * b + ORDER_BLOCK_END] = count - b * each < each ? count : (b + 1) * each;
	}
	CHECK_GOTO(status, order_find_kernel(device, ORDERING_BOXES, &kernel), done);
	CHECK_GOTO(status, device_upload(device, words, sizeof words, "the order of the atoms", &tables), done);
	CHECK_GOTO(status, device_allocate(device, blocks * sizeof *boxes, "the order of the atoms", &found), done);
	const struct device_argument arguments[] = {
	    DEVICE_ARGUMENT(tables.memory),      DEVICE_ARGUMENT(first_word),
	    DEVICE_ARGUMENT(at->axis[0].memory), DEVICE_ARGUMENT(at->axis[1].memory),
	    DEVICE_ARGUMENT(at->axis[2].memory), DEVICE_ARGUMENT(found.memory)};
	CHECK_GOTO(status, device_launch(device, &kernel, blocks, arguments, 6), done);
	status = device_read(device, &found, 0, boxes, blocks * sizeof *boxes);
done:
	device_release(device, &tables);
	device_release(device, &found);
	return status;
}

sonde_status device_positions_box(struct device *device, const struct device_positions *from, int64_t count,
				  double box[ORDER_BOX], bool *within)
{
	const struct order_gathering all = {.from = from, .count = (uint32_t)count};
	const uint32_t each = (all.count + ORDER_BLOCKS - 1) / ORDER_BLOCKS, blocks = (all.count + each - 1) / each;
	double boxes[ORDER_BLOCKS][ORDER_BOX];
	struct order_coordinates at = {0};
	struct device_buffer wrong = {0};
	uint32_t is_wrong = 1;
	sonde_status status;

	const int queue = device_use_queue(device, DEVICE_QUEUE_AHEAD);
	CHECK_GOTO(status, device_allocate(device, sizeof is_wrong, "the positions", &wrong), done);
	CHECK_GOTO(status, order_coordinates_allocate(device, all.count, &at), done);
	CHECK_GOTO(status, order_gather(device, &all, &at, &wrong), done);
	CHECK_GOTO(status, box_of(device, &at, all.count, blocks, boxes), done);
	status = device_read(device, &wrong, 0, &is_wrong, sizeof is_wrong);
	*within = is_wrong == 0;
	for (int k = 0; status == SONDE_OK && k < (int)ORDER_BOX; ++k) {
		box[k] = boxes[0][k];
		for (uint32_t b = 1; b < blocks; ++b)
			box[k] = k % 2 == 0 ? fmin(box[k], boxes[b][k]) : fmax(box[k], boxes[b][k]);
	}
done:
	order_coordinates_release(device, &at);
	device_release(device, &wrong);
	device_use_queue(device, queue);
	return status;
}

static int compare_numbers(const void *a, const void *b)
{
	const uint32_t p = *(const uint32_t *)a, q = *(const uint32_t *)b;

	return p < q ? -1 : p > q;
}

static sonde_status find_near(struct device *device, const struct order_coordinates *at, uint32_t count,
			      const struct device_buffer *box, uint32_t most, const struct device_buffer *list)
{
	struct device_kernel kernel;

	CHECK(order_find_kernel(device, ORDERING_NEAR, &kernel));
	const struct device_argument arguments[] = {
	    DEVICE_ARGUMENT(at->axis[0].memory), DEVICE_ARGUMENT(at->axis[1].memory),
	    DEVICE_ARGUMENT(at->axis[2].memory), DEVICE_ARGUMENT(count),
	    DEVICE_ARGUMENT(box->memory),        DEVICE_ARGUMENT(most),
	    DEVICE_ARGUMENT(list->memory)};
	return device_launch(device, &kernel, order_groups_of(count), arguments, 7);
}

sonde_status device_positions_within(struct device *device, const struct device_positions *from, uint32_t count,
				     const double box[ORDER_BOX], uint32_t most, uint32_t *numbers, uint32_t *found)
{
	const struct order_gathering all = {.from = from, .count = count};
	struct device_buffer wrong = {0}, ends = {0}, list = {0};
	struct order_coordinates at = {0};
	sonde_status status;

	const int queue = device_use_queue(device, DEVICE_QUEUE_AHEAD);
	CHECK_GOTO(status, device_allocate(device, sizeof(uint32_t), "the positions", &wrong), done);
	CHECK_GOTO(status, device_upload(device, box, ORDER_BOX * sizeof *box, "the positions", &ends), done);
	CHECK_GOTO(status, device_allocate(device, ((size_t)most + 1) * sizeof *numbers, "the positions", &list),
		   done);
	CHECK_GOTO(status, order_coordinates_allocate(device, count, &at), done);
	CHECK_GOTO(status, order_gather(device, &all, &at, &wrong), done);
	CHECK_GOTO(status, find_near(device, &at, count, &ends, most, &list), done);
	CHECK_GOTO(status, device_read(device, &list, 0, found, sizeof *found), done);
	const uint32_t listed = *found < most ? *found : most;
	if (listed > 0)
		CHECK_GOTO(status, device_read(device, &list, sizeof *found, numbers, listed * sizeof *numbers),
			   done);
	qsort(numbers, listed, sizeof *numbers, compare_numbers);
done:
	order_coordinates_release(device, &at);
	device_release(device, &wrong);
	device_release(device, &ends);
	device_release(device, &list);
	device_use_queue(device, queue);
	return status;
}

sonde_status device_positions_pick(struct device *device, const struct device_positions *from,
				   const uint32_t *numbers, uint32_t count, double *positions)
{
	struct device_buffer chosen = {0}, wrong = {0};
	const struct order_gathering some = {.from = from, .numbers = &chosen, .count = count};
	struct order_coordinates at = {0};
	double *axis = NULL;
	sonde_status status;

	const int queue = device_use_queue(device, DEVICE_QUEUE_AHEAD);
	CHECK_GOTO(status, memory_allocate(&axis, count, sizeof *axis, "the positions"), done);
	CHECK_GOTO(status, device_upload(device, numbers, count * sizeof *numbers, "the positions", &chosen), done);
	CHECK_GOTO(status, device_allocate(device, sizeof(uint32_t), "the positions", &wrong), done);
	CHECK_GOTO(status, order_coordinates_allocate(device, count, &at), done);
	CHECK_GOTO(status, order_gather(device, &some, &at, &wrong), done);
	for (uint32_t k = 0; k < 3; ++k) {
		CHECK_GOTO(status, device_read(device, &at.axis[k], 0, axis, count * sizeof *axis), done);
		for (uint32_t i = 0; i < count; ++i)
			positions[3 * (size_t)i + k] = axis[i];
	}
done:
	free(axis);
	order_coordinates_release(device, &at);
	device_release(device, &chosen);
	device_release(device, &wrong);
	device_use_queue(device, queue);
	return status;
}

/* Extents --------------------------------------------------------------------------------------------------------- */

/* Of each group, the two ends along each direction. */
struct found_extents {
	double ends[ORDER_BLOCKS * DEVICE_MOST_DIRECTIONS * 2];
	uint32_t which[ORDER_BLOCKS * DEVICE_MOST_DIRECTIONS * 2];
};

static sonde_status find_extents(struct device *device, const struct device_positions *from, uint32_t count,
				 uint32_t each, uint32_t groups, uint32_t directions,
				 const struct device_buffer *given, struct found_extents *found)
{
	const uint32_t single = from->is_single;
	const size_t numbers = 2 * (size_t)groups * directions;
	struct device_buffer ends = {0}, which = {0};
	struct device_kernel kernel;
	sonde_status status;

	CHECK_GOTO(status, order_find_kernel(device, ORDERING_EXTENTS, &kernel), done);
	CHECK_GOTO(status, device_allocate(device, numbers * sizeof *found->ends, "the positions", &ends), done);
	CHECK_GOTO(status, device_allocate(device, numbers * sizeof *found->which, "the positions", &which), done);
	const struct device_argument arguments[] = {DEVICE_ARGUMENT(from->numbers.memory),
						    DEVICE_ARGUMENT(from->numbers.memory),
						    DEVICE_ARGUMENT(single),
						    DEVICE_ARGUMENT(from->first),
						    DEVICE_ARGUMENT(from->row_step),
						    DEVICE_ARGUMENT(from->column_step),
						    DEVICE_ARGUMENT(count),
						    DEVICE_ARGUMENT(each),
						    DEVICE_ARGUMENT(given->memory),
						    DEVICE_ARGUMENT(directions),
						    DEVICE_ARGUMENT(ends.memory),
						    DEVICE_ARGUMENT(which.memory)};
	CHECK_GOTO(status, device_launch(device, &kernel, groups, arguments, 12), done);
	CHECK_GOTO(status, device_read(device, &ends, 0, found->ends, numbers * sizeof *found->ends), done);
	status = device_read(device, &which, 0, found->which, numbers * sizeof *found->which);
done:
	device_release(device, &ends);
	device_release(device, &which);
	return status;
}

/* Groups have atoms one after the other, so that of equal ones the first is that of the first group. */
static void join_extents(const struct found_extents *found, uint32_t groups, uint32_t directions,
			 struct device_extents *extents)
{
	for (uint32_t d = 0; d < directions; ++d)
		for (uint32_t g = 0; g < groups; ++g) {
			const size_t at = 2 * ((size_t)g * directions + d);
			if (g == 0 || found->ends[at] < extents->low[d]) {
				extents->low[d] = found->ends[at];
				extents->lowest[d] = found->which[at];
			}
			if (g == 0 || found->ends[at + 1] > extents->high[d]) {
				extents->high[d] = found->ends[at + 1];
				extents->highest[d] = found->which[at + 1];
			}
		}
}

sonde_status device_positions_extents(struct device *device, const struct device_positions *from, uint32_t count,
				      const double origin[3], const double (*directions)[3], uint32_t direction_count,
				      struct device_extents *extents)
{
	const uint32_t each = (count + ORDER_BLOCKS - 1) / ORDER_BLOCKS, groups = (count + each - 1) / each;
	double given[3 + 3 * DEVICE_MOST_DIRECTIONS];
	struct device_buffer buffer = {0};
	struct found_extents *found;

	memcpy(given, origin, 3 * sizeof *given);
	memcpy(given + 3, directions, 3 * direction_count * sizeof *given);
	CHECK(memory_allocate(&found, 1, sizeof *found, "the positions"));
	const int queue = device_use_queue(device, DEVICE_QUEUE_AHEAD);
	sonde_status status =
	    device_upload(device, given, (3 + 3 * direction_count) * sizeof *given, "the positions", &buffer);
	if (status == SONDE_OK)
		status = find_extents(device, from, count, each, groups, direction_count, &buffer, found);
	if (status == SONDE_OK)
		join_extents(found, groups, direction_count, extents);
	device_release(device, &buffer);
	device_use_queue(device, queue);
	free(found);
	return status;
}

/* Records --------------------------------------------------------------------------------------------------------- */

sonde_status device_positions_records(struct device *device, const struct device_positions *from,
				      const uint32_t *numbers, const uint32_t *classes, uint32_t count,
				      const double center[3], struct device_buffer *records)
{
	const uint32_t single = from->is_single;
	struct device_buffer of = {0}, kinds = {0}, origin = {0};
	struct device_kernel kernel;
	sonde_status status;

	const int queue = device_use_queue(device, DEVICE_QUEUE_AHEAD);
	CHECK_GOTO(status, order_find_kernel(device, ORDERING_RECORDS, &kernel), done);
	CHECK_GOTO(status, device_upload(device, numbers, count * sizeof *numbers, "the positions", &of), done);
	CHECK_GOTO(status, device_upload(device, classes, count * sizeof *classes, "the positions", &kinds), done);
	CHECK_GOTO(status, device_upload(device, center, 3 * sizeof *center, "the positions", &origin), done);
	CHECK_GOTO(status, device_allocate(device, 4 * (size_t)count * sizeof(double), "the positions", records),
		   done);
	const struct device_argument arguments[] = {DEVICE_ARGUMENT(of.memory),
						    DEVICE_ARGUMENT(kinds.memory),
						    DEVICE_ARGUMENT(from->numbers.memory),
						    DEVICE_ARGUMENT(from->numbers.memory),
						    DEVICE_ARGUMENT(single),
						    DEVICE_ARGUMENT(from->first),
						    DEVICE_ARGUMENT(from->row_step),
						    DEVICE_ARGUMENT(from->column_step),
						    DEVICE_ARGUMENT(count),
						    DEVICE_ARGUMENT(origin.memory),
						    DEVICE_ARGUMENT(records->memory),
						    DEVICE_ARGUMENT(records->memory)};
	CHECK_GOTO(status, device_launch(device, &kernel, order_groups_of(count), arguments, 12), done);
	status = device_wait(device); /* for the other queues */
done:
	device_release(device, &of);
	device_release(device, &kinds);
	device_release(device, &origin);
	device_use_queue(device, queue);
	return status;
}
