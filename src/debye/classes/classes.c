/* The atoms in classes: keys of species, occupancy, displacement, and block, the view of the sample with classes as
 * species, and its displacements. */
#include "debye/classes/classes.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "matter/crystal/lattice.h"

#define MOST_CLASSES 1000
#define MOST_MOVING 64 /* classes that differ in displacement; with more, each atom has its own */

/* Species, occupancies, displacements, and blocks of the atoms, in this order. */
struct class_key {
	int rank;
	double occupancy, displacement;
	int block;
};

static int compare_numbers(double a, double b)
{
	return a < b ? -1 : a > b;
}

static int compare_keys(const struct class_key *a, const struct class_key *b)
{
	if (a->rank != b->rank)
		return a->rank < b->rank ? -1 : 1;
	const int order = compare_numbers(a->occupancy, b->occupancy);
	const int second = order != 0 ? order : compare_numbers(a->displacement, b->displacement);
	return second != 0 ? second : a->block < b->block ? -1 : a->block > b->block;
}

/* What the keys of the atoms are made of. */
struct sample {
	const sonde_atoms *atoms;
	const int *rank;           /* of the labels */
	const double *occupancies; /* null: all 1 */
	bool by_displacement;      /* atoms of a class have the same displacement, a number */
	const struct atom_blocks *blocks;
};

struct class_list {
	struct class_key keys[MOST_CLASSES];
	int count;
};

