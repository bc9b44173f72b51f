#include "matter/generate/generate_parts.h"

#include <string.h>

#include "base/text.h"

#define MOST_ATOMS 4e9
#define BYTES_PER_ATOM 39.0 /* 26, and half as much while the arrays grow */

sonde_status generate_check_count(const sonde_context *context, double count, const sonde_atoms *atoms)
{
	const double total = (double)atoms->count + count;

	if (!(total <= MOST_ATOMS))
		return status_fail(SONDE_INVALID, "the sample is too large: about %.2g atoms; the limit is %.0g",
				   total, MOST_ATOMS);
	if (!context_may_allocate(context, total * BYTES_PER_ATOM))
		return status_fail(
		    SONDE_INVALID,
		    "not enough memory: the sample has about %.2g atoms, which need %.1f GB and %.1f GB "
		    "are allowed; a smaller one would fit",
		    total, total * BYTES_PER_ATOM * 1e-9, (double)context_memory(context) * 1e-9);
	return SONDE_OK;
}

sonde_status generate_reserve(sonde_context *context, double count, sonde_atoms *atoms)
{
	CHECK(generate_check_count(context, count, atoms));
	return atoms_reserve(atoms, atoms->count + (int64_t)count);
}

double generate_bond(const sonde_build_options *options)
{
	return options->bond != 0.0 ? options->bond : USUAL_BOND;
}

sonde_status generate_indices(const char *option, const char *start, const char *end, int64_t most,
			      int64_t indices[2])
{
	const char *comma = memchr(start, ',', (size_t)(end - start));

	if (comma == NULL || !text_parse_integer(start, comma, &indices[0]) ||
	    !text_parse_integer(comma + 1, end, &indices[1]))
		return status_fail_option(SONDE_INVALID, option, "'%.*s' is not two whole numbers, as 10,10",
					  (int)(end - start), start);
	for (int k = 0; k < 2; ++k)
		if (indices[k] < 0 || indices[k] > most)
			return status_fail_option(SONDE_INVALID, option,
						  "%lld is out of range: 0 to %lld are possible",
						  (long long)indices[k], (long long)most);
	if (indices[0] == 0 && indices[1] == 0)
		return status_fail_option(SONDE_INVALID, option, "both numbers are 0");
	return SONDE_OK;
}
