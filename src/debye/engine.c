/* The engine's row: input, work and reports of `sonde debye`. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/constants.h"
#include "base/lock.h"
#include "base/memory.h"
#include "base/vectors.h"
#include "debye/motion/displacement.h"
#include "debye/classes/classes.h"
#include "debye/curves/comparison.h"
#include "debye/debye.h"
#include "debye/describe.h"
#include "debye/estimate.h"
#include "debye/company.h"
#include "debye/means/mean_checkpoint.h"
#include "debye/means/frame_lanes.h"
#include "debye/means/mean_run.h"
#include "debye/sums/prepared.h"
#include "matter/crystal/lattice.h"
#include "run/checkpoint.h"
#include "run/engine.h"
#include "run/speed.h"
#include "run/unfinished.h"

#define CURVES_OF_MEAN 4.0  /* the curves of the first sample, sums of all and of their squares, and the mean */
#define LARGE_SAMPLE 150000 /* bytes: a few thousand atoms, whose pattern may take longer than the start of a GPU */

static sonde_status check(const struct engine_request *request)
{
	CHECK(debye_check_company(request->options));
	return request->output != NULL || !request->values_needed
		   ? debye_check_contents(request->output != NULL ? request->output : "", request->options)
		   : SONDE_OK;
}

static sonde_status report_plan(const sonde_atoms *atoms, const struct debye_plan *debye,
				struct engine_estimate *estimate, struct report *report)
{
	struct text method = {0};

	option_print(options_find(&debye_option_table, "method"), &debye->options, &method);
	const sonde_status status = text_status(&method);
	if (status == SONDE_OK)
		snprintf(estimate->method, sizeof estimate->method, "%s", method.bytes);
	text_free(&method);
	report_line(report, "atoms", "%lld, %.4g pairs", (long long)atoms->count, debye->pairs);
	report_integer(report, "atoms", atoms->count);
	report_number(report, "pairs", debye->pairs);
	if (debye->periodic.on) {
		const struct periodic *cell = &debye->periodic;
		report_line(report, "cut-off", "%.6g Angstrom, of %.6g Angstrom%s of a %s", debye->extent,
			    cell->open_count > 0 ? cell->content : cell->volume,
			    cell->open_count == 0   ? "^3"
			    : cell->open_count == 1 ? "^2"
						    : "",
			    cell->open_count == 0   ? "periodic sample"
			    : cell->open_count == 1 ? "slab"
						    : "rod");
		report_number(report, "cutoff_angstrom", debye->extent);
	} else {
		report_line(report, "extent", "%.6g Angstrom", debye->extent);
		report_number(report, "extent_angstrom", debye->extent);
	}
	report_line(report, "q", "%lld points", (long long)debye->points.count);
	report_integer(report, "points", debye->points.count);
	if (debye->rows > 0.0) {
		report_line(report, "lattice", "%.0f rows of cells, %.3g pairs of rows, up to %.3g vectors",
			    debye->rows, debye->row_pairs, debye->vectors);
		report_number(report, "rows", debye->rows);
		report_number(report, "row_pairs", debye->row_pairs);
		report_number(report, "vectors", debye->vectors);
	}
	if (debye->points.all > debye->points.count) {
		report_line(report, "resolution", "%lld further points of q",
			    (long long)(debye->points.all - debye->points.count));
		report_integer(report, "points_of_resolution", debye->points.all - debye->points.count);
	}
	if (debye->bin_count > 0) {
		report_line(report, "bins", "%lld of %.4g Angstrom", (long long)debye->bin_count, debye->bin_width);
		report_integer(report, "bins", debye->bin_count);
		report_number(report, "bin_width_angstrom", debye->bin_width);
	}
	return status;
}

/* A lattice that was found in the positions of atoms. */
static void report_found(const struct sonde_lattice *lattice, struct report *report)
{
	const double(*a)[3] = (const double(*)[3])lattice->vectors;

	report_line(report, "positions",
		    "those of a lattice with edges of %.6g, %.6g, and %.6g Angstrom, within %.1g Angstrom",
		    vector_length(a[0]), vector_length(a[1]), vector_length(a[2]), lattice->deviation);
	report_number(report, "deviation_angstrom", lattice->deviation);
}

