#include "matter/crystal/lattice.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/threads.h"
#include "base/vectors.h"

#define MOST_WORKERS 256
#define INDEPENDENT 1e-3 /* least area or volume, relative to the product of the lengths */

sonde_status lattice_create(sonde_lattice **lattice)
{
	return memory_allocate(lattice, 1, sizeof **lattice, "the lattice");
}

static void free_sheet(struct lattice_sheet *sheet)
{
	free(sheet->begin);
	free(sheet->end);
	free(sheet->first);
	free(sheet->last);
}

void sonde_lattice_free(sonde_lattice **lattice)
{
	if (lattice == NULL || *lattice == NULL)
		return;
	for (int k = 0; k < (*lattice)->sheet_count; ++k)
		free_sheet(&(*lattice)->sheets[k]);
	free((*lattice)->sheets);
	free((*lattice)->kinds);
	text_free(&(*lattice)->source);
	free(*lattice);
	*lattice = NULL;
}

int64_t sonde_lattice_atoms(const sonde_lattice *lattice)
{
	return lattice->count;
}

int64_t sonde_lattice_rows(const sonde_lattice *lattice)
{
	return lattice->rows;
}

sonde_status lattice_add_kind(sonde_lattice *lattice, const char *label, double occupancy, int *kind)
{
	*kind = lattice->kind_count;
	CHECK(memory_grow(&lattice->kinds, &lattice->kinds_capacity, (size_t)lattice->kind_count + 1,
			  sizeof *lattice->kinds, "the lattice"));
	lattice->kinds[*kind] = (struct lattice_kind){.occupancy = occupancy, .number = *kind};
	strcpy(lattice->kinds[lattice->kind_count++].label, label);
	return SONDE_OK;
}

sonde_status lattice_find_kind(sonde_lattice *lattice, const char *label, double occupancy, int *kind)
{
	for (*kind = 0; *kind < lattice->kind_count; ++*kind)
		if (strcmp(lattice->kinds[*kind].label, label) == 0 && lattice->kinds[*kind].occupancy == occupancy)
			return SONDE_OK;
	return lattice_add_kind(lattice, label, occupancy, kind);
}

/* Sites ------------------------------------------------------------------------------------------------- */

/* The rows of a site that is being added: sheet k has the k-th run of each row. */
struct filling {
	const struct lattice_site *site;
	uint32_t width, height;
	int64_t first_line; /* of the batch */
	int room;           /* sheets so far */
	struct lattice_sheet *sheets;
	int most[MOST_WORKERS]; /* runs in a row, for each worker */
};

static void fill_line(struct filling *filling, uint32_t line, int worker)
{
	const struct lattice_site *site = filling->site;
	struct lattice_run runs[LATTICE_MOST_RUNS];

	for (uint32_t n = 0; n < filling->width; ++n) {
		const size_t row = (size_t)line * filling->width + n;
		const int count = site->row(site->user, site->low[1] + n, site->low[2] + line, runs);
		filling->most[worker] = count > filling->most[worker] ? count : filling->most[worker];
		for (int k = 0; k < filling->room && k < count && k < LATTICE_MOST_RUNS; ++k) {
			filling->sheets[k].begin[row] = (uint32_t)(runs[k].begin - site->low[0]);
			filling->sheets[k].end[row] = (uint32_t)(runs[k].end - site->low[0]);
		}
	}
}

static void fill_lines(void *state, int64_t first, int64_t end, int worker)
{
	struct filling *filling = state;

	for (int64_t line = first; line < end; ++line)
		fill_line(filling, (uint32_t)(filling->first_line + line), worker);
}

static sonde_status add_room(struct filling *filling, int sheets)
{
	const size_t rows = (size_t)filling->width * filling->height;

	for (; filling->room < sheets; ++filling->room) {
		struct lattice_sheet *sheet = &filling->sheets[filling->room];
		*sheet = (struct lattice_sheet){.width = filling->width, .height = filling->height};
		sonde_status status = memory_allocate(&sheet->begin, rows, sizeof *sheet->begin, "the rows");
		if (status == SONDE_OK)
			status = memory_allocate(&sheet->end, rows, sizeof *sheet->end, "the rows");
		if (status != SONDE_OK) {
			free_sheet(sheet);
			return status;
		}
	}
	return SONDE_OK;
}

#define LINES_AT_ONCE 256 /* between two looks at the request to stop */

