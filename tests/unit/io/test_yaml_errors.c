/* Invalid job files: each is refused with FILE:LINE:COLUMN and the reason. */
#include "unit/support.h"

#include <stdio.h>

#include "unit/job_reader.h"

struct wrong_job {
	const char *text, *words;
};

static void assert_all_wrong(const struct wrong_job *jobs, size_t count)
{
	for (size_t k = 0; k < count; ++k) {
		sonde_status status = read_job(jobs[k].text);
		if (status != SONDE_INVALID)
			fail_msg("status %d for '%s'", (int)status, jobs[k].text);
		assert_message("job.yaml:");
		assert_message(jobs[k].words);
	}
}

static void test_unknown_keys_are_refused_with_hints(void **unused)
{
	static const struct wrong_job jobs[] = {
	    {"fram: 7\n", ":1:1: unknown key 'fram', did you mean 'frame'?"},
	    {"frame: 7\n\nouptut: x\n", ":3:1: unknown key 'ouptut', did you mean 'output'?"},
	    {"debey:\n  q: 1:2:3\n", ":1:1: unknown key 'debey', did you mean 'debye'?"},
	    {"debye:\n  q: 1:2:3\n  windw: lorch\n", ":3:3: unknown key 'windw', did you mean 'window'?"},
	    {"debye: {q: 1:2:3, tolerence: 1e-3}\n", ":1:19: unknown key 'tolerence', did you mean 'tolerance'?"},
	    {"build:\n  sphear: 3\n", ":2:3: unknown key 'sphear', did you mean 'sphere'?"},
	    {"build:\n  frame: 3\n", ":2:3: unknown key 'frame'"},
	    {"sphere: 3\n", ":1:1: unknown key 'sphere'"},
	    {"debye:\n  debye:\n    q: 1:2:3\n", ":2:3: unknown key 'debye'"},
	    {"temperature: 300\n", ":1:1: unknown key 'temperature'"},
	    {"'': 3\n", ":1:1: unknown key ''"},
	    {"<<: 3\n", ":1:1: unknown key '<<'"},
	    {"Frame: 3\n", ":1:1: unknown key 'Frame', did you mean 'frame'?"},
	};

	(void)unused;
	assert_all_wrong(jobs, COUNT(jobs));
	assert_status(SONDE_INVALID, read_job("temperature: 300\n"));
	assert_null(strstr(sonde_status_message(), "did you mean"));
}

static void test_long_keys_have_no_hint(void **unused)
{
	char text[600];

	(void)unused;
	memset(text, 'k', sizeof text);
	strcpy(text + 500, ": 3\n");
	assert_invalid("unknown key 'kkkk", read_job(text));
	assert_null(strstr(sonde_status_message(), "did you mean"));
}

