#include "library/make.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/folder.h"
#include "base/memory.h"
#include "debye/debye.h"
#include "library/packed.h"
#include "parallel/parallel.h"
#include "run/context.h"

#define BLOCK 1024           /* structures of a rank that are sent at a time */
#define BATCH 4096           /* structures that are computed together, */
#define GPU_PAIRS 2e10       /* and their pairs, */
#define CPU_PAIRS 1e9        /* some seconds */
#define LEAST_PERIOD 20.0    /* seconds between two completions of the file */
#define PARTS_OF_PERIOD 10.0 /* which take at most this part of the time */

/* Keys of the file before, sorted. */
struct keys {
	char *keys;
	int64_t count;
};

struct making {
	sonde_context *context;
	const struct library_spec *spec;
	const char *path;
	bool overwrite;
	int at_once;
	double least_period;
	struct library_outcome *outcome;
	struct keys before;
	struct debye_many *many;
	struct library_writer *writer;
	double completed, period; /* when the file was completed, and seconds until it is again */
	/* the batch */
	struct library_structure *structures;
	int count;
	double pairs, most_pairs;
	double *errors[LIBRARY_CURVES]; /* of a structure */
	/* several ranks: each computes a part of the structures, and the first one writes */
	struct parallel *ranks;
	struct packed packed; /* what this rank has computed of a round */
};

static int compare_keys(const void *a, const void *b)
{
	return memcmp(a, b, LIBRARY_KEY);
}

static const char *radiation_of(const struct library_spec *spec, enum library_radiation *radiation)
{
	*radiation = spec->debye.radiation == SONDE_DEBYE_RADIATION_NEUTRON    ? LIBRARY_NEUTRON
		     : spec->debye.radiation == SONDE_DEBYE_RADIATION_ELECTRON ? LIBRARY_ELECTRON
									       : LIBRARY_XRAY;
	return library_radiation_names[*radiation];
}

/* The library that is there: it must have been computed in the same way. */
static sonde_status read_before(struct making *making)
{
	const struct library_spec *spec = making->spec;
	const char *path = making->path;
	struct keys *keys = &making->before;
	enum library_radiation radiation;
	struct library library;
	sonde_status status;

	if (making->overwrite || !folder_is_there(path))
		return SONDE_OK;
	const char *name = radiation_of(spec, &radiation);
	CHECK(library_open(path, &library));
	if (library.head.radiation != radiation || strcmp(library.head.physics, spec->physics) != 0)
		status = status_fail_file(SONDE_INVALID, path,
					  "was computed with other options (%s%s%s, here %s%s%s); another output, or "
					  "`force`, makes a new library",
					  library_radiation_names[library.head.radiation],
					  library.head.physics[0] != '\0' ? ": " : "", library.head.physics, name,
					  spec->physics[0] != '\0' ? ": " : "", spec->physics);
	else
		status = library_read_keys(&library, &keys->keys);
	if (status == SONDE_OK) {
		keys->count = library.count;
		qsort(keys->keys, (size_t)keys->count, LIBRARY_KEY, compare_keys);
	}
	library_close(&library);
	return status;
}

static bool was_before(const struct keys *keys, const char *key)
{
	return keys->count > 0 && bsearch(key, keys->keys, (size_t)keys->count, LIBRARY_KEY, compare_keys) != NULL;
}

/* Writing ----------------------------------------------------------------------------------------------------------- */

/* What all candidates have in common; the axes are those of the result. */
static struct library_head head_of(const struct making *making, const sonde_debye_result *result)
{
	const struct library_spec *spec = making->spec;
	struct library_head head = {
	    .physics = spec->physics, .q = result->q, .r = result->r, .coordinates = spec->coordinates};

	(void)radiation_of(spec, &head.radiation);
	for (int k = 0; k < LIBRARY_CURVES; ++k) {
		head.has[k] = spec->has[k];
		head.errors[k] = spec->has[k] && spec->errors && k != LIBRARY_G;
	}
	if (spec->has[LIBRARY_I_PER_ATOM] || spec->has[LIBRARY_S] || spec->has[LIBRARY_F])
		head.q_count = result->q_count;
	if (spec->has[LIBRARY_G])
		head.r_count = result->r_count;
	return head;
}

static sonde_status open_writer(struct making *making, const struct library_head *head)
{
	if (folder_is_there(making->path) && (!making->overwrite || making->outcome->made > 0))
		return library_extend(making->path, head, &making->writer);
	return library_create(making->path, making->overwrite, head, &making->writer);
}

