#include <math.h>
#include <stdlib.h>

#include "base/constants.h"
#include "base/memory.h"
#include "base/threads.h"
#include "debye/kernels/windows_layout.h"
#include "debye/points/resampling.h"
#include "debye/sums/exact_device.h"
#include "debye/sums/windows.h"

#define LEAST_PAIRS 1e8      /* of atoms */
#define LEAST_POINTS 1.6     /* for each node, which is two numbers: measured on CPUs and an H100 */
#define MOST_DIAMETER 4096.0 /* Angstrom: limits the number of bins below, */
#define MOST_WINDOWS 4096.0  /* and this one the number of pieces that are not full */
#define ATOMS_OF_TILE 64
#define MOST_SPLIT 2.0        /* tiles made of one that is too large, on average */
#define BINS_OF_HALF_WIDTH 40 /* the middle of distances is sorted into bins of at most this part of D, */
#define BINS_OF_PIECE 4       /* and a piece takes as many */
#define LEAST_BIN 0.125       /* Angstrom: a piece's center is a multiple of half of this */
#define LIST_PAIRS (1u << 21) /* pairs of tiles of a list */
#define ROWS_PAIRS (WINDOW_PAIRS_PER_GROUP * EXACT_ROWS_PER_SUM) /* of a sum of rows */
#define PIECE_PAIRS (64u * ROWS_PAIRS)
#define CHUNKS 64 /* of rows, sorted together */

bool windows_suit(double pairs, int64_t points, int species, double diameter)
{
	return pairs >= LEAST_PAIRS && points > 1 && diameter <= MOST_DIAMETER &&
	       species_pair_count(species) * diameter <= MOST_WINDOWS;
}

bool windows_for(double q_last, int64_t points, uint32_t fine, struct windows *windows)
{
	const double nodes = WINDOW_NODES_OF(fine), step = q_last / (nodes - 1.0 - RESAMPLING_HALF_WIDTH);

	*windows = (struct windows){.fine = fine, .step = step, .half_width = PI / (RESAMPLING_OVERSAMPLING * step)};
	return q_last > 0.0 && (double)points >= LEAST_POINTS * nodes &&
	       windows->half_width >= LEAST_BIN * BINS_OF_HALF_WIDTH;
}

double windows_memory(double pairs)
{
	/* tiles have 32 atoms at least, on average; values at the nodes are fewer bytes than the list */
	return 2.0 * sizeof(struct tile_pair) * fmin(LIST_PAIRS, pairs / (32.0 * 32.0));
}

/* The width of bins, a power of two. */
static double bin_width(const struct windows *windows)
{
	return exp2(floor(log2(windows->half_width / BINS_OF_HALF_WIDTH)));
}

static double most_diagonal(const struct windows *windows)
{
	return windows->half_width - 0.5 * BINS_OF_PIECE * bin_width(windows);
}

static struct box find_box(const struct arranged_atoms *atoms, const struct arranged_tile *tile)
{
	const double *axes[3] = {atoms->x, atoms->y, atoms->z};
	struct box box;

	for (int k = 0; k < 3; ++k) {
		box.low[k] = INFINITY;
		box.high[k] = -INFINITY;
		for (uint32_t i = tile->first; i < tile->end; ++i) {
			box.low[k] = axes[k][i] < box.low[k] ? axes[k][i] : box.low[k];
			box.high[k] = axes[k][i] > box.high[k] ? axes[k][i] : box.high[k];
		}
	}
	return box;
}

static double diagonal(const struct box *box)
{
	double square = 0.0;

	for (int k = 0; k < 3; ++k)
		square += (box->high[k] - box->low[k]) * (box->high[k] - box->low[k]);
	return sqrt(square);
}

static void swap_atoms(struct arranged_atoms *atoms, uint32_t i, uint32_t j)
{
	double *axes[3] = {atoms->x, atoms->y, atoms->z};

	for (int k = 0; k < 3; ++k) {
		const double r = axes[k][i];
		axes[k][i] = axes[k][j];
		axes[k][j] = r;
	}
	if (atoms->atom != NULL) {
		const uint32_t atom = atoms->atom[i];
		atoms->atom[i] = atoms->atom[j];
		atoms->atom[j] = atom;
	}
}

