/* The order of atoms found by devices for GPU kernels: every atom once, with the bits of the host, in tiles about as compact as those of
 * compact_atoms.h, in crystals with planes that are split at random; from positions of the host and of the device, in any layout, and in a cell. */
#include "unit/support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "matter/atoms/compact_atoms.h"
#include "matter/atoms/device_order.h"

#define GAP 16 /* places between species */
#define LARGE 60000
#define SMALL 700 /* which one work-group cuts */

enum kind { DISORDERED, CRYSTAL, BALLS, LINE, SAME_PLACE, KINDS };

static const char *const devices[] = {"emulated", "opencl:0", "cuda:0"};

static void place_atom(enum kind kind, uint64_t *state, double r[3])
{
	static const double edge[3] = {300.0, 200.0, 40.0};

	for (int k = 0; k < 3; ++k)
		r[k] = kind == SAME_PLACE ? 7.0 : -100.0 + edge[k] * test_random_real(state);
	if (kind == CRYSTAL)
		for (int k = 0; k < 3; ++k)
			r[k] = 2.0 * floor(r[k] / 2.0);
	if (kind == LINE)
		r[0] = r[2] = 0.0;
	/* some far from each other, of different density */
	for (int k = 0; kind == BALLS && k < 3; ++k)
		r[k] = r[0] > 0.0 ? 0.1 * r[k] : r[k] - 5000.0;
}

/* Three species, in turn or one after the other; the second has no atoms in the sample with few. */
static sonde_atoms *make_sample(enum kind kind, int count, bool sorted)
{
	static const char *const labels[] = {"Cu", "Zn", "Au"};
	uint64_t state = 7 + kind;
	sonde_atoms *atoms;

	assert_status(SONDE_OK, sonde_atoms_create(&atoms));
	for (int i = 0; i < count; ++i) {
		double r[3];
		place_atom(kind, &state, r);
		assert_status(SONDE_OK, sonde_atoms_add(atoms,
							labels[sorted      ? 3 * i / count
							       : i % 7 < 5 ? 0
									   : i % 7 - 4],
							r));
	}
	return atoms;
}

/* The order with its coordinates on the host. */
struct found {
	struct device_order order;
	uint32_t places[4], size;
	double *at[3];
};

static void find(struct device *device, const sonde_atoms *atoms, const struct device_positions *from,
		 struct device_order_form form, struct found *found)
{
	*found = (struct found){.size = 0};
	for (int s = 0; s < atoms->species_count; ++s) {
		found->places[s] = found->size;
		found->size += (uint32_t)atoms->species[s].atoms + GAP;
	}
	form.places = found->places;
	form.size = found->size;
	assert_status(SONDE_OK, device_order_find(device, atoms, from, &form, &found->order));
	const struct device_buffer *const buffers[] = {&found->order.x, &found->order.y, &found->order.z};
	for (int k = 0; k < 3; ++k) {
		found->at[k] = malloc(found->size * sizeof(double));
		assert_non_null(found->at[k]);
		assert_status(SONDE_OK,
			      device_read(device, buffers[k], 0, found->at[k], found->size * sizeof(double)));
	}
}

static void forget(struct found *found)
{
	device_order_release(&found->order);
	for (int k = 0; k < 3; ++k)
		free(found->at[k]);
}

struct point {
	double r[3];
};

static int compare_points(const void *a, const void *b)
{
	return memcmp(a, b, sizeof(struct point));
}

/* The same points for each species, whatever their order. */
static void check_points(const sonde_atoms *atoms, const double *positions, const struct found *found)
{
	struct point *wanted = malloc((size_t)atoms->count * sizeof *wanted),
		     *here = malloc((size_t)atoms->count * sizeof *here);

	assert_true(wanted != NULL && here != NULL);
	for (int s = 0; s < atoms->species_count; ++s) {
		const size_t count = (size_t)atoms->species[s].atoms;
		size_t n = 0;
		for (int64_t i = 0; i < atoms->count; ++i)
			if (atoms->species_of[i] == s)
				memcpy(wanted[n++].r, positions + 3 * i, sizeof wanted->r);
		for (size_t p = 0; p < count; ++p)
			for (int k = 0; k < 3; ++k)
				here[p].r[k] = found->at[k][found->places[s] + p];
		qsort(wanted, count, sizeof *wanted, compare_points);
		qsort(here, count, sizeof *here, compare_points);
		assert_memory_equal(wanted, here, count * sizeof *here);
		for (uint32_t p = found->places[s] + (uint32_t)count;
		     p < (s + 1 < atoms->species_count ? found->places[s + 1] : found->size); ++p)
			for (int k = 0; k < 3; ++k)
				assert_true(found->at[k][p] == 0.0);
	}
	free(wanted);
	free(here);
}

