#include "ions/run.h"
#include "ions/settled_job.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/file_names.h"
#include "base/lock.h"
#include "base/memory.h"
#include "base/option_items.h"
#include "ions/checkpoint.h"
#include "ions/histories/follow.h"
#include "ions/histories/self_test.h"
#include "ions/histories/trajectories.h"
#include "ions/option_table.h"
#include "ions/output/result.h"
#include "ions/tallies/estimates.h"
#include "parallel/parallel.h"
#include "run/checkpoint.h"
#include "run/context.h"

#define MANY_COLLISIONS 5e4 /* per ion */

/* A run in progress. */
struct run_state {
	sonde_context *context;
	const struct ions_plan *plan;
	const char *path; /* of the result file; null: none */
	double began;
	double saved; /* time of the last checkpoint */
};

static sonde_status list_species(const struct source *source, sonde_ions_result *result)
{
	CHECK(
	    memory_allocate(&result->species, (size_t)source->species_count, sizeof *result->species, "the species"));
	result->species_count = source->species_count;
	for (int s = 0; s < source->species_count; ++s) {
		const struct source_species *from = &source->species[s];
		sonde_ions_species *to = &result->species[s];
		*to = (sonde_ions_species){
		    .mass = from->mass, .rows = from->rows, .least_energy = from->least, .most_energy = from->most};
		strcpy(to->ion, from->symbol);
	}
	return SONDE_OK;
}

sonde_status ions_result_make(const struct ions_plan *plan, struct ions_sums **sums, sonde_ions_result *result)
{
	struct text job = {0};

	result->provenance->options = plan->options;
	result->options = &result->provenance->options;
	strcpy(result->ion, plan->source.symbol);
	result->ion_mass = plan->source.species_count > 1 ? NAN : plan->source.mass;
	result->energy = plan->source.energy;
	CHECK(list_species(&plan->source, result));
	ions_sums_sort_exits(*sums);
	CHECK(estimates_fill(plan, *sums, result));
	result->provenance->sums = *sums;
	*sums = NULL;
	ions_checkpoint_job(plan, &job);
	result->provenance->job = job.bytes;
	CHECK(text_status(&job));
	if (plan->body_count == 0)
		return SONDE_OK;
	struct text bodies = {0};
	sonde_status status =
	    option_items_print_given(&body_table_in_angstrom, plan->body_count, plan->bodies, "# ", &bodies);
	result->provenance->bodies = bodies.bytes;
	return status;
}

/* Approximate time on the CPU. */
static double expected_seconds(sonde_context *context, const struct ions_plan *plan)
{
	return (double)plan->options.number * ions_plan_seconds(plan) / context_threads(context);
}

/* Time of this run and of those that it continues. */
static double seconds_so_far(const struct run_state *run, const struct ions_sums *sums)
{
	return sums->earlier_seconds + clock_seconds() - run->began;
}

/* Long runs write checkpoints at intervals. */
static sonde_status after_round(void *user, const struct ions_sums *sums)
{
	struct run_state *run = user;

	if (run->path == NULL || !context_writes(run->context) ||
	    !checkpoint_is_due(run->plan->options.checkpoint, run->saved) || sums->ions >= run->plan->options.number)
		return SONDE_OK;
	run->saved = clock_seconds();
	return ions_checkpoint_write(run->path, run->plan, sums, seconds_so_far(run, sums));
}

/* Number of included ions whose histories are unfinished. Entries of one ion are adjacent. */
static long long ions_under_way(const struct ions_aside *aside)
{
	long long count = 0;

	for (int64_t k = 0; k < aside->place_count; ++k)
		count += k == 0 || aside->places[k].ion != aside->places[k - 1].ion;
	return count;
}

/* Keeps the finished part, if possible. */
static sonde_status stopped(const struct run_state *run, struct ions_sums *sums)
{
	char more[64] = "";

	if (sums->ions == 0)
		return SONDE_CANCELLED;
	if (run->path == NULL)
		return context_lose_work(run->context);
	CHECK(ions_aside_sort(&sums->aside));
	if (context_writes(run->context))
		CHECK(ions_checkpoint_write(run->path, run->plan, sums, seconds_so_far(run, sums)));
	long long under_way = ions_under_way(&sums->aside);
	if (under_way > 0)
		snprintf(more, sizeof more, " and %lld in progress", under_way);
	return status_fail(SONDE_SUSPENDED, "stopped; %lld ions%s are kept in %s.checkpoint, continue with `resume`",
			   (long long)sums->ions - under_way, more, run->path);
}

