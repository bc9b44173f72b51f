/* Valid job files. */
#include "unit/support.h"

#include "unit/job_reader.h"

static void test_every_type_is_read(void **unused)
{
	(void)unused;
	assert_status(SONDE_OK, read_job("# a job\n"
					 "bin-width: 0.25   # Angstrom\n"
					 "frame: 7\n"
					 "force: true\n"
					 "method: histogram\n"
					 "q: 0.5:30:591\n"
					 "box: 1,2,-3\n"
					 "memory: 2M\n"
					 "output: \"out: file.h5\"\n"));
	assert_true(job.top.bin_width == 0.25);
	assert_true(job.top.frame == 7);
	assert_int_equal(job.top.force, 1);
	assert_int_equal(job.top.method, 2);
	assert_true(job.top.q.first == 0.5 && job.top.q.last == 30 && job.top.q.points == 591);
	assert_true(job.top.box.x == 1 && job.top.box.y == 2 && job.top.box.z == -3);
	assert_true(job.top.memory == 2097152);
	assert_string_equal(job.top.output, "out: file.h5");
	assert_true(job.top_block.present);
	assert_false(job.blocks[0].present || job.blocks[1].present);
}

static void test_lists_are_grids_and_vectors(void **unused)
{
	(void)unused;
	assert_status(SONDE_OK, read_job("q: [0.5, 30, 591]\nbox: [1, 2.5, -3e0]\n"));
	assert_true(job.top.q.first == 0.5 && job.top.q.last == 30 && job.top.q.points == 591);
	assert_true(job.top.box.x == 1 && job.top.box.y == 2.5 && job.top.box.z == -3);
	assert_status(SONDE_OK, read_job("q:\n  - 0.5\n  - '30'\n  - 591\nbox:\n- 1\n- 2\n- 3\n"));
	assert_true(job.top.q.points == 591 && job.top.box.z == 3);
}

static void test_blocks_set_their_options(void **unused)
{
	(void)unused;
	assert_status(SONDE_OK, read_job("frame: 2\n"
					 "build:\n"
					 "  cell: rocksalt\n"
					 "  species: Co,O\n"
					 "  a: 4.2614\n"
					 "  sphere: 40\n"
					 "debye: {q: 1:2:11, radiation: neutron, bin_width: 0.001}\n"));
	assert_true(job.blocks[0].present && job.blocks[1].present);
	assert_int_equal(job.build.cell, SONDE_BUILD_CELL_ROCKSALT);
	assert_string_equal(job.build.species, "Co,O");
	assert_true(job.build.a == 4.2614 && job.build.sphere == 40 && job.build.u == 0.375);
	assert_int_equal(job.debye.radiation, SONDE_DEBYE_RADIATION_NEUTRON);
	assert_true(job.debye.q.points == 11 && job.debye.bin_width == 0.001 && job.debye.tolerance == 1e-6);
	assert_true(job.top.bin_width == 0.5); /* that of the block is another */
}

static void test_what_was_given(void **unused)
{
	(void)unused;
	assert_status(SONDE_OK, read_job("output: x\ndebye:\n  window: lorch\n"));
	for (size_t k = 0; k < sample_table.count; ++k)
		assert_int_equal(job.top_given[k], strcmp(sample_table.rows[k].name, "output") == 0);
	for (size_t k = 0; k < debye_option_table.count; ++k)
		assert_int_equal(job.debye_given[k], strcmp(debye_option_table.rows[k].name, "window") == 0);
}

static void test_blocks_without_value(void **unused)
{
	static const char *const jobs[] = {"debye:\n", "debye: {}\n", "debye: ''\n",
					   "frame: 1\ndebye:", "debye: # nothing\n"};

	(void)unused;
	for (size_t k = 0; k < COUNT(jobs); ++k) {
		assert_status(SONDE_OK, read_job(jobs[k]));
		assert_true(job.blocks[0].present);
		assert_false(job.blocks[1].present);
		assert_true(job.debye.q.points == 996);
	}
}

static void test_keys_accept_dash_and_underscore(void **unused)
{
	(void)unused;
	assert_status(SONDE_OK, read_job("bin_width: 0.25\n"));
	assert_true(job.top.bin_width == 0.25);
	assert_status(SONDE_OK, read_job("debye: {bin-width: 0.01}\n"));
	assert_true(job.debye.bin_width == 0.01);
}

static void test_yaml_styles_are_equivalent(void **unused)
{
	static const char *const same[] = {"frame: 7\noutput: a b\n", "{frame: 7, output: a b}",
					   "{\"frame\": \"7\", \"output\": \"a b\"}",
					   "---\nframe: 7\noutput: a b\n...\n",
					   "%YAML 1.1\n---\nframe: 7\noutput: a b\n", "frame: 7\r\noutput: 'a b'\r\n",
					   /* two literals: an f would belong to the hexadecimal number */
					   ("\xef\xbb\xbf"
					    "frame: 7\noutput: a b\n"),
					   "? frame\n: 7\n? output\n: a b", "frame: 7\noutput:\n  a\n  b\n",
					   "frame: 7\noutput: >-\n  a\n  b\n", "&top\nframe: &f 7\noutput: a b\n"};

	(void)unused;
	for (size_t k = 0; k < COUNT(same); ++k) {
		if (read_job(same[k]) != SONDE_OK)
			fail_msg("job %zu: %s", k, sonde_status_message());
		assert_true(job.top.frame == 7);
		assert_string_equal(job.top.output, "a b");
	}
}

static void test_largest_allowed_file_is_read(void **unused)
{
	static char text[64 * 1024 + 2];
	static const char end[] = "\nframe: 7\n";

	(void)unused;
	memset(text, 'x', sizeof text);
	text[0] = '#';
	strcpy(text + 64 * 1024 - strlen(end), end);
	assert_status(SONDE_OK, read_job(text));
	assert_true(job.top.frame == 7);
	text[0] = ' ';
	text[1] = '#';
	memset(text + 2, 'x', sizeof text - 2);
	strcpy(text + 64 * 1024 + 1 - strlen(end), end);
	assert_invalid("larger than a job file may be (65536 bytes)", read_job(text));
}

static void test_the_rest_is_left_alone(void **unused)
{
	struct sample_options options;
	struct yaml_block block = {&sample_table, &options, false, NULL, NULL, NULL};

	(void)unused;
	options_set_defaults(&sample_table, &options);
	options.frame = 33;
	assert_status(SONDE_OK, yaml_read_job(test_write_text("one.yaml", "force: yes\n"), &block, NULL, 0));
	assert_true(options.frame == 33);
	assert_int_equal(options.force, 1);
	assert_true(block.present);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_every_type_is_read),         cmocka_unit_test(test_lists_are_grids_and_vectors),
	    cmocka_unit_test(test_blocks_set_their_options),   cmocka_unit_test(test_what_was_given),
	    cmocka_unit_test(test_blocks_without_value),       cmocka_unit_test(test_keys_accept_dash_and_underscore),
	    cmocka_unit_test(test_yaml_styles_are_equivalent), cmocka_unit_test(test_largest_allowed_file_is_read),
	    cmocka_unit_test(test_the_rest_is_left_alone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