/* Sum over groups of `size` consecutive atoms of the squares of the edges of the box around them; checks the boxes of tiles. */
static double squares_of_edges(const sonde_atoms *atoms, const struct found *found, uint32_t size)
{
	double sum = 0.0;
	uint32_t tile = 0;

	for (int s = 0; s < atoms->species_count; ++s) {
		const uint32_t count = (uint32_t)atoms->species[s].atoms;
		for (uint32_t first = 0; first < count; first += size)
			for (uint32_t n = 0; n < size / ORDER_TILE && first + n * ORDER_TILE < count; ++n, ++tile)
				for (int k = 0; k < 3; ++k) {
					const uint32_t group = size == ORDER_TILE ? first + n * ORDER_TILE : first,
						       end = group + size < count ? group + size : count;
					double low = INFINITY, high = -INFINITY;
					for (uint32_t p = group; p < end; ++p) {
						low = fmin(low, found->at[k][found->places[s] + p]);
						high = fmax(high, found->at[k][found->places[s] + p]);
					}
					if (size == ORDER_TILE) {
						assert_true(found->order.boxes[tile][k] == low);
						assert_true(found->order.boxes[tile][3 + k] == high);
					}
					sum += n == 0 ? (high - low) * (high - low) : 0.0;
				}
	}
	assert_int_equal(found->order.tile_count, tile);
	return sum;
}

/* The order of the host in the same places. */
static void find_on_host(const sonde_atoms *atoms, uint32_t unit, struct found *found)
{
	struct compact_atom *entries, *next;

	assert_status(SONDE_OK, compact_atoms_sort(NULL, atoms, ORDER_TILE, unit / ORDER_TILE, &entries));
	next = entries;
	for (int s = 0; s < atoms->species_count; ++s)
		for (int64_t p = 0; p < atoms->species[s].atoms; ++p, ++next)
			for (int k = 0; k < 3; ++k)
				found->at[k][found->places[s] + (uint32_t)p] = next->r[k];
	free(entries);
}

static void check_order(struct device *device, const sonde_atoms *atoms, enum kind kind, uint32_t unit)
{
	struct found found;

	find(device, atoms, NULL, (struct device_order_form){.factor = 1.0, .unit = unit}, &found);
	check_points(atoms, atoms->positions, &found);
	const double tiles = squares_of_edges(atoms, &found, ORDER_TILE),
		     units = squares_of_edges(atoms, &found, unit);
	/* as compact as by the host */
	struct found host = found;
	double *const kept[3] = {found.at[0], found.at[1], found.at[2]};
	for (int k = 0; k < 3; ++k)
		host.at[k] = malloc(found.size * sizeof(double));
	find_on_host(atoms, unit, &host);
	double expected[2] = {0.0, 0.0};
	for (int what = 0; what < 2; ++what) {
		const uint32_t size = what == 0 ? ORDER_TILE : unit;
		for (int s = 0; s < atoms->species_count; ++s)
			for (uint32_t first = 0; first < (uint32_t)atoms->species[s].atoms; first += size)
				for (int k = 0; k < 3; ++k) {
					double low = INFINITY, high = -INFINITY;
					for (uint32_t p = first;
					     p < first + size && p < (uint32_t)atoms->species[s].atoms; ++p) {
						low = fmin(low, host.at[k][host.places[s] + p]);
						high = fmax(high, host.at[k][host.places[s] + p]);
					}
					expected[what] += (high - low) * (high - low);
				}
	}
	print_message("%s, kind %d, %lld atoms: squares of edges %.4f of the host's in tiles, %.4f in units of %u\n",
		      device_name(device), (int)kind, (long long)atoms->count, tiles / fmax(expected[0], 1e-30),
		      units / fmax(expected[1], 1e-30), unit);
	assert_true(tiles <= 1.05 * expected[0] && units <= 1.05 * expected[1]);
	for (int k = 0; k < 3; ++k) {
		free(host.at[k]);
		found.at[k] = kept[k];
	}
	forget(&found);
}

