/* Output files: complete or absent, and never replacing another one without a request. */
#include "unit/support.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "sonde/atoms.h"

static void assert_holds(const char *path, const char *text)
{
	char *bytes = test_read(path, NULL);

	assert_non_null(bytes);
	assert_string_equal(bytes, text);
	free(bytes);
}

static bool exists(const char *path)
{
	struct stat properties;

	return lstat(path, &properties) == 0;
}

static void test_write_and_overwrite(void **unused)
{
	const char *path = test_path("plain");
	int entries = test_folder_entries();

	(void)unused;
	assert_status(SONDE_OK, file_write(path, "first", 5, false));
	assert_holds(path, "first");
	assert_invalid("exists already", file_write(path, "second", 6, false));
	assert_invalid("overwrite", file_check_output(path, false));
	assert_holds(path, "first");
	assert_status(SONDE_OK, file_check_output(path, true));
	assert_status(SONDE_OK, file_write(path, "third", 5, true));
	assert_holds(path, "third");
	assert_status(SONDE_OK, file_write(path, "", 0, true));
	assert_holds(path, "");
	assert_int_equal(test_folder_entries(), entries + 1);
}

/* A link counts as an existing file, wherever it points. */
static void assert_link(const char *path, const char *target)
{
	char text[PATH_MAX];
	ssize_t size = readlink(path, text, sizeof text - 1);

	assert_true(size > 0);
	text[size] = '\0';
	assert_string_equal(text, target);
}

static void test_links_stay_links(void **unused)
{
	const char *target = test_write_text("target", "precious"), *link = test_path("link"),
		   *loose = test_path("loose");

	(void)unused;
	assert_int_equal(symlink(target, link), 0);
	assert_int_equal(symlink("/nowhere/at/all", loose), 0);
	assert_invalid("exists already", file_write(link, "x", 1, false));
	assert_invalid("exists already", file_write(loose, "x", 1, false));
	assert_status(SONDE_OK, file_write(link, "new", 3, true));
	assert_holds(target, "new");
	assert_link(link, target);
	assert_invalid("the folder '/nowhere/at' does not exist", file_check_output(loose, true));
	assert_invalid("the folder '/nowhere/at' does not exist", file_write(loose, "x", 1, true));
	assert_link(loose, "/nowhere/at/all");
}

/* Links to links, from their own folders; to a file that is not there yet; and in a ring. */
static void test_links_to_links(void **unused)
{
	const char *folder = test_path("links"), *first = test_path("links/first"),
		   *second = test_path("links/second"), *ring = test_path("links/ring");

	(void)unused;
	assert_int_equal(mkdir(folder, 0777), 0);
	assert_int_equal(symlink("second", first), 0);
	assert_int_equal(symlink("../third", second), 0);
	assert_int_equal(symlink("ring", ring), 0);
	assert_status(SONDE_OK, file_write(first, "made", 4, true));
	assert_holds(test_path("third"), "made");
	assert_status(SONDE_OK, file_write(first, "again", 5, true));
	assert_holds(test_path("third"), "again");
	assert_link(first, "second");
	assert_link(second, "../third");
	assert_invalid("its symbolic links form a loop", file_write(ring, "x", 1, true));
}

/* Files that could not or must not be replaced. */
static void test_pipes_and_devices(void **unused)
{
	const char *pipe = test_path("pipe"), *link = test_path("to_full");
	struct stat properties;

	(void)unused;
	assert_int_equal(mkfifo(pipe, 0666), 0);
	assert_int_equal(symlink("/dev/full", link), 0);
	for (int overwrite = 0; overwrite < 2; ++overwrite) {
		assert_invalid("is a pipe, a device or a socket", file_check_output(pipe, overwrite != 0));
		assert_invalid("is a pipe, a device or a socket", file_write(pipe, "x", 1, overwrite != 0));
		assert_invalid("is a pipe, a device or a socket", file_write("/dev/null", "x", 1, overwrite != 0));
		assert_invalid("is a pipe, a device or a socket", file_write(link, "x", 1, overwrite != 0));
	}
	assert_true(stat(pipe, &properties) == 0 && S_ISFIFO(properties.st_mode));
	assert_true(stat("/dev/null", &properties) == 0 && S_ISCHR(properties.st_mode));
}

