/* Comparisons in files and summaries. */
#include <math.h>

#include "base/memory.h"
#include "debye/curves/comparison.h"
#include "run/result_file.h"
#include "run/result_read.h"

#define GROUP "/debye/comparison"
#define UNIT "1" /* that of the file, which is not known */

static void write_curves(const sonde_debye_result *result, struct hdf5_writer *writer)
{
	const sonde_debye_comparison *c = result->comparison;
	static const char *const axes[] = {"q"}, *const others[] = {"fit", "background"};
	const int64_t n = result->q_count;

	hdf5_writer_group(writer, GROUP, "NXdata");
	hdf5_writer_text_attribute(writer, GROUP, "signal", "measured");
	hdf5_writer_texts_attribute(writer, GROUP, "axes", axes, 1);
	hdf5_writer_texts_attribute(writer, GROUP, "auxiliary_signals", others, 2);
	hdf5_writer_text(writer, GROUP "/title", "Measured curve and fit");
	hdf5_writer_reals(writer, GROUP "/q", result->q, &n, 1, "1/angstrom", "q (1/Angstrom)");
	hdf5_writer_reals(writer, GROUP "/measured", c->measured, &n, 1, UNIT, "measured intensity");
	if (c->measured_error != NULL)
		hdf5_writer_reals(writer, GROUP "/measured_errors", c->measured_error, &n, 1, UNIT,
				  "standard deviation of the measured intensity");
	hdf5_writer_reals(writer, GROUP "/fit", c->fitted, &n, 1, UNIT, "scale I(q) + background");
	hdf5_writer_reals(writer, GROUP "/background", c->background, &n, 1, UNIT, "background");
	hdf5_writer_reals(writer, GROUP "/residual", c->residual, &n, 1, UNIT, "measured - fit");
}

void comparison_write(const sonde_debye_result *result, struct hdf5_writer *writer)
{
	const sonde_debye_comparison *c = result->comparison;

	if (c == NULL)
		return;
	const int64_t terms = c->background_count;
	write_curves(result, writer);
	hdf5_writer_text(writer, GROUP "/curve", comparison_curve(result));
	hdf5_writer_real(writer, GROUP "/scale", c->scale, UNIT);
	hdf5_writer_real(writer, GROUP "/scale_error", c->scale_error, UNIT);
	hdf5_writer_real(writer, GROUP "/R", c->r, "1");
	hdf5_writer_real(writer, GROUP "/Rwp", c->rwp, "1");
	hdf5_writer_real(writer, GROUP "/Rexp", c->rexp, "1");
	hdf5_writer_real(writer, GROUP "/chi_square", c->chi_square, "1");
	hdf5_writer_integers(writer, GROUP "/degrees_of_freedom", &c->degrees_of_freedom, 1);
	if (terms == 0)
		return;
	hdf5_writer_reals(writer, GROUP "/background_coefficients", c->background_coefficients, &terms, 1, UNIT,
			  "coefficients of Chebyshev polynomials");
	hdf5_writer_reals(writer, GROUP "/background_errors", c->background_errors, &terms, 1, UNIT,
			  "standard errors of the coefficients");
}

static sonde_status read_curves(struct hdf5_reader *reader, int64_t points, sonde_debye_comparison *c)
{
	const struct {
		const char *path;
		double **values;
		int64_t count;
	} curves[] = {{GROUP "/measured", &c->measured, points},
		      {GROUP "/measured_errors", &c->measured_error, points},
		      {GROUP "/fit", &c->fitted, points},
		      {GROUP "/background", &c->background, points},
		      {GROUP "/residual", &c->residual, points},
		      {GROUP "/background_coefficients", &c->background_coefficients, c->background_count},
		      {GROUP "/background_errors", &c->background_errors, c->background_count}};

	for (size_t k = 0; k < sizeof curves / sizeof *curves; ++k) {
		const bool optional = curves[k].values == &c->measured_error || curves[k].count == 0;
		if (!optional || hdf5_reader_has(reader, curves[k].path))
			CHECK(result_read_reals(reader, curves[k].path, &curves[k].count, 1, curves[k].values));
	}
	return SONDE_OK;
}

