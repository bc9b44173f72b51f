#include "fdtd/output/result_layer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

#define ABOVE 1e-3        /* fraction of the values that may be beyond the color scale */
#define BINS_OF_OCTAVE 16 /* of sizes */
#define BINS (40 * BINS_OF_OCTAVE)

bool result_is_field(const sonde_fdtd_array *array)
{
	return array->rank == 4 && (array->name[0] == 'E' || array->name[0] == 'H') && array->name[1] >= 'x' &&
	       array->name[1] <= 'z';
}

static const char *const names[3] = {"x", "y", "z"};

/* The axes with several nodes, in order; how many. */
static int long_axes(const sonde_fdtd_array *const places[3], int axes[3])
{
	int count = 0;

	for (int u = 0; u < 3; ++u)
		if (places[u]->sizes[0] > 1)
			axes[count++] = u;
	return count;
}

static bool has_field(const sonde_fdtd_monitor *monitor)
{
	for (int n = 0; n < monitor->array_count; ++n)
		if (result_is_field(&monitor->arrays[n]))
			return true;
	return false;
}

bool result_layer_of(const sonde_fdtd_monitor *monitor, struct result_layer *layer)
{
	bool snapshot = strcmp(monitor->kind, "snapshot") == 0;
	const sonde_fdtd_array *at = sonde_fdtd_find_array(monitor, snapshot ? "time" : "frequency"), *places[3];
	int axes[3] = {0};

	if (at == NULL || at->sizes[0] == 0 || !has_field(monitor) ||
	    (!snapshot && strcmp(monitor->kind, "fields") != 0))
		return false;
	*layer = (struct result_layer){.snapshot = snapshot, .at = at->values, .frames = at->sizes[0]};
	for (int u = 0; u < 3; ++u)
		if ((places[u] = sonde_fdtd_find_array(monitor, names[u])) == NULL)
			return false;
	int count = long_axes(places, axes);
	if (count == 0)
		return false;
	const int64_t strides[3] = {places[1]->sizes[0] * places[2]->sizes[0], places[2]->sizes[0], 1};
	layer->size = places[0]->sizes[0] * strides[0];
	if (count == 3)
		layer->first = places[2]->sizes[0] / 2;
	layer->axes[1] = -1;
	layer->count[1] = 1;
	for (int k = 0; k < (count > 1 ? 2 : 1); ++k) {
		const sonde_fdtd_array *place = places[axes[k]];
		layer->axes[k] = axes[k];
		layer->count[k] = place->sizes[0];
		layer->low[k] = place->values[0];
		layer->step[k] = place->values[1] - place->values[0];
		layer->stride[k] = strides[axes[k]];
	}
	return true;
}

double result_layer_largest_of_frame(const struct result_layer *layer, const sonde_fdtd_array *array, int64_t frame)
{
	double most = 0.0;

	for (int64_t i = 0; i < layer->count[0]; ++i)
		for (int64_t j = 0; j < layer->count[1]; ++j)
			most = fmax(most, fabs(result_layer_value(layer, array, frame, i, j)));
	return most;
}

double result_layer_largest(const struct result_layer *layer, const sonde_fdtd_array *array)
{
	double most = 0.0;

	for (int64_t f = 0; f < layer->frames; ++f)
		most = fmax(most, result_layer_largest_of_frame(layer, array, f));
	return most;
}

double result_layer_range(const struct result_layer *layer, const sonde_fdtd_array *array)
{
	double most = result_layer_largest(layer, array);
	int64_t sizes[BINS] = {0}, above = 0;
	int bin = 0;

	if (!(most > 0.0))
		return 1.0;
	for (int64_t f = 0; f < layer->frames; ++f)
		for (int64_t i = 0; i < layer->count[0]; ++i)
			for (int64_t j = 0; j < layer->count[1]; ++j) {
				double below =
				    BINS_OF_OCTAVE * log2(most / fabs(result_layer_value(layer, array, f, i, j)));
				++sizes[below < BINS - 1 ? (int)below : BINS - 1];
			}
	double allowed = ABOVE * (double)(layer->frames * layer->count[0] * layer->count[1]);
	for (bin = 0; bin < BINS - 1 && (double)(above + sizes[bin]) <= allowed; ++bin)
		above += sizes[bin];
	return most * exp2(-(double)bin / BINS_OF_OCTAVE);
}

sonde_status result_layer_outlines(const struct result_layer *layer, const sonde_fdtd_monitor *monitor,
				   struct outline **lines, size_t *count)
{
	const sonde_fdtd_array *permittivity = sonde_fdtd_find_array(monitor, "permittivity");
	int64_t n = 0;
	double *map;

	*lines = NULL;
	*count = 0;
	if (permittivity == NULL)
		return SONDE_OK;
	CHECK(memory_allocate(&map, (size_t)(layer->count[0] * layer->count[1]), sizeof *map, "a picture"));
	for (int64_t i = 0; i < layer->count[0]; ++i)
		for (int64_t j = 0; j < layer->count[1]; ++j)
			map[n++] = result_layer_value(layer, permittivity, 0, i, j);
	sonde_status status = outlines_find(map, layer->count, lines, count);
	free(map);
	return status;
}
