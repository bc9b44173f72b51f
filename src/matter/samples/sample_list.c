#include "matter/samples/sample_list.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file_names.h"
#include "base/memory.h"
#include "base/text.h"
#include "io/tables/columns.h"

#define MOST_WORDS 16
#define MOST_SAMPLES 1000000
#define LARGEST_WEIGHT 1e100

struct list_reading {
	struct line_reader *reader;
	struct columns columns;
	int file, weight; /* numbers of the columns */
	struct sample_list *list;
};

void sample_list_free(struct sample_list *list)
{
	for (size_t k = 0; k < list->count; ++k)
		free(list->samples[k].path);
	free(list->samples);
	*list = (struct sample_list){0};
}

static int find_name(const struct word *words, int count, const char *name)
{
	for (int k = 0; k < count; ++k)
		if (word_is(&words[k], name))
			return k;
	return -1;
}

static sonde_status read_names(struct list_reading *reading, const struct word *words, int count)
{
	reading->file = find_name(words, count, "file");
	reading->weight = find_name(words, count, "weight");
	return reading->file >= 0 && reading->weight >= 0
		   ? SONDE_OK
		   : line_fail(
			 reading->reader,
			 "a list of samples begins with the names of its columns, among them file and weight, as "
			 "in file,weight");
}

/* The path of a file that the list names: relative to the list's folder. */
static sonde_status find_path(const char *list, const struct word *name, char **path)
{
	const char *slash = strrchr(list, '/');
	const int folder = slash != NULL && *name->start != '/' ? (int)(slash + 1 - list) : 0,
		  length = (int)(name->end - name->start);
	const size_t size = (size_t)folder + (size_t)length + 1;

	CHECK(memory_allocate(path, size, 1, "a path"));
	snprintf(*path, size, "%.*s%.*s", folder, list, length, name->start);
	return folder > 0 ? file_names_set(*path, *path + folder) : SONDE_OK;
}

static sonde_status add_row(struct list_reading *reading, const struct word *words, int count)
{
	struct sample_list *list = reading->list;
	double weight;

	if (reading->file >= count || reading->weight >= count)
		return line_fail(reading->reader, "file or weight is missing");
	CHECK(word_real(reading->reader, &words[reading->weight], "weight", &weight));
	if (!(weight >= 0.0 && weight <= LARGEST_WEIGHT))
		return line_fail(reading->reader, "weight = %g is not a number of at least 0", weight);
	if (words[reading->file].start == words[reading->file].end)
		return line_fail(reading->reader, "the name of the file is empty");
	if (list->count == MOST_SAMPLES)
		return line_fail(reading->reader, "more than %d samples", MOST_SAMPLES);
	if (weight == 0.0)
		return SONDE_OK;
	CHECK(memory_grow(&list->samples, &list->capacity, list->count + 1, sizeof *list->samples, "the samples"));
	struct listed_sample *sample = &list->samples[list->count++];
	*sample = (struct listed_sample){.weight = weight, .line = line_reader_number(reading->reader)};
	return find_path(line_reader_path(reading->reader), &words[reading->file], &sample->path);
}

static sonde_status read_rows(struct list_reading *reading)
{
	struct word words[MOST_WORDS];
	char *line;

	for (bool named = false;;) {
		int count;
		CHECK(line_reader_next(reading->reader, &line));
		if (line == NULL)
			break;
		if (line[strspn(line, " \t")] == '#')
			continue;
		CHECK(columns_split(&reading->columns, reading->reader, line, words, MOST_WORDS, &count));
		if (count == 0)
			continue;
		CHECK(named ? add_row(reading, words, count) : read_names(reading, words, count));
		named = true;
	}
	return reading->list->count > 0 ? SONDE_OK
					: status_fail_file(SONDE_INVALID, line_reader_path(reading->reader),
							   "has no sample with a weight above 0");
}

sonde_status sample_list_read(const char *path, struct sample_list *list)
{
	struct list_reading reading = {.columns = {.needed = 2}, .list = list};

	CHECK(line_reader_open(&reading.reader, path));
	const sonde_status status = read_rows(&reading);
	line_reader_close(&reading.reader);
	return status;
}
