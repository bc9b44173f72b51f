/* Files from which runs are resumed: whatever their contents, with a correct checksum, the run is resumed or there is
 * a message.
 *
 * The bytes of an input are changes to files that this program has made itself, so that they fit the version and the
 * tables at hand: changed numbers, missing or repeated parts, arrays of other sizes, types and shapes. Checksums are
 * those of the changed file: a fuzzer would not get past them. A job of sonde fdtd is resumed, of sonde ions all sums
 * are read. */
#include "fuzz/fuzz.h"

#include "run/context.h"
#include "matter/materials/material_list.h"
#include "fdtd/checkpoint.h"
#include "fdtd/option_tables.h"
#include "matter/shape/body.h"
#include "fuzz/tables.h"
#include "io/containers/seal.h"
#include "io/containers/yaml.h"
#include "ions/checkpoint.h"
#include "sonde/fdtd.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define STEPS 40
#define IONS 8

enum { BOUNDARIES, MATERIALS, BODIES, SOURCES, MONITORS, LISTS };

static const char job_text[] =
    "fdtd:\n"
    "  size: [0, 0, 1 um]\n"
    "  cell: 25 nm\n"
    "  steps: 60\n"
    "  resume: true\n"
    "  checkpoint: 0\n"
    "  materials: [{name: glass, index: 2}, {name: metal, drude: [[2000 THz, 20 THz]]}]\n"
    "  bodies: [{material: glass, shape: box, size: [0, 0, 0.3 um]}, "
    "{material: metal, shape: box, size: [0, 0, 0.1 um], center: [0, 0, 0.1 um]}]\n"
    "  sources:\n"
    "    - {kind: plane-wave, direction: [0, 0, 1], polarization: [1, 0, 0], frequency: 180 THz, bandwidth: 100 "
    "THz}\n"
    "  monitors:\n"
    "    - {kind: flux, center: [0, 0, 0.4 um], frequencies: 120 THz:240 THz:3, normalize: reference}\n"
    "    - {kind: flux, center: [0, 0, -0.45 um], frequencies: 120 THz:240 THz:3, normalize: reflection}\n"
    "    - {kind: snapshot, size: [0, 0, 0.5 um], every: 0.5 fs, components: Ex}\n"
    "    - {kind: point, components: [Ex, Hy]}\n";

struct bytes {
	const uint8_t *next, *end;
};

static unsigned take(struct bytes *bytes)
{
	return bytes->next < bytes->end ? *bytes->next++ : 0;
}

static uint64_t take_word(struct bytes *bytes)
{
	static const uint64_t words[] = {0,
					 1,
					 2,
					 16,
					 17,
					 255,
					 INT32_MAX,
					 UINT32_MAX,
					 (uint64_t)1 << 32,
					 (uint64_t)1 << 40,
					 INT64_MAX,
					 (uint64_t)1 << 63,
					 UINT64_MAX,
					 0x7ff8000000000000u,
					 0x7ff0000000000000u,
					 0x0010000000000000u};
	unsigned kind = take(bytes);
	uint64_t word = 0;

	if (kind < 128)
		return words[kind % COUNT(words)];
	for (unsigned k = 0; k <= kind % 8; ++k)
		word = word << 8 | take(bytes);
	return word;
}

static char folder[64], wave[128], layers[128], ions[128];
static sonde_context *context;

static void remove_files(void)
{
	static const char *const suffixes[] = {"", ".checkpoint", ".lock"};
	const char *const paths[] = {wave, layers, ions};
	char name[160];

	for (size_t p = 0; p < COUNT(paths); ++p)
		for (size_t k = 0; k < COUNT(suffixes); ++k) {
			snprintf(name, sizeof name, "%s%s", paths[p], suffixes[k]);
			unlink(name);
		}
	rmdir(folder);
}

static void write_file(const char *path, const void *bytes, size_t size)
{
	FILE *file = fopen(path, "wb");

	REQUIRE(file != NULL && fwrite(bytes, 1, size, file) == size && fclose(file) == 0);
}