static sonde_status fill_once(sonde_context *context, struct filling *filling, int *runs)
{
	const int threads = context_threads(context) < MOST_WORKERS ? context_threads(context) : MOST_WORKERS;

	for (uint32_t line = 0; line < filling->height; line += LINES_AT_ONCE) {
		const uint32_t left = filling->height - line;
		filling->first_line = line;
		threads_for(threads, left < LINES_AT_ONCE ? left : LINES_AT_ONCE, 1, fill_lines, filling);
		if (context_cancelled(context))
			return status_fail(SONDE_CANCELLED, "stopped on request in the rows of the lattice");
	}
	*runs = 0;
	for (int k = 0; k < MOST_WORKERS; ++k)
		*runs = filling->most[k] > *runs ? filling->most[k] : *runs;
	return SONDE_OK;
}

/* The box around the runs of a sheet. */
struct sheet_box {
	uint32_t low[3], high[3]; /* the ends not included */
};

static struct sheet_box find_box(const struct lattice_sheet *sheet)
{
	struct sheet_box box = {{UINT32_MAX, UINT32_MAX, UINT32_MAX}, {0, 0, 0}};

	for (uint32_t line = 0; line < sheet->height; ++line)
		for (uint32_t n = 0; n < sheet->width; ++n) {
			const size_t row = (size_t)line * sheet->width + n;
			const uint32_t from[3] = {sheet->begin[row], n, line},
				       to[3] = {sheet->end[row], n + 1, line + 1};
			if (sheet->begin[row] == sheet->end[row])
				continue;
			for (int k = 0; k < 3; ++k) {
				box.low[k] = from[k] < box.low[k] ? from[k] : box.low[k];
				box.high[k] = to[k] > box.high[k] ? to[k] : box.high[k];
			}
		}
	return box;
}

/* One line of a sheet, copied from the larger one that it was filled in. */
static void copy_line(const struct lattice_sheet *from, const struct sheet_box *box, uint32_t line,
		      struct lattice_sheet *to)
{
	to->first[line] = to->width;
	to->last[line] = 0;
	for (uint32_t n = 0; n < to->width; ++n) {
		const size_t old = (size_t)(line + box->low[2]) * from->width + n + box->low[1],
			     row = (size_t)line * to->width + n;
		if (from->begin[old] == from->end[old])
			continue;
		to->begin[row] = from->begin[old] - box->low[0];
		to->end[row] = from->end[old] - box->low[0];
		to->atoms += to->end[row] - to->begin[row];
		++to->rows;
		to->first[line] = n < to->first[line] ? n : to->first[line];
		to->last[line] = n + 1;
	}
	if (to->last[line] == 0)
		to->first[line] = 0;
}

/* Adds a filled sheet to the lattice without its empty margins. */
static sonde_status keep_sheet(sonde_lattice *lattice, const struct lattice_site *site,
			       const struct lattice_sheet *filled)
{
	const struct sheet_box box = find_box(filled);
	struct lattice_sheet sheet = {.kind = site->kind};
	sonde_status status;

	if (box.high[0] == 0)
		return SONDE_OK;
	if (lattice->sheet_count == LATTICE_MOST_SHEETS)
		return status_fail(SONDE_INVALID, "the lattice has more than %d sites and runs of rows",
				   LATTICE_MOST_SHEETS);
	CHECK(memory_grow(&lattice->sheets, &lattice->sheets_capacity, (size_t)lattice->sheet_count + 1, sizeof sheet,
			  "the lattice"));
	sheet.length = box.high[0] - box.low[0];
	sheet.width = box.high[1] - box.low[1];
	sheet.height = box.high[2] - box.low[2];
	for (int m = 0; m < 3; ++m) {
		sheet.origin[m] = site->position[m];
		for (int k = 0; k < 3; ++k)
			sheet.origin[m] += (double)(site->low[k] + box.low[k]) * lattice->vectors[k][m];
	}
	const size_t rows = (size_t)sheet.width * sheet.height;
	CHECK_GOTO(status, memory_allocate(&sheet.begin, rows, sizeof *sheet.begin, "the rows"), failed);
	CHECK_GOTO(status, memory_allocate(&sheet.end, rows, sizeof *sheet.end, "the rows"), failed);
	CHECK_GOTO(status, memory_allocate(&sheet.first, sheet.height, sizeof *sheet.first, "the rows"), failed);
	CHECK_GOTO(status, memory_allocate(&sheet.last, sheet.height, sizeof *sheet.last, "the rows"), failed);
	for (uint32_t line = 0; line < sheet.height; ++line)
		copy_line(filled, &box, line, &sheet);
	lattice->sheets[lattice->sheet_count++] = sheet;
	return SONDE_OK;
failed:
	free_sheet(&sheet);
	return status;
}

