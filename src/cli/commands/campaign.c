/* sonde campaign */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "base/threads.h"
#include "campaign/converge.h"
#include "campaign/folder.h"
#include "campaign/option_table.h"
#include "campaign/table_nexus.h"
#include "campaign/worker.h"
#include "cli/commands/output.h"
#include "cli/plot/campaign.h"
#include "cli/commands/campaign_gpus.h"
#include "cli/figure/figure.h"
#include "cli/program/arguments.h"
#include "cli/program/help.h"
#include "cli/program/progress.h"
#include "cli/program/ranks.h"
#include "run/report.h"
#include "sonde/campaign_options.h"

struct work {
	int argc;
	char **argv;
	struct arguments arguments;
	sonde_campaign_options options;
	struct campaign *campaign;
	char folder[PATH_MAX], absolute[PATH_MAX], program[PATH_MAX];
	sonde_context *context;
	struct campaign_outcome outcome;
	struct campaign_table table;
	struct studies studies;
	struct text notes;
};

/* Checks ------------------------------------------------------------------------------------------------- */

static bool takes(const struct command *command, const char *option)
{
	const struct option_row *row = options_find(&program_option_table, option);

	return row != NULL && command_takes(command, row);
}

static sonde_status check_command(const struct campaign *campaign, int line, const char *name)
{
	const struct campaign_text *text = &campaign->lines[line];
	const struct command *command = command_find(name);
	struct nearest_word nearest = {.word = name};
	char hint[96];

	for (int k = 0; k < command_count; ++k)
		nearest_word_offer(&nearest, commands[k].name);
	if (command == NULL)
		return yaml_tree_fail(campaign->path, text->line, text->column, "run", "unknown command '%.64s'%s",
				      name, nearest_word_hint(&nearest, hint, sizeof hint));
	if (!takes(command, "json") || strcmp(name, "campaign") == 0 ||
	    (line == campaign->line_count - 1 && !takes(command, "output")))
		return yaml_tree_fail(campaign->path, text->line, text->column, "run",
				      "'%s' writes no result, which %s must", name,
				      line == campaign->line_count - 1 ? "the last command of a job" : "a job");
	return SONDE_OK;
}

static bool is_among(const char *endings, const char *ending)
{
	const size_t size = strlen(ending);

	for (const char *here = strstr(endings, ending); here != NULL; here = strstr(here + 1, ending))
		if (here > endings && here[-1] == '.' && (here - 1 == endings || here[-2] == ' ') &&
		    (here[size] == ' ' || here[size] == '\0'))
			return true;
	return false;
}

/* The ending of results is one that the last command writes, unless its words give the format. */
static sonde_status check_ending(const struct campaign *campaign, const struct campaign_words *words)
{
	const struct yaml_node *result = yaml_tree_find(campaign->root, "result");
	const struct yaml_node *place = result != NULL ? result : campaign->root;
	const struct command *command = command_find(words->words[0]);

	if (is_among(command->outputs, campaign->ending))
		return SONDE_OK;
	for (size_t k = 1; k < words->count; ++k)
		if (strncmp(words->words[k], "--output-format", strlen("--output-format")) == 0)
			return SONDE_OK;
	return yaml_tree_fail(campaign->path, place->line, place->column, result != NULL ? "result" : NULL,
			      result != NULL
				  ? "'%s' writes no files that end in .%s; its endings are %s"
				  : "'%s' writes no files that end in .%s; the key 'result' gives another ending: %s",
			      words->words[0], campaign->ending, command->outputs);
}

static sonde_status check_commands(const struct campaign *campaign)
{
	const struct campaign_files files = {"job", "result", "scratch", "files"};

	for (size_t k = 0; k < campaign->job_count; ++k)
		for (int line = 0; line < campaign->line_count; ++line) {
			struct campaign_words words = {0};
			sonde_status status = campaign_command(campaign, &campaign->jobs[k], line, &files, &words);
			if (status == SONDE_OK)
				status = check_command(campaign, line, words.count > 0 ? words.words[0] : "");
			if (status == SONDE_OK && line == campaign->line_count - 1)
				status = check_ending(campaign, &words);
			campaign_words_free(&words);
			CHECK(status);
		}
	return SONDE_OK;
}