/* Few atoms: insertion. Those of one place along the axis stay in their order. */
static void sort_along(struct arranged_atoms *atoms, const struct arranged_tile *tile, int axis)
{
	const double *r = axis == 0 ? atoms->x : axis == 1 ? atoms->y : atoms->z;

	for (uint32_t i = tile->first + 1; i < tile->end; ++i)
		for (uint32_t j = i; j > tile->first && r[j] < r[j - 1]; --j)
			swap_atoms(atoms, j, j - 1);
}

/* Tiles in the place of others, and their boxes. */
struct splitting {
	struct window_tiles *tiles;
	double limit;
	struct arranged_tile *made;
	struct box *boxes;
	size_t count, capacity, box_capacity;
};

static sonde_status add_tile(struct splitting *splitting, const struct arranged_tile *tile, const struct box *box)
{
	CHECK(memory_grow(&splitting->made, &splitting->capacity, splitting->count + 2, sizeof *splitting->made,
			  "tiles"));
	CHECK(memory_grow(&splitting->boxes, &splitting->box_capacity, splitting->count + 2, sizeof *splitting->boxes,
			  "tiles"));
	splitting->made[splitting->count] = *tile;
	splitting->boxes[splitting->count++] = *box;
	return SONDE_OK;
}

static sonde_status split(struct splitting *splitting, struct arranged_tile tile)
{
	struct arranged_atoms *atoms = &splitting->tiles->atoms;
	const struct box box = find_box(atoms, &tile);
	const uint32_t middle = tile.first + (tile.end - tile.first) / 2;
	int longest = 0;

	if (tile.end - tile.first <= 1 || diagonal(&box) <= splitting->limit)
		return add_tile(splitting, &tile, &box);
	for (int k = 1; k < 3; ++k)
		if (box.high[k] - box.low[k] > box.high[longest] - box.low[longest])
			longest = k;
	sort_along(atoms, &tile, longest);
	CHECK(split(splitting, (struct arranged_tile){tile.first, middle}));
	return split(splitting, (struct arranged_tile){middle, tile.end});
}

/* The box of a tile that is not split. */
static struct box box_of(const struct arranged_atoms *atoms, uint32_t tile)
{
	return atoms->boxes != NULL ? atoms->boxes[tile] : find_box(atoms, &atoms->tiles[tile]);
}

/* Of atoms on a device the coordinates in tiles that are too large are copied to the host, to be split there. */
static sonde_status fetch_large(struct splitting *splitting, const struct exact_order *order,
				struct arranged_tile **large, size_t *count)
{
	struct arranged_atoms *atoms = &splitting->tiles->atoms;

	CHECK(memory_allocate(large, atoms->tile_count, sizeof **large, "tiles"));
	for (uint32_t tile = 0; tile < atoms->tile_count; ++tile)
		if (diagonal(&atoms->boxes[tile]) > splitting->limit)
			(*large)[(*count)++] = atoms->tiles[tile];
	return exact_order_fetch(order, *large, *count, atoms);
}

/* Splits tiles that are too large; the last one is empty. */
static sonde_status split_tiles(int species, struct splitting *splitting)
{
	static const struct box nowhere = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
	struct arranged_atoms *atoms = &splitting->tiles->atoms;

	for (int s = 0, tile = 0; s < species; ++s) {
		const int end = (int)atoms->species_first_tile[s + 1];
		atoms->species_first_tile[s] = (uint32_t)splitting->count;
		for (; tile < end; ++tile) {
			const struct box box = box_of(atoms, (uint32_t)tile);
			CHECK(diagonal(&box) <= splitting->limit ? add_tile(splitting, &atoms->tiles[tile], &box)
								 : split(splitting, atoms->tiles[tile]));
		}
	}
	CHECK(add_tile(splitting, &(struct arranged_tile){0, 0}, &nowhere));
	atoms->species_first_tile[species] = atoms->tile_count = (uint32_t)splitting->count - 1;
	free(atoms->tiles);
	atoms->tiles = splitting->made;
	splitting->made = NULL;
	return SONDE_OK;
}