/* The ions of the file from which a run is resumed. */
static sonde_status take_up(struct run_state *run, struct ions_sums *sums)
{
	long long number = (long long)run->plan->options.number;

	CHECK(ions_checkpoint_read(run->path, run->plan, sums));
	if (sums->ions > number)
		context_notef(run->context,
			      "`resume`: %lld ions are done already, more than the %lld of `number`; the result has "
			      "all of them",
			      (long long)sums->ions, number);
	return SONDE_OK;
}

static sonde_status follow(struct run_state *run, struct ions_sums *sums, sonde_ions_result *result)
{
	double seconds = 0.0;

	if (run->plan->options.resume) {
		/* all read the file before the first rank may replace it */
		CHECK(parallel_agree(context_ranks(run->context), take_up(run, sums)));
		result->resumed = sums->ions;
		result->resumed_seconds = sums->earlier_seconds;
	}
	sonde_status status = ions_follow(run->context, run->plan, after_round, run, sums, &seconds);
	return status == SONDE_CANCELLED ? stopped(run, sums) : status;
}

/* Follows the paths of the first ions; a stop during this must not lose the ions completed before. */
static sonde_status follow_paths(struct run_state *run, struct ions_sums *sums, sonde_ions_result *result)
{
	if (!context_writes(run->context))
		return SONDE_OK;
	const sonde_status status = trajectories_follow(run->context, run->plan, sums->ions, result);

	return status == SONDE_CANCELLED ? stopped(run, sums) : status;
}

static sonde_status check_precision(const struct ions_plan *plan)
{
	struct precision wanted;

	CHECK(precision_parse(plan->options.until, &wanted));
	return precision_check(&wanted, plan);
}

sonde_status ions_look_at_precision(const struct ions_plan *plan, const struct ions_sums *sums,
				    sonde_ions_result *result)
{
	struct precision wanted;

	CHECK(precision_parse(plan->options.until, &wanted));
	result->until_missed = wanted.count > 0 && !precision_reached(&wanted, plan, sums);
	return SONDE_OK;
}

/* Warns of particles of a list that are at rest from the beginning. */
static void note_slow_particles(sonde_context *context, const struct ions_plan *plan)
{
	const struct particles *particles = &plan->source.particles;
	size_t slow = 0;

	for (size_t k = 0; k < particles->count && particles->has_energy; ++k)
		slow += particles->starts[k].energy <= plan->job.cutoff;
	if (slow > 0)
		context_notef(
		    context,
		    "`cutoff`: %zu of the %zu particles of the list have %g eV or less, and stop where they start",
		    slow, particles->count, plan->options.cutoff);
}

/* Fast ions make very many collisions in flights that omit few. */
static void advise(sonde_context *context, const struct ions_plan *plan)
{
	double collisions = ions_plan_flights(plan);

	target_note(&plan->target, context);
	if (plan->job.groups < LEAST_GROUPS_OF_ERRORS)
		context_notef(context,
			      "the map has too many cells, %u, for standard errors of its sums; fewer cells "
			      "have them",
			      plan->job.cell_count);
	note_slow_particles(context, plan);
	if (plan->options.flight != SONDE_IONS_FLIGHT_EXPONENTIAL || plan->options.always_within == 0.0 ||
	    collisions < MANY_COLLISIONS)
		return;
	if (plan->options.always_within > 0.0)
		context_notef(
		    context,
		    "each ion makes about %.1g collisions, since hardly any are omitted; without `always_within` "
		    "the run is many times faster, and omitted collisions act as multiple scattering",
		    collisions);
	else
		context_notef(context,
			      "each ion makes about %.1g collisions that transfer %g eV or more; a larger "
			      "`weakest_transfer` (below the displacement energies) leaves more of them to multiple "
			      "scattering and continuous loss",
			      collisions, plan->options.weakest_transfer);
}

/* Checks and notes before the first ion, and the choice of the devices. */
static sonde_status prepare(sonde_context *context, const struct ions_plan *plan, const char *path)
{
	CHECK(check_precision(plan));
	if (plan->options.resume && path == NULL)
		return status_fail_option(SONDE_INVALID, "resume",
					  "needs the file to resume from; name it by `output`");
	advise(context, plan);
	return context_expect(context, expected_seconds(context, plan));
}