/* The memory of further samples, of which frames may be in progress at the same time. */
static sonde_status add_samples(sonde_context *context, const struct samples *samples, const sonde_atoms *sample,
				const sonde_atoms *atoms, const struct debye_plan *debye,
				struct engine_estimate *estimate)
{
	const char *device;
	int lanes = 0;

	if (samples_are_frames(samples))
		CHECK(frame_lanes_choose(context, &debye->options, sample, samples_count(samples) - 1, &lanes,
					 &device));
	estimate->host_memory *= 1.0 + lanes;
	estimate->host_memory += samples_memory(samples, sample) + CURVES_OF_MEAN * debye_curves_memory(atoms, debye);
	return SONDE_OK;
}

/* Of atoms, or of a lattice; null samples: it is the only one. */
static sonde_status plan_sample(sonde_context *context, const struct samples *samples, const sonde_atoms *sample,
				const struct sonde_lattice *lattice, const sonde_debye_options *options,
				struct engine_estimate *estimate, struct report *report)
{
	struct debye_classes classes;
	struct debye_plan debye = {0};
	struct amplitudes amplitudes = {0};
	const sonde_atoms *atoms = &classes.summed;
	sonde_status status;

	CHECK_GOTO(status, debye_prepare(context, sample, lattice, options, false, &classes, &debye), done);
	CHECK_GOTO(status, debye_plan_settle(context, atoms, &debye), done);
	CHECK_GOTO(status, amplitudes_make(context, &classes, &debye, &amplitudes), done);
	CHECK_GOTO(status, debye_estimate(context, atoms, &debye, estimate), done);
	if (samples != NULL)
		CHECK_GOTO(status, add_samples(context, samples, sample, atoms, &debye, estimate), done);
	status = report_plan(atoms, &debye, estimate, report);
	if (status == SONDE_OK && classes.own_lattice != NULL)
		report_found(classes.own_lattice, report);
done:
	amplitudes_free(&amplitudes);
	debye_classes_free(&classes);
	debye_plan_free(&debye);
	return status;
}

/* The options of build of a request without a file. */
static const sonde_build_options *build_of(const struct engine_request *request)
{
	return request->sample_file == NULL && request->build != NULL && request->build->present
		   ? request->build->options
		   : NULL;
}

/* Errors of a description are those of keys of the job. */
static sonde_status open_samples(sonde_context *context, const struct engine_request *request, bool counted,
				 struct samples **samples)
{
	const sonde_build_options *build = build_of(request);
	const struct samples_choice choice = debye_samples_choice(request->options, request->sample_file, build);
	const sonde_status status = samples_open(context, &choice, counted, samples);

	if (status != SONDE_INVALID || build == NULL || request->job == NULL)
		return status;
	status_name_keys();
	return status_prefix(status, "%s: build", request->job);
}

static bool reads_samples(const struct engine_request *request)
{
	const struct samples_choice choice =
	    debye_samples_choice(request->options, request->sample_file, build_of(request));

	return samples_are_several(&choice);
}

/* Standard errors are those of means over frames. */
static sonde_status check_columns(const struct engine_request *request)
{
	const sonde_debye_options *options = request->options;

	return request->atoms != NULL && strstr(options->columns, "standard_error") != NULL
		   ? status_fail_option(SONDE_INVALID, "columns",
					"standard errors are those of means over frames, and this is one sample")
		   : SONDE_OK;
}

/* The first frame stands for all; the other components are planned as well, but only the first is reported. */
static sonde_status plan_others(sonde_context *context, const sonde_debye_options *options, struct samples *samples,
				struct engine_estimate *estimate)
{
	const double count = (double)samples_count(samples);
	const struct sample *sample;
	struct report unused;
	struct speed speed;

	CHECK(speed_find(context, &speed));
	if (samples_are_frames(samples)) {
		estimate->seconds = speed.start + count * (estimate->seconds - speed.start);
		return SONDE_OK;
	}
	for (;;) {
		struct engine_estimate one = {.seconds = 0.0};
		CHECK(samples_next(samples, &sample));
		if (sample == NULL)
			return SONDE_OK;
		report_begin(&unused, "debye", false);
		const sonde_status status =
		    plan_sample(context, samples, sample->atoms, NULL, options, &one, &unused);
		report_free(&unused);
		CHECK(status);
		estimate->seconds += one.seconds - speed.start;
		estimate->host_memory = fmax(estimate->host_memory, one.host_memory);
		estimate->device_memory = fmax(estimate->device_memory, one.device_memory);
	}
}