/* The place of a key in the list, or its insertion point. */
static int find_key(const struct class_list *list, const struct class_key *key)
{
	int low = 0, high = list->count;

	while (low < high) {
		int middle = (low + high) / 2;
		if (compare_keys(&list->keys[middle], key) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static sonde_status add_key(struct class_list *list, struct class_key key)
{
	int place = find_key(list, &key);

	if (place < list->count && compare_keys(&list->keys[place], &key) == 0)
		return SONDE_OK;
	if (list->count == MOST_CLASSES)
		return status_fail(
		    SONDE_INVALID,
		    "the sample has more than %d classes of atoms of one species and one occupancy%s; round the "
		    "occupancies, for example to 0.01",
		    MOST_CLASSES, key.block > 0 ? ", in one block" : "");
	memmove(list->keys + place + 1, list->keys + place, (size_t)(list->count - place) * sizeof key);
	list->keys[place] = key;
	++list->count;
	return SONDE_OK;
}

/* Keys ---------------------------------------------------------------------------------------------------- */

static struct class_key key_of(const struct sample *sample, int64_t i)
{
	struct class_key key = {.rank = sample->rank[sample->atoms->species_of[i]],
				.occupancy = sample->occupancies != NULL ? sample->occupancies[i] : 1.0,
				.block = atom_blocks_of(sample->blocks, i)};
	double u[6];

	if (sample->by_displacement && atoms_displacement(sample->atoms, i, u))
		(void)displacement_is_isotropic(u, &key.displacement);
	return key;
}

/* Keys of all atoms. Empty sites scatter nothing. With too many displacements, atoms have their own. */
static sonde_status list_keys(struct sample *sample, struct class_list *list)
{
	const sonde_atoms *atoms = sample->atoms;

	if (sample->occupancies == NULL && !sample->by_displacement && sample->blocks->count == 0) {
		for (int s = 0; s < atoms->species_count; ++s)
			CHECK(add_key(list, (struct class_key){.rank = sample->rank[s], .occupancy = 1.0}));
		return SONDE_OK;
	}
	for (int64_t i = 0; i < atoms->count; ++i) {
		const struct class_key key = key_of(sample, i);
		if (key.occupancy > 0.0)
			CHECK(add_key(list, key));
		if (sample->by_displacement && list->count > MOST_MOVING) {
			list->count = 0;
			sample->by_displacement = false;
			return list_keys(sample, list);
		}
	}
	if (list->count == 0 && atoms->count > 0)
		return status_fail(SONDE_INVALID, "%s: all occupancies are 0: nothing scatters",
				   atoms->source.bytes != NULL ? atoms->source.bytes : "sample");
	return SONDE_OK;
}

static sonde_status allocate(const sonde_atoms *atoms, const struct class_list *list, struct debye_classes *classes)
{
	size_t count = (size_t)list->count;
	sonde_atoms *view = &classes->view;

	*view = *atoms;
	view->species = NULL;
	view->species_of = NULL;
	CHECK(memory_allocate(&view->species, count, sizeof *view->species, "the species"));
	CHECK(memory_allocate(&view->species_of, (size_t)atoms->count, sizeof *view->species_of, "the species"));
	CHECK(memory_allocate(&classes->species, count, sizeof *classes->species, "the species"));
	return memory_allocate(&classes->occupancy, count, sizeof *classes->occupancy, "the species");
}

/* Atoms that differ in nothing but species. */
static void fill_by_species(const struct sample *sample, const struct class_list *list, sonde_atoms *view)
{
	const sonde_atoms *atoms = sample->atoms;
	uint16_t places[MOST_CLASSES] = {0};

	for (int s = 0; s < atoms->species_count; ++s) {
		const struct class_key key = {.rank = sample->rank[s], .occupancy = 1.0};
		places[s] = (uint16_t)find_key(list, &key);
		view->species[places[s]].atoms += atoms->species[s].atoms;
	}
	for (int64_t i = 0; i < atoms->count; ++i)
		view->species_of[i] = places[atoms->species_of[i]];
}

/* The atoms of the view: all, or copies of those with an occupancy above 0. */
static sonde_status fill_view(const struct sample *sample, const struct class_list *list,
			      struct debye_classes *classes)
{
	const sonde_atoms *atoms = sample->atoms;
	const double *occupancies = sample->occupancies;
	sonde_atoms *view = &classes->view;

	if (occupancies == NULL && !sample->by_displacement && classes->tensors == NULL &&
	    sample->blocks->count == 0) {
		fill_by_species(sample, list, view);
		return SONDE_OK;
	}
	if (occupancies != NULL) {
		CHECK(memory_allocate(&classes->positions, 3 * (size_t)atoms->count, sizeof(double), "the atoms"));
		CHECK(memory_allocate(&classes->locations, (size_t)atoms->count, sizeof(uint32_t), "the atoms"));
		view->positions = classes->positions;
		view->owner = NULL;
	}
	view->count = 0;
	for (int64_t i = 0; i < atoms->count; ++i) {
		const struct class_key key = key_of(sample, i);
		if (key.occupancy == 0.0)
			continue;
		if (classes->tensors != NULL)
			(void)atoms_displacement(atoms, i, classes->tensors + 6 * view->count);
		int place = find_key(list, &key);
		if (occupancies != NULL) {
			memcpy(classes->positions + 3 * view->count, atoms->positions + 3 * i, 3 * sizeof(double));
			classes->locations[view->count] = atoms_location(atoms, i);
		}
		view->species_of[view->count++] = (uint16_t)place;
		++view->species[place].atoms;
	}
	return SONDE_OK;
}

static void name_classes(const struct sample *sample, const struct class_list *list, struct debye_classes *classes)
{
	const sonde_atoms *atoms = sample->atoms;
	const int *rank = sample->rank;

	for (int c = 0; c < list->count; ++c) {
		int s = 0;
		while (rank[s] != list->keys[c].rank)
			++s;
		strcpy(classes->view.species[c].label, atoms->species[s].label);
		classes->species_count += c == 0 || list->keys[c].rank != list->keys[c - 1].rank;
		classes->species[c] = classes->species_count - 1;
		classes->occupancy[c] = list->keys[c].occupancy;
		if (classes->block != NULL)
			classes->block[c] = list->keys[c].block;
		if (classes->displacement != NULL)
			classes->displacement[c] = list->keys[c].displacement;
	}
	classes->count = classes->view.species_count = list->count;
}

/* The view has one copy of each structure of a sample by placements. */
static void count_copies(const sonde_atoms *atoms, struct debye_classes *classes)
{
	sonde_atoms *view = &classes->view;
	int64_t first = 0;

	classes->atoms = view->count;
	if (atoms->placements == NULL)
		return;
	for (int c = 0; c < classes->count; ++c)
		view->species[c].atoms = 0;
	classes->atoms = 0;
	for (int g = 0; g < atoms->group_count; first += atoms->groups[g++].atoms) {
		const int64_t copies = atoms->groups[g].copies;
		for (int64_t i = first; i < first + atoms->groups[g].atoms; ++i)
			view->species[view->species_of[i]].atoms += copies;
		classes->atoms += copies * atoms->groups[g].atoms;
	}
}

/* Memory for the displacements of the sample, of the classes or of the atoms. */
static sonde_status allocate_displacements(const struct sample *sample, bool of_sample, const struct class_list *list,
					   struct debye_classes *classes)
{
	if (sample->by_displacement)
		return memory_allocate(&classes->displacement, (size_t)list->count, sizeof(double),
				       "the displacements");
	return of_sample ? memory_allocate(&classes->tensors, 6 * (size_t)sample->atoms->count, sizeof(double),
					   "the displacements")
			 : SONDE_OK;
}

static sonde_status make(const sonde_atoms *atoms, bool of_sample, int *rank, struct class_list *list,
			 struct debye_classes *classes)
{
	struct sample sample = {
	    .atoms = atoms, .rank = rank, .occupancies = sonde_atoms_occupancies(atoms), .blocks = &classes->blocks};

	for (int s = 0; s < atoms->species_count; ++s)
		for (int other = 0; other < atoms->species_count; ++other)
			rank[s] += strcmp(atoms->species[other].label, atoms->species[s].label) < 0;
	if (of_sample)
		CHECK(atoms_displacements_check(atoms, &classes->anisotropic));
	sample.by_displacement = of_sample && !classes->anisotropic;
	CHECK(list_keys(&sample, list));
	CHECK(allocate(atoms, list, classes));
	if (classes->blocks.count > 0)
		CHECK(memory_allocate(&classes->block, (size_t)list->count, sizeof *classes->block, "the blocks"));
	CHECK(allocate_displacements(&sample, of_sample, list, classes));
	name_classes(&sample, list, classes);
	CHECK(fill_view(&sample, list, classes));
	count_copies(atoms, classes);
	for (int c = 0; c < classes->count; ++c)
		classes->present += classes->occupancy[c] * (double)classes->view.species[c].atoms;
	return SONDE_OK;
}

sonde_status debye_classes_wrap(const sonde_context *context, struct debye_classes *classes,
				const struct periodic *periodic)
{
	sonde_atoms *view = &classes->view;

	CHECK(debye_find_joint(classes, periodic));
	if (classes->positions == NULL)
		CHECK(memory_allocate(&classes->positions, 3 * (size_t)view->count, sizeof(double), "the atoms"));
	periodic_wrap_all(periodic, context_threads(context), view->count, view->positions, classes->positions);
	view->positions = classes->summed.positions = classes->positions;
	view->owner = classes->summed.owner = NULL;
	return SONDE_OK;
}

/* The blocks that are wanted, of which every pair of atoms is computed. */
static sonde_status find_blocks(const sonde_atoms *atoms, const sonde_debye_options *options,
				struct atom_blocks *blocks)
{
	static const enum atom_grouping groupings[] = {[SONDE_DEBYE_PARTIALS_BLOCK] = ATOM_BLOCK,
						       [SONDE_DEBYE_PARTIALS_CHAIN] = ATOM_CHAIN,
						       [SONDE_DEBYE_PARTIALS_RESIDUE] = ATOM_RESIDUE};

	if (options->partials == SONDE_DEBYE_PARTIALS_SPECIES)
		return SONDE_OK;
	if (options->copies != SONDE_DEBYE_COPIES_EXACT)
		return status_fail_option(SONDE_INVALID, "partials",
					  "blocks need the pairs of all atoms; choose `copies exact`");
	return atom_blocks_find(atoms, groupings[options->partials], options->copy_atoms, blocks);
}

sonde_status debye_classes_make(const sonde_atoms *atoms, const sonde_debye_options *options, bool displacements,
				struct debye_classes *classes)
{
	struct class_list *list = NULL;
	int *rank = NULL;
	sonde_status status;

	*classes = (struct debye_classes){0};
	CHECK(find_blocks(atoms, options, &classes->blocks));
	CHECK_GOTO(status, memory_allocate(&list, 1, sizeof *list, "the species"), done);
	CHECK_GOTO(status, memory_allocate(&rank, (size_t)atoms->species_count, sizeof *rank, "the species"), done);
	CHECK_GOTO(status, make(atoms, displacements, rank, list, classes), done);
	status = debye_find_joint(classes, NULL);
done:
	free(list);
	free(rank);
	return status;
}

void debye_classes_free(struct debye_classes *classes)
{
	free(classes->view.species);
	free(classes->view.species_of);
	free(classes->structure_species);
	free(classes->centers);
	free(classes->species);
	free(classes->occupancy);
	free(classes->displacement);
	free(classes->tensors);
	free(classes->block);
	atom_blocks_free(&classes->blocks);
	free(classes->positions);
	free(classes->locations);
	free(classes->joint);
	sonde_lattice_free(&classes->own_lattice);
	free(classes->class_of_kind);
	free(classes->tensor_of_kind);
	relabeled_atoms_free(&classes->relabeled);
	sonde_atoms_free(&classes->placed);
	*classes = (struct debye_classes){0};
}
