#include "pattern/ranks.h"

#include <string.h>

#include "parallel/parallel.h"

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

void pattern_pack(const struct pattern_values *values, bool amplitudes, int64_t count,
		  int64_t (*point)(const void *of, int64_t n), const void *of, struct text *packed)
{
	const size_t each = amplitudes ? 2 : 3, bytes = (size_t)count * each * sizeof(double);
	char *to = text_room(packed, bytes);

	for (int64_t n = 0; to != NULL && n < count; ++n, to += each * sizeof(double)) {
		const int64_t at = point(of, n);
		const double numbers[3] = {values->real[at], values->imaginary[at],
					   amplitudes ? 0.0 : values->intensity[at]};
		memcpy(to, numbers, each * sizeof(double));
	}
	if (to != NULL)
		text_grow(packed, bytes);
}

sonde_status pattern_unpack(const struct pattern_values *values, bool amplitudes, int64_t count,
			    int64_t (*point)(const void *of, int64_t n), const void *of, const char *bytes,
			    size_t size)
{
	const size_t each = amplitudes ? 2 : 3;

	if (size != (size_t)count * each * sizeof(double))
		return status_fail(SONDE_INTERNAL, "a piece of another rank has another size");
	for (int64_t n = 0; n < count; ++n, bytes += each * sizeof(double)) {
		const int64_t at = point(of, n);
		double numbers[3] = {0};
		memcpy(numbers, bytes, each * sizeof(double));
		values->real[at] = numbers[0];
		values->imaginary[at] = numbers[1];
		if (!amplitudes)
			values->intensity[at] = numbers[2];
	}
	return SONDE_OK;
}

sonde_status pattern_ranks_finished(sonde_context *context, unsigned char *finished, uint64_t count)
{
	return parallel_broadcast(context_ranks(context), finished, (size_t)count);
}
