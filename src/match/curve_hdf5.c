#include "match/curve_hdf5.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "io/containers/hdf5.h"

#define DEEPEST 4
#define MOST_MEMBERS 256
#define LONGEST 512

struct search {
	struct hdf5_reader *reader;
	const char *path, *name;
	struct curve_hdf5 *curve;
	bool found;
};

struct members {
	char names[MOST_MEMBERS][64];
	int count;
};

static sonde_status list(void *user, const char *name)
{
	struct members *members = user;

	if (members->count < MOST_MEMBERS && strlen(name) < sizeof members->names[0])
		snprintf(members->names[members->count++], sizeof members->names[0], "%s", name);
	return SONDE_OK;
}

static const char *find(const struct members *members, const char *const *names)
{
	for (; *names != NULL; ++names)
		for (int k = 0; k < members->count; ++k)
			if (strcmp(members->names[k], *names) == 0)
				return *names;
	return NULL;
}

static void join(char path[LONGEST], const char *group, const char *name)
{
	snprintf(path, LONGEST, "%.400s/%s", strcmp(group, "/") == 0 ? "" : group, name);
}

static sonde_status check_numbers(const struct search *search)
{
	const struct curve_hdf5 *curve = search->curve;

	for (int64_t k = 0; k < curve->count; ++k) {
		const char *wrong = !isfinite(curve->x[k]) || !isfinite(curve->y[k]) ? "is not finite"
				    : k > 0 && curve->x[k] == curve->x[k - 1]        ? "is given twice"
				    : k > 0 && curve->x[k] < curve->x[k - 1]         ? "is not sorted by increasing x"
				    : curve->sigma != NULL && !(curve->sigma[k] > 0.0)
					? "has an error that is not above 0"
					: NULL;
		if (wrong != NULL)
			return status_fail_file(SONDE_INVALID, search->path, "point %lld of %s, %s = %.10g, %s",
						(long long)k + 1, curve->y_name, curve->x_name, curve->x[k], wrong);
	}
	return SONDE_OK;
}

static sonde_status read_errors(const struct search *search, const char *group, const struct members *members)
{
	struct curve_hdf5 *curve = search->curve;
	char names[3][80], path[LONGEST];
	int64_t count;
	bool any = false;

	snprintf(names[0], sizeof names[0], "%sdev", curve->y_name);
	snprintf(names[1], sizeof names[1], "%s_errors", curve->y_name);
	snprintf(names[2], sizeof names[2], "errors");
	const char *const wanted[] = {names[0], names[1], names[2], NULL}, *name = find(members, wanted);
	if (name == NULL)
		return SONDE_OK;
	join(path, group, name);
	CHECK(hdf5_reader_reals(search->reader, path, &curve->sigma, &count));
	if (count != curve->count)
		return status_fail_file(SONDE_INVALID, search->path, "%s has %lld values, and %s has %lld", name,
					(long long)count, curve->y_name, (long long)curve->count);
	for (int64_t k = 0; k < count; ++k)
		any = any || curve->sigma[k] != 0.0;
	if (!any) {
		free(curve->sigma);
		curve->sigma = NULL;
	}
	return SONDE_OK;
}