/* sonde fdtd ------------------------------------------------------------------------------------------ */

static sonde_fdtd_job job;
/* Checkpoints of the run for reference and of that with bodies, without seals; the job's lines end at `head`. */
static struct template
{
	unsigned char *bytes;
	size_t size, head;
}
templates[2];

static void read_job(void)
{
	static sonde_program_options program;
	static struct yaml_list lists[LISTS] = {{.block = "fdtd", .table = &fdtd_boundary_table},
						{.block = "fdtd", .table = &material_item_table},
						{.block = "fdtd", .table = &body_table_in_meters},
						{.block = "fdtd", .table = &fdtd_source_table},
						{.block = "fdtd", .table = &fdtd_monitor_table}};
	struct yaml_block top = {&fuzz_program_table, &program, false, NULL, NULL, NULL};
	struct yaml_block block = {&fdtd_option_table, &job.options, false, NULL, NULL, NULL};

	options_set_defaults(&fuzz_program_table, &program);
	sonde_fdtd_job_init(&job);
	REQUIRE(yaml_read_job_lists(memory_file(job_text, sizeof job_text - 1), &top, &block, 1, lists, LISTS) ==
		SONDE_OK);
#define TAKE(member, number)                             \
	job.member.count = (int64_t)lists[number].count; \
	job.member.items = lists[number].items;          \
	job.member.lines = lists[number].lines
	TAKE(boundaries, BOUNDARIES);
	TAKE(materials, MATERIALS);
	TAKE(bodies, BODIES);
	TAKE(sources, SOURCES);
	TAKE(monitors, MONITORS);
}

static void keep_template(struct template *template)
{
	char name[160];

	snprintf(name, sizeof name, "%s.checkpoint", wave);
	FILE *file = fopen(name, "rb");
	REQUIRE(file != NULL && fseek(file, 0, SEEK_END) == 0);
	template->size = (size_t)ftell(file) - SEAL_SIZE;
	template->bytes = malloc(template->size);
	REQUIRE(template->bytes != NULL && fseek(file, 0, SEEK_SET) == 0);
	REQUIRE(fread(template->bytes, 1, template->size, file) == template->size);
	fclose(file);
	uint64_t lines;
	memcpy(&lines, template->bytes + 8, sizeof lines);
	template->head = 16 + (size_t)lines;
	REQUIRE(template->head < template->size);
}

static void make_template(struct fdtd_run *run, struct device *device, enum job_pass pass, struct template *template)
{
	struct simulation simulation = {0};
	struct checkpoint checkpoint = {.pass = pass, .largest = 1.0, .last = 1.0, .simulation = &simulation};
	struct stage stage;

	REQUIRE(job_space_paint(&run->space, pass) == SONDE_OK);
	REQUIRE(simulation_make(device, &run->space.grid, &run->space.media, false, &simulation) == SONDE_OK);
	REQUIRE(job_sources_add(&run->space, &run->sources, &simulation) == SONDE_OK);
	REQUIRE(job_monitors_add(&run->space, &run->sources, pass, &run->monitors, &simulation) == SONDE_OK);
	stage_begin(&stage, context, "steps", "steps", STEPS);
	for (uint64_t next; simulation.step < STEPS;) {
		if (pass == PASS_BODIES && job_monitors_next(&run->monitors) == simulation.step)
			REQUIRE(job_monitors_look(&run->monitors, &simulation) == SONDE_OK);
		next = pass == PASS_BODIES ? job_monitors_next(&run->monitors) : STEPS;
		next = next < STEPS ? next : STEPS;
		REQUIRE(simulation_run(&simulation, next - simulation.step, &stage) == SONDE_OK);
		REQUIRE(simulation_finish(&simulation) == SONDE_OK);
	}
	REQUIRE(fdtd_checkpoint_save(run, wave, &checkpoint) == SONDE_OK);
	keep_template(template);
	if (pass != PASS_BODIES)
		REQUIRE(job_monitors_keep(&run->monitors, pass, &simulation) == SONDE_OK);
	job_monitors_remove(&run->monitors, &simulation);
	simulation_release(&simulation);
}

