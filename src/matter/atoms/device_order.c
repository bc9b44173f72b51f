#include "matter/atoms/device_order.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "device/self_test.h"
#include "matter/atoms/order_tables.h"

#define ITEMS 256u

static sonde_status self_test(struct device *device);

#define KERNELS_DEF "matter/kernels.def"
#include "device/kernel_table.h"

static const struct device_program program = {"order of atoms", kernels, self_test};

static uint32_t items_of(const struct device *device)
{
	return device_properties(device)->most_work_items >= ITEMS ? ITEMS : 1;
}

static uint32_t groups_of(uint32_t count)
{
	return (count + ORDER_OF_GROUP - 1) / ORDER_OF_GROUP;
}

enum order_kernel { GATHER, NEAR, BOXES, DIGITS, CUTS, MOVE, FINISH, ORDER_KERNELS };

#define NUMBER (uint32_t)sizeof(double)
#define WORD (uint32_t)sizeof(uint32_t)

/* Their names, and bytes of local memory: for each work-item, and in addition. */
static const struct {
	const char *name;
	uint32_t each, more;
} order_kernels[ORDER_KERNELS] = {
    [GATHER] = {"order_gather", 0, 0},
    [NEAR] = {"order_near", 0, 0},
    [BOXES] = {"order_boxes", ORDER_BOX *NUMBER, 0},
    [DIGITS] = {"order_digits", ORDER_BOX *NUMBER, ORDER_DIGITS *WORD},
    [CUTS] = {"order_cuts", WORD, ORDER_DIGITS *WORD},
    [MOVE] = {"order_move", 2 * WORD, 0},
    [FINISH] = {"order_finish", 0,
		(6u * ORDER_FINISHED + ORDER_BOX * (ORDER_FINISHED / ORDER_RUN + ORDER_FINISHED / ORDER_TILE)) *
		    WORD}};

static sonde_status find_kernel(struct device *device, enum order_kernel which, struct device_kernel *kernel)
{
	const uint32_t items = items_of(device);

	return device_kernel(device, &program, order_kernels[which].name, items,
			     order_kernels[which].each * items + order_kernels[which].more, NULL, 0, kernel);
}

/* Positions on the device ---------------------------------------------------------------------------------------- */

/* Three arrays of coordinates. */
struct coordinates {
	struct device_buffer axis[3];
};

static void release_coordinates(struct device *device, struct coordinates *coordinates)
{
	for (int k = 0; k < 3; ++k)
		device_release(device, &coordinates->axis[k]);
}

static sonde_status allocate_coordinates(struct device *device, uint32_t count, struct coordinates *coordinates)
{
	for (int k = 0; k < 3; ++k)
		CHECK(device_allocate(device, (size_t)count * sizeof(double), "the order of the atoms",
				      &coordinates->axis[k]));
	return SONDE_OK;
}

/* Positions of the atoms `numbers`, or of all, if that is null, moved into the cell, unless it is null. */
struct gathering {
	const struct device_positions *from;
	const struct device_buffer *numbers;
	const double *cell;
	uint32_t count;
};

static sonde_status gather(struct device *device, const struct gathering *gathering, struct coordinates *to,
			   struct device_buffer *wrong)
{
	static const double nowhere[ORDER_CELL_NUMBERS] = {0};
	const struct device_positions *from = gathering->from;
	const uint32_t use_numbers = gathering->numbers != NULL, is_single = from->is_single;
	const double limit = ATOMS_LARGEST_PLACE;
	struct device_buffer cell = {0};
	struct device_kernel kernel;

	CHECK(find_kernel(device, GATHER, &kernel));
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
	const sonde_status status = device_launch(device, &kernel, groups_of(gathering->count), arguments, 15);
	device_release(device, &cell);
	return status;
}