/* As the run checks them at its beginning. */
static sonde_status check_blocks(sonde_context *context, const sonde_debye_options *options,
				 const struct samples *samples)
{
	struct sonde_debye_mean *mean = NULL;
	const sonde_status status = sonde_debye_mean_begin(
	    context, options, samples_are_frames(samples) ? SONDE_DEBYE_FRAMES : SONDE_DEBYE_MIXTURE,
	    samples_count(samples), &mean);

	sonde_debye_mean_free(&mean);
	return status;
}

static sonde_status plan_samples(sonde_context *context, const struct engine_request *request,
				 struct engine_estimate *estimate, struct report *report)
{
	const sonde_debye_options *options = request->options;
	sonde_debye_options *single = NULL;
	const struct sample *sample;
	struct samples *samples = NULL;
	sonde_status status;

	CHECK_GOTO(status, memory_allocate(&single, 1, sizeof *single, "the options"), done);
	debye_options_of_sample(options, single);
	CHECK_GOTO(status, open_samples(context, request, true, &samples), done);
	const char *name = samples_are_frames(samples) ? "frames" : "samples";
	report_line(report, name, "%lld%s", (long long)samples_count(samples),
		    samples_are_frames(samples) ? "" : "; the first one:");
	report_integer(report, name, samples_count(samples));
	CHECK_GOTO(status, check_blocks(context, options, samples), done);
	CHECK_GOTO(status, samples_next(samples, &sample), done);
	if (sample == NULL)
		status = status_fail(SONDE_INVALID, "%s: there is no sample", samples_source(samples));
	if (status == SONDE_OK)
		status = plan_sample(context, samples, sample->atoms, NULL, single, estimate, report);
	if (status == SONDE_OK)
		status = plan_others(context, single, samples, estimate);
done:
	samples_close(&samples);
	free(single);
	return status;
}

static bool is_single(const struct engine_request *request)
{
	return request->atoms != NULL || request->lattice != NULL;
}

static sonde_status plan(sonde_context *context, const struct engine_request *request,
			 struct engine_estimate *estimate, struct report *report)
{
	CHECK(check_columns(request));
	return is_single(request)
		   ? plan_sample(context, NULL, request->atoms, request->lattice, request->options, estimate, report)
		   : plan_samples(context, request, estimate, report);
}

static sonde_status write(const void *result, const char *path, bool overwrite)
{
	return sonde_debye_result_write(result, path, overwrite);
}

static sonde_status append_table(const void *result, struct text *text)
{
	return debye_table_text(result, false, text);
}

static void free_result(void **result)
{
	sonde_debye_result *debye = *result;

	sonde_debye_result_free(&debye);
	*result = NULL;
}

static sonde_status read_result(sonde_context *context, const char *path, void **result)
{
	sonde_debye_result *debye = NULL;
	const sonde_status status = sonde_debye_result_read(context, path, &debye);

	*result = debye;
	return status;
}

static sonde_status compute(sonde_context *context, const struct engine_request *request, sonde_debye_result **result)
{
	struct samples *samples;

	CHECK(check_columns(request));
	if (is_single(request))
		return debye_run_sample(context, request->atoms, request->lattice, request->options, request->output,
					result);
	CHECK(open_samples(context, request, false, &samples));
	const sonde_status status = debye_run_samples(context, request->options, samples, request->output, result);
	samples_close(&samples);
	return status;
}

static sonde_status compute_and_write(sonde_context *context, const struct engine_request *request,
				      sonde_debye_result **result)
{
	const sonde_debye_options *options = request->options;

	CHECK(compute(context, request, result));
	if (!request->values_needed)
		CHECK(debye_note_unseen(context, options, request->output));
	if (request->output == NULL || !context_writes(context))
		return SONDE_OK;
	const sonde_status status = write(*result, request->output, request->overwrite || options->resume);
	if (status == SONDE_OK)
		checkpoint_remove(request->output);
	if (status != SONDE_OK)
		sonde_debye_result_free(result);
	return status;
}

static bool is_checkpoint(const char *path)
{
	return mean_is_checkpoint(path) || unfinished_is_checkpoint(path);
}

static sonde_status describe_checkpoint(const char *path, struct report *report)
{
	return mean_is_checkpoint(path) ? mean_describe_checkpoint(path, report) : unfinished_describe(path, report);
}

