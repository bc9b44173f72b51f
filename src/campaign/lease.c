#include "campaign/lease.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/folder.h"

/* The running system and the name space of its process numbers: only there a process number means something. */
static void find_machine(char machine[LEASE_WORKER_SIZE])
{
	char boot[64] = "", space[48] = "";
	FILE *file = fopen("/proc/sys/kernel/random/boot_id", "re");

	if (file != NULL) {
		if (fgets(boot, sizeof boot, file) == NULL)
			boot[0] = '\0';
		fclose(file);
	}
	boot[strcspn(boot, "\n")] = '\0';
	const ssize_t size = readlink("/proc/self/ns/pid", space, sizeof space - 1);
	space[size > 0 ? size : 0] = '\0';
	snprintf(machine, LEASE_WORKER_SIZE, "%s %s", boot[0] != '\0' ? boot : "unknown",
		 space[0] != '\0' ? space : "unknown");
}

sonde_status lease_worker_begin(const char *folder, double seconds, struct lease_worker *worker)
{
	char host[41] = "", machine[LEASE_WORKER_SIZE], name[LEASE_WORKER_SIZE + 16];
	struct timespec now;

	*worker = (struct lease_worker){.folder = folder, .seconds = seconds};
	(void)gethostname(host, sizeof host - 1);
	for (char *c = host; *c != '\0'; ++c)
		if (strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-", *c) == NULL)
			*c = '-';
	(void)clock_gettime(CLOCK_REALTIME, &now);
	snprintf(worker->name, sizeof worker->name, "%s-%ld-%lx", host, (long)getpid(),
		 (unsigned long)now.tv_nsec ^ ((unsigned long)now.tv_sec << 20));
	find_machine(machine);
	snprintf(worker->text, sizeof worker->text, "worker %s\nprocess %ld\nmachine %s\n", worker->name,
		 (long)getpid(), machine);
	snprintf(name, sizeof name, ".clock-%s", worker->name);
	return campaign_path(folder, "leases", name, "", worker->clock);
}

/* Writes the text of this worker to a file. */
static bool write_text(const struct lease_worker *worker, const char *path)
{
	const size_t size = strlen(worker->text);
	const int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);

	if (file < 0)
		return false;
	const bool written = write(file, worker->text, size) == (ssize_t)size;
	return close(file) == 0 && written;
}

/* The text of a lease and, unless it is null, the time at which it was touched. False if there is none. */
static bool read_lease(const char *path, char text[3 * LEASE_WORKER_SIZE], struct timespec *touched)
{
	struct stat properties;
	const int file = open(path, O_RDONLY | O_CLOEXEC); /* which asks an NFS server for its present state */
	ssize_t size = -1;

	if (file >= 0) {
		size = read(file, text, 3 * LEASE_WORKER_SIZE - 1);
		if (touched != NULL && fstat(file, &properties) == 0)
			*touched = properties.st_mtim;
		close(file);
	}
	text[size > 0 ? size : 0] = '\0';
	return size >= 0;
}

/* Seconds since the lease was touched, by the clock of the file system; negative if unknown. */
static double age(const struct lease_worker *worker, struct timespec touched)
{
	struct stat properties;

	if (!write_text(worker, worker->clock) || stat(worker->clock, &properties) != 0)
		return -1.0;
	return (double)(properties.st_mtim.tv_sec - touched.tv_sec) +
	       1e-9 * (double)(properties.st_mtim.tv_nsec - touched.tv_nsec);
}

/* Whether the worker was a process of this machine and does not exist any more. */
static bool has_vanished(const struct lease_worker *worker, const char *text)
{
	const char *mine = strstr(worker->text, "machine "), *machine = strstr(text, "machine "),
		   *process = strstr(text, "process ");

	if (mine == NULL || machine == NULL || process == NULL || strcmp(mine, machine) != 0 ||
	    strstr(machine, "unknown") != NULL)
		return false;
	const long number = strtol(process + strlen("process "), NULL, 10);
	return number > 0 && kill((pid_t)number, 0) != 0 && errno == ESRCH;
}

#define TIMES_ABANDONED 10 /* times of a lease after which a file of another worker is removed */