static void test_places_that_cannot_be_written(void **unused)
{
	int entries = test_folder_entries();
	char in_folder[600];

	(void)unused;
	assert_invalid("empty", file_write("", "x", 1, true));
	assert_invalid("does not exist", file_write(test_path("absent/file"), "x", 1, true));
	assert_invalid("is a folder", file_write(test_folder(), "x", 1, true));
	snprintf(in_folder, sizeof in_folder, "%s/", test_path("slash"));
	assert_invalid("is a folder", file_write(in_folder, "x", 1, true));
	assert_int_equal(test_folder_entries(), entries);
	snprintf(in_folder, sizeof in_folder, "%s/below", test_write_text("no-folder", ""));
	assert_invalid("is not a folder", file_write(in_folder, "x", 1, true));
}

static void test_folder_without_permission(void **unused)
{
	const char *folder = test_path("locked");
	char path[600];

	(void)unused;
	if (geteuid() == 0)
		skip(); /* root may write anywhere */
	snprintf(path, sizeof path, "%s/file", folder);
	assert_int_equal(mkdir(folder, 0500), 0);
	assert_invalid("cannot be written", file_write(path, "x", 1, true));
	chmod(folder, 0700);
	assert_false(exists(path));
}

static void test_permissions_follow_the_mask(void **unused)
{
	static const mode_t masks[] = {0022, 0077, 0002, 0};
	struct stat properties;

	(void)unused;
	for (size_t k = 0; k < COUNT(masks); ++k) {
		mode_t before = umask(masks[k]);
		sonde_status status = file_write(test_path("masked"), "x", 1, true);
		mode_t after = umask(before);
		assert_status(SONDE_OK, status);
		assert_int_equal(after, masks[k]);
		assert_int_equal(stat(test_path("masked"), &properties), 0);
		assert_int_equal(properties.st_mode & 0777, 0666 & ~masks[k]);
	}
}

static void test_names_in_the_folder_at_work(void **unused)
{
	char before[4096];

	(void)unused;
	assert_non_null(getcwd(before, sizeof before));
	assert_int_equal(chdir(test_folder()), 0);
	sonde_status bare = file_write("bare", "1", 1, false), dotted = file_write("./dotted", "2", 1, false);
	assert_int_equal(chdir(before), 0);
	assert_status(SONDE_OK, bare);
	assert_status(SONDE_OK, dotted);
	assert_holds(test_path("bare"), "1");
	assert_holds(test_path("dotted"), "2");
}

static void test_nothing_shows_before_the_commit(void **unused)
{
	const char *path = test_path("slow");
	struct file_output output;
	int entries = test_folder_entries();

	(void)unused;
	assert_status(SONDE_OK, file_output_open(&output, path, false));
	fputs("half", output.stream);
	fflush(output.stream);
	assert_false(exists(path));
	fputs(" and half", output.stream);
	assert_status(SONDE_OK, file_output_commit(&output));
	assert_holds(path, "half and half");
	file_output_discard(&output); /* harmless */
	assert_int_equal(test_folder_entries(), entries + 1);
}

static void test_discard_leaves_nothing(void **unused)
{
	struct file_output output, zero = {0};
	int entries = test_folder_entries();

	(void)unused;
	assert_status(SONDE_OK, file_output_open(&output, test_path("dropped"), false));
	fputs("text", output.stream);
	file_output_discard(&output);
	file_output_discard(&output);
	file_output_discard(&zero);
	assert_int_equal(test_folder_entries(), entries);
}