static sonde_status go(struct run_state *run, sonde_ions_result *result)
{
	const struct ions_plan *plan = run->plan;
	struct ions_sums *sums = NULL;
	sonde_status status;

	CHECK_GOTO(status, prepare(run->context, plan, run->path), done);
	if (context_is_starting(run->context)) {
		const double began = clock_seconds();
		ions_self_test_prepare();
		context_count_start(run->context, clock_seconds() - began);
	}
	CHECK_GOTO(status, memory_allocate(&result->provenance, 1, sizeof *result->provenance, "the result"), done);
	CHECK_GOTO(status, ions_sums_make(&plan->job, plan->depth_unit, &sums), done);
	CHECK_GOTO(status,
		   provenance_make(run->context, plan->sample, plan->sample != NULL ? plan->sample_sha256 : NULL,
				   &result->provenance->run),
		   done);
	CHECK_GOTO(status, follow(run, sums, result), done);
	CHECK_GOTO(status, ions_look_at_precision(plan, sums, result), done);
	CHECK_GOTO(status, follow_paths(run, sums, result), done);
	CHECK_GOTO(status, ions_result_make(plan, &sums, result), done);
	provenance_end(run->context, &result->provenance->run);
done:
	ions_sums_free(&sums);
	return status;
}

static sonde_status run_plan(struct run_state *run, sonde_ions_result **result)
{
	CHECK(memory_allocate(result, 1, sizeof **result, "the result"));
	sonde_status status = go(run, *result);
	(*result)->seconds = clock_seconds() - run->began;
	if (status != SONDE_OK)
		sonde_ions_result_free(result);
	return status;
}

struct sonde_ions_plan {
	sonde_context *context;
	struct ions_plan plan;
};

static sonde_status take_sample(const sonde_sample *sample, struct ions_plan *plan)
{
	memcpy(plan->sample_sha256, sample->sha256, sizeof plan->sample_sha256);
	return memory_copy_text(file_names_get(sample->path), &plan->sample, "the job");
}

/* `settled` is null for options without a job. */
static sonde_status check_and_plan(sonde_context *context, const sonde_ions_options *given,
				   const struct settled_job *settled, struct ions_plan *plan)
{
	sonde_ions_options *options = NULL;
	sonde_status status = memory_allocate(&options, 1, sizeof *options, "the options");

	if (status == SONDE_OK)
		status = options_complete(&ions_option_table, given, options);
	if (status == SONDE_OK)
		status = options_check(&ions_option_table, options);
	if (status == SONDE_OK)
		status = ions_plan_make_in(context_data(context), context_threads(context), options,
					   settled != NULL ? &settled->bodies : NULL, plan);
	if (status == SONDE_OK && settled != NULL && settled->sample != NULL) {
		status = take_sample(settled->sample, plan);
		if (status != SONDE_OK)
			ions_plan_free(plan);
	}
	free(options);
	return status;
}

static sonde_status make_plan(sonde_context *context, const sonde_ions_options *options,
			      const struct settled_job *settled, struct sonde_ions_plan **plan)
{
	*plan = NULL;
	if (context == NULL || options == NULL)
		return status_fail(SONDE_INVALID, "context and options are needed, one of them is null");
	CHECK(memory_allocate(plan, 1, sizeof **plan, "the plan"));
	(*plan)->context = context;
	const sonde_status status = check_and_plan(context, options, settled, &(*plan)->plan);
	if (status != SONDE_OK) {
		free(*plan);
		*plan = NULL;
	}
	return status;
}

sonde_status sonde_ions_plan(sonde_context *context, const sonde_ions_options *options, struct sonde_ions_plan **plan)
{
	return make_plan(context, options, NULL, plan);
}

sonde_status sonde_ions_job_plan(sonde_context *context, const sonde_ions_job *job, struct sonde_ions_plan **plan)
{
	struct settled_job settled;

	*plan = NULL;
	sonde_status status = ions_job_settle(job, &settled);
	if (status == SONDE_OK)
		status = make_plan(context, settled.options, &settled, plan);
	ions_job_settled_free(&settled);
	return status;
}

sonde_status ions_run_plan(sonde_context *context, const sonde_ions_job *job, const char *path,
			   struct sonde_ions_plan **plan)
{
	CHECK(sonde_ions_job_plan(context, job, plan));
	const sonde_status status = prepare(context, &(*plan)->plan, path);
	if (status != SONDE_OK)
		sonde_ions_plan_free(plan);
	return status;
}

const struct ions_plan *ions_run_plan_of(const struct sonde_ions_plan *plan)
{
	return &plan->plan;
}

