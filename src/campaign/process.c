#include "campaign/process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include "base/memory.h"
#include "io/containers/yaml_tree.h"

/* A job is one process: it must not take itself for a rank of the parallel program that the worker is a rank of. */
static bool is_of_launcher(const char *variable)
{
	static const char *const prefixes[] = {"OMPI_",         "PMIX_",        "PMI_",      "MPI_LOCAL",
					       "HYDI_",         "HYDRA_",       "MPIR_",     "SLURM_PROCID",
					       "SLURM_LOCALID", "SLURM_NTASKS", "SLURM_STEP"};

	for (size_t k = 0; k < sizeof prefixes / sizeof *prefixes; ++k)
		if (strncmp(variable, prefixes[k], strlen(prefixes[k])) == 0)
			return true;
	return false;
}

/* The environment without these; only the list is to be freed. */
static char **make_environment(void)
{
	size_t count = 0, kept = 0;
	char **list;

	while (environ[count] != NULL)
		++count;
	if (memory_allocate(&list, count + 1, sizeof *list, "a process") != SONDE_OK)
		return NULL;
	for (size_t k = 0; k < count; ++k)
		if (!is_of_launcher(environ[k]))
			list[kept++] = environ[k];
	return list;
}

/* In the new process: only calls that are safe there. */
static void become(const char *program, char *const *words, char *const *environment, const char *folder, int output,
		   int errors, int nothing)
{
	static const int handled[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXCPU, SIGUSR1, SIGUSR2, SIGPIPE};
	sigset_t none;

	for (size_t k = 0; k < sizeof handled / sizeof *handled; ++k)
		(void)signal(handled[k], SIG_DFL);
	sigemptyset(&none);
	(void)sigprocmask(SIG_SETMASK, &none, NULL);
#ifdef __linux__
	(void)prctl(PR_SET_PDEATHSIG, SIGTERM);
#endif
	/* Ctrl-C is passed on by the worker, once */
	(void)setpgid(0, 0);
	if (chdir(folder) == 0 && dup2(nothing, STDIN_FILENO) >= 0 && dup2(output, STDOUT_FILENO) >= 0 &&
	    dup2(errors, STDERR_FILENO) >= 0)
		execve(program, words, environment);
	_exit(126);
}

static sonde_status fail(const char *what)
{
	return status_fail(SONDE_RESOURCE, "a job cannot be started: %s: %s", what, strerror(errno));
}

sonde_status campaign_process_start(const char *program, char *const *words, const char *folder, const char *output,
				    struct campaign_process *process)
{
	const int to = open(output, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666),
		  nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
	int ends[2] = {-1, -1};
	char **environment = make_environment();
	sonde_status status = SONDE_OK;

	*process = (struct campaign_process){.errors = -1};
	if (environment == NULL)
		status = memory_missing("a process");
	else if (to < 0 || nothing < 0)
		status = fail(output);
	else if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0)
		status = fail("pipe");
	if (status == SONDE_OK) {
		(void)fcntl(ends[1], F_SETFL, 0); /* it may wait */
		process->id = fork();
		if (process->id == 0)
			become(program, words, environment, folder, to, ends[1], nothing);
		if (process->id < 0) {
			process->id = 0;
			status = fail("fork");
		}
	}
	if (ends[1] >= 0)
		close(ends[1]);
	if (status == SONDE_OK)
		process->errors = ends[0];
	else if (ends[0] >= 0)
		close(ends[0]);
	if (to >= 0)
		close(to);
	if (nothing >= 0)
		close(nothing);
	free(environment);
	return status;
}

/* Progress, a warning, the error, or what a library has printed. */
static void read_line(struct campaign_process *process, const char *line)
{
	const char *done = strstr(line, "\"done\": "), *total = strstr(line, "\"total\": ");
	struct yaml_node *root = NULL;

	if (line[0] == '{' && done != NULL && total != NULL && strstr(line, "\"error\"") == NULL) {
		const double all = strtod(total + 9, NULL), part = strtod(done + 8, NULL);
		process->done = all > 0.0 && part >= 0.0 && part <= all ? part / all : 0.0;
		return;
	}
	if (line[0] == '{' && yaml_tree_parse("a message", line, &root) == SONDE_OK) {
		const struct yaml_node *message = yaml_tree_find(yaml_tree_find(root, "error"), "message");
		if (message != NULL && message->text != NULL)
			snprintf(process->message, sizeof process->message, "%s", message->text);
	} else if (line[0] != '{' && line[0] != '\0' && process->message[0] == '\0') {
		snprintf(process->message, sizeof process->message, "%s", line);
	}
	yaml_tree_free(&root);
}

#define LONGEST_LINE ((size_t)1 << 16)

void campaign_process_read(struct campaign_process *process)
{
	char bytes[4096];
	ssize_t size;

	while (process->errors >= 0 && (size = read(process->errors, bytes, sizeof bytes)) != 0) {
		if (size < 0 && errno == EINTR)
			continue;
		if (size < 0)
			return;
		for (ssize_t k = 0; k < size; ++k) {
			if (bytes[k] != '\n') {
				if (process->line.size < LONGEST_LINE && bytes[k] != '\0')
					text_append_byte(&process->line, bytes[k]);
				continue;
			}
			if (process->line.bytes != NULL)
				read_line(process, process->line.bytes);
			text_free(&process->line);
		}
	}
	if (process->errors >= 0)
		close(process->errors);
	process->errors = -1;
}

bool campaign_process_ended(struct campaign_process *process, int *how)
{
	if (process->id == 0 || waitpid(process->id, how, WNOHANG) != process->id)
		return false;
	process->id = 0;
	campaign_process_read(process);
	if (process->line.bytes != NULL)
		read_line(process, process->line.bytes);
	return true;
}

void campaign_process_stop(const struct campaign_process *process, bool at_once)
{
	if (process->id != 0)
		(void)kill(process->id, at_once ? SIGKILL : SIGTERM);
}

void campaign_process_free(struct campaign_process *process)
{
	if (process->id != 0) {
		(void)kill(process->id, SIGKILL);
		(void)waitpid(process->id, NULL, 0);
	}
	if (process->errors >= 0)
		close(process->errors);
	text_free(&process->line);
	*process = (struct campaign_process){.errors = -1};
}
