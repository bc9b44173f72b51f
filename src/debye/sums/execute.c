/* One plan for many similar samples. While the devices count the pairs of one of them, another thread prepares the next. */
#include <pthread.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/memory.h"
#include "debye/sums/histogram_device.h"
#include "debye/sums/prepared.h"

#define ATOMS_AHEAD 20000         /* fewer are prepared in a moment */
#define BYTES_OF_ATOM_AHEAD 128.0 /* of main memory */

/* A sample that is being prepared by another thread, or has been. */
struct ahead {
	const sonde_atoms *atoms; /* null: none */
	struct prepared_sample *prepared;
	pthread_t thread;
	sonde_status status;
};

struct sonde_debye_plan {
	sonde_context *context;
	sonde_debye_options
	    wanted; /* of the caller, with the method, the boundary and the cut-off decided by the plan */
	sonde_debye_options settled; /* for a run of the sample of the plan */
	struct histogram_kept kept[CONTEXT_MOST_DEVICES];
	struct ahead ahead;
};

static void free_prepared(struct prepared_sample **prepared)
{
	if (*prepared == NULL)
		return;
	debye_prepared_free(*prepared);
	free(*prepared);
	*prepared = NULL;
}

static sonde_status prepare(sonde_context *context, const sonde_atoms *atoms, const sonde_debye_options *options,
			    bool further, struct prepared_sample **prepared)
{
	CHECK(memory_allocate(prepared, 1, sizeof **prepared, "the sample"));
	const sonde_status status =
	    debye_prepare(context, atoms, NULL, options, further, &(*prepared)->classes, &(*prepared)->plan);
	if (status != SONDE_OK)
		free_prepared(prepared);
	return status;
}

sonde_status sonde_debye_plan(sonde_context *context, const sonde_atoms *atoms, const sonde_debye_options *options,
			      struct sonde_debye_plan **plan)
{
	struct prepared_sample *prepared;

	*plan = NULL;
	if (context == NULL || atoms == NULL || options == NULL)
		return status_fail(SONDE_INVALID, "context, atoms and options are needed, one of them is null");
	CHECK(prepare(context, atoms, options, false, &prepared));
	sonde_status status = debye_plan_settle(context, &prepared->classes.summed, &prepared->plan);
	if (status == SONDE_OK)
		status = memory_allocate(plan, 1, sizeof **plan, "the plan");
	if (status == SONDE_OK) {
		const sonde_debye_options *made = &prepared->plan.options;
		(*plan)->context = context;
		(*plan)->settled = *made;
		(*plan)->settled.q = prepared->plan.points.range; /* without the points of a convolution */
		/* the precision depends on the devices of each sample: a small one may stay on the CPU */
		status = options_complete(&debye_option_table, options, &(*plan)->wanted);
		(*plan)->wanted.method = made->method;
		(*plan)->wanted.boundary = made->boundary;
		(*plan)->wanted.cutoff = made->cutoff;
	}
	free_prepared(&prepared);
	if (status != SONDE_OK)
		sonde_debye_plan_free(plan);
	return status;
}

sonde_status debye_plan_beside(const struct sonde_debye_plan *plan, sonde_context *context,
			       struct sonde_debye_plan **beside)
{
	CHECK(memory_allocate(beside, 1, sizeof **beside, "the plan"));
	(*beside)->context = context;
	(*beside)->wanted = plan->wanted;
	(*beside)->settled = plan->settled;
	return SONDE_OK;
}

const sonde_debye_options *sonde_debye_plan_options(const struct sonde_debye_plan *plan)
{
	return &plan->settled;
}

/* The next sample ------------------------------------------------------------------------------------------------ */

static void *prepare_on_thread(void *user)
{
	struct sonde_debye_plan *plan = user;
	struct ahead *ahead = &plan->ahead;

	ahead->status = prepare(plan->context, ahead->atoms, &plan->wanted, true, &ahead->prepared);
	if (ahead->status == SONDE_OK)
		ahead->status =
		    histogram_arrange(plan->context, &ahead->prepared->classes.summed, &ahead->prepared->early);
	return NULL;
}

/* GPUs leave the processors time for it. */
static bool is_worthwhile(const struct sonde_debye_plan *plan, const sonde_atoms *next,
			  const struct device_count *devices)
{
	return next != NULL && devices->gpus == devices->all && plan->wanted.method == SONDE_DEBYE_METHOD_HISTOGRAM &&
	       next->count >= ATOMS_AHEAD &&
	       (double)next->count * BYTES_OF_ATOM_AHEAD < (double)context_host_memory(plan->context);
}

static void begin_next(struct sonde_debye_plan *plan, const sonde_atoms *next, const struct device_count *devices)
{
	struct ahead *ahead = &plan->ahead;

	if (!is_worthwhile(plan, next, devices))
		return;
	ahead->atoms = next;
	if (pthread_create(&ahead->thread, NULL, prepare_on_thread, plan) != 0)
		ahead->atoms = NULL;
}

/* The sample if it has been prepared in advance; else null. After a failure it is prepared again, for the message. */
static struct prepared_sample *end_next(struct sonde_debye_plan *plan, const sonde_atoms *atoms)
{
	struct ahead ahead = plan->ahead;

	if (ahead.atoms == NULL)
		return NULL;
	pthread_join(ahead.thread, NULL);
	ahead = plan->ahead;
	plan->ahead = (struct ahead){0};
	if (ahead.atoms != atoms || ahead.status != SONDE_OK)
		free_prepared(&ahead.prepared);
	return ahead.prepared;
}

/* Execution ------------------------------------------------------------------------------------------------------ */

/* Buffers of devices are used by one sample after the other. */
static sonde_status keep_buffers(sonde_context *context)
{
	struct device **devices;
	int count;

	CHECK(context_devices(context, &devices, &count));
	for (int k = 0; k < count; ++k)
		if (devices[k] != NULL)
			device_keep_buffers(devices[k], UINT64_MAX);
	return SONDE_OK;
}

sonde_status debye_execute(struct sonde_debye_plan *plan, const sonde_atoms *atoms,
			   const struct debye_execution *execution, sonde_debye_result **result)
{
	const double began = clock_seconds();
	struct prepared_sample *prepared = end_next(plan, atoms);
	struct device_count devices;
	sonde_status status = SONDE_OK;

	if (prepared == NULL)
		CHECK(prepare(plan->context, atoms, &plan->wanted, true, &prepared));
	prepared->plan.kept = plan->kept;
	prepared->plan.check = execution->check;
	CHECK_GOTO(status, keep_buffers(plan->context), done);
	CHECK_GOTO(status, context_count_devices(plan->context, &devices), done);
	begin_next(plan, execution->next, &devices);
	status = debye_carry_out(plan->context, prepared, began, result);
done:
	free_prepared(&prepared);
	return status;
}

sonde_status sonde_debye_execute(struct sonde_debye_plan *plan, const sonde_atoms *atoms, sonde_debye_result **result)
{
	const struct debye_execution alone = {0};

	*result = NULL;
	if (plan == NULL || atoms == NULL)
		return status_fail(SONDE_INVALID, "a plan and atoms are needed, one of them is null");
	return debye_execute(plan, atoms, &alone, result);
}

void sonde_debye_plan_free(struct sonde_debye_plan **plan)
{
	struct prepared_sample *unused;

	if (plan == NULL || *plan == NULL)
		return;
	unused = end_next(*plan, NULL);
	free_prepared(&unused);
	for (int k = 0; k < CONTEXT_MOST_DEVICES; ++k)
		image_list_free(&(*plan)->kept[k].list);
	free(*plan);
	*plan = NULL;
}
