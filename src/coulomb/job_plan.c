#include "coulomb/job_plan.h"

#include <string.h>

#include "coulomb/estimate.h"
#include "coulomb/method/choose.h"
#include "coulomb/output/delivery.h"
#include "coulomb/prepare.h"

#define BYTES_OF_CHARGE 64.0
#define BYTES_OF_RUN 64e6
/* Plans the batches of charges, each by the start of its run. */
static sonde_status estimate_batches(struct coulomb_run *run, struct coulomb_job_plan *job,
				     struct engine_estimate *estimate)
{
	const bool one = run->options->boundary != SONDE_COULOMB_BOUNDARY_OPEN;

	for (uint32_t first = 0; first < run->charges.sets;) {
		struct charges charges;
		struct coulomb_periodic periodic = {0};
		struct coulomb_plan plan = {0};
		double seconds = 0.0;
		first += charges_of_sets(&run->charges, first, one, &charges);
		sonde_status status = coulomb_plan_batch(run, &charges, &periodic, &plan);
		if (status == SONDE_OK)
			status = coulomb_make_ewald(run->context, &charges, &run->targets, &plan, &periodic);
		if (status == SONDE_OK) {
			job->options = plan.options;
			if (plan.cell != NULL && plan.options.method == SONDE_COULOMB_METHOD_DIRECT)
				job->options.method = SONDE_COULOMB_METHOD_EWALD;
			job->evaluations += coulomb_evaluations(&charges, &run->targets, &plan);
			status = coulomb_estimate_seconds(run->context, &charges, &run->targets, &plan, &seconds);
		}
		estimate->seconds += seconds;
		coulomb_periodic_free(&periodic);
		coulomb_plan_free(&plan);
		CHECK(status);
	}
	return SONDE_OK;
}

static sonde_status estimate_job(struct coulomb_run *run, const char *path, struct coulomb_job_plan *job,
				 struct engine_estimate *estimate)
{
	double seconds;

	CHECK(coulomb_run_prepare(run));
	const double numbers = (double)run->targets.count * run->charges.sets *
			       (run->options->quantity == SONDE_COULOMB_QUANTITY_POTENTIAL ? 1.0 : 4.0);
	*job = (struct coulomb_job_plan){.charges = run->charges.count,
					 .sets = run->charges.sets,
					 .is_grid = run->targets.is_grid,
					 .points = run->targets.count};
	memcpy(job->size, run->targets.size, sizeof job->size);
	if (run->path != NULL && delivery_mirrored(run->path))
		coulomb_run_mirror(run);
	CHECK(estimate_batches(run, job, estimate));
	CHECK(coulomb_estimate_file(run->context, path, &run->targets, numbers, &job->file_bytes, &seconds));
	estimate->seconds += seconds;
	estimate->host_memory =
	    BYTES_OF_RUN + BYTES_OF_CHARGE * run->charges.count + (run->path == NULL ? 8.0 * numbers : 0.0);
	return SONDE_OK;
}

sonde_status coulomb_job_plan(sonde_context *context, const struct engine_request *request,
			      struct coulomb_job_plan *job, struct engine_estimate *estimate)
{
	sonde_coulomb_options options;

	CHECK(coulomb_settle_options(request->atoms, request->options, &options));
	struct coulomb_run run = {.context = context,
				  .atoms = request->atoms,
				  .options = &options,
				  .path = request->values_needed ? NULL : request->output,
				  .overwrite = request->overwrite};
	const sonde_status status = estimate_job(&run, request->output, job, estimate);
	coulomb_run_free(&run);
	return status;
}