/* The folder that is given, or the name of the file without its ending. */
static sonde_status choose_folder(struct work *work)
{
	const char *output = work->arguments.program.output, *join = work->options.join,
		   *file = work->arguments.positional, *slash = strrchr(file, '/');

	if (output[0] != '\0' && join[0] != '\0')
		return status_fail(SONDE_INVALID, "--output and --join both name a folder; give one of them");
	const char *given = join[0] != '\0' ? join : output;
	snprintf(work->folder, sizeof work->folder, "%s",
		 given[0] != '\0' ? given
		 : slash != NULL  ? slash + 1
				  : file);
	char *point = strrchr(work->folder, '.');
	if (given[0] == '\0' && point != NULL)
		*point = '\0';
	return SONDE_OK;
}

static sonde_status check(struct work *work)
{
	const char *file = work->arguments.positional;
	bool begun;

	if (file == NULL)
		return status_fail(SONDE_INVALID,
				   "no campaign is given; it is a YAML file, as in 'sonde campaign sweep.yaml'");
	if (!file_has_suffix(file, ".yaml") && !file_has_suffix(file, ".yml"))
		return status_fail(SONDE_INVALID, "'%.64s' is not a campaign (.yaml)", file);
	CHECK(campaign_read(file, (size_t)work->options.most_jobs, &work->campaign));
	CHECK(check_commands(work->campaign));
	CHECK(choose_folder(work));
	CHECK(campaign_folder_check(work->campaign, work->folder, &begun));
	if (work->arguments.program.plot[0] != '\0') {
		CHECK(plot_campaign_check(work->campaign));
		CHECK(figure_check(work->arguments.program.plot, work->arguments.program.force != 0));
	}
	const ssize_t size = readlink("/proc/self/exe", work->program, sizeof work->program - 1);
	if (size <= 0)
		return status_fail(SONDE_RESOURCE, "the file of the program cannot be found: is /proc mounted?");
	work->program[size] = '\0';
	return SONDE_OK;
}

/* Jobs ---------------------------------------------------------------------------------------------------- */

static bool has_word(const struct campaign_words *words, const char *flag)
{
	const size_t length = strlen(flag);

	for (size_t k = 0; k < words->count; ++k)
		if (strncmp(words->words[k], flag, length) == 0 &&
		    (words->words[k][length] == '\0' || words->words[k][length] == '='))
			return true;
	return false;
}

/* Engines that leave a checkpoint have an option that continues from it. */
static sonde_status add_resume(const struct command *command, struct campaign_words *words)
{
	const struct option_row *row =
	    command != NULL && command->options != NULL ? options_find(command->options, "resume") : NULL;
	char flag[80] = "--";

	if (row == NULL)
		return SONDE_OK;
	option_flag(row, flag + 2);
	return campaign_words_add(words, flag);
}

/* With several ranks on a machine, each of them is a worker: the processors, and the devices of a list, are divided among them. */
static void take_share(const struct work *work, sonde_program_options *program)
{
	struct parallel *ranks = ranks_of_program();
	const char *list = work->arguments.program.device;
	char taken[sizeof program->device];
	const int at_once = (int)work->options.at_once;

	if (program->threads == 0 && (at_once > 1 || parallel_local_size(ranks) > 1)) {
		program->threads = parallel_threads(ranks, threads_available()) / at_once;
		program->threads = program->threads > 0 ? program->threads : 1;
	}
	if (parallel_local_size(ranks) == 1 || strchr(list, ',') == NULL)
		return;
	campaign_deal_names(ranks, list, taken, sizeof taken);
	strcpy(program->device, taken);
}