static void each_atom_has_its_place(struct device *device)
{
	for (int kind = 0; kind < KINDS; ++kind) {
		sonde_atoms *large = make_sample((enum kind)kind, LARGE, kind % 2 == 0),
			    *small = make_sample((enum kind)kind, SMALL, kind % 2 == 1);
		for (uint32_t unit = ORDER_UNIT; unit <= 2 * ORDER_UNIT; unit *= 2) {
			check_order(device, large, (enum kind)kind, unit);
			check_order(device, small, (enum kind)kind, unit);
		}
		sonde_atoms_free(&large);
		sonde_atoms_free(&small);
	}
}

/* Positions on the device, as float32 in the second to fourth columns of a table, backward. */
static void layouts_are_read(struct device *device)
{
	const uint32_t numbers[] = {5, 0, 699};
	double box[ORDER_BOX], picked[9], *positions = malloc(3 * SMALL * sizeof *positions);
	float *table = malloc(5 * SMALL * sizeof *table);
	sonde_atoms *atoms = make_sample(DISORDERED, SMALL, false);
	struct device_positions from = {
	    .is_single = true, .first = 5 * (SMALL - 1) + 1, .row_step = -5, .column_step = 1};
	struct found found;
	bool within;

	assert_true(table != NULL && positions != NULL);
	for (int i = 0; i < 5 * SMALL; ++i)
		table[i] = NAN;
	for (int i = 0; i < SMALL; ++i)
		for (int k = 0; k < 3; ++k) {
			table[5 * (SMALL - 1 - i) + 1 + k] = (float)atoms->positions[3 * i + k];
			positions[3 * i + k] = (float)atoms->positions[3 * i + k];
		}
	assert_status(SONDE_OK, device_upload(device, table, 5 * SMALL * sizeof *table, "a table", &from.numbers));
	find(device, atoms, &from, (struct device_order_form){.factor = 1.0}, &found);
	check_points(atoms, positions, &found);
	forget(&found);
	assert_status(SONDE_OK, device_positions_pick(device, &from, numbers, 3, picked));
	for (int n = 0; n < 3; ++n)
		assert_memory_equal(picked + 3 * n, positions + 3 * numbers[n], 3 * sizeof *positions);
	assert_status(SONDE_OK, device_positions_box(device, &from, SMALL, box, &within));
	assert_true(within);
	for (int k = 0; k < 3; ++k) {
		double low = INFINITY, high = -INFINITY;
		for (int i = 0; i < SMALL; ++i) {
			low = fmin(low, positions[3 * i + k]);
			high = fmax(high, positions[3 * i + k]);
		}
		assert_true(box[2 * k] == low && box[2 * k + 1] == high);
	}
	const double origin[3] = {0.5, 0.0, -2.0}, directions[][3] = {{0.0, 1.0, 0.0}};
	struct device_buffer records = {0};
	struct device_extents extents;
	double record[8];
	assert_status(SONDE_OK, device_positions_extents(device, &from, SMALL, origin, directions, 1, &extents));
	assert_true(extents.low[0] == box[2] && extents.high[0] == box[3]);
	assert_true(positions[3 * extents.lowest[0] + 1] == box[2] &&
		    positions[3 * extents.highest[0] + 1] == box[3]);
	assert_status(SONDE_OK,
		      device_positions_records(device, &from, numbers + 1, numbers + 1, 2, origin, &records));
	assert_status(SONDE_OK, device_read(device, &records, 0, record, sizeof record));
	for (int k = 0; k < 3; ++k)
		assert_true(record[k] == positions[k] - origin[k] &&
			    record[4 + k] == positions[3 * 699 + k] - origin[k]);
	device_release(device, &records);
	from.first += 1; /* with the column after these, which has no numbers */
	assert_status(SONDE_OK, device_positions_box(device, &from, SMALL, box, &within));
	assert_false(within);
	device_release(device, &from.numbers);
	sonde_atoms_free(&atoms);
	free(table);
	free(positions);
}