static sonde_status check_site(const struct lattice_site *site)
{
	const double length = (double)(site->high[0] - site->low[0]) + 1.0,
		     rows = ((double)(site->high[1] - site->low[1]) + 1.0) *
			    ((double)(site->high[2] - site->low[2]) + 1.0);

	if (length > LATTICE_MOST_CELLS || rows > LATTICE_MOST_ROWS)
		return status_fail(
		    SONDE_INVALID,
		    "the lattice has up to %.2g rows of up to %.2g cells; the limits are %.0g and %.0g", rows, length,
		    LATTICE_MOST_ROWS, LATTICE_MOST_CELLS);
	return SONDE_OK;
}

sonde_status lattice_add_site(sonde_context *context, sonde_lattice *lattice, const struct lattice_site *site)
{
	struct lattice_sheet sheets[LATTICE_MOST_RUNS] = {{.kind = 0}};
	struct filling filling = {.site = site, .sheets = sheets};
	sonde_status status;
	int runs = 0;

	CHECK(check_site(site));
	filling.width = (uint32_t)(site->high[1] - site->low[1] + 1);
	filling.height = (uint32_t)(site->high[2] - site->low[2] + 1);
	CHECK_GOTO(status, add_room(&filling, 1), done);
	CHECK_GOTO(status, fill_once(context, &filling, &runs), done);
	if (runs > LATTICE_MOST_RUNS)
		CHECK_GOTO(
		    status,
		    status_fail(SONDE_INVALID, "a row of the lattice has more than %d gaps", LATTICE_MOST_RUNS - 1),
		    done);
	if (runs > 1) {
		CHECK_GOTO(status, add_room(&filling, runs), done);
		CHECK_GOTO(status, fill_once(context, &filling, &runs), done);
	}
	for (int k = 0; k < filling.room && status == SONDE_OK; ++k)
		status = keep_sheet(lattice, site, &sheets[k]);
done:
	for (int k = 0; k < filling.room; ++k)
		free_sheet(&sheets[k]);
	return status;
}

/* The whole ---------------------------------------------------------------------------------------------- */

static int compare_kinds(const struct lattice_kind *a, const struct lattice_kind *b)
{
	const int order = strcmp(a->label, b->label);

	return order != 0 ? order : a->occupancy < b->occupancy ? -1 : a->occupancy > b->occupancy;
}

/* Sorts the kinds that have atoms, an insertion at a time. */
static sonde_status sort_kinds(sonde_lattice *lattice)
{
	struct lattice_kind *kinds = lattice->kinds;
	int count = 0, *place;

	CHECK(memory_allocate(&place, (size_t)lattice->kind_count, sizeof *place, "the lattice"));
	for (int k = 0; k < lattice->kind_count; ++k) {
		const struct lattice_kind kind = kinds[k];
		int at = count;
		place[k] = -1;
		if (kind.atoms == 0)
			continue;
		for (; at > 0 && compare_kinds(&kind, &kinds[at - 1]) < 0; --at)
			kinds[at] = kinds[at - 1];
		for (int other = 0; other < k; ++other)
			place[other] += place[other] >= at;
		place[k] = at;
		kinds[at] = kind;
		++count;
	}
	for (int s = 0; s < lattice->sheet_count; ++s)
		lattice->sheets[s].kind = place[lattice->sheets[s].kind];
	lattice->kind_count = count;
	free(place);
	return SONDE_OK;
}

/* The box around all points, and the sphere around the middle of the box. */
struct surroundings {
	double low[3], high[3], square; /* of the sphere's radius */
};

static void find_end(const sonde_lattice *lattice, const struct lattice_sheet *sheet, double cell, uint32_t n,
		     uint32_t line, double r[3])
{
	for (int m = 0; m < 3; ++m)
		r[m] = sheet->origin[m] + cell * lattice->vectors[0][m] + n * lattice->vectors[1][m] +
		       line * lattice->vectors[2][m];
}

static void grow_box(struct surroundings *around, const double r[3])
{
	for (int m = 0; m < 3; ++m) {
		around->low[m] = fmin(around->low[m], r[m]);
		around->high[m] = fmax(around->high[m], r[m]);
	}
}

static void grow_sphere(struct surroundings *around, const double r[3])
{
	double square = 0.0;

	for (int m = 0; m < 3; ++m) {
		const double d = r[m] - 0.5 * (around->low[m] + around->high[m]);
		square += d * d;
	}
	around->square = fmax(around->square, square);
}

