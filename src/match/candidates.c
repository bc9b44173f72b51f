#include "match/candidates.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "io/containers/hdf5.h"
#include "match/library_file.h"

/* Where results of sonde debye have their curves. */
static const struct {
	const char *axis, *curve;
} places[LIBRARY_CURVES] = {{"/debye/intensity/q", "/debye/intensity/I_per_atom"},
			    {"/debye/structure_factor/q", "/debye/structure_factor/S"},
			    {"/debye/structure_factor/q", "/debye/structure_factor/F"},
			    {"/debye/pair_distribution/r", "/debye/pair_distribution/G"}};
static const char *const radiations[LIBRARY_RADIATIONS] = {"xray", "neutron", "electron"};

static void close_source(struct candidate_source *source)
{
	for (int64_t k = 0; source->paths != NULL && k < source->count; ++k)
		free(source->paths[k]);
	free(source->paths);
	free(source->keys);
	free(source->atoms);
	free(source->rows);
	scan_rows_release(&source->on_device);
	library_close(&source->library);
}

void candidates_close(struct candidates *candidates)
{
	for (size_t k = 0; k < candidates->source_count; ++k)
		close_source(&candidates->sources[k]);
	free(candidates->sources);
	*candidates = (struct candidates){0};
}

/* The kind of curve, by the first file. */
static sonde_status choose_curve(const char *path, const bool has[LIBRARY_CURVES], int curve, bool of_r,
				 enum library_curve *chosen)
{
	int k = curve;

	if (k < 0 && of_r)
		k = LIBRARY_G;
	for (int other = 0; k < 0 && other < LIBRARY_G; ++other)
		if (has[other])
			k = other;
	if (k < 0 || !has[k])
		return status_fail_file(SONDE_INVALID, path, "has no curve %s",
					k < 0 ? "over q" : library_curve_names[k]);
	if (of_r != (k == LIBRARY_G))
		return status_fail(SONDE_INVALID, "curve: %s is a function of %s, and the measured curve one of %s",
				   library_curve_names[k], k == LIBRARY_G ? "r" : "q", of_r ? "r" : "q");
	*chosen = (enum library_curve)k;
	return SONDE_OK;
}

static sonde_status check_radiation(struct candidates *candidates, const char *path, enum library_radiation radiation)
{
	if (candidates->count > 0 && candidates->radiation != radiation)
		return status_fail_file(SONDE_INVALID, path, "has curves of %s, and the candidates before it of %s",
					library_radiation_names[radiation],
					library_radiation_names[candidates->radiation]);
	candidates->radiation = radiation;
	return SONDE_OK;
}

static sonde_status check_range(struct candidates *candidates, const char *path, const double *axis, int64_t points)
{
	const double low = axis[0], high = axis[points - 1];

	if (candidates->count > 0 && !(low < candidates->high && high > candidates->low))
		return status_fail_file(
		    SONDE_INVALID, path,
		    "has curves from %.6g to %.6g, and the candidates before it from %.6g to %.6g", low, high,
		    candidates->low, candidates->high);
	candidates->low = candidates->count > 0 ? fmax(candidates->low, low) : low;
	candidates->high = candidates->count > 0 ? fmin(candidates->high, high) : high;
	return SONDE_OK;
}

static sonde_status add_source(struct candidates *candidates, struct candidate_source **source)
{
	CHECK(memory_grow(&candidates->sources, &candidates->source_capacity, candidates->source_count + 1,
			  sizeof **source, "candidates"));
	*source = &candidates->sources[candidates->source_count++];
	**source = (struct candidate_source){.first = candidates->count};
	return SONDE_OK;
}

static sonde_status add_library(struct candidates *candidates, const char *path, int curve, bool of_r)
{
	struct candidate_source *source;

	CHECK(add_source(candidates, &source));
	CHECK(library_open(path, &source->library));
	const struct library_head *head = &source->library.head;
	if (candidates->count == 0)
		CHECK(choose_curve(path, head->has, curve, of_r, &candidates->curve));
	if (!head->has[candidates->curve])
		return status_fail_file(SONDE_INVALID, path, "has no curve %s",
					library_curve_names[candidates->curve]);
	source->axis = library_axis(head, candidates->curve);
	source->points = library_points(head, candidates->curve);
	CHECK(check_radiation(candidates, path, head->radiation));
	CHECK(check_range(candidates, path, source->axis, source->points));
	source->count = source->library.count;
	candidates->count += source->count;
	return SONDE_OK;
}

