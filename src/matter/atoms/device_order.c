#include "matter/atoms/device_order.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "matter/atoms/order_kernels.h"
#include "matter/atoms/order_tables.h"

#define ITEMS 256u

#define KERNELS_DEF "matter/kernels.def"
#include "device/kernel_table.h"

static const struct device_program program = {"order of atoms", kernels, order_self_test};

static uint32_t items_of(const struct device *device)
{
	return device_properties(device)->most_work_items >= ITEMS ? ITEMS : 1;
}

#define NUMBER (uint32_t)sizeof(double)
#define WORD (uint32_t)sizeof(uint32_t)

/* Their names, and bytes of local memory: for each work-item, and in addition. */
static const struct {
	const char *name;
	uint32_t each, more;
} order_kernels[ORDERING_KERNELS] = {
    [ORDERING_GATHER] = {"order_gather", 0, 0},
    [ORDERING_NEAR] = {"order_near", 0, 0},
    [ORDERING_BOXES] = {"order_boxes", ORDER_BOX *NUMBER, 0},
    [ORDERING_DIGITS] = {"order_digits", ORDER_BOX *NUMBER, ORDER_DIGITS *WORD},
    [ORDERING_CUTS] = {"order_cuts", WORD, ORDER_DIGITS *WORD},
    [ORDERING_MOVE] = {"order_move", 2 * WORD, 0},
    [ORDERING_FINISH] = {"order_finish", 0,
			 (6u * ORDER_FINISHED +
			  ORDER_BOX * (ORDER_FINISHED / ORDER_RUN + ORDER_FINISHED / ORDER_TILE)) *
			     WORD},
    [ORDERING_EXTENTS] = {"order_extents", 2 * NUMBER + 2 * WORD, 0},
    [ORDERING_RECORDS] = {"order_records", 0, 0},
    [ORDERING_CENTER] = {"order_center", 0, 0}};

sonde_status order_find_kernel(struct device *device, enum order_kernel which, struct device_kernel *kernel)
{
	const uint32_t items = items_of(device);

	return device_kernel(device, &program, order_kernels[which].name, items,
			     order_kernels[which].each * items + order_kernels[which].more, NULL, 0, kernel);
}

/* The order ------------------------------------------------------------------------------------------------------ */

struct ordering {
	struct device *device;
	const sonde_atoms *atoms;
	const struct device_order_form *form;
	struct device_positions from;
	struct device_buffer uploaded, numbers, tables, boxes, counts, cuts, wrong, tile_boxes;
	struct order_coordinates at[2];
	struct order_tables of;
};

static void release_ordering(struct ordering *ordering)
{
	struct device_buffer *buffers[] = {&ordering->uploaded, &ordering->numbers,   &ordering->tables,
					   &ordering->boxes,    &ordering->counts,    &ordering->cuts,
					   &ordering->wrong,    &ordering->tile_boxes};

	for (size_t k = 0; k < sizeof buffers / sizeof *buffers; ++k)
		device_release(ordering->device, buffers[k]);
	order_coordinates_release(ordering->device, &ordering->at[0]);
	order_coordinates_release(ordering->device, &ordering->at[1]);
	free(ordering->of.words);
}

/* Numbers of the atoms, species by species, unless they are in this order already. */
static sonde_status upload_numbers(struct ordering *ordering)
{
	const sonde_atoms *atoms = ordering->atoms;
	bool sorted = true;
	uint32_t *numbers, *next;

	for (int64_t i = 1; i < atoms->count && sorted; ++i)
		sorted = atoms->species_of[i - 1] <= atoms->species_of[i];
	if (sorted)
		return SONDE_OK;
	CHECK(memory_allocate_to_fill(&numbers, (size_t)atoms->count, sizeof *numbers, "the order of the atoms"));
	sonde_status status =
	    memory_allocate(&next, (size_t)atoms->species_count, sizeof *next, "the order of the atoms");
	if (status == SONDE_OK) {
		uint32_t place = 0;
		for (int s = 0; s < atoms->species_count; ++s) {
			next[s] = place;
			place += (uint32_t)atoms->species[s].atoms;
		}
		for (int64_t i = 0; i < atoms->count; ++i)
			numbers[next[atoms->species_of[i]]++] = (uint32_t)i;
		free(next);
		status = device_upload(ordering->device, numbers, (size_t)atoms->count * sizeof *numbers,
				       "the order of the atoms", &ordering->numbers);
	}
	free(numbers);
	return status;
}

static sonde_status upload_positions(struct ordering *ordering)
{
	CHECK(device_upload(ordering->device, ordering->atoms->positions,
			    3 * (size_t)ordering->atoms->count * sizeof(double), "the atoms", &ordering->uploaded));
	ordering->from = (struct device_positions){.numbers = ordering->uploaded, .row_step = 3, .column_step = 1};
	return SONDE_OK;
}

