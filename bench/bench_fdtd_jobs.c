/* Whole jobs of sonde fdtd: seconds before the steps, with their parts, of the steps, of the monitors' results, and of
 * writing the file, with the time that the plan expected. Run by hand or by make bench.
 *
 *     bench_fdtd_jobs [DEVICE [CELLS [STEPS [THREADS [WORD]]]]]
 *
 * CELLS: number of cells along an edge of the cube, layers included; default: 128 on CPUs, 512 on GPUs. With 0 STEPS
 * bodies are only painted, on the host: that needs no memory for fields. WORD: only jobs with it in their names. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/memory.h"
#include "fdtd/job/prepared.h"
#include "sonde/sonde.h"

#define CELL 20   /* nm */
#define LAYERS 22 /* cells */

static void must(sonde_status status)
{
	if (status == SONDE_OK)
		return;
	fprintf(stderr, "bench_fdtd_jobs: %s\n", sonde_status_message());
	exit(1);
}

/* Lines of a job after the edges of its box; %d is a third of the edge. */
struct work {
	const char *name, *lines;
};
#define WAVE                                                                                                 \
	"  sources: [{kind: plane-wave, direction: [0, 0, 1], polarization: [1, 0, 0], frequency: 430 THz, " \
	"bandwidth: "                                                                                        \
	"250 THz}]\n  monitors: [{name: c, kind: cross-section, frequencies: 300 THz:580 THz:10}]\n"
static const struct work works[] = {
    {"glass sphere, cross-section", "  materials: [{name: glass, permittivity: 2.25}]\n"
				    "  bodies: [{material: glass, shape: sphere, radius: %d nm}]\n" WAVE},
    {"gold sphere, cross-section", "  bodies: [{material: Au-JC, shape: sphere, radius: %d nm}]\n" WAVE},
    {"dipole over glass, fields",
     "  materials: [{name: glass, permittivity: 2.25}]\n"
     "  bodies: [{material: glass, shape: box, center: [0, 0, -1 m], size: [2 m, 2 m, 2 m]}]\n"
     "  sources: [{kind: dipole, center: [0, 0, %d nm], polarization: [1, 0, 0.3], frequency: 430 THz, bandwidth: "
     "250 THz}]\n"
     "  monitors: [{name: f, kind: fields, size: [1 um, 1 um, 0], frequencies: 300 THz:580 THz:5}]\n"}};

static void write_job(const char *path, const struct work *work, int cells, int steps)
{
	const int edge = CELL * (cells - LAYERS);
	FILE *file = fopen(path, "we");

	if (file == NULL) {
		fprintf(stderr, "bench_fdtd_jobs: cannot write %s\n", path);
		exit(1);
	}
	fprintf(file, "fdtd:\n  size: %d nm, %d nm, %d nm\n  cell: %d nm\n  steps: %d\n", edge, edge, edge, CELL,
		steps);
	fprintf(file, work->lines, edge / 3);
	fclose(file);
}

static void run(sonde_context *context, const char *folder, const struct work *work, int cells, int steps)
{
	char path[256], output[256];
	sonde_job *job;
	sonde_fdtd_plan plan;
	sonde_fdtd_result *result;

	snprintf(path, sizeof path, "%s/job.yaml", folder);
	snprintf(output, sizeof output, "%s/result.h5", folder);
	write_job(path, work, cells, steps);
	must(sonde_job_read(path, &job));
	const double began = clock_seconds(), processor = clock_processor_seconds();
	must(sonde_fdtd_make_plan(context, sonde_job_fdtd(job), &plan));
	const double planned = clock_seconds();
	must(sonde_fdtd_run(context, sonde_job_fdtd(job), &result));
	const double ran = clock_seconds();
	must(sonde_fdtd_result_write(result, output, 1));
	const double written = clock_seconds();
	const struct fdtd_seconds *seconds = &result->provenance->seconds;
	printf("%5d3  %-28s %8.3f %8.3f %9.3f %9.3f %8.3f %8.3f %8.3f %9.3f %7.2f\n", cells, work->name,
	       planned - began, seconds->set_up, seconds->stepping, seconds->monitors, written - ran,
	       written - planned, plan.seconds, clock_processor_seconds() - processor, 1e-9 * (double)memory_peak());
	printf("%14sset-up: plan %.3f, bodies %.3f, kernels %.3f, fields %.3f, sources %.3f, monitors %.3f; all but "
	       "steps "
	       "%.3f\n",
	       "", seconds->planning, seconds->painting, seconds->kernels, seconds->fields, seconds->sources,
	       seconds->lists, written - began - seconds->stepping);
	fflush(stdout);
	sonde_fdtd_result_free(&result);
	sonde_job_free(&job);
	remove(path);
	remove(output);
}

/* Bodies on the grid without fields. */
static void paint(sonde_context *context, const char *folder, const struct work *work, int cells)
{
	char path[256];
	struct fdtd_run run;
	sonde_job *job;
	size_t bytes = 0;

	snprintf(path, sizeof path, "%s/job.yaml", folder);
	write_job(path, work, cells, 1);
	must(sonde_job_read(path, &job));
	must(fdtd_run_prepare(context, sonde_job_fdtd(job), &run));
	const double began = clock_seconds(), processor = clock_processor_seconds();
	must(job_space_paint(&run.space, PASS_BODIES));
	const double ended = clock_seconds(), used = clock_processor_seconds() - processor;
	for (int a = 0; a < 3; ++a)
		bytes += media_numbers_bytes(run.space.media.edges[a]);
	printf("%5d3  %-28s painting: %8.3f s, processor: %8.3f s, numbers of media: %.3f GB, peak so far: %.3f GB\n",
	       cells, work->name, ended - began, used, 1e-9 * (double)bytes, 1e-9 * (double)memory_peak());
	fflush(stdout);
	fdtd_run_free(&run);
	sonde_job_free(&job);
	remove(path);
}

int main(int argc, char **argv)
{
	const char *device = argc > 1 ? argv[1] : "cpu";
	const int steps = argc > 3 ? atoi(argv[3]) : 100;
	char folder[] = "/tmp/bench_fdtd_XXXXXX";
	sonde_context *context;

	must(sonde_context_create(&context));
	must(sonde_context_set_device(context, device));
	if (argc > 4 && atoi(argv[4]) > 0)
		must(sonde_context_set_threads(context, atoi(argv[4])));
	const char *word = argc > 5 ? argv[5] : "";
	if (mkdtemp(folder) == NULL)
		return 1;
	const int cells = argc > 2 ? atoi(argv[2]) : strncmp(device, "cpu", 3) == 0 ? 128 : 512;
	for (size_t w = 0; w < sizeof works / sizeof *works && steps == 0; ++w)
		if (strstr(works[w].name, word) != NULL)
			paint(context, folder, &works[w], cells);
	if (steps == 0) {
		rmdir(folder);
		sonde_context_free(&context);
		return 0;
	}
	printf("%s, %d steps: seconds on the clock; processor: seconds of all threads; GB: peak so far\n", device,
	       steps);
	printf("%6s  %-28s %8s %8s %9s %9s %8s %8s %8s %9s %7s\n", "cells", "job", "planning", "set-up", "stepping",
	       "monitors", "writing", "all", "planned", "processor", "GB");
	for (size_t w = 0; w < sizeof works / sizeof *works; ++w)
		if (strstr(works[w].name, word) != NULL)
			run(context, folder, &works[w], cells, steps);
	rmdir(folder);
	sonde_context_free(&context);
	return 0;
}