static sonde_status box_of(struct device *device, const struct coordinates *at, uint32_t count, uint32_t blocks,
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
	CHECK_GOTO(status, find_kernel(device, BOXES, &kernel), done);
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
	const struct gathering all = {.from = from, .count = (uint32_t)count};
	const uint32_t each = (all.count + ORDER_BLOCKS - 1) / ORDER_BLOCKS, blocks = (all.count + each - 1) / each;
	double boxes[ORDER_BLOCKS][ORDER_BOX];
	struct coordinates at = {0};
	struct device_buffer wrong = {0};
	uint32_t is_wrong = 1;
	sonde_status status;

	const int queue = device_use_queue(device, DEVICE_QUEUE_AHEAD);
	CHECK_GOTO(status, device_allocate(device, sizeof is_wrong, "the positions", &wrong), done);
	CHECK_GOTO(status, allocate_coordinates(device, all.count, &at), done);
	CHECK_GOTO(status, gather(device, &all, &at, &wrong), done);
	CHECK_GOTO(status, box_of(device, &at, all.count, blocks, boxes), done);
	status = device_read(device, &wrong, 0, &is_wrong, sizeof is_wrong);
	*within = is_wrong == 0;
	for (int k = 0; status == SONDE_OK && k < (int)ORDER_BOX; ++k) {
		box[k] = boxes[0][k];
		for (uint32_t b = 1; b < blocks; ++b)
			box[k] = k % 2 == 0 ? fmin(box[k], boxes[b][k]) : fmax(box[k], boxes[b][k]);
	}
done:
	release_coordinates(device, &at);
	device_release(device, &wrong);
	device_use_queue(device, queue);
	return status;
}

static int compare_numbers(const void *a, const void *b)
{
	const uint32_t p = *(const uint32_t *)a, q = *(const uint32_t *)b;

	return p < q ? -1 : p > q;
}

static sonde_status find_near(struct device *device, const struct coordinates *at, uint32_t count,
			      const struct device_buffer *box, uint32_t most, const struct device_buffer *list)
{
	struct device_kernel kernel;

	CHECK(find_kernel(device, NEAR, &kernel));
	const struct device_argument arguments[] = {
	    DEVICE_ARGUMENT(at->axis[0].memory), DEVICE_ARGUMENT(at->axis[1].memory),
	    DEVICE_ARGUMENT(at->axis[2].memory), DEVICE_ARGUMENT(count),
	    DEVICE_ARGUMENT(box->memory),        DEVICE_ARGUMENT(most),
	    DEVICE_ARGUMENT(list->memory)};
	return device_launch(device, &kernel, groups_of(count), arguments, 7);
}

sonde_status device_positions_within(struct device *device, const struct device_positions *from, uint32_t count,
				     const double box[ORDER_BOX], uint32_t most, uint32_t *numbers, uint32_t *found)
{
	const struct gathering all = {.from = from, .count = count};
	struct device_buffer wrong = {0}, ends = {0}, list = {0};
	struct coordinates at = {0};
	sonde_status status;

	const int queue = device_use_queue(device, DEVICE_QUEUE_AHEAD);
	CHECK_GOTO(status, device_allocate(device, sizeof(uint32_t), "the positions", &wrong), done);
	CHECK_GOTO(status, device_upload(device, box, ORDER_BOX * sizeof *box, "the positions", &ends), done);
	CHECK_GOTO(status, device_allocate(device, ((size_t)most + 1) * sizeof *numbers, "the positions", &list),
		   done);
	CHECK_GOTO(status, allocate_coordinates(device, count, &at), done);
	CHECK_GOTO(status, gather(device, &all, &at, &wrong), done);
	CHECK_GOTO(status, find_near(device, &at, count, &ends, most, &list), done);
	CHECK_GOTO(status, device_read(device, &list, 0, found, sizeof *found), done);
	const uint32_t listed = *found < most ? *found : most;
	if (listed > 0)
		CHECK_GOTO(status, device_read(device, &list, sizeof *found, numbers, listed * sizeof *numbers),
			   done);
	qsort(numbers, listed, sizeof *numbers, compare_numbers);
done:
	release_coordinates(device, &at);
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
	const struct gathering some = {.from = from, .numbers = &chosen, .count = count};
	struct coordinates at = {0};
	double *axis = NULL;
	sonde_status status;

	const int queue = device_use_queue(device, DEVICE_QUEUE_AHEAD);
	CHECK_GOTO(status, memory_allocate(&axis, count, sizeof *axis, "the positions"), done);
	CHECK_GOTO(status, device_upload(device, numbers, count * sizeof *numbers, "the positions", &chosen), done);
	CHECK_GOTO(status, device_allocate(device, sizeof(uint32_t), "the positions", &wrong), done);
	CHECK_GOTO(status, allocate_coordinates(device, count, &at), done);
	CHECK_GOTO(status, gather(device, &some, &at, &wrong), done);
	for (uint32_t k = 0; k < 3; ++k) {
		CHECK_GOTO(status, device_read(device, &at.axis[k], 0, axis, count * sizeof *axis), done);
		for (uint32_t i = 0; i < count; ++i)
			positions[3 * (size_t)i + k] = axis[i];
	}
done:
	free(axis);
	release_coordinates(device, &at);
	device_release(device, &chosen);
	device_release(device, &wrong);
	device_use_queue(device, queue);
	return status;
}

