/* Campaigns: expansion of grids, command lines, extrapolation, YAML trees, leases. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "unit/support.h"
#include "campaign/campaign.h"
#include "campaign/converge.h"
#include "campaign/lease.h"

static char folder[PATH_MAX];

static const char *write_campaign(const char *text)
{
	static char path[PATH_MAX + 16];
	FILE *file;

	snprintf(path, sizeof path, "%s/a.yaml", folder);
	file = fopen(path, "w");
	assert_non_null(file);
	assert_int_equal(fwrite(text, 1, strlen(text), file), strlen(text));
	fclose(file);
	return path;
}

static struct campaign *read_campaign(const char *text)
{
	struct campaign *campaign;

	if (campaign_read(write_campaign(text), 1000, &campaign) != SONDE_OK)
		fail_msg("%s", sonde_status_message());
	return campaign;
}

static void refuse(const char *text, const char *message)
{
	struct campaign *campaign;

	assert_int_equal(campaign_read(write_campaign(text), 1000, &campaign), SONDE_INVALID);
	assert_null(campaign);
	if (strstr(sonde_status_message(), message) == NULL)
		fail_msg("'%s' is not in '%s'", message, sonde_status_message());
}

/* Grids ---------------------------------------------------------------------------------------------------- */

static void test_all_combinations_are_jobs_the_last_variable_changing_first(void **state)
{
	static const char *const names[] = {"a=1_b=x", "a=1_b=y", "a=1_b=z", "a=2_b=x", "a=2_b=y", "a=2_b=z"};
	struct campaign *campaign =
	    read_campaign("vary: {a: [1, 2], b: [x, y, z], c: same}\nrun: debye ${a} ${b} ${c}\n");

	(void)state;
	assert_int_equal(campaign->job_count, 6);
	for (size_t k = 0; k < 6; ++k)
		assert_string_equal(campaign->jobs[k].name, names[k]);
	campaign_free(&campaign);
	assert_null(campaign);
}

static void test_grids_have_their_ends_and_equal_steps_or_ratios(void **state)
{
	static const char *const linear[] = {"0", "2.5", "5", "7.5", "10"}, *const log[] = {"1 keV", "10 keV",
											    "100 keV"};
	struct campaign *campaign = read_campaign("vary: {a: {from: 0, to: 10, count: 5}}\nrun: debye ${a}\n");

	(void)state;
	for (size_t k = 0; k < 5; ++k)
		assert_string_equal(campaign->jobs[k].values[0], linear[k]);
	campaign_free(&campaign);
	campaign =
	    read_campaign("vary: {a: {from: 1, to: 100, count: 3, spacing: log, unit: keV}}\nrun: debye ${a}\n");
	for (size_t k = 0; k < 3; ++k)
		assert_string_equal(campaign->jobs[k].values[0], log[k]);
	campaign_free(&campaign);
}

static void test_lists_of_grids_are_joined(void **state)
{
	struct campaign *campaign =
	    read_campaign("vary:\n- {m: Au, r: [1, 2]}\n- {r: 3, m: Ag}\nname: ${m}-${r}\nrun: debye ${m} ${r}\n");

	(void)state;
	assert_int_equal(campaign->job_count, 3);
	assert_string_equal(campaign->jobs[1].name, "Au-2");
	assert_string_equal(campaign->jobs[2].name, "Ag-3");
	campaign_free(&campaign);
	refuse("vary:\n- {m: Au, r: 1}\n- {m: Ag}\nrun: debye ${m} ${r}\n",
	       ":3:3: vary: this grid has no values of 'r'");
	refuse("vary:\n- {m: Au}\n- {m: Ag, r: 1}\nrun: debye ${m}\n", ":3:11: the first grid has no variable 'r'");
}

static void test_more_jobs_than_the_limit_are_refused(void **state)
{
	(void)state;
	refuse("vary: {a: {from: 0, to: 1, count: 500}, b: [1, 2, 3]}\nrun: debye ${a} ${b}\n",
	       "1500 jobs are more than the limit of 1000");
	refuse("vary: {a: {from: 0, to: 1, count: 1e12}}\nrun: debye ${a}\n",
	       "must be a whole number from 2 to 1000");
}

/* Commands and jobs ------------------------------------------------------------------------------------- */

static void test_words_are_those_of_a_shell_and_values_do_not_split_them(void **state)
{
	static const char *const expected[] = {"ions", "--energy", "10 keV", "a b",  "$5",
					       "c\"d", "j.yaml",   "-o",     "r.h5", NULL};
	const struct campaign_files files = {"j.yaml", "r.h5", "s", "f"};
	struct campaign *campaign = read_campaign(
	    "vary: {e: [10 keV]}\nrun: ions --energy ${e} 'a b' $$5 c\\\"d ${job}\njob:\n  ions:\n    number: 5\n");
	struct campaign_words words = {0};

	(void)state;
	assert_int_equal(campaign_command(campaign, &campaign->jobs[0], 0, &files, &words), SONDE_OK);
	for (size_t k = 0; expected[k] != NULL; ++k)
		assert_string_equal(words.words[k], expected[k]);
	assert_int_equal(words.count, 9);
	campaign_words_free(&words);
	campaign_free(&campaign);
}

