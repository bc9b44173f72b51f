/* The atoms of the fast method in the order of their groups. */
#include <stdlib.h>

#include "base/memory.h"
#include "base/threads.h"
#include "pattern/fast/patch_sums.h"
#include "pattern/resident/resident.h"

#define GROUPING_PARTS 64 /* of them */

/* Atoms in the order of their groups: a channel has one of them, or all atoms with its weights. */
struct grouping {
	struct fast_sums *run;
	uint32_t *numbers, *classes; /* of a resident sample, in place of its atoms; else null */
	int64_t next[GROUPING_PARTS]
		    [PATTERN_MOST_CLASSES]; /* numbers of atoms of parts and groups, then their places */
};

static int64_t begin_of_part(const struct grouping *grouping, int64_t part)
{
	return grouping->run->plan->sample.view.count * part / GROUPING_PARTS;
}

static void count_groups(void *state, int64_t first, int64_t end, int worker)
{
	struct grouping *grouping = state;
	const uint16_t *class_of = grouping->run->plan->sample.view.species_of;

	(void)worker;
	for (int64_t part = first; part < end; ++part)
		for (int64_t i = begin_of_part(grouping, part); i < begin_of_part(grouping, part + 1); ++i)
			++grouping->next[part][grouping->run->channels.group_of[class_of[i]]];
}

static void fill_groups(void *state, int64_t first, int64_t end, int worker)
{
	struct grouping *grouping = state;
	struct fast_sums *run = grouping->run;
	const struct pattern_sample *sample = &run->plan->sample;

	const bool placed = sample->copies.count > 0; /* later */

	(void)worker;
	for (int64_t part = first; part < end; ++part)
		for (int64_t i = begin_of_part(grouping, part); i < begin_of_part(grouping, part + 1); ++i) {
			const int c = sample->view.species_of[i];
			const int64_t place = grouping->next[part][run->channels.group_of[c]]++;
			if (grouping->numbers != NULL) {
				grouping->numbers[place] = (uint32_t)i;
				grouping->classes[place] = (uint32_t)c;
				continue;
			}
			struct fast_atom *atom = &run->atoms[place];
			for (int k = 0; k < 3; ++k)
				atom->r[k] = sample->view.positions[3 * i + k] - (placed ? 0.0 : sample->center[k]);
			atom->class = c;
		}
}

/* The runs of atoms of one group and structure. */
static sonde_status find_runs(struct fast_sums *run)
{
	const struct pattern_sample *sample = &run->plan->sample;
	const size_t structures = (size_t)sample->copies.count;
	int64_t *counts, first = 0;

	if (structures == 0)
		return SONDE_OK;
	run->copies.sample = sample;
	CHECK(memory_allocate(&run->copies.runs, structures * PATTERN_MOST_CLASSES, sizeof *run->copies.runs,
			      "the copies"));
	CHECK(memory_allocate(&counts, structures * PATTERN_MOST_CLASSES, sizeof *counts, "the copies"));
	for (size_t s = 0; s < structures; ++s) {
		const struct pattern_copies_of *group = &sample->copies.groups[s];
		for (int64_t i = group->first; i < group->first + group->atoms; ++i)
			++counts[(size_t)run->channels.group_of[sample->view.species_of[i]] * structures + s];
	}
	for (size_t k = 0; k < structures * PATTERN_MOST_CLASSES; first += counts[k++])
		if (counts[k] > 0)
			run->copies.runs[run->copies.count++] =
			    (struct fast_run){first, counts[k], &sample->copies.groups[k % structures]};
	free(counts);
	return SONDE_OK;
}

static void group(struct grouping *grouping, int threads)
{
	struct fast_sums *run = grouping->run;
	int64_t sum = 0;

	threads_for(threads, GROUPING_PARTS, 1, count_groups, grouping);
	for (int g = 0; g < PATTERN_MOST_CLASSES; ++g) {
		run->starts[g] = sum;
		for (int part = 0; part < GROUPING_PARTS; ++part) {
			const int64_t own = grouping->next[part][g];
			grouping->next[part][g] = sum;
			sum += own;
		}
	}
	run->starts[PATTERN_MOST_CLASSES] = sum;
	threads_for(threads, GROUPING_PARTS, 1, fill_groups, grouping);
}

/* On the device that has them. */
static sonde_status group_resident(struct grouping *grouping, int threads)
{
	struct fast_sums *run = grouping->run;
	const struct pattern_sample *sample = &run->plan->sample;
	const size_t count = (size_t)sample->view.count;

	sonde_status status =
	    memory_allocate_to_fill(&grouping->numbers, count, sizeof *grouping->numbers, "the atoms");
	if (status == SONDE_OK)
		status = memory_allocate_to_fill(&grouping->classes, count, sizeof *grouping->classes, "the atoms");
	if (status == SONDE_OK) {
		group(grouping, threads);
		status = pattern_resident_records(sample, grouping->numbers, grouping->classes, &run->records);
	}
	free(grouping->numbers);
	free(grouping->classes);
	return status;
}

sonde_status fast_group_atoms(struct fast_sums *run)
{
	const int threads = context_threads(run->context);
	const bool resident = pattern_is_resident(&run->plan->sample);
	struct grouping *grouping;

	if (!resident)
		CHECK(memory_allocate_to_fill(&run->atoms, (size_t)run->plan->sample.view.count, sizeof *run->atoms,
					      "the atoms"));
	CHECK(memory_allocate(&grouping, 1, sizeof *grouping, "the atoms"));
	grouping->run = run;
	sonde_status status = SONDE_OK;
	if (resident)
		status = group_resident(grouping, threads);
	else
		group(grouping, threads);
	free(grouping);
	CHECK(status);
	return find_runs(run);
}
