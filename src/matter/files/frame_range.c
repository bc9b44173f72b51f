#include "matter/files/frame_range.h"

#include <string.h>

#include "base/text.h"

/* A part between colons; `missing` where it is empty. */
static sonde_status parse_part(const char *start, const char *end, int64_t missing, int64_t last, int64_t *value)
{
	const size_t length = (size_t)(end - start);

	*value = missing;
	if (length == 0)
		return SONDE_OK;
	if (length == 4 && strncmp(start, "last", length) == 0) {
		*value = last;
		return SONDE_OK;
	}
	if (text_parse_integer(start, end, value))
		return SONDE_OK;
	return status_fail(SONDE_INVALID,
			   "'%.*s' is not a whole number; frames are given as start:stop:step, such as 0:1000:10, "
			   "100:, -100:, or last",
			   length < 40 ? (int)length : 40, start);
}

static sonde_status parse_slice(const char *text, struct frame_range *range)
{
	const char *colon = strchr(text, ':'), *second = strchr(colon + 1, ':'), *end = text + strlen(text);

	if (second != NULL && strchr(second + 1, ':') != NULL)
		return status_fail(SONDE_INVALID, "'%.40s' has more than three parts; start:stop:step", text);
	CHECK(parse_part(text, colon, 0, -1, &range->start));
	CHECK(parse_part(colon + 1, second != NULL ? second : end, INT64_MAX, INT64_MAX, &range->stop));
	if (second != NULL)
		CHECK(parse_part(second + 1, end, 1, 0, &range->step));
	if (range->stop <= range->start && (range->start < 0) == (range->stop < 0))
		return status_fail(SONDE_INVALID,
				   "'%.40s' contains no frame: it begins at frame %lld and ends before frame %lld; "
				   "start:stop, of which stop is not included",
				   text, (long long)range->start, (long long)range->stop);
	return range->step >= 1
		   ? SONDE_OK
		   : status_fail(SONDE_INVALID, "the step of '%.40s' is not a whole number of at least 1", text);
}

sonde_status frame_range_parse(const char *text, struct frame_range *range)
{
	*range = (struct frame_range){.stop = INT64_MAX, .step = 1};
	if (text[0] == '\0' || strcmp(text, "all") == 0)
		return SONDE_OK;
	if (strchr(text, ':') != NULL)
		return parse_slice(text, range);
	range->one = true;
	return parse_part(text, text + strlen(text), 0, -1, &range->start);
}

bool frame_range_needs_count(const struct frame_range *range)
{
	return range->start < 0 || (!range->one && (range->stop < 0 || range->stop == INT64_MAX));
}

static int64_t from_start(int64_t frame, int64_t count)
{
	return frame < 0 ? frame + count : frame;
}

sonde_status frame_range_resolve(const struct frame_range *range, int64_t count, int64_t *first, int64_t *frames)
{
	int64_t start = from_start(range->start, count), stop = from_start(range->stop, count);

	if (range->one && (start < 0 || start >= count))
		return status_fail(SONDE_INVALID, "frame %lld does not exist: there are %lld, counted from 0",
				   (long long)range->start, (long long)count);
	if (range->one)
		stop = start + 1;
	start = start < 0 ? 0 : start;
	stop = stop > count ? count : stop;
	if (start >= count)
		return status_fail(SONDE_INVALID,
				   "the range begins at frame %lld, after the last of the %lld frames, which are "
				   "counted from 0",
				   (long long)start, (long long)count);
	if (start >= stop)
		return status_fail(SONDE_INVALID,
				   "of %lld frames, counted from 0, the range begins at frame %lld and ends before "
				   "frame %lld: it contains none",
				   (long long)count, (long long)start, (long long)(stop < 0 ? 0 : stop));
	*first = start;
	*frames = (stop - start - 1) / range->step + 1;
	return SONDE_OK;
}
