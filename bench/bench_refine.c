/* The time of a step of `refine`: lattice constant and mean square displacement of a ball of gold whose atoms are displaced at random, so that
 * it is not a lattice, with and without its radius on a grid. A step has two patterns for each parameter, and one or more of trials.
 *     bench_refine [ATOMS [POINTS [DEVICE [STEPS]]]]      default: 2000 atoms, 1000 points of q, cpu, 3 steps */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/options.h"
#include "refine/option_table.h"
#include "refine/refine.h"
#include "sonde/sonde.h"

#define A 4.0782
#define U 0.008

static char folder[] = "/tmp/bench_refine_XXXXXX", path[128];

static void must(sonde_status status)
{
	if (status == SONDE_OK)
		return;
	fprintf(stderr, "bench_refine: %s\n", sonde_status_message());
	exit(1);
}

static const char *path_of(const char *name)
{
	snprintf(path, sizeof path, "%s/%s", folder, name);
	return path;
}

/* The measured curve: that of the sample, with deviations of 1 %. */
static void write_measured(sonde_context *context, double cells, int points)
{
	sonde_build_options build;
	sonde_debye_options debye;
	sonde_debye_result *result;
	sonde_atoms *atoms;

	sonde_build_options_init(&build);
	build.cell = SONDE_BUILD_CELL_FCC;
	strcpy(build.species, "Au");
	strcpy(build.displace, "0.05");
	build.a = A;
	build.sphere = cells * A;
	must(sonde_build_run(context, &build, &atoms));
	sonde_debye_options_init(&debye);
	debye.q = (sonde_grid){0.5, 20.0, points};
	debye.r = (sonde_grid){0.0, 0.0, 1};
	snprintf(debye.displacement, sizeof debye.displacement, "%g", U);
	must(sonde_debye_run(context, atoms, &debye, &result));
	printf("%lld atoms, %d points, pattern %.3f s\n", (long long)sonde_atoms_count(atoms), points,
	       result->seconds);
	FILE *file = fopen(path_of("gold.xy"), "w");
	for (int k = 0; file != NULL && k < points; ++k)
		fprintf(file, "%.12g %.10g %.6g\n", result->q[k],
			result->intensity_per_atom[k] * (1.0 + 0.014 * sin(0.7 * k * k)),
			0.01 * result->intensity_per_atom[k]);
	if (file != NULL)
		fclose(file);
	sonde_debye_result_free(&result);
	sonde_atoms_free(&atoms);
}

static void run(sonde_context *context, double cells, int points, int steps, bool sizes)
{
	sonde_refine_options options;
	struct refine_job *job;
	struct refine_result result;
	FILE *file = fopen(path_of("job.yaml"), "w");

	if (file == NULL)
		exit(1);
	fprintf(file,
		"refine:\n- {name: a, start: %.17g, lower: 4, upper: 4.2}\n"
		"- {name: U, start: 0.01, lower: 0, upper: 0.1}\n",
		A + 0.05 / cells);
	if (sizes)
		fprintf(file, "- {name: x, start: %.6g, grid: 0.1}\n", 1.01 * cells);
	fprintf(file, "build: {cell: fcc, species: Au, a: \"${a}\", displace: 0.05, sphere: \"${");
	fprintf(file, sizes ? "x" : "%.17g", cells);
	fprintf(file, "*a}\"}\ndebye: {q: 0.5:20:%d, displacement: \"${U}\"}\nmeasured: gold.xy\n", points);
	fclose(file);
	options_set_defaults(&refine_option_table, &options);
	options.steps = steps;
	static char name[128];
	snprintf(name, sizeof name, "%s", path_of("job.yaml"));
	must(refine_job_read(name, &job));
	must(refine_run(context, job, &options, NULL, &result));
	const double done = (double)(result.step_count > 1 ? result.step_count - 1 : 1);
	printf(
	    "%s: %d parameters, %lld structures in %g steps: %.3f s a step, %.4f s a structure (patterns %.4f, atoms "
	    "%.4f); Rwp %.3g to %.3g %%, a = %.5f +- %.5f\n",
	    sizes ? "radius on a grid" : "fixed radius", result.parameter_count, (long long)result.structures, done,
	    result.seconds / (done + 1.0), result.seconds / (double)result.structures,
	    result.computing / (double)result.structures, result.building / (double)result.structures,
	    100.0 * result.step_rwp[0], 100.0 * result.rwp, result.parameters[0].value, result.parameters[0].error);
	refine_result_free(&result);
	refine_job_free(&job);
}

int main(int argc, char **argv)
{
	const double atoms = argc > 1 ? atof(argv[1]) : 2000.0,
		     cells = cbrt(atoms / 4.0 / (4.0 / 3.0 * 3.14159265358979));
	const int points = argc > 2 ? atoi(argv[2]) : 1000, steps = argc > 4 ? atoi(argv[4]) : 3;
	sonde_context *context;

	if (mkdtemp(folder) == NULL)
		return 1;
	must(sonde_context_create(&context));
	must(sonde_context_set_device(context, argc > 3 ? argv[3] : "cpu"));
	write_measured(context, cells, points);
	fflush(stdout);
	run(context, cells, points, steps, false);
	fflush(stdout);
	run(context, cells, points, steps, true);
	fputs(sonde_context_notes(context), stderr);
	sonde_context_free(&context);
	unlink(path_of("gold.xy"));
	unlink(path_of("job.yaml"));
	rmdir(folder);
	return 0;
}
