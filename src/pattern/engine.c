/* The engine's row: input, work and reports of `sonde pattern`. */
#include "run/engine.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/lock.h"
#include "base/memory.h"
#include "pattern/average/average.h"
#include "pattern/average/kept.h"
#include "pattern/average/picture.h"
#include "pattern/company.h"
#include "pattern/detector/response.h"
#include "pattern/outputs.h"
#include "pattern/partials.h"
#include "pattern/run.h"
#include "run/checkpoint.h"

#define LARGE_SAMPLE 150000 /* bytes: a few thousand atoms, whose pattern may take longer than the start of a GPU */

static sonde_status write(const void *result, const char *path, bool overwrite)
{
	return sonde_pattern_result_write(result, path, overwrite);
}

static sonde_status append_table(const void *result, struct text *text)
{
	return pattern_table_text(result, false, text);
}

static void free_result(void **result)
{
	sonde_pattern_result *pattern = *result;

	sonde_pattern_result_free(&pattern);
	*result = NULL;
}

static sonde_status read_result(sonde_context *context, const char *path, void **result)
{
	sonde_pattern_result *pattern = NULL;
	const sonde_status status = sonde_pattern_result_read(context, path, &pattern);

	*result = pattern;
	return status;
}

/* "14 (q) x 32 (phi)" */
static void append_sizes(int geometry, int axis_count, const int64_t *sizes, int64_t count, char *text, size_t size)
{
	size_t used = 0;

	text[0] = '\0';
	for (int axis = 0; axis < axis_count && used < size; ++axis)
		used += (size_t)snprintf(text + used, size - used, "%s%lld (%s)", axis > 0 ? " x " : "",
					 (long long)sizes[axis], pattern_axis_name(geometry, axis));
	if (axis_count == 0)
		snprintf(text, size, "%lld", (long long)count);
}

static sonde_status report_plan(const struct pattern_plan *plan, struct engine_estimate *estimate,
				struct report *report)
{
	const struct pattern_pixels *pixels = &plan->pixels;
	const double terms = (double)plan->sample.count * (double)pixels->count;
	char sizes[160];

	if (plan->fast.chosen)
		snprintf(estimate->method, sizeof estimate->method,
			 "Fourier transforms, tolerance %.3g, windows of %d points", plan->fast.tolerance,
			 plan->fast.width);
	else
		snprintf(estimate->method, sizeof estimate->method, "direct sum, %s%s",
			 plan->options.precision == SONDE_PATTERN_PRECISION_FLOAT32 && !plan->products ? "float32"
												       : "float64",
			 plan->products ? ", products of matrices" : "");
	report_line(report, "atoms", "%lld", (long long)plan->sample.count);
	report_integer(report, "atoms", plan->sample.count);
	append_sizes(pixels->geometry, pixels->axis_count, pixels->sizes, pixels->count, sizes, sizeof sizes);
	report_line(report, "points", "%s", sizes);
	report_integer(report, "points", pixels->count);
	report_line(report, "terms", "%.4g of an atom at a point", terms);
	report_number(report, "terms", terms);
	if (plan->fast.chosen)
		report_line(report, "transforms", "%d for each patch of reciprocal space, of %d class%s of atoms",
			    plan->fast.transforms, plan->sample.class_count,
			    plan->sample.class_count == 1 ? "" : "es");
	if (plan->fast.gain >= 1.0) /* the reason of the choice */
		report_line(report, "choice", "the direct sum would take about %.3g times as long as the fast method",
			    plan->fast.gain);
	else if (plan->fast.gain > 0.0)
		report_line(report, "choice", "the fast method would take about %.3g times as long as the direct sum",
			    1.0 / plan->fast.gain);
	return SONDE_OK;
}

/* The sample of which the mean is, if it is one. */
static sonde_status report_mean(const sonde_context *context, const struct pattern_plan *plan, enum average_kind kind,
				struct engine_estimate *estimate, struct report *report)
{
	struct turns turns;
	char text[80];

