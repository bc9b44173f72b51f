/* The cache of compiled kernels: it returns the stored kernel or nothing, and other users cannot store anything in
 * it. */
#include "unit/support.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "device/kernel_cache.h"

#define KEY "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
#define OTHER_KEY "1123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
#define MEGABYTE ((size_t)1 << 20)

/* A cache in a new folder of the test's. */
static const char *open_new(struct kernel_cache *cache, const char *name)
{
	const char *folder = test_path(name);

	kernel_cache_open(cache, folder);
	assert_string_equal(cache->folder, folder);
	return folder;
}

/* The file that a key is kept in. */
static const char *file_of(const struct kernel_cache *cache, const char *key)
{
	static char paths[4][700];
	static unsigned next;
	char *path = paths[next++ % 4];

	snprintf(path, sizeof paths[0], "%s/%s.kernel", cache->folder, key);
	return path;
}

static bool exists(const char *path)
{
	struct stat properties;

	return lstat(path, &properties) == 0;
}

static int count_entries(const char *folder)
{
	DIR *entries = opendir(folder);
	int count = 0;

	assert_non_null(entries);
	for (struct dirent *entry; (entry = readdir(entries)) != NULL;)
		count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
	closedir(entries);
	return count;
}

static void assert_kept(const struct kernel_cache *cache, const char *key, const void *bytes, size_t size)
{
	size_t found_size = 0;
	void *found = kernel_cache_get(cache, key, &found_size);

	assert_non_null(found);
	assert_int_equal(found_size, size);
	assert_memory_equal(found, bytes, size);
	free(found);
}

static void assert_nothing(const struct kernel_cache *cache, const char *key)
{
	size_t size = 17;
	void *found = kernel_cache_get(cache, key, &size);

	if (found != NULL)
		fail_msg("%zu bytes were found under %s", size, key);
	assert_int_equal(size, 0);
}

static void write_bytes(const char *path, const void *bytes, size_t size)
{
	FILE *file = fopen(path, "wb");

	assert_non_null(file);
	assert_int_equal(fwrite(bytes, 1, size, file), size);
	assert_int_equal(fclose(file), 0);
}

static void test_what_is_put_comes_back(void **unused)
{
	static const size_t sizes[] = {1, 2, 63, 64, 65, 4096, 100000, 3 * MEGABYTE};
	struct kernel_cache cache, again;
	const char *folder = open_new(&cache, "round-trip");
	uint64_t state = 1;
	(void)unused;

	assert_nothing(&cache, KEY);
	for (size_t k = 0; k < COUNT(sizes); ++k) {
		unsigned char *bytes = malloc(sizes[k]);
		assert_non_null(bytes);
		for (size_t i = 0; i < sizes[k]; ++i)
			bytes[i] = (unsigned char)test_random(&state);
		kernel_cache_put(&cache, KEY, bytes, sizes[k]);
		assert_kept(&cache, KEY, bytes, sizes[k]);
		kernel_cache_open(&again, folder);
		assert_kept(&again, KEY, bytes, sizes[k]);
		free(bytes);
	}
	kernel_cache_put(&cache, OTHER_KEY, "other", 5);
	assert_kept(&cache, OTHER_KEY, "other", 5);
	kernel_cache_put(&cache, KEY, "a\0b\0", 4);
	assert_kept(&cache, KEY, "a\0b\0", 4);
	assert_kept(&cache, OTHER_KEY, "other", 5);
	assert_int_equal(count_entries(folder), 2);
}

/* Texts are read from the cache, too. */
static void test_a_zero_stands_behind_the_bytes(void **unused)
{
	struct kernel_cache cache;
	size_t size;
	(void)unused;

	open_new(&cache, "zero");
	kernel_cache_put(&cache, KEY, "shape 1 2 3", 11);
	char *found = kernel_cache_get(&cache, KEY, &size);
	assert_non_null(found);
	assert_string_equal(found, "shape 1 2 3");
	free(found);
}

static void test_every_wrong_byte_is_noticed(void **unused)
{
	struct kernel_cache cache;
	size_t size;
	(void)unused;

	open_new(&cache, "wrong");
	kernel_cache_put(&cache, KEY, "some machine code", 17);
	const char *path = file_of(&cache, KEY);
	char *file = test_read(path, &size);
	assert_non_null(file);
	for (size_t k = 0; k < size; ++k) {
		for (int bit = 0; bit < 8; ++bit) {
			file[k] ^= (char)(1 << bit);
			write_bytes(path, file, size);
			assert_nothing(&cache, KEY);
			file[k] ^= (char)(1 << bit);
		}
	}
	write_bytes(path, file, size);
	assert_kept(&cache, KEY, "some machine code", 17);
	free(file);
}

