#include "device/kernel_cache.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/sha256.h"

#define DIGEST 64 /* characters of the header of each file */
#define SUFFIX ".kernel"

/* Creates the folder and its parents; true if it exists, is the user's own and writable. */
static bool make_folder(char *folder)
{
	struct stat information;

	for (char *slash = strchr(folder + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		mkdir(folder, 0700);
		*slash = '/';
	}
	mkdir(folder, 0700);
	/* code is run from here: other users must not write it */
	return stat(folder, &information) == 0 && S_ISDIR(information.st_mode) && information.st_uid == geteuid() &&
	       (information.st_mode & 022) == 0;
}

void kernel_cache_open(struct kernel_cache *cache, const char *where)
{
	const char *base = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
	int length = 0;

	cache->folder[0] = '\0';
	if (where != NULL && strcmp(where, "off") == 0)
		return;
	if (where != NULL && where[0] != '\0')
		length = snprintf(cache->folder, sizeof cache->folder, "%s", where);
	else if (base != NULL && base[0] == '/')
		length = snprintf(cache->folder, sizeof cache->folder, "%s/sonde", base);
	else if (home != NULL && home[0] == '/')
		length = snprintf(cache->folder, sizeof cache->folder, "%s/.cache/sonde", home);
	if (length <= 0 || length >= (int)sizeof cache->folder - 100 || !make_folder(cache->folder))
		cache->folder[0] = '\0';
}

bool kernel_cache_is_open(const struct kernel_cache *cache)
{
	return cache->folder[0] != '\0';
}

static void name_file(const struct kernel_cache *cache, const char *key, char *path, size_t size)
{
	snprintf(path, size, "%.500s/%.64s" SUFFIX, cache->folder, key);
}

static void digest_of(const char *key, const void *bytes, size_t size, char digest[65])
{
	struct sha256 hash;

	sha256_begin(&hash);
	sha256_add(&hash, key, strlen(key));
	sha256_add(&hash, bytes, size);
	sha256_end(&hash, digest);
}

void *kernel_cache_get(const struct kernel_cache *cache, const char *key, size_t *size)
{
	char path[700], digest[65], found[DIGEST];
	void *bytes = NULL;
	FILE *file;

	*size = 0;
	if (!kernel_cache_is_open(cache))
		return NULL;
	name_file(cache, key, path, sizeof path);
	if ((file = fopen(path, "rbe")) == NULL)
		return NULL;
	if (fread(found, 1, DIGEST, file) == DIGEST && fseek(file, 0, SEEK_END) == 0) {
		long end = ftell(file);
		size_t length = end > DIGEST ? (size_t)end - DIGEST : 0;
		bytes = length > 0 && length <= KERNEL_CACHE_LIMIT ? malloc(length + 1) : NULL;
		if (bytes != NULL) {
			*size = fseek(file, DIGEST, SEEK_SET) == 0 ? fread(bytes, 1, length, file) : 0;
			((char *)bytes)[*size] = '\0';
			digest_of(key, bytes, *size, digest);
			if (*size != length || memcmp(digest, found, DIGEST) != 0) {
				free(bytes);
				bytes = NULL;
				*size = 0;
			}
		}
	}
	fclose(file);
	return bytes;
}

/* Removes the oldest files until the rest fits. */
static void make_room(const struct kernel_cache *cache)
{
	for (;;) {
		char path[800], oldest[800] = "";
		struct stat information;
		struct dirent *entry;
		time_t age = 0;
		uint64_t total = 0;
		DIR *folder = opendir(cache->folder);
		if (folder == NULL)
			return;
		while ((entry = readdir(folder)) != NULL) {
			if (!file_has_suffix(entry->d_name, SUFFIX))
				continue;
			snprintf(path, sizeof path, "%.500s/%.255s", cache->folder, entry->d_name);
			if (stat(path, &information) != 0)
				continue;
			total += (uint64_t)information.st_size;
			if (oldest[0] == '\0' || information.st_mtime < age) {
				age = information.st_mtime;
				snprintf(oldest, sizeof oldest, "%s", path);
			}
		}
		closedir(folder);
		if (total <= KERNEL_CACHE_LIMIT || oldest[0] == '\0' || remove(oldest) != 0)
			return;
	}
}

void kernel_cache_put(const struct kernel_cache *cache, const char *key, const void *bytes, size_t size)
{
	struct file_output output = {0};
	char path[700], digest[65];

	if (cache->folder[0] == '\0' || size == 0 || size > KERNEL_CACHE_LIMIT / 4)
		return;
	name_file(cache, key, path, sizeof path);
	if (file_output_open(&output, path, true) != SONDE_OK)
		return;
	digest_of(key, bytes, size, digest);
	if (fchmod(fileno(output.stream), 0600) == 0 && fwrite(digest, 1, DIGEST, output.stream) == DIGEST &&
	    fwrite(bytes, 1, size, output.stream) == size)
		(void)file_output_commit(&output);
	file_output_discard(&output);
	make_room(cache);
}
