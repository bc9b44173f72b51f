/* sonde refine */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "cli/commands/curves.h"
#include "cli/commands/output.h"
#include "cli/figure/figure.h"
#include "cli/plot/refine.h"
#include "cli/program/arguments.h"
#include "cli/program/help.h"
#include "cli/program/progress.h"
#include "cli/program/program.h"
#include "cli/program/spelling.h"
#include "match/fit_file.h"
#include "matter/files/atoms_output.h"
#include "refine/option_table.h"
#include "refine/refine_file.h"
#include "refine/state.h"
#include "run/context.h"
#include "run/report.h"

#define MOST_SHOWN 12 /* parts of the residual, and steps, in the text for people */

struct work {
	struct arguments arguments;
	sonde_refine_options options;
	struct refine_job *job;
	sonde_context *context;
	struct refine_result result;
};

static sonde_status check_structure(const struct work *work)
{
	const sonde_program_options *program = &work->arguments.program;
	const char *structure = work->options.structure;

	if (structure[0] == '\0')
		return SONDE_OK;
	CHECK(atoms_check_ending(structure));
	if (strcmp(structure, program->output) == 0 || strcmp(structure, program->plot) == 0)
		return status_fail_option(SONDE_INVALID, "structure", "'%s' is given twice, as another output, too",
					  structure);
	return file_check_output(structure, program->force != 0);
}

/* No output takes the place of an input, which may be null. */
static sonde_status check_input(const struct work *work, const char *input)
{
	CHECK(output_check_input(&work->arguments, input));
	return output_check_distinct(work->options.structure, input);
}

static sonde_status check(struct work *work)
{
	const sonde_program_options *program = &work->arguments.program;
	const char *file = work->arguments.positional;

	if (file == NULL)
		return status_fail(SONDE_INVALID,
				   "no job is given; it is a YAML file, as in 'sonde refine gold.yaml -o fit.h5'");
	if (!file_has_suffix(file, ".yaml") && !file_has_suffix(file, ".yml"))
		return status_fail(SONDE_INVALID, "'%.64s' is not a job of a refinement (.yaml)", file);
	CHECK(check_input(work, file));
	if (program->output[0] != '\0') {
		CHECK(fit_file_check(program->output));
		CHECK(file_check_output(program->output, program->force != 0));
	}
	CHECK(check_structure(work));
	if (program->plot[0] != '\0')
		CHECK(figure_check(program->plot, program->force != 0));
	CHECK(refine_job_read(file, &work->job));
	for (int d = 0; d < work->job->curve_count; ++d)
		CHECK(check_input(work, work->job->curves[d].measured));
	return check_input(work, work->job->sample);
}

/* The summary -------------------------------------------------------------------------------------------------------- */

static void report_parameter(const struct refine_value *value, const char *kind, struct report *report)
{
	if (value->bound != 0)
		report_line(report, kind, "%s = %.8g, at its %s bound (%.7g to %.7g)", value->name, value->value,
			    value->bound < 0 ? "lower" : "upper", value->low, value->high);
	else
		report_line(report, kind, "%s = %.8g +- %.2g (%.7g to %.7g)", value->name, value->value, value->error,
			    value->low, value->high);
	report_open_object(report, NULL);
	report_text(report, "name", value->name);
	report_number(report, "start", value->start);
	report_number(report, "value", value->value);
	report_number(report, "error", value->error);
	report_number(report, "low", value->low);
	report_number(report, "high", value->high);
	report_integer(report, "at_bound", value->bound);
	report_close(report);
}

static void report_correlations(const struct refine_result *result, struct report *report)
{
	const int n = result->parameter_count;

	report_open_list(report, "correlations");
	for (int k = 0; k < n; ++k)
		report_numbers(report, NULL, result->correlations + k * n, n);
	report_close(report);
	for (int k = 1; k < n; ++k) {
		report_print(report, "%-13s%s:", k == 1 ? "correlation" : "", result->parameters[k].name);
		for (int j = 0; j < k; ++j)
			report_print(report, " %s %.3f", result->parameters[j].name, result->correlations[k * n + j]);
		report_print(report, "\n");
	}
}