static void test_files_of_other_lengths_are_noticed(void **unused)
{
	struct kernel_cache cache;
	size_t size;
	char longer[200] = {0};
	(void)unused;

	open_new(&cache, "short");
	kernel_cache_put(&cache, KEY, "some machine code", 17);
	const char *path = file_of(&cache, KEY);
	char *file = test_read(path, &size);
	assert_non_null(file);
	for (size_t length = 0; length < size; ++length) {
		write_bytes(path, file, length);
		assert_nothing(&cache, KEY);
	}
	for (size_t length = size + 1; length < sizeof longer; ++length) {
		memcpy(longer, file, size);
		write_bytes(path, longer, length);
		assert_nothing(&cache, KEY);
	}
	kernel_cache_put(&cache, KEY, "some machine code", 17);
	assert_kept(&cache, KEY, "some machine code", 17);
	free(file);
}

/* A file under another key's name is not that key's. */
static void test_keys_are_part_of_the_checksum(void **unused)
{
	struct kernel_cache cache;
	(void)unused;

	open_new(&cache, "keys");
	kernel_cache_put(&cache, KEY, "some machine code", 17);
	assert_nothing(&cache, OTHER_KEY);
	assert_int_equal(rename(file_of(&cache, KEY), file_of(&cache, OTHER_KEY)), 0);
	assert_nothing(&cache, OTHER_KEY);
	assert_nothing(&cache, KEY);
}

static void test_what_is_not_kept(void **unused)
{
	struct kernel_cache cache;
	const char *folder = open_new(&cache, "refused");
	char *large = calloc(1, KERNEL_CACHE_LIMIT / 4 + 1);
	(void)unused;

	assert_non_null(large);
	kernel_cache_put(&cache, KEY, "", 0);
	assert_nothing(&cache, KEY);
	kernel_cache_put(&cache, KEY, large, KERNEL_CACHE_LIMIT / 4 + 1);
	assert_nothing(&cache, KEY);
	assert_int_equal(count_entries(folder), 0);
	free(large);
}

static void test_off_stores_nothing(void **unused)
{
	struct kernel_cache cache;
	(void)unused;

	kernel_cache_open(&cache, "off");
	assert_string_equal(cache.folder, "");
	kernel_cache_put(&cache, KEY, "x", 1);
	assert_nothing(&cache, KEY);
	assert_false(exists("off"));
	assert_false(exists(KEY ".kernel"));
}

static void restore(const char *name, char *value)
{
	if (value != NULL)
		setenv(name, value, 1);
	else
		unsetenv(name);
	free(value);
}

static void test_the_usual_folder(void **unused)
{
	const char *base = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
	char *old_base = base != NULL ? strdup(base) : NULL, *old_home = home != NULL ? strdup(home) : NULL;
	struct kernel_cache by_base, by_home, by_relative_base, by_null, by_nothing;
	(void)unused;

	setenv("HOME", test_path("home"), 1);
	setenv("XDG_CACHE_HOME", test_path("xdg/cache"), 1);
	kernel_cache_open(&by_base, "");
	kernel_cache_open(&by_null, NULL);
	setenv("XDG_CACHE_HOME", "relative", 1); /* to be ignored: XDG Base Directory Specification */
	kernel_cache_open(&by_relative_base, "");
	unsetenv("XDG_CACHE_HOME");
	kernel_cache_open(&by_home, "");
	unsetenv("HOME");
	kernel_cache_open(&by_nothing, "");
	restore("XDG_CACHE_HOME", old_base);
	restore("HOME", old_home);
	assert_string_equal(by_base.folder, test_path("xdg/cache/sonde"));
	assert_string_equal(by_null.folder, test_path("xdg/cache/sonde"));
	assert_string_equal(by_home.folder, test_path("home/.cache/sonde"));
	assert_string_equal(by_relative_base.folder, test_path("home/.cache/sonde"));
	assert_string_equal(by_nothing.folder, "");
	assert_false(exists("relative"));
	kernel_cache_put(&by_base, KEY, "x", 1);
	assert_kept(&by_base, KEY, "x", 1);
	kernel_cache_put(&by_nothing, KEY, "x", 1);
	assert_nothing(&by_nothing, KEY);
}

