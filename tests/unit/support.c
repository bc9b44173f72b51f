#include "unit/support.h"

#include <dirent.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <zlib.h>

static char folder[64];
static pid_t owner;

static int remove_entry(const char *path, const struct stat *properties, int kind, struct FTW *place)
{
	(void)properties;
	(void)kind;
	(void)place;
	return remove(path);
}

static void remove_folder(void)
{
	if (getpid() == owner) /* not in a forked child */
		nftw(folder, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

const char *test_folder(void)
{
	if (folder[0] == '\0') {
		strcpy(folder, "/tmp/sonde-unit-XXXXXX");
		if (mkdtemp(folder) == NULL) {
			perror(folder);
			abort();
		}
		owner = getpid();
		atexit(remove_folder);
	}
	return folder;
}

const char *test_path(const char *name)
{
	static char paths[8][512];
	static unsigned next;
	char *path = paths[next++ % 8];

	snprintf(path, sizeof paths[0], "%s/%s", test_folder(), name);
	return path;
}

int test_folder_entries(void)
{
	DIR *entries = opendir(test_folder());
	int count = 0;

	if (entries == NULL)
		return -1;
	for (struct dirent *entry; (entry = readdir(entries)) != NULL;)
		count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
	closedir(entries);
	return count;
}

const char *test_write(const char *name, const void *bytes, size_t size)
{
	const char *path = test_path(name);
	FILE *file = fopen(path, "wb");

	if (file == NULL || fwrite(bytes, 1, size, file) != size || fclose(file) != 0) {
		perror(path);
		abort();
	}
	return path;
}

const char *test_write_text(const char *name, const char *text)
{
	return test_write(name, text, strlen(text));
}

const char *test_write_gzip(const char *name, const void *bytes, size_t size)
{
	const char *path = test_path(name);
	gzFile file = gzopen(path, "wb");

	if (file == NULL || (size > 0 && gzwrite(file, bytes, (unsigned)size) != (int)size) ||
	    gzclose(file) != Z_OK) {
		perror(path);
		abort();
	}
	return path;
}

char *test_read(const char *path, size_t *size)
{
	FILE *file = fopen(path, "rb");
	char *bytes = NULL;
	long length;

	if (file == NULL)
		return NULL;
	if (fseek(file, 0, SEEK_END) == 0 && (length = ftell(file)) >= 0 && fseek(file, 0, SEEK_SET) == 0 &&
	    (bytes = calloc(1, (size_t)length + 1)) != NULL) {
		size_t got = fread(bytes, 1, (size_t)length, file);
		if (size != NULL)
			*size = got;
	}
	fclose(file);
	return bytes;
}

uint64_t test_random(uint64_t *state)
{
	uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

double test_random_real(uint64_t *state)
{
	return (double)(test_random(state) >> 11) * 0x1p-53;
}

#if defined(SONDE_SANITIZED)
/* Tests ask for more memory than there is: that must fail as it does without the sanitizer. */
__attribute__((visibility("default"))) const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
	return "allocator_may_return_null=1";
}

/* The HDF5 library leaks after files that are damaged; the tests of HDF5 count what is left open instead. */
__attribute__((visibility("default"))) const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
	return "leak:libhdf5";
}
#endif