static void report_steps(const struct refine_result *result, struct report *report)
{
	const int64_t count = result->step_count, n = result->parameter_count;

	for (int64_t s = count > MOST_SHOWN ? count - MOST_SHOWN : 0; s < count; ++s) {
		report_print(report, "%-13s%lld: Rwp %.4g %%", s == 0 || s == count - MOST_SHOWN ? "step" : "",
			     (long long)s, 100.0 * result->step_rwp[s]);
		for (int64_t k = 0; k < n; ++k)
			report_print(report, ", %s %.6g", result->parameters[k].name, result->step_values[s * n + k]);
		report_print(report, "\n");
	}
	report_numbers(report, "steps_Rwp", result->step_rwp, count);
}

/* Of one of several curves, its own R and scale, too. */
static void report_curve(const struct match_curve *curve, bool alone, struct report *report)
{
	char more[80] = "", points[CURVE_POINTS_TEXT];

	if (!alone)
		snprintf(more, sizeof more, ", Rwp %.4g %%, scale %.6g", 100.0 * curve->rwp, curve->scale);
	report_line(report, "curve", "%s: %s, %s from %.5g to %.5g %s, weights %s%s", curve->path,
		    library_curve_names[curve->curve], curve_points_text(curve, points), curve->x[0],
		    curve->x[curve->count - 1], curve->curve == LIBRARY_G ? "Angstrom" : "1/Angstrom",
		    match_weights_names[curve->weights], more);
}

/* The list "curves" of --json, with the unexplained parts for people. The report itself has numbers of the first curve. */
static void report_curves(const struct refine_result *result, struct report *report)
{
	report_open_list(report, "curves");
	for (int d = 0; d < result->curve_count; ++d)
		report_fitted_curve(report, &result->curves[d], MOST_SHOWN);
	report_close(report);
}

static void report_fit(const struct refine_result *result, struct report *report)
{
	const double reduced = result->chi_square / (double)(result->independent - result->fitted);

	for (int d = 0; d < result->curve_count; ++d)
		report_curve(&result->curves[d], result->curve_count == 1, report);
	report_steps(result, report);
	report_line(report, "fit", "Rwp %.4g %%, chi^2 %.5g, reduced %.4g, %lld points, %lld parameters, %s",
		    100.0 * result->rwp, result->chi_square, reduced, (long long)result->points,
		    (long long)result->fitted, result->converged ? "converged" : "not converged");
	report_number(report, "Rwp", result->rwp);
	report_number(report, "Rexp", result->curves[0].rexp);
	report_number(report, "chi_square", result->chi_square);
	report_number(report, "reduced_chi_square", reduced);
	report_integer(report, "points", result->points);
	report_integer(report, "independent_points", result->independent);
	report_integer(report, "fitted", result->fitted);
	report_boolean(report, "converged", result->converged);
	report_open_list(report, "parameters");
	for (int k = 0; k < result->parameter_count; ++k)
		report_parameter(&result->parameters[k], "parameter", report);
	report_close(report);
	report_open_list(report, "derived");
	for (int k = 0; k < result->derived_count; ++k)
		report_parameter(&result->derived[k], "derived", report);
	report_close(report);
	report_correlations(result, report);
	report_curves(result, report);
	report_line(report, "structures", "%lld computed, of %.6g atoms on average at the end",
		    (long long)result->structures, result->atoms);
	report_integer(report, "structures", result->structures);
	report_number(report, "atoms", result->atoms);
	report_number(report, "scale", result->curves[0].scale);
	report_number(report, "interpolation_error", result->curves[0].interpolation_error);
	report_unexplained(report, &result->curves[0]);
	report_number(report, "pattern_error", result->error);
}

static sonde_status print(struct work *work, struct report *report)
{
	const sonde_program_options *program = &work->arguments.program;
	struct text notes = {0};

	progress_stop();
	spelling_append(context_notes(work->context), &notes);
	sonde_status status = report_end(report, notes.bytes != NULL ? notes.bytes : "");
	if (status == SONDE_OK && (program->json || !program->quiet))
		status = output_print(&report->text);
	text_free(&notes);
	report_free(report);
	return status;
}