static mode_t mode_of(const char *path)
{
	struct stat properties;

	assert_int_equal(stat(path, &properties), 0);
	return properties.st_mode & 07777;
}

/* Code is run from there: only the owner may write it, whatever his mask is. */
static void test_only_the_owner_may_write(void **unused)
{
	static const mode_t masks[] = {0, 0002, 0022, 0077};
	char name[32];
	(void)unused;

	for (size_t k = 0; k < COUNT(masks); ++k) {
		struct kernel_cache cache;
		snprintf(name, sizeof name, "new-%o/below", (unsigned)masks[k]);
		mode_t before = umask(masks[k]);
		const char *folder = open_new(&cache, name);
		kernel_cache_put(&cache, KEY, "x", 1);
		umask(before);
		assert_int_equal(mode_of(folder), 0700);
		assert_kept(&cache, KEY, "x", 1);
		assert_int_equal(mode_of(file_of(&cache, KEY)) & 022, 0);
	}
}

static void test_folders_that_others_may_write(void **unused)
{
	static const struct {
		mode_t mode;
		bool used;
	} cases[] = {{0700, true},   {0755, true},  {0750, true},  {0777, false},
		     {01777, false}, {0770, false}, {0720, false}, {0702, false}};
	char name[32];
	(void)unused;

	for (size_t k = 0; k < COUNT(cases); ++k) {
		struct kernel_cache cache;
		snprintf(name, sizeof name, "mode-%o", (unsigned)cases[k].mode);
		const char *folder = test_path(name);
		assert_int_equal(mkdir(folder, 0700), 0);
		assert_int_equal(chmod(folder, cases[k].mode), 0);
		kernel_cache_open(&cache, folder);
		assert_int_equal(cache.folder[0] != '\0', cases[k].used);
		kernel_cache_put(&cache, KEY, "x", 1);
		assert_int_equal(count_entries(folder), cases[k].used);
		assert_int_equal(mode_of(folder), cases[k].mode);
	}
}

static void test_folder_of_somebody_else(void **unused)
{
	struct kernel_cache cache;
	const char *folder = test_path("foreign");
	(void)unused;

	if (geteuid() != 0)
		skip(); /* only root may give folders away */
	assert_int_equal(mkdir(folder, 0700), 0);
	assert_int_equal(chown(folder, 12345, 12345), 0);
	kernel_cache_open(&cache, folder);
	assert_string_equal(cache.folder, "");
	kernel_cache_put(&cache, KEY, "x", 1);
	assert_int_equal(count_entries(folder), 0);
}

static void test_places_that_are_no_folders(void **unused)
{
	struct kernel_cache cache;
	char below[600], long_name[600];
	(void)unused;

	kernel_cache_open(&cache, test_write_text("plain-file", "precious"));
	assert_string_equal(cache.folder, "");
	snprintf(below, sizeof below, "%s/below", test_path("plain-file"));
	kernel_cache_open(&cache, below);
	assert_string_equal(cache.folder, "");
	char *text = test_read(test_path("plain-file"), NULL);
	assert_string_equal(text, "precious");
	free(text);
	memset(long_name, 'x', sizeof long_name - 1);
	long_name[sizeof long_name - 1] = '\0';
	kernel_cache_open(&cache, long_name);
	assert_string_equal(cache.folder, "");
	assert_false(exists(long_name));
	kernel_cache_open(&cache, "/proc/sonde-cache");
	assert_string_equal(cache.folder, "");
}