/* A file that appears while another is being made stays, unless it may be replaced. */
static void test_files_that_appear_meanwhile(void **unused)
{
	const char *path = test_path("raced");
	struct file_output output;

	(void)unused;
	assert_status(SONDE_OK, file_output_open(&output, path, false));
	fputs("late", output.stream);
	test_write_text("raced", "early");
	int entries = test_folder_entries() - !output.nameless; /* the temporary file will be gone */
	assert_invalid("exists already", file_output_commit(&output));
	assert_holds(path, "early");
	assert_int_equal(test_folder_entries(), entries);
	assert_status(SONDE_OK, file_output_open(&output, path, true));
	fputs("late", output.stream);
	assert_status(SONDE_OK, file_output_commit(&output));
	assert_holds(path, "late");
}

/* A disk that is full, by way of a limit on the size of files. */
static struct rlimit no_limit;

static void limit_files(rlim_t bytes)
{
	struct rlimit tight;

	signal(SIGXFSZ, SIG_IGN);
	getrlimit(RLIMIT_FSIZE, &no_limit);
	tight = no_limit;
	tight.rlim_cur = bytes;
	setrlimit(RLIMIT_FSIZE, &tight);
}

static void unlimit_files(void)
{
	setrlimit(RLIMIT_FSIZE, &no_limit);
	signal(SIGXFSZ, SIG_DFL);
}

static void test_full_disk_keeps_the_earlier_file(void **unused)
{
	static char bytes[300000];
	static const size_t sizes[] = {4097, 5000, 300000}; /* fails in write, in flush, on both sides of buffers */

	(void)unused;
	test_write_text("was-there", "precious");
	for (size_t k = 0; k < COUNT(sizes); ++k) {
		int entries = test_folder_entries();
		limit_files(4096);
		sonde_status fresh = file_write(test_path("full"), bytes, sizes[k], false);
		sonde_status over = file_write(test_path("was-there"), bytes, sizes[k], true);
		unlimit_files();
		assert_status(SONDE_RESOURCE, fresh);
		assert_status(SONDE_RESOURCE, over);
		assert_message("File too large; the earlier file is unchanged");
		assert_int_equal(test_folder_entries(), entries);
		assert_holds(test_path("was-there"), "precious");
	}
}

static void assert_atoms_do_not_fit(const char *name, const sonde_atoms *atoms)
{
	int entries = test_folder_entries();

	limit_files(4096);
	sonde_status status = sonde_atoms_write(NULL, atoms, test_path(name), 0);
	unlimit_files();
	assert_status(SONDE_RESOURCE, status);
	assert_int_equal(test_folder_entries(), entries);
	assert_false(exists(test_path(name)));
}

static void test_full_disk_for_atoms(void **unused)
{
	sonde_atoms *atoms;
	uint64_t state = 3;

	(void)unused;
	assert_status(SONDE_OK, sonde_atoms_create(&atoms));
	for (int k = 0; k < 20000; ++k) {
		const double position[3] = {test_random_real(&state), test_random_real(&state),
					    test_random_real(&state)};
		assert_status(SONDE_OK, sonde_atoms_add(atoms, "Au", position));
		if (k == 200) /* all of it in one buffer of the stream */
			assert_atoms_do_not_fit("small.xyz", atoms);
		if (k == 400)
			assert_atoms_do_not_fit("small.xyz.gz", atoms);
	}
	assert_atoms_do_not_fit("large.xyz", atoms);
	assert_atoms_do_not_fit("large.xyz.gz", atoms);
	sonde_atoms_free(&atoms);
}

/* Where the file system has files without a name, whatever ends the process leaves nothing. */
static void test_no_name_before_the_commit(void **unused)
{
	struct file_output output;
	int entries = test_folder_entries();

	(void)unused;
	assert_status(SONDE_OK, file_output_open(&output, test_path("nameless"), false));
	int entries_meanwhile = test_folder_entries(), nameless = output.nameless;
	fputs("text", output.stream);
	fflush(output.stream);
	assert_holds(output.temporary, "text");
	assert_status(SONDE_OK, file_output_commit(&output));
	assert_holds(test_path("nameless"), "text");
	if (!nameless)
		skip();
	assert_int_equal(entries_meanwhile, entries);
}

