/* sonde coulomb */
#include "coulomb/option_table.h"
#include "coulomb/output/result.h"

#include <stdio.h>
#include <string.h>

#include "base/standard_output.h"
#include "base/status.h"
#include "cli/program/arguments.h"
#include "cli/program/help.h"
#include "cli/program/job.h"
#include "cli/commands/output.h"
#include "cli/plot/plot.h"
#include "cli/program/progress.h"
#include "io/atom_sink.h"
#include "matter/build.h"

/* What was left out, a line each. */
static void append_notes(const sonde_coulomb_result *result, struct text *notes)
{
	if (result->coincident > 0)
		text_append(notes, "%lld times a charge lies at a point and was left out there (--self)\n",
			    (long long)result->coincident);
	if (result->masked > 0)
		text_append(notes, "%lld points are left out by the mask\n", (long long)result->masked);
}

static void print_summary(const sonde_context *context, const sonde_coulomb_result *result,
			  const sonde_program_options *program)
{
	const char *unit = sonde_coulomb_unit(result);
	const char *method = coulomb_method_name(result);
	struct text errors = {0}, notes = {0};
	char name[24];

	coulomb_append_errors(result, "error: ", &errors);
	append_notes(result, &notes);
	if (program->json) {
		printf("{\"command\": \"coulomb\", \"charge_sets\": %d, \"charges\": %lld, \"points\": %lld, "
		       "\"seconds\": %.6f, "
		       "\"relative_error\": %.3g, \"largest_error\": %.3g, \"field_error\": %.3g, "
		       "\"largest_field_error\": %.3g, \"unit\": \"%s\"",
		       result->charge_sets, (long long)result->charge_count, (long long)result->point_count,
		       result->seconds, result->relative_error, result->largest_error, result->field_error,
		       result->largest_field_error, unit);
		output_end_json(notes.bytes != NULL ? notes.bytes : "", NULL, context);
	} else if (!program->quiet) {
		if (result->charge_sets > 1)
			printf("%d sets of ", result->charge_sets);
		printf("%lld charges (%s %.6g e), %lld points, %s, %.2f s\n"
		       "%s",
		       (long long)result->charge_count, result->charge_sets > 1 ? "the first together" : "together",
		       result->total_charge, (long long)result->point_count, method, result->seconds,
		       errors.bytes != NULL ? errors.bytes : "");
		for (int s = 0; result->forces != NULL && s < result->charge_sets; ++s)
			printf("energy%s: %.10g %s\n", coulomb_set_name(result, s, name), result->energies[s],
			       coulomb_energy_unit(result));
		for (const char *note = notes.bytes; note != NULL && *note != '\0';) {
			int length = (int)strcspn(note, "\n");
			printf("note: %.*s\n", length, note);
			note += length + (note[length] == '\n');
		}
		if (program->output[0] != '\0')
			printf("%s: written%s\n", output_name(program->output),
			       coulomb_file_for_each_set(program->output, result->charge_sets)
				   ? ", a file for each set: _1, _2 ... at its name's end"
				   : "");
		if (program->plot[0] != '\0')
			printf("%s: drawn\n", program->plot);
	}
	text_free(&errors);
	text_free(&notes);
}

static sonde_status print_table(const sonde_coulomb_result *result)
{
	struct text text = {0};
	sonde_status status = coulomb_table_text(result, false, &text);

	if (status == SONDE_OK)
		status = output_print(&text);
	text_free(&text);
	return status;
}

static sonde_status deliver(sonde_context *context, const sonde_coulomb_result *result,
			    const sonde_program_options *program)
{
	progress_stop();
	if (program->output[0] == '\0' && program->plot[0] == '\0')
		return print_table(result);
	if (program->plot[0] != '\0') {
		sonde_status status = plot_coulomb(context, result, program->plot, program->force != 0);
		if (status != SONDE_OK && program->output[0] != '\0')
			return status_prefix(status, "%s is written, but", program->output);
		CHECK(status);
	}
	print_summary(context, result, program);
	return output_flush(program);
}

/* A picture needs the values in memory; else they may go to the file at once. */
static sonde_status run(sonde_context *context, const sonde_atoms *atoms, const sonde_coulomb_options *options,
			const sonde_program_options *program, sonde_coulomb_result **result)
{
	if (program->output[0] != '\0' && program->plot[0] == '\0' && !standard_output_is(program->output))
		return sonde_coulomb_run_to_file(context, atoms, options, program->output, program->force, result);
	CHECK(sonde_coulomb_run(context, atoms, options, result));
	return program->output[0] != '\0' ? sonde_coulomb_result_write(*result, program->output, program->force)
					  : SONDE_OK;
}

static sonde_status compute(sonde_context *context, const struct arguments *arguments,
			    const sonde_coulomb_options *options, const struct yaml_block *build)
{
	sonde_atoms *atoms = NULL;
	sonde_coulomb_result *result = NULL;
	sonde_status status;

	struct arguments all = *arguments;
	if (options->frames == SONDE_COULOMB_FRAMES_ALL && all.program.frame != 0)
		return status_fail(SONDE_INVALID, "frames: all and --frame %lld exclude one another",
				   (long long)all.program.frame);
	if (options->frames == SONDE_COULOMB_FRAMES_ALL)
		all.program.frame = ATOM_ALL_FRAMES;
	CHECK_GOTO(status, job_sample(context, &all, build, &atoms), done);
	CHECK_GOTO(status, run(context, atoms, options, &arguments->program, &result), done);
	status = deliver(context, result, &arguments->program);
done:
	sonde_coulomb_result_free(&result);
	sonde_atoms_free(&atoms);
	return status;
}

sonde_status command_coulomb(int argc, char **argv)
{
	const struct command *command = command_find("coulomb");
	struct arguments arguments = {0};
	sonde_coulomb_options options;
	sonde_build_options build_options;
	struct yaml_block blocks[] = {{&coulomb_option_table, &options, false, NULL, NULL, NULL},
				      {&build_option_table, &build_options, false, NULL, NULL, NULL}};
	sonde_context *context = NULL;
	sonde_status status;

	sonde_coulomb_options_init(&options);
	CHECK(arguments_read(command, argc, argv, &options, blocks, 2, &arguments));
	if (arguments.help)
		return help_answer(command, &arguments);
	CHECK(output_check(&arguments, options.points, coulomb_check_format));
	CHECK(program_context(&arguments.program, command, argc, argv, &context));
	status = compute(context, &arguments, &options, &blocks[1]);
	program_context_free(&context);
	return status;
}