/* A result of sonde debye --------------------------------------------------------------------------------------------------- */

struct result {
	struct hdf5_reader *reader;
	const char *path;
	double *axis, *curve;
	int64_t points;
	enum library_radiation radiation;
};

static sonde_status read_radiation(struct result *result)
{
	char *text;

	CHECK(hdf5_reader_text(result->reader, "/debye/process/options/radiation", &text));
	int k = 0;
	while (k < LIBRARY_RADIATIONS && strcmp(text, radiations[k]) != 0)
		++k;
	free(text);
	if (k == LIBRARY_RADIATIONS)
		return status_fail_file(SONDE_INVALID, result->path, "has no known radiation");
	result->radiation = (enum library_radiation)k;
	return SONDE_OK;
}

static sonde_status read_result(struct candidates *candidates, struct result *result, int curve, bool of_r)
{
	bool has[LIBRARY_CURVES];
	int64_t count;

	for (int k = 0; k < LIBRARY_CURVES; ++k)
		has[k] = hdf5_reader_has(result->reader, places[k].curve);
	if (candidates->count == 0)
		CHECK(choose_curve(result->path, has, curve, of_r, &candidates->curve));
	CHECK(read_radiation(result));
	CHECK(hdf5_reader_reals(result->reader, places[candidates->curve].axis, &result->axis, &result->points));
	CHECK(hdf5_reader_reals(result->reader, places[candidates->curve].curve, &result->curve, &count));
	bool sound = count == result->points && count > 1;
	for (int64_t k = 0; sound && k < count; ++k)
		sound = isfinite((float)result->curve[k]) && (k == 0 || result->axis[k] > result->axis[k - 1]);
	return sound ? SONDE_OK
		     : status_fail_file(SONDE_INVALID, result->path,
					"has no %s of finite numbers on two points or more",
					library_curve_names[candidates->curve]);
}

/* The source with the same axis, or a new one. */
static sonde_status find_source(struct candidates *candidates, const struct result *result,
				struct candidate_source **source)
{
	for (size_t k = 0; k < candidates->source_count; ++k) {
		struct candidate_source *other = &candidates->sources[k];
		if (other->library.reader == NULL && k + 1 == candidates->source_count &&
		    other->points == result->points &&
		    memcmp(other->axis, result->axis, (size_t)result->points * sizeof(double)) == 0) {
			*source = other;
			return SONDE_OK;
		}
	}
	CHECK(add_source(candidates, source));
	CHECK(memory_allocate(&(*source)->library.head.q, (size_t)result->points, sizeof(double), "an axis"));
	memcpy((*source)->library.head.q, result->axis, (size_t)result->points * sizeof(double));
	(*source)->axis = (*source)->library.head.q;
	(*source)->points = result->points;
	return SONDE_OK;
}

static sonde_status grow_source(struct candidate_source *source)
{
	const size_t needed = (size_t)source->count + 1;
	size_t capacity[4] = {source->capacity, source->capacity, source->capacity, source->capacity};

	CHECK(memory_grow(&source->paths, &capacity[0], needed, sizeof *source->paths, "candidates"));
	CHECK(memory_grow(&source->keys, &capacity[1], needed, sizeof *source->keys, "candidates"));
	CHECK(memory_grow(&source->atoms, &capacity[2], needed, sizeof *source->atoms, "candidates"));
	CHECK(memory_grow(&source->rows, &capacity[3], needed, (size_t)source->points * sizeof(float), "candidates"));
	source->capacity = capacity[0];
	for (int k = 1; k < 4; ++k)
		source->capacity = capacity[k] < source->capacity ? capacity[k] : source->capacity;
	return SONDE_OK;
}

static sonde_status take_result(struct candidates *candidates, const struct result *result)
{
	struct candidate_source *source;
	char *sha256 = NULL;

	CHECK(check_radiation(candidates, result->path, result->radiation));
	CHECK(check_range(candidates, result->path, result->axis, result->points));
	CHECK(find_source(candidates, result, &source));
	CHECK(grow_source(source));
	const int64_t here = source->count;
	CHECK(memory_copy_text(result->path, &source->paths[here], "a path"));
	for (int64_t k = 0; k < result->points; ++k)
		source->rows[here * source->points + k] = (float)result->curve[k];
	memset(source->keys[here], 0, sizeof source->keys[here]);
	if (hdf5_reader_has(result->reader, "/debye/sample/sha256") &&
	    hdf5_reader_text(result->reader, "/debye/sample/sha256", &sha256) == SONDE_OK)
		snprintf(source->keys[here], sizeof source->keys[here], "%.64s", sha256);
	free(sha256);
	source->atoms[here] = 0;
	++source->count;
	++candidates->count;
	return SONDE_OK;
}

