/* Runs of all kinds that are stopped again and again, and resumed on other threads and devices: the file of the last one has the numbers of a run
 * without a stop. The point at which a run is stopped is a number of its reports of progress. */
#include "physics/physics.h"

#include <unistd.h>

#include "debye/debye.h"
#include "debye/sums/windows.h"
#include "job/engines.h"
#include "job/request.h"
#include "run/checkpoint.h"
#include "run/engine_calls.h"
#include "run/unfinished.h"

#define JOB "stops.yaml"
#define SAMPLE "stops.xyz"
#define CUBE "stops_cube.xyz"
#define FILE_OF_RUN "stops.csv"
#define MOST_RUNS 30 /* until it is done */

/* Stops at a chosen point: the linker puts this function in the place of the library's (CMakeLists.txt) ---------------------- */

static struct {
	uint64_t asked, at; /* reports so far; that at which it stops, 0: never */
} stop;

sonde_status __real_stage_advance(struct stage *stage, double done);
sonde_status __wrap_stage_advance(struct stage *stage, double done);

sonde_status __wrap_stage_advance(struct stage *stage, double done)
{
	const uint64_t number = __atomic_add_fetch(&stop.asked, 1, __ATOMIC_SEQ_CST);

	if (stop.at > 0 && number >= stop.at)
		sonde_context_cancel(stage->context);
	return __real_stage_advance(stage, done);
}

/* Runs of a job ------------------------------------------------------------------------------------------------------ */

static void write_text(const char *path, const char *text)
{
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	assert_true(fputs(text, file) >= 0);
	assert_int_equal(fclose(file), 0);
}

/* The lines of a file that are not comments. */
static char *numbers_of(const char *path)
{
	FILE *file = fopen(path, "r");
	char *text = calloc(1, 1 << 24), *line = NULL;
	size_t size = 0, room = 0;

	assert_non_null(file);
	assert_non_null(text);
	while (getline(&line, &room, file) >= 0)
		if (line[0] != '#') {
			assert_true(size + strlen(line) < 1 << 24);
			size += (size_t)sprintf(text + size, "%s", line);
		}
	free(line);
	fclose(file);
	assert_true(size > 0);
	return text;
}

struct way {
	const char *device;
	int threads;
	uint64_t stop_at; /* 0: never */
	bool resume, often;
};

static void set_option(const struct engine *engine, const struct engine_request *request, const char *name,
		       const char *value)
{
	/* it belongs to the job */
	assert_int_equal(
	    option_parse(options_find(engine->options, name), (void *)(uintptr_t)request->options, value), SONDE_OK);
}

/* On the device of SONDE_TEST_DEVICE. */
static bool elsewhere(void)
{
	return strcmp(physics_device(), "cpu") != 0;
}

static sonde_status run_job(const char *engine_name, const struct way *way)
{
	const struct engine *engine = engine_find(engine_name);
	struct engine_request request = {0};
	sonde_context *context = make_context(way->threads);
	sonde_atoms *atoms = NULL;
	sonde_job *job;
	void *result = NULL;

	stop.at = 0;
	if (sonde_job_read(JOB, &job) != SONDE_OK)
		fail_msg("%s", sonde_status_message());
	if (!elsewhere())
		assert_int_equal(sonde_job_set_context(job, context), SONDE_OK);
	assert_int_equal(sonde_context_set_threads(context, way->threads), SONDE_OK);
	assert_int_equal(sonde_context_set_device(context, elsewhere() ? physics_device() : way->device), SONDE_OK);
	job_fill_request(job, engine, &request);
	if (engine->abilities & ENGINE_SAMPLE)
		assert_int_equal(sonde_job_sample(job, context, &atoms), SONDE_OK);
	request.atoms = atoms;
	request.output = FILE_OF_RUN;
	set_option(engine, &request, "resume", way->resume ? "true" : "false");
	set_option(engine, &request, "checkpoint", way->often ? "1e-9" : "0");
	stop.asked = 0;
	stop.at = way->stop_at;
	const sonde_status status = engine_run(context, engine, &request, &result);
	stop.at = 0;
	engine_free_result(engine, &result);
	sonde_atoms_free(&atoms);
	sonde_job_free(&job);
	sonde_context_free(&context);
	return status;
}

static void remove_files(void)
{
	remove(FILE_OF_RUN);
	checkpoint_remove(FILE_OF_RUN);
}

/* A kind of job, and the devices of its runs by turns. */
struct kind {
	const char *name, *engine, *job;
	const char *devices[2];
};

