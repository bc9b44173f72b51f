#include "cli/commands/unexplained.h"

void report_unexplained(struct report *report, const struct match_curve *curve)
{
	report_open_list(report, "unexplained");
	for (int k = 0; k < curve->peak_count; ++k) {
		report_open_object(report, NULL);
		report_number(report, "position", curve->peaks[k].position);
		report_number(report, "width", curve->peaks[k].width);
		report_number(report, "height", curve->peaks[k].height);
		report_number(report, "significance", curve->peaks[k].significance);
		report_close(report);
	}
	report_close(report);
}