/* The same of atoms on the host, or on a device, to which the split tiles return. */
static sonde_status split_all(int species, struct exact_order *order, struct splitting *splitting)
{
	struct arranged_tile *large = NULL;
	size_t count = 0;

	if (!exact_order_is_found(order))
		return split_tiles(species, splitting);
	sonde_status status = fetch_large(splitting, order, &large, &count);
	if (status == SONDE_OK)
		status = split_tiles(species, splitting);
	if (status == SONDE_OK)
		status = exact_order_return(order, large, count, &splitting->tiles->atoms);
	free(large);
	return status;
}

/* Tiles that those of the atoms would become. */
static double count_split(const struct arranged_atoms *atoms, double limit)
{
	double count = 0.0;

	for (uint32_t tile = 0; tile < atoms->tile_count; ++tile) {
		const struct box box = box_of(atoms, tile);
		count += fmax(1.0, ceil(pow(diagonal(&box) / limit, 3.0)));
	}
	return count;
}

static bool choose(const struct arranged_atoms *atoms, double q_last, int64_t points, struct windows *windows)
{
	static const uint32_t fine[] = {8, 16};

	for (size_t k = 0; k < sizeof fine / sizeof *fine; ++k)
		if (windows_for(q_last, points, fine[k], windows) &&
		    count_split(atoms, most_diagonal(windows)) <= MOST_SPLIT * atoms->tile_count)
			return true;
	*windows = (struct windows){0};
	return false;
}

/* Diagonal of the box around all tiles. */
static double find_extent(const struct window_tiles *tiles)
{
	struct box whole = tiles->boxes[0];

	for (uint32_t tile = 1; tile < tiles->atoms.tile_count; ++tile)
		for (int k = 0; k < 3; ++k) {
			whole.low[k] = fmin(whole.low[k], tiles->boxes[tile].low[k]);
			whole.high[k] = fmax(whole.high[k], tiles->boxes[tile].high[k]);
		}
	return diagonal(&whole);
}

sonde_status window_tiles_make(const sonde_context *context, const sonde_atoms *atoms, struct exact_order *order,
			       double q_last, int64_t points, struct windows *windows, struct window_tiles *tiles)
{
	*tiles = (struct window_tiles){0};
	CHECK(exact_order_is_found(order) ? exact_order_arrange(order, atoms, ATOMS_OF_TILE, &tiles->atoms)
					  : arrange_atoms(context, atoms, ATOMS_OF_TILE, 1, &tiles->atoms));
	if (!choose(&tiles->atoms, q_last, points, windows))
		return SONDE_OK;
	struct splitting splitting = {.tiles = tiles, .limit = most_diagonal(windows)};
	const sonde_status status = split_all(atoms->species_count, order, &splitting);
	free(splitting.made);
	tiles->boxes = splitting.boxes;
	CHECK(status);
	tiles->extent = find_extent(tiles);
	return SONDE_OK;
}

void window_tiles_free(struct window_tiles *tiles)
{
	arranged_atoms_free(&tiles->atoms);
	free(tiles->boxes);
	*tiles = (struct window_tiles){0};
}

/* The middle of the distances between two boxes. */
static double middle_distance(const struct box *a, const struct box *b)
{
	double near = 0.0, far = 0.0;

	for (int k = 0; k < 3; ++k) {
		const double above = b->low[k] - a->high[k], below = a->low[k] - b->high[k],
			     gap = above > below ? above : below, reach = above < below ? -above : -below;
		near += gap > 0.0 ? gap * gap : 0.0;
		far += reach * reach;
	}
	return 0.5 * (sqrt(near) + sqrt(far));
}