static void make_fdtd(void)
{
	struct fdtd_run run;
	struct device *device;

	read_job();
	REQUIRE(fdtd_run_prepare(context, &job, &run) == SONDE_OK);
	REQUIRE(run.plan.runs == 2);
	REQUIRE(context_device(context, &device) == SONDE_OK);
	make_template(&run, device, PASS_REFERENCE, &templates[0]);
	make_template(&run, device, PASS_BODIES, &templates[1]);
	fdtd_run_free(&run);
}

/* Changes bytes behind the job's lines, mostly. */
static size_t change(struct bytes *bytes, const struct template *template, unsigned char *to, size_t size,
		     size_t room)
{
	const unsigned kind = take(bytes);
	size_t at = (size_t)take(bytes) << 8 | take(bytes), length;

	at = kind & 0x80 ? at * (size / 65536 + 1) : (kind & 0x40 ? 0 : template->head) + 4 * at;
	at = at < size ? at : size - 1;
	const uint64_t word = take_word(bytes);
	switch (kind % 8) {
	case 0: /* cut off */
		return at > 0 ? at : 1;
	case 1: /* left out */
		length = word % 4096 < size - at ? (size_t)(word % 4096) : size - at;
		memmove(to + at, to + at + length, size - at - length);
		return size - length > 0 ? size - length : 1;
	case 2: /* repeated */
		length = word % 4096 < size - at ? (size_t)(word % 4096) : size - at;
		length = length < room - size ? length : room - size;
		memmove(to + at + length, to + at, size - at);
		return size + length;
	case 3:
		to[at] = (unsigned char)word;
		return size;
	default:
		length = size - at < sizeof word ? size - at : sizeof word;
		memcpy(to + at, &word, length);
		return size;
	}
}

static void resume_fdtd(struct bytes *bytes)
{
	const struct template *template = &templates[take(bytes) % 2];
	const size_t room = template->size + 65536 + SEAL_SIZE;
	unsigned char *file = malloc(room);
	struct checksum checksum = {0};
	sonde_fdtd_result *result;
	size_t size = template->size;
	char name[160];

	REQUIRE(file != NULL);
	memcpy(file, template->bytes, size);
	for (int k = 0; k < 8 && bytes->next < bytes->end; ++k)
		size = change(bytes, template, file, size, room - SEAL_SIZE);
	checksum_add(&checksum, file, size);
	seal_make(&checksum, file + size);
	snprintf(name, sizeof name, "%s.checkpoint", layers);
	write_file(name, file, size + SEAL_SIZE);
	free(file);
	const sonde_status status = sonde_fdtd_run_to_file(context, &job, layers, 1, &result);
	if (status == SONDE_OK) {
		REQUIRE(result->steps == job.options.steps);
		sonde_fdtd_result_free(&result);
	} else {
		REQUIRE(result == NULL && status != SONDE_INTERNAL);
		REQUIRE_MESSAGE();
	}
	struct checkpoint_summary summary;
	if (fdtd_checkpoint_is_one(name) && fdtd_checkpoint_summarize(name, &summary) == SONDE_OK)
		free(summary.job);
}

/* sonde ions ------------------------------------------------------------------------------------------ */

static struct ions_plan plan;
static char *ions_job;
/* Contents of a checkpoint. */
static struct set {
	const char *path;
	bool real;
	int64_t columns; /* of reals; 0: one number */
	int64_t count;
	void *values;
} sets[] = {
    {"/ions/seconds", true, 0, 0, NULL},
    {"/ions/sums/ions", false, 1, 0, NULL},
    {"/ions/sums/distances", false, 1, 0, NULL},
    {"/ions/sums/tallies", false, 1, 0, NULL},
    {"/ions/sums/moments", false, 1, 0, NULL},
    {"/ions/sums/leaving", false, 1, 0, NULL},
    {"/ions/sums/spectra", false, 1, 0, NULL},
    {"/ions/sums/exit_integers", false, 1, 0, NULL},
    {"/ions/sums/exit_reals", true, 7, 0, NULL},
    {"/ions/sums/under_way", false, 1, 0, NULL},
    {"/ions/sums/atom_integers", false, 1, 0, NULL},
    {"/ions/sums/atom_reals", true, 10, 0, NULL},
    {"/ions/sums/gaps", false, 1, 0, NULL},
};
#define FIRST_OF_STOPPED 9

