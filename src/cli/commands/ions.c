/* sonde ions */
#include "ions/output/result.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/standard_output.h"
#include "base/status.h"
#include "base/units.h"
#include "cli/program/arguments.h"
#include "cli/program/help.h"
#include "cli/commands/output.h"
#include "cli/plot/plot.h"
#include "cli/program/progress.h"
#include "ions/output/srim_files.h"
#include "stopping/difference.h"
#include "ions/trim/trim_in.h"
#include "ions/option_table.h"

/* "704.1 ± 0.2", or without an error where it is not known. */
static void print_estimate(const char *name, sonde_estimate estimate, const char *unit)
{
	if (isnan(estimate.error))
		printf("%-14s %.6g%s\n", name, estimate.value, unit);
	else
		printf("%-14s %.6g ± %.2g%s\n", name, estimate.value, estimate.error, unit);
}

/* A length in Angstrom, with the prefix that suits it. */
static void print_length(const char *name, sonde_estimate estimate)
{
	struct unit_scale scale = unit_scale_length(estimate.value);
	char unit[16];

	snprintf(unit, sizeof unit, " %s", scale.unit);
	print_estimate(name, (sonde_estimate){scale.factor * estimate.value, scale.factor * estimate.error}, unit);
}

/* Part of the ions at rest that profiles and maps do not show. */
static double outside_cells(const sonde_ions_result *result)
{
	double inside = 0.0;

	for (int t = 0; t < result->tally_count; ++t)
		if (strcmp(result->tallies[t].name, "implanted ions") == 0)
			inside = result->tallies[t].inside.value;
	return result->implanted > 0 ? 1.0 - inside * (double)result->ions / (double)result->implanted : 0.0;
}

/* What people are told besides the numbers, a line each; `notes` holds `size` bytes. */
static void list_notes(const sonde_ions_result *result, char *notes, size_t size)
{
	const double outside = outside_cells(result);
	int used = 0;

	notes[0] = '\0';
	if (outside > 0.005)
		used =
		    snprintf(notes, size,
			     "%.2g %% of the implanted ones are outside the cells: --depth and --width widen them\n",
			     100.0 * outside);
	if (result->until_missed)
		snprintf(notes + used, size - (size_t)used,
			 "until: %.200s was not reached with these ions; --resume goes on\n", result->options.until);
}

static void print_target(const sonde_ions_result *result)
{
	struct text text = {0};

	ions_append_leaving(result, "", &text);
	ions_append_target(result, "", true, &text);
	ions_append_stopping(result, "", &text);
	if (text_status(&text) == SONDE_OK)
		fputs(text.bytes, stdout);
	text_free(&text);
}

static void print_text(const sonde_ions_result *result, const sonde_program_options *program)
{
	double ions = (double)result->ions;

	struct unit_scale energy = unit_scale_energy(result->energy);

	if (result->species_count > 1)
		printf("%lld ions of %d species, %.6g %s on average", (long long)result->ions, result->species_count,
		       energy.factor * result->energy, energy.unit);
	else
		printf("%lld ions %s of %.6g %s", (long long)result->ions, result->ion,
		       energy.factor * result->energy, energy.unit);
	printf(", %.0f ions/s, %.2f s\n", (ions - (double)result->resumed) / result->seconds, result->seconds);
	if (result->implanted > 0) {
		print_length("range", result->range);
		print_length("straggling", result->straggling);
		print_length("lateral", result->lateral_straggling);
	}
	print_estimate("vacancies", result->vacancies, " an ion");
	if (result->sputtered.value > 0.0)
		print_estimate("sputtered", result->sputtered, " an ion");
	printf("implanted %.4f %%, backscattered %.4f %%, transmitted %.4f %%\n",
	       100.0 * (double)result->implanted / ions, 100.0 * (double)result->backscattered / ions,
	       100.0 * (double)result->transmitted / ions);
	print_target(result);
	char notes[512];
	list_notes(result, notes, sizeof notes);
	fputs(notes, stdout);
	if (program->output[0] != '\0')
		printf("%s: written\n", output_name(program->output));
	if (program->plot[0] != '\0')
		printf("%s: drawn\n", program->plot);
}

/* A number of JSON, which knows no NaN. */
static void print_number(const char *name, double value)
{
	if (isfinite(value))
		printf(", \"%s\": %.8g", name, value);
	else
		printf(", \"%s\": null", name);
}

