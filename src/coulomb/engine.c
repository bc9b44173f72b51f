/* The engine's row: input, work and reports of `sonde coulomb`. */
#include "run/engine.h"

#include <stdio.h>
#include <string.h>

#include "base/lock.h"

#include "coulomb/describe.h"
#include "coulomb/kernels/kernels.h"
#include "coulomb/option_table.h"
#include "coulomb/output/result.h"
#include "coulomb/output/units.h"
#include "coulomb/job_plan.h"
#include "coulomb/prepare.h"
#include "io/atoms/atom_sink.h"
#include "run/checkpoint.h"
#include "run/unfinished.h"

static sonde_status choose_frame(const void *of, int64_t *frame)
{
	const sonde_coulomb_options *options = of;

	if (options->frames != SONDE_COULOMB_FRAMES_ALL)
		return SONDE_OK;
	if (*frame != 0)
		return status_fail_option(SONDE_INVALID, "frames", "all and `frame %lld` exclude one another",
					  (long long)*frame);
	*frame = ATOM_ALL_FRAMES;
	return SONDE_OK;
}

static sonde_status write(const void *result, const char *path, bool overwrite)
{
	return sonde_coulomb_result_write(result, path, overwrite);
}

static sonde_status append_table(const void *result, struct text *text)
{
	return coulomb_table_text(result, false, text);
}

static void free_result(void **result)
{
	sonde_coulomb_result *coulomb = *result;

	sonde_coulomb_result_free(&coulomb);
	*result = NULL;
}

static sonde_status read_result(sonde_context *context, const char *path, void **result)
{
	sonde_coulomb_result *coulomb = NULL;
	const sonde_status status = sonde_coulomb_result_read(context, path, &coulomb);

	*result = coulomb;
	return status;
}

/* The values of a grid are written to the file slab by slab, unless they are needed in memory. */
static sonde_status compute_and_write(sonde_context *context, const struct engine_request *request, void **result)
{
	const sonde_coulomb_options *options = request->options;
	const bool streamed = request->output != NULL && !request->values_needed,
		   overwrite = request->overwrite || options->resume;
	sonde_coulomb_result *coulomb;

	CHECK(coulomb_run_kept(context, request->atoms, options, request->output, overwrite, streamed, &coulomb));
	*result = coulomb;
	const sonde_status status = !streamed && request->output != NULL && context_writes(context)
					? write(coulomb, request->output, overwrite)
					: SONDE_OK;
	if (status != SONDE_OK)
		free_result(result);
	else if (request->output != NULL && context_writes(context))
		checkpoint_remove(request->output);
	return status;
}

/* The output is locked with its checkpoint. */
static sonde_status run(sonde_context *context, const struct engine_request *request, void **result)
{
	struct output_lock lock;

	if (request->output == NULL || !context_writes(context))
		return compute_and_write(context, request, result);
	sonde_status status = output_lock_take(request->output, &lock);
	if (status == SONDE_OK)
		status = compute_and_write(context, request, result);
	output_lock_release(&lock);
	return status;
}

static sonde_status report_plan(const struct coulomb_job_plan *job, struct engine_estimate *estimate,
				struct report *report)
{
	struct text method = {0}, precision = {0};

	option_print(options_find(&coulomb_option_table, "method"), &job->options, &method);
	option_print(options_find(&coulomb_option_table, "precision"), &job->options, &precision);
	const sonde_status status = text_status(&method) == SONDE_OK ? text_status(&precision) : text_status(&method);
	if (status == SONDE_OK) {
		snprintf(estimate->method, sizeof estimate->method, "%s", method.bytes);
		report_line(report, "precision", "%s", precision.bytes);
		report_text(report, "precision", precision.bytes);
	}
	text_free(&method);
	text_free(&precision);
	report_line(report, "charges", "%u%s", job->charges, job->sets > 1 ? " in several sets" : "");
	report_integer(report, "charges", job->charges);
	report_integer(report, "charge_sets", job->sets);
	if (job->is_grid)
		report_line(report, "points", "%lld x %lld x %lld = %.4g", (long long)job->size[0],
			    (long long)job->size[1], (long long)job->size[2], (double)job->points);
	else
		report_line(report, "points", "%lld", (long long)job->points);
	report_integer(report, "points", job->points);
	if (job->is_grid)
		report_integers(report, "grid", job->size, 3);
	report_line(report, "evaluations", "%.4g of a charge at a point", job->evaluations);
	report_number(report, "evaluations", job->evaluations);
	report_line(report, "error", "below %.2g of the potential (root mean square)", job->options.tolerance);
	report_number(report, "tolerance", job->options.tolerance);
	if (job->file_bytes > 0.0)
		report_line(report, "file", "about %.3g MB", 1e-6 * job->file_bytes);
	report_number(report, "file_bytes", job->file_bytes);
	return status;
}

static sonde_status plan(sonde_context *context, const struct engine_request *request,
			 struct engine_estimate *estimate, struct report *report)
{
	struct coulomb_job_plan job;

