#include "coulomb/coincident.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "coulomb/kernels/direct_layout.h"

struct place {
	double x;
	uint32_t charge;
};

static int by_x(const void *a, const void *b)
{
	const struct place *one = a, *two = b;

	if (one->x != two->x)
		return one->x < two->x ? -1 : 1;
	return (one->charge > two->charge) - (one->charge < two->charge);
}

static bool are_close(const struct charges *charges, uint32_t i, uint32_t j)
{
	const double x = charges->x[i] - charges->x[j], y = charges->y[i] - charges->y[j],
		     z = charges->z[i] - charges->z[j];

	return x * x + y * y + z * z < COINCIDENT * COINCIDENT;
}

/* Two coincident charges; false if there are none but those with images in other cells. */
static bool find_pair(const struct charges *charges, struct place *places, uint32_t pair[2])
{
	const uint32_t count = charges->count;

	for (uint32_t j = 0; j < count; ++j)
		places[j] = (struct place){charges->x[j], j};
	qsort(places, count, sizeof *places, by_x);
	for (uint32_t n = 0; n < count; ++n)
		for (uint32_t m = n + 1; m < count && places[m].x - places[n].x < COINCIDENT; ++m) {
			const uint32_t i = places[n].charge, j = places[m].charge;
			if (!are_close(charges, i, j))
				continue;
			pair[0] = i < j ? i : j;
			pair[1] = i < j ? j : i;
			return true;
		}
	return false;
}

/* The atom of a charge: atoms without charge are not among the charges. */
static int64_t atom_of(const sonde_atoms *atoms, const struct charges *charges, uint32_t charge)
{
	const double *at = atoms->positions;
	uint32_t next = 0;

	for (int64_t i = 0; i < atoms->count; ++i, at += 3) {
		if (at[0] != charges->x[next] || at[1] != charges->y[next] || at[2] != charges->z[next])
			continue;
		if (next++ == charge)
			return i;
	}
	return charge;
}

/* "atoms 3 (Na) and 7 (Cl)" */
static sonde_status describe_pair(const sonde_atoms *atoms, const struct charges *charges, char *text, size_t size)
{
	struct place *places;
	uint32_t pair[2];

	CHECK(memory_allocate(&places, charges->count, sizeof *places, "the charges"));
	if (find_pair(charges, places, pair)) {
		const int64_t i = atom_of(atoms, charges, pair[0]), j = atom_of(atoms, charges, pair[1]);
		snprintf(text, size, "atoms %lld (%s) and %lld (%s)", (long long)i + 1,
			 atoms->species[atoms->species_of[i]].label, (long long)j + 1,
			 atoms->species[atoms->species_of[j]].label);
	} else {
		snprintf(text, size, "an atom and a periodic image of another one");
	}
	free(places);
	return SONDE_OK;
}

sonde_status coincident_report(sonde_context *context, const sonde_atoms *atoms, const struct charges *charges,
			       const struct coulomb_plan *plan, uint64_t pairs)
{
	const char *s = pairs > 1 ? "s" : "", *verb = pairs > 1 ? "coincide, such as" : "coincides,";
	char example[96];

	CHECK(describe_pair(atoms, charges, example, sizeof example));
	if (plan->options.self == SONDE_COULOMB_SELF_ERROR)
		return status_fail(
		    SONDE_INVALID,
		    "%llu pair%s of charges %s %s: there is no force between them; move one, or choose "
		    "`self skip` or `self soften`",
		    (unsigned long long)pairs, s, verb, example);
	context_notef(context, "%llu pair%s of charges %s %s: left out of energy and forces (`self`)",
		      (unsigned long long)pairs, s, verb, example);
	return SONDE_OK;
}