static sonde_status allocate(struct ordering *ordering, struct device_order *order)
{
	const struct order_tables *of = &ordering->of;
	struct device *device = ordering->device;
	const uint32_t count = (uint32_t)ordering->atoms->count;
	const size_t bytes = (size_t)ordering->form->size * sizeof(double);

	CHECK(device_upload(device, of->words, of->count * sizeof *of->words, "the order of the atoms",
			    &ordering->tables));
	CHECK(device_allocate(device, sizeof(uint32_t), "the order of the atoms", &ordering->wrong));
	CHECK(device_allocate(device, of->tile_count * sizeof *order->boxes, "the tiles", &ordering->tile_boxes));
	CHECK(order_coordinates_allocate(device, count, &ordering->at[0]));
	CHECK(device_allocate(device, bytes, "the atoms", &order->x));
	CHECK(device_allocate(device, bytes, "the atoms", &order->y));
	CHECK(device_allocate(device, bytes, "the atoms", &order->z));
	if (of->levels == 0)
		return SONDE_OK;
	CHECK(order_coordinates_allocate(device, count, &ordering->at[1]));
	CHECK(device_allocate(device, (size_t)of->most_blocks * ORDER_BOX * sizeof(double), "the order of the atoms",
			      &ordering->boxes));
	CHECK(device_allocate(device, (size_t)of->most_blocks * ORDER_DIGITS * sizeof(uint32_t),
			      "the order of the atoms", &ordering->counts));
	return device_allocate(device, (size_t)of->most_pieces * ORDER_CUT_NUMBERS * sizeof(double),
			       "the order of the atoms", &ordering->cuts);
}

/* All pieces of a level are cut in two. */
static sonde_status cut_level(struct ordering *ordering, int level)
{
	struct device *device = ordering->device;
	const uint32_t pieces = ordering->of.level[level].pieces, blocks = ordering->of.level[level].blocks,
		       block_count = ordering->of.level[level].block_count;
	const struct device_buffer *from = ordering->at[level % 2].axis, *to = ordering->at[1 - level % 2].axis;
	struct device_kernel boxes, digits, cuts, move;

	CHECK(order_find_kernel(device, ORDERING_BOXES, &boxes));
	CHECK(order_find_kernel(device, ORDERING_DIGITS, &digits));
	CHECK(order_find_kernel(device, ORDERING_CUTS, &cuts));
	CHECK(order_find_kernel(device, ORDERING_MOVE, &move));
	const struct device_argument of_boxes[] = {
	    DEVICE_ARGUMENT(ordering->tables.memory), DEVICE_ARGUMENT(blocks),
	    DEVICE_ARGUMENT(from[0].memory),          DEVICE_ARGUMENT(from[1].memory),
	    DEVICE_ARGUMENT(from[2].memory),          DEVICE_ARGUMENT(ordering->boxes.memory)};
	CHECK(device_launch(device, &boxes, block_count, of_boxes, 6));
	const struct device_argument of_digits[] = {DEVICE_ARGUMENT(ordering->tables.memory),
						    DEVICE_ARGUMENT(pieces),
						    DEVICE_ARGUMENT(blocks),
						    DEVICE_ARGUMENT(from[0].memory),
						    DEVICE_ARGUMENT(from[1].memory),
						    DEVICE_ARGUMENT(from[2].memory),
						    DEVICE_ARGUMENT(ordering->boxes.memory),
						    DEVICE_ARGUMENT(ordering->cuts.memory),
						    DEVICE_ARGUMENT(ordering->counts.memory)};
	CHECK(device_launch(device, &digits, block_count, of_digits, 9));
	const struct device_argument of_cuts[] = {DEVICE_ARGUMENT(ordering->tables.memory), DEVICE_ARGUMENT(pieces),
						  DEVICE_ARGUMENT(ordering->counts.memory),
						  DEVICE_ARGUMENT(ordering->cuts.memory)};
	CHECK(device_launch(device, &cuts, ordering->of.level[level].piece_count, of_cuts, 4));
	const struct device_argument of_move[] = {DEVICE_ARGUMENT(ordering->tables.memory),
						  DEVICE_ARGUMENT(pieces),
						  DEVICE_ARGUMENT(blocks),
						  DEVICE_ARGUMENT(ordering->cuts.memory),
						  DEVICE_ARGUMENT(ordering->counts.memory),
						  DEVICE_ARGUMENT(from[0].memory),
						  DEVICE_ARGUMENT(from[1].memory),
						  DEVICE_ARGUMENT(from[2].memory),
						  DEVICE_ARGUMENT(to[0].memory),
						  DEVICE_ARGUMENT(to[1].memory),
						  DEVICE_ARGUMENT(to[2].memory)};
	return device_launch(device, &move, block_count, of_move, 11);
}

static uint32_t unit_of(const struct device_order_form *form)
{
	return form->unit > 0 ? form->unit : ORDER_UNIT;
}

