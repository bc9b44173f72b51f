#include "coulomb/describe.h"

#include <math.h>
#include <stdio.h>

#include "base/text.h"
#include "run/result_file.h"

/* Distances along the steps of an oblique grid; coordinates of others, and of the points of a line. */
static void describe_axes(struct hdf5_reader *reader, struct report *report)
{
	static const char *const names[] = {"a", "b", "c", "x", "y", "z"};
	char path[64];

	for (size_t k = 0; k < sizeof names / sizeof *names; ++k) {
		snprintf(path, sizeof path, "/coulomb/potential/%s", names[k]);
		result_file_axis(reader, report, names[k], path, "Angstrom");
	}
}

sonde_status coulomb_describe(struct hdf5_reader *reader, struct report *report)
{
	double sets = result_file_number(reader, "/coulomb/sample/charge_sets");

	const double charges = result_file_number(reader, "/coulomb/sample/charges"),
		     total = result_file_number(reader, "/coulomb/sample/total_charge");
	report_print(report, "%-12s %.0f, together %.10g e", "charges", charges, total);
	if (sets > 1.0)
		report_print(report, " in the first of %.0f sets", sets);
	report_print(report, "\n");
	report_number(report, "charges", charges);
	report_number(report, "total_charge_e", total);
	report_number(report, "charge_sets", isnan(sets) ? 1.0 : sets);
	result_file_text(reader, report, "device", "/coulomb/process/device");
	describe_axes(reader, report);
	CHECK(result_file_options(reader, report, "coulomb"));
	result_file_time(reader, report, "coulomb");
	const double relative = result_file_number(reader, "/coulomb/process/relative_error"),
		     largest = result_file_number(reader, "/coulomb/process/largest_error"),
		     field = result_file_number(reader, "/coulomb/process/field_error"),
		     largest_field = result_file_number(reader, "/coulomb/process/largest_field_error"),
		     checked = result_file_number(reader, "/coulomb/process/checked_points");
	report_print(report, "%-12s potential %.2g relative, %.2g in its unit at most", "error",
		     text_round_up(relative, 2), text_round_up(largest, 2));
	if (!isnan(field))
		report_print(report, "; field %.2g relative, %.2g in its unit at most", text_round_up(field, 2),
			     text_round_up(largest_field, 2));
	report_print(report, "; from %.0f recomputed points\n", checked);
	report_number(report, "relative_error", relative);
	report_number(report, "largest_error", largest);
	report_number(report, "field_error", field);
	report_number(report, "largest_field_error", largest_field);
	report_number(report, "checked_points", checked);
	return SONDE_OK;
}