/* A candidate joins the file, unless it is there. */
static sonde_status write_candidate(struct making *making, const struct library_head *head,
				    const struct library_candidate *candidate, double error)
{
	if (making->writer == NULL)
		CHECK(open_writer(making, head));
	if (library_writer_has(making->writer,
			       candidate->key)) { /* of a piece that is complete, or of another rank */
		++making->outcome->repeated;
		return SONDE_OK;
	}
	CHECK(library_add(making->writer, candidate));
	++making->outcome->made;
	making->outcome->largest_error = fmax(making->outcome->largest_error, error);
	return SONDE_OK;
}

/* The same, or, of several ranks, to be sent to the first one. */
static sonde_status deliver(struct making *making, const struct library_head *head,
			    const struct library_candidate *candidate, double error)
{
	if (making->ranks == NULL)
		return write_candidate(making, head, candidate, error);
	if (making->packed.size == 0)
		CHECK(packed_add_head(&making->packed, head));
	return packed_add(&making->packed, head, candidate, error);
}

/* Errors of the curves over q from that of I/N. */
static sonde_status fill_errors(struct making *making, const sonde_debye_result *result)
{
	for (int k = 0; k < LIBRARY_G; ++k)
		if (making->errors[k] == NULL)
			CHECK(
			    memory_allocate(&making->errors[k], (size_t)result->q_count, sizeof(double), "a curve"));
	for (int64_t k = 0; k < result->q_count; ++k) {
		const double error = result->error_estimate[k], scale = result->square_mean_amplitude[k];
		making->errors[LIBRARY_I_PER_ATOM][k] = error;
		making->errors[LIBRARY_S][k] = scale > 0.0 ? error / scale : NAN;
		making->errors[LIBRARY_F][k] = result->q[k] * making->errors[LIBRARY_S][k];
	}
	return SONDE_OK;
}

static sonde_status add_coordinates(const sonde_atoms *atoms, struct library_candidate *candidate,
				    float (**positions)[3], const char ***labels)
{
	const size_t count = (size_t)sonde_atoms_count(atoms);
	const double *from = sonde_atoms_positions(atoms);
	const int species = sonde_atoms_species_count(atoms);

	CHECK(memory_allocate(positions, count, sizeof **positions, "coordinates"));
	CHECK(memory_allocate(labels, (size_t)species, sizeof **labels, "coordinates"));
	for (size_t k = 0; k < count; ++k)
		for (int c = 0; c < 3; ++c)
			(*positions)[k][c] = (float)from[3 * k + (size_t)c];
	for (int s = 0; s < species; ++s)
		(*labels)[s] = sonde_atoms_species_label(atoms, s);
	candidate->positions = (const float(*)[3]) * positions;
	candidate->species = sonde_atoms_species(atoms);
	candidate->labels = *labels;
	candidate->label_count = species;
	return SONDE_OK;
}

static sonde_status add(struct making *making, const struct library_structure *structure,
			const sonde_debye_result *result)
{
	struct library_candidate candidate = {.name = structure->name,
					      .key = structure->key,
					      .source = structure->source,
					      .family = structure->family,
					      .parameters = structure->parameters,
					      .composition = structure->composition,
					      .atoms = (uint64_t)sonde_atoms_count(structure->atoms),
					      .size = structure->size,
					      .curves = {result->intensity_per_atom, result->structure_factor,
							 result->reduced_structure_factor,
							 result->pair_distribution}};
	float(*positions)[3] = NULL;
	const char **labels = NULL;
	sonde_status status = SONDE_OK;

	const struct library_head head = head_of(making, result);
	CHECK(fill_errors(making, result));
	for (int k = 0; k < LIBRARY_G; ++k)
		candidate.errors[k] = making->errors[k];
	if (making->spec->coordinates)
		status = add_coordinates(structure->atoms, &candidate, &positions, &labels);
	if (status == SONDE_OK)
		status = deliver(making, &head, &candidate, result->largest_error);
	free(positions);
	free(labels);
	return status;
}