/* Calls `grow` with both ends of every row. */
static void look_around(const sonde_lattice *lattice, void (*grow)(struct surroundings *, const double *),
			struct surroundings *around)
{
	double r[3];

	for (int s = 0; s < lattice->sheet_count; ++s) {
		const struct lattice_sheet *sheet = &lattice->sheets[s];
		for (uint32_t line = 0; line < sheet->height; ++line)
			for (uint32_t n = sheet->first[line]; n < sheet->last[line]; ++n) {
				const size_t row = (size_t)line * sheet->width + n;
				if (sheet->begin[row] == sheet->end[row])
					continue;
				find_end(lattice, sheet, sheet->begin[row], n, line, r);
				grow(around, r);
				find_end(lattice, sheet, sheet->end[row] - 1.0, n, line, r);
				grow(around, r);
			}
	}
}

/* The diagonal of the box or the diameter of the sphere, whichever is smaller. */
static double find_extent(const sonde_lattice *lattice)
{
	struct surroundings around = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}, 0.0};
	double square = 0.0;

	if (lattice->count == 0)
		return 0.0;
	look_around(lattice, grow_box, &around);
	look_around(lattice, grow_sphere, &around);
	for (int m = 0; m < 3; ++m)
		square += (around.high[m] - around.low[m]) * (around.high[m] - around.low[m]);
	return sqrt(fmin(square, 4.0 * around.square)) * (1.0 + 1e-12);
}

sonde_status lattice_finish(sonde_lattice *lattice)
{
	lattice->count = lattice->rows = 0;
	for (int k = 0; k < lattice->kind_count; ++k)
		lattice->kinds[k].atoms = 0;
	for (int s = 0; s < lattice->sheet_count; ++s) {
		lattice->kinds[lattice->sheets[s].kind].atoms += lattice->sheets[s].atoms;
		lattice->count += lattice->sheets[s].atoms;
		lattice->rows += lattice->sheets[s].rows;
	}
	CHECK(sort_kinds(lattice));
	lattice->extent = find_extent(lattice);
	return SONDE_OK;
}

int64_t lattice_pairs_at(const sonde_lattice *lattice, int a, int b, const int64_t lag[3])
{
	const struct lattice_sheet *s = &lattice->sheets[a], *t = &lattice->sheets[b];
	int64_t pairs = 0;

	for (int64_t line = lag[2] < 0 ? -lag[2] : 0; line < s->height && line + lag[2] < t->height; ++line)
		for (int64_t n = lag[1] < 0 ? -lag[1] : 0; n < s->width && n + lag[1] < t->width; ++n) {
			const int64_t row = line * s->width + n, other = (line + lag[2]) * t->width + n + lag[1],
				      begin = (int64_t)t->begin[other] - lag[0],
				      end = (int64_t)t->end[other] - lag[0],
				      low = begin > s->begin[row] ? begin : s->begin[row],
				      high = end < s->end[row] ? end : s->end[row];
			pairs += high > low ? high - low : 0;
		}
	return pairs;
}

static double square_of(const double v[3])
{
	return v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
}

static int compare_lengths(const void *a, const void *b)
{
	const double *u = a, *v = b, x = square_of(u), y = square_of(v);

	if (x != y)
		return x < y ? -1 : 1;
	for (int k = 0; k < 3; ++k)
		if (u[k] != v[k])
			return u[k] < v[k] ? 1 : -1;
	return 0;
}

bool lattice_shortest(double (*vectors)[3], size_t count, double basis[3][3])
{
	double cross[3];
	int found = 0;

	qsort(vectors, count, sizeof *vectors, compare_lengths);
	for (size_t i = 0; i < count && found < 3; ++i) {
		const double *v = vectors[i], length = sqrt(square_of(v));
		if (length == 0.0)
			continue;
		if (found == 1) {
			vector_cross(basis[0], v, cross);
			if (sqrt(square_of(cross)) < INDEPENDENT * length * sqrt(square_of(basis[0])))
				continue;
		}
		if (found == 2) {
			vector_cross(basis[0], basis[1], cross);
			const double volume = fabs(cross[0] * v[0] + cross[1] * v[1] + cross[2] * v[2]);
			if (volume < INDEPENDENT * length * sqrt(square_of(cross)))
				continue;
		}
		memcpy(basis[found++], v, sizeof basis[0]);
	}
	return found == 3;
}