/* The output is locked with its checkpoint. */
static sonde_status run(sonde_context *context, const struct engine_request *request, void **result)
{
	sonde_debye_result *debye = NULL;
	struct output_lock lock;

	sonde_status status;

	if (request->output == NULL || !context_writes(context)) {
		status = compute_and_write(context, request, &debye);
		*result = debye;
		return status;
	}
	status = output_lock_take(request->output, &lock);
	if (status == SONDE_OK)
		status = compute_and_write(context, request, &debye);
	output_lock_release(&lock);
	*result = debye;
	return status;
}

static void summarize_samples(const sonde_debye_result *result, struct report *report)
{
	if (result->sample_count == 0)
		return;
	report_integer(report, "samples", result->sample_count);
	report_integer(report, "error_values", result->error_values);
	report_print(report, "mean of %lld %s", (long long)result->sample_count,
		     result->sample_weights != NULL ? "samples"
		     : result->sample_count == 1    ? "frame"
						    : "frames");
	if (result->error_values > 0)
		report_print(report, ", standard errors from %lld %s", (long long)result->error_values,
			     result->options->error_blocks > 0 ? "blocks" : "independent frames");
	report_print(report, "\n");
}

static void summarize(const void *of, const struct engine_request *request, struct report *report)
{
	const sonde_debye_result *result = of;
	const double pairs = 0.5 * (double)result->atom_count * (double)(result->atom_count - 1);
	const bool periodic = result->options->boundary == SONDE_DEBYE_BOUNDARY_PERIODIC;
	const double repeats =
	    result->q_count > 1 ? PI * (double)(result->q_count - 1) / (result->q[result->q_count - 1] - result->q[0])
				: INFINITY;
	struct text method = {0};

	(void)request;
	option_print(options_find(&debye_option_table, "method"), result->options, &method);
	const char *name = method.bytes != NULL ? method.bytes : "";
	report_integer(report, "atoms", result->atom_count);
	report_integer(report, "points", result->q_count);
	report_text(report, "method", name);
	summarize_samples(result, report);
	report_decimal(report, "seconds", result->seconds, 6);
	report_number(report, "largest_error", text_round_up(result->largest_error, 3));
	report_number(report, "largest_bound", text_round_up(result->largest_bound, 3));
	if (periodic) {
		report_number(report, "cutoff_angstrom", result->options->cutoff);
		report_print(report,
			     "%lld atoms, periodic, distances up to %.6g Angstrom, %lld points of q, %s, %.2f s\n",
			     (long long)result->atom_count, result->options->cutoff, (long long)result->q_count, name,
			     result->seconds);
	} else {
		report_print(report, "%lld atoms, %.4g pairs, %lld points of q, %s, %.2f s\n",
			     (long long)result->atom_count, pairs, (long long)result->q_count, name, result->seconds);
	}
	report_print(report, "error: estimate %.2g, bound %.2g (<f^2> + I/N)\n",
		     text_round_up(result->largest_error, 2), text_round_up(result->largest_bound, 2));
	comparison_summarize(result, report);
	if (result->sample_weights != NULL)
		report_print(report, "%.10g atoms on average\n", result->atoms_present);
	else if (result->atoms_present < (double)result->atom_count)
		report_print(report, "occupancies: %lld sites hold %.10g atoms on average\n",
			     (long long)result->atom_count, result->atoms_present);
	if (result->r_count > 0 && points_are_uniform(result->options) && result->r[result->r_count - 1] > repeats)
		report_note(report, "G(r) is periodic: beyond r = %.4g Angstrom, pi over the step of q, it repeats",
			    repeats);
	text_free(&method);
}

static double seconds(const void *result)
{
	return ((const sonde_debye_result *)result)->seconds;
}

/* Samples that are known to be a lattice need no list of atoms; where the choice is free, large ones do without. */
static enum engine_form take_lattice(const void *of)
{
	const sonde_debye_options *options = of;

