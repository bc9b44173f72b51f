#include "pattern/ranks.h"

#include <string.h>

#include "base/threads.h"
#include "parallel/parallel.h"

#define PACKED_AT_ONCE 4096 /* points, by a thread */

bool pattern_has_ranks(const sonde_context *context)
{
	return parallel_size(context_ranks(context)) > 1;
}

sonde_status pattern_ranks_choose(sonde_context *context, struct pattern_plan *plan)
{
	struct {
		struct pattern_fast fast;
		double tolerance;
		int32_t method, products;
	} chosen;

	if (!pattern_has_ranks(context))
		return SONDE_OK;
	memset(&chosen, 0, sizeof chosen);
	chosen.fast = plan->fast;
	chosen.tolerance = plan->options.tolerance;
	chosen.method = plan->options.method;
	chosen.products = plan->products;
	CHECK(parallel_broadcast(context_ranks(context), &chosen, sizeof chosen));
	plan->fast = chosen.fast;
	plan->options.tolerance = chosen.tolerance;
	plan->options.method = chosen.method;
	plan->products = chosen.products != 0;
	return SONDE_OK;
}

sonde_status pattern_ranks_error(sonde_context *context, double *error, int64_t *checked)
{
	double found[2] = {*error, (double)*checked};

	CHECK(parallel_broadcast(context_ranks(context), found, sizeof found));
	*error = found[0];
	*checked = (int64_t)found[1];
	return SONDE_OK;
}

/* Values of points, and their bytes. */
struct packing {
	const struct pattern_values *values;
	int64_t (*point)(const void *of, int64_t n);
	const void *of;
	enum pattern_packed what;
	char *to;
	const char *from;
};

static size_t numbers_of_point(enum pattern_packed what)
{
	return what == PACKED_ALL ? 3 : 2;
}

static void pack_some(void *state, int64_t first, int64_t end, int worker)
{
	const struct packing *packing = state;
	const size_t bytes = numbers_of_point(packing->what) * sizeof(double);

	(void)worker;
	for (int64_t n = first; n < end; ++n) {
		const int64_t at = packing->point(packing->of, n);
		const double numbers[3] = {packing->values->real[at], packing->values->imaginary[at],
					   packing->what == PACKED_ALL ? packing->values->intensity[at] : 0.0};
		memcpy(packing->to + (size_t)n * bytes, numbers, bytes);
	}
}

static void unpack_some(void *state, int64_t first, int64_t end, int worker)
{
	const struct packing *packing = state;
	const size_t bytes = numbers_of_point(packing->what) * sizeof(double);

	(void)worker;
	for (int64_t n = first; n < end; ++n) {
		const int64_t at = packing->point(packing->of, n);
		double numbers[3] = {0};
		memcpy(numbers, packing->from + (size_t)n * bytes, bytes);
		packing->values->real[at] = numbers[0];
		packing->values->imaginary[at] = numbers[1];
		if (packing->what != PACKED_AMPLITUDES)
			packing->values->intensity[at] = packing->what == PACKED_ALL
							     ? numbers[2]
							     : numbers[0] * numbers[0] + numbers[1] * numbers[1];
	}
}

void pattern_pack(int threads, const struct pattern_values *values, enum pattern_packed what, int64_t count,
		  int64_t (*point)(const void *of, int64_t n), const void *of, struct text *packed)
{
	const size_t bytes = (size_t)count * numbers_of_point(what) * sizeof(double);
	struct packing packing = {values, point, of, what, text_room(packed, bytes), NULL};

	if (packing.to == NULL)
		return;
	threads_for(threads, count, PACKED_AT_ONCE, pack_some, &packing);
	text_grow(packed, bytes);
}

sonde_status pattern_unpack(int threads, const struct pattern_values *values, enum pattern_packed what, int64_t count,
			    int64_t (*point)(const void *of, int64_t n), const void *of, const char *bytes,
			    size_t size)
{
	struct packing packing = {values, point, of, what, NULL, bytes};

	if (size != (size_t)count * numbers_of_point(what) * sizeof(double))
		return status_fail(SONDE_INTERNAL, "a piece of another rank has another size");
	threads_for(threads, count, PACKED_AT_ONCE, unpack_some, &packing);
	return SONDE_OK;
}

sonde_status pattern_ranks_finished(sonde_context *context, unsigned char *finished, uint64_t count)
{
	return parallel_broadcast(context_ranks(context), finished, (size_t)count);
}