	sonde_status status = turns_make(&plan->options, &turns);
	if (status == SONDE_OK && turns.turned) {
		turns_describe(&turns, text, sizeof text);
		report_line(report, "orientations", "%s", text);
		report_integer(report, "orientations", turns.count);
	}
	if (status == SONDE_OK && plan->options.shots > 0) {
		const double bytes = (double)sizeof(double) * (double)plan->pixels.count * plan->repeats;
		report_line(report, "file", "%.3g %s of shots", bytes < 1e9 ? 1e-6 * bytes : 1e-9 * bytes,
			    bytes < 1e9 ? "MB" : "GB");
		report_number(report, "shots_bytes", bytes);
	}
	if (status == SONDE_OK && (kind != AVERAGE_ONE || average_is_needed(&plan->options)))
		estimate->host_memory += average_bytes(context, plan, &turns, kind, estimate->device_memory > 0.0);
	turns_free(&turns);
	return status;
}

/* Whether the output is a table: a file, or the standard output if there is no picture. */
static bool writes_table(const struct engine_request *request)
{
	return request->output != NULL ? pattern_is_table(request->output) : !request->values_needed;
}

/* The processor time of the plan of another sample, which the fast method makes for each. */
static sonde_status time_plan(sonde_context *context, const sonde_atoms *atoms, const struct pattern_plan *first,
			      double *seconds)
{
	const double began = clock_processor_seconds();
	struct pattern_plan *plan;

	CHECK(memory_allocate(&plan, 1, sizeof *plan, "the plan"));
	context_mute(context, true);
	const sonde_status status = pattern_plan_follow(context, atoms, first, plan);
	context_mute(context, false);
	pattern_plan_free(plan);
	free(plan);
	*seconds = clock_processor_seconds() - began;
	return status;
}

static sonde_status plan_sample(sonde_context *context, const struct engine_request *request,
				const sonde_atoms *atoms, enum average_kind kind, int64_t samples,
				struct engine_estimate *estimate, struct report *report)
{
	struct pattern_plan *made;
	double began = 0.0, of_another = 0.0;

	CHECK(memory_allocate(&made, 1, sizeof *made, "the plan"));
	sonde_status status = pattern_plan_make(context, atoms, request->options, made);
	if (status == SONDE_OK)
		status = average_choose(context, samples, made);
	began = clock_processor_seconds();
	if (status == SONDE_OK)
		status = average_find_cycles(context, made);
	if (status == SONDE_OK && samples > 1 && made->fast.chosen)
		status = time_plan(context, atoms, made, &of_another);
	const double only_here = clock_processor_seconds() - began; /* and not in the run */
	if (status == SONDE_OK)
		status = pattern_estimate(context, made, samples, writes_table(request), estimate);
	estimate->seconds += of_another * (double)(samples - 1) - only_here;
	if (status == SONDE_OK)
		status = report_plan(made, estimate, report);
	if (status == SONDE_OK)
		status = report_mean(context, made, kind, estimate, report);
	pattern_plan_free(made);
	free(made);
	return status;
}

/* The first sample stands for all. */
static sonde_status plan_samples(sonde_context *context, const struct engine_request *request,
				 struct samples *samples, struct engine_estimate *estimate, struct report *report)
{
	const sonde_pattern_options *options = request->options;
	const bool frames = samples_are_frames(samples);
	const struct sample *sample;

	report_line(report, frames ? "frames" : "samples", "%lld%s", (long long)samples_count(samples),
		    frames ? "" : "; the first one:");
	report_integer(report, frames ? "frames" : "samples", samples_count(samples));
	CHECK(samples_check_blocks(options->error_blocks, frames, samples_count(samples)));
	CHECK(samples_next(samples, &sample));
	if (sample == NULL)
		return status_fail(SONDE_INVALID, "%s: there is no sample", samples_source(samples));
	const sonde_status status =
	    samples_prefix(samples, sample,
			   plan_sample(context, request, sample->atoms, frames ? AVERAGE_FRAMES : AVERAGE_MIXTURE,
				       samples_count(samples), estimate, report));
	estimate->host_memory += samples_memory(samples, sample->atoms);
	return status;
}

/* The options of build of a request without a file. */
static struct samples_choice choice_of(const struct engine_request *request)
{
	const bool built = request->sample_file == NULL && request->build != NULL && request->build->present;

	return pattern_samples_choice(request->options, request->sample_file, built ? request->build->options : NULL);
}

static bool reads_samples(const struct engine_request *request)
{
	const struct samples_choice choice = choice_of(request);

	return samples_are_several(&choice);
}

