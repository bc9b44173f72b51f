/* Comparison of the contents of two results, for callers that keep what follows from them. */
#include <string.h>

#include "job/result.h"

static bool same_texts(const sonde_attribute *a, const sonde_attribute *b)
{
	if (a->count != b->count)
		return false;
	for (int64_t k = 0; k < a->count; ++k)
		if (strcmp(a->texts[k], b->texts[k]) != 0)
			return false;
	return true;
}

/* The time of a run is a value, too, but HDF5 files have it as an attribute. */
static bool is_time(const sonde_attribute *attribute)
{
	return strcmp(attribute->name, "file_time") == 0;
}

static bool same_attributes(const sonde_contents *one, const sonde_contents *other)
{
	if (one->attribute_count != other->attribute_count)
		return false;
	for (int64_t k = 0; k < one->attribute_count; ++k) {
		const sonde_attribute *a = one->attributes + k, *b = other->attributes + k;
		if (strcmp(a->name, b->name) != 0 || strcmp(a->path, b->path) != 0 ||
		    (!is_time(a) && !same_texts(a, b)))
			return false;
	}
	return true;
}

static bool same_form(const sonde_dataset *a, const sonde_dataset *b)
{
	return a->element == b->element && a->rank == b->rank && a->size == b->size &&
	       memcmp(a->sizes, b->sizes, (size_t)a->rank * sizeof *a->sizes) == 0;
}

/* The length of a text belongs to its value. */
static bool same_dataset(const sonde_dataset *a, const sonde_dataset *b)
{
	const bool texts = a->element == SONDE_TEXT && b->element == SONDE_TEXT && a->rank == 0 && b->rank == 0;

	return (texts || same_form(a, b)) && strcmp(a->path, b->path) == 0 && strcmp(a->unit, b->unit) == 0 &&
	       strcmp(a->long_name, b->long_name) == 0;
}

static bool same_values(const sonde_dataset *a, const sonde_dataset *b)
{
	size_t bytes = (size_t)a->size;

	if (!same_form(a, b))
		return false;
	for (int k = 0; k < a->rank; ++k)
		bytes *= (size_t)a->sizes[k];
	return bytes == 0 || memcmp(a->values, b->values, bytes) == 0;
}

int64_t sonde_result_changes(sonde_result *one, sonde_result *other, int64_t count, const int64_t *same,
			     int64_t *changed)
{
	sonde_contents a, b;
	int64_t changes = 0;

	if (one == NULL || other == NULL || one->engine != other->engine ||
	    sonde_result_contents(one, &a) != SONDE_OK || sonde_result_contents(other, &b) != SONDE_OK ||
	    a.dataset_count != b.dataset_count || !same_attributes(&a, &b))
		return -1;
	for (int64_t k = 0; k < a.dataset_count; ++k)
		if (!same_dataset(a.datasets + k, b.datasets + k))
			return -1;
	for (int64_t k = 0; k < count; ++k)
		if (same[k] < 0 || same[k] >= a.dataset_count ||
		    !same_values(a.datasets + same[k], b.datasets + same[k]))
			return -1;
	for (int64_t k = 0; k < a.dataset_count; ++k)
		if (a.datasets[k].rank == 0 && !same_values(a.datasets + k, b.datasets + k))
			changed[changes++] = k;
	return changes;
}
