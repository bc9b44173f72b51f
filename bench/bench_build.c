/* Rates of `build` and of every format of atoms: a supercell of rock salt is built, written, and read again.
 *     bench_build [ATOMS [FOLDER]]      default: 1000000, in the folder for temporary files */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/threads.h"
#include "sonde/sonde.h"

#define ATOMS_PER_CELL 8
#define RUNS 3
#define MOST_CIF_ATOMS 50000 /* to be read: each is compared with its neighbors, which takes minutes for 10^6 */

static void must(sonde_status status)
{
	if (status == SONDE_OK)
		return;
	fprintf(stderr, "bench_build: %s\n", sonde_status_message());
	exit(1);
}

/* Seconds of the clock, and of all processors. */
struct took {
	double wall, processor;
};

static struct took begin(void)
{
	return (struct took){clock_seconds(), clock_processor_seconds()};
}

/* The fastest of several runs. */
static void end(struct took began, struct took *best)
{
	const double wall = clock_seconds() - began.wall;

	if (best->wall == 0.0 || wall < best->wall)
		*best = (struct took){wall, clock_processor_seconds() - began.processor};
}

static sonde_atoms *build(sonde_context *context, double count, struct took *took)
{
	sonde_build_options options;
	sonde_atoms *atoms = NULL;
	const double edge = fmax(1.0, round(cbrt(count / ATOMS_PER_CELL)));

	sonde_build_options_init(&options);
	options.cell = SONDE_BUILD_CELL_ROCKSALT;
	strcpy(options.species, "Na,Cl");
	options.a = 5.6402;
	options.supercell = (sonde_vector){edge, edge, edge};
	for (int run = 0; run < RUNS; ++run) {
		sonde_atoms_free(&atoms);
		const struct took began = begin();
		must(sonde_build_run(context, &options, &atoms));
		end(began, took);
	}
	return atoms;
}

/* MB of a file. */
static double size_of(const char *path)
{
	struct stat file;

	return stat(path, &file) == 0 ? 1e-6 * (double)file.st_size : 0.0;
}

static void show(const char *what, struct took took, double atoms, double megabytes)
{
	printf("  %-7s %7.3f s  %9.3g atoms/s", what, took.wall, atoms / took.wall);
	if (megabytes > 0.0)
		printf("  %8.1f MB/s  %8.1f MB/s and core", megabytes / took.wall,
		       megabytes / fmax(took.processor, 1e-9));
	printf("\n");
}

static void bench_format(sonde_context *context, const sonde_atoms *atoms, const char *folder, const char *ending)
{
	const double count = (double)sonde_atoms_count(atoms);
	struct took writing = {0.0, 0.0}, reading = {0.0, 0.0};
	char path[4096];

	snprintf(path, sizeof path, "%s/atoms.%s", folder, ending);
	for (int run = 0; run < RUNS; ++run) {
		const struct took began = begin();
		must(sonde_atoms_write(context, atoms, path, 1));
		end(began, &writing);
	}
	const double megabytes = size_of(path);
	printf("%s: %.1f MB, %.1f bytes per atom\n", ending, megabytes, 1e6 * megabytes / count);
	show("written", writing, count, megabytes);
	const bool is_read = strncmp(ending, "cif", 3) != 0 || count <= MOST_CIF_ATOMS;
	for (int run = 0; run < RUNS && is_read; ++run) {
		sonde_atoms *read;
		const struct took began = begin();
		if (sonde_atoms_read(context, path, 0, &read) != SONDE_OK) {
			printf("  not read: %s\n", sonde_status_message());
			break;
		}
		end(began, &reading);
		if (sonde_atoms_count(read) != sonde_atoms_count(atoms)) {
			fprintf(stderr, "bench_build: %s has another number of atoms\n", path);
			exit(1);
		}
		sonde_atoms_free(&read);
	}
	if (reading.wall > 0.0)
		show("read", reading, count, megabytes);
	(void)unlink(path);
}

int main(int argc, char **argv)
{
	static const char *const endings[] = {"h5", "xyz", "xyz.gz", "pdb", "cif", "cif.gz", "data", "vasp"};
	const double count = argc > 1 ? atof(argv[1]) : 1e6;
	const char *temporary = getenv("TMPDIR");
	sonde_context *context;
	struct took took = {0.0, 0.0};
	char folder[1024];

	snprintf(folder, sizeof folder, "%s/sonde-bench-XXXXXX",
		 argc > 2            ? argv[2]
		 : temporary != NULL ? temporary
				     : "/tmp");
	if (!(count >= 1.0) || mkdtemp(folder) == NULL) {
		fprintf(stderr, "usage: bench_build [ATOMS [FOLDER]]\n");
		return 2;
	}
	must(sonde_context_create(&context));
	sonde_atoms *atoms = build(context, count, &took);
	printf("%lld atoms of rock salt, %d threads; the best of %d runs, files in %s\n",
	       (long long)sonde_atoms_count(atoms), threads_available(), RUNS, folder);
	show("built", took, (double)sonde_atoms_count(atoms), 0.0);
	for (size_t k = 0; k < sizeof endings / sizeof *endings; ++k)
		bench_format(context, atoms, folder, endings[k]);
	(void)rmdir(folder);
	sonde_atoms_free(&atoms);
	sonde_context_free(&context);
	return 0;
}