static void test_job_files_are_the_lines_of_the_block(void **state)
{
	const struct campaign_files files = {"j.yaml", "r.h5", "s", "f"};
	struct campaign *campaign =
	    read_campaign("vary: {e: 10}\njob:\n    # comment\n    ions:\n      energy: ${e} keV\n\n"
			  "      ion: B # ${e}\nrun: ions\n");
	struct text text = {0};

	(void)state;
	assert_int_equal(campaign_job_text(campaign, &campaign->jobs[0], &files, &text), SONDE_OK);
	assert_string_equal(text.bytes, "ions:\n  energy: 10 keV\n\n  ion: B # 10\n");
	text_free(&text);
	campaign_free(&campaign);
}

static void test_the_digest_is_that_of_the_jobs_alone(void **state)
{
	struct campaign *a = read_campaign("vary: {e: [1, 2]}\nrun: ions --energy ${e}\n"), *b, *c;

	(void)state;
	b = read_campaign("title: x\nvary:\n  e: [ 1, 2 ] # comment\nrun: ions   --energy ${e}\ncollect: range\n");
	c = read_campaign("vary: {e: [1, 3]}\nrun: ions --energy ${e}\n");
	assert_string_equal(a->digest, b->digest);
	assert_string_not_equal(a->digest, c->digest);
	campaign_free(&a);
	campaign_free(&b);
	campaign_free(&c);
}

static void test_numbers_have_units(void **state)
{
	double x;
	const char *unit;

	(void)state;
	assert_true(campaign_number("100 keV", &x, &unit));
	assert_within(x, 100.0, 0.0, "the number");
	assert_string_equal(unit, "keV");
	assert_true(campaign_number("2.5e-3nm", &x, &unit));
	assert_within(x, 2.5e-3, 1e-18, "the number");
	assert_string_equal(unit, "nm");
	assert_true(campaign_number("-7", &x, &unit));
	assert_string_equal(unit, "");
	assert_false(campaign_number("Au", &x, &unit));
	assert_false(campaign_number("1-2", &x, &unit));
	assert_false(campaign_number("", &x, &unit));
}

/* Extrapolation ------------------------------------------------------------------------------------------- */

static void test_figures_of_one_order_are_extrapolated_exactly(void **state)
{
	const double h[] = {0.4, 0.2, 0.13, 0.1};
	struct extrapolation result;
	double f[4];

	(void)state;
	for (double order = 0.5; order < 6.0; order += 0.5) {
		for (int k = 0; k < 4; ++k)
			f[k] = 3.0 - 0.7 * pow(h[k], order);
		converge_steps(h, f, 4, 0.0, &result);
		assert_within(result.order, order, 1e-6, "the order");
		assert_within(result.value, 3.0, 1e-9, "the value");
		assert_within(result.error, 0.0, 1e-8, "the error");
		converge_steps(h, f, 3, 0.0, &result);
		assert_within(result.value, 3.0, 1e-9, "the value");
		assert_within(result.error, fabs(3.0 - f[2]), 1e-9, "the error");
		converge_steps(h, f, 2, order, &result);
		assert_within(result.value, 3.0, 1e-12, "the value");
	}
}

/* f = 1 + h^2 + h^3/2: the order is observed approximately, the true error is below the stated one. */
static void test_the_error_of_an_extrapolation_is_not_too_small(void **state)
{
	const double h[] = {0.4, 0.2, 0.1, 0.05};
	struct extrapolation result;
	double f[4];

	(void)state;
	for (int k = 0; k < 4; ++k)
		f[k] = 1.0 + h[k] * h[k] + 0.5 * h[k] * h[k] * h[k];
	converge_steps(h, f, 4, 0.0, &result);
	assert_within(result.order, 2.0, 0.1, "the order");
	assert_true(fabs(result.value - 1.0) < result.error);
	assert_true(result.error < 0.5 * fabs(f[3] - 1.0));
	converge_steps(h, f, 4, 2.0, &result);
	assert_within(result.order, 2.0, 0.0, "the order");
	assert_true(fabs(result.value - 1.0) < result.error);
}

static void test_figures_that_do_not_converge_have_no_order(void **state)
{
	const double h[] = {0.4, 0.2, 0.1}, alternating[] = {1.0, 1.2, 1.1}, diverging[] = {1.0, 1.1, 1.3},
		     equal[] = {2.0, 2.0, 2.0};
	struct extrapolation result;

	(void)state;
	converge_steps(h, alternating, 3, 0.0, &result);
	assert_true(isnan(result.order));
	assert_within(result.value, 1.1, 0.0, "the value");
	assert_within(result.error, 0.2, 1e-15, "the error");
	converge_steps(h, diverging, 3, 0.0, &result);
	assert_true(isnan(result.order));
	converge_steps(h, equal, 3, 0.0, &result);
	assert_within(result.value, 2.0, 0.0, "the value");
	assert_within(result.error, 0.0, 0.0, "the error");
	converge_steps(h, equal, 1, 0.0, &result);
	assert_true(isnan(result.error));
}

