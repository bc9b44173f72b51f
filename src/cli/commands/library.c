/* sonde library */
#include <stdlib.h>

#include "base/file.h"
#include "base/memory.h"
#include "cli/commands/output.h"
#include "cli/program/arguments.h"
#include "cli/program/help.h"
#include "cli/program/progress.h"
#include "cli/program/program.h"
#include "cli/program/ranks.h"
#include "cli/program/spelling.h"
#include "library/make.h"
#include "run/report.h"
#include "run/speed.h"

#define CPU_PAIRS_A_SECOND 2.0e8 /* of a core, kernels/many_spread.k */
#define GPU_PAIRS_A_SECOND 3.0e10

struct work {
	struct arguments arguments;
	struct library_spec *spec;
	struct library_outcome outcome;
	sonde_context *context;
};

static sonde_status check(struct work *work)
{
	const char *file = work->arguments.positional, *output = work->arguments.program.output;

	if (file == NULL)
		return status_fail(SONDE_INVALID,
				   "no description of a library is given; it is a YAML file, as in 'sonde library "
				   "carbon.yaml -o carbon.h5'");
	if (!file_has_suffix(file, ".yaml") && !file_has_suffix(file, ".yml"))
		return status_fail(SONDE_INVALID, "'%.64s' is not a description of a library (.yaml)", file);
	if (output[0] == '\0')
		return status_fail(SONDE_INVALID, "no output is given; add -o FILE.h5");
	if (!file_has_suffix(output, ".h5") && !file_has_suffix(output, ".hdf5") && !file_has_suffix(output, ".nxs"))
		return status_fail_option(SONDE_INVALID, "output", "a library is an HDF5 file (.h5, .hdf5, .nxs)");
	CHECK(file_check_output(output, true));
	return library_spec_read(file, LIBRARY_MOST_STRUCTURES, &work->spec);
}

static sonde_status print(struct work *work, struct report *report)
{
	const sonde_program_options *program = &work->arguments.program;
	struct text notes = {0};

	progress_stop();
	spelling_append(context_notes(work->context), &notes);
	sonde_status status = report_end(report, notes.bytes != NULL ? notes.bytes : "");
	if (status == SONDE_OK && (program->json || !program->quiet) && ranks_is_first())
		status = output_print(&report->text);
	text_free(&notes);
	report_free(report);
	return status;
}

static void report_structures(const struct work *work, struct report *report)
{
	const struct library_outcome *outcome = &work->outcome;

	report_integer(report, "structures", outcome->structures);
	report_integer(report, "present", outcome->present);
	report_integer(report, "repeated", outcome->repeated);
	report_number(report, "atoms", outcome->atoms);
	report_number(report, "pairs", outcome->pairs);
}

static struct library_settings settings_of(const sonde_program_options *program)
{
	return (struct library_settings){.path = program->output, .overwrite = program->force != 0};
}

static sonde_status print_plan(struct work *work)
{
	const sonde_program_options *program = &work->arguments.program;
	struct library_outcome *outcome = &work->outcome;
	const struct library_settings settings = settings_of(program);
	struct device_count devices;
	struct report report;

	CHECK(library_plan(work->context, work->spec, &settings, outcome));
	CHECK(context_count_devices(work->context, &devices));
	const double rate = devices.gpus > 0 ? GPU_PAIRS_A_SECOND * devices.gpus
					     : CPU_PAIRS_A_SECOND * context_threads(work->context);
	const double open = (double)(outcome->structures - outcome->present - outcome->repeated);
	const double seconds = outcome->pairs / rate + 1e-3 * open / context_threads(work->context);
	report_begin(&report, "library", program->json != 0);
	report.spell = spelling_of_program;
	report_line(&report, "structures", "%lld, of which %lld are in the library and %lld the same as others",
		    (long long)outcome->structures, (long long)outcome->present, (long long)outcome->repeated);
	report_line(&report, "atoms", "%.6g in all, %lld to %lld in a structure", outcome->atoms,
		    (long long)outcome->fewest_atoms, (long long)outcome->most_atoms);
	report_line(&report, "pairs", "%.3g", outcome->pairs);
	report_line(&report, "options", "%s", work->spec->physics[0] != '\0' ? work->spec->physics : "the defaults");
	report_line(&report, "time", "about %.2g s", seconds);
	report_structures(work, &report);
	report_number(&report, "seconds", seconds);
	return print(work, &report);
}

static sonde_status summarize(struct work *work)
{
	const sonde_program_options *program = &work->arguments.program;
	const struct library_outcome *outcome = &work->outcome;
	struct report report;

	report_begin(&report, "library", program->json != 0);
	report.spell = spelling_of_program;
	report_print(&report, "%s: %lld structures; %lld computed, %lld were present", program->output,
		     (long long)outcome->total, (long long)outcome->made, (long long)outcome->present);
	if (outcome->repeated > 0)
		report_print(&report, ", %lld the same as others", (long long)outcome->repeated);
	report_print(&report, "\n");
	if (outcome->made > 0)
		report_print(&report, "error: estimate %.2g at most (<f^2> + I/N)\n",
			     text_round_up(outcome->largest_error, 2));
	report_text(&report, "output", program->output);
	report_structures(work, &report);
	report_integer(&report, "made", outcome->made);
	report_integer(&report, "total", outcome->total);
	report_number(&report, "largest_error", text_round_up(outcome->largest_error, 3));
	report_open_object(&report, "seconds");
	report_decimal(&report, "building", outcome->building, 6);
	report_decimal(&report, "preparing", outcome->times.preparing, 6);
	report_decimal(&report, "summing", outcome->times.summing, 6);
	report_decimal(&report, "curves", outcome->times.finishing, 6);
	report_decimal(&report, "writing", outcome->writing, 6);
	report_close(&report);
	return print(work, &report);
}

static sonde_status carry_out(int argc, char **argv, struct work *work)
{
	const struct command *command = command_find("library");
	const sonde_program_options *program = &work->arguments.program;
	struct library_settings settings;

	CHECK(arguments_read(command, argc, argv, NULL, NULL, 0, &work->arguments));
	if (work->arguments.help)
		return help_answer(command, &work->arguments);
	CHECK(check(work));
	CHECK(program_context(program, command, argc, argv, &work->context));
	if (program->plan)
		return print_plan(work);
	settings = settings_of(program);
	CHECK(library_make(work->context, work->spec, &settings, &work->outcome));
	return summarize(work);
}

sonde_status command_library(int argc, char **argv)
{
	struct work *work;

	CHECK(memory_allocate(&work, 1, sizeof *work, "a library"));
	const sonde_status status = carry_out(argc, argv, work);
	program_context_free(&work->context);
	library_spec_free(&work->spec);
	text_free(&work->arguments.notes);
	free(work);
	return status;
}