/* Errors of a description are those of keys of the job. */
static sonde_status open_samples(sonde_context *context, const struct engine_request *request, bool counted,
				 struct samples **samples)
{
	const struct samples_choice choice = choice_of(request);
	const sonde_status status = samples_open(context, &choice, counted, samples);

	if (status != SONDE_INVALID || choice.build == NULL || request->job == NULL)
		return status;
	status_name_keys();
	return status_prefix(status, "%s: build", request->job);
}

/* Standard errors from blocks are those of frames. */
static sonde_status check_blocks(const struct engine_request *request)
{
	const sonde_pattern_options *options = request->options;

	return request->atoms == NULL || options->error_blocks == 0
		   ? SONDE_OK
		   : status_fail_option(SONDE_INVALID, "error_blocks",
					"is for means over `frames` of a trajectory, and this is one sample");
}

static sonde_status check(const struct engine_request *request)
{
	const sonde_pattern_options *options = request->options;

	CHECK(pattern_check_company(options));
	CHECK(partials_check(options, average_is_needed(options) || options->frames[0] != '\0'));
	if (options->shots > 0 && request->output != NULL)
		CHECK(shots_check_format(request->output));
	if (options->shots > 0 && request->output == NULL && request->values_needed)
		return status_fail_option(SONDE_INVALID, "shots", "no file is given; name it by `output`");
	if (options->shots == 0 && request->output != NULL && file_has_suffix(request->output, ".cxi"))
		return status_fail_option(SONDE_INVALID, "output", "a .cxi file is for `shots`");
	return average_check(options);
}

static sonde_status plan(sonde_context *context, const struct engine_request *request,
			 struct engine_estimate *estimate, struct report *report)
{
	struct samples *samples;

	CHECK(check_blocks(request));
	if (request->atoms != NULL)
		return plan_sample(context, request, request->atoms, AVERAGE_ONE, 1, estimate, report);
	CHECK(open_samples(context, request, true, &samples));
	const sonde_status status = plan_samples(context, request, samples, estimate, report);
	samples_close(&samples);
	return status;
}

/* Whether there may be a checkpoint. */
static bool is_kept(const struct engine_request *request)
{
	return request->output != NULL;
}

static sonde_status compute(sonde_context *context, const struct engine_request *request,
			    sonde_pattern_result **pattern)
{
	const sonde_pattern_options *options = request->options;
	struct samples *samples;

	CHECK(check_blocks(request));
	if (request->atoms != NULL)
		return pattern_run_to(context, request->atoms, options, request->output,
				      request->overwrite || options->resume, pattern);
	CHECK(open_samples(context, request, options->shots > 0, &samples));
	const sonde_status status = pattern_run_samples(context, options, samples, request->output,
							request->overwrite || options->resume, pattern);
	samples_close(&samples);
	return status;
}

static sonde_status compute_and_write(sonde_context *context, const struct engine_request *request,
				      sonde_pattern_result **pattern)
{
	const sonde_pattern_options *options = request->options;
	const bool kept = is_kept(request);

	CHECK(compute(context, request, pattern));
	if (!context_writes(context))
		return SONDE_OK;
	sonde_status status = SONDE_OK;
	if (request->output != NULL && options->shots == 0)
		status = write(*pattern, request->output, request->overwrite || (kept && options->resume));
	if (status == SONDE_OK && kept)
		checkpoint_remove(request->output);
	if (status != SONDE_OK)
		sonde_pattern_result_free(pattern);
	return status;
}

/* The output is locked with its checkpoint. */
static sonde_status run(sonde_context *context, const struct engine_request *request, void **result)
{
	sonde_pattern_result *pattern = NULL;
	struct output_lock lock;
	sonde_status status;

	if (is_kept(request) && context_writes(context)) {
		status = output_lock_take(request->output, &lock);
		if (status == SONDE_OK)
			status = compute_and_write(context, request, &pattern);
		output_lock_release(&lock);
	} else {
		status = compute_and_write(context, request, &pattern);
	}
	*result = pattern;
	return status;
}

