#include "fdtd/sources/waveform_file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "io/tables/columns.h"

struct samples {
	double *times, *values; /* steps */
	size_t count, capacities[2];
};

static sonde_status add(const struct line_reader *reader, struct samples *columns, double seconds, double step,
			double value)
{
	size_t n = columns->count;
	double time = seconds / step;

	if (!isfinite(time) || !isfinite(value))
		return line_fail(reader, "times and values must be finite numbers");
	if (n > 0 && !(time > columns->times[n - 1]))
		return line_fail(reader, "the time %.9g s is not after the one before, %.9g s: times must increase",
				 seconds, columns->times[n - 1] * step);
	CHECK(memory_grow(&columns->times, &columns->capacities[0], n + 1, sizeof(double), "a file of samples"));
	CHECK(memory_grow(&columns->values, &columns->capacities[1], n + 1, sizeof(double), "a file of samples"));
	columns->times[n] = time;
	columns->values[n] = value;
	++columns->count;
	return SONDE_OK;
}

static sonde_status read_lines(struct line_reader *reader, double step, struct samples *columns)
{
	struct columns rows = {.needed = 2};
	struct word words[3];
	double seconds, value;
	char *line;

	for (;;) {
		CHECK(line_reader_next(reader, &line));
		if (line == NULL)
			break;
		int count;
		CHECK(columns_split(&rows, reader, line, words, 3, &count));
		if (count == 0)
			continue;
		if (count != 2)
			return line_fail(reader, "expected two numbers, a time in seconds and a value");
		CHECK(word_real(reader, &words[0], "the time", &seconds));
		CHECK(word_real(reader, &words[1], "the value", &value));
		CHECK(add(reader, columns, seconds, step, value));
	}
	if (columns->count < 2)
		return status_fail_file(SONDE_INVALID, line_reader_path(reader),
					"a source needs at least two samples, but there %s %zu",
					columns->count == 1 ? "is" : "are", columns->count);
	return SONDE_OK;
}

sonde_status waveform_read(const char *path, double step, bool cubic, struct waveform *waveform)
{
	struct line_reader *reader = NULL;
	struct samples columns = {0};
	sonde_status status;

	*waveform = (struct waveform){.kind = WAVEFORM_SAMPLES};
	CHECK(line_reader_open(&reader, path));
	CHECK_GOTO(status, read_lines(reader, step, &columns), done);
	status = waveform_make_samples(columns.times, columns.values, columns.count, cubic, waveform);
done:
	line_reader_close(&reader);
	free(columns.times);
	free(columns.values);
	return status;
}