/* Moved into a cell, multiplied and rounded. */
static void forms_are_those_of_the_host(struct device *device)
{
	double cell[ORDER_CELL_NUMBERS] = {[ORDER_CELL_ON] = 1.0,
					   [ORDER_CELL_INVERSE] = 1.0 / 31.0,
					   [ORDER_CELL_INVERSE + 1] = -0.004,
					   [ORDER_CELL_INVERSE + 4] = 1.0 / 17.0,
					   [ORDER_CELL_INVERSE + 8] = 1.0 / 23.0,
					   [ORDER_CELL_EDGES] = 31.0,
					   [ORDER_CELL_EDGES + 3] = 0.004 * 31.0 * 17.0,
					   [ORDER_CELL_EDGES + 4] = 17.0,
					   [ORDER_CELL_EDGES + 8] = 23.0,
					   [ORDER_CELL_LOW + 1] = 0.7,
					   [ORDER_CELL_OPEN + 2] = 1.0};
	const struct device_order_form form = {.cell = cell, .factor = 256.0 * (1 << 21) / 3.0, .fractions = 4.0};
	sonde_atoms *atoms = make_sample(DISORDERED, 5000, false);
	double *positions = malloc(3 * 5000 * sizeof *positions);
	struct found found;

	assert_non_null(positions);
	for (int i = 0; i < 5000; ++i) {
		double *r = positions + 3 * i, cells[3];
		memcpy(r, atoms->positions + 3 * i, 3 * sizeof *r);
		for (int k = 0; k < 3; ++k) {
			const double *inverse = cell + ORDER_CELL_INVERSE + 3 * k;
			cells[k] = k == 2 ? 0.0 : floor(inverse[0] * r[0] + inverse[1] * r[1] + inverse[2] * r[2]);
		}
		for (int m = 0; m < 3; ++m) {
			for (int k = 0; k < 3; ++k)
				r[m] -= cells[k] * cell[ORDER_CELL_EDGES + 3 * k + m];
			r[m] -= cell[ORDER_CELL_LOW + m];
			assert_true(m == 2 || (r[m] > -1e-9 - 0.7 && r[m] < 31.0 + 17.0));
		}
		for (int m = 0; m < 3; ++m)
			r[m] = nearbyint(r[m] * form.factor * form.fractions) / form.fractions + 0.0;
	}
	find(device, atoms, NULL, form, &found);
	for (int k = 0; k < 3; ++k)
		for (uint32_t p = 0; p < found.size; ++p)
			found.at[k][p] += 0.0; /* no negative zeros */
	check_points(atoms, positions, &found);
	forget(&found);
	sonde_atoms_free(&atoms);
	free(positions);
}

/* Without memory, the failure names what lacks it, and nothing is left. */
static void lack_of_memory_is_reported(void **state)
{
	const struct device_settings settings = {
	    .threads = 2, .launch_limit = 10.0, .memory = 3000000, .kernel_cache = "off"};
	const uint32_t places[] = {0, LARGE / 3, 2 * LARGE / 3};
	const struct device_order_form form = {.places = places, .size = LARGE, .factor = 1.0};
	sonde_atoms *atoms = make_sample(DISORDERED, LARGE, true);
	struct device_order order;
	struct device *device;
	(void)state;

	assert_status(SONDE_OK, device_open("emulated", &settings, &device));
	assert_status(SONDE_RESOURCE, device_order_find(device, atoms, NULL, &form, &order));
	device_order_release(&order);
	assert_status(SONDE_RESOURCE, device_order_find(device, atoms, NULL, &form, &order));
	device_order_release(&order);
	device_close(&device);
	sonde_atoms_free(&atoms);
}

static void test_devices(void **state)
{
	const struct device_settings settings = {.threads = 2, .launch_limit = 10.0, .kernel_cache = "off"};
	(void)state;

	for (size_t k = 0; k < COUNT(devices); ++k) {
		struct device *device;
		if (device_open(devices[k], &settings, &device) != SONDE_OK) {
			print_message("%s: %s\n", devices[k], sonde_status_message());
			continue;
		}
		each_atom_has_its_place(device);
		layouts_are_read(device);
		forms_are_those_of_the_host(device);
		device_close(&device);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_devices),
					   cmocka_unit_test(lack_of_memory_is_reported)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
