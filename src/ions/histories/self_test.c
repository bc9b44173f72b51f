/* The self-test of a device's kernel: the same integers as on the CPU if its rounding conforms to the standard;
 * and conservation of energy. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "ions/histories/history_device.h"
#include "ions/histories/kernels.h"
#include "ions/histories/self_test.h"

#define IONS 200u

/* Arsenic in silicon dioxide on silicon, with all features of the kernels. */
static void set_options(sonde_ions_options *options)
{
	sonde_ions_options_init(options);
	strcpy(options->ion, "As");
	strcpy(options->energy, "3keV");
	strcpy(options->target, "SiO2@2.2:2nm/Si");
	options->stopping = SONDE_IONS_STOPPING_LINDHARD;
	options->straggling = SONDE_IONS_STRAGGLING_CHU;
	options->surface = SONDE_IONS_SURFACE_PLANAR;
	options->energy_spread = 0.1;
	options->divergence = 5.0;
	options->spot = 3.0;
	options->bins = 40;
}

static sonde_status follow(struct device *device, const struct ions_plan *plan, struct ions_sums **sums)
{
	struct history_device own;

	CHECK(ions_sums_make(&plan->job, plan->depth_unit, sums));
	CHECK(history_device_prepare(device, plan, &own));
	sonde_status status = history_device_run(&own, 0, IONS, 1);
	if (status == SONDE_OK)
		status = history_device_collect(&own, 1, *sums);
	history_device_release(&own);
	return status;
}

static ions_sum total(const struct ions_sums *sums, uint32_t row)
{
	ions_sum sum = 0;

	for (uint32_t g = 0; g < sums->groups; ++g)
		for (uint32_t c = 0; c < sums->stride; ++c)
			sum += sums->tallies[((size_t)g * sums->rows + row) * sums->stride + c];
	return sum;
}

static sonde_status check_balance(const struct ions_sums *sums)
{
	ions_sum left = 0;

	for (uint32_t row = TALLY_IONIZATION_BY_IONS; row <= TALLY_STORED; ++row)
		left += total(sums, row);
	if (left + total(sums, TALLY_LOST) != total(sums, TALLY_BROUGHT) || total(sums, TALLY_BROUGHT) == 0)
		return status_fail(SONDE_RESOURCE, "histories do not conserve energy");
	return SONDE_OK;
}

/* Devices (of OpenCL) with nonstandard rounding may differ statistically. */
static sonde_status compare(const struct ions_sums *sums, const struct ions_sums *expected)
{
	size_t count = (size_t)sums->groups * sums->rows * sums->stride;
	double vacancies = 0.0, wanted = 0.0;

	if (memcmp(sums->tallies, expected->tallies, count * sizeof *sums->tallies) == 0 &&
	    memcmp(sums->moments, expected->moments, (size_t)IONS_GROUPS * MOMENTS * sizeof *sums->moments) == 0)
		return SONDE_OK;
	for (uint32_t kind = 0; kind + 1 < sums->kinds; ++kind)
		for (uint32_t row = TALLY_VACANCIES_BY_IONS; row <= TALLY_VACANCIES_BY_RECOILS; ++row) {
			vacancies += (double)total(sums, TALLY_ROWS_OF_ALL + kind * TALLY_ROWS_OF_KIND + row);
			wanted += (double)total(expected, TALLY_ROWS_OF_ALL + kind * TALLY_ROWS_OF_KIND + row);
		}
	if (vacancies > 0.97 * wanted && vacancies < 1.03 * wanted)
		return SONDE_OK;
	return status_fail(SONDE_RESOURCE, "histories produce %.0f vacancies instead of %.0f", vacancies, wanted);
}

/* The sums on the CPU, found once for all devices. */
static struct {
	pthread_mutex_t mutex;
	struct ions_sums *expected; /* null: not yet known */
} known = {PTHREAD_MUTEX_INITIALIZER, NULL};

static sonde_status find_expected(const struct ions_plan *plan)
{
	const struct device_settings settings = {.threads = 1, .kernel_cache = "off"};
	struct ions_sums *expected = NULL;
	struct device *host = NULL;

	CHECK(device_open("cpu", &settings, &host));
	const sonde_status status = follow(host, plan, &expected);
	if (status == SONDE_OK)
		known.expected = expected;
	else
		ions_sums_free(&expected);
	device_close(&host);
	return status;
}

static sonde_status know_expected(const struct ions_plan *plan)
{
	pthread_mutex_lock(&known.mutex);
	const sonde_status status = known.expected != NULL ? SONDE_OK : find_expected(plan);
	pthread_mutex_unlock(&known.mutex);
	return status;
}

static sonde_status test(struct device *device, const struct ions_plan *plan)
{
	struct ions_sums *sums = NULL;
	sonde_status status;

	CHECK_GOTO(status, follow(device, plan, &sums), done);
	CHECK_GOTO(status, check_balance(sums), done);
	if (device_properties(device)->gpu_kernels) {
		CHECK_GOTO(status, know_expected(plan), done);
		status = compare(sums, known.expected);
	}
done:
	ions_sums_free(&sums);
	return status;
}

/* Tests a device, or, if it is null, finds what is expected of one. */
static sonde_status with_plan(struct device *device)
{
	struct ions_plan *plan;
	sonde_ions_options *options;
	sonde_status status;

	CHECK(memory_allocate(&options, 1, sizeof *options, "the self-test"));
	CHECK_GOTO(status, memory_allocate(&plan, 1, sizeof *plan, "the self-test"), done);
	set_options(options);
	status = ions_plan_make(1, options, plan);
	if (status == SONDE_OK)
		status = device != NULL ? test(device, plan) : know_expected(plan);
	ions_plan_free(plan);
	free(plan);
done:
	free(options);
	return status;
}

sonde_status ions_self_test(struct device *device)
{
	return with_plan(device);
}

void ions_self_test_prepare(void)
{
	(void)with_plan(NULL); /* after a failure the self-test repeats it */
}
