/* sonde match */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "cli/commands/curves.h"
#include "cli/commands/output.h"
#include "cli/figure/figure.h"
#include "cli/plot/match.h"
#include "cli/program/arguments.h"
#include "cli/program/help.h"
#include "cli/program/progress.h"
#include "match/fit_file.h"
#include "match/match_file.h"
#include "match/option_table.h"
#include "run/context.h"
#include "run/report.h"

#define MOST_SHOWN 12 /* weights and ranks in the text for people */
#define STRONG 0.9    /* correlations that are shown */

struct work {
	int argc;
	char **argv;
	struct arguments arguments;
	sonde_match_options options;
	const char **measured, **candidates;
	struct match_request request;
	sonde_context *context;
	struct match_result result;
};

static bool is_hdf5(const char *path)
{
	return file_has_suffix(path, ".h5") || file_has_suffix(path, ".hdf5") || file_has_suffix(path, ".nxs");
}

/* The first file is measured, and others unless they are HDF5 files. */
static sonde_status sort_files(struct work *work)
{
	const struct arguments *arguments = &work->arguments;
	const size_t most = (size_t)arguments->file_count + 1;

	if (arguments->positional == NULL)
		return status_fail(SONDE_INVALID,
				   "no measured curve is given; 'sonde match measured.xy library.h5' has both files");
	CHECK(memory_allocate(&work->measured, most, sizeof *work->measured, "files"));
	CHECK(memory_allocate(&work->candidates, most, sizeof *work->candidates, "files"));
	work->request = (struct match_request){.measured = work->measured, .candidates = work->candidates};
	work->measured[work->request.measured_count++] = arguments->positional;
	for (int k = 0; k < arguments->file_count; ++k) {
		const char *file = arguments->files[k];
		if (is_hdf5(file))
			work->candidates[work->request.candidate_count++] = file;
		else
			work->measured[work->request.measured_count++] = file;
	}
	return work->request.candidate_count > 0
		   ? SONDE_OK
		   : status_fail(SONDE_INVALID,
				 "no candidates are given: libraries or results of sonde debye (.h5), after the "
				 "measured curve");
}

/* Files named by an option, between commas and semicolons, are inputs, too. */
static sonde_status check_names(const struct work *work, const char *option)
{
	char *list, *rest;

	CHECK(memory_copy_text(option, &list, "text"));
	sonde_status status = SONDE_OK;
	for (char *name = strtok_r(list, ",;", &rest); name != NULL && status == SONDE_OK;
	     name = strtok_r(NULL, ",;", &rest))
		status = output_check_input(&work->arguments, name + strspn(name, " "));
	free(list);
	return status;
}

static sonde_status check(struct work *work)
{
	const sonde_program_options *program = &work->arguments.program;

	CHECK(sort_files(work));
	for (int64_t k = 0; k < work->request.measured_count; ++k)
		CHECK(output_check_input(&work->arguments, work->measured[k]));
	for (int64_t k = 0; k < work->request.candidate_count; ++k)
		CHECK(output_check_input(&work->arguments, work->candidates[k]));
	CHECK(check_names(work, work->options.with));
	CHECK(check_names(work, work->options.terms));
	if (program->output[0] != '\0') {
		CHECK(fit_file_check(program->output));
		CHECK(file_check_output(program->output, program->force != 0));
	}
	return program->plot[0] != '\0' ? figure_check(program->plot, program->force != 0) : SONDE_OK;
}

/* The summary ------------------------------------------------------------------------------------------------------------------ */

static void report_curve(const struct match_curve *curve, struct report *report)
{
	const char *unit = curve->curve == LIBRARY_G ? "Angstrom" : "1/Angstrom";

	char points[CURVE_POINTS_TEXT];

	report_line(report, "curve", "%s: %s, %s from %.5g to %.5g %s, weights %s, Rwp %.4g %%", curve->path,
		    library_curve_names[curve->curve], curve_points_text(curve, points), curve->x[0],
		    curve->x[curve->count - 1], unit, match_weights_names[curve->weights], 100.0 * curve->rwp);
	report_fitted_curve(report, curve, MOST_SHOWN);
}

