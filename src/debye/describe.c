#include "debye/describe.h"

#include <stdlib.h>

#include "base/text.h"
#include "debye/curves/comparison.h"
#include "run/result_file.h"

static void report_species(struct hdf5_reader *reader, struct report *report)
{
	char *labels = NULL;
	const double atoms = result_file_number(reader, "/debye/sample/atoms");
	const bool known = hdf5_reader_text(reader, "/debye/sample/composition", &labels) == SONDE_OK;

	report_line(report, "atoms", "%.0f%s%s", atoms, known ? ": " : "", known ? labels : "");
	report_number(report, "atoms", atoms);
	if (known)
		report_text(report, "composition", labels);
	free(labels);
}

sonde_status debye_describe(struct hdf5_reader *reader, struct report *report)
{
	report_species(reader, report);
	result_file_text(reader, report, "samples", "/debye/samples/description");
	result_file_text(reader, report, "amplitudes", "/debye/process/amplitudes");
	result_file_text(reader, report, "device", "/debye/process/device");
	result_file_axis(reader, report, "q", "/debye/intensity/q", "1/Angstrom");
	result_file_axis(reader, report, "r", "/debye/pair_distribution/r", "Angstrom");
	CHECK(comparison_describe(reader, report));
	CHECK(result_file_options(reader, report, "debye"));
	const double width = result_file_number(reader, "/debye/process/bin_width");
	if (width > 0) {
		report_line(report, "bins", "%g Angstrom wide", width);
		report_number(report, "bin_width_angstrom", width);
	}
	result_file_time(reader, report, "debye");
	const double error = result_file_number(reader, "/debye/process/largest_error"),
		     bound = result_file_number(reader, "/debye/process/largest_bound"),
		     checked = result_file_number(reader, "/debye/process/checked_points");
	report_line(report, "error",
		    "estimate %.2g, bound %.2g (<f^2> + I/N); %.0f points of q checked by a more accurate method",
		    text_round_up(error, 2), text_round_up(bound, 2), checked);
	report_number(report, "largest_error", error);
	report_number(report, "largest_bound", bound);
	report_number(report, "checked_points", checked);
	return SONDE_OK;
}