/* Options of the campaign's command line about where to run are those of its jobs, unless these have their own. */
static sonde_status extend(void *user, bool resumed, struct campaign_words *words)
{
	static const char *const names[] = {"device",       "memory",       "host_memory",
					    "kernel_cache", "launch_limit", "threads"};
	const struct work *work = user;
	const struct command *command = command_find(words->words[1]);
	sonde_program_options program = work->arguments.program, defaults;
	sonde_status status = SONDE_OK;

	options_set_defaults(&program_option_table, &defaults);
	CHECK(campaign_words_add(words, "--json"));
	if (resumed)
		CHECK(add_resume(command, words));
	take_share(work, &program);
	for (size_t k = 0; k < sizeof names / sizeof *names && status == SONDE_OK; ++k) {
		const struct option_row *row = options_find(&program_option_table, names[k]);
		struct text value = {0}, before = {0};
		char flag[80] = "--";
		option_flag(row, flag + 2);
		option_print(row, &program, &value);
		option_print(row, &defaults, &before);
		if (value.bytes != NULL && (before.bytes == NULL || strcmp(value.bytes, before.bytes) != 0) &&
		    command != NULL && command_takes(command, row) && !has_word(words, flag)) {
			status = campaign_words_add(words, flag);
			if (status == SONDE_OK)
				status = campaign_words_add(words, value.bytes);
		}
		text_free(&value);
		text_free(&before);
	}
	return status;
}

static sonde_status list_jobs(const struct work *work)
{
	static const char *const states[] = {"open", "done", "failed"};
	const struct campaign *campaign = work->campaign;
	const struct campaign_files files = {"${job}", "${result}", "${scratch}", "${files}"};
	struct report report;
	sonde_status status = SONDE_OK;

	report_begin(&report, "campaign", work->arguments.program.json != 0);
	report_line(&report, "folder", "%s", work->folder);
	report_line(&report, "jobs", "%zu", campaign->job_count);
	report_text(&report, "folder", work->folder);
	report_open_list(&report, "jobs");
	for (size_t k = 0; k < campaign->job_count && status == SONDE_OK; ++k) {
		enum campaign_state state;
		status = campaign_job_state(campaign, work->folder, &campaign->jobs[k], &state);
		report_open_object(&report, NULL);
		report_text(&report, "name", campaign->jobs[k].name);
		report_text(&report, "state", states[state]);
		report_open_list(&report, "commands");
		report_print(&report, "%s%s%s\n", campaign->jobs[k].name, state != CAMPAIGN_OPEN ? ": " : "",
			     state != CAMPAIGN_OPEN ? states[state] : "");
		for (int line = 0; line < campaign->line_count && status == SONDE_OK; ++line) {
			struct campaign_words words = {0};
			struct text text = {0};
			status = campaign_command(campaign, &campaign->jobs[k], line, &files, &words);
			for (size_t n = 0; status == SONDE_OK && n < words.count; ++n)
				text_append(&text, "%s%s", n > 0 ? " " : "", words.words[n]);
			report_print(&report, "    sonde %s\n", text.bytes != NULL ? text.bytes : "");
			report_text(&report, NULL, text.bytes != NULL ? text.bytes : "");
			campaign_words_free(&words);
			text_free(&text);
		}
		report_close(&report);
		report_close(&report);
	}
	report_close(&report);
	if (status == SONDE_OK)
		status = report_end(&report, "");
	if (status == SONDE_OK)
		status = output_print(&report.text);
	report_free(&report);
	return status;
}

/* Outputs ------------------------------------------------------------------------------------------------- */

static sonde_status write_file(const struct work *work, const char *name, const struct text *text)
{
	char path[PATH_MAX];

	CHECK(campaign_path(work->absolute, name, NULL, NULL, path));
	return file_write(path, text->bytes, text->size, true);
}