static void report_weight(const struct match_weight *weight, bool shown, struct report *report)
{
	if (shown)
		report_line(report, "weight", "%.4g +- %.2g (%.4g to %.4g), %.3g %%: %s", weight->weight,
			    weight->error, weight->low, weight->high, 100.0 * weight->fraction, weight->entry.name);
	if (shown && weight->alternative_count > 0) {
		report_print(report, "             as good in its place: ");
		for (int k = 0; k < weight->alternative_count && k < MATCH_ALTERNATIVES; ++k)
			report_print(report, "%s%s", k > 0 ? ", " : "", weight->alternatives[k]);
		if (weight->alternative_count > MATCH_ALTERNATIVES)
			report_print(report, " and %lld more",
				     (long long)weight->alternative_count - MATCH_ALTERNATIVES);
		report_print(report, "\n");
	}
	report_open_object(report, NULL);
	report_integer(report, "candidate", weight->candidate + 1);
	report_text(report, "name", weight->entry.name);
	report_text(report, "key", weight->entry.key);
	report_number(report, "weight", weight->weight);
	report_number(report, "error", weight->error);
	report_number(report, "low", weight->low);
	report_number(report, "high", weight->high);
	report_number(report, "fraction", weight->fraction);
	report_number(report, "inflation", weight->inflation);
	report_integer(report, "alternative_count", weight->alternative_count);
	report_open_list(report, "alternatives");
	for (int k = 0; k < weight->alternative_count && k < MATCH_ALTERNATIVES; ++k)
		report_text(report, NULL, weight->alternatives[k]);
	report_close(report);
	report_close(report);
}

static void report_ranking(const struct match_result *result, struct report *report)
{
	report_open_list(report, "ranking");
	for (int k = 0; k < result->rank_count; ++k) {
		const struct match_rank *rank = &result->ranks[k];
		if (k < MOST_SHOWN)
			report_line(report, k == 0 ? "alone" : "", "Rwp %.4g %%, probability %.3g: %s",
				    100.0 * rank->rwp, rank->probability, rank->entry.name);
		report_open_object(report, NULL);
		report_integer(report, "candidate", rank->candidate + 1);
		report_text(report, "name", rank->entry.name);
		report_number(report, "scale", rank->scale);
		report_number(report, "chi_square", rank->chi_square);
		report_number(report, "Rwp", rank->rwp);
		report_number(report, "probability", rank->probability);
		report_close(report);
	}
	report_close(report);
}

/* Refined parameters ----------------------------------------------------------------------------------------------------------- */

static const char *name_of_row(const struct match_result *result, int row)
{
	return row < result->parameter_count ? result->parameter[row].name : "weight";
}

static const char *owner_of_row(const struct match_result *result, int row)
{
	return row < result->parameter_count ? result->parameter[row].of
					     : result->weights[row - result->parameter_count].entry.name;
}

static void report_correlations(const struct match_result *result, struct report *report)
{
	const int size = result->parameter_count + result->weight_count;
	int shown = 0;

	report_open_list(report, "correlations");
	for (int i = 0; i < size; ++i)
		report_numbers(report, NULL, result->correlations + i * size, size);
	report_close(report);
	for (int i = 0; i < size; ++i)
		for (int j = 0; j < i; ++j) {
			const double value = result->correlations[i * size + j];
			if (!(fabs(value) > STRONG) || ++shown > MOST_SHOWN)
				continue;
			report_line(report, shown == 1 ? "correlated" : "", "%.3f: %s, %s; %s, %s", value,
				    name_of_row(result, j), owner_of_row(result, j), name_of_row(result, i),
				    owner_of_row(result, i));
		}
}

/* As " (0.0012 to 0.0014)"; "" where none is known. Returns `text`. */
static const char *interval_text(const struct match_parameter *parameter, char text[64])
{
	text[0] = '\0';
	if (!isnan(parameter->interval[0]))
		snprintf(text, 64, " (%.5g to %.5g)", parameter->interval[0], parameter->interval[1]);
	return text;
}

static void report_parameters(const struct match_result *result, struct report *report)
{
	report_open_list(report, "refined");
	for (int k = 0; k < result->parameter_count; ++k) {
		const struct match_parameter *parameter = &result->parameter[k];
		const char *unit = strcmp(parameter->unit, "1") == 0 ? "" : parameter->unit;
		char interval[64];
		if (k < 2 * MOST_SHOWN)
			report_line(report, k == 0 ? "refined" : "", "%s %.6g +- %.2g%s%s%s%s%s%s", parameter->name,
				    parameter->value, parameter->error, interval_text(parameter, interval),
				    unit[0] != '\0' ? " " : "", unit, parameter->at_bound ? ", at its bound" : "",
				    parameter->of[0] != '\0' ? ": " : "", parameter->of);
		report_open_object(report, NULL);
		report_text(report, "name", parameter->name);
		report_text(report, "of", parameter->of);
		report_text(report, "unit", parameter->unit);
		report_number(report, "value", parameter->value);
		report_number(report, "error", parameter->error);
		report_number(report, "low", parameter->low);
		report_number(report, "high", parameter->high);
		report_numbers(report, "interval", parameter->interval, 2);
		report_boolean(report, "at_bound", parameter->at_bound);
		report_close(report);
	}
	report_close(report);
	report_correlations(result, report);
}