static void summarize_mean(const sonde_pattern_result *result, struct report *report)
{
	if (result->orientation_count > 0)
		report_integer(report, "orientations", result->orientation_count);
	if (result->sample_count > 0)
		report_integer(report, "samples", result->sample_count);
	if (result->error_values > 0)
		report_integer(report, "error_values", result->error_values);
	if (result->options->shots > 0) {
		const int64_t shots = result->options->shots * (result->sample_count > 0 ? result->sample_count : 1);
		report_integer(report, "shots", shots);
		report_print(report, "%lld shots, all of them in the file\n", (long long)shots);
	}
	if (result->sample_count > 0)
		report_print(report, "mean of %lld %s\n", (long long)result->sample_count,
			     result->options->frames[0] != '\0' || result->options->topology[0] != '\0' ? "frames"
													: "samples");
	if (result->orientation_count > 1)
		report_print(report, "mean of %lld orientations%s\n", (long long)result->orientation_count,
			     result->sample_count > 0 ? " of each" : "");
	if (result->copy_count > 0)
		report_print(report, "sum of %lld copies without interference\n", (long long)result->copy_count);
	if (result->error_values > 0)
		report_print(report, "standard errors from %lld independent values\n",
			     (long long)result->error_values);
}

static void summarize_parts(const sonde_pattern_result *result, struct report *report)
{
	double largest = 0.0;

	for (int p = 0; p < result->partial_count; ++p)
		largest = fmax(largest, result->partial_errors[p]);
	if (result->partial_count == 0)
		return;
	report_number(report, "largest_error_of_parts", text_round_up(largest, 3));
	report_print(report, "error: %.2g of sqrt(sum |f|^2) of a part in its F, the largest of %d parts\n",
		     text_round_up(largest, 2), result->partial_count);
}

static void summarize(const void *of, const struct engine_request *request, struct report *report)
{
	const sonde_pattern_result *result = of;
	const double terms = (double)result->atom_count * (double)result->count;
	const bool fast = result->options->method == SONDE_PATTERN_METHOD_FAST;
	char sizes[160];

	(void)request;
	report_integer(report, "atoms", result->atom_count);
	report_integer(report, "points", result->count);
	report_number(report, "terms", terms);
	report_decimal(report, "seconds", result->seconds, 6);
	report_number(report, "largest_error", text_round_up(result->largest_error, 3));
	report_integer(report, "checked_points", result->checked_points);
	append_sizes(result->geometry, result->axis_count, result->sizes, result->count, sizes, sizeof sizes);
	report_text(report, "method", fast ? "fast" : "direct");
	report_print(report, "%lld atoms, %s points, %.2f s\n", (long long)result->atom_count, sizes,
		     result->seconds);
	if (fast)
		report_print(report, "fast method: Fourier transforms, tolerance %.3g\n", result->options->tolerance);
	report_print(report,
		     "error: %.2g of sqrt(sum |f|^2) in F, the largest at %lld points that were computed again\n",
		     text_round_up(result->largest_error, 2), (long long)result->checked_points);
	summarize_parts(result, report);
	response_report(result, report);
	summarize_mean(result, report);
	if (result->atoms_present < (double)result->atom_count)
		report_print(report, "occupancies: %lld sites hold %.10g atoms on average\n",
			     (long long)result->atom_count, result->atoms_present);
}

static double seconds(const void *result)
{
	return ((const sonde_pattern_result *)result)->seconds;
}

static bool is_checkpoint(const char *path)
{
	return kept_is_checkpoint(path) || picture_is_checkpoint(path);
}

static sonde_status describe_checkpoint(const char *path, struct report *report)
{
	return picture_is_checkpoint(path) ? picture_describe(path, report) : kept_describe(path, report);
}

static const struct device_program *const programs[] = {&pattern_program, NULL};