const sonde_ions_options *sonde_ions_plan_options(const struct sonde_ions_plan *plan)
{
	return &plan->plan.options;
}

/* Whether a value is in the range of an integer option. */
static sonde_status check_integer(const char *name, int64_t value, double least)
{
	const struct option_row *row = options_find(&ions_option_table, name);

	if ((double)value >= least && (double)value <= row->maximum)
		return SONDE_OK;
	return status_fail_option(SONDE_INVALID, name, "%lld is out of range: %g to %g are possible",
				  (long long)value, least, row->maximum);
}

sonde_status sonde_ions_plan_set_number(struct sonde_ions_plan *plan, int64_t number)
{
	CHECK(check_integer("number", number, 1.0));
	plan->plan.options.number = number;
	return SONDE_OK;
}

sonde_status sonde_ions_plan_set_seed(struct sonde_ions_plan *plan, int64_t seed)
{
	CHECK(check_integer("seed", seed, 0.0));
	ions_plan_set_seed(&plan->plan, seed);
	return SONDE_OK;
}

static sonde_status execute(const struct sonde_ions_plan *plan, const char *path, double began,
			    sonde_ions_result **result)
{
	struct run_state run = {
	    .context = plan->context, .plan = &plan->plan, .path = path, .began = began, .saved = began};

	return run_plan(&run, result);
}

sonde_status sonde_ions_execute(struct sonde_ions_plan *plan, sonde_ions_result **result)
{
	*result = NULL;
	if (plan == NULL)
		return status_fail(SONDE_INVALID, "a plan is needed, it is null");
	return execute(plan, NULL, clock_seconds(), result);
}

void sonde_ions_plan_free(struct sonde_ions_plan **plan)
{
	if (plan == NULL || *plan == NULL)
		return;
	ions_plan_free(&(*plan)->plan);
	free(*plan);
	*plan = NULL;
}

static sonde_status run_options(sonde_context *context, const sonde_ions_options *options,
				const struct settled_job *settled, const char *path, sonde_ions_result **result)
{
	double began = clock_seconds();
	struct sonde_ions_plan *plan;

	*result = NULL;
	/* devices that the user names; for others the length of the run must be known */
	if (context != NULL && !context_expects(context))
		sonde_context_prepare(context);
	CHECK(make_plan(context, options, settled, &plan));
	const sonde_status status = execute(plan, path, began, result);
	sonde_ions_plan_free(&plan);
	return status;
}

static sonde_status run_to_file(sonde_context *context, const sonde_ions_options *options,
				const struct settled_job *settled, const char *path, int overwrite,
				sonde_ions_result **result)
{
	CHECK(ions_check_format(path));
	/* the resumed file is replaced by the extended one */
	bool replace = overwrite != 0 || options->resume != 0;
	CHECK(file_check_output(path, replace));
	if (!context_writes(context))
		return run_options(context, options, settled, path, result);
	struct output_lock lock;
	sonde_status status = output_lock_take(path, &lock);
	if (status == SONDE_OK)
		status = run_options(context, options, settled, path, result);
	if (status == SONDE_OK)
		status = sonde_ions_result_write(*result, path, replace);
	if (status == SONDE_OK)
		checkpoint_remove(path);
	else
		sonde_ions_result_free(result);
	output_lock_release(&lock);
	return status;
}

sonde_status sonde_ions_run(sonde_context *context, const sonde_ions_options *options, sonde_ions_result **result)
{
	return run_options(context, options, NULL, NULL, result);
}

sonde_status sonde_ions_run_to_file(sonde_context *context, const sonde_ions_options *options, const char *path,
				    int overwrite, sonde_ions_result **result)
{
	*result = NULL;
	if (path == NULL || options == NULL)
		return status_fail(SONDE_INVALID, "a file and options are needed, one of them is null");
	return run_to_file(context, options, NULL, path, overwrite, result);
}

sonde_status sonde_ions_job_run(sonde_context *context, const sonde_ions_job *job, const char *path, int overwrite,
				sonde_ions_result **result)
{
	struct settled_job settled;

	*result = NULL;
	sonde_status status = ions_job_settle(job, &settled);
	if (status == SONDE_OK && path != NULL)
		status = run_to_file(context, settled.options, &settled, path, overwrite, result);
	else if (status == SONDE_OK)
		status = run_options(context, settled.options, &settled, NULL, result);
	ions_job_settled_free(&settled);
	return status;
}