static sonde_status add_result(struct candidates *candidates, const char *path, int curve, bool of_r)
{
	struct result result = {.path = path};

	CHECK(hdf5_reader_open(&result.reader, path));
	sonde_status status =
	    hdf5_reader_has(result.reader, "/debye")
		? read_result(candidates, &result, curve, of_r)
		: status_fail_file(SONDE_INVALID, path, "is neither a library nor a result of sonde debye");
	if (status == SONDE_OK)
		status = take_result(candidates, &result);
	hdf5_reader_close(&result.reader);
	free(result.axis);
	free(result.curve);
	return status;
}

sonde_status candidates_open(const char *const *paths, int64_t count, int curve, bool of_r,
			     struct candidates *candidates)
{
	sonde_status status = SONDE_OK;

	*candidates = (struct candidates){0};
	for (int64_t k = 0; k < count && status == SONDE_OK; ++k)
		status = library_is_one(paths[k]) ? add_library(candidates, paths[k], curve, of_r)
						  : add_result(candidates, paths[k], curve, of_r);
	if (status == SONDE_OK && candidates->count == 0)
		status = status_fail(SONDE_INVALID, "there are no candidates");
	if (status != SONDE_OK)
		candidates_close(candidates);
	return status;
}

sonde_status candidates_on_axis(enum library_curve curve, enum library_radiation radiation, const double *axis,
				int64_t points, struct candidates *candidates)
{
	struct candidate_source *source;

	*candidates = (struct candidates){.curve = curve, .radiation = radiation};
	CHECK(check_range(candidates, "", axis, points));
	CHECK(add_source(candidates, &source));
	CHECK(memory_allocate(&source->library.head.q, (size_t)points, sizeof(double), "an axis"));
	memcpy(source->library.head.q, axis, (size_t)points * sizeof(double));
	source->axis = source->library.head.q;
	source->points = points;
	return SONDE_OK;
}

sonde_status candidates_read(struct candidate_source *source, enum library_curve curve, int64_t first, int64_t count,
			     float *rows)
{
	if (source->library.reader != NULL)
		return library_read_curves(&source->library, curve, first, count, rows);
	memcpy(rows, source->rows + first * source->points, (size_t)(count * source->points) * sizeof *rows);
	return SONDE_OK;
}

struct candidate_source *candidates_source(const struct candidates *candidates, int64_t candidate)
{
	size_t k = candidates->source_count - 1;

	while (candidates->sources[k].first > candidate)
		--k;
	return &candidates->sources[k];
}

sonde_status candidates_entry(const struct candidates *candidates, int64_t candidate, struct library_entry *entry)
{
	struct candidate_source *source = candidates_source(candidates, candidate);
	const int64_t here = candidate - source->first;

	if (source->library.reader != NULL)
		return library_read_entry(&source->library, here, entry);
	*entry = (struct library_entry){.size = NAN, .atoms = source->atoms[here]};
	char **const texts[] = {&entry->name, &entry->source, &entry->family, &entry->parameters,
				&entry->composition};
	snprintf(entry->key, sizeof entry->key, "%s", source->keys[here]);
	sonde_status status = SONDE_OK;
	for (int k = 0; k < 5 && status == SONDE_OK; ++k)
		status = memory_copy_text(k < 2 ? source->paths[here] : "", texts[k], "a name");
	if (status != SONDE_OK)
		library_entry_free(entry);
	return status;
}

sonde_status candidates_keys(const struct candidates *candidates, char **keys)
{
	CHECK(memory_allocate(keys, (size_t)candidates->count, LIBRARY_KEY, "keys"));
	sonde_status status = SONDE_OK;
	for (size_t k = 0; k < candidates->source_count && status == SONDE_OK; ++k) {
		struct candidate_source *source = &candidates->sources[k];
		char *own = NULL;
		if (source->library.reader != NULL)
			status = library_read_keys(&source->library, &own);
		for (int64_t n = 0; status == SONDE_OK && n < source->count; ++n)
			memcpy(*keys + (source->first + n) * LIBRARY_KEY,
			       own != NULL ? own + n * LIBRARY_KEY : source->keys[n], LIBRARY_KEY);
		free(own);
	}
	if (status != SONDE_OK) {
		free(*keys);
		*keys = NULL;
	}
	return status;
}