/* Files of workers that were killed. */
static void remove_abandoned(const struct lease_worker *worker)
{
	char folder[PATH_MAX], path[PATH_MAX], text[3 * LEASE_WORKER_SIZE];
	struct timespec touched = {0};
	const struct dirent *entry;

	if (campaign_path(worker->folder, "leases", NULL, NULL, folder) != SONDE_OK)
		return;
	DIR *entries = opendir(folder);
	while (entries != NULL && (entry = readdir(entries)) != NULL) {
		if (strncmp(entry->d_name, ".clock-", 7) != 0 && strncmp(entry->d_name, ".new-", 5) != 0 &&
		    strncmp(entry->d_name, ".ended-", 7) != 0)
			continue;
		if (campaign_path(worker->folder, "leases", entry->d_name, "", path) == SONDE_OK &&
		    read_lease(path, text, &touched) &&
		    (has_vanished(worker, text) || age(worker, touched) > TIMES_ABANDONED * worker->seconds))
			(void)unlink(path);
	}
	if (entries != NULL)
		closedir(entries);
}

void lease_worker_end(struct lease_worker *worker)
{
	if (worker->clock[0] == '\0')
		return;
	remove_abandoned(worker);
	(void)unlink(worker->clock);
	worker->clock[0] = '\0';
}

/* Gives the lease this worker's text, if it has none. */
static sonde_status claim(const struct lease_worker *worker, const char *path, bool *taken)
{
	char temporary[PATH_MAX], name[2 * LEASE_WORKER_SIZE + 64];

	snprintf(name, sizeof name, ".new-%s", worker->name);
	CHECK(campaign_path(worker->folder, "leases", name, "", temporary));
	if (!write_text(worker, temporary)) {
		const int failure = errno;
		(void)unlink(temporary);
		return status_fail_file(SONDE_RESOURCE, temporary, "cannot be written: %s", strerror(failure));
	}
	return campaign_publish(temporary, path, taken);
}

/* Removes a lease that has ended. Between its being read and renamed another worker may have taken it over: then that one's new
 * lease was renamed, and gets its name back. */
static void remove_ended(const struct lease_worker *worker, const char *path, const char *text)
{
	char ended[PATH_MAX], name[2 * LEASE_WORKER_SIZE], found[3 * LEASE_WORKER_SIZE];
	bool given;

	snprintf(name, sizeof name, ".ended-%s", worker->name);
	if (campaign_path(worker->folder, "leases", name, "", ended) != SONDE_OK || rename(path, ended) != 0)
		return;
	if (read_lease(ended, found, NULL) && strcmp(found, text) != 0)
		(void)campaign_publish(ended, path, &given);
	else
		(void)unlink(ended);
}

sonde_status lease_take(struct lease_worker *worker, const char *job, bool *taken)
{
	char path[PATH_MAX], text[3 * LEASE_WORKER_SIZE];
	struct timespec touched = {0};

	*taken = false;
	CHECK(campaign_path(worker->folder, "leases", job, "", path));
	if (!folder_is_there(path))
		return claim(worker, path, taken);
	if (!read_lease(path, text, &touched))
		return SONDE_OK; /* it was given back meanwhile: next time */
	if (!has_vanished(worker, text) && !(age(worker, touched) > worker->seconds))
		return SONDE_OK;
	remove_ended(worker, path, text);
	return claim(worker, path, taken);
}

bool lease_renew(const struct lease_worker *worker, const char *job)
{
	char path[PATH_MAX], text[3 * LEASE_WORKER_SIZE];

	if (campaign_path(worker->folder, "leases", job, "", path) != SONDE_OK || !read_lease(path, text, NULL) ||
	    strcmp(text, worker->text) != 0)
		return false;
	return utimensat(AT_FDCWD, path, NULL, 0) == 0;
}

void lease_release(const struct lease_worker *worker, const char *job)
{
	char path[PATH_MAX], text[3 * LEASE_WORKER_SIZE];

	if (campaign_path(worker->folder, "leases", job, "", path) == SONDE_OK && read_lease(path, text, NULL) &&
	    strcmp(text, worker->text) == 0)
		(void)unlink(path);
}