static sonde_status finish(struct ordering *ordering, struct device_order *order)
{
	const struct device_buffer *first = ordering->at[0].axis,
				   *second = ordering->at[ordering->of.levels > 0].axis;
	const struct device_order_form *form = ordering->form;
	const uint32_t unit = unit_of(form);
	struct device_kernel kernel;

	CHECK(order_find_kernel(ordering->device, ORDERING_FINISH, &kernel));
	const struct device_argument arguments[] = {DEVICE_ARGUMENT(ordering->tables.memory),
						    DEVICE_ARGUMENT(ordering->of.last),
						    DEVICE_ARGUMENT(first[0].memory),
						    DEVICE_ARGUMENT(first[1].memory),
						    DEVICE_ARGUMENT(first[2].memory),
						    DEVICE_ARGUMENT(second[0].memory),
						    DEVICE_ARGUMENT(second[1].memory),
						    DEVICE_ARGUMENT(second[2].memory),
						    DEVICE_ARGUMENT(form->factor),
						    DEVICE_ARGUMENT(form->fractions),
						    DEVICE_ARGUMENT(unit),
						    DEVICE_ARGUMENT(order->x.memory),
						    DEVICE_ARGUMENT(order->y.memory),
						    DEVICE_ARGUMENT(order->z.memory),
						    DEVICE_ARGUMENT(ordering->tile_boxes.memory)};
	CHECK(device_launch(ordering->device, &kernel, ordering->of.last_count, arguments, 15));
	CHECK(device_read(ordering->device, &ordering->tile_boxes, 0, order->boxes,
			  ordering->of.tile_count * sizeof *order->boxes));
	uint32_t wrong;
	CHECK(device_read(ordering->device, &ordering->wrong, 0, &wrong, sizeof wrong));
	return wrong == 0 ? SONDE_OK
			  : status_fail(SONDE_INVALID,
					"the order of the atoms: a coordinate is not within +-%g "
					"Angstrom",
					ATOMS_LARGEST_PLACE);
}

static sonde_status find_order(struct ordering *ordering, struct device_order *order)
{
	CHECK(order_tables_make(ordering->atoms, ordering->form->places, unit_of(ordering->form), &ordering->of));
	order->tile_count = ordering->of.tile_count;
	CHECK(memory_allocate(&order->boxes, order->tile_count, sizeof *order->boxes, "the tiles"));
	if (ordering->from.numbers.memory == NULL)
		CHECK(upload_positions(ordering));
	CHECK(upload_numbers(ordering));
	CHECK(allocate(ordering, order));
	const struct order_gathering all = {.from = &ordering->from,
					    .numbers = ordering->numbers.memory != NULL ? &ordering->numbers : NULL,
					    .cell = ordering->form->cell,
					    .count = (uint32_t)ordering->atoms->count};
	CHECK(order_gather(ordering->device, &all, &ordering->at[0], &ordering->wrong));
	for (int level = 0; level < ordering->of.levels; ++level)
		CHECK(cut_level(ordering, level));
	return finish(ordering, order);
}

sonde_status device_order_find(struct device *device, const sonde_atoms *atoms, const struct device_positions *from,
			       const struct device_order_form *form, struct device_order *order)
{
	struct ordering ordering = {.device = device, .atoms = atoms, .form = form};

	*order = (struct device_order){.device = device};
	if (from != NULL)
		ordering.from = *from;
	const int queue = device_use_queue(device, DEVICE_QUEUE_AHEAD);
	const sonde_status status = find_order(&ordering, order);
	release_ordering(&ordering);
	device_use_queue(device, queue);
	return status;
}

void device_order_release(struct device_order *order)
{
	if (order->device == NULL)
		return;
	device_release(order->device, &order->x);
	device_release(order->device, &order->y);
	device_release(order->device, &order->z);
	free(order->boxes);
	*order = (struct device_order){0};
}

/* Tiles ----------------------------------------------------------------------------------------------------------- */

sonde_status device_order_center(const struct device_order *order, const struct device_order_tile *tiles,
				 const double (*middles)[3], uint32_t count, uint32_t tile_atoms, bool single,
				 struct device_buffer *to)
{
	const uint32_t is_single = single;
	struct device *device = order->device;
	struct device_buffer of = {0}, at = {0};
	struct device_kernel kernel;
	sonde_status status;

	_Static_assert(sizeof *tiles == 2 * sizeof(uint32_t), "tiles are as the kernel takes them");
	CHECK_GOTO(status, order_find_kernel(device, ORDERING_CENTER, &kernel), done);
	CHECK_GOTO(status, device_upload(device, tiles, count * sizeof *tiles, "the atoms", &of), done);
	CHECK_GOTO(status, device_upload(device, middles, count * sizeof *middles, "the atoms", &at), done);
	const struct device_argument arguments[] = {
	    DEVICE_ARGUMENT(order->x.memory), DEVICE_ARGUMENT(order->y.memory), DEVICE_ARGUMENT(order->z.memory),
	    DEVICE_ARGUMENT(of.memory),       DEVICE_ARGUMENT(at.memory),       DEVICE_ARGUMENT(tile_atoms),
	    DEVICE_ARGUMENT(is_single),       DEVICE_ARGUMENT(to->memory),      DEVICE_ARGUMENT(to->memory)};
	CHECK_GOTO(status, device_launch(device, &kernel, count, arguments, 9), done);
	status = device_wait(device); /* for the other queues */
done:
	device_release(device, &of);
	device_release(device, &at);
	return status;
}
