/* The engine's row: input, work and reports of `sonde pattern`. */
#include "run/engine.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "pattern/pattern.h"

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
	const double terms = (double)plan->sample.view.count * (double)pixels->count;
	char sizes[160];

	if (plan->fast.chosen)
		snprintf(estimate->method, sizeof estimate->method,
			 "Fourier transforms, tolerance %.3g, windows of %d points", plan->fast.tolerance,
			 plan->fast.width);
	else
		snprintf(estimate->method, sizeof estimate->method, "direct sum, %s",
			 plan->options.precision == SONDE_PATTERN_PRECISION_FLOAT32 ? "float32" : "float64");
	report_line(report, "atoms", "%lld", (long long)plan->sample.view.count);
	report_integer(report, "atoms", plan->sample.view.count);
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

static sonde_status plan(sonde_context *context, const struct engine_request *request,
			 struct engine_estimate *estimate, struct report *report)
{
	struct pattern_plan *made;

	CHECK(memory_allocate(&made, 1, sizeof *made, "the plan"));
	sonde_status status = pattern_plan_make(context, request->atoms, request->options, made);
	if (status == SONDE_OK)
		status = pattern_estimate(context, made, estimate);
	if (status == SONDE_OK)
		status = report_plan(made, estimate, report);
	pattern_plan_free(made);
	free(made);
	return status;
}

static sonde_status run(sonde_context *context, const struct engine_request *request, void **result)
{
	sonde_pattern_result *pattern;

	CHECK(sonde_pattern_run(context, request->atoms, request->options, &pattern));
	*result = pattern;
	const sonde_status status =
	    request->output != NULL ? write(pattern, request->output, request->overwrite) : SONDE_OK;
	if (status != SONDE_OK)
		free_result(result);
	return status;
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
	if (result->atoms_present < (double)result->atom_count)
		report_print(report, "occupancies: %lld sites hold %.10g atoms on average\n",
			     (long long)result->atom_count, result->atoms_present);
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
	"       sonde pattern JOB.yaml [options]",
    .description =
	"Computes I(q) = |sum_j f_j(q) exp(i q.r_j)|^2 by the direct sum over all atoms, or, for many atoms at many "
	"points, by Fourier transforms (--method fast, --tolerance). The scattering vectors are those "
	"of a polar picture on the Ewald sphere (circles of |q|, points of phi about the beam, which is along -z), "
	"of the "
	"pixels of a flat detector (--detector), of a line, plane or volume of reciprocal space (--h, --k, --l), or "
	"of a "
	"list (--q-list). Atoms are a particle in a vacuum, even if their file describes a periodic cell. Lengths "
	"are in "
	"Angstrom, q in 1/Angstrom, I in electron units (X-rays), fm^2 (neutrons) or Angstrom^2 (electrons).\n\n"
	"Labels of atoms may be elements (Co), ions (Co2+, O2-) and isotopes (58Ni, D).\n\n"
	"FILE may end in .h5, .hdf5 or .nxs (HDF5 in NeXus form, with all quantities), or in .xy, .dat, .txt or .csv "
	"(a "
	"table of I with q and phi; h, k, and l; x and y; or qx, qy, and qz). Without -o and --plot the table is "
	"written "
	"to standard output. Every result includes its error, found at points that are computed again by a slower "
	"and "
	"more accurate sum.",
    .examples =
	"sonde pattern coo.xyz --q 0.5:7:1024 --phi 1024 --wavelength 0.5 -o coo.h5 --plot coo.png\n"
	"sonde pattern coo.xyz --energy 7.7keV --anomalous henke --q 0.1:7:512 -o coo.csv\n"
	"sonde pattern au.xyz.gz --radiation electron --wavelength 0.0251 --precision float32 -o au.h5\n"
	"sonde pattern virus.pdb --detector 1024,1024 --pixel-size 0.075 --distance 300 --energy 6keV -o shot.h5\n"
	"sonde pattern crystal.vasp --h -4:4:401 --k -4:4:401 --l 1:1:1 -o hk1.h5 --plot hk1.png\n"
	"sonde pattern crystal.xyz --q-list vectors.txt --amplitude -o list.csv\n"
	"sonde pattern large.xyz.gz --q 0.5:7:1024 --phi 1024 --wavelength 0.5 --tolerance 1e-5 -o large.h5",
    .options = &pattern_option_table,
    .abilities = ENGINE_SAMPLE | ENGINE_DEVICES | ENGINE_PICTURE,
    .inputs = ENGINE_SAMPLE_FILES " " ENGINE_JOB_FILES,
    .outputs = ENGINE_RESULT_FILES,
    .stream = "txt",
    .large_sample = LARGE_SAMPLE,
    .programs = programs,
    .check_format = pattern_check_format,
    .plan = plan,
    .run = run,
    .write = write,
    .append_table = append_table,
    .summarize = summarize,
    .describe = pattern_describe,
    .free_result = free_result};