	CHECK(coulomb_job_plan(context, request, &job, estimate));
	return report_plan(&job, estimate, report);
}

static void report_numbers_of(const sonde_coulomb_result *result, struct report *report)
{
	report_integer(report, "charge_sets", result->charge_sets);
	report_integer(report, "charges", result->charge_count);
	report_integer(report, "points", result->point_count);
	report_decimal(report, "seconds", result->seconds, 6);
	report_number(report, "relative_error", text_round_up(result->relative_error, 3));
	report_number(report, "largest_error", text_round_up(result->largest_error, 3));
	report_number(report, "field_error", text_round_up(result->field_error, 3));
	report_number(report, "largest_field_error", text_round_up(result->largest_field_error, 3));
	report_text(report, "unit", sonde_coulomb_unit(result));
}

static void summarize(const void *of, const struct engine_request *request, struct report *report)
{
	const sonde_coulomb_result *result = of;
	struct text errors = {0};
	char name[24];

	report_numbers_of(result, report);
	if (result->charge_sets > 1)
		report_print(report, "%d sets of ", result->charge_sets);
	report_print(report, "%lld charges (%s %.6g e), %lld points, %s, %.2f s\n", (long long)result->charge_count,
		     result->charge_sets > 1 ? "the first together" : "together", result->total_charge,
		     (long long)result->point_count, coulomb_method_name(result), result->seconds);
	coulomb_append_errors(result, "error: ", &errors);
	report_print(report, "%s", errors.bytes != NULL ? errors.bytes : "");
	text_free(&errors);
	for (int s = 0; result->forces != NULL && s < result->charge_sets; ++s)
		report_print(report, "energy%s: %.10g %s\n", coulomb_set_name(result, s, name), result->energies[s],
			     coulomb_energy_unit(result));
	if (result->coincident > 0)
		report_note(report, "%lld times a charge coincides with a point and was omitted there (`self`)",
			    (long long)result->coincident);
	if (result->masked > 0)
		report_note(report, "%lld points are excluded by the mask", (long long)result->masked);
	if (request->output != NULL && coulomb_file_for_each_set(request->output, result->charge_sets))
		report_note(report, "%s: one file per set, with _1, _2 ... at the end of the name", request->output);
}

static double seconds(const void *result)
{
	return ((const sonde_coulomb_result *)result)->seconds;
}

static const struct device_program *const programs[] = {&coulomb_program, &coulomb_sets_program,
							&coulomb_points_program, NULL};

const struct engine coulomb_engine = {
    .name = "coulomb",
    .summary = "electrostatic potential and field of point charges on a grid",
    .usage = "sonde coulomb SAMPLE.pqr|SAMPLE.xyz [options] [-o FILE]\n"
	     "       sonde coulomb JOB.yaml [options]",
    .description =
	"Computes phi(p) = k/epsilon sum_j q_j/|p - r_j| and E = -grad phi with open or periodic boundaries, on a "
	"grid around the atoms, on a plane or line, or at points from a file. Charges come from a PQR file, an "
	"extended XYZ file with a column of charges, or by label.\n\n"
	"FILE may end in .dx or .dx.gz (OpenDX: the potential on a grid), .cube, .cube.gz or .cub (Gaussian cube), "
	".vtk (VTK image), .mrc, .map or .ccp4 (the potential in float32), .h5, .hdf5 or .nxs (HDF5 in NeXus form, "
	"with all quantities), or in .xy, .dat, .txt or .csv (a table of x y z, potential and field). Without -o the "
	"table is written to the standard output. --plot draws a plane, the middle layer of a grid, or a line. Some "
	"points are recomputed in compensated float64; their error is reported and stored.",
    .examples =
	"sonde coulomb molecule.pqr --spacing 0.5 --padding 10 -o phi.dx\n"
	"sonde coulomb nacl.xyz --charges Na=1,Cl=-1 --plane z=3.5 --spacing 0.2 -o slice.h5 --plot slice.png\n"
	"sonde coulomb molecule.pqr --points where.txt --quantity both --units kT/e -o there.csv",
    .options = &coulomb_option_table,
    .abilities = ENGINE_SAMPLE | ENGINE_DEVICES | ENGINE_PICTURE | ENGINE_RANKS,
    .inputs = ENGINE_SAMPLE_FILES " " ENGINE_JOB_FILES,
    .outputs = ENGINE_VOLUME_FILES " " ENGINE_TABLE_FILES,
    .stream = "txt",
    .programs = programs,
    .check_format = coulomb_check_format,
    .choose_frame = choose_frame,
    .plan = plan,
    .run = run,
    .is_checkpoint_file = unfinished_is_checkpoint,
    .describe_checkpoint_file = unfinished_describe,
    .write = write,
    .append_table = append_table,
    .summarize = summarize,
    .seconds = seconds,
    .describe = coulomb_describe,
    .contents = coulomb_contents,
    .read = read_result,
    .free_result = free_result};