static sonde_status write_tables(struct work *work)
{
	struct text text = {0}, studies = {0};
	char path[PATH_MAX];

	CHECK(campaign_table_make(work->campaign, work->absolute, work->outcome.states, &work->table, &work->notes));
	CHECK(studies_make(work->campaign, &work->table, &work->studies));
	sonde_status status = campaign_table_text(work->campaign, &work->table, &text);
	if (status == SONDE_OK)
		status = write_file(work, "table.csv", &text);
	if (status == SONDE_OK && work->studies.count > 0) {
		status = studies_text(work->campaign, &work->table, &work->studies, &studies);
		if (status == SONDE_OK)
			status = write_file(work, "convergence.csv", &studies);
	}
	text_free(&text);
	text_free(&studies);
	CHECK(status);
	CHECK(campaign_path(work->absolute, "table.h5", NULL, NULL, path));
	CHECK(campaign_write_nexus(work->campaign, &work->table, &work->studies, path));
	return work->arguments.program.plot[0] != '\0' && ranks_is_first()
		   ? plot_campaign(work->context, work->campaign, &work->table, &work->arguments.program)
		   : SONDE_OK;
}

static void report_failures(const struct work *work, struct report *report)
{
	char message[1024];

	report_open_list(report, "failures");
	for (size_t k = 0; k < work->campaign->job_count; ++k) {
		if (work->outcome.states[k] != CAMPAIGN_FAILED)
			continue;
		campaign_failure(work->absolute, &work->campaign->jobs[k], message);
		report_line(report, "failed", "%s: %s", work->campaign->jobs[k].name, message);
		report_open_object(report, NULL);
		report_text(report, "name", work->campaign->jobs[k].name);
		report_text(report, "message", message);
		report_close(report);
	}
	report_close(report);
}

static void describe_study(const struct work *work, const struct study *study, struct report *report)
{
	const struct campaign *campaign = work->campaign;
	const char *figure = campaign->figures[study->figure].name;
	const struct extrapolation *result = &study->result;
	struct text text = {0};

	for (int k = 0; k < campaign->variable_count; ++k)
		if (k != campaign->over && campaign_varies(campaign, k))
			text_append(&text, " at %s %s", campaign->variables[k], campaign->jobs[study->job].values[k]);
	text_append(&text, isfinite(result->value) ? ": %.8g" : ": unknown", result->value);
	if (isfinite(result->error))
		text_append(&text, " +- %.2g", result->error);
	if (campaign->convergence == CAMPAIGN_HISTORIES && isfinite(result->order))
		text_append(&text, ", standard error ~ n^%.2f", result->order);
	else if (isfinite(result->order))
		text_append(&text, ", order %.2f%s", result->order, campaign->order > 0.0 ? " (given)" : "");
	else if (campaign->convergence != CAMPAIGN_HISTORIES)
		text_append(&text, study->count < 3 ? ", no order: three jobs are needed"
						    : ", no order: the last three do not converge monotonically");
	report_line(report, "limit", "%s%s", figure, text.bytes != NULL ? text.bytes : "");
	report_open_object(report, NULL);
	report_text(report, "figure", figure);
	report_text(report, "job", campaign->jobs[study->job].name);
	report_integer(report, "jobs", (int64_t)study->count);
	report_number(report, "last", study->last);
	report_number(report, "value", result->value);
	report_number(report, "error", result->error);
	report_number(report, campaign->convergence == CAMPAIGN_HISTORIES ? "power" : "order", result->order);
	report_close(report);
	text_free(&text);
}