static void report_alone(const struct match_result *result, struct report *report)
{
	static const char *const names[MATCH_REFINED] = {"strain", "B", "qdamp", "qbroad", "mean_size", "width"};

	report_open_list(report, "refined_ranking");
	for (int k = 0; k < result->alone_count; ++k) {
		const struct match_alone *alone = &result->alone[k];
		struct text values = {0};
		report_open_object(report, NULL);
		report_text(report, "name", alone->entry.name);
		report_number(report, "scale", alone->scale);
		report_number(report, "chi_square", alone->chi_square);
		report_number(report, "Rwp", alone->rwp);
		for (int n = 0; n < MATCH_REFINED; ++n)
			if (!isnan(alone->values[n])) {
				report_number(report, names[n], alone->values[n]);
				text_append(&values, ", %s %.4g", names[n], alone->values[n]);
			}
		report_close(report);
		if (k < MOST_SHOWN)
			report_line(report, k == 0 ? "alone, refined" : "", "Rwp %.4g %%%s: %s", 100.0 * alone->rwp,
				    values.bytes != NULL ? values.bytes : "", alone->entry.name);
		text_free(&values);
	}
	report_close(report);
}

static void report_fit(const struct match_result *result, struct report *report)
{
	const double reduced = result->chi_square / (double)result->degrees_of_freedom;

	report_open_list(report, "curves");
	for (int d = 0; d < result->curve_count; ++d)
		report_curve(&result->curves[d], report);
	report_close(report);
	report_line(report, "fit", "Rwp %.4g %%, chi^2 %.5g, reduced %.4g, %lld points, %lld parameters",
		    100.0 * result->rwp, result->chi_square, reduced, (long long)result->points,
		    (long long)result->parameters);
	report_number(report, "Rwp", result->rwp);
	report_number(report, "chi_square", result->chi_square);
	report_number(report, "reduced_chi_square", reduced);
	report_integer(report, "points", result->points);
	report_integer(report, "independent_points", result->degrees_of_freedom + result->parameters);
	report_integer(report, "parameters", result->parameters);
	report_open_list(report, "weights");
	for (int k = 0; k < result->weight_count; ++k)
		report_weight(&result->weights[k], k < MOST_SHOWN, report);
	report_close(report);
	if (result->options->refine[0] != '\0' || result->options->sizes[0] != '\0')
		report_parameters(result, report);
	if (result->weight_count > MOST_SHOWN)
		report_line(report, "", "and %d smaller weights", result->weight_count - MOST_SHOWN);
	if (result->weight_count > 1)
		report_line(report, "condition", "%.3g, of the candidates with a weight", result->condition);
	report_number(report, "condition", result->condition);
	report_integer(report, "dependent", result->dependent);
	report_integer(report, "passes", result->passes);
	report_number(report, "improvement", result->improvement);
	report_ranking(result, report);
	if (result->alone_count > 0)
		report_alone(result, report);
}

/* A column of a table [curve][item]; `column` has room for it. */
static void report_column(struct report *report, const char *name, const double *first, int64_t count, int64_t stride,
			  double *column)
{
	for (int64_t n = 0; n < count; ++n)
		column[n] = first[n * stride];
	report_numbers(report, name, column, count);
}

/* The smallest and the largest value of a parameter in a series. */
static void report_extent(const struct match_parameter *parameter, const double *first, int64_t count, int64_t stride,
			  struct report *report)
{
	double low = INFINITY, high = -INFINITY;
	int64_t known = 0;

	for (int64_t n = 0; n < count; ++n) {
		low = fmin(low, first[n * stride]);
		high = fmax(high, first[n * stride]);
		known += !isnan(first[n * stride]);
	}
	if (known > 0)
		report_line(report, "", "%s %.6g to %.6g in %lld curves%s%s", parameter->name, low, high,
			    (long long)known, parameter->of[0] != '\0' ? ": " : "", parameter->of);
}

