#include "cli/program/program.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/threads.h"
#include "cli/program/progress.h"
#include "cli/program/ranks.h"
#include "cli/program/spelling.h"
#include "run/context.h"
#include "base/options.h"

/* A signal that batch systems send before they end a job, not one from a person. */
static volatile sig_atomic_t stopped_by_batch;
/* It ended a run that would have left a checkpoint if an output file had been given. */
static bool lost_work;
static bool jobs_failed;

void program_jobs_failed(void)
{
	jobs_failed = true;
}

int exit_code(sonde_status status)
{
	switch (status) {
	case SONDE_OK:
		return 0;
	case SONDE_INVALID:
		return 2;
	case SONDE_RESOURCE:
		return jobs_failed ? 1 : 3;
	case SONDE_SUSPENDED:
		return stopped_by_batch ? 75 : 130;
	case SONDE_CANCELLED:
		return stopped_by_batch && lost_work ? 75 : 130;
	default:
		return 3;
	}
}

#define ONE_REQUEST 0.25 /* seconds */
static sonde_context *interrupted_context;
static const int stop_signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXCPU, SIGUSR1, SIGUSR2};

static void stop_run(void)
{
	if (interrupted_context != NULL)
		sonde_context_cancel(interrupted_context);
}

/* A second one ends the process at once, unless it arrives with the first: timeout(1) sends its signal to a program
 * and then to its whole group. */
static void interrupt(int signal_number)
{
	static double first;
	const double now = clock_seconds();

	if (first > 0.0 && now - first > ONE_REQUEST) {
		signal(signal_number, SIG_DFL);
		raise(signal_number);
	}
	first = first > 0.0 ? first : now;
	if (signal_number == SIGTERM || signal_number == SIGXCPU || signal_number == SIGUSR1 ||
	    signal_number == SIGUSR2)
		stopped_by_batch = 1;
	stop_run();
}

/* The output is no longer read, as after `| head`: the run ends, and unfinished files are removed. */
static volatile sig_atomic_t lost_reader;

static void lose_reader(int signal_number)
{
	(void)signal_number;
	lost_reader = 1;
	stop_run();
}

bool program_lost_reader(void)
{
	return lost_reader != 0;
}

/* Ignored, as nohup leaves SIGHUP: this is kept. (Shells also let background jobs of scripts ignore SIGINT, but a
 * user who sends it to one means it.) */
static bool is_ignored(int signal_number)
{
	struct sigaction present;

	return sigaction(signal_number, NULL, &present) == 0 && present.sa_handler == SIG_IGN;
}

/* The command line, quoted where a shell requires it. */
static sonde_status set_command(sonde_context *context, int argc, char **argv)
{
	struct text line = {0};
	sonde_status status;

	text_append(&line, "sonde");
	for (int k = 0; k < argc; ++k) {
		bool plain = argv[k][0] != '\0' && argv[k][strcspn(argv[k], " \t\n\"'\\$`*?;&|<>()")] == '\0';
		text_append(&line, plain ? " %s" : " '%s'", argv[k]);
	}
	status = text_status(&line);
	for (size_t k = 0; k < line.size && status == SONDE_OK; ++k)
		if ((unsigned char)line.bytes[k] < ' ')
			line.bytes[k] = ' '; /* it becomes one line in the header of tables */
	if (status == SONDE_OK)
		status = sonde_context_set_command(context, line.bytes);
	text_free(&line);
	return status;
}

/* What drivers read from the environment, unless the user has set it. */
void program_set_variables(void)
{
	const struct device_kind *kind;

	for (int k = 0; (kind = device_kind(k)) != NULL; ++k)
		for (const struct device_variable *of = kind->variables; of != NULL && of->name != NULL; ++of)
			if (of->value != NULL)
				(void)setenv(of->name, of->value, 0);
}

bool command_is_for_ranks(const struct command *command)
{
	return command != NULL && ((command->engine != NULL && (command->engine->abilities & ENGINE_DEVICES) != 0) ||
				   strcmp(command->name, "library") == 0 || strcmp(command->name, "devices") == 0);
}

bool command_is_for_workers(const struct command *command)
{
	return command != NULL && strcmp(command->name, "campaign") == 0;
}

sonde_status program_context(const sonde_program_options *options, const struct command *command, int argc,
			     char **argv, sonde_context **context)
{
	struct sigaction action = {.sa_handler = interrupt};
	sonde_status status;

	CHECK(sonde_context_create(context));
	CHECK_GOTO(status, sonde_context_set_threads(*context, options->threads), failed);
	CHECK_GOTO(status, sonde_context_set_memory(*context, options->host_memory), failed);
	CHECK_GOTO(status, sonde_context_set_device_memory(*context, options->memory), failed);
	CHECK_GOTO(status, sonde_context_set_kernel_cache(*context, options->kernel_cache), failed);
	CHECK_GOTO(status, sonde_context_set_launch_limit(*context, options->launch_limit), failed);
	status = sonde_context_set_device(*context, options->device);
	if (status != SONDE_OK) {
		status = status_prefix_option(status, "device");
		goto failed;
	}
	CHECK_GOTO(status, set_command(*context, argc, argv), failed);
	if (command_is_for_ranks(command))
		context_set_ranks(*context, ranks_of_program());
	if (ranks_is_first())
		progress_start(*context, command->name, options->quiet != 0, options->json != 0);
	interrupted_context = *context;
	sigfillset(&action.sa_mask);
	for (size_t k = 0; k < sizeof stop_signals / sizeof *stop_signals; ++k)
		if (stop_signals[k] != SIGHUP || !is_ignored(SIGHUP))
			sigaction(stop_signals[k], &action, NULL);
	action = (struct sigaction){.sa_handler = lose_reader};
	sigemptyset(&action.sa_mask);
	if (!is_ignored(SIGPIPE))
		sigaction(SIGPIPE, &action, NULL);
	return SONDE_OK;
failed:
	sonde_context_free(context);
	return status;
}

/* Loops continue with fewer threads, which takes longer. */
static void note_threads(sonde_context *context)
{
	if (threads_refused() == 0)
		return;
	context_notef(
	    context,
	    "threads that the system refused to start: %d; the run continued with fewer (is there a limit on "
	    "processes or "
	    "memory: ulimit -u, -v?)",
	    threads_refused());
}

void program_context_free(sonde_context **context)
{
	struct sigaction action = {.sa_handler = SIG_DFL};
	struct text notes = {0};

	if (*context != NULL) {
		sigemptyset(&action.sa_mask);
		for (size_t k = 0; k < sizeof stop_signals / sizeof *stop_signals; ++k)
			if (!is_ignored(stop_signals[k]))
				sigaction(stop_signals[k], &action, NULL);
		if (!is_ignored(SIGPIPE))
			sigaction(SIGPIPE, &action, NULL);
		interrupted_context = NULL;
		lost_work = context_lost_work(*context);
		note_threads(*context);
		progress_stop();
		spelling_append(context_notes(*context), &notes);
		if (ranks_is_first())
			progress_warn(notes.bytes != NULL ? notes.bytes : "");
		text_free(&notes);
	}
	sonde_context_free(context);
}