/* Rows of pairs of tiles, sorted by bins: the pairs of a bin are counted, chunk by chunk of the rows, and then placed. */
struct sorting {
	const struct window_tiles *tiles;
	uint32_t a_first, b_first, b_end;
	uint32_t row, row_end;
	bool like, counts;
	double per_angstrom; /* bins */
	uint32_t bins;
	uint32_t *places;  /* number of pairs of a chunk and bin, then the place of the next one in the list */
	uint32_t *first;   /* number of pairs of a bin, then the place of its first one */
	uint32_t *centers; /* of the piece of a bin */
	struct tile_pair *pairs;
};

static void sort_chunks(void *state, int64_t first, int64_t end, int worker)
{
	const struct sorting *sorting = state;
	const struct box *boxes = sorting->tiles->boxes;
	const int64_t rows = sorting->row_end - sorting->row;

	(void)worker;
	for (int64_t chunk = first; chunk < end; ++chunk) {
		uint32_t *places = sorting->places + chunk * sorting->bins;
		const uint32_t row_end = sorting->row + (uint32_t)(rows * (chunk + 1) / CHUNKS);
		for (uint32_t row = sorting->row + (uint32_t)(rows * chunk / CHUNKS); row < row_end; ++row) {
			const uint32_t a = sorting->a_first + row;
			for (uint32_t b = sorting->like ? a : sorting->b_first; b < sorting->b_end; ++b) {
				const uint32_t bin =
				    (uint32_t)(middle_distance(&boxes[a], &boxes[b]) * sorting->per_angstrom);
				const uint32_t place = places[bin]++;
				if (!sorting->counts)
					sorting->pairs[place] =
					    (struct tile_pair){.a = a, .b = b, .first_bin = sorting->centers[bin]};
			}
		}
	}
}

static void count_bins(struct sorting *sorting)
{
	for (uint32_t bin = 0; bin < sorting->bins; ++bin) {
		sorting->first[bin] = 0;
		for (uint32_t chunk = 0; chunk < CHUNKS; ++chunk)
			sorting->first[bin] += sorting->places[(size_t)chunk * sorting->bins + bin];
	}
}

/* Pairs of a bin are in the order of the chunks. */
static void place_chunks(struct sorting *sorting)
{
	for (uint32_t bin = 0; bin < sorting->bins; ++bin) {
		uint32_t next = sorting->first[bin];
		for (uint32_t chunk = 0; chunk < CHUNKS; ++chunk) {
			uint32_t *place = &sorting->places[(size_t)chunk * sorting->bins + bin];
			const uint32_t count = *place;
			*place = next;
			next += count;
		}
	}
}

/* `count` pairs in pieces that are full, except for the last, and end with empty pairs. */
static sonde_status add_pieces(struct window_list *list, uint32_t center, uint64_t count)
{
	while (count > 0) {
		const uint64_t now = count < PIECE_PAIRS ? count : PIECE_PAIRS,
			       padded = (now + ROWS_PAIRS - 1) / ROWS_PAIRS * ROWS_PAIRS;
		CHECK(memory_grow(&list->pieces, &list->piece_capacity, list->piece_count + 1, sizeof *list->pieces,
				  "the pieces"));
		list->pieces[list->piece_count++] = (struct window_piece){.species_a = list->species_a,
									  .species_b = list->species_b,
									  .center = center,
									  .first = list->pair_count,
									  .count = (uint32_t)now,
									  .padded = (uint32_t)padded};
		list->pair_count += padded;
		count -= now;
	}
	return SONDE_OK;
}

/* Cuts the bins into pieces of few of them and at most PIECE_PAIRS pairs. */
static sonde_status cut_bins(struct window_list *list, const struct windows *windows, struct sorting *sorting)
{
	const double width = bin_width(windows);

	for (uint32_t bin = 0, end; bin < sorting->bins; bin = end) {
		uint64_t count = sorting->first[bin], place = list->pair_count;
		end = bin + 1;
		while (count > 0 && end < sorting->bins && end - bin < BINS_OF_PIECE &&
		       count + sorting->first[end] <= PIECE_PAIRS)
			count += sorting->first[end++];
		const uint32_t center = (uint32_t)(0.5 * (bin + end) * width * WINDOW_PARTS_OF_ANGSTROM);
		for (uint32_t k = bin; k < end; ++k) {
			const uint32_t own = sorting->first[k];
			sorting->first[k] = (uint32_t)place;
			sorting->centers[k] = center;
			place += own;
		}
		CHECK(add_pieces(list, center, count));
	}
	return SONDE_OK;
}