static void stop_and_resume(const struct kind *kind)
{
	static const int threads[] = {1, 2, 3};
	struct way way = {.device = kind->devices[0], .threads = 2};
	sonde_status status;
	int runs = 0, kept = 0;

	remove_files();
	write_text(JOB, kind->job);
	status = run_job(kind->engine, &way);
	if (status != SONDE_OK)
		fail_msg("%s: %s", kind->name, sonde_status_message());
	char *whole = numbers_of(FILE_OF_RUN);
	const uint64_t all = stop.asked;
	uint64_t part = all / 6 + 1;
	remove_files();
	for (status = SONDE_CANCELLED; status != SONDE_OK && runs < MOST_RUNS; ++runs) {
		way = (struct way){kind->devices[runs % 2], threads[runs % 3], part, kept > 0, runs % 2 == 1};
		status = run_job(kind->engine, &way);
		if (status != SONDE_OK && status != SONDE_CANCELLED && status != SONDE_SUSPENDED)
			fail_msg("%s: %s", kind->name, sonde_status_message());
		kept += status == SONDE_SUSPENDED;
		assert_int_equal(checkpoint_exists(FILE_OF_RUN), kept > 0 && status != SONDE_OK);
		part += all / 8 + 1; /* else nothing new may be done */
	}
	assert_int_equal(status, SONDE_OK);
	char *parts = numbers_of(FILE_OF_RUN);
	print_message("%s: %d runs, %d stops that left a checkpoint\n", kind->name, runs, kept);
	assert_true(kept > 0 || elsewhere()); /* pieces of a GPU are large */
	assert_string_equal(whole, parts);
	free(whole);
	free(parts);
	remove_files();
}

/* The kinds ------------------------------------------------------------------------------------------------------------ */

#define ATOMS "sample: " SAMPLE "\n"
#define CELL "sample: " CUBE "\n"
/* with little memory for devices, whose pieces are small then */
#define BLOCK "sample: stops_block.xyz\nmemory: 200000\n"
#define CHARGES "charges: \"Na=1,Cl=-1\""
#define CPU                  \
	{                    \
		"cpu", "cpu" \
	}
#define TWO                           \
	{                             \
		"cpu", "cpu,emulated" \
	}

static const struct kind kinds[] = {
    {"debye, exact", "debye", ATOMS "debye: {q: 0.1:20:500, method: exact}\n", CPU},
    {"debye, exact, a list of q", "debye", ATOMS "debye: {q-list: stops.q, method: exact}\n", CPU},
    {"debye, with a motion", "debye",
     ATOMS "debye: {q: 0.1:20:100, method: exact, displacement: \"Na=0.005,Cl=0.008\"}\n", CPU},
    {"debye, histogram", "debye", ATOMS "debye: {q: 0.1:20:500, method: histogram}\n", TWO},
    {"debye, exact, periodic", "debye", CELL "debye: {q: 0.5:10:40, method: exact, boundary: periodic, cutoff: 25}\n",
     TWO},
    {"debye, exact, periodic and damped, with a motion", "debye",
     CELL "debye: {q: 0.5:10:20, r: 1:8:40, method: exact, boundary: periodic, cutoff: 20, damping: ball, "
	  "displacement: \"Na=0.005,Cl=0.008\"}\n",
     CPU},
    {"debye, histogram, periodic", "debye",
     CELL "debye: {q: 0.5:10:40, method: histogram, boundary: periodic, cutoff: 25}\n", TWO},
    {"debye, copies of two structures", "debye",
     "debye: {q: 0.1:20:200, method: exact, copies: averaged}\n"
     "build: {copies: 6, copy-density: 0.1, seed: 3, structures: "
     "[{file: stops.xyz, number: 4}, {file: stops_cube.xyz, number: 2}]}\n",
     CPU},
    {"coulomb, direct on a grid", "coulomb",
     BLOCK "coulomb: {" CHARGES ", boundary: open, method: direct, spacing: 1}\n", CPU},
    {"coulomb, direct at points of a line, with the field", "coulomb",
     BLOCK "coulomb: {" CHARGES ", boundary: open, method: direct, quantity: both, "
	   "line: \"-20,0.3,0.1:20,0.4,0.7:9000\"}\n",
     CPU},
    {"coulomb, Ewald on a grid", "coulomb",
     BLOCK "coulomb: {" CHARGES ", boundary: periodic, method: ewald, tolerance: 1e-3, spacing: 1.5, "
	   "origin: \"0.1,0.1,0.1\"}\n",
     CPU},
    {"coulomb, Ewald at points of a line, with the field", "coulomb",
     BLOCK "coulomb: {" CHARGES ", boundary: periodic, method: ewald, tolerance: 1e-3, quantity: both, "
	   "line: \"0.1,0.3,0.1:20,0.4,0.7:2500\"}\n",
     CPU},
    {"pattern, points of rings", "pattern",
     CELL "pattern: {q: 0.5:7:200, phi: 256, wavelength: 0.5, method: direct}\n", CPU},
    {"pattern, products of matrices", "pattern",
     CELL "pattern: {u: \"1,0,0\", v: \"0,1,0\", w: \"0,0,1\", h: -4:4:61, k: -4:4:61, l: 0:1:8, method: direct}\n",
     CPU},
    {"pattern, by the fast method", "pattern",
     CELL "pattern: {q: 0.5:7:300, phi: 512, wavelength: 0.5, method: fast}\n", CPU},
    {"ions", "ions", "ions: {ion: As, energy: 20keV, target: Si, number: 600}\n", TWO},
    {"fdtd", "fdtd",
     "fdtd:\n  size: 600 nm, 600 nm, 600 nm\n  cell: 30 nm\n  steps: 120\n"
     "  sources: [{kind: dipole, polarization: [1, 0, 0], center: [0, 0, 0], wavelength: 500 nm, bandwidth: 300 "
     "THz}]\n"
     "  monitors: [{name: m, kind: flux, center: [0, 0, 0], size: [0, 300 nm, 300 nm], frequencies: \"500 THz:700 "
     "THz:5\"}]\n",
     CPU},
};

