#include "io/containers/hdf5_contents.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* An array that outlives the contents, of the caller, or theirs. */
struct span {
	const char *begin, *end;
	bool theirs;
};

struct hdf5_contents {
	sonde_status status; /* of the first failure */
	sonde_dataset *datasets;
	size_t dataset_count, datasets_capacity;
	sonde_attribute *attributes;
	size_t attribute_count, attributes_capacity;
	struct span *lasting;
	size_t lasting_count, lasting_capacity;
	void **owned; /* all copies: names, texts, numbers */
	size_t owned_count, owned_capacity;
	char *block; /* the last one of small copies, of which there are hundreds */
	size_t block_left;
};

#define BLOCK_BYTES ((size_t)16384)
#define SMALL_BYTES ((size_t)512)
#define ALIGNMENT ((size_t)16)

/* Memory that is freed with the contents; null after a failure. */
static void *own_alone(struct hdf5_contents *contents, size_t bytes)
{
	void *memory = NULL;

	if (contents->status == SONDE_OK)
		contents->status = memory_grow(&contents->owned, &contents->owned_capacity, contents->owned_count + 1,
					       sizeof *contents->owned, "the contents of a result");
	if (contents->status == SONDE_OK)
		contents->status = memory_allocate_to_fill(&memory, bytes, 1, "the contents of a result");
	if (memory != NULL)
		contents->owned[contents->owned_count++] = memory;
	return memory;
}

/* The same, small copies in common blocks. */
static void *own(struct hdf5_contents *contents, size_t bytes)
{
	const size_t taken = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;

	if (bytes > SMALL_BYTES || contents->status != SONDE_OK)
		return own_alone(contents, bytes);
	if (contents->block == NULL || taken > contents->block_left) {
		contents->block = own_alone(contents, BLOCK_BYTES);
		contents->block_left = contents->block != NULL ? BLOCK_BYTES : 0;
	}
	if (contents->block == NULL)
		return NULL;
	contents->block_left -= taken;
	return contents->block + (BLOCK_BYTES - contents->block_left - taken);
}

static const void *copy(struct hdf5_contents *contents, const void *from, size_t bytes)
{
	void *to = own(contents, bytes);

	return to != NULL ? memcpy(to, from, bytes) : NULL;
}

static const char *copy_text(struct hdf5_contents *contents, const char *text)
{
	const char *to = text[0] != '\0' ? copy(contents, text, strlen(text) + 1) : "";

	return to != NULL ? to : "";
}

static const struct span *find_lasting(const struct hdf5_contents *contents, const void *values, size_t bytes)
{
	const char *begin = values;

	for (size_t k = 0; k < contents->lasting_count; ++k)
		if (begin >= contents->lasting[k].begin && begin + bytes <= contents->lasting[k].end)
			return &contents->lasting[k];
	return NULL;
}

static void add_lasting(struct hdf5_contents *contents, const void *values, uint64_t bytes, bool theirs)
{
	if (contents->status == SONDE_OK)
		contents->status =
		    memory_grow(&contents->lasting, &contents->lasting_capacity, contents->lasting_count + 1,
				sizeof *contents->lasting, "the contents of a result");
	if (contents->status == SONDE_OK)
		contents->lasting[contents->lasting_count++] =
		    (struct span){values, (const char *)values + bytes, theirs};
}

void hdf5_contents_lasts(struct hdf5_contents *contents, const void *values, uint64_t bytes)
{
	add_lasting(contents, values, bytes, false);
}

double *hdf5_contents_numbers(struct hdf5_contents *contents, uint64_t count)
{
	double *numbers = own_alone(contents, count * sizeof *numbers);

	if (numbers != NULL)
		add_lasting(contents, numbers, count * sizeof *numbers, true);
	return contents->status == SONDE_OK ? numbers : NULL;
}

static size_t element_bytes(const struct hdf5_values *values)
{
	static const size_t bytes[] = {[SONDE_REAL] = 8,           [SONDE_SINGLE] = 4,  [SONDE_COMPLEX] = 16,
				       [SONDE_SINGLE_COMPLEX] = 8, [SONDE_INTEGER] = 8, [SONDE_INDEX] = 2};

	return values->element == SONDE_TEXT ? (size_t)values->size : bytes[values->element];
}