static sonde_status sort_rows(const sonde_context *context, struct sorting *sorting, const struct windows *windows,
			      struct window_list *list)
{
	const size_t bins = sorting->bins, piece = list->piece_count;
	const uint32_t empty = sorting->tiles->atoms.tile_count;

	CHECK(memory_allocate(&sorting->places, (CHUNKS + 2) * bins, sizeof *sorting->places, "the pairs of tiles"));
	sorting->first = sorting->places + CHUNKS * bins;
	sorting->centers = sorting->first + bins;
	sorting->counts = true;
	threads_for(context_threads(context), CHUNKS, 1, sort_chunks, sorting);
	count_bins(sorting);
	CHECK(cut_bins(list, windows, sorting));
	place_chunks(sorting);
	CHECK(memory_grow(&list->pairs, &list->pair_capacity, list->pair_count, sizeof *list->pairs,
			  "the pairs of tiles"));
	sorting->pairs = list->pairs;
	sorting->counts = false;
	threads_for(context_threads(context), CHUNKS, 1, sort_chunks, sorting);
	for (size_t k = piece; k < list->piece_count; ++k)
		for (uint32_t n = list->pieces[k].count; n < list->pieces[k].padded; ++n)
			list->pairs[list->pieces[k].first + n] =
			    (struct tile_pair){.a = empty, .b = empty, .first_bin = list->pieces[k].center};
	return SONDE_OK;
}

/* The next rows of one pair of species for which there is room, if any; then the next pair of species, if all are taken. */
static sonde_status add_species(const sonde_context *context, const struct window_tiles *tiles, int species,
				const struct windows *windows, struct window_list *list)
{
	const uint32_t *first = tiles->atoms.species_first_tile;
	const int a = list->species_a, b = list->species_b;
	const uint32_t rows = first[a + 1] - first[a], columns = first[b + 1] - first[b];
	struct sorting sorting = {.tiles = tiles,
				  .a_first = first[a],
				  .b_first = first[b],
				  .b_end = first[b + 1],
				  .row = list->row,
				  .row_end = list->row,
				  .like = a == b,
				  .per_angstrom = 1.0 / bin_width(windows),
				  .bins = (uint32_t)(tiles->extent / bin_width(windows)) + 2};
	const uint64_t room = list->room > 0 ? list->room : LIST_PAIRS;
	uint64_t count = 0;

	for (; sorting.row_end < rows; ++sorting.row_end) {
		const uint64_t own = a == b ? columns - sorting.row_end : columns;
		if (list->pair_count + count > 0 && list->pair_count + count + own > room)
			break;
		count += own;
	}
	const sonde_status status = count > 0 ? sort_rows(context, &sorting, windows, list) : SONDE_OK;
	free(sorting.places);
	CHECK(status);
	list->row = sorting.row_end;
	if (list->row < rows)
		return SONDE_OK;
	list->row = 0;
	list->species_b = b + 1 < species ? b + 1 : a + 1;
	list->species_a = b + 1 < species ? a : a + 1;
	return SONDE_OK;
}

sonde_status window_list_next(const sonde_context *context, const struct window_tiles *tiles, int species,
			      const struct windows *windows, struct window_list *list)
{
	list->pair_count = list->piece_count = 0;
	for (int a = -1, b = -1; list->species_a < species && (list->species_a != a || list->species_b != b);) {
		a = list->species_a;
		b = list->species_b;
		CHECK(add_species(context, tiles, species, windows, list));
	}
	return context_cancelled(context) ? status_fail(SONDE_CANCELLED, "stopped on request while sorting the tiles")
					  : SONDE_OK;
}

void window_list_free(struct window_list *list)
{
	free(list->pairs);
	free(list->pieces);
	*list = (struct window_list){0};
}
