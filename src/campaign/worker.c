#include "campaign/worker.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/folder.h"
#include "base/memory.h"
#include "campaign/lease.h"
#include "campaign/process.h"

/* A job in progress. */
struct slot {
	const struct campaign_job *job; /* null: none */
	size_t number;
	int line; /* command line in progress */
	bool resumed, lost;
	char folder[PATH_MAX], files_folder[PATH_MAX], result[PATH_MAX], output[PATH_MAX], file[PATH_MAX];
	struct campaign_process process;
};

struct work {
	sonde_context *context;
	const struct campaign *campaign;
	const struct campaign_settings *settings;
	struct campaign_outcome *outcome;
	struct lease_worker worker;
	struct slot *slots;
	struct pollfd *waits;
	size_t cursor;             /* the next job to look at */
	double next_pass, renewed; /* times of the next look at all jobs, and of the last renewal of leases */
	bool stopping;
	struct stage stage;
};

#define PASS_SECONDS 0.5
#define POLL_MILLISECONDS 200

/* States ------------------------------------------------------------------------------------------------- */

sonde_status campaign_job_state(const struct campaign *campaign, const char *folder, const struct campaign_job *job,
				enum campaign_state *state)
{
	char path[PATH_MAX], ending[32];

	snprintf(ending, sizeof ending, ".%s", campaign->ending);
	*state = CAMPAIGN_OPEN;
	CHECK(campaign_path(folder, "results", job->name, ending, path));
	if (folder_is_there(path)) {
		*state = CAMPAIGN_DONE;
		return SONDE_OK;
	}
	CHECK(campaign_path(folder, "failed", job->name, "", path));
	if (folder_is_there(path))
		*state = CAMPAIGN_FAILED;
	return SONDE_OK;
}

void campaign_failure(const char *folder, const struct campaign_job *job, char message[1024])
{
	char path[PATH_MAX];
	FILE *file = campaign_path(folder, "failed", job->name, "", path) == SONDE_OK ? fopen(path, "re") : NULL;
	size_t size = 0;

	if (file != NULL) {
		size = fread(message, 1, 1023, file);
		fclose(file);
	}
	message[size] = '\0';
	message[strcspn(message, "\n")] = '\0';
}

static void settle(struct work *work, size_t number, enum campaign_state state)
{
	if (work->outcome->states[number] != CAMPAIGN_OPEN || state == CAMPAIGN_OPEN)
		return;
	work->outcome->states[number] = state;
	if (state == CAMPAIGN_DONE)
		++work->outcome->done;
	else
		++work->outcome->failed;
}

static size_t settled(const struct work *work)
{
	return work->outcome->done + work->outcome->failed;
}

static sonde_status remove_failure(const struct work *work, const struct campaign_job *job)
{
	char path[PATH_MAX];

	CHECK(campaign_path(work->settings->folder, "failed", job->name, "", path));
	(void)unlink(path);
	return SONDE_OK;
}

static sonde_status look_at_all(struct work *work, bool first)
{
	for (size_t k = 0; k < work->campaign->job_count; ++k) {
		const struct campaign_job *job = &work->campaign->jobs[k];
		enum campaign_state state;
		if (work->outcome->states[k] != CAMPAIGN_OPEN)
			continue;
		CHECK(campaign_job_state(work->campaign, work->settings->folder, job, &state));
		if (state == CAMPAIGN_FAILED && first && work->settings->again) {
			CHECK(remove_failure(work, job));
			state = CAMPAIGN_OPEN;
		}
		settle(work, k, state);
	}
	return SONDE_OK;
}

/* The folder of unfinished work ---------------------------------------------------------------------------- */

/* The checkpoint in a folder that an earlier worker has left becomes this worker's. First the folder gets another name, in one step: another
 * worker cannot take it, too, and a process that still writes there finds that its output has no place any more. It may hold the lock of the
 * output until it ends, which belongs to the old folder. */
static void adopt_one(const struct slot *slot, const char *old)
{
	char taken[PATH_MAX + 2], from[2 * PATH_MAX], to[PATH_MAX + 16];
	const char *name = strrchr(slot->result, '/');

	snprintf(taken, sizeof taken, "%s~", slot->folder);
	if (rename(old, taken) != 0)
		return;
	snprintf(from, sizeof from, "%s%s.checkpoint", taken, name);
	snprintf(to, sizeof to, "%s.checkpoint", slot->result);
	(void)rename(from, to);
	campaign_remove_folder(taken);
}