static sonde_status summarize(struct work *work)
{
	const sonde_program_options *program = &work->arguments.program;
	struct report report;

	report_begin(&report, "refine", program->json != 0);
	report.spell = spelling_of_program;
	report_fit(&work->result, &report);
	report_number(&report, "seconds", work->result.seconds);
	report_number(&report, "seconds_of_patterns", work->result.computing);
	report_number(&report, "seconds_of_structures", work->result.building);
	if (program->output[0] != '\0')
		report_line(&report, "result", "%s", output_name(program->output));
	if (work->options.structure[0] != '\0')
		report_line(&report, "structure", "%s", work->options.structure);
	if (program->plot[0] != '\0')
		report_line(&report, "picture", "%s", program->plot);
	return print(work, &report);
}

static sonde_status print_plan(struct work *work)
{
	struct refine_plan plan;
	struct report report;

	CHECK(refine_plan(work->context, work->job, &work->options, &plan));
	report_begin(&report, "refine", work->arguments.program.json != 0);
	report.spell = spelling_of_program;
	report_line(&report, "fit", "%lld points, %lld parameters, with scale and background", (long long)plan.points,
		    (long long)plan.fitted);
	report_line(&report, "structure", "%lld atoms, %.3g pairs at the start", (long long)plan.atoms, plan.pairs);
	report_line(&report, "step", "about %lld structures, %.2g s", (long long)plan.structures, plan.seconds);
	report_integer(&report, "points", plan.points);
	report_integer(&report, "fitted", plan.fitted);
	report_integer(&report, "atoms", plan.atoms);
	report_integer(&report, "structures", plan.structures);
	report_number(&report, "seconds", plan.seconds);
	return print(work, &report);
}

/* The run ------------------------------------------------------------------------------------------------------------ */

static sonde_status write_structure(struct work *work)
{
	const sonde_program_options *program = &work->arguments.program;
	double values[REFINE_MOST_PARAMETERS];
	sonde_atoms *atoms;

	if (work->options.structure[0] == '\0')
		return SONDE_OK;
	for (int k = 0; k < work->result.parameter_count; ++k)
		values[k] = work->result.parameters[k].value;
	CHECK(refine_job_make(work->context, work->job, values, &atoms));
	const sonde_status status =
	    sonde_atoms_write(work->context, atoms, work->options.structure, program->force != 0);
	sonde_atoms_free(&atoms);
	return status;
}

static sonde_status run(struct work *work)
{
	const sonde_program_options *program = &work->arguments.program;

	if (program->plan)
		return print_plan(work);
	CHECK(refine_run(work->context, work->job, &work->options, program->output, &work->result));
	if (program->output[0] != '\0')
		CHECK(refine_file_write(work->context, &work->result, program->output, program->force != 0));
	CHECK(write_structure(work));
	if (program->plot[0] != '\0')
		CHECK(plot_refine(work->context, &work->result, program));
	if (program->output[0] != '\0' && work->options.resume)
		refine_state_remove(program->output);
	return summarize(work);
}

static sonde_status carry_out(int argc, char **argv, struct work *work)
{
	const struct command *command = command_find("refine");

	CHECK(arguments_read(command, argc, argv, &work->options, NULL, 0, &work->arguments));
	if (work->arguments.help)
		return help_answer(command, &work->arguments);
	CHECK(check(work));
	CHECK(program_context(&work->arguments.program, command, argc, argv, &work->context));
	return run(work);
}

sonde_status command_refine(int argc, char **argv)
{
	struct work *work;

	CHECK(memory_allocate(&work, 1, sizeof *work, "a refinement"));
	options_set_defaults(&refine_option_table, &work->options);
	const sonde_status status = carry_out(argc, argv, work);
	refine_result_free(&work->result);
	program_context_free(&work->context);
	refine_job_free(&work->job);
	text_free(&work->arguments.notes);
	free(work);
	return status;
}