/* The file is there, with all that has been added. */
static sonde_status complete(struct making *making)
{
	const double began = clock_seconds();

	if (making->writer == NULL)
		return SONDE_OK;
	making->outcome->total = library_writer_count(making->writer);
	CHECK(library_writer_finish(&making->writer));
	making->completed = clock_seconds();
	making->outcome->writing += making->completed - began;
	/* the next piece begins with a copy of the file */
	making->period = fmax(making->least_period, 2.0 * PARTS_OF_PERIOD * (making->completed - began));
	return SONDE_OK;
}

/* Batches ----------------------------------------------------------------------------------------------------------- */

static void empty(struct making *making)
{
	for (int k = 0; k < making->count; ++k)
		library_structure_free(&making->structures[k]);
	making->count = 0;
	making->pairs = 0.0;
}

static sonde_status compute(struct making *making)
{
	const sonde_atoms **atoms = NULL;
	sonde_debye_result **results = NULL;
	sonde_status status;

	if (making->count == 0)
		return SONDE_OK;
	CHECK(memory_allocate(&atoms, (size_t)making->count, sizeof *atoms, "a batch"));
	CHECK_GOTO(status, memory_allocate(&results, (size_t)making->count, sizeof(sonde_debye_result *), "a batch"),
		   done);
	for (int k = 0; k < making->count; ++k)
		atoms[k] = making->structures[k].atoms;
	CHECK_GOTO(status, debye_many_run(making->many, atoms, making->count, results), done);
	const double began = clock_seconds();
	for (int k = 0; k < making->count && status == SONDE_OK; ++k)
		status = add(making, &making->structures[k], results[k]);
	making->outcome->writing += clock_seconds() - began;
done:
	for (int k = 0; results != NULL && k < making->count; ++k)
		sonde_debye_result_free(&results[k]);
	free(results);
	free(atoms);
	empty(making);
	if (status == SONDE_OK && making->ranks == NULL && clock_seconds() - making->completed > making->period)
		status = complete(making);
	return status;
}

static bool is_in_batch(const struct making *making, const char *key)
{
	for (int k = 0; k < making->count; ++k)
		if (memcmp(making->structures[k].key, key, LIBRARY_KEY) == 0)
			return true;
	return false;
}

/* Counts a structure that is to be computed. */
static void count_atoms(struct library_outcome *outcome, int64_t atoms)
{
	outcome->atoms += (double)atoms;
	outcome->pairs += 0.5 * (double)atoms * ((double)atoms - 1.0);
	outcome->fewest_atoms =
	    outcome->fewest_atoms == 0 || atoms < outcome->fewest_atoms ? atoms : outcome->fewest_atoms;
	outcome->most_atoms = atoms > outcome->most_atoms ? atoms : outcome->most_atoms;
}

/* Whether a structure is to be computed. */
static bool is_new(struct making *making, const struct library_structure *structure)
{
	struct library_outcome *outcome = making->outcome;

	if (was_before(&making->before, structure->key)) {
		++outcome->present;
		return false;
	}
	if (is_in_batch(making, structure->key) ||
	    (making->writer != NULL && library_writer_has(making->writer, structure->key))) {
		++outcome->repeated;
		return false;
	}
	count_atoms(outcome, sonde_atoms_count(structure->atoms));
	return true;
}

/* Structure `number` joins the batch, which is computed when it is full. */
static sonde_status take(struct making *making, int64_t number)
{
	struct library_structure *structure = &making->structures[making->count];
	const double began = clock_seconds();
	const sonde_status status = library_structure_make(making->context, making->spec, number, structure);

	making->outcome->building += clock_seconds() - began;
	if (status != SONDE_OK || !is_new(making, structure)) {
		library_structure_free(structure);
		return status;
	}
	const double atoms = (double)sonde_atoms_count(structure->atoms);
	++making->count;
	making->pairs += 0.5 * atoms * atoms;
	return making->count == making->at_once || making->pairs > making->most_pairs ? compute(making) : SONDE_OK;
}

/* Several ranks ------------------------------------------------------------------------------------------------------ */