/* File systems without nameless files: the same, by a name next to the output. */
static void test_outputs_are_complete_or_absent_without_nameless_files(void **unused)
{
	const char *path = test_path("beside");
	struct file_output output;
	int entries = test_folder_entries();

	(void)unused;
	for (int again = 0; again < 2; ++again) {
		assert_status(SONDE_OK, file_output_open(&output, path, again != 0));
		assert_status(SONDE_OK, file_output_give_name(&output));
		assert_int_equal(test_folder_entries(), entries + 1 + again);
		fputs(again != 0 ? "two" : "one", output.stream);
		assert_status(SONDE_OK, file_output_commit(&output));
		assert_holds(path, again != 0 ? "two" : "one");
		assert_int_equal(test_folder_entries(), entries + 1);
	}
	assert_status(SONDE_OK, file_output_open(&output, test_path("beside-late"), false));
	assert_status(SONDE_OK, file_output_give_name(&output));
	test_write_text("beside-late", "early");
	assert_invalid("exists already", file_output_commit(&output));
	assert_holds(test_path("beside-late"), "early");
	assert_int_equal(test_folder_entries(), entries + 2);
}

static void test_reasons_are_kept(void **unused)
{
	static const char bytes[10000];

	(void)unused;
	limit_files(4096);
	sonde_status status = file_write(test_path("why"), bytes, sizeof bytes, false);
	unlimit_files();
	assert_status(SONDE_RESOURCE, status);
	assert_message("File too large; no file was left");
}

/* Terminals obey them, and lists of files have one name a line. */
static void test_names_with_control_characters(void **unused)
{
	(void)unused;
	assert_invalid("control characters", file_write(test_path("a\nb"), "x", 1, false));
	assert_invalid("control characters", file_write(test_path("a\x1b[31m"), "x", 1, false));
	assert_invalid("a??b", file_write(test_path("a\xc2\x9b"
						    "b"),
					  "x", 1, false));
	assert_status(SONDE_OK, file_write(test_path("\xc3\xa4"), "x", 1, false));
}

static void test_suffix_is_the_end_of_the_name(void **unused)
{
	(void)unused;
	assert_true(file_has_suffix("a.xyz.gz", ".gz"));
	assert_true(file_has_suffix(".gz", ".gz"));
	assert_false(file_has_suffix("gz", ".gz"));
	assert_false(file_has_suffix("", ".gz"));
	assert_false(file_has_suffix("a.gz.xyz", ".gz"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_write_and_overwrite),
	    cmocka_unit_test(test_links_stay_links),
	    cmocka_unit_test(test_links_to_links),
	    cmocka_unit_test(test_pipes_and_devices),
	    cmocka_unit_test(test_places_that_cannot_be_written),
	    cmocka_unit_test(test_folder_without_permission),
	    cmocka_unit_test(test_permissions_follow_the_mask),
	    cmocka_unit_test(test_names_in_the_folder_at_work),
	    cmocka_unit_test(test_nothing_shows_before_the_commit),
	    cmocka_unit_test(test_discard_leaves_nothing),
	    cmocka_unit_test(test_files_that_appear_meanwhile),
	    cmocka_unit_test(test_full_disk_keeps_the_earlier_file),
	    cmocka_unit_test(test_full_disk_for_atoms),
	    cmocka_unit_test(test_no_name_before_the_commit),
	    cmocka_unit_test(test_outputs_are_complete_or_absent_without_nameless_files),
	    cmocka_unit_test(test_reasons_are_kept),
	    cmocka_unit_test(test_names_with_control_characters),
	    cmocka_unit_test(test_suffix_is_the_end_of_the_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