/* The order ------------------------------------------------------------------------------------------------------ */

struct ordering {
	struct device *device;
	const sonde_atoms *atoms;
	const struct device_order_form *form;
	struct device_positions from;
	struct device_buffer uploaded, numbers, tables, boxes, counts, cuts, wrong, tile_boxes;
	struct coordinates at[2];
	struct order_tables of;
};

static void release_ordering(struct ordering *ordering)
{
	struct device_buffer *buffers[] = {&ordering->uploaded, &ordering->numbers,   &ordering->tables,
					   &ordering->boxes,    &ordering->counts,    &ordering->cuts,
					   &ordering->wrong,    &ordering->tile_boxes};

	for (size_t k = 0; k < sizeof buffers / sizeof *buffers; ++k)
		device_release(ordering->device, buffers[k]);
	release_coordinates(ordering->device, &ordering->at[0]);
	release_coordinates(ordering->device, &ordering->at[1]);
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
	CHECK(allocate_coordinates(device, count, &ordering->at[0]));
	CHECK(device_allocate(device, bytes, "the atoms", &order->x));
	CHECK(device_allocate(device, bytes, "the atoms", &order->y));
	CHECK(device_allocate(device, bytes, "the atoms", &order->z));
	if (of->levels == 0)
		return SONDE_OK;
	CHECK(allocate_coordinates(device, count, &ordering->at[1]));
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

	CHECK(find_kernel(device, BOXES, &boxes));
	CHECK(find_kernel(device, DIGITS, &digits));
	CHECK(find_kernel(device, CUTS, &cuts));
	CHECK(find_kernel(device, MOVE, &move));
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

static sonde_status finish(struct ordering *ordering, struct device_order *order)
{
	const struct device_buffer *first = ordering->at[0].axis,
				   *second = ordering->at[ordering->of.levels > 0].axis;
	const struct device_order_form *form = ordering->form;
	struct device_kernel kernel;

	CHECK(find_kernel(ordering->device, FINISH, &kernel));
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
						    DEVICE_ARGUMENT(order->x.memory),
						    DEVICE_ARGUMENT(order->y.memory),
						    DEVICE_ARGUMENT(order->z.memory),
						    DEVICE_ARGUMENT(ordering->tile_boxes.memory)};
	CHECK(device_launch(ordering->device, &kernel, ordering->of.last_count, arguments, 14));
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
	CHECK(order_tables_make(ordering->atoms, ordering->form->places, &ordering->of));
	order->tile_count = ordering->of.tile_count;
	CHECK(memory_allocate(&order->boxes, order->tile_count, sizeof *order->boxes, "the tiles"));
	if (ordering->from.numbers.memory == NULL)
		CHECK(upload_positions(ordering));
	CHECK(upload_numbers(ordering));
	CHECK(allocate(ordering, order));
	const struct gathering all = {.from = &ordering->from,
				      .numbers = ordering->numbers.memory != NULL ? &ordering->numbers : NULL,
				      .cell = ordering->form->cell,
				      .count = (uint32_t)ordering->atoms->count};
	CHECK(gather(ordering->device, &all, &ordering->at[0], &ordering->wrong));
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

/* The self-test -------------------------------------------------------------------------------------------------- */

#define TESTED 2400 /* atoms, a third of them of the second species */
#define EDGE_X 90.0
#define EDGE_Y 60.0
#define STEP_Z 0.0625              /* Angstrom: the third coordinate tells which atom it is */
#define MOST_OF_EDGES (3.0 * 35.0) /* Angstrom: of the mean tile; in the given order they are above 150 */

static void test_position(int i, double r[3])
{
	r[0] = EDGE_X * fmod(0.618034 * i, 1.0);
	r[1] = EDGE_Y * fmod(0.414214 * i, 1.0);
	r[2] = STEP_Z * i;
}

static sonde_status make_tested(sonde_atoms **atoms)
{
	sonde_status status = sonde_atoms_create(atoms);

	for (int i = 0; i < TESTED && status == SONDE_OK; ++i) {
		double r[3];
		test_position(i, r);
		status = sonde_atoms_add(*atoms, i % 3 == 2 ? "O" : "Co", r);
	}
	return status;
}

/* Numbers that are wrong: atoms that are not where they belong, or more than once, and boxes. */
static uint64_t count_wrong(const double *const at[3], const uint32_t *places, const struct device_order *order)
{
	const uint32_t counts[] = {TESTED - TESTED / 3, TESTED / 3};
	bool seen[TESTED] = {false};
	double edges = 0.0;
	uint64_t wrong = 0;
	uint32_t tile = 0;

	for (uint32_t s = 0; s < 2; ++s)
		for (uint32_t first = 0; first < counts[s]; first += ORDER_TILE, ++tile) {
			double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
			for (uint32_t p = first; p < first + ORDER_TILE && p < counts[s]; ++p) {
				const uint32_t place = places[s] + p;
				const int i = (int)(at[2][place] / STEP_Z);
				double r[3] = {0.0};
				if (i < 0 || i >= TESTED || seen[i] || (uint32_t)(i % 3 == 2) != s) {
					++wrong;
					continue;
				}
				seen[i] = true;
				test_position(i, r);
				for (int k = 0; k < 3; ++k) {
					wrong += at[k][place] != r[k];
					low[k] = fmin(low[k], r[k]);
					high[k] = fmax(high[k], r[k]);
				}
			}
			for (int k = 0; k < 3; ++k) {
				wrong += order->boxes[tile][k] != low[k] || order->boxes[tile][3 + k] != high[k];
				edges += high[k] - low[k];
			}
		}
	return wrong + (order->tile_count != tile) + (edges > MOST_OF_EDGES * tile);
}

/* Compiles all kernels at the same time, unless they are in the cache. */
static void request_kernels(struct device *device)
{
	struct device_kernel unused;

	if (!device_request_kernels(device, true))
		return;
	for (int k = 0; k < ORDER_KERNELS; ++k)
		(void)find_kernel(device, (enum order_kernel)k, &unused);
	(void)device_request_kernels(device, false);
}

static sonde_status self_test(struct device *device)
{
	const uint32_t places[] = {0, TESTED - TESTED / 3 + 16};
	const struct device_order_form form = {.places = places, .size = TESTED + 32, .factor = 1.0};
	double *read = NULL;
	struct device_order order = {0};
	sonde_atoms *atoms = NULL;
	sonde_status status;

	request_kernels(device);
	CHECK_GOTO(status, make_tested(&atoms), done);
	CHECK_GOTO(status, memory_allocate(&read, 3 * (size_t)form.size, sizeof *read, "the self-test"), done);
	CHECK_GOTO(status, device_order_find(device, atoms, NULL, &form, &order), done);
	const struct device_buffer *const buffers[] = {&order.x, &order.y, &order.z};
	for (size_t k = 0; k < 3; ++k)
		CHECK_GOTO(status, device_read(device, buffers[k], 0, read + k * form.size, form.size * sizeof *read),
			   done);
	const double *const at[] = {read, read + form.size, read + 2 * (size_t)form.size};
	status = self_test_count(count_wrong(at, places, &order), 0, "wrong places of atoms in their order");
done:
	device_order_release(&order);
	sonde_atoms_free(&atoms);
	free(read);
	return status;
}