static sonde_status report_columns(const struct match_series *series, struct report *report)
{
	double *column;

	CHECK(memory_allocate(&column, (size_t)series->count, sizeof *column, "a series"));
	report_open_list(report, "series_weights");
	for (int64_t k = 0; k < series->candidates; ++k) {
		report_open_object(report, NULL);
		report_text(report, "name", series->entries[k].name);
		report_column(report, "weights", series->weights + k, series->count, series->candidates, column);
		report_column(report, "errors", series->errors + k, series->count, series->candidates, column);
		if (series->low != NULL) {
			report_column(report, "low", series->low + k, series->count, series->candidates, column);
			report_column(report, "high", series->high + k, series->count, series->candidates, column);
		}
		report_close(report);
	}
	report_close(report);
	report_open_list(report, "series_parameters");
	for (int k = 0; k < series->parameter_count; ++k) {
		const struct match_parameter *parameter = &series->parameter[k];
		report_open_object(report, NULL);
		report_text(report, "name", parameter->name);
		report_text(report, "of", parameter->of);
		report_text(report, "unit", parameter->unit);
		report_column(report, "values", series->values + k, series->count, series->parameter_count, column);
		report_column(report, "errors", series->value_errors + k, series->count, series->parameter_count,
			      column);
		if (series->value_low != NULL) {
			report_column(report, "low", series->value_low + k, series->count, series->parameter_count,
				      column);
			report_column(report, "high", series->value_high + k, series->count, series->parameter_count,
				      column);
		}
		report_close(report);
	}
	report_close(report);
	free(column);
	return SONDE_OK;
}

static sonde_status report_series(const struct match_series *series, struct report *report)
{
	if (series->count == 0)
		return SONDE_OK;
	report_line(report, "series", "%lld %s, the first of which is described above", (long long)series->count,
		    series->further > 0 ? "rows of curves" : "curves");
	for (int k = 0; k < series->parameter_count && k < 2 * MOST_SHOWN; ++k)
		report_extent(&series->parameter[k], series->values + k, series->count, series->parameter_count,
			      report);
	report_integer(report, "series", series->count);
	report_numbers(report, "series_Rwp", series->rwp, series->count);
	return report_columns(series, report);
}

static sonde_status summarize(const struct work *work)
{
	const sonde_program_options *program = &work->arguments.program;
	const struct match_result *result = &work->result;
	struct report report;

	progress_stop();
	report_begin(&report, "match", program->json != 0);
	report_line(&report, "candidates", "%lld", (long long)result->candidate_count);
	report_integer(&report, "candidates", result->candidate_count);
	report_fit(result, &report);
	sonde_status status = report_series(&result->series, &report);
	report_number(&report, "seconds", result->seconds);
	if (program->output[0] != '\0')
		report_line(&report, "result", "%s", output_name(program->output));
	if (program->plot[0] != '\0')
		report_line(&report, "picture", "%s", program->plot);
	const char *notes = context_notes(work->context);
	if (status == SONDE_OK)
		status = report_end(&report, notes);
	if (status == SONDE_OK && (program->json || !program->quiet))
		status = output_print(&report.text);
	report_free(&report);
	return status;
}

static sonde_status run(struct work *work)
{
	const sonde_program_options *program = &work->arguments.program;

	CHECK(match_run(work->context, &work->request, &work->options, &work->result));
	if (program->output[0] != '\0')
		CHECK(match_file_write(work->context, &work->result, program->output, program->force != 0));
	if (program->plot[0] != '\0')
		CHECK(plot_match(work->context, &work->result, program));
	return summarize(work);
}

static sonde_status carry_out(struct work *work)
{
	const struct command *command = command_find("match");

	CHECK(arguments_read(command, work->argc, work->argv, &work->options, NULL, 0, &work->arguments));
	if (work->arguments.help)
		return help_answer(command, &work->arguments);
	CHECK(check(work));
	CHECK(program_context(&work->arguments.program, command, work->argc, work->argv, &work->context));
	const sonde_status status = run(work);
	match_result_free(&work->result);
	program_context_free(&work->context);
	return status;
}

sonde_status command_match(int argc, char **argv)
{
	struct work *work;

	CHECK(memory_allocate(&work, 1, sizeof *work, "a fit"));
	work->argc = argc;
	work->argv = argv;
	options_set_defaults(&match_option_table, &work->options);
	const sonde_status status = carry_out(work);
	free(work->measured);
	free(work->candidates);
	free(work->arguments.files);
	text_free(&work->arguments.notes);
	free(work);
	return status;
}
