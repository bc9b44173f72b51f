#include "campaign/collect.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/folder.h"
#include "campaign/folder.h"
#include "io/containers/hdf5.h"
#include "io/containers/hdf5_rows.h"

#define MOST_OBJECTS CAMPAIGN_MOST_LINES
#define LARGEST_SUMMARY ((size_t)16 << 20)

/* The objects of JSON that the command lines of a job have printed. */
struct summary {
	struct yaml_node *objects[MOST_OBJECTS];
	int count;
};

static void free_summary(struct summary *summary)
{
	for (int k = 0; k < summary->count; ++k)
		yaml_tree_free(&summary->objects[k]);
	summary->count = 0;
}

/* Lines that are not objects are passed over. */
static sonde_status read_summary(const struct campaign *campaign, const char *folder, size_t row,
				 struct summary *summary)
{
	char path[PATH_MAX], *line = NULL;
	size_t capacity = 0;
	ssize_t size;

	CHECK(campaign_path(folder, "results", campaign->jobs[row].name, ".json", path));
	FILE *file = fopen(path, "re");
	while (file != NULL && summary->count < MOST_OBJECTS && (size = getline(&line, &capacity, file)) > 0) {
		struct yaml_node *root;
		if (line[0] != '{' || (size_t)size > LARGEST_SUMMARY ||
		    yaml_tree_parse(path, line, &root) != SONDE_OK)
			continue;
		summary->objects[summary->count++] = root;
	}
	free(line);
	if (file != NULL)
		fclose(file);
	return SONDE_OK;
}

/* "range" or "range.value", followed by `ending`, of the last object that has it. */
static double find_member(const struct summary *summary, const char *name, const char *ending)
{
	char key[256];
	double value;

	for (int k = summary->count - 1; k >= 0; --k) {
		const struct yaml_node *node = summary->objects[k];
		const char *rest = name;
		while (node != NULL && *rest != '\0') {
			const size_t length = strcspn(rest, ".");
			snprintf(key, sizeof key, "%.*s%s", (int)length, rest, rest[length] == '\0' ? ending : "");
			node = yaml_tree_find(node, key);
			rest += length + (rest[length] == '.');
		}
		if (node != NULL && node->text != NULL &&
		    text_parse_real(node->text, node->text + strlen(node->text), &value))
			return value;
	}
	return NAN;
}

/* Datasets ------------------------------------------------------------------------------------------------ */

static double reduce(const struct campaign_figure *figure, const double *values, int64_t count)
{
	double sum = 0.0, least = INFINITY, greatest = -INFINITY;

	for (int64_t k = 0; k < count; ++k) {
		sum += values[k];
		least = fmin(least, values[k]);
		greatest = fmax(greatest, values[k]);
	}
	switch (figure->reduction) {
	case CAMPAIGN_SUM:
		return sum;
	case CAMPAIGN_MEAN:
		return sum / (double)count;
	case CAMPAIGN_LEAST:
		return least;
	case CAMPAIGN_GREATEST:
		return greatest;
	case CAMPAIGN_COUNT:
		return (double)count;
	default:
		break;
	}
	const long long index = figure->index == CAMPAIGN_NO_INDEX && count == 1 ? 0
				: figure->index < 0                              ? count + figure->index
										 : figure->index;
	return index >= 0 && index < count ? values[index] : NAN;
}

static double read_dataset(const struct campaign_figure *figure, struct hdf5_reader *reader, const char *path)
{
	double *reals, value = NAN;
	int64_t *integers, count;

	if (!hdf5_reader_has(reader, path))
		return NAN;
	if (hdf5_reader_reals(reader, path, &reals, &count) == SONDE_OK) {
		value = count > 0 ? reduce(figure, reals, count) : NAN;
		free(reals);
	} else if (hdf5_reader_integers(reader, path, &integers, &count) == SONDE_OK) {
		reals = malloc((size_t)(count > 0 ? count : 1) * sizeof *reals);
		for (int64_t k = 0; reals != NULL && k < count; ++k)
			reals[k] = (double)integers[k];
		value = reals != NULL && count > 0 ? reduce(figure, reals, count) : NAN;
		free(reals);
		free(integers);
	}
	return value;
}

