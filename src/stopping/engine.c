/* The engine's row: input, work and reports of `sonde stopping`. */
#include "run/engine.h"

#include <math.h>
#include <stdio.h>

#include "run/speed.h"
#include "stopping/difference.h"
#include "stopping/run.h"

static sonde_status write(const void *result, const char *path, bool overwrite)
{
	return sonde_stopping_result_write(result, path, overwrite);
}

static sonde_status append_table(const void *result, struct text *text)
{
	return stopping_table_text(result, false, text);
}

static void free_result(void **result)
{
	sonde_stopping_result *stopping = *result;

	sonde_stopping_result_free(&stopping);
	*result = NULL;
}

static sonde_status read_result(sonde_context *context, const char *path, void **result)
{
	sonde_stopping_result *stopping = NULL;
	const sonde_status status = sonde_stopping_result_read(context, path, &stopping);

	*result = stopping;
	return status;
}

/* Measured with `sonde stopping --threads 1` on a Xeon at 4.1 GHz: collisions of the transport equation, per
 * energy and element of its table, the cost of each energy of the result, and that of its error, also by element. */
#define NODE_CYCLES 8.3e5
#define ENERGY_CYCLES 2e4
#define ERROR_CYCLES 4e5
#define NODES_OF_DECADE 40.0
#define FIRST_NODE 0.05      /* eV */
#define BYTES_OF_NODE 2880.0 /* and element */

static sonde_status plan(sonde_context *context, const struct engine_request *request,
			 struct engine_estimate *estimate, struct report *report)
{
	sonde_stopping_result *result;

	CHECK(stopping_plan(context, request->options, &result));
	const struct speed speed = speed_of_host(context);
	const double count = (double)result->count, first = result->energies[0],
		     last = result->energies[result->count - 1],
		     nodes = NODES_OF_DECADE * log10(last / FIRST_NODE) * result->element_count;

	report_line(report, "energies", "%lld from %.6g to %.6g keV", (long long)result->count, 1e-3 * first,
		    1e-3 * last);
	report_integer(report, "energies", result->count);
	report_line(report, "elements", "%d", result->element_count);
	report_integer(report, "elements", result->element_count);
	snprintf(estimate->method, sizeof estimate->method, "equation of transport, %s",
		 stopping_source_name((enum stopping_source)result->options->stopping));
	estimate->host_memory = BYTES_OF_NODE * nodes;
	estimate->seconds = speed_host_seconds(&speed, ENERGY_CYCLES * count, 1) +
			    speed_host_seconds(&speed, NODE_CYCLES * nodes, speed.threads) +
			    speed_host_seconds(&speed, ERROR_CYCLES * count * result->element_count, speed.threads);
	sonde_stopping_result_free(&result);
	return SONDE_OK;
}

static sonde_status run(sonde_context *context, const struct engine_request *request, void **result)
{
	sonde_stopping_result *stopping;

	CHECK(sonde_stopping_run(context, request->options, &stopping));
	*result = stopping;
	const sonde_status status =
	    request->output != NULL ? write(stopping, request->output, request->overwrite) : SONDE_OK;
	if (status != SONDE_OK)
		free_result(result);
	return status;
}

static sonde_status write_more(sonde_context *context, const void *of, const struct engine_request *request,
			       struct text *written)
{
	const sonde_stopping_result *result = of;
	const char *srim = result->options->srim;

	(void)context;
	if (srim[0] == '\0')
		return SONDE_OK;
	CHECK(sonde_stopping_result_write_srim(result, srim, request->overwrite));
	text_append(written, "%s: written\n", srim);
	return SONDE_OK;
}

static void summarize(const void *of, const struct engine_request *request, struct report *report)
{
	const sonde_stopping_result *result = of;
	const sonde_stopping_options *options = result->options;
	const char *state = result->provenance->state;
	struct text source = {0};

	(void)request;
	report_integer(report, "energies", result->count);
	report_number(report, "ion_mass", result->ion_mass);
	report_number(report, "density", result->density);
	report_text(report, "stopping", stopping_source_name((enum stopping_source)options->stopping));
	report_decimal(report, "seconds", result->seconds, 6);
	report_print(report, "%s (%.6g amu) in %s, %.6g g/cm^3%s%s%s: %lld energies, %.2f s\n", options->ion,
		     result->ion_mass, options->target, result->density, state[0] != '\0' ? " (" : "", state,
		     state[0] != '\0' ? ")" : "", (long long)result->count, result->seconds);
	report_number(report, "range_error", text_round_up(result->range_error, 3));
	report_number(report, "range_straggling_error", text_round_up(result->range_straggling_error, 3));
	report_number(report, "lateral_straggling_error", text_round_up(result->lateral_straggling_error, 3));
	report_number(report, "path_error", text_round_up(result->path_error, 3));
	stopping_append_electronic(result, &source);
	stopping_append_error(result, &source);
	report_print(report, "%s", source.bytes != NULL ? source.bytes : "");
	text_free(&source);
}

static double seconds(const void *result)
{
	return ((const sonde_stopping_result *)result)->seconds;
}

const struct engine stopping_engine = {
    .name = "stopping",
    .summary = "electronic and nuclear stopping of ions, their ranges and straggling",
    .usage = "sonde stopping --ion ION --target MATERIAL [options] [-o FILE]\n"
	     "       sonde stopping JOB.yaml [options]",
    .description =
	"Prints for each energy the losses of an ion along its path to electrons and in collisions with atoms, the "
	"mean "
	"depth at which it comes to rest (projected range), its standard deviation along and across the beam, and "
	"the path length. Ranges are solutions of the transport equation, without random numbers.\n\n"
	"FILE may end in .h5, .hdf5 or .nxs (HDF5 in NeXus form, with everything), or in .csv, .dat, .txt or .xy (a "
	"table). --srim writes the layout of SRIM's tables. Without either the table goes to the standard output.",
    .examples = "sonde stopping --ion He --target SiO2 --plot he.png\n"
		"sonde stopping --ion 11B --target Si --energies 1keV:1MeV --srim boron.txt\n"
		"sonde stopping --ion D --target W --energies 1keV,10keV,100keV --units MeVcm2/mg -o d.csv",
    .options = &stopping_option_table,
    .abilities = ENGINE_PICTURE | ENGINE_PICTURE_AXES,
    .inputs = ENGINE_JOB_FILES,
    .outputs = ENGINE_RESULT_FILES,
    .stream = "txt",
    .positional_advice = "; the target is given by " OPTION_VALUE("target", "MATERIAL"),
    .check_format = stopping_check_format,
    .plan = plan,
    .run = run,
    .write = write,
    .append_table = append_table,
    .write_more = write_more,
    .summarize = summarize,
    .seconds = seconds,
    .describe = stopping_describe,
    .contents = stopping_contents,
    .read = read_result,
    .free_result = free_result};