/* The folders NAME@WORKER of earlier workers. */
static void adopt(const struct work *work, const struct slot *slot)
{
	char works[PATH_MAX], old[PATH_MAX];
	const size_t length = strlen(slot->job->name);
	const struct dirent *entry;

	if (campaign_path(work->settings->folder, "work", NULL, NULL, works) != SONDE_OK)
		return;
	DIR *entries = opendir(works);
	while (entries != NULL && (entry = readdir(entries)) != NULL)
		if (strncmp(entry->d_name, slot->job->name, length) == 0 && entry->d_name[length] == '@' &&
		    campaign_path(work->settings->folder, "work", entry->d_name, "", old) == SONDE_OK &&
		    strcmp(old, slot->folder) != 0)
			adopt_one(slot, old);
	if (entries != NULL)
		closedir(entries);
}

static sonde_status make_folder(const char *path)
{
	if (mkdir(path, 0777) != 0 && errno != EEXIST)
		return status_fail_file(SONDE_RESOURCE, path, "the folder cannot be created: %s", strerror(errno));
	return SONDE_OK;
}

static sonde_status write_job_file(const struct work *work, const struct slot *slot,
				   const struct campaign_files *files)
{
	struct text text = {0};
	sonde_status status = campaign_job_text(work->campaign, slot->job, files, &text);

	if (status == SONDE_OK && text.bytes != NULL)
		status = file_write(slot->file, text.bytes, text.size, true);
	text_free(&text);
	return status;
}

static struct campaign_files files_of(const struct slot *slot)
{
	return (struct campaign_files){
	    .job = slot->file, .result = slot->result, .scratch = slot->folder, .files = slot->files_folder};
}

static bool has_checkpoint(const struct slot *slot)
{
	char path[PATH_MAX + 16];

	snprintf(path, sizeof path, "%s.checkpoint", slot->result);
	return folder_is_there(path);
}

static void remove_checkpoint(const struct slot *slot)
{
	char path[PATH_MAX + 16];

	snprintf(path, sizeof path, "%s.checkpoint", slot->result);
	(void)unlink(path);
}

static sonde_status prepare(const struct work *work, struct slot *slot)
{
	const char *folder = work->settings->folder, *name = slot->job->name;
	char ending[2 * LEASE_WORKER_SIZE];

	snprintf(ending, sizeof ending, "@%s", work->worker.name);
	CHECK(campaign_path(folder, "work", name, ending, slot->folder));
	CHECK(campaign_path(folder, "jobs", name, ".yaml", slot->file));
	if (snprintf(slot->result, PATH_MAX, "%.*s/%s.%s", PATH_MAX / 2, slot->folder, name,
		     work->campaign->ending) >= PATH_MAX - 64 ||
	    snprintf(slot->files_folder, PATH_MAX, "%.*s/files", PATH_MAX / 2, slot->folder) >= PATH_MAX ||
	    snprintf(slot->output, PATH_MAX, "%.*s/summary", PATH_MAX / 2, slot->folder) >= PATH_MAX)
		return status_fail(SONDE_INVALID, "%.64s...: the name of the folder is too long", folder);
	CHECK(make_folder(slot->folder));
	adopt(work, slot);
	if (campaign_mentions(work->campaign, "files"))
		CHECK(make_folder(slot->files_folder));
	const struct campaign_files files = files_of(slot);
	return write_job_file(work, slot, &files);
}

/* Running ------------------------------------------------------------------------------------------------ */

static sonde_status start_line(struct work *work, struct slot *slot)
{
	const struct campaign_files files = files_of(slot);
	struct campaign_words words = {0};
	const bool last = slot->line == work->campaign->line_count - 1;

	slot->resumed = last && has_checkpoint(slot);
	sonde_status status = campaign_words_add(&words, "sonde");
	if (status == SONDE_OK)
		status = campaign_command(work->campaign, slot->job, slot->line, &files, &words);
	if (status == SONDE_OK)
		status = work->settings->extend(work->settings->user, slot->resumed, &words);
	campaign_process_free(&slot->process);
	if (status == SONDE_OK)
		status = campaign_process_start(work->settings->program, words.words, work->campaign->folder,
						slot->output, &slot->process);
	campaign_words_free(&words);
	return status;
}

static void leave(struct work *work, struct slot *slot, bool keep)
{
	campaign_process_free(&slot->process);
	if (!keep)
		campaign_remove_folder(slot->folder);
	lease_release(&work->worker, slot->job->name);
	slot->job = NULL;
}