/* The standard error of a dataset has its name followed by "_error" or "_errors". */
static double read_error(const struct campaign_figure *figure, struct hdf5_reader *reader)
{
	char path[512];

	if (figure->reduction != CAMPAIGN_ONE)
		return NAN;
	snprintf(path, sizeof path, "%.480s_error", figure->path);
	const double error = read_dataset(figure, reader, path);
	if (!isnan(error))
		return error;
	snprintf(path, sizeof path, "%.480s_errors", figure->path);
	return read_dataset(figure, reader, path);
}

static sonde_status collect_datasets(const struct campaign *campaign, const char *folder, size_t row,
				     const struct collected *collected)
{
	struct hdf5_reader *reader = NULL;
	char path[PATH_MAX], ending[32];

	snprintf(ending, sizeof ending, ".%s", campaign->ending);
	CHECK(campaign_path(folder, "results", campaign->jobs[row].name, ending, path));
	for (int k = 0; k < campaign->figure_count; ++k) {
		const struct campaign_figure *figure = &campaign->figures[k];
		if (figure->path == NULL)
			continue;
		if (reader == NULL)
			CHECK(hdf5_reader_open(&reader, path));
		collected->values[k] = read_dataset(figure, reader, figure->path);
		collected->errors[k] = read_error(figure, reader);
		if (collected->units[k][0] == '\0' && figure->reduction != CAMPAIGN_COUNT)
			hdf5_reader_unit(reader, figure->path, collected->units[k], sizeof collected->units[k]);
	}
	if (reader != NULL)
		hdf5_reader_close(&reader);
	return SONDE_OK;
}

sonde_status collect_job(const struct campaign *campaign, const char *folder, size_t row,
			 const struct collected *collected)
{
	struct summary summary = {.count = 0};

	CHECK(read_summary(campaign, folder, row, &summary));
	for (int k = 0; k < campaign->figure_count; ++k) {
		const struct campaign_figure *figure = &campaign->figures[k];
		if (figure->path != NULL)
			continue;
		collected->values[k] = find_member(&summary, figure->from, "");
		collected->errors[k] = find_member(&summary, figure->from, "_error");
	}
	free_summary(&summary);
	return collect_datasets(campaign, folder, row, collected);
}

/* Units --------------------------------------------------------------------------------------------------- */

/* "bin_width_angstrom" and others have it at the end. */
static bool unit_of_name(const char *name, char unit[32])
{
	static const char *const endings[][2] = {
	    {"_angstrom", "angstrom"}, {"seconds", "s"}, {"_s", "s"}, {"_bytes", "byte"}, {"_memory", "byte"}};
	const size_t length = strlen(name);

	for (size_t k = 0; k < sizeof endings / sizeof *endings; ++k) {
		const size_t size = strlen(endings[k][0]);
		if (length >= size && strcmp(name + length - size, endings[k][0]) == 0) {
			snprintf(unit, 32, "%s", endings[k][1]);
			return true;
		}
	}
	return false;
}

/* /ENGINE/summary/NAME and others, where results have the numbers of their summaries. */
static void unit_of_result(struct hdf5_reader *reader, const char *name, double value, char unit[32])
{
	static const char *const groups[] = {"summary", "process", "grid"};
	const struct campaign_figure figure = {.index = CAMPAIGN_NO_INDEX};
	char path[256], *engine;

	if (hdf5_reader_attribute(reader, "/", "default", &engine) != SONDE_OK)
		return;
	for (size_t k = 0; k < sizeof groups / sizeof *groups && unit[0] == '\0'; ++k) {
		snprintf(path, sizeof path, "/%.64s/%s/%.128s", engine, groups[k], name);
		if (fabs(read_dataset(&figure, reader, path) - value) <= 1e-5 * fabs(value))
			hdf5_reader_unit(reader, path, unit, 32);
	}
	free(engine);
}