/* Puts in a process without the rights of root; true if the entry is not found then. */
static bool put_fails_without_rights(const struct kernel_cache *cache)
{
	int status = 0;
	pid_t child = fork();

	if (child == 0) {
		size_t size;
		if (geteuid() == 0 && (setgid(12345) != 0 || setuid(12345) != 0))
			_exit(2);
		kernel_cache_put(cache, KEY, "x", 1);
		void *found = kernel_cache_get(cache, KEY, &size);
		_exit(found == NULL && size == 0 ? 0 : 1);
	}
	return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static void test_folders_that_cannot_be_written(void **unused)
{
	struct kernel_cache cache, gone;
	const char *folder = open_new(&cache, "unwritable");
	(void)unused;

	assert_int_equal(chmod(folder, 0500), 0);
	assert_true(put_fails_without_rights(&cache));
	assert_int_equal(chmod(folder, 0700), 0);
	assert_int_equal(count_entries(folder), 0);
	/* a folder that vanishes */
	folder = open_new(&gone, "gone");
	assert_int_equal(rmdir(folder), 0);
	kernel_cache_put(&gone, KEY, "x", 1);
	assert_nothing(&gone, KEY);
	assert_false(exists(folder));
	/* something in the file's place */
	folder = open_new(&gone, "blocked");
	assert_int_equal(mkdir(file_of(&gone, KEY), 0700), 0);
	kernel_cache_put(&gone, KEY, "x", 1);
	assert_nothing(&gone, KEY);
	assert_int_equal(count_entries(folder), 1);
}

static void set_age(const char *path, int seconds)
{
	struct timespec times[2] = {{0}, {0}};

	assert_int_equal(clock_gettime(CLOCK_REALTIME, &times[1]), 0);
	times[1].tv_sec -= seconds;
	times[0] = times[1];
	assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
}

/* Four files of 15 MB fit, five do not. */
static void test_the_oldest_make_room(void **unused)
{
	static const int ages[] = {200, 400, 100, 300}; /* seconds */
	struct kernel_cache cache;
	const char *folder = open_new(&cache, "full");
	size_t size = 15 * MEGABYTE;
	char key[16], *bytes = calloc(1, size), foreign[600];
	(void)unused;

	assert_non_null(bytes);
	snprintf(foreign, sizeof foreign, "%s/foreign.txt", folder);
	write_bytes(foreign, bytes, 10 * MEGABYTE);
	set_age(foreign, 1000);
	for (int k = 0; k < 4; ++k) {
		snprintf(key, sizeof key, "%d", k);
		kernel_cache_put(&cache, key, bytes, size);
		set_age(file_of(&cache, key), ages[k]);
	}
	assert_int_equal(count_entries(folder), 5);
	kernel_cache_put(&cache, "new", bytes, size);
	assert_false(exists(file_of(&cache, "1")));
	assert_int_equal(count_entries(folder), 5);
	kernel_cache_put(&cache, "newer", bytes, size);
	assert_false(exists(file_of(&cache, "3")));
	assert_int_equal(count_entries(folder), 5);
	assert_kept(&cache, "0", bytes, size);
	assert_kept(&cache, "2", bytes, size);
	assert_kept(&cache, "new", bytes, size);
	assert_kept(&cache, "newer", bytes, size);
	assert_true(exists(foreign)); /* files of others are kept */
	free(bytes);
}

/* Simultaneous readers get all or nothing. */
static void test_simultaneous_readers_get_all_or_nothing(void **unused)
{
	enum { PROCESSES = 4, ROUNDS = 20, SIZE = 50000 };
	struct kernel_cache cache;
	const char *folder = open_new(&cache, "shared");
	pid_t children[PROCESSES];
	(void)unused;

	for (int k = 0; k < PROCESSES; ++k) {
		children[k] = fork();
		assert_true(children[k] >= 0);
		if (children[k] > 0)
			continue;
		static char bytes[SIZE];
		size_t size;
		int wrong = 0;
		for (int round = 0; round < ROUNDS; ++round) {
			memset(bytes, 'a' + k, SIZE);
			kernel_cache_put(&cache, KEY, bytes, SIZE);
			char *found = kernel_cache_get(&cache, KEY, &size);
			wrong += found == NULL || size != SIZE || memcmp(found, found + 1, SIZE - 1) != 0;
			free(found);
		}
		_exit(wrong != 0);
	}
	for (int k = 0; k < PROCESSES; ++k) {
		int status = 0;
		assert_int_equal(waitpid(children[k], &status, 0), children[k]);
		assert_int_equal(status, 0);
	}
	assert_int_equal(count_entries(folder), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_what_is_put_comes_back),
	    cmocka_unit_test(test_a_zero_stands_behind_the_bytes),
	    cmocka_unit_test(test_every_wrong_byte_is_noticed),
	    cmocka_unit_test(test_files_of_other_lengths_are_noticed),
	    cmocka_unit_test(test_keys_are_part_of_the_checksum),
	    cmocka_unit_test(test_what_is_not_kept),
	    cmocka_unit_test(test_off_stores_nothing),
	    cmocka_unit_test(test_the_usual_folder),
	    cmocka_unit_test(test_only_the_owner_may_write),
	    cmocka_unit_test(test_folders_that_others_may_write),
	    cmocka_unit_test(test_folder_of_somebody_else),
	    cmocka_unit_test(test_places_that_are_no_folders),
	    cmocka_unit_test(test_folders_that_cannot_be_written),
	    cmocka_unit_test(test_the_oldest_make_room),
	    cmocka_unit_test(test_simultaneous_readers_get_all_or_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
