/* The atoms of a sample in classes, which differ in label, occupancy, and displacement. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/threads.h"
#include "device/kernel.h"
#include "device/kernel_math.h"
#include "matter/atoms/atoms_gpu.h"
#include "matter/elements/assignments.h"
#include "pattern/joint.h"
#include "pattern/resident/resident.h"
#include "pattern/pattern.h"

#define FEW_ATOMS 65536
#define FILLING_PARTS 64          /* of more atoms */
#define LARGEST_DISPLACEMENT 10.0 /* Angstrom^2; U_iso of atoms in solids is below 0.5 */

/* Displacements ---------------------------------------------------------------------------------------------- */

/* Sets that of all labels, or of one. */
static sonde_status set_displacement(const sonde_atoms *atoms, const struct assignment *item, double *of_species,
				     bool *given)
{
	if (item->second[0] != '\0')
		return status_fail_option(SONDE_INVALID, "displacement", "'%s:%s' is a pair; give one label",
					  item->first, item->second);
	const int species = item->first[0] != '\0' ? atoms_find_species(atoms, item->first) : 0;
	if (species < 0)
		return status_fail_option(SONDE_INVALID, "displacement", "the sample has no '%s'", item->first);
	for (int s = 0; s < atoms->species_count; ++s)
		if (item->first[0] == '\0' || s == species) {
			if (given[s])
				return status_fail_option(SONDE_INVALID, "displacement", "'%s' is given twice",
							  atoms->species[s].label);
			of_species[s] = item->value;
			given[s] = true;
		}
	return SONDE_OK;
}

static sonde_status read_displacements(const sonde_atoms *atoms, const char *list, double *of_species, bool *given)
{
	struct assignment item;

	if (list[0] == '\0')
		return SONDE_OK;
	while (list[0] != '\0') {
		CHECK(assignment_take("displacement", &list, 0.0, LARGEST_DISPLACEMENT, &item));
		CHECK(set_displacement(atoms, &item, of_species, given));
	}
	/* an atom at rest among others that move is stated as LABEL=0 */
	for (int s = 0; s < atoms->species_count; ++s)
		if (!given[s])
			return status_fail_option(SONDE_INVALID, "displacement",
						  "there is none for '%s'; add %s=VALUE, or %s=0 for atoms at rest",
						  atoms->species[s].label, atoms->species[s].label,
						  atoms->species[s].label);
	return SONDE_OK;
}

/* Classes ----------------------------------------------------------------------------------------------------- */

/* A class before it has its number: its label is that of the species with this rank among the labels. */
struct class_key {
	int species, rank;
	double occupancy, u[6];
};

/* What the keys of the atoms are made of. */
struct source {
	const sonde_atoms *atoms;
	int *rank;             /* of the labels */
	double *displacements; /* of the species */
	bool *given;
	bool of_sample; /* displacements are those of the atoms instead */
};

static int compare_numbers(double a, double b)
{
	return a < b ? -1 : a > b;
}

static int compare_keys(const struct class_key *a, const struct class_key *b)
{
	if (a->rank != b->rank)
		return a->rank < b->rank ? -1 : 1;
	if (a->occupancy != b->occupancy)
		return compare_numbers(a->occupancy, b->occupancy);
	for (int k = 0; k < 6; ++k)
		if (a->u[k] != b->u[k])
			return compare_numbers(a->u[k], b->u[k]);
	return 0;
}

struct class_list {
	struct class_key keys[PATTERN_MOST_CLASSES];
	int count;
};