sonde_status collect_unit(const struct campaign *campaign, const char *folder, size_t row, int figure, double value,
			  char unit[32])
{
	const struct campaign_figure *of = &campaign->figures[figure];
	struct hdf5_reader *reader;
	char path[PATH_MAX], ending[32];

	if (of->path != NULL || unit[0] != '\0' || unit_of_name(of->from, unit) || !campaign_has_datasets(campaign))
		return SONDE_OK;
	snprintf(ending, sizeof ending, ".%s", campaign->ending);
	CHECK(campaign_path(folder, "results", campaign->jobs[row].name, ending, path));
	CHECK(hdf5_reader_open(&reader, path));
	unit_of_result(reader, of->from, value, unit);
	hdf5_reader_close(&reader);
	return SONDE_OK;
}

/* Hints -------------------------------------------------------------------------------------------------- */

struct names {
	struct nearest_word nearest;
	char best[64];
	struct text all;
};

static sonde_status offer(void *user, const char *name)
{
	struct names *names = user;

	nearest_word_offer(&names->nearest, name);
	if (names->nearest.best == name) {
		snprintf(names->best, sizeof names->best, "%.63s", name);
		names->nearest.best = names->best;
	}
	if (names->all.size < 300)
		text_append(&names->all, "%s%.63s", names->all.size > 0 ? ", " : "", name);
	return SONDE_OK;
}

/* The names in the group of a dataset. */
static sonde_status offer_datasets(const struct campaign *campaign, const char *folder, size_t row,
				   const struct campaign_figure *figure, struct names *names)
{
	struct hdf5_reader *reader;
	char path[PATH_MAX], ending[32], group[512];

	snprintf(ending, sizeof ending, ".%s", campaign->ending);
	snprintf(group, sizeof group, "%.500s", figure->path);
	char *slash = strrchr(group, '/');
	names->nearest.word = figure->path + (slash - group) + 1;
	*slash = '\0';
	CHECK(campaign_path(folder, "results", campaign->jobs[row].name, ending, path));
	CHECK(hdf5_reader_open(&reader, path));
	sonde_status status = SONDE_OK;
	if (group[0] == '\0' || hdf5_reader_has(reader, group))
		status = hdf5_reader_members(reader, group[0] == '\0' ? "/" : group, offer, names);
	hdf5_reader_close(&reader);
	return status;
}

static bool is_number(const struct yaml_node *node)
{
	double value;

	return node->text != NULL && text_parse_real(node->text, node->text + strlen(node->text), &value);
}

static sonde_status offer_members(const struct campaign *campaign, const char *folder, size_t row,
				  struct names *names)
{
	struct summary summary = {.count = 0};

	CHECK(read_summary(campaign, folder, row, &summary));
	for (int k = summary.count - 1; k >= 0; --k)
		for (size_t n = 0; n < summary.objects[k]->count; ++n)
			if (is_number(&summary.objects[k]->members[n]))
				(void)offer(names, summary.objects[k]->members[n].key);
	free_summary(&summary);
	return SONDE_OK;
}

sonde_status collect_hint(const struct campaign *campaign, const char *folder, size_t row, int figure,
			  struct text *text)
{
	const struct campaign_figure *of = &campaign->figures[figure];
	struct names names = {.nearest = {.word = of->from}};
	char hint[96];
	const sonde_status status = of->path != NULL ? offer_datasets(campaign, folder, row, of, &names)
						     : offer_members(campaign, folder, row, &names);

	if (status == SONDE_OK && names.nearest.best != NULL && strcmp(names.best, names.nearest.word) == 0)
		text_append(text, of->path != NULL
				      ? "; it has several numbers, or no number: [0], max, min, sum, mean, or "
					"count make it one"
				      : "");
	else if (status == SONDE_OK && names.nearest.best != NULL)
		text_append(text, "%s", nearest_word_hint(&names.nearest, hint, sizeof hint));
	else if (status == SONDE_OK && names.all.size > 0)
		text_append(text, "; there are: %s", names.all.bytes);
	text_free(&names.all);
	return status;
}