/* An atom without energy that is under way, and ions that are still to be done: a run that was stopped has them. */
static void add_stopped(void)
{
	static int64_t under_way[2] = {3, 1}, integers[8] = {0, 5, 0, 1, 0, 1, 0, 0}, gaps[2] = {4, 2};
	static double reals[10] = {1.0, 0.0, 0.0, 0.0, 1.0};
	void *const values[] = {under_way, integers, reals, gaps};
	static const int64_t counts[] = {2, 8, 10, 2};

	for (size_t k = 0; k < COUNT(values); ++k) {
		sets[FIRST_OF_STOPPED + k].values = values[k];
		sets[FIRST_OF_STOPPED + k].count = counts[k];
	}
}

static void make_ions(void)
{
	sonde_ions_options options;
	sonde_ions_result *result;
	struct hdf5_reader *reader;
	struct text text = {0};

	sonde_ions_options_init(&options);
	options.number = IONS;
	options.bins = 4;
	snprintf(options.energy, sizeof options.energy, "1keV");
	snprintf(options.target, sizeof options.target, "Si");
	snprintf(options.ion, sizeof options.ion, "As");
	options.exits = 20;
	options.stopping = SONDE_IONS_STOPPING_LINDHARD; /* without a file */
	REQUIRE(sonde_ions_run_to_file(context, &options, ions, 1, &result) == SONDE_OK);
	const sonde_ions_options settled = options;
	sonde_ions_result_free(&result);
	REQUIRE(ions_plan_make(1, &settled, &plan) == SONDE_OK);
	ions_checkpoint_job(&plan, &text);
	REQUIRE(text_status(&text) == SONDE_OK);
	ions_job = text.bytes;
	REQUIRE(hdf5_reader_open(&reader, ions) == SONDE_OK);
	for (size_t k = 0; k < COUNT(sets); ++k) {
		struct set *set = &sets[k];
		if (!hdf5_reader_has(reader, set->path))
			continue;
		if (set->real)
			REQUIRE(hdf5_reader_reals(reader, set->path, (double **)&set->values, &set->count) ==
				SONDE_OK);
		else
			REQUIRE(hdf5_reader_integers(reader, set->path, (int64_t **)&set->values, &set->count) ==
				SONDE_OK);
	}
	hdf5_reader_close(&reader);
	add_stopped();
	if (sets[0].values == NULL) { /* of a checkpoint, not of a result */
		static double seconds = 1.0;
		sets[0].values = &seconds;
		sets[0].count = 1;
	}
}

/* A set as it is written: the same, or another one. */
struct changed {
	bool absent, real, flat;
	int64_t count;
	uint64_t *words;
};

static void change_set(struct bytes *bytes, struct changed *changed)
{
	const unsigned kind = take(bytes);
	const uint64_t place = (uint64_t)take(bytes) << 8 | take(bytes), word = take_word(bytes);
	uint64_t *words;

	switch (kind % 8) {
	case 0:
		changed->absent = !changed->absent;
		return;
	case 1:
		changed->real = !changed->real;
		return;
	case 2:
		changed->flat = !changed->flat;
		return;
	case 3: /* another size */
		words = calloc((size_t)(word % 5000) + 1, sizeof *words);
		REQUIRE(words != NULL);
		for (uint64_t k = 0; k <= word % 5000 && k < (uint64_t)changed->count; ++k)
			words[k] = changed->words[k];
		free(changed->words);
		changed->words = words;
		changed->count = (int64_t)(word % 5000) + 1;
		return;
	default:
		changed->words[place % (uint64_t)changed->count] = word;
	}
}

