#include "cli/info/checkpoint.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "cli/info/facts.h"
#include "fdtd/checkpoint.h"

static void print_kind(const char *engine)
{
	facts_line("what", "checkpoint of an unfinished run of sonde %s", engine);
	facts_text("what", "checkpoint");
	facts_text("engine", engine);
}

static void print_way_on(const char *path)
{
	static const char suffix[] = ".checkpoint";
	size_t length = strlen(path), cut = sizeof suffix - 1;

	if (length > cut && strcmp(path + length - cut, suffix) == 0)
		facts_line("to go on", "the same command with --output %.*s --resume", (int)(length - cut), path);
	else
		facts_line("to go on", "rename it to RESULT%s, then the same command with --output RESULT --resume",
			   suffix);
}

static void print_job(const char *job)
{
	facts_print("job\n");
	facts_lines("job", job);
	for (const char *line = job; *line != '\0';) {
		int size = (int)strcspn(line, "\n");
		facts_print("             %.*s\n", size, line);
		line += size + (line[size] == '\n');
	}
}

bool info_is_ions_checkpoint(struct hdf5_reader *reader)
{
	return hdf5_reader_has(reader, "/ions/job") && hdf5_reader_has(reader, "/ions/sums/ions");
}

/* Ions in the midst of their histories: pairs of a number and how many atoms it is, in the order of the numbers. */
static sonde_status count_under_way(struct hdf5_reader *reader, int64_t *ions)
{
	int64_t *pairs, count;

	if (!hdf5_reader_has(reader, "/ions/sums/under_way"))
		return SONDE_OK;
	CHECK(hdf5_reader_integers(reader, "/ions/sums/under_way", &pairs, &count));
	for (int64_t k = 0; k + 1 < count; k += 2)
		*ions += k == 0 || pairs[k] != pairs[k - 2];
	free(pairs);
	return SONDE_OK;
}

sonde_status info_describe_ions_checkpoint(struct hdf5_reader *reader, const char *path)
{
	int64_t *ions, count;
	char *job;

	CHECK(hdf5_reader_integers(reader, "/ions/sums/ions", &ions, &count));
	int64_t done = count == 1 ? ions[0] : -1;
	free(ions);
	int64_t under_way = 0;
	CHECK(count_under_way(reader, &under_way));
	if (done < under_way)
		return status_fail_file(SONDE_INVALID, path, "its number of ions is damaged");
	CHECK(hdf5_reader_text(reader, "/ions/job", &job));
	print_kind("ions");
	facts_print("%-12s %lld done", "ions", (long long)(done - under_way));
	if (under_way > 0)
		facts_print(", %lld under way", (long long)under_way);
	facts_print("\n");
	facts_integer("ions", done - under_way);
	facts_integer("ions_under_way", under_way);
	print_way_on(path);
	print_job(job);
	free(job);
	return SONDE_OK;
}

sonde_status info_describe_fdtd_checkpoint(const char *path)
{
	struct checkpoint_summary summary;

	CHECK(checkpoint_summarise(path, &summary));
	print_kind("fdtd");
	facts_line("steps", "%llu done%s", (unsigned long long)summary.steps,
		   summary.pass == PASS_REFERENCE ? ", of the run for reference"
		   : summary.pass == PASS_WAVE    ? ", of the run of the wave alone"
						  : "");
	facts_integer("steps", (int64_t)summary.steps);
	facts_text("pass", summary.pass == PASS_REFERENCE ? "reference"
			   : summary.pass == PASS_WAVE    ? "wave"
							  : "main");
	if (summary.largest > 0.0) {
		facts_line("largest E", "%.3g of the largest there was", summary.last / summary.largest);
		facts_number("field_left", summary.last / summary.largest);
	}
	print_way_on(path);
	print_job(summary.job);
	free(summary.job);
	return SONDE_OK;
}