static sonde_status summarize(const struct work *work)
{
	const sonde_program_options *program = &work->arguments.program;
	const struct campaign_outcome *outcome = &work->outcome;
	struct report report;

	progress_stop();
	report_begin(&report, "campaign", program->json != 0);
	report_line(&report, "jobs", "%zu: %zu done (%zu by this worker, %zu before), %zu failed",
		    work->campaign->job_count, outcome->done, outcome->here, outcome->before, outcome->failed);
	report_integer(&report, "jobs", (int64_t)work->campaign->job_count);
	report_integer(&report, "done", (int64_t)outcome->done);
	report_integer(&report, "failed", (int64_t)outcome->failed);
	report_integer(&report, "here", (int64_t)outcome->here);
	report_text(&report, "folder", work->folder);
	report_failures(work, &report);
	report_open_list(&report, "limits");
	for (size_t k = 0; k < work->studies.count; ++k)
		describe_study(work, &work->studies.studies[k], &report);
	report_close(&report);
	report_line(&report, "table", "%s/table.csv, table.h5%s", work->folder,
		    work->studies.count > 0 ? ", convergence.csv" : "");
	if (program->plot[0] != '\0')
		report_line(&report, "picture", "%s", program->plot);
	sonde_status status = report_end(&report, work->notes.bytes != NULL ? work->notes.bytes : "");
	if (status == SONDE_OK && (program->json || !program->quiet) && ranks_is_first())
		status = output_print(&report.text);
	report_free(&report);
	if (work->notes.bytes != NULL && ranks_is_first())
		progress_warn(work->notes.bytes);
	return status;
}

/* The first rank makes it, once all have looked at what is there. */
static sonde_status begin_folder(struct work *work)
{
	struct parallel *ranks = ranks_of_program();
	sonde_status status = parallel_agree(ranks, SONDE_OK);

	if (status == SONDE_OK && ranks_is_first())
		status = campaign_folder_begin(work->campaign, work->folder, work->absolute);
	CHECK(parallel_agree(ranks, status));
	return ranks_is_first() ? SONDE_OK : campaign_folder_begin(work->campaign, work->folder, work->absolute);
}

static sonde_status run(struct work *work)
{
	const struct campaign_settings settings = {.folder = work->absolute,
						   .program = work->program,
						   .at_once = (int)work->options.at_once,
						   .lease = work->options.lease > 0.0 ? work->options.lease : 120.0,
						   .again = work->options.join[0] == '\0' && ranks_is_first(),
						   .extend = extend,
						   .user = work};

	CHECK(begin_folder(work));
	campaign_take_gpus(ranks_of_program(), work->arguments.program.device);
	CHECK(campaign_work(work->context, work->campaign, &settings, &work->outcome));
	CHECK(write_tables(work));
	CHECK(summarize(work));
	if (work->outcome.failed == 0)
		return SONDE_OK;
	program_jobs_failed();
	return status_fail(
	    SONDE_RESOURCE,
	    "%zu of %zu jobs failed; the same command tries them again, their messages are in %s/failed",
	    work->outcome.failed, work->campaign->job_count, work->folder);
}

static sonde_status carry_out(struct work *work)
{
	const struct command *command = command_find("campaign");

	CHECK(arguments_read(command, work->argc, work->argv, &work->options, NULL, 0, &work->arguments));
	if (!ranks_is_first() && (work->arguments.help || work->arguments.program.plan))
		return SONDE_OK;
	if (work->arguments.help)
		return help_answer(command, &work->arguments);
	CHECK(check(work));
	if (work->arguments.program.plan)
		return list_jobs(work);
	CHECK(program_context(&work->arguments.program, command, work->argc, work->argv, &work->context));
	const sonde_status status = run(work);
	program_context_free(&work->context);
	return status;
}

sonde_status command_campaign(int argc, char **argv)
{
	struct work *work;

	CHECK(memory_allocate(&work, 1, sizeof *work, "a campaign"));
	work->argc = argc;
	work->argv = argv;
	options_set_defaults(&campaign_option_table, &work->options);
	const sonde_status status = carry_out(work);
	campaign_free(&work->campaign);
	campaign_outcome_free(&work->outcome);
	campaign_table_free(&work->table);
	studies_free(&work->studies);
	text_free(&work->notes);
	text_free(&work->arguments.notes);
	free(work);
	return status;
}