const struct engine pattern_engine = {
    .name = "pattern",
    .summary = "diffraction pattern |F(q)|^2 of particles and crystals in all directions",
    .usage =
	"sonde pattern SAMPLE.xyz[.gz] --wavelength ANGSTROM [options] [-o FILE] [--plot FILE.png]\n"
	"       sonde pattern SAMPLE.xyz[.gz] --detector COLUMNS,ROWS --distance MM --wavelength ANGSTROM [options]\n"
	"       sonde pattern SAMPLE.vasp --h FIRST:LAST:POINTS --k ... --l ... [options] [-o FILE]\n"
	"       sonde pattern SAMPLE.xyz[.gz] --q-list FILE [options] [-o FILE]\n"
	"       sonde pattern TRAJECTORY --frames start:stop:step [--topology FILE] [options] [-o FILE]\n"
	"       sonde pattern LIST.csv [options] [-o FILE]\n"
	"       sonde pattern JOB.yaml [options]",
    .description =
	"Computes I(q) = |sum_j f_j(q) exp(i q.r_j)|^2 by the direct sum over all atoms, or, for many atoms at many "
	"points, by Fourier transforms (--method fast, --tolerance). The scattering vectors are those "
	"of a polar picture on the Ewald sphere (circles of |q|, points of phi about the beam, which is along -z), "
	"of the "
	"pixels of a flat detector (--detector or --poni), of a line, plane or volume of reciprocal space (--h, --k, "
	"--l), or "
	"of a "
	"list (--q-list). Atoms are a particle in a vacuum, even if their file describes a periodic cell. Lengths "
	"are in "
	"Angstrom, q in 1/Angstrom, I in electron units (X-rays), fm^2 (neutrons) or Angstrom^2 (electrons).\n\n"
	"Labels of atoms may be elements (Co), ions (Co2+, O2-) and isotopes (58Ni, D).\n\n"
	"FILE may end in .h5, .hdf5 or .nxs (HDF5 in NeXus form, with all quantities), or in .xy, .dat, .txt or .csv "
	"(a "
	"table of I with q and phi; h, k, and l; x and y; or qx, qy, and qz). Shots may go to .cxi as well. "
	"Without -o and --plot the table is written to standard output. Every result includes its error, found at "
	"points that are computed again by a slower "
	"and "
	"more accurate sum.\n\n"
	"Means of I without interference: over orientations of the sample (--orientations), with --frames over "
	"those of a trajectory, and over the structures of a list, a CSV file with columns file and weight as sonde "
	"build --size-distribution writes it.\n\n"
	"A run that is stopped, by Ctrl-C, is continued by the same command with --resume.",
    .examples =
	"sonde pattern coo.xyz --q 0.5:7:1024 --phi 1024 --wavelength 0.5 -o coo.h5 --plot coo.png\n"
	"sonde pattern coo.xyz --energy 7.7keV --anomalous henke --q 0.1:7:512 -o coo.csv\n"
	"sonde pattern au.xyz.gz --radiation electron --wavelength 0.0251 --precision float32 -o au.h5\n"
	"sonde pattern virus.pdb --detector 1024,1024 --pixel-size 0.075 --distance 300 --energy 6keV -o shot.h5\n"
	"sonde pattern virus.pdb --poni calibrated.poni --fluence 1e12 --beam-stop 1.5 --radial rings.csv -o "
	"shot.h5\n"
	"sonde pattern crystal.vasp --h -4:4:401 --k -4:4:401 --l 1:1:1 -o hk1.h5 --plot hk1.png\n"
	"sonde pattern crystal.xyz --q-list vectors.txt --amplitude -o list.csv\n"
	"sonde pattern large.xyz.gz --q 0.5:7:1024 --phi 1024 --wavelength 0.5 --tolerance 1e-5 -o large.h5\n"
	"sonde pattern rods.xyz --wavelength 1 --orientations fiber:2000 --fiber-direction 0,1,0 --fiber-spread 8 -o "
	"fiber.h5\n"
	"sonde pattern virus.pdb --detector 512,512 --pixel-size 0.15 --distance 300 --energy 6keV --shots 1000 -o "
	"shots.cxi\n"
	"sonde pattern md.lammpstrj --frames 0:1000:10 --h -4:4:401 --k -4:4:401 --amplitude -o diffuse.h5",
    .options = &pattern_option_table,
    .abilities = ENGINE_SAMPLE | ENGINE_DEVICES | ENGINE_PICTURE | ENGINE_COMPACT | ENGINE_RANKS,
    .inputs = ENGINE_SAMPLE_FILES " .dcd .xtc .trr .csv " ENGINE_JOB_FILES,
    .outputs = ENGINE_RESULT_FILES " .cxi",
    .stream = "txt",
    .large_sample = LARGE_SAMPLE,
    .programs = programs,
    .check = check,
    .check_format = pattern_check_format,
    .reads_samples = reads_samples,
    .plan = plan,
    .run = run,
    .write = write,
    .append_table = append_table,
    .write_more = pattern_write_more,
    .summarize = summarize,
    .seconds = seconds,
    .describe = pattern_describe,
    .is_checkpoint_file = is_checkpoint,
    .describe_checkpoint_file = describe_checkpoint,
    .contents = pattern_contents,
    .read = read_result,
    .free_result = free_result};