static void print_json(const sonde_context *context, const sonde_ions_result *result)
{
	char notes[512];

	list_notes(result, notes, sizeof notes);
	printf("{\"command\": \"ions\", \"ions\": %lld, \"seconds\": %.6f, \"stopping\": \"%s\"",
	       (long long)result->ions, result->seconds,
	       stopping_source_name((enum stopping_source)result->options.stopping));
	print_number("range", result->range.value);
	print_number("range_error", result->range.error);
	print_number("straggling", result->straggling.value);
	print_number("straggling_error", result->straggling.error);
	print_number("lateral", result->lateral_straggling.value);
	print_number("vacancies", result->vacancies.value);
	print_number("vacancies_error", result->vacancies.error);
	print_number("sputtered", result->sputtered.value);
	print_number("sputtered_error", result->sputtered.error);
	if (result->options.until[0] != '\0')
		printf(", \"until_reached\": %s", result->until_missed ? "false" : "true");
	print_number("ion_collisions", result->collisions[0]);
	print_number("recoil_collisions", result->collisions[1]);
	printf(", \"implanted\": %lld, \"backscattered\": %lld, \"transmitted\": %lld, \"unit\": \"angstrom\"",
	       (long long)result->implanted, (long long)result->backscattered, (long long)result->transmitted);
	output_end_json(notes, NULL, context);
}

static sonde_status print_table(const sonde_ions_result *result)
{
	struct text text = {0};
	sonde_status status = ions_table_text(result, false, &text);

	if (status == SONDE_OK)
		status = output_print(&text);
	text_free(&text);
	return status;
}

/* What else was asked for; the result itself is written already. */
static sonde_status deliver(sonde_context *context, const sonde_ions_result *result,
			    const sonde_program_options *program)
{
	bool written = program->output[0] != '\0', force = program->force != 0;
	const char *folder = result->options.srim;
	sonde_status status = SONDE_OK;

	progress_stop();
	if (standard_output_is(program->output))
		CHECK(sonde_ions_result_write(result, program->output, true));
	if (folder[0] != '\0')
		status = sonde_ions_result_write_srim(result, folder, force || result->options.resume);
	if (status == SONDE_OK && program->plot[0] != '\0')
		status = plot_ions(context, result, program);
	if (status != SONDE_OK)
		return written ? status_prefix(status, "%s is written, but", program->output) : status;
	if (program->json)
		print_json(context, result);
	else if (!program->quiet && (written || folder[0] != '\0' || program->plot[0] != '\0'))
		print_text(result, program);
	else if (!written && folder[0] == '\0' && program->plot[0] == '\0')
		CHECK(print_table(result));
	return output_flush(program);
}

static sonde_status run(sonde_context *context, const sonde_ions_options *options,
			const sonde_program_options *program, sonde_ions_result **result)
{
	if (program->output[0] != '\0' && !standard_output_is(program->output))
		return sonde_ions_run_to_file(context, options, program->output, program->force, result);
	return sonde_ions_run(context, options, result);
}

/* Before the work: what can be said of the outputs. */
static sonde_status check_outputs(const struct arguments *arguments, const sonde_ions_options *options)
{
	struct arguments all = *arguments;
	bool replace = arguments->program.force != 0 || options->resume != 0;

	if (arguments->positional != NULL && arguments->job == NULL && !trim_in_is_named(arguments->positional))
		return status_fail(
		    SONDE_INVALID,
		    "'%.64s' is neither a job file (.yaml) nor a TRIM.IN; what is hit is said by --target",
		    arguments->positional);
	all.program.force = replace;
	CHECK(output_check(&all, options->stopping_table, ions_check_format));
	return options->srim[0] != '\0' ? ions_check_srim(options->srim, replace) : SONDE_OK;
}

/* SRIM's job, over which the command line has the last word. */
static sonde_status read_trim_in(struct arguments *arguments, const struct command *command, int argc, char **argv,
				 sonde_ions_options *options)
{
	if (arguments->positional == NULL || !trim_in_is_named(arguments->positional))
		return SONDE_OK;
	sonde_ions_options_init(options);
	CHECK(trim_in_read(arguments->positional, options));
	return arguments_read(command, argc, argv, options, NULL, 0, arguments);
}

sonde_status command_ions(int argc, char **argv)
{
	const struct command *command = command_find("ions");
	struct arguments arguments = {0};
	sonde_ions_options options;
	sonde_context *context = NULL;
	sonde_ions_result *result = NULL;
	struct yaml_block blocks[] = {{&ions_option_table, &options, false, NULL, NULL, NULL}};
	sonde_status status;

	sonde_ions_options_init(&options);
	CHECK(arguments_read(command, argc, argv, &options, blocks, 1, &arguments));
	if (arguments.help)
		return help_answer(command, &arguments);
	CHECK(read_trim_in(&arguments, command, argc, argv, &options));
	CHECK(check_outputs(&arguments, &options));
	CHECK(program_context(&arguments.program, command, argc, argv, &context));
	status = run(context, &options, &arguments.program, &result);
	if (status == SONDE_OK)
		status = deliver(context, result, &arguments.program);
	sonde_ions_result_free(&result);
	program_context_free(&context);
	return status;
}