/* Gives result and summary their names; the result is last, since a job that has one is done. */
static sonde_status publish(struct work *work, struct slot *slot, bool *given)
{
	const char *folder = work->settings->folder, *name = slot->job->name;
	char path[PATH_MAX], ending[32];

	CHECK(campaign_path(folder, "results", name, ".json", path));
	CHECK(campaign_publish(slot->output, path, given));
	if (campaign_mentions(work->campaign, "files")) {
		CHECK(campaign_path(folder, "files", name, "", path));
		(void)rename(slot->files_folder, path); /* those of another worker are the same */
	}
	snprintf(ending, sizeof ending, ".%s", work->campaign->ending);
	CHECK(campaign_path(folder, "results", name, ending, path));
	return campaign_publish(slot->result, path, given);
}

static sonde_status record_failure(struct work *work, struct slot *slot, int how)
{
	char path[PATH_MAX];
	struct text text = {0};

	if (WIFSIGNALED(how))
		text_append(&text, "ended by signal %d (%s)", WTERMSIG(how), strsignal(WTERMSIG(how)));
	if (slot->process.message[0] != '\0')
		text_append(&text, "%s%s", text.size > 0 ? ": " : "", slot->process.message);
	if (text.size == 0)
		text_append(&text, "%s",
			    WIFEXITED(how) && WEXITSTATUS(how) == 0 ? "has written no result"
								    : "ended without a message");
	text_append(&text, "\nexit code %d\ncommand line %d\n",
		    WIFEXITED(how) ? WEXITSTATUS(how) : 128 + WTERMSIG(how), slot->line + 1);
	sonde_status status = text_status(&text);
	if (status == SONDE_OK)
		status = campaign_path(work->settings->folder, "failed", slot->job->name, "", path);
	if (status == SONDE_OK)
		status = file_write(path, text.bytes, text.size, true);
	text_free(&text);
	return status;
}

static sonde_status succeed(struct work *work, struct slot *slot)
{
	bool given;

	CHECK(publish(work, slot, &given));
	work->outcome->here += given;
	settle(work, slot->number, CAMPAIGN_DONE);
	leave(work, slot, false);
	return SONDE_OK;
}

/* A command line has ended. */
static sonde_status end_line(struct work *work, struct slot *slot, int how)
{
	const bool well = WIFEXITED(how) && WEXITSTATUS(how) == 0;

	if (slot->lost || (!lease_renew(&work->worker, slot->job->name) && !well)) {
		leave(work, slot, false); /* another worker has the job */
		return SONDE_OK;
	}
	if (well && slot->line + 1 < work->campaign->line_count && !work->stopping) {
		++slot->line;
		return start_line(work, slot);
	}
	if (well && slot->line + 1 == work->campaign->line_count && folder_is_there(slot->result))
		return succeed(work, slot);
	if (work->stopping) {
		leave(work, slot, has_checkpoint(slot));
		return SONDE_OK;
	}
	if (slot->resumed && !well && WIFEXITED(how)) { /* a checkpoint that is damaged, or of another version */
		remove_checkpoint(slot);
		return start_line(work, slot);
	}
	CHECK(record_failure(work, slot, how));
	settle(work, slot->number, CAMPAIGN_FAILED);
	leave(work, slot, false);
	return SONDE_OK;
}

/* Takes a job, unless another worker has it or has finished it. */
static sonde_status try_job(struct work *work, size_t number, struct slot *slot)
{
	const struct campaign_job *job = &work->campaign->jobs[number];
	enum campaign_state state;
	bool taken;

	CHECK(campaign_job_state(work->campaign, work->settings->folder, job, &state));
	settle(work, number, state);
	if (state != CAMPAIGN_OPEN)
		return SONDE_OK;
	CHECK(lease_take(&work->worker, job->name, &taken));
	if (!taken)
		return SONDE_OK;
	/* it may have been finished between these two calls */
	sonde_status status = campaign_job_state(work->campaign, work->settings->folder, job, &state);
	settle(work, number, state);
	if (status == SONDE_OK && state == CAMPAIGN_OPEN) {
		*slot = (struct slot){.job = job, .number = number, .process = {.errors = -1}};
		status = prepare(work, slot);
		return status == SONDE_OK ? start_line(work, slot) : status;
	}
	lease_release(&work->worker, job->name);
	return status;
}

static bool is_running(const struct work *work, size_t number)
{
	for (int k = 0; k < work->settings->at_once; ++k)
		if (work->slots[k].job != NULL && work->slots[k].number == number)
			return true;
	return false;
}

