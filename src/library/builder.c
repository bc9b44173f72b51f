#include "library/builder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/threads.h"
#include "run/context.h"

#define MOST_BUILT 512       /* structures at a time, */
#define MOST_BUILT_ATOMS 4e6 /* and their atoms, if they are as large as those before */

void library_batch_empty(struct library_batch *batch)
{
	for (int k = 0; k < batch->count; ++k)
		library_structure_free(&batch->structures[k]);
	batch->count = 0;
	batch->pairs = 0.0;
}

void library_batch_free(struct library_batch *batch)
{
	library_batch_empty(batch);
	free(batch->structures);
	*batch = (struct library_batch){0};
}

/* Building ----------------------------------------------------------------------------------------------------------- */

/* Structures of one loop. */
struct building {
	struct library_builder *builder;
	struct built {
		sonde_status status;
		char message[1024];
	} * built;
};

static void build_one(const struct building *building, int64_t k)
{
	const struct library_builder *builder = building->builder;
	struct built *built = &building->built[k];

	built->status =
	    context_cancelled(builder->context)
		? status_fail(SONDE_CANCELLED, "stopped on request while building structures")
		: library_structure_make(builder->context, builder->spec, builder->next + k, &builder->built[k]);
	if (built->status != SONDE_OK)
		snprintf(built->message, sizeof built->message, "%s", status_message());
}

static void build_some(void *state, int64_t first, int64_t end, int worker)
{
	(void)worker;
	const bool muted = context_mute_thread(true);
	for (int64_t k = first; k < end; ++k)
		build_one(state, k);
	(void)context_mute_thread(muted);
}

/* One by all threads, then more and more of them, each by one thread, as long as they are small. */
static int count_next(const struct library_builder *builder)
{
	int64_t count = builder->built_count > 0 ? 2 * (int64_t)builder->built_count : 1;

	count = builder->one_by_one ? 1 : count < MOST_BUILT ? count : MOST_BUILT;
	if ((double)count * builder->largest_built > MOST_BUILT_ATOMS)
		count = (int64_t)(MOST_BUILT_ATOMS / builder->largest_built);
	count = count < builder->end - builder->next ? count : builder->end - builder->next;
	return count > 1 ? (int)count : 1;
}

/* Those before the first failure, whose status and message are kept. */
static void keep_built(struct library_builder *builder, const struct building *building, int count)
{
	builder->first_built = builder->next;
	builder->next += count;
	builder->built_count = builder->built_taken = 0;
	builder->largest_built = 1.0;
	for (int k = 0; k < count; ++k) {
		const struct built *built = &building->built[k];
		if (builder->status == SONDE_OK && built->status != SONDE_OK) {
			builder->status = built->status;
			memcpy(builder->message, built->message, sizeof builder->message);
		}
		if (builder->status != SONDE_OK) {
			library_structure_free(&builder->built[k]);
			continue;
		}
		const double atoms = (double)sonde_atoms_count(builder->built[k].atoms);
		builder->largest_built = atoms > builder->largest_built ? atoms : builder->largest_built;
		++builder->built_count;
	}
}

static sonde_status build_next(struct library_builder *builder)
{
	struct building building = {.builder = builder};
	const int count = count_next(builder);

	if (count > builder->built_room) {
		free(builder->built);
		builder->built_room = 0;
		CHECK(memory_allocate(&builder->built, (size_t)count, sizeof *builder->built, "structures"));
		builder->built_room = count;
	}
	memset(builder->built, 0, (size_t)count * sizeof *builder->built);
	CHECK(memory_allocate(&building.built, (size_t)count, sizeof *building.built, "structures"));
	if (count == 1)
		build_one(&building, 0);
	else
		threads_for(context_threads(builder->context), count, 1, build_some, &building);
	keep_built(builder, &building, count);
	free(building.built);
	return SONDE_OK;
}

/* Batches ------------------------------------------------------------------------------------------------------------ */

static void count_atoms(struct library_builder *builder, int64_t atoms)
{
	builder->atoms += (double)atoms;
	builder->pairs += 0.5 * (double)atoms * ((double)atoms - 1.0);
	builder->fewest_atoms =
	    builder->fewest_atoms == 0 || atoms < builder->fewest_atoms ? atoms : builder->fewest_atoms;
	builder->most_atoms = atoms > builder->most_atoms ? atoms : builder->most_atoms;
}

/* A structure joins the batch, or is left out. */
static sonde_status take(struct library_builder *builder, struct library_structure *structure,
			 struct library_batch *batch)
{
	const double atoms = (double)sonde_atoms_count(structure->atoms);
	const bool present = builder->before != NULL && library_keys_have(builder->before, structure->key);

	if (present || library_keys_have(&builder->taken, structure->key)) {
		++*(present ? &builder->present : &builder->repeated);
		library_structure_free(structure);
		return SONDE_OK;
	}
	CHECK(library_keys_add(&builder->taken, structure->key));
	count_atoms(builder, sonde_atoms_count(structure->atoms));
	batch->structures[batch->count++] = *structure;
	batch->pairs += 0.5 * atoms * atoms;
	*structure = (struct library_structure){0};
	return SONDE_OK;
}

static sonde_status fill(struct library_builder *builder, struct library_batch *batch)
{
	if (batch->structures == NULL)
		CHECK(memory_allocate(&batch->structures, (size_t)builder->at_once, sizeof *batch->structures,
				      "a batch"));
	while (batch->count < builder->at_once && batch->pairs <= builder->most_pairs) {
		if (builder->built_taken < builder->built_count) {
			const int k = builder->built_taken++;
			CHECK(take(builder, &builder->built[k], batch));
			continue;
		}
		if (builder->status != SONDE_OK)
			return status_fail(builder->status, "%s", builder->message);
		if (builder->next >= builder->end)
			return SONDE_OK;
		CHECK(build_next(builder));
	}
	return SONDE_OK;
}

sonde_status library_builder_fill(struct library_builder *builder, struct library_batch *batch)
{
	const double began = clock_seconds();
	const sonde_status status = fill(builder, batch);

	batch->end = builder->first_built + builder->built_taken;
	builder->seconds += clock_seconds() - began;
	return status;
}

void library_builder_free(struct library_builder *builder)
{
	for (int k = builder->built_taken; k < builder->built_count; ++k)
		library_structure_free(&builder->built[k]);
	free(builder->built);
	library_keys_free(&builder->taken);
	*builder = (struct library_builder){0};
}