/* Numbers in another form than that of the result: float32, or pairs. */
static const void *convert(struct hdf5_contents *contents, const struct hdf5_values *values, size_t count)
{
	const double *real = values->values, *imaginary = values->imaginary;
	const size_t each = imaginary != NULL ? 2 : 1;
	void *to = own(contents, count * element_bytes(values));

	if (to == NULL)
		return NULL;
	if (values->element == SONDE_COMPLEX && imaginary != NULL) {
		for (size_t n = 0; n < count; ++n) {
			((double *)to)[2 * n] = real[n];
			((double *)to)[2 * n + 1] = imaginary[n];
		}
		return to;
	}
	for (size_t n = 0; n < count; ++n) {
		((float *)to)[each * n] = (float)real[n];
		if (imaginary != NULL)
			((float *)to)[each * n + 1] = (float)imaginary[n];
	}
	return to;
}

void hdf5_contents_add(struct hdf5_contents *contents, const struct hdf5_values *values)
{
	sonde_dataset set = {.element = (int)values->element,
			     .rank = values->rank,
			     .size = (int64_t)element_bytes(values),
			     .unit = "",
			     .long_name = ""};
	size_t count = 1;

	for (int k = 0; k < values->rank; ++k) {
		set.sizes[k] = values->sizes[k];
		count *= (size_t)values->sizes[k];
	}
	const size_t bytes = count * (size_t)set.size;
	const struct span *lasting = find_lasting(contents, values->values, bytes);
	if (values->element == SONDE_SINGLE || values->element == SONDE_COMPLEX ||
	    values->element == SONDE_SINGLE_COMPLEX) {
		set.values = convert(contents, values, count);
	} else if (lasting != NULL) {
		set.values = values->values;
		set.in_place = !lasting->theirs;
	} else {
		set.values = copy(contents, values->values, bytes);
	}
	set.path = copy_text(contents, values->path);
	if (values->unit != NULL)
		set.unit = copy_text(contents, values->unit);
	if (values->long_name != NULL)
		set.long_name = copy_text(contents, values->long_name);
	if (contents->status == SONDE_OK)
		contents->status =
		    memory_grow(&contents->datasets, &contents->datasets_capacity, contents->dataset_count + 1,
				sizeof *contents->datasets, "the contents of a result");
	if (contents->status == SONDE_OK)
		contents->datasets[contents->dataset_count++] = set;
}

/* From the last one: attributes follow their dataset. */
static sonde_dataset *find(struct hdf5_contents *contents, const char *path)
{
	for (size_t k = contents->dataset_count; k-- > 0;)
		if (strcmp(contents->datasets[k].path, path) == 0)
			return &contents->datasets[k];
	return NULL;
}

void hdf5_contents_attribute(struct hdf5_contents *contents, const char *path, const char *name,
			     const char *const *texts, int count)
{
	const bool is_unit = strcmp(name, "units") == 0, is_name = strcmp(name, "long_name") == 0;
	sonde_dataset *set = is_unit || is_name ? find(contents, path) : NULL;

	if (set != NULL) {
		*(is_unit ? &set->unit : &set->long_name) = copy_text(contents, texts[0]);
		return;
	}
	const char **copies = own(contents, (size_t)count * sizeof *copies);
	for (int k = 0; k < count && copies != NULL; ++k)
		copies[k] = copy_text(contents, texts[k]);
	const sonde_attribute attribute = {copy_text(contents, path), copy_text(contents, name), count, copies};
	if (contents->status == SONDE_OK)
		contents->status =
		    memory_grow(&contents->attributes, &contents->attributes_capacity, contents->attribute_count + 1,
				sizeof *contents->attributes, "the contents of a result");
	if (contents->status == SONDE_OK)
		contents->attributes[contents->attribute_count++] = attribute;
}

void hdf5_contents_link(struct hdf5_contents *contents, const char *path, const char *to)
{
	hdf5_contents_attribute(contents, path, "target", &to, 1);
}

sonde_status hdf5_contents_create(struct hdf5_contents **contents)
{
	return memory_allocate(contents, 1, sizeof **contents, "the contents of a result");
}

sonde_status hdf5_contents_complete(struct hdf5_contents **contents)
{
	const sonde_status status = (*contents)->status;

	if (status == SONDE_OK)
		return SONDE_OK;
	hdf5_contents_free(contents);
	return memory_missing("the contents of a result");
}

void hdf5_contents_free(struct hdf5_contents **contents)
{
	if (*contents == NULL)
		return;
	for (size_t k = 0; k < (*contents)->owned_count; ++k)
		free((*contents)->owned[k]);
	free((*contents)->owned);
	free((*contents)->lasting);
	free((*contents)->datasets);
	free((*contents)->attributes);
	free(*contents);
	*contents = NULL;
}

void hdf5_contents_view(const struct hdf5_contents *contents, sonde_contents *view)
{
	view->dataset_count = (int64_t)contents->dataset_count;
	view->datasets = contents->datasets;
	view->attribute_count = (int64_t)contents->attribute_count;
	view->attributes = contents->attributes;
}