/* Takes the curve of a group, if it has one. */
static sonde_status try_group(struct search *search, const char *group, const struct members *members)
{
	static const char *const axes[] = {"Q", "q", "two_theta", "polar_angle", "radial", "r", NULL};
	static const char *const curves[] = {"I", "I_per_atom", "S", "F", "G", "intensity", "measured", "data", NULL};
	const char *const wanted[] = {search->name, NULL};
	const char *x = find(members, axes), *y = find(members, search->name != NULL ? wanted : curves);
	struct curve_hdf5 *curve = search->curve;
	char path[LONGEST];
	int64_t count;

	if (x == NULL || y == NULL)
		return SONDE_OK;
	/* per atom, which all results of sonde debye have */
	const char *const per_atom[] = {"I_per_atom", NULL};
	y = search->name == NULL && find(members, per_atom) != NULL ? "I_per_atom" : y;
	search->found = true;
	snprintf(curve->x_name, sizeof curve->x_name, "%s", x);
	snprintf(curve->y_name, sizeof curve->y_name, "%s", y);
	join(path, group, x);
	hdf5_reader_unit(search->reader, path, curve->unit, sizeof curve->unit);
	CHECK(hdf5_reader_reals(search->reader, path, &curve->x, &curve->count));
	join(path, group, y);
	CHECK(hdf5_reader_reals(search->reader, path, &curve->y, &count));
	if (count != curve->count || count < 1)
		return status_fail_file(SONDE_INVALID, search->path, "%s has %lld values, and %s has %lld", y,
					(long long)count, x, (long long)curve->count);
	/* numerical errors of computed curves, those of results of sonde debye, are not those of a measurement */
	if (strcmp(y, "I_per_atom") != 0 && strncmp(group, "/debye/", strlen("/debye/")) != 0)
		CHECK(read_errors(search, group, members));
	return check_numbers(search);
}

/* What several programs state in addition to the curve: the wavelength, and the radiation (NXsource: probe; results of Sonde: an option). */
static void take_statements(struct search *search, const char *group, const struct members *members)
{
	static const char *const lengths[] = {"wavelength", "incident_wavelength", NULL}, *const radiations[] = {
											      "probe", "radiation",
											      NULL};
	const char *length = find(members, lengths), *radiation = find(members, radiations);
	struct curve_hdf5 *curve = search->curve;
	char path[LONGEST], unit[32], *text = NULL;
	double *value = NULL;
	int64_t count = 0;

	if (length != NULL && !(curve->wavelength > 0.0)) {
		join(path, group, length);
		hdf5_reader_unit(search->reader, path, unit, sizeof unit);
		if (hdf5_reader_reals(search->reader, path, &value, &count) == SONDE_OK && count == 1 && *value > 0.0)
			curve->wavelength = *value * (strcmp(unit, "m") == 0    ? 1e10
						      : strcmp(unit, "nm") == 0 ? 10.0
										: 1.0);
		free(value);
	}
	if (radiation != NULL && curve->radiation[0] == '\0') {
		join(path, group, radiation);
		if (hdf5_reader_text(search->reader, path, &text) == SONDE_OK)
			snprintf(curve->radiation, sizeof curve->radiation, "%s", text);
		free(text);
	}
}

static sonde_status search_group(struct search *search, const char *group, int depth)
{
	struct members *members;

	CHECK(memory_allocate(&members, 1, sizeof *members, "names"));
	sonde_status status = SONDE_OK;
	/* datasets have no members */
	if (hdf5_reader_members(search->reader, group, list, members) == SONDE_OK) {
		take_statements(search, group, members);
		status = search->found ? SONDE_OK : try_group(search, group, members);
	}
	for (int k = 0; k < members->count && depth < DEEPEST && status == SONDE_OK; ++k) {
		char path[LONGEST];
		join(path, group, members->names[k]);
		status = search_group(search, path, depth + 1);
	}
	free(members);
	return status;
}

sonde_status curve_hdf5_read(const char *path, const char *name, struct curve_hdf5 *curve)
{
	struct search search = {.path = path, .name = name, .curve = curve};

	*curve = (struct curve_hdf5){0};
	CHECK(hdf5_reader_open(&search.reader, path));
	sonde_status status = search_group(&search, "/", 0);
	hdf5_reader_close(&search.reader);
	if (status == SONDE_OK && !search.found)
		status = status_fail_file(
		    SONDE_INVALID, path,
		    "has no group with a known curve: Q and I (NXcanSAS), or q or r and I, S, F or G");
	if (status != SONDE_OK)
		curve_hdf5_free(curve);
	return status;
}

void curve_hdf5_free(struct curve_hdf5 *curve)
{
	free(curve->x);
	free(curve->y);
	free(curve->sigma);
	*curve = (struct curve_hdf5){0};
}