/* The candidates of one rank after the other, in the order of the description. */
static sonde_status write_packed(struct making *making, const struct packed *packed)
{
	for (size_t at = 0; at < packed->size;) {
		struct library_head head = {.physics = making->spec->physics,
					    .coordinates = making->spec->coordinates};
		uint64_t size;
		memcpy(&size, packed->bytes + at, sizeof size);
		at += sizeof size;
		const size_t end = at + size;
		(void)radiation_of(making->spec, &head.radiation);
		for (int k = 0; k < LIBRARY_CURVES; ++k) {
			head.has[k] = making->spec->has[k];
			head.errors[k] = head.has[k] && making->spec->errors && k != LIBRARY_G;
		}
		sonde_status status = size > 0 ? packed_take_head(packed, &at, &head) : SONDE_OK;
		while (status == SONDE_OK && at < end) {
			struct unpacked unpacked;
			status = packed_take(packed, &at, &head, &unpacked);
			if (status == SONDE_OK)
				status = write_candidate(making, &head, &unpacked.candidate, unpacked.error);
			unpacked_free(&unpacked);
		}
		free(head.q);
		free(head.r);
		CHECK(status);
	}
	return SONDE_OK;
}

/* The first rank gets what all have computed, and writes it. */
static sonde_status gather_round(struct making *making)
{
	const uint64_t size = making->packed.size;
	struct packed all = {0};
	void *bytes = NULL;
	char *own;

	CHECK(memory_allocate(&own, size + sizeof size, 1, "a library"));
	memcpy(own, &size, sizeof size);
	if (size > 0)
		memcpy(own + sizeof size, making->packed.bytes, size);
	packed_free(&making->packed);
	sonde_status status = parallel_collect(making->ranks, own, size + sizeof size, &bytes, &all.size);
	free(own);
	const double began = clock_seconds();
	all.bytes = bytes;
	if (status == SONDE_OK && parallel_is_first(making->ranks))
		status = write_packed(making, &all);
	free(bytes);
	if (status == SONDE_OK && clock_seconds() - making->completed > making->period)
		status = complete(making);
	making->outcome->writing += clock_seconds() - began;
	return parallel_agree(making->ranks, status);
}

/* Structures of a rank in a round. */
static sonde_status make_block(struct making *making, int64_t first, int64_t end)
{
	for (int64_t k = first; k < end; ++k)
		CHECK(take(making, k));
	return compute(making);
}

/* In rounds, of which each rank has a block of structures. */
static sonde_status make_among_ranks(struct making *making, struct stage *stage)
{
	const int64_t size = parallel_size(making->ranks), rank = parallel_rank(making->ranks),
		      count = making->spec->count, part = (count + size - 1) / size,
		      block = part < BLOCK ? part : BLOCK;

	CHECK(parallel_agree(making->ranks, SONDE_OK));
	for (int64_t base = 0; base < count; base += size * block) {
		const int64_t first = base + rank * block, end = first + block;
		const sonde_status status =
		    make_block(making, first < count ? first : count, end < count ? end : count);
		CHECK(parallel_agree(making->ranks, status));
		CHECK(gather_round(making));
		const int64_t done = base + size * block;
		CHECK(parallel_agree(making->ranks, stage_advance(stage, (double)(done < count ? done : count))));
	}
	double counts[] = {(double)making->outcome->present, (double)making->outcome->repeated,
			   making->outcome->atoms, making->outcome->pairs};
	CHECK(parallel_sum_in_order(making->ranks, counts, sizeof counts / sizeof *counts));
	making->outcome->present = (int64_t)counts[0];
	making->outcome->repeated = (int64_t)counts[1];
	making->outcome->atoms = counts[2];
	making->outcome->pairs = counts[3];
	return SONDE_OK;
}

static sonde_status make_all(struct making *making)
{
	struct device_count devices;
	struct stage stage;

	CHECK(read_before(making));
	making->outcome->total = making->before.count;
	CHECK(memory_allocate(&making->structures, (size_t)making->at_once, sizeof *making->structures, "a batch"));
	CHECK(context_count_devices(making->context, &devices));
	/* from here on each rank is on its own, but for the exchange of what it has computed */
	if (parallel_size(context_ranks(making->context)) > 1)
		making->ranks = context_ranks(making->context);
	context_set_ranks(making->context, NULL);
	making->most_pairs = devices.gpus > 0 ? GPU_PAIRS : CPU_PAIRS;
	CHECK(debye_many_begin(making->context, &making->spec->debye, &making->many));
	making->completed = clock_seconds();
	making->period = making->least_period;
	stage_begin(&stage, making->context, "library", "structures", (double)making->spec->count);
	context_mute(making->context, true);
	if (making->ranks != NULL)
		return make_among_ranks(making, &stage);
	for (int64_t k = 0; k < making->spec->count; ++k) {
		CHECK(take(making, k));
		CHECK(stage_advance(&stage, (double)(k + 1)));
	}
	return compute(making);
}

