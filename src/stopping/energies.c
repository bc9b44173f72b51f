#include "stopping/energies.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "base/units.h"

struct list {
	double *energies;
	size_t count, capacity;
};

static sonde_status add(struct list *list, double energy)
{
	if (list->count == ENERGIES_MOST)
		return status_fail(SONDE_INVALID, "more than %d energies", ENERGIES_MOST);
	if (list->count > 0 && !(energy > list->energies[list->count - 1]))
		return status_fail(SONDE_INVALID, "energies must be in ascending order");
	CHECK(memory_grow(&list->energies, &list->capacity, list->count + 1, sizeof energy, "the energies"));
	list->energies[list->count++] = energy;
	return SONDE_OK;
}

/* Parses [start, end), an energy with or without a unit. */
static sonde_status parse_one(const char *start, const char *end, double *energy)
{
	if (unit_parse_named(UNIT_ENERGY, start, end, 1e3, energy)) {
		if (*energy > 0.0 && isfinite(*energy))
			return SONDE_OK;
		return status_fail(SONDE_INVALID, "'%.*s' is not above 0", (int)(end - start), start);
	}
	return status_fail(SONDE_INVALID, "'%.*s' is not an energy; write 500eV, 100keV, 2.5MeV or 1GeV",
			   (int)(end - start > 40 ? 40 : end - start), start);
}

/* The energies of SRIM's tables between `first` and `last`, and these two. */
static sonde_status add_round(struct list *list, double first, double last)
{
	static const double tens[] = {10, 11,   12, 13,   14, 15, 16, 17, 18, 20, 22.5, 25, 27.5,
				      30, 32.5, 35, 37.5, 40, 45, 50, 55, 60, 65, 70,   80, 90};
	/* powers of ten by division: 1e-1 has no exact binary representation */
	double near = 1e-9 * first;

	CHECK(add(list, first));
	for (int power = (int)floor(log10(first)) - 1; power <= (int)log10(last); ++power)
		for (size_t k = 0; k < sizeof tens / sizeof *tens; ++k) {
			double energy = power >= 1 ? tens[k] * pow(10.0, power - 1) : tens[k] / pow(10.0, 1 - power);
			if (energy > first + near && energy < last - near)
				CHECK(add(list, energy));
		}
	return last > first ? add(list, last) : SONDE_OK;
}

/* "FIRST:LAST" or "FIRST:LAST:COUNT". */
static sonde_status parse_span(const char *text, const char *colon, struct list *list)
{
	const char *second = colon + 1 + strcspn(colon + 1, ":");
	double first, last;
	int64_t count;

	CHECK(parse_one(text, colon, &first));
	CHECK(parse_one(colon + 1, second, &last));
	if (!(last > first))
		return status_fail(SONDE_INVALID, "the last energy must be above the first one");
	if (*second == '\0')
		return add_round(list, first, last);
	if (!text_parse_whole(second + 1, second + 1 + strlen(second + 1), &count) || count < 2 ||
	    count > ENERGIES_MOST)
		return status_fail(SONDE_INVALID, "'%.40s' is not a number of energies from 2 to %d", second + 1,
				   ENERGIES_MOST);
	for (int64_t k = 0; k + 1 < count; ++k)
		CHECK(add(list, first * pow(last / first, (double)k / (double)(count - 1))));
	return add(list, last);
}

static sonde_status parse_list(const char *text, struct list *list)
{
	for (const char *start = text;; ++start) {
		const char *end = start + strcspn(start, ",");
		double energy;
		CHECK(parse_one(start, end, &energy));
		CHECK(add(list, energy));
		if (*end == '\0')
			return SONDE_OK;
		start = end;
	}
}

sonde_status energies_parse(const char *text, double **energies, int64_t *count)
{
	const char *colon = strchr(text, ':');
	struct list list = {0};
	sonde_status status = colon != NULL ? parse_span(text, colon, &list) : parse_list(text, &list);

	*energies = NULL;
	*count = 0;
	if (status != SONDE_OK) {
		free(list.energies);
		return status;
	}
	*energies = list.energies;
	*count = (int64_t)list.count;
	return SONDE_OK;
}