/* Sums by windows of distances, which need more atoms in a job: of few, in several lists of pairs of tiles. */
static sonde_status sum_windows(const sonde_atoms *atoms, const struct way *way, double *numbers, int points)
{
	sonde_debye_options options =
	    options_of(SONDE_DEBYE_METHOD_EXACT, SONDE_DEBYE_FACTORS_AUTO, 0.1, 10.0, points);
	struct pair_sums sums = {.q = options.q, .species = 2, .sums = numbers};
	const struct text sample = {.bytes = (char[]){""}};
	const struct unfinished_job job = {&debye_option_table, &options, &sample};
	sonde_context *context = make_context(way->threads);
	bool done = false;

	options.resume = way->resume;
	options.checkpoint = way->often ? 1e-9 : 0.0;
	memset(numbers, 0, 3 * (size_t)points * sizeof *numbers);
	assert_int_equal(unfinished_begin(context, &job, FILE_OF_RUN, &sums.unfinished), SONDE_OK);
	stop.asked = 0;
	stop.at = way->stop_at;
	const sonde_status status =
	    unfinished_end(&sums.unfinished, window_pair_sums(context, atoms, NULL, 100, &sums, &done));
	stop.at = 0;
	assert_true(done);
	sonde_context_free(&context);
	return status;
}

static void test_windows_of_distances_are_resumed(void **state)
{
	enum { POINTS = 500 };
	sonde_atoms *ball = build_sphere(SONDE_BUILD_CELL_ROCKSALT, "Na,Cl", 5.6402, 20.0),
		    *atoms = displace(ball, 0.05, 3);
	static double whole[3 * POINTS], parts[3 * POINTS];
	struct way way = {.threads = 2};
	sonde_status status = SONDE_SUSPENDED;
	int runs = 0;
	(void)state;

	remove_files();
	assert_int_equal(sum_windows(atoms, &way, whole, POINTS), SONDE_OK);
	way.stop_at = stop.asked / 4 + 1;
	checkpoint_remove(FILE_OF_RUN);
	for (; status == SONDE_SUSPENDED; ++runs) {
		way.threads = elsewhere() ? 2 : 1 + runs % 3;
		way.resume = runs > 0;
		way.often = runs % 2 == 1;
		status = sum_windows(atoms, &way, parts, POINTS);
		way.stop_at += way.stop_at / 4 + 1;
	}
	print_message("windows: %d runs\n", runs);
	assert_int_equal(status, SONDE_OK);
	assert_true(runs > 2);
	assert_memory_equal(whole, parts, sizeof whole);
	remove_files();
	sonde_atoms_free(&ball);
	sonde_atoms_free(&atoms);
}

static void test_runs_are_resumed_to_the_same_numbers(void **state)
{
	const char *only = getenv("SONDE_STOPS_OF"); /* to look at one kind */
	sonde_atoms *ball = build_sphere(SONDE_BUILD_CELL_ROCKSALT, "Na,Cl", 5.6402, 24.0),
		    *cells = build_cells(SONDE_BUILD_CELL_ROCKSALT, "Na,Cl", 5.6402, 4);
	sonde_atoms *moved = displace(ball, 0.05, 3), *moved_cells = displace(cells, 0.05, 4), *block;
	(void)state;

	write_text("stops.q", "0.5\n1\n1.7\n3\n4.1\n7\n11\n12\n19\n");
	block = build_cells(SONDE_BUILD_CELL_ROCKSALT, "Na,Cl", 5.6402, 2);
	set_periodic_cell(block, (double[9]){11.2804, 0, 0, 0, 11.2804, 0, 0, 0, 11.2804});
	assert_int_equal(sonde_atoms_write(NULL, block, "stops_block.xyz", 1), SONDE_OK);
	set_periodic_cell(moved_cells, (double[9]){22.5608, 0, 0, 0, 22.5608, 0, 0, 0, 22.5608});
	assert_int_equal(sonde_atoms_write(NULL, moved, SAMPLE, 1), SONDE_OK);
	assert_int_equal(sonde_atoms_write(NULL, moved_cells, CUBE, 1), SONDE_OK);
	for (size_t k = 0; k < sizeof kinds / sizeof *kinds; ++k)
		if (only == NULL || strstr(kinds[k].name, only) != NULL)
			stop_and_resume(&kinds[k]);
	sonde_atoms_free(&block);
	sonde_atoms_free(&ball);
	sonde_atoms_free(&cells);
	sonde_atoms_free(&moved);
	sonde_atoms_free(&moved_cells);
	remove("stops.q");
	remove("stops_block.xyz");
	remove(JOB);
	remove(SAMPLE);
	remove(CUBE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_runs_are_resumed_to_the_same_numbers),
	    cmocka_unit_test(test_windows_of_distances_are_resumed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
