/* sonde debye */
#include "debye/debye.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/status.h"
#include "cli/program/arguments.h"
#include "cli/program/help.h"
#include "cli/program/job.h"
#include "cli/commands/output.h"
#include "cli/plot/plot.h"
#include "cli/program/progress.h"
#include "matter/build.h"

#define PI 3.14159265358979323846

static void print_summary(const sonde_context *context, const sonde_debye_result *result,
			  const sonde_program_options *program)
{
	double pairs = 0.5 * (double)result->atom_count * (double)(result->atom_count - 1);
	double repeats = result->q_count > 1
			     ? PI * (double)(result->q_count - 1) / (result->q[result->q_count - 1] - result->q[0])
			     : INFINITY;
	struct text method = {0};
	char note[128] = "";

	if (result->r_count > 0 && result->r[result->r_count - 1] > repeats)
		snprintf(note, sizeof note,
			 "G(r) beyond r = %.4g Angstrom, pi over the step of q, only repeats itself", repeats);
	option_print(options_find(&debye_option_table, "method"), &result->options, &method);
	if (program->json) {
		printf("{\"command\": \"debye\", \"atoms\": %lld, \"points\": %lld, \"method\": \"%s\", "
		       "\"seconds\": %.6f, \"largest_error\": %.3g, \"largest_bound\": %.3g",
		       (long long)result->atom_count, (long long)result->q_count, method.bytes, result->seconds,
		       result->largest_error, result->largest_bound);
		output_end_json(note, NULL, context);
	} else if (!program->quiet) {
		printf("%lld atoms, %.4g pairs, %lld points of q, %s, %.2f s\n"
		       "error: estimate %.2g, bound %.2g (<f^2> + I/N)\n",
		       (long long)result->atom_count, pairs, (long long)result->q_count, method.bytes,
		       result->seconds, text_round_up(result->largest_error, 2),
		       text_round_up(result->largest_bound, 2));
		if (result->atoms_present < (double)result->atom_count)
			printf("occupancies: %lld sites hold %.10g atoms on average\n", (long long)result->atom_count,
			       result->atoms_present);
		if (note[0] != '\0')
			printf("note: %s\n", note);
		if (program->output[0] != '\0')
			printf("%s: written\n", output_name(program->output));
		if (program->plot[0] != '\0')
			printf("%s: drawn\n", program->plot);
	}
	text_free(&method);
}

static sonde_status print_table(const sonde_debye_result *result)
{
	struct text text = {0};
	sonde_status status = debye_table_text(result, false, &text);

	if (status == SONDE_OK)
		status = output_print(&text);
	text_free(&text);
	return status;
}

static sonde_status deliver(sonde_context *context, const sonde_debye_result *result,
			    const sonde_program_options *program)
{
	progress_stop();
	if (program->output[0] == '\0' && program->plot[0] == '\0')
		return print_table(result);
	if (program->output[0] != '\0')
		CHECK(sonde_debye_result_write(result, program->output, program->force));
	if (program->plot[0] != '\0') {
		sonde_status status = plot_debye(context, result, program);
		if (status != SONDE_OK && program->output[0] != '\0')
			return status_prefix(status, "%s is written, but", program->output);
		CHECK(status);
	}
	print_summary(context, result, program);
	return output_flush(program);
}

static sonde_status compute(sonde_context *context, const struct arguments *arguments,
			    const sonde_debye_options *options, const struct yaml_block *build)
{
	sonde_atoms *atoms = NULL;
	sonde_debye_result *result = NULL;
	sonde_status status;

	CHECK_GOTO(status, job_sample(context, arguments, build, &atoms), done);
	CHECK_GOTO(status, sonde_debye_run(context, atoms, options, &result), done);
	status = deliver(context, result, &arguments->program);
done:
	sonde_debye_result_free(&result);
	sonde_atoms_free(&atoms);
	return status;
}

#define SMALL_FILE 150000 /* bytes: some thousand atoms, whose pattern may take less time than a GPU to start */

static bool may_need_gpu(const struct arguments *arguments)
{
	const char *path = arguments->program.sample[0] != '\0' ? arguments->program.sample : arguments->positional;
	struct stat properties;

	return strcmp(arguments->program.device, "auto") != 0 || path == NULL || stat(path, &properties) != 0 ||
	       properties.st_size > SMALL_FILE;
}

sonde_status command_debye(int argc, char **argv)
{
	const struct command *command = command_find("debye");
	struct arguments arguments = {0};
	sonde_debye_options options;
	sonde_build_options build_options;
	struct yaml_block blocks[] = {{&debye_option_table, &options, false, NULL, NULL, NULL},
				      {&build_option_table, &build_options, false, NULL, NULL, NULL}};
	sonde_context *context = NULL;
	sonde_status status;

	sonde_debye_options_init(&options);
	CHECK(arguments_read(command, argc, argv, &options, blocks, 2, &arguments));
	if (arguments.help)
		return help_answer(command, &arguments);
	CHECK(output_check(&arguments, NULL, debye_check_format));
	if (arguments.program.output[0] != '\0' || arguments.program.plot[0] == '\0')
		CHECK(debye_check_contents(arguments.program.output, &options));
	CHECK(program_context(&arguments.program, command, argc, argv, &context));
	if (may_need_gpu(&arguments))
		sonde_context_prepare(context); /* while the sample is read */
	status = compute(context, &arguments, &options, &blocks[1]);
	program_context_free(&context);
	return status;
}
