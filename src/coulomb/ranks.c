#include "coulomb/ranks.h"

#include <string.h>

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
