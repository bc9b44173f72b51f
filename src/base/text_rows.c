#include "base/text_rows.h"

#include "base/threads.h"

#define ROWS_AT_ONCE 4096 /* per part */
#define MOST_PARTS 64

struct formatting {
	int64_t first, end;
	void (*format)(const void *user, int64_t first, int64_t end, struct text *text);
	const void *user;
	struct text parts[MOST_PARTS];
};

static void format_parts(void *state, int64_t begin, int64_t finish, int worker)
{
	struct formatting *formatting = state;

	(void)worker;
	for (int64_t part = begin; part < finish; ++part) {
		const int64_t first = formatting->first + part * ROWS_AT_ONCE, end = first + ROWS_AT_ONCE;
		formatting->parts[part].size = 0;
		formatting->format(formatting->user, first, end < formatting->end ? end : formatting->end,
				   &formatting->parts[part]);
	}
}

void text_append_rows(struct text *text, int threads, int64_t first, int64_t end,
		      void (*format)(const void *user, int64_t first, int64_t end, struct text *text),
		      const void *user)
{
	struct formatting formatting = {.first = first, .end = end, .format = format, .user = user};

	for (; formatting.first < end && !text->failed; formatting.first += (int64_t)MOST_PARTS * ROWS_AT_ONCE) {
		const int64_t left = (end - formatting.first + ROWS_AT_ONCE - 1) / ROWS_AT_ONCE,
			      parts = left < MOST_PARTS ? left : MOST_PARTS;
		threads_for(threads > 0 ? threads : 1, parts, 1, format_parts, &formatting);
		for (int64_t part = 0; part < parts; ++part) {
			const struct text *own = &formatting.parts[part];
			text->failed = text->failed || own->failed;
			if (own->size > 0)
				text_append_bytes(text, own->bytes, own->size);
		}
	}
	for (int part = 0; part < MOST_PARTS; ++part)
		text_free(&formatting.parts[part]);
}
