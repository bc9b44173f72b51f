#include "ions/describe.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/text.h"
#include "base/units.h"
#include "run/result_file.h"

/* "range        403.4 +- 2.8 Angstrom"; lengths, without a unit, with a suitable prefix */
static void report_estimate(struct hdf5_reader *reader, struct report *report, const char *name, const char *unit)
{
	char path[96];

	snprintf(path, sizeof path, "/ions/summary/%s", name);
	double value = result_file_number(reader, path);
	report_open_object(report, name);
	report_number(report, "value", value);
	if (isnan(value)) {
		report_line(report, name, "none");
		report_close(report);
		return;
	}
	snprintf(path, sizeof path, "/ions/summary/%s_errors", name);
	double error = result_file_number(reader, path);
	char length[16];
	report_number(report, "error", error);
	report_text(report, "unit", unit == NULL ? "angstrom" : "an ion");
	report_close(report);
	if (unit == NULL) {
		struct unit_scale scale = unit_scale_length(value);
		value *= scale.factor;
		error *= scale.factor;
		snprintf(length, sizeof length, " %s", scale.ascii);
		unit = length;
	}
	if (isnan(error))
		report_line(report, name, "%.7g%s", value, unit);
	else
		report_line(report, name, "%.7g +- %.2g%s", value, error, unit);
}

sonde_status ions_describe(struct hdf5_reader *reader, struct report *report)
{
	static const char *const names[] = {"ions", "implanted", "backscattered", "transmitted"};
	double counts[4];

	for (int k = 0; k < 4; ++k) {
		char path[96];
		snprintf(path, sizeof path, "/ions/summary/%s", names[k]);
		counts[k] = result_file_number(reader, path);
		report_number(report, names[k], counts[k]);
	}
	report_line(report, "ions", "%.0f: %.0f implanted, %.0f backscattered, %.0f transmitted", counts[0],
		    counts[1], counts[2], counts[3]);
	result_file_lines(reader, report, "beam", "/ions/beam/description");
	report_estimate(reader, report, "range", NULL);
	report_estimate(reader, report, "straggling", NULL);
	report_estimate(reader, report, "vacancies", " per ion");
	report_estimate(reader, report, "sputtered", " per ion");
	result_file_lines(reader, report, "leaving", "/ions/leaving/summary");
	result_file_lines(reader, report, "target", "/ions/process/target");
	result_file_text(reader, report, "device", "/ions/process/device");
	CHECK(result_file_options(reader, report, "ions"));
	result_file_time(reader, report, "ions");
	return SONDE_OK;
}

bool ions_is_checkpoint(struct hdf5_reader *reader)
{
	return hdf5_reader_has(reader, "/ions/job") && hdf5_reader_has(reader, "/ions/sums/ions");
}

/* Ions with unfinished histories: pairs of an ion's number and its count of atoms, in the order of the numbers. */
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

sonde_status ions_describe_checkpoint(struct hdf5_reader *reader, const char *path, struct report *report)
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
	result_file_checkpoint(report, "ions");
	report_print(report, "%-12s %lld done", "ions", (long long)(done - under_way));
	if (under_way > 0)
		report_print(report, ", %lld in progress", (long long)under_way);
	report_print(report, "\n");
	report_integer(report, "ions", done - under_way);
	report_integer(report, "ions_under_way", under_way);
	result_file_resume(report, path, job);
	free(job);
	return SONDE_OK;
}
