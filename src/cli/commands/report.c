/* sonde report */
#include <stdlib.h>

#include "base/file.h"
#include "base/memory.h"
#include "cli/commands/output.h"
#include "cli/program/help.h"
#include "cli/program/progress.h"
#include "cli/report/file_names.h"
#include "cli/report/page.h"
#include "run/report.h"

/* The page, by a context of its own. */
static sonde_status write_page(const struct command *command, int argc, char **argv, struct arguments *arguments,
			       const char *const *files, int count, struct text *page)
{
	const sonde_program_options *program = &arguments->program;
	sonde_context *context = NULL;

	CHECK(program_context(program, command, argc, argv, &context));
	struct text title = {0};
	file_names_append(files, count, 0, &title);
	if (count == 2) {
		text_append(&title, " and ");
		file_names_append(files, count, 1, &title);
	} else if (count > 2) {
		text_append(&title, " and %d more", count - 1);
	}
	sonde_status status = text_status(&title);
	if (status == SONDE_OK)
		status = page_append(context, files, count, title.bytes, page);
	if (status == SONDE_OK)
		status = file_write(program->output, page->bytes, page->size, program->force != 0);
	text_free(&title);
	program_context_free(&context);
	return status;
}

static sonde_status check(const struct arguments *arguments)
{
	const char *output = arguments->program.output;

	if (arguments->positional == NULL)
		return status_fail(SONDE_INVALID, "name a result: sonde report RESULT.h5 -o REPORT.html");
	if (output[0] == '\0')
		return status_fail(SONDE_INVALID, "no output is given; add -o REPORT.html");
	if (!file_has_suffix(output, ".html") && !file_has_suffix(output, ".htm"))
		return status_fail_option(SONDE_INVALID, "output", "a report is an HTML file (.html)");
	CHECK(output_check_input(arguments, arguments->positional));
	for (int k = 0; k < arguments->file_count; ++k)
		CHECK(output_check_input(arguments, arguments->files[k]));
	return file_check_output(output, arguments->program.force != 0);
}

static sonde_status summarize(const struct arguments *arguments, int count, size_t bytes)
{
	const sonde_program_options *program = &arguments->program;
	struct report report;

	report_begin(&report, "report", program->json != 0);
	report_print(&report, "%s: %d file%s, %.1f MB\n", program->output, count, count == 1 ? "" : "s",
		     (double)bytes / 1e6);
	report_text(&report, "output", program->output);
	report_integer(&report, "files", count);
	report_integer(&report, "bytes", (int64_t)bytes);
	sonde_status status = report_end(&report, "");
	if (status == SONDE_OK && (program->json || !program->quiet))
		status = output_print(&report.text);
	report_free(&report);
	return status;
}

sonde_status command_report(int argc, char **argv)
{
	const struct command *command = command_find("report");
	struct arguments arguments = {0};
	struct text page = {0};
	const char **files = NULL;
	int count;

	sonde_status status = arguments_read(command, argc, argv, NULL, NULL, 0, &arguments);
	if (status == SONDE_OK && arguments.help) {
		status = help_answer(command, &arguments);
		goto release;
	}
	if (status == SONDE_OK)
		status = check(&arguments);
	count = 1 + arguments.file_count;
	if (status == SONDE_OK)
		status = memory_allocate(&files, (size_t)count, sizeof *files, "a report");
	if (status == SONDE_OK) {
		files[0] = arguments.positional;
		for (int k = 1; k < count; ++k)
			files[k] = arguments.files[k - 1];
		status = write_page(command, argc, argv, &arguments, files, count, &page);
	}
	if (status == SONDE_OK)
		status = summarize(&arguments, count, page.size);
release:
	text_free(&page);
	free(files);
	free(arguments.files);
	text_free(&arguments.notes);
	return status;
}
