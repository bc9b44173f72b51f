#include "cli/info/library.h"

#include "match/library_file.h"

bool info_is_library(struct hdf5_reader *reader)
{
	return hdf5_reader_has(reader, "/library");
}

static void report_axis(struct report *report, const char *name, const double *axis, int64_t count, const char *unit)
{
	if (count == 0)
		return;
	report_line(report, name, "%lld points, %g to %g %s", (long long)count, axis[0], axis[count - 1], unit);
	report_open_object(report, name);
	report_integer(report, "points", count);
	report_number(report, "first", axis[0]);
	report_number(report, "last", axis[count - 1]);
	report_text(report, "unit", unit);
	report_close(report);
}

static void report_curves(struct report *report, const struct library_head *head)
{
	struct text names = {0};

	report_open_list(report, "curves");
	for (int k = 0; k < LIBRARY_CURVES; ++k) {
		if (!head->has[k])
			continue;
		text_append(&names, "%s%s%s", names.size > 0 ? ", " : "", library_curve_names[k],
			    head->errors[k] ? " with errors" : "");
		report_text(report, NULL, library_curve_names[k]);
	}
	report_close(report);
	report_line(report, "curves", "%s", names.bytes != NULL ? names.bytes : "");
	text_free(&names);
}

sonde_status info_describe_library(const char *path, struct report *report)
{
	struct library library;

	CHECK(library_open(path, &library));
	const struct library_head *head = &library.head;
	report_line(report, "what", "library of candidates");
	report_text(report, "what", "library");
	report_line(report, "candidates", "%lld", (long long)library.count);
	report_integer(report, "candidates", library.count);
	report_line(report, "radiation", "%s", library_radiation_names[head->radiation]);
	report_text(report, "radiation", library_radiation_names[head->radiation]);
	if (head->physics[0] != '\0')
		report_line(report, "physics", "%s", head->physics);
	report_text(report, "physics", head->physics);
	report_axis(report, "q", head->q, head->q_count, "1/Angstrom");
	report_axis(report, "r", head->r, head->r_count, "Angstrom");
	report_curves(report, head);
	report_line(report, "coordinates", "%s", head->coordinates ? "yes" : "no");
	report_boolean(report, "coordinates", head->coordinates);
	library_close(&library);
	return SONDE_OK;
}