static void test_wrong_types_are_refused(void **unused)
{
	static const struct wrong_job jobs[] = {
	    {"frame: 1.5e0\n", ":1:8: frame: '1.5e0' is not a whole number"},
	    {"frame: 010\n", ":1:8: frame: '010' is not a whole number"},
	    {"frame: 1.0\n", "not a whole number"},
	    {"frame: 0x10\n", "not a whole number"},
	    {"frame: 1_000\n", "not a whole number"},
	    {"frame:\n", ": frame: '' is not a whole number"},
	    {"frame: ~\n", "not a whole number"},
	    {"frame: true\n", "not a whole number"},
	    {"frame: [1]\n", ":1:8: frame: must be a single value, not a list or a block"},
	    {"frame: {a: 1}\n", "must be a single value, not a list or a block"},
	    {"bin-width: [1, 2]\n", ":1:12: bin-width: must be a single value"},
	    {"bin-width: .nan\n", "is not a number"},
	    {"bin-width: .inf\n", "is not a number"},
	    {"bin-width: 1,5\n", "is not a number"},
	    {"bin-width: 99\n", ":1:12: bin-width: 99 is out of range: 0.125 to 8 Angstrom are possible"},
	    {"force: 1\n", "is not a yes or no"},
	    {"force: True\n", "is not a yes or no"},
	    {"method: exactly\n",
	     ":1:9: method: 'exactly' is not one of auto|exact|histogram, did you mean 'exact'?"},
	    {"q: 1:2\n", ":1:4: q: '1:2' is not a grid"},
	    {"q: [1, 2]\n", "is not a grid"},
	    {"q: [1, 2, 3, 4]\n", "is not a grid"},
	    {"q: []\n", "is not a grid"},
	    {"q: [1, 2, 1.5]\n", "is not a grid"},
	    {"q: [1, [2], 3]\n", ":1:4: q: must be a list of numbers"},
	    {"q: [1, {a: 2}, 3]\n", "must be a list of numbers"},
	    {"q: {first: 1}\n", "must be a single value"},
	    {"q: [2, 1, 10]\n", "the last value, 1, is below the first, 2"},
	    {"box: [1, 2]\n", ":1:6: box: '1,2' is not three numbers"},
	    {"box: [1, x, 3]\n", "is not three numbers"},
	    {"memory: 1.5G\n", "is not a size"},
	    {"output: [a]\n", "must be a single value"},
	    {"debye: 5\n", ":1:8: keys with values are expected here"},
	    {"debye: [q]\n", ":1:8: keys with values are expected here"},
	    {"debye:\n  - q: 1:2:3\n", "keys with values are expected here"},
	    {"debye: ~\n", "keys with values are expected here"},
	    {"? [a]\n: 1\n", ":1:3: a key must be a word"},
	    {"? {a: b}\n: 1\n", "a key must be a word"},
	    {"\"fr\\0ame\": 1\n", "a text with a zero byte (\\0) is not possible"},
	    {"output: \"a\\0b\"\n", "a text with a zero byte (\\0) is not possible"},
	    {"- frame\n", ":1:1: keys with values are expected here"},
	    {"just words\n", ":1:1: keys with values are expected here"},
	    {"42", ":1:1: keys with values are expected here"},
	};

	(void)unused;
	assert_all_wrong(jobs, COUNT(jobs));
}

static void test_duplicate_keys_are_refused(void **unused)
{
	static const struct wrong_job jobs[] = {
	    {"frame: 1\noutput: x\nframe: 1\n", ":3:1: duplicate key 'frame', first on line 1"},
	    {"bin-width: 1\nbin_width: 1\n", ":2:1: duplicate key 'bin_width', first on line 1"},
	    {"bin_width: 1\nbin-width: 1\n", ":2:1: duplicate key 'bin-width', first on line 1"},
	    {"debye: {}\nbuild: {}\ndebye: {}\n", ":3:1: duplicate key 'debye', first on line 1"},
	    {"debye:\n  q: 1:2:3\n  q: 1:2:3\n", ":3:3: duplicate key 'q', first on line 2"},
	    {"debye:\n  bin-width: 0\n  bin_width: 0\n", ":3:3: duplicate key 'bin_width'"},
	};

	(void)unused;
	assert_all_wrong(jobs, COUNT(jobs));
	/* the same key in two blocks is none */
	assert_status(SONDE_OK, read_job("q: 1:2:3\nbin-width: 1\ndebye:\n  q: 1:2:3\n  bin-width: 0\n"));
}

