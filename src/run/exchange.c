#include "run/exchange.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

#define BYTES_AT_ONCE ((size_t)64 << 20) /* of all ranks; each brings a piece at least */

/* The bytes of the pieces that this rank has done, each after its number. */
static sonde_status pack(const struct shared_work *work, const int16_t *owner, struct text *packed)
{
	for (uint64_t k = 0; k < work->pieces; ++k) {
		void *bytes;
		if (owner[k] == SHARE_ELSEWHERE)
			continue;
		const size_t size = work->result_of(work->user, k, &bytes);
		text_append_bytes(packed, (const char *)&k, sizeof k);
		text_append_bytes(packed, bytes, size);
	}
	return text_status(packed);
}

static sonde_status unpack(const struct shared_work *work, const int16_t *owner, const char *packed, size_t size)
{
	const char *end = packed + size;

	while (packed < end) {
		uint64_t piece;
		void *bytes;
		memcpy(&piece, packed, sizeof piece);
		const size_t each = work->result_of(work->user, piece, &bytes);
		if (bytes == NULL)
			return memory_missing("the results of other ranks");
		if (owner[piece] == SHARE_ELSEWHERE)
			memcpy(bytes, packed + sizeof piece, each);
		packed += sizeof piece + each;
	}
	return SONDE_OK;
}

sonde_status exchange_results(struct parallel *ranks, const struct shared_work *work, const int16_t *owner)
{
	struct text packed = {0};
	void *all = NULL;
	size_t size = 0;
	sonde_status status = parallel_agree(ranks, pack(work, owner, &packed));

	if (status == SONDE_OK)
		status = parallel_gather(ranks, packed.bytes, packed.size, &all, &size);
	text_free(&packed);
	if (status == SONDE_OK)
		status = parallel_agree(ranks, unpack(work, owner, all, size));
	free(all);
	return status;
}

/* In front of the bytes of a piece. */
struct heading {
	uint64_t piece, size;
};

/* The next pieces of this rank, from *next on. Rank 0 keeps its own, unless all get them. */
static sonde_status pack_some(const struct shared_work *work, const int16_t *owner, bool sends, size_t most,
			      uint64_t *next, struct text *packed)
{
	packed->size = 0;
	for (; *next < work->pieces && packed->size < most; ++*next) {
		const size_t begin = packed->size;
		struct heading heading = {*next, 0};
		if (!sends || owner[*next] < 0)
			continue;
		text_append_bytes(packed, (const char *)&heading, sizeof heading);
		CHECK(work->pack(work->user, *next, packed));
		CHECK(text_status(packed));
		heading.size = packed->size - begin - sizeof heading;
		memcpy(packed->bytes + begin, &heading, sizeof heading);
		if (heading.size == 0)
			packed->size = begin;
	}
	return text_status(packed);
}

static sonde_status unpack_some(const struct shared_work *work, const int16_t *owner, const char *packed, size_t size)
{
	for (size_t place = 0; place < size;) {
		struct heading heading;
		memcpy(&heading, packed + place, sizeof heading);
		place += sizeof heading;
		if (owner[heading.piece] < 0)
			CHECK(work->unpack(work->user, heading.piece, packed + place, (size_t)heading.size));
		place += (size_t)heading.size;
	}
	return SONDE_OK;
}

static sonde_status exchange_some(struct parallel *ranks, const struct shared_work *work, const int16_t *owner,
				  const struct text *packed)
{
	void *all = NULL;
	size_t size = 0;

	CHECK((work->for_all ? parallel_gather : parallel_collect)(ranks, packed->bytes, packed->size, &all, &size));
	const sonde_status status = parallel_agree(ranks, unpack_some(work, owner, all, size));
	free(all);
	return status;
}

sonde_status exchange_packed(struct parallel *ranks, const struct shared_work *work, const int16_t *owner)
{
	const bool sends = work->for_all || !parallel_is_first(ranks);
	struct text packed = {0};
	uint64_t next = 0, left;
	sonde_status status;

	do {
		status =
		    parallel_agree(ranks, pack_some(work, owner, sends, BYTES_AT_ONCE / (size_t)parallel_size(ranks),
						    &next, &packed));
		if (status == SONDE_OK)
			status = exchange_some(ranks, work, owner, &packed);
		left = work->pieces - next;
		if (status == SONDE_OK)
			status = parallel_sum(ranks, &left, 1);
	} while (status == SONDE_OK && left > 0);
	text_free(&packed);
	return status;
}