sonde_status comparison_read(struct hdf5_reader *reader, sonde_debye_result *result)
{
	if (!hdf5_reader_has(reader, GROUP "/measured"))
		return SONDE_OK;
	CHECK(memory_allocate(&result->comparison, 1, sizeof *result->comparison, "the result"));
	sonde_debye_comparison *c = result->comparison;
	const struct {
		const char *path;
		double *value;
	} numbers[] = {{GROUP "/scale", &c->scale}, {GROUP "/scale_error", &c->scale_error},
		       {GROUP "/R", &c->r},         {GROUP "/Rwp", &c->rwp},
		       {GROUP "/Rexp", &c->rexp},   {GROUP "/chi_square", &c->chi_square}};
	for (size_t k = 0; k < sizeof numbers / sizeof *numbers; ++k)
		CHECK(result_read_real(reader, numbers[k].path, numbers[k].value));
	CHECK(result_read_integer(reader, GROUP "/degrees_of_freedom", &c->degrees_of_freedom));
	c->background_count = (int)result->options->background + 1;
	return read_curves(reader, result->q_count, c);
}

/* "scale 1.234e-05 +- 2e-08" */
static void append_scale(double scale, double error, struct text *text)
{
	text_append(text, "scale %.6g +- %.2g", scale, error);
}

void comparison_append(const sonde_debye_result *result, struct text *text)
{
	const sonde_debye_comparison *c = result->comparison;

	if (c == NULL)
		return;
	text_append(text, "# fit: scale %s + background, ", comparison_curve(result));
	append_scale(c->scale, c->scale_error, text);
	text_append(text, ", background");
	for (int j = 0; j < c->background_count; ++j)
		text_append(text, "%s %.6g +- %.2g", j > 0 ? "," : "", c->background_coefficients[j],
			    c->background_errors[j]);
	text_append(text, "%s, R %.4g, Rwp %.4g", c->background_count == 0 ? " none" : "", c->r, c->rwp);
	if (c->measured_error != NULL)
		text_append(text, ", Rexp %.4g, chi^2 %.6g", c->rexp, c->chi_square);
	text_append(text, ", %lld degrees of freedom\n", (long long)c->degrees_of_freedom);
}

void comparison_summarize(const sonde_debye_result *result, struct report *report)
{
	const sonde_debye_comparison *c = result->comparison;

	if (c == NULL)
		return;
	report_open_object(report, "comparison");
	report_text(report, "curve", comparison_curve(result));
	report_number(report, "scale", c->scale);
	report_number(report, "scale_error", c->scale_error);
	report_numbers(report, "background", c->background_coefficients, c->background_count);
	report_numbers(report, "background_errors", c->background_errors, c->background_count);
	report_number(report, "R", c->r);
	report_number(report, "Rwp", c->rwp);
	report_number(report, "Rexp", c->rexp);
	report_number(report, "chi_square", c->chi_square);
	report_integer(report, "degrees_of_freedom", c->degrees_of_freedom);
	report_close(report);
	report_print(report, "fit of %s: scale %.6g +- %.2g, R %.3g %%, Rwp %.3g %%", comparison_curve(result),
		     c->scale, c->scale_error, 100.0 * c->r, 100.0 * c->rwp);
	if (c->measured_error != NULL)
		report_print(report, ", chi^2/%lld %.4g", (long long)c->degrees_of_freedom,
			     c->chi_square / (double)c->degrees_of_freedom);
	report_print(report, "\n");
}

sonde_status comparison_describe(struct hdf5_reader *reader, struct report *report)
{
	if (!hdf5_reader_has(reader, GROUP "/measured"))
		return SONDE_OK;
	const double scale = result_file_number(reader, GROUP "/scale"),
		     error = result_file_number(reader, GROUP "/scale_error"),
		     r = result_file_number(reader, GROUP "/R"), rwp = result_file_number(reader, GROUP "/Rwp");
	report_line(report, "fit", "scale %.6g +- %.2g, R %.3g %%, Rwp %.3g %%", scale, error, 100.0 * r,
		    100.0 * rwp);
	report_number(report, "scale", scale);
	report_number(report, "scale_error", error);
	report_number(report, "R", r);
	report_number(report, "Rwp", rwp);
	return SONDE_OK;
}
