#include "fdtd/job/settling.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"

#define APART 0.1 /* of the time, between two stored samples */
#define AGO 0.05  /* of the time, between two that are compared */

static bool has_power(const struct job_monitor *monitor)
{
	return monitor->spectrum >= 0;
}

/* Powers of all monitors, and for each of them the sum of magnitudes in both directions, which does not cancel. */
static sonde_status find_powers(const struct job_monitors *monitors, struct simulation *simulation, double *powers,
				double *scales)
{
	for (int64_t n = 0; n < monitors->count; ++n) {
		const struct job_monitor *monitor = &monitors->monitors[n];
		double most = 0.0;
		if (!has_power(monitor))
			continue;
		CHECK(spectrum_powers(&simulation->fields, &simulation->spectrum[monitor->spectrum], powers, scales));
		for (uint32_t f = 0; f < monitor->frequencies; ++f)
			most = fmax(most, scales[f]);
		for (uint32_t f = 0; f < monitor->frequencies; ++f)
			scales[f] = most;
		powers += monitor->frequencies;
		scales += monitor->frequencies;
	}
	return SONDE_OK;
}

static size_t count_powers(const struct job_monitors *monitors)
{
	size_t count = 0;

	for (int64_t n = 0; n < monitors->count; ++n)
		count += has_power(&monitors->monitors[n]) ? monitors->monitors[n].frequencies : 0;
	return count;
}

static double difference(const double *powers, const double *before, const double *scales, size_t count)
{
	double most = 0.0;

	for (size_t n = 0; n < count; ++n)
		if (scales[n] > 0.0)
			most = fmax(most, fabs(powers[n] - before[n]) / scales[n]);
	return most;
}

/* The latest sample that is old enough; -1: there is none. */
static int long_ago(const struct settling *settling, uint64_t step)
{
	for (int k = 1; k >= 0; --k)
		if (settling->steps[k] > 0 && (double)settling->steps[k] <= (1.0 - AGO) * (double)step)
			return k;
	return -1;
}

static void keep(struct settling *settling, uint64_t step, double *powers)
{
	free(settling->powers[0]);
	settling->powers[0] = settling->powers[1];
	settling->steps[0] = settling->steps[1];
	settling->powers[1] = powers;
	settling->steps[1] = step;
}

sonde_status settling_look(struct settling *settling, const struct job_monitors *monitors,
			   struct simulation *simulation, double *change)
{
	const size_t count = count_powers(monitors);
	const uint64_t step = simulation->step;
	double *powers = NULL, *scales = NULL;
	sonde_status status;

	*change = 0.0;
	if (count == 0)
		return SONDE_OK;
	CHECK_GOTO(status, memory_allocate(&powers, count, sizeof *powers, "the monitors"), done);
	CHECK_GOTO(status, memory_allocate(&scales, count, sizeof *scales, "the monitors"), done);
	CHECK_GOTO(status, find_powers(monitors, simulation, powers, scales), done);
	const int before = long_ago(settling, step);
	*change = before >= 0 ? difference(powers, settling->powers[before], scales, count) : INFINITY;
	settling->count = count;
	if (settling->steps[1] == 0 || (double)settling->steps[1] <= (1.0 - APART) * (double)step) {
		keep(settling, step, powers);
		powers = NULL;
	}
done:
	free(powers);
	free(scales);
	return status;
}

sonde_status settling_state(struct settling *settling, struct state *state)
{
	for (int k = 0; k < 2; ++k) {
		size_t count = settling->powers[k] != NULL ? settling->count : 0, capacity = count;
		CHECK(state_bytes(state, &settling->steps[k], sizeof settling->steps[k]));
		CHECK(state_array(state, &settling->powers[k], &capacity, &count, sizeof(double)));
		if (settling->count > 0 && count > 0 && count != settling->count)
			return state_differs(state, "powers", count, settling->count);
		settling->count = count > 0 ? count : settling->count;
		if (settling->steps[k] > 0 && count == 0)
			settling->steps[k] = 0;
	}
	return SONDE_OK;
}

sonde_status settling_check(const struct settling *settling, const struct job_monitors *monitors,
			    const struct state *state)
{
	const size_t count = count_powers(monitors);

	return settling->count == 0 || settling->count == count
		   ? SONDE_OK
		   : state_differs(state, "powers", settling->count, count);
}

void settling_free(struct settling *settling)
{
	free(settling->powers[0]);
	free(settling->powers[1]);
	*settling = (struct settling){.count = 0};
}