/* Fills free slots with the next jobs, in their order. */
static sonde_status fill(struct work *work)
{
	const double began = clock_seconds();

	if (work->cursor == work->campaign->job_count && began >= work->next_pass) {
		CHECK(look_at_all(work, false));
		work->cursor = 0;
		work->next_pass = clock_seconds() + fmax(PASS_SECONDS, 20.0 * (clock_seconds() - began));
	}
	for (int k = 0; k < work->settings->at_once; ++k) {
		while (work->slots[k].job == NULL && work->cursor < work->campaign->job_count) {
			const size_t number = work->cursor++;
			if (work->outcome->states[number] == CAMPAIGN_OPEN && !is_running(work, number))
				CHECK(try_job(work, number, &work->slots[k]));
		}
	}
	return SONDE_OK;
}

static int count_running(const struct work *work)
{
	int count = 0;

	for (int k = 0; k < work->settings->at_once; ++k)
		count += work->slots[k].job != NULL;
	return count;
}

static void renew_leases(struct work *work)
{
	if (clock_seconds() - work->renewed < work->settings->lease / 5.0)
		return;
	work->renewed = clock_seconds();
	for (int k = 0; k < work->settings->at_once; ++k) {
		struct slot *slot = &work->slots[k];
		if (slot->job != NULL && !lease_renew(&work->worker, slot->job->name)) {
			slot->lost = true;
			campaign_process_stop(&slot->process, true);
		}
	}
}

static sonde_status watch(struct work *work)
{
	nfds_t count = 0;

	for (int k = 0; k < work->settings->at_once; ++k)
		if (work->slots[k].job != NULL && work->slots[k].process.errors >= 0)
			work->waits[count++] = (struct pollfd){.fd = work->slots[k].process.errors, .events = POLLIN};
	/* a process whose pipe is closed ends now */
	(void)poll(work->waits, count, count > 0 || count_running(work) == 0 ? POLL_MILLISECONDS : 5);
	renew_leases(work);
	for (int k = 0; k < work->settings->at_once; ++k) {
		struct slot *slot = &work->slots[k];
		int how;
		if (slot->job == NULL)
			continue;
		campaign_process_read(&slot->process);
		if (campaign_process_ended(&slot->process, &how))
			CHECK(end_line(work, slot, how));
	}
	return SONDE_OK;
}

static void report_progress(struct work *work)
{
	double done = (double)settled(work) - (double)work->outcome->before;

	for (int k = 0; k < work->settings->at_once; ++k)
		if (work->slots[k].job != NULL)
			done += (work->slots[k].line + work->slots[k].process.done) / work->campaign->line_count;
	if (stage_advance(&work->stage, done) == SONDE_OK || work->stopping)
		return;
	work->stopping = true;
	for (int k = 0; k < work->settings->at_once; ++k)
		if (work->slots[k].job != NULL)
			campaign_process_stop(&work->slots[k].process, false);
}

static sonde_status run(struct work *work)
{
	const size_t count = work->campaign->job_count;

	CHECK(look_at_all(work, true));
	work->outcome->before = settled(work);
	work->renewed = clock_seconds();
	stage_begin(&work->stage, work->context, "jobs", "jobs", (double)(count - work->outcome->before));
	for (;;) {
		if (!work->stopping)
			CHECK(fill(work));
		report_progress(work);
		if (count_running(work) == 0 && (work->stopping || settled(work) == count))
			break;
		CHECK(watch(work));
	}
	if (settled(work) == count)
		return SONDE_OK;
	return status_fail(SONDE_SUSPENDED, "stopped; %zu of %zu jobs are done, the same command continues",
			   work->outcome->done, count);
}

static void end(struct work *work)
{
	for (int k = 0; work->slots != NULL && k < work->settings->at_once; ++k)
		if (work->slots[k].job != NULL)
			leave(work, &work->slots[k], has_checkpoint(&work->slots[k]));
	free(work->slots);
	free(work->waits);
	lease_worker_end(&work->worker);
}

sonde_status campaign_work(sonde_context *context, const struct campaign *campaign,
			   const struct campaign_settings *settings, struct campaign_outcome *outcome)
{
	struct work work = {.context = context, .campaign = campaign, .settings = settings, .outcome = outcome};

	*outcome = (struct campaign_outcome){0};
	CHECK(memory_allocate(&outcome->states, campaign->job_count, sizeof *outcome->states, "a campaign"));
	CHECK(memory_allocate(&work.slots, (size_t)settings->at_once, sizeof *work.slots, "a campaign"));
	sonde_status status =
	    memory_allocate(&work.waits, (size_t)settings->at_once, sizeof *work.waits, "a campaign");
	if (status == SONDE_OK)
		status = lease_worker_begin(settings->folder, settings->lease, &work.worker);
	if (status == SONDE_OK)
		status = run(&work);
	end(&work);
	return status;
}

void campaign_outcome_free(struct campaign_outcome *outcome)
{
	free(outcome->states);
	outcome->states = NULL;
}
