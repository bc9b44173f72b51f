#include "campaign/folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/folder.h"

#define ID "campaign.id"
#define HEAD "sonde campaign 1\n"

static const char *const parts[] = {"jobs", "results", "failed", "files", "leases", "work"};

sonde_status campaign_path(const char *folder, const char *part, const char *name, const char *ending,
			   char path[PATH_MAX])
{
	const int size = snprintf(path, PATH_MAX, "%s/%s%s%s%s", folder, part, name != NULL ? "/" : "",
				  name != NULL ? name : "", name != NULL ? ending : "");

	return size < 0 || size >= PATH_MAX - 64
		   ? status_fail(SONDE_INVALID, "%.64s...: the name of the folder is too long", folder)
		   : SONDE_OK;
}

/* The contents of campaign.id. */
static void make_id(const struct campaign *campaign, char id[256])
{
	snprintf(id, 256, HEAD "jobs %zu\nsha256 %s\n", campaign->job_count, campaign->digest);
}

static bool read_id(const char *path, char id[256])
{
	FILE *file = fopen(path, "rbe");

	if (file == NULL)
		return false;
	id[fread(id, 1, 255, file)] = '\0';
	fclose(file);
	return true;
}

static sonde_status compare_id(const struct campaign *campaign, const char *folder, const char *path)
{
	char here[256], there[256];

	make_id(campaign, here);
	if (!read_id(path, there))
		return status_fail_file(SONDE_INVALID, path, "cannot be read: %s", strerror(errno));
	if (strcmp(here, there) == 0)
		return SONDE_OK;
	return status_fail_file(
	    SONDE_INVALID, folder,
	    "has the jobs of another campaign: those of '%s' differ; choose another folder, or undo "
	    "the change of the campaign",
	    campaign->path);
}

static bool is_entry(const char *name, const void *user)
{
	(void)user;
	return name[0] != '.';
}

sonde_status campaign_folder_check(const struct campaign *campaign, const char *folder, bool *begun)
{
	char path[PATH_MAX];
	char *entry = NULL;

	*begun = false;
	CHECK(folder_check(folder));
	CHECK(folder_path(folder, ID, path));
	if (folder_is_there(path)) {
		*begun = true;
		return compare_id(campaign, folder, path);
	}
	CHECK(folder_find(folder, is_entry, NULL, &entry));
	if (entry == NULL)
		return SONDE_OK;
	const sonde_status status = status_fail_file(
	    SONDE_INVALID, folder, "is not the folder of a campaign, and not empty: it has '%.64s'", entry);
	free(entry);
	return status;
}

/* Another worker may make it at the same time. */
static sonde_status make(const char *path)
{
	if (mkdir(path, 0777) != 0 && errno != EEXIST)
		return status_fail_file(SONDE_RESOURCE, path, "the folder cannot be created: %s", strerror(errno));
	return SONDE_OK;
}

static sonde_status write_id(const struct campaign *campaign, const char *folder)
{
	char path[PATH_MAX], id[256];

	make_id(campaign, id);
	CHECK(folder_path(folder, ID, path));
	if (!folder_is_there(path) && file_write(path, id, strlen(id), false) != SONDE_OK && !folder_is_there(path))
		return SONDE_RESOURCE;
	return compare_id(campaign, folder, path);
}

sonde_status campaign_folder_begin(const struct campaign *campaign, const char *folder, char absolute[PATH_MAX])
{
	char path[PATH_MAX];
	bool begun;

	CHECK(campaign_folder_check(campaign, folder, &begun));
	CHECK(folder_path(folder, NULL, path));
	CHECK(make(path));
	CHECK(write_id(campaign, folder));
	if (realpath(path, absolute) == NULL)
		return status_fail_file(SONDE_RESOURCE, folder, "cannot be found: %s", strerror(errno));
	for (size_t k = 0; k < sizeof parts / sizeof *parts; ++k) {
		CHECK(campaign_path(absolute, parts[k], NULL, NULL, path));
		CHECK(make(path));
	}
	CHECK(folder_path(absolute, "campaign.yaml", path));
	if (!folder_is_there(path) && file_write(path, campaign->bytes, strlen(campaign->bytes), false) != SONDE_OK &&
	    !folder_is_there(path))
		return SONDE_RESOURCE;
	return SONDE_OK;
}

/* link() fails where the name exists, also on NFS; its answer may be lost there, and repeated as "exists": then the file has two
 * names. File systems without links get the name by renaming, which may replace the same result of another worker. */
sonde_status campaign_publish(const char *file, const char *name, bool *given)
{
	struct stat properties;
	const int failure = link(file, name) == 0 ? 0 : errno;

	*given = failure == 0;
	if (failure == EEXIST) {
		*given = stat(file, &properties) == 0 && properties.st_nlink == 2;
		(void)unlink(file);
		return SONDE_OK;
	}
	if (failure == 0) {
		(void)unlink(file);
		return SONDE_OK;
	}
	if (failure != EPERM && failure != EOPNOTSUPP && failure != ENOSYS && failure != EMLINK)
		return status_fail_file(SONDE_RESOURCE, name, "cannot be written: %s", strerror(failure));
	if (folder_is_there(name)) {
		(void)unlink(file);
		return SONDE_OK;
	}
	if (rename(file, name) != 0)
		return status_fail_file(SONDE_RESOURCE, name, "cannot be written: %s", strerror(errno));
	*given = true;
	return SONDE_OK;
}

void campaign_remove_folder(const char *path)
{
	DIR *entries = opendir(path);
	const struct dirent *entry;
	char member[PATH_MAX];
	struct stat properties;

	while (entries != NULL && (entry = readdir(entries)) != NULL) {
		if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0 ||
		    snprintf(member, sizeof member, "%s/%s", path, entry->d_name) >= (int)sizeof member)
			continue;
		if (lstat(member, &properties) == 0 && S_ISDIR(properties.st_mode))
			campaign_remove_folder(member);
		else
			(void)unlink(member);
	}
	if (entries != NULL)
		closedir(entries);
	(void)rmdir(path);
}