static void test_standard_errors_of_histories_have_a_power(void **state)
{
	const double n[] = {100, 400, 1600}, f[] = {5.3, 5.1, 5.0}, e[] = {0.2, 0.1, 0.05};
	struct extrapolation result;

	(void)state;
	converge_histories(n, f, e, 3, &result);
	assert_within(result.order, -0.5, 1e-12, "the order");
	assert_within(result.value, 5.0, 0.0, "the value");
	assert_within(result.error, 0.05, 0.0, "the error");
	/* 0.3 of 0.194 and 0.1 of 0.087 */
	assert_within(result.deviation, 0.3 / sqrt(0.2 * 0.2 - 0.05 * 0.05), 1e-12, "the deviation");
}

/* Leases -------------------------------------------------------------------------------------------------- */

static void test_a_lease_has_one_worker_until_it_ends(void **state)
{
	struct lease_worker a, b;
	char path[PATH_MAX];
	bool taken;

	(void)state;
	assert_int_equal(campaign_path(folder, "leases", NULL, NULL, path), SONDE_OK);
	assert_int_equal(mkdir(path, 0777), 0);
	assert_int_equal(lease_worker_begin(folder, 0.2, &a), SONDE_OK);
	assert_int_equal(lease_worker_begin(folder, 0.2, &b), SONDE_OK);
	assert_string_not_equal(a.name, b.name);
	assert_int_equal(lease_take(&a, "job", &taken), SONDE_OK);
	assert_true(taken);
	assert_int_equal(lease_take(&b, "job", &taken), SONDE_OK);
	assert_false(taken);
	assert_true(lease_renew(&a, "job"));
	assert_false(lease_renew(&b, "job"));
	lease_release(&b, "job"); /* not its own */
	assert_true(lease_renew(&a, "job"));
	usleep(400000);
	assert_int_equal(lease_take(&b, "job", &taken), SONDE_OK);
	assert_true(taken);
	assert_false(lease_renew(&a, "job"));
	lease_release(&a, "job");
	assert_true(lease_renew(&b, "job"));
	lease_release(&b, "job");
	assert_int_equal(lease_take(&a, "job", &taken), SONDE_OK);
	assert_true(taken);
	lease_release(&a, "job");
	lease_worker_end(&a);
	lease_worker_end(&b);
	assert_int_equal(rmdir(path), 0); /* nothing is left */
}

static void test_the_first_complete_file_gets_the_name(void **state)
{
	char first[PATH_MAX], second[PATH_MAX], name[PATH_MAX];
	bool given;

	(void)state;
	(void)campaign_path(folder, "first", NULL, NULL, first);
	(void)campaign_path(folder, "second", NULL, NULL, second);
	(void)campaign_path(folder, "name", NULL, NULL, name);
	fclose(fopen(first, "w"));
	FILE *file = fopen(second, "w");
	fputs("second", file);
	fclose(file);
	assert_int_equal(campaign_publish(first, name, &given), SONDE_OK);
	assert_true(given);
	assert_int_equal(campaign_publish(second, name, &given), SONDE_OK);
	assert_false(given);
	struct stat properties;
	assert_int_equal(stat(name, &properties), 0);
	assert_int_equal(properties.st_size, 0);
	assert_int_equal(properties.st_nlink, 1);
	assert_int_not_equal(access(second, F_OK), 0);
}

static int make_folder(void **state)
{
	const char *parent = getenv("TMPDIR");

	(void)state;
	snprintf(folder, sizeof folder, "%s/sonde-campaign-XXXXXX", parent != NULL ? parent : "/tmp");
	return mkdtemp(folder) == NULL;
}

static int remove_folder(void **state)
{
	(void)state;
	campaign_remove_folder(folder);
	return access(folder, F_OK) == 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_all_combinations_are_jobs_the_last_variable_changing_first),
	    cmocka_unit_test(test_grids_have_their_ends_and_equal_steps_or_ratios),
	    cmocka_unit_test(test_lists_of_grids_are_joined),
	    cmocka_unit_test(test_more_jobs_than_the_limit_are_refused),
	    cmocka_unit_test(test_words_are_those_of_a_shell_and_values_do_not_split_them),
	    cmocka_unit_test(test_job_files_are_the_lines_of_the_block),
	    cmocka_unit_test(test_the_digest_is_that_of_the_jobs_alone),
	    cmocka_unit_test(test_numbers_have_units),
	    cmocka_unit_test(test_figures_of_one_order_are_extrapolated_exactly),
	    cmocka_unit_test(test_the_error_of_an_extrapolation_is_not_too_small),
	    cmocka_unit_test(test_figures_that_do_not_converge_have_no_order),
	    cmocka_unit_test(test_standard_errors_of_histories_have_a_power),
	    cmocka_unit_test(test_a_lease_has_one_worker_until_it_ends),
	    cmocka_unit_test(test_the_first_complete_file_gets_the_name),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