/* After a stop, what has been added is kept. */
static sonde_status end(struct making *making, sonde_status status)
{
	if (status != SONDE_OK && status != SONDE_CANCELLED) {
		char message[1024];
		snprintf(message, sizeof message, "%s", status_message());
		/* so is it before a failure of a later structure */
		if (making->outcome->made > 0 && complete(making) == SONDE_OK)
			return status_fail(status, "%s (the %lld structures before it are in the library)", message,
					   (long long)making->outcome->total);
		return status_fail(status, "%s", message);
	}
	CHECK(complete(making));
	if (status == SONDE_CANCELLED && making->outcome->total > 0)
		return status_fail(SONDE_SUSPENDED,
				   "stopped on request: %lld structures are in %s; the same command continues",
				   (long long)making->outcome->total, making->path);
	return status == SONDE_CANCELLED ? status_fail(SONDE_SUSPENDED,
						       "stopped on request before the first structures of %s were "
						       "complete; the same command begins again",
						       making->path)
					 : status;
}

static void release(struct making *making)
{
	library_writer_discard(&making->writer);
	if (making->structures != NULL)
		empty(making);
	free(making->structures);
	for (int k = 0; k < LIBRARY_CURVES; ++k)
		free(making->errors[k]);
	free(making->before.keys);
	packed_free(&making->packed);
	debye_many_free(&making->many);
}

static struct making making_of(sonde_context *context, const struct library_spec *spec,
			       const struct library_settings *settings, struct library_outcome *outcome)
{
	return (struct making){.context = context,
			       .spec = spec,
			       .path = settings->path,
			       .overwrite = settings->overwrite,
			       .at_once = settings->at_once > 0 ? settings->at_once : BATCH,
			       .least_period = settings->period > 0.0 ? settings->period : LEAST_PERIOD,
			       .outcome = outcome};
}

sonde_status library_make(sonde_context *context, const struct library_spec *spec,
			  const struct library_settings *settings, struct library_outcome *outcome)
{
	struct making making = making_of(context, spec, settings, outcome);

	*outcome = (struct library_outcome){.structures = spec->count};
	sonde_status status = make_all(&making);
	context_mute(context, false);
	if (making.many != NULL)
		outcome->times = *debye_many_times(making.many);
	status = end(&making, status);
	release(&making);
	return status;
}

/* A structure of a plan. */
struct planned {
	char key[LIBRARY_KEY];
	int64_t atoms;
};

static sonde_status plan_all(struct making *making, struct planned **planned, size_t *count)
{
	struct stage stage;
	size_t capacity = 0;

	CHECK(read_before(making));
	making->outcome->total = making->before.count;
	stage_begin(&stage, making->context, "structures", "structures", (double)making->spec->count);
	for (int64_t k = 0; k < making->spec->count; ++k) {
		struct library_structure structure;
		CHECK(memory_grow(planned, &capacity, *count + 1, sizeof **planned, "a plan"));
		const sonde_status status = library_structure_make(making->context, making->spec, k, &structure);
		if (status == SONDE_OK && was_before(&making->before, structure.key)) {
			++making->outcome->present;
		} else if (status == SONDE_OK) {
			memcpy((*planned)[*count].key, structure.key, LIBRARY_KEY);
			(*planned)[(*count)++].atoms = sonde_atoms_count(structure.atoms);
		}
		library_structure_free(&structure);
		CHECK(status);
		CHECK(stage_advance(&stage, (double)(k + 1)));
	}
	return SONDE_OK;
}

sonde_status library_plan(sonde_context *context, const struct library_spec *spec,
			  const struct library_settings *settings, struct library_outcome *outcome)
{
	struct making making = making_of(context, spec, settings, outcome);
	struct planned *planned = NULL;
	size_t count = 0;

	*outcome = (struct library_outcome){.structures = spec->count};
	const sonde_status status = plan_all(&making, &planned, &count);
	if (count > 1)
		qsort(planned, count, sizeof *planned, compare_keys); /* which begin the structs */
	for (size_t k = 0; k < count; ++k) {
		if (k > 0 && memcmp(planned[k].key, planned[k - 1].key, LIBRARY_KEY) == 0)
			++outcome->repeated;
		else
			count_atoms(outcome, planned[k].atoms);
	}
	free(planned);
	free(making.before.keys);
	return status;
}
