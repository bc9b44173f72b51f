#include "coulomb/ranks.h"

#include <string.h>

#include "base/memory.h"
#include "coulomb/mesh/mesh.h"
#include "coulomb/method/fast_plan.h"
#include "parallel/parallel.h"

void coulomb_pack(const struct values *values, int64_t first, int64_t count, struct text *packed)
{
	int64_t at = first - values->first;

	for (uint32_t s = 0; s < values->sets; ++s, at += values->stride) {
		text_append_bytes(packed, (const char *)(values->potential + at), (size_t)count * sizeof(double));
		if (values->field != NULL)
			text_append_bytes(packed, (const char *)(values->field + 3 * at),
					  3 * (size_t)count * sizeof(double));
	}
}

const char *coulomb_unpack(const struct values *values, int64_t first, int64_t count, const char *bytes)
{
	const size_t size = (size_t)count * sizeof(double);
	int64_t at = first - values->first;

	for (uint32_t s = 0; s < values->sets; ++s, at += values->stride) {
		memcpy(values->potential + at, bytes, size);
		bytes += size;
		if (values->field == NULL)
			continue;
		memcpy(values->field + 3 * at, bytes, 3 * size);
		bytes += 3 * size;
	}
	return bytes;
}

size_t coulomb_packed(const struct values *values, int64_t count)
{
	return (size_t)count * values->sets * sizeof(double) * (values->field != NULL ? 4 : 1);
}

sonde_status coulomb_ranks_errors(sonde_context *context, struct coulomb_errors *errors)
{
	return parallel_broadcast(context_ranks(context), errors, sizeof *errors);
}

sonde_status coulomb_ranks_mesh(sonde_context *context, struct coulomb_plan *plan)
{
	int32_t chosen[3] = {plan->mesh != NULL, plan->order, plan->options.method};

	if (parallel_size(context_ranks(context)) == 1)
		return SONDE_OK;
	CHECK(parallel_broadcast(context_ranks(context), chosen, sizeof chosen));
	if (chosen[0] == 0 && plan->mesh != NULL)
		fast_plan_free(plan);
	else if (chosen[0] != 0 && plan->mesh == NULL) /* for the other decisions that depend on it */
		CHECK(memory_allocate(&plan->mesh, 1, sizeof *plan->mesh, "the fast sum"));
	plan->order = chosen[1];
	plan->options.method = chosen[2];
	return SONDE_OK;
}
