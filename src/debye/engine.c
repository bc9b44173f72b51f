/* The engine's row: input, work and reports of `sonde debye`. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/constants.h"
#include "debye/classes.h"
#include "debye/debye.h"
#include "debye/describe.h"
#include "debye/estimate.h"
#include "run/engine.h"

#define LARGE_SAMPLE 150000 /* bytes: a few thousand atoms, whose pattern may take longer than the start of a GPU */

static sonde_status check(const struct engine_request *request)
{
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
	report_line(report, "extent", "%.6g Angstrom", debye->extent);
	report_number(report, "extent_angstrom", debye->extent);
	report_line(report, "q", "%lld points", (long long)debye->options.q.points);
	report_integer(report, "points", debye->options.q.points);
	if (debye->rows > 0.0) {
		report_line(report, "lattice", "%.0f rows of cells, %.3g pairs of rows, up to %.3g vectors",
			    debye->rows, debye->row_pairs, debye->vectors);
		report_number(report, "rows", debye->rows);
		report_number(report, "row_pairs", debye->row_pairs);
		report_number(report, "vectors", debye->vectors);
	}
	if (debye->bin_count > 0) {
		report_line(report, "bins", "%lld of %.4g Angstrom", (long long)debye->bin_count, debye->bin_width);
		report_integer(report, "bins", debye->bin_count);
		report_number(report, "bin_width_angstrom", debye->bin_width);
	}
	return status;
}

static sonde_status plan(sonde_context *context, const struct engine_request *request,
			 struct engine_estimate *estimate, struct report *report)
{
	struct debye_classes classes;
	struct debye_plan debye;
	struct amplitudes amplitudes = {0};
	const sonde_atoms *atoms = &classes.summed;
	sonde_status status;

	CHECK_GOTO(status,
		   debye_prepare(context, request->atoms, request->lattice, request->options, &classes, &debye),
		   done);
	CHECK_GOTO(status, debye_plan_settle(context, atoms, &debye), done);
	CHECK_GOTO(status, amplitudes_make(context, &classes, &debye, &amplitudes), done);
	CHECK_GOTO(status, debye_estimate(context, atoms, &debye, estimate), done);
	status = report_plan(atoms, &debye, estimate, report);
done:
	amplitudes_free(&amplitudes);
	debye_classes_free(&classes);
	return status;
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

static sonde_status run(sonde_context *context, const struct engine_request *request, void **result)
{
	sonde_debye_result *debye;

	CHECK(request->lattice != NULL ? sonde_debye_run_lattice(context, request->lattice, request->options, &debye)
				       : sonde_debye_run(context, request->atoms, request->options, &debye));
	*result = debye;
	const sonde_status status =
	    request->output != NULL ? write(debye, request->output, request->overwrite) : SONDE_OK;
	if (status != SONDE_OK)
		free_result(result);
	return status;
}

static void summarize(const void *of, const struct engine_request *request, struct report *report)
{
	const sonde_debye_result *result = of;
	const double pairs = 0.5 * (double)result->atom_count * (double)(result->atom_count - 1);
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
	report_decimal(report, "seconds", result->seconds, 6);
	report_number(report, "largest_error", text_round_up(result->largest_error, 3));
	report_number(report, "largest_bound", text_round_up(result->largest_bound, 3));
	report_print(report, "%lld atoms, %.4g pairs, %lld points of q, %s, %.2f s\n", (long long)result->atom_count,
		     pairs, (long long)result->q_count, name, result->seconds);
	report_print(report, "error: estimate %.2g, bound %.2g (<f^2> + I/N)\n",
		     text_round_up(result->largest_error, 2), text_round_up(result->largest_bound, 2));
	if (result->atoms_present < (double)result->atom_count)
		report_print(report, "occupancies: %lld sites hold %.10g atoms on average\n",
			     (long long)result->atom_count, result->atoms_present);
	if (result->r_count > 0 && !q_is_by_angle(result->options) && result->r[result->r_count - 1] > repeats)
		report_note(report, "G(r) is periodic: beyond r = %.4g Angstrom, pi over the step of q, it repeats",
			    repeats);
	text_free(&method);
}

/* Samples that are known to be a lattice need no list of atoms; where the choice is free, large ones do without. */
static enum engine_form take_lattice(const void *of)
{
	const sonde_debye_options *options = of;

	if (options->method == SONDE_DEBYE_METHOD_LATTICE)
		return ENGINE_FORM_LATTICE;
	return options->method == SONDE_DEBYE_METHOD_AUTO && options->copies == SONDE_DEBYE_COPIES_EXACT
		   ? ENGINE_FORM_LATTICE_IF_LARGE
		   : ENGINE_FORM_ATOMS;
}

static const struct device_program *const programs[] = {&debye_program, NULL};

const struct engine debye_engine = {
    .name = "debye",
    .summary = "powder pattern I(q), S(q), F(q), G(r) by the Debye equation",
    .usage = "sonde debye SAMPLE.xyz[.gz] [options] [-o FILE] [--plot FILE.png]\n"
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
	"standard output. Every result includes an error estimate for each q.",
    .examples =
	"sonde debye coo.xyz --q 0.1:20.08:1000 -o coo.h5 --plot coo.png\n"
	"sonde debye coo.xyz --radiation neutron --method exact -o coo.xy\n"
	"sonde debye coo.xyz --anomalous henke --energy 7.7keV -o coo.h5\n"
	"sonde debye au.xyz.gz --q 0.5:30:2951 --window lorch --qdamp 0.02 --r 0:60:6001 -o au.h5\n"
	"sonde debye coo.xyz --displacement Co=0.005,O=0.008 --two-theta 10:120:2201 --wavelength 1.5406 -o coo.xy",
    .options = &debye_option_table,
    .abilities = ENGINE_SAMPLE | ENGINE_DEVICES | ENGINE_PICTURE | ENGINE_PICTURE_AXES,
    .inputs = ENGINE_SAMPLE_FILES " " ENGINE_JOB_FILES,
    .outputs = ENGINE_RESULT_FILES " .gr .sq .fq",
    .stream = "txt",
    .large_sample = LARGE_SAMPLE,
    .programs = programs,
    .check = check,
    .check_format = debye_check_format,
    .plan = plan,
    .run = run,
    .write = write,
    .append_table = append_table,
    .summarize = summarize,
    .describe = debye_describe,
    .free_result = free_result,
    .take_lattice = take_lattice};