	/* labels, displacements of atoms, blocks, and copies need their list */
	if (options->labels[0] != '\0' || options->placements[0] != '\0')
		return ENGINE_FORM_ATOMS;
	if (options->method == SONDE_DEBYE_METHOD_LATTICE)
		return ENGINE_FORM_LATTICE;
	const bool of_atoms =
	    displacements_are_of_sample(options) || options->partials != SONDE_DEBYE_PARTIALS_SPECIES;
	return options->method == SONDE_DEBYE_METHOD_AUTO && options->copies == SONDE_DEBYE_COPIES_EXACT && !of_atoms
		   ? ENGINE_FORM_LATTICE_IF_LARGE
		   : ENGINE_FORM_ATOMS;
}

static const struct device_program *const programs[] = {&debye_program, &debye_images_program, NULL};

const struct engine debye_engine = {
    .name = "debye",
    .summary = "powder pattern I(q), S(q), F(q), G(r) by the Debye equation",
    .usage = "sonde debye SAMPLE.xyz[.gz] [options] [-o FILE] [--plot FILE.png]\n"
	     "       sonde debye TRAJECTORY --frames start:stop:step [--topology FILE] [options] [-o FILE]\n"
	     "       sonde debye LIST.csv [options] [-o FILE]\n"
	     "       sonde debye JOB.yaml [options]",
    .description =
	"Computes I(q) = sum_ij Re(f_i f_j*) sin(q r_ij)/(q r_ij) over all atoms i and j, including i = j, and from "
	"it "
	"S = 1 + (I/N - <f^2>)/<f>^2 (Faber-Ziman), F = q (S - 1), "
	"G(r) = 2/pi int F(q) W(q) sin(q r) dq exp(-(r qdamp)^2/2), and the partials by pair of species. "
	"Lengths are in Angstrom, q in 1/Angstrom, I in electron units (X-rays), fm^2 "
	"(neutrons) or Angstrom^2 (electrons).\n\n"
	"Labels of atoms may be elements (Co), ions (Co2+, O2-) and isotopes (58Ni, D).\n\n"
	"FILE may end in .h5, .hdf5 or .nxs (HDF5 in NeXus form, with all quantities), or in .xy, .dat, .txt or .csv "
	"(a "
	"table of q, I, I/N, S and the error estimate of I/N). Without -o and --plot the table is written to "
	"standard output. Every result includes an error estimate for each q.\n\n"
	"With --frames the result is the mean over frames of a trajectory, with standard errors. A list, a CSV file "
	"with "
	"columns file and weight as sonde build --size-distribution writes it, gives the mean over its structures "
	"without interference between them.",
    .examples =
	"sonde debye coo.xyz --q 0.1:20.08:1000 -o coo.h5 --plot coo.png\n"
	"sonde debye coo.xyz --radiation neutron --method exact -o coo.xy\n"
	"sonde debye coo.xyz --anomalous henke --energy 7.7keV -o coo.h5\n"
	"sonde debye au.xyz.gz --q 0.5:30:2951 --window lorch --qdamp 0.02 --r 0:60:6001 -o au.h5\n"
	"sonde debye md.lammpstrj --frames 0:1000:10 -o mean.h5\n"
	"sonde debye coo.xyz --displacement Co=0.005,O=0.008 --two-theta 10:120:2201 --wavelength 1.5406 -o coo.xy\n"
	"sonde debye au.xyz.gz --q-list log:0.001:0.1:100+lin:0.1:20:1000 -o au.h5\n"
	"sonde debye au.xyz.gz --compare measured.xye --background 3 --resolution gaussian:0.02 -o au.h5 --plot "
	"au.png",
    .options = &debye_option_table,
    .abilities =
	ENGINE_SAMPLE | ENGINE_DEVICES | ENGINE_PICTURE | ENGINE_PICTURE_AXES | ENGINE_COMPACT | ENGINE_RANKS,
    .inputs = ENGINE_SAMPLE_FILES " .dcd .xtc .trr .csv " ENGINE_JOB_FILES,
    .outputs = ENGINE_RESULT_FILES " .gr .sq .fq",
    .stream = "txt",
    .large_sample = LARGE_SAMPLE,
    .programs = programs,
    .check = check,
    .check_format = debye_check_format,
    .reads_samples = reads_samples,
    .plan = plan,
    .run = run,
    .write = write,
    .append_table = append_table,
    .summarize = summarize,
    .seconds = seconds,
    .describe = debye_describe,
    .is_checkpoint_file = is_checkpoint,
    .describe_checkpoint_file = describe_checkpoint,
    .contents = debye_contents,
    .read = read_result,
    .free_result = free_result,
    .take_lattice = take_lattice};