static void test_unsupported_structures_are_refused(void **unused)
{
	static const struct wrong_job jobs[] = {
	    {"output: &a x\nframe: *a\n", ":2:8: aliases (*name) are not allowed in a job file"},
	    {"output: \"a\\0b\"\n", ":1:9: a text with a zero byte (\\0) is not possible"},
	    {"a: &a [*a]\n", "aliases (*name) are not allowed"},
	    {"frame: 1\n---\nframe: 2\n", ":2:1: a second document begins here; a job file has one"},
	    {"frame: 1\n...\n---\n...\n", "a second document begins here"},
	    {"q: [[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]\n", "nested deeper than sixteen levels"},
	    {"frame: {a: {a: {a: {a: {a: {a: {a: {a: {a: {a: {a: {a: {a: {a: {a: {a: {a: 1}}}}}}}}}}}}}}}}}\n",
	     "nested deeper than sixteen levels"},
	    {"frame: [1\n", ":2:1: "},
	    {"frame: \"open\n", "job.yaml:"},
	    {"frame: 1\n  output: x\n", ":2:"},
	    {"frame:\t1\n\toutput: x\n", ":2:1: "},
	    {"\tframe: 1\n", ":1:1: "},
	    {"debye:\n\tq: 1:2:3\n", ":2:1: "},
	    {"frame: 1\n@bad: 2\n", ":2:1: "},
	    {"frame: %x\n", ":1:8: "},
	    {"frame: !<tag 1\n", ":1:"},
	    {"%YAML 9.9\n---\nframe: 1\n", "job.yaml:"},
	};

	(void)unused;
	assert_all_wrong(jobs, COUNT(jobs));
}

static void test_empty_files_are_refused(void **unused)
{
	static const struct wrong_job jobs[] = {
	    {"", "is empty"},
	    {"\n\n", "is empty"},
	    {"# only\n  # comments\n", "is empty"},
	    {"---\n", "is empty"},
	    {"---\n...\n", "is empty"},
	    {"''\n", "is empty"},
	    {"\xef\xbb\xbf", "is empty"},
	};

	(void)unused;
	assert_all_wrong(jobs, COUNT(jobs));
}

static void test_files_that_are_no_text(void **unused)
{
	static const unsigned char utf16[] = {0xff, 0xfe, 'a', 0, ':', 0, '1', 0};
	static const unsigned char latin1[] = "output: \xe5\xe5\n", control[] = "output: a\x01"
										"b\n";

	(void)unused;
	assert_invalid("binary.yaml: contains zero bytes",
		       read_job_file(test_write("binary.yaml", "frame: 1\n\0", 10)));
	assert_invalid("contains zero bytes", read_job_file(test_write("utf16.yaml", utf16, sizeof utf16)));
	assert_invalid("latin1.yaml: byte ", read_job_file(test_write("latin1.yaml", latin1, sizeof latin1 - 1)));
	assert_invalid("control.yaml: byte ", read_job_file(test_write("control.yaml", control, sizeof control - 1)));
	assert_invalid("absent.yaml: cannot be read: No such file", read_job_file(test_path("absent.yaml")));
	assert_invalid("is a folder, not a file", read_job_file(test_folder()));
}

static void test_too_large_files_are_refused(void **unused)
{
	static char text[100000];

	(void)unused;
	memset(text, '[', sizeof text);
	assert_invalid("larger than a job file may be", read_job_file(test_write("large.yaml", text, sizeof text)));
	assert_invalid("nested deeper", read_job_file(test_write("deep.yaml", text, 60000)));
	memset(text, ' ', sizeof text);
	assert_invalid("is empty", read_job_file(test_write("blank.yaml", text, 65536)));
}

/* A message stays one line, whatever the file holds. */
static void test_messages_are_one_line(void **unused)
{
	(void)unused;
	assert_status(SONDE_INVALID, read_job("\"a\\nb\\x1b[31m\": 1\n"));
	assert_null(strpbrk(sonde_status_message(), "\n\x1b"));
	assert_status(SONDE_INVALID, read_job("method: \"a\\nb\\x1b[31m\"\n"));
	assert_null(strpbrk(sonde_status_message(), "\n\x1b"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_unknown_keys_are_refused_with_hints),
	    cmocka_unit_test(test_long_keys_have_no_hint),
	    cmocka_unit_test(test_wrong_types_are_refused),
	    cmocka_unit_test(test_duplicate_keys_are_refused),
	    cmocka_unit_test(test_unsupported_structures_are_refused),
	    cmocka_unit_test(test_empty_files_are_refused),
	    cmocka_unit_test(test_files_that_are_no_text),
	    cmocka_unit_test(test_too_large_files_are_refused),
	    cmocka_unit_test(test_messages_are_one_line),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