static void write_set(struct hdf5_writer *writer, const struct set *set, const struct changed *changed)
{
	const int64_t columns =
			  set->columns > 1 && !changed->flat && changed->count % set->columns == 0 ? set->columns : 1,
		      sizes[2] = {changed->count / columns, columns};

	if (changed->absent)
		return;
	if (!changed->real)
		hdf5_writer_integers(writer, set->path, (const int64_t *)changed->words, changed->count);
	else if (set->columns == 0 && changed->count == 1)
		hdf5_writer_real(writer, set->path, *(const double *)changed->words, "s");
	else
		hdf5_writer_reals(writer, set->path, (const double *)changed->words, sizes, columns > 1 ? 2 : 1, NULL,
				  NULL);
}

static void write_ions(struct bytes *bytes, bool was_stopped)
{
	struct changed changed[COUNT(sets)];
	struct hdf5_writer *writer;

	for (size_t k = 0; k < COUNT(sets); ++k) {
		changed[k] = (struct changed){.real = sets[k].real, .count = sets[k].count > 0 ? sets[k].count : 1};
		changed[k].absent = sets[k].values == NULL || (k >= FIRST_OF_STOPPED && !was_stopped);
		changed[k].words = calloc((size_t)changed[k].count, sizeof(uint64_t));
		REQUIRE(changed[k].words != NULL);
		if (sets[k].values != NULL)
			memcpy(changed[k].words, sets[k].values, (size_t)changed[k].count * sizeof(uint64_t));
	}
	for (int n = 0; n < 16 && bytes->next < bytes->end; ++n)
		change_set(bytes, &changed[take(bytes) % COUNT(sets)]);
	REQUIRE(hdf5_writer_create(&writer) == SONDE_OK);
	hdf5_writer_group(writer, "/ions", "NXentry");
	hdf5_writer_text(writer, "/ions/job", ions_job);
	hdf5_writer_group(writer, "/ions/sums", "NXcollection");
	for (size_t k = 0; k < COUNT(sets); ++k) {
		write_set(writer, &sets[k], &changed[k]);
		free(changed[k].words);
	}
	REQUIRE(hdf5_writer_finish(&writer, ions, true) == SONDE_OK);
}

static void resume_ions(struct bytes *bytes)
{
	struct ions_sums *sums;
	const bool was_stopped = take(bytes) % 2 != 0;

	write_ions(bytes, was_stopped);
	REQUIRE(ions_sums_make(&plan.job, plan.depth_unit, &sums) == SONDE_OK);
	if (ions_checkpoint_read(ions, &plan, sums) != SONDE_OK)
		REQUIRE_MESSAGE();
	else
		REQUIRE(sums->ions >= 0 && sums->exit_count >= 0);
	ions_sums_free(&sums);
}

__attribute__((visibility("default"))) int LLVMFuzzerInitialize(int *argc, char ***argv);

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	snprintf(folder, sizeof folder, "%.40s/fuzz-XXXXXX", getenv("TMPDIR") != NULL ? getenv("TMPDIR") : "/tmp");
	REQUIRE(mkdtemp(folder) != NULL);
	snprintf(wave, sizeof wave, "%s/wave.csv", folder);
	snprintf(layers, sizeof layers, "%s/layers.csv", folder);
	snprintf(ions, sizeof ions, "%s/ions.h5", folder);
	atexit(remove_files);
	REQUIRE(sonde_context_create(&context) == SONDE_OK);
	REQUIRE(sonde_context_set_device(context, "cpu") == SONDE_OK);
	REQUIRE(sonde_context_set_threads(context, 1) == SONDE_OK);
	make_fdtd();
	make_ions();
	/* unchanged checkpoints are resumed */
	static const uint8_t unchanged[][2] = {{0, 0}, {0, 1}, {1, 0}, {1, 1}};
	for (size_t k = 0; k < COUNT(unchanged); ++k)
		REQUIRE(LLVMFuzzerTestOneInput(unchanged[k], 2) == 0);
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct bytes bytes = {data, data + size};

	if (take(&bytes) % 2 == 0)
		resume_fdtd(&bytes);
	else
		resume_ions(&bytes);
	return 0;
}