/* The place of a key in the list, or its insertion point. */
static int find_key(const struct class_list *list, const struct class_key *key)
{
	int low = 0, high = list->count;

	while (low < high) {
		const int middle = (low + high) / 2;
		if (compare_keys(&list->keys[middle], key) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static sonde_status add_key(struct class_list *list, const struct class_key *key)
{
	const int place = find_key(list, key);

	if (place < list->count && compare_keys(&list->keys[place], key) == 0)
		return SONDE_OK;
	if (list->count == PATTERN_MOST_CLASSES)
		return status_fail(
		    SONDE_INVALID,
		    "the sample has more than %d classes of atoms of one species, occupancy, and displacement; "
		    "round the occupancies, for example to 0.01, or give one displacement for each label",
		    PATTERN_MOST_CLASSES);
	memmove(list->keys + place + 1, list->keys + place, (size_t)(list->count - place) * sizeof *key);
	list->keys[place] = *key;
	++list->count;
	return SONDE_OK;
}

/* Tensors of one site differ by rounding from cell to cell. */
static void take_tensor(const sonde_atoms *atoms, int64_t i, double u[6])
{
	double mean;

	(void)atoms_displacement(atoms, i, u);
	const bool isotropic = displacement_is_isotropic(u, &mean);
	for (int k = 0; k < 6; ++k)
		u[k] = !isotropic ? nearbyint(u[k] * DISPLACEMENT_UNITS) / DISPLACEMENT_UNITS : k < 3 ? mean : 0.0;
}

static struct class_key key_of_species(const struct source *source, int species)
{
	const double u = source->displacements[species];

	return (struct class_key){
	    .species = species, .rank = source->rank[species], .occupancy = 1.0, .u = {u, u, u}};
}

static struct class_key key_of(const struct source *source, int64_t i)
{
	const sonde_atoms *atoms = source->atoms;
	struct class_key key = key_of_species(source, atoms->species_of[i]);

	if (atoms->occupancies != NULL)
		key.occupancy = atoms->occupancies[i];
	if (source->of_sample)
		take_tensor(atoms, i, key.u);
	return key;
}

/* Whether all atoms of a species are in one class. */
static bool is_by_species(const struct source *source)
{
	return source->atoms->occupancies == NULL && !source->of_sample;
}

/* In the order of labels, occupancies, and displacements. Empty sites scatter nothing. */
static sonde_status list_classes(const struct source *source, struct class_list *list)
{
	const sonde_atoms *atoms = source->atoms;

	for (int s = 0; s < atoms->species_count; ++s)
		for (int other = 0; other < atoms->species_count; ++other)
			source->rank[s] += strcmp(atoms->species[other].label, atoms->species[s].label) < 0;
	bool *found = NULL;
	if (is_by_species(source))
		CHECK(memory_allocate(&found, (size_t)atoms->species_count, sizeof *found, "the species"));
	sonde_status status = SONDE_OK;
	int left = found != NULL ? atoms->species_count : 1;
	for (int64_t i = 0; i < atoms->count && left > 0 && status == SONDE_OK; ++i) {
		if (found != NULL && found[atoms->species_of[i]])
			continue;
		left -= found != NULL;
		const struct class_key key = key_of(source, i);
		if (key.occupancy > 0.0)
			status = add_key(list, &key);
		if (found != NULL)
			found[atoms->species_of[i]] = true;
	}
	free(found);
	return status;
}

/* The same as fill_view(), where the class depends on the species alone. */
struct filling {
	const sonde_atoms *atoms;
	uint16_t *species_of;
	int *place_of; /* of the species */
	int64_t parts;
	int class_count;
	int64_t *counts; /* [part][class]: of its atoms */
};

static void fill_some(void *state, int64_t first, int64_t end, int worker)
{
	struct filling *filling = state;
	const int64_t all = filling->atoms->count;

	(void)worker;
	for (int64_t part = first; part < end; ++part) {
		/* not in the array, whose lines of the cache other threads write, too */
		int64_t counts[PATTERN_MOST_CLASSES];
		const size_t bytes = (size_t)filling->class_count * sizeof *counts;
		memset(counts, 0, bytes);
		for (int64_t i = all * part / filling->parts; i < all * (part + 1) / filling->parts; ++i) {
			const int place = filling->place_of[filling->atoms->species_of[i]];
			filling->species_of[i] = (uint16_t)place;
			++counts[place];
		}
		memcpy(filling->counts + part * filling->class_count, counts, bytes);
	}
}

static sonde_status fill_by_species(const struct source *source, const struct class_list *list, int threads,
				    struct pattern_sample *sample)
{
	const sonde_atoms *atoms = source->atoms;
	sonde_atoms *view = &sample->view;
	struct filling filling = {.atoms = atoms,
				  .species_of = view->species_of,
				  .parts = atoms->count < FEW_ATOMS ? 1 : FILLING_PARTS,
				  .class_count = sample->class_count};
	sonde_status status;

	CHECK_GOTO(status, memory_allocate(&filling.place_of, (size_t)atoms->species_count, sizeof(int), "the atoms"),
		   done);
	CHECK_GOTO(status,
		   memory_allocate(&filling.counts, (size_t)filling.parts * (size_t)sample->class_count,
				   sizeof(int64_t), "the atoms"),
		   done);
	for (int s = 0; s < atoms->species_count; ++s) {
		const struct class_key key = key_of_species(source, s);
		filling.place_of[s] = find_key(list, &key);
	}
	threads_for(threads, filling.parts, 1, fill_some, &filling);
	for (int64_t part = 0; part < filling.parts; ++part)
		for (int c = 0; c < sample->class_count; ++c)
			view->species[c].atoms += filling.counts[part * sample->class_count + c];
	view->count = atoms->count;
done:
	free(filling.place_of);
	free(filling.counts);
	return status;
}

/* `locations`: of the view; null unless there are occupancies. */
static sonde_status fill_view(const struct source *source, const struct class_list *list, uint32_t *locations,
			      int threads, struct pattern_sample *sample)
{
	const sonde_atoms *atoms = source->atoms;
	sonde_atoms *view = &sample->view;

	CHECK(
	    memory_allocate_to_fill(&view->species_of, (size_t)atoms->count, sizeof *view->species_of, "the atoms"));
	if (atoms->occupancies != NULL)
		CHECK(memory_allocate(&sample->positions, 3 * (size_t)atoms->count, sizeof(double), "the atoms"));
	view->positions = atoms->occupancies != NULL ? sample->positions : atoms->positions;
	view->owner = view->positions == NULL ? atoms->owner : NULL;
	if (is_by_species(source))
		return fill_by_species(source, list, threads, sample);
	for (int64_t i = 0; i < atoms->count; ++i) {
		const struct class_key key = key_of(source, i);
		if (key.occupancy == 0.0)
			continue;
		if (sample->positions != NULL)
			memcpy(sample->positions + 3 * view->count, atoms->positions + 3 * i, 3 * sizeof(double));
		if (locations != NULL)
			locations[view->count] = atoms_location(atoms, i);
		const int place = find_key(list, &key);
		view->species_of[view->count++] = (uint16_t)place;
		++view->species[place].atoms;
	}
	return SONDE_OK;
}

static sonde_status make_classes(const sonde_atoms *atoms, const struct class_list *list,
				 struct pattern_sample *sample)
{
	sample->class_count = sample->view.species_count = list->count;
	CHECK(memory_allocate(&sample->classes, (size_t)list->count, sizeof *sample->classes, "the species"));
	CHECK(
	    memory_allocate(&sample->view.species, (size_t)list->count, sizeof *sample->view.species, "the species"));
	for (int c = 0; c < list->count; ++c) {
		const struct class_key *key = &list->keys[c];
		strcpy(sample->classes[c].label, atoms->species[key->species].label);
		strcpy(sample->view.species[c].label, atoms->species[key->species].label);
		sample->classes[c].occupancy = key->occupancy;
		memcpy(sample->classes[c].u, key->u, sizeof key->u);
		double mean;
		sample->classes[c].anisotropic = !displacement_is_isotropic(key->u, &mean);
		sample->anisotropic = sample->anisotropic || sample->classes[c].anisotropic;
	}
	return SONDE_OK;
}

/* Fills the view, and finds the pairs of its sites that depend on each other. */
static sonde_status fill_and_join(const struct source *source, const struct class_list *list, int threads,
				  struct pattern_sample *sample)
{
	const sonde_atoms *atoms = source->atoms;
	uint32_t *locations;

	if (atoms->occupancies == NULL)
		return fill_view(source, list, NULL, threads, sample);
	CHECK(memory_allocate(&locations, (size_t)atoms->count, sizeof *locations, "the atoms"));
	sonde_status status = fill_view(source, list, locations, threads, sample);
	if (status == SONDE_OK)
		status = pattern_joint_find(locations, sample);
	free(locations);
	return status;
}

/* The box around the atoms. */
static sonde_status find_box(sonde_context *context, struct pattern_sample *sample, int threads)
{
	static const double origin[3] = {0.0, 0.0, 0.0},
			    axes[3][3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
	const sonde_atoms *view = &sample->view;
	double squares = 0.0;
	struct pattern_extents box;
	double *low = box.low, *high = box.high;

	if (atoms_are_resident(view)) {
		CHECK(pattern_resident_begin(context, sample, low, high));
	} else if (sample->copies.count > 0) {
		CHECK(pattern_find_extents(sample, threads, origin, axes, 3, &box));
	} else {
		CHECK(atom_boxes_make(view->positions, view->count, threads, &sample->boxes, low, high));
	}
	for (int k = 0; k < 3; ++k) {
		sample->center[k] = 0.5 * (low[k] + high[k]);
		sample->edges[k] = high[k] - low[k];
		squares += sample->edges[k] * sample->edges[k];
	}
	sample->reach = 0.5 * sqrt(squares);
	return SONDE_OK;
}

static sonde_status make(sonde_context *context, const struct source *source, const sonde_pattern_options *options,
			 struct class_list *list, struct pattern_sample *sample)
{
	const int threads = context != NULL ? context_threads(context) : 1;
	const sonde_atoms *atoms = source->atoms;
	bool anisotropic;

	if (source->of_sample)
		CHECK(atoms_displacements_check(atoms, &anisotropic));
	else
		CHECK(read_displacements(atoms, options->displacement, source->displacements, source->given));
	CHECK(list_classes(source, list));
	if (list->count == 0)
		return status_fail(SONDE_INVALID, "%s: %s: nothing scatters",
				   atoms->source.bytes != NULL ? atoms->source.bytes : "sample",
				   atoms->count == 0 ? "there are no atoms" : "all occupancies are 0");
	CHECK(make_classes(atoms, list, sample));
	CHECK(fill_and_join(source, list, threads, sample));
	pattern_take_copies(atoms, sample);
	for (int c = 0; c < sample->class_count; ++c)
		sample->present += sample->classes[c].occupancy * (double)sample->view.species[c].atoms;
	return find_box(context, sample, threads);
}

sonde_status pattern_sample_make(sonde_context *context, const sonde_atoms *atoms,
				 const sonde_pattern_options *options, struct pattern_sample *sample)
{
	const size_t species = (size_t)atoms->species_count;
	struct source source = {.atoms = atoms, .of_sample = strcmp(options->displacement, "sample") == 0};
	struct class_list *list = NULL;
	sonde_status status;

	*sample = (struct pattern_sample){.class_count = 0};
	CHECK_GOTO(status, memory_allocate(&list, 1, sizeof *list, "the species"), done);
	CHECK_GOTO(status, memory_allocate(&source.rank, species, sizeof *source.rank, "the species"), done);
	CHECK_GOTO(status, memory_allocate(&source.given, species, sizeof *source.given, "the species"), done);
	CHECK_GOTO(status, memory_allocate(&source.displacements, species, sizeof(double), "the species"), done);
	status = make(context, &source, options, list, sample);
done:
	free(list);
	free(source.rank);
	free(source.given);
	free(source.displacements);
	return status;
}

void pattern_sample_free(struct pattern_sample *sample)
{
	free(sample->positions);
	free(sample->view.species);
	free(sample->view.species_of);
	free(sample->classes);
	free(sample->joint);
	atom_boxes_free(&sample->boxes);
	*sample = (struct pattern_sample){.class_count = 0};
}

/* The mean square displacement along q, times q^2. */
static double square_along(const struct pattern_class *class, const double vector[3], double q)
{
	const double *u = class->u, x = vector[0], y = vector[1], z = vector[2];

	return class->anisotropic
		   ? x * x * u[0] + y * y * u[1] + z * z * u[2] + 2.0 * (y * z * u[3] + x * z * u[4] + x * y * u[5])
		   : q * q * u[0];
}

double pattern_class_amplitude(const struct pattern_class *class, const double vector[3], double q, double *real,
			       double *imaginary)
{
	/* the exponential function of kernel_math.h has the same bits on every processor */
	const double p = class->occupancy, square_of_phase = square_along(class, vector, q),
		     factor =
			 square_of_phase > 0.0 ? LANES_FIRST(lanes_exp(LANES_SPLAT(-0.5 * square_of_phase), 0)) : 1.0;

	scatterer_amplitude(&class->scatterer, q, real, imaginary);
	const double square = *real * *real + *imaginary * *imaginary;
	*real *= p * factor;
	*imaginary *= p * factor;
	return p * square * (1.0 - p * factor * factor);
}

bool pattern_is_diffuse(const struct pattern_sample *sample)
{
	for (int c = 0; c < sample->class_count; ++c)
		for (int k = 0; k < 6; ++k)
			if (sample->classes[c].occupancy != 1.0 || sample->classes[c].u[k] != 0.0)
				return true;
	return false;
}
