/* Jobs of refinements: for any contents of a file there is a job, whose formulas have values, or a message. */
#include "fuzz/fuzz.h"

#include <math.h>

#include "refine/job.h"
#include "refine/smoothing.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static double nodes[SMOOTHING_MOST], weights[SMOOTHING_MOST];
	struct refine_job *job;
	const sonde_status status = refine_job_read(memory_file(data, size), &job);

	if (status != SONDE_OK) {
		REQUIRE(job == NULL && (status == SONDE_INVALID || status == SONDE_RESOURCE));
		REQUIRE_MESSAGE();
		return 0;
	}
	REQUIRE(job->count > 0 && job->curve_count > 0 && job->curves[0].measured != NULL);
	for (int k = 0; k < job->count; ++k) {
		const struct refine_parameter *parameter = &job->parameters[k];
		double spread;
		REQUIRE(parameter->bound.start >= parameter->bound.lower &&
			parameter->bound.start <= parameter->bound.upper && parameter->bound.scale > 0.0);
		if (!(parameter->grid > 0.0))
			continue;
		REQUIRE(refine_job_spread(job, k, job->starts, &spread) == SONDE_OK);
		const int count = smoothing_nodes(job->starts[k], parameter->grid, spread, nodes, weights);
		REQUIRE(count >= 0 && count <= SMOOTHING_MOST);
	}
	for (int k = 0; k < job->derived_count; ++k) {
		double value;
		REQUIRE(refine_job_derive(job, k, job->starts, &value) == SONDE_OK && isfinite(value));
	}
	refine_job_free(&job);
	return 0;
}
