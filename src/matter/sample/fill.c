#include "matter/sample/fill.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/threads.h"
#include "matter/build/crystal_options.h"
#include "matter/build/inside.h"
#include "matter/shape/orientation.h"
#include "matter/build/room.h"
#include "matter/sample/amorphous.h"
#include "matter/sample/cell_matter.h"
#include "matter/sample/clearance.h"
#include "matter/sample/sample.h"
#include "matter/sample/twinned.h"

#define MOST_PARTS 20000 /* their boxes are compared in pairs */
#define VACUUM "vacuum"

/* A body, or one of its copies. */
struct part {
	int64_t body;
	double center[3];
	struct shape *shape; /* with the atoms on its surface */
	double low[3], high[3];
};

struct filling {
	sonde_context *context;
	const sonde_sample *sample;
	struct part *parts;
	size_t part_count, capacity;
	sonde_atoms *atoms;
	uint32_t *body_of; /* part of each atom, from 0 */
	size_t body_capacity;
};

/* Parts ------------------------------------------------------------------------------------------ */

static double extent(const struct shape *shape)
{
	double low[3], high[3];

	shape_bounds(shape, low, high);
	return fmax(fmax(high[0] - low[0], high[1] - low[1]), high[2] - low[2]);
}

/* The solid of a body with its surface: it reaches as far beyond as shapes of build do. */
static sonde_status make_part(const sonde_body_options *body, struct part *part)
{
	CHECK(body_make_shape(&body_frame_in_angstrom, body, part->center, 0.0, &part->shape));
	const double more = BUILD_ON_SURFACE * extent(part->shape);
	shape_free(&part->shape);
	CHECK(body_make_shape(&body_frame_in_angstrom, body, part->center, more, &part->shape));
	shape_bounds(part->shape, part->low, part->high);
	return SONDE_OK;
}

static sonde_status add_parts(struct filling *filling, int64_t number)
{
	const sonde_body_options *body = &filling->sample->bodies.items[number];

	if (!body_is_solid(body))
		return status_fail_option(SONDE_INVALID, "shape",
					  "bodies of this shape cannot be filled with atoms; only " BODY_SOLIDS
					  " can");
	for (int64_t copy = 0; copy < body_copies(body); ++copy) {
		if (filling->part_count == MOST_PARTS)
			return status_fail_option(SONDE_INVALID, "repeat", "more than %d bodies to be filled",
						  MOST_PARTS);
		CHECK(memory_grow(&filling->parts, &filling->capacity, filling->part_count + 1,
				  sizeof *filling->parts, "the bodies"));
		struct part *part = &filling->parts[filling->part_count++];
		*part = (struct part){.body = number};
		body_copy_center(body, copy, part->center);
		CHECK(make_part(body, part));
	}
	return SONDE_OK;
}

static void filling_free(struct filling *filling)
{
	for (size_t p = 0; p < filling->part_count; ++p)
		shape_free(&filling->parts[p].shape);
	free(filling->parts);
	free(filling->body_of);
}

/* Keeping ------------------------------------------------------------------------------------------ */

/* Atoms of a part that are inside none of the later parts. */
struct selection {
	const sonde_atoms *atoms;
	const struct part *const *later;
	size_t later_count;
	unsigned char *keep;
};

static bool part_contains(const struct part *part, const double r[3])
{
	for (int k = 0; k < 3; ++k)
		if (!(r[k] >= part->low[k] && r[k] <= part->high[k]))
			return false;
	return shape_contains(part->shape, r);
}

static void select_some(void *state, int64_t first, int64_t end, int worker)
{
	struct selection *selection = state;

	(void)worker;
	for (int64_t i = first; i < end; ++i) {
		selection->keep[i] = 1;
		for (size_t k = 0; k < selection->later_count && selection->keep[i] != 0; ++k)
			selection->keep[i] = !part_contains(selection->later[k], selection->atoms->positions + 3 * i);
	}
}

static bool boxes_meet(const struct part *a, const struct part *b)
{
	for (int k = 0; k < 3; ++k)
		if (a->low[k] > b->high[k] || b->low[k] > a->high[k])
			return false;
	return true;
}

/* Appends those atoms of `from` that are marked, with their labels, occupancies, and displacements. */
static sonde_status append_kept(struct filling *filling, const sonde_atoms *from, const unsigned char *keep,
				size_t part)
{
	const double *occupancies = sonde_atoms_occupancies(from);
	int each;
	const bool moving = sonde_atoms_displacements(from, &each) != NULL;
	sonde_atoms *to = filling->atoms;
	uint16_t *species = NULL;
	int64_t kept = 0;
	sonde_status status;

	for (int64_t i = 0; i < from->count; ++i)
		kept += keep[i];
	CHECK(room_reserve(filling->context, to->count + kept, to));
	CHECK(memory_grow(&filling->body_of, &filling->body_capacity, (size_t)(to->count + kept),
			  sizeof *filling->body_of, "the bodies of atoms"));
	CHECK(memory_allocate(&species, (size_t)from->species_count + 1, sizeof *species, "the species"));
	for (int s = 0; s < from->species_count; ++s)
		CHECK_GOTO(status, atoms_species_index(to, from->species[s].label, &species[s]), done);
	status = SONDE_OK;
	for (int64_t i = 0; i < from->count && status == SONDE_OK; ++i) {
		if (keep[i] == 0)
			continue;
		filling->body_of[to->count] = (uint32_t)part;
		atoms_append(to, species[from->species_of[i]], from->positions + 3 * i);
		/* until all are set, which atoms_occupancies_done() ends */
		status = atoms_occupancy_last(to, occupancies != NULL ? occupancies[i] : 1.0);
		double u[6];
		if (status == SONDE_OK && moving && atoms_displacement(from, i, u))
			status = atoms_displacement_last(to, u, each);
	}
done:
	free(species);
	return status;
}

/* Takes the atoms of a part that no later one replaces. */
static sonde_status take_atoms(struct filling *filling, size_t number, const sonde_atoms *from)
{
	const struct part *part = &filling->parts[number];
	struct selection selection = {.atoms = from};
	const struct part **later = NULL;
	const int threads = context_threads(filling->context);

	CHECK(memory_allocate(&later, filling->part_count, sizeof *later, "the bodies"));
	for (size_t p = number + 1; p < filling->part_count; ++p)
		if (boxes_meet(part, &filling->parts[p]))
			later[selection.later_count++] = &filling->parts[p];
	selection.later = later;
	sonde_status status = memory_allocate(&selection.keep, (size_t)from->count, 1, "the atoms of a body");
	if (status == SONDE_OK) {
		threads_for(threads, from->count, threads_grain(threads, from->count), select_some, &selection);
		status = append_kept(filling, from, selection.keep, number);
	}
	free(later);
	free(selection.keep);
	return status;
}

/* Filling ------------------------------------------------------------------------------------------ */

/* Turns the crystal in the body, and then with it. */
static sonde_status turn_with_body(const sonde_body_options *body, struct build_lattice *lattice)
{
	const double degrees[3] = {body->rotation.x, body->rotation.y, body->rotation.z};
	struct shape_axes axes;
	double rotation[3][3];

	if (!body_is_turned(body))
		return SONDE_OK;
	CHECK(shape_axes_turn(degrees, &axes));
	for (int m = 0; m < 3; ++m)
		for (int k = 0; k < 3; ++k)
			rotation[m][k] = axes.of[k][m];
	build_lattice_rotate(lattice, (const double(*)[3])rotation);
	return SONDE_OK;
}

/* Places in the lattice minus `center` are places minus the part's center, which is added again. */
static sonde_status fill_crystal(struct filling *filling, size_t number, const sonde_build_options *options,
				 const struct build_lattice *lattice)
{
	struct part *part = &filling->parts[number];
	const sonde_body_options *body = &filling->sample->bodies.items[part->body];
	const double fractions[3] = {body->cell_center.x, body->cell_center.y, body->cell_center.z};
	double center[3];
	sonde_atoms *atoms;

	for (int m = 0; m < 3; ++m) {
		center[m] = body->lattice == SONDE_BODY_LATTICE_BODY ? -part->center[m] : 0.0;
		for (int k = 0; k < 3; ++k)
			center[m] += fractions[k] * lattice->crystal.vectors[k][m];
	}
	CHECK(sonde_atoms_create(&atoms));
	sonde_status status = build_lattice_fill(filling->context, options, lattice, part->shape, center, atoms);
	if (status == SONDE_OK)
		status = take_atoms(filling, number, atoms);
	sonde_atoms_free(&atoms);
	return status;
}

/* All copies of a body, which follow one another among the parts. */
static sonde_status fill_crystals(struct filling *filling, size_t first, size_t end,
				  const sonde_material_options *material)
{
	const sonde_body_options *body = &filling->sample->bodies.items[filling->parts[first].body];
	struct build_lattice lattice = {.cell = {.count = 0}};
	sonde_build_options *options;
	sonde_status status;

	CHECK(memory_allocate(&options, 1, sizeof *options, "the options of a crystal"));
	material_build_options(material, options);
	memcpy(options->orient, body->orient, sizeof options->orient);
	CHECK_GOTO(status, build_lattice_make(filling->context, options, &lattice), done);
	CHECK_GOTO(status, turn_with_body(body, &lattice), done);
	for (size_t number = first; number < end && status == SONDE_OK; ++number)
		status = fill_crystal(filling, number, options, &lattice);
done:
	build_lattice_free(&lattice);
	free(options);
	return status;
}

/* Atoms of a periodic packing inside of a part, whose box is tiled from its lower corner on. */
static sonde_status cut_packing(const struct part *part, const sonde_atoms *packing, sonde_atoms *atoms)
{
	const double edges[3] = {packing->lattice[0], packing->lattice[4], packing->lattice[8]};
	int64_t tiles[3];
	uint16_t species;

	for (int k = 0; k < 3; ++k)
		tiles[k] = (int64_t)ceil((part->high[k] - part->low[k]) / edges[k]);
	for (int s = 0; s < packing->species_count; ++s)
		CHECK(atoms_species_index(atoms, packing->species[s].label, &species));
	for (int64_t tile = 0; tile < tiles[0] * tiles[1] * tiles[2]; ++tile) {
		const int64_t at[3] = {tile % tiles[0], tile / tiles[0] % tiles[1], tile / (tiles[0] * tiles[1])};
		CHECK(atoms_reserve(atoms, atoms->count + packing->count));
		for (int64_t i = 0; i < packing->count; ++i) {
			double place[3];
			for (int k = 0; k < 3; ++k)
				place[k] = part->low[k] + packing->positions[3 * i + k] + (double)at[k] * edges[k];
			if (part_contains(part, place))
				atoms_append(atoms, packing->species_of[i], place);
		}
	}
	return SONDE_OK;
}

static sonde_status fill_packing(struct filling *filling, size_t number, const sonde_atoms *packing)
{
	const struct part *part = &filling->parts[number];
	sonde_atoms *atoms;

	CHECK(room_check_limit((double)packing->count * (part->high[0] - part->low[0]) *
			       (part->high[1] - part->low[1]) * (part->high[2] - part->low[2]) /
			       (packing->lattice[0] * packing->lattice[4] * packing->lattice[8])));
	CHECK(sonde_atoms_create(&atoms));
	sonde_status status = cut_packing(part, packing, atoms);
	if (status == SONDE_OK)
		status = take_atoms(filling, number, atoms);
	sonde_atoms_free(&atoms);
	return status;
}

static sonde_status fill_packings(struct filling *filling, size_t first, size_t end, int64_t material)
{
	const struct part *part = &filling->parts[first];
	const sonde_sample *sample = filling->sample;
	double size[3];
	sonde_atoms *packing;

	for (int k = 0; k < 3; ++k)
		size[k] = part->high[k] - part->low[k];
	CHECK(amorphous_make(filling->context, &sample->materials, material, size, sample->options.seed + part->body,
			     &packing));
	sonde_status status = SONDE_OK;
	for (size_t number = first; number < end && status == SONDE_OK; ++number)
		status = fill_packing(filling, number, packing);
	sonde_atoms_free(&packing);
	return status;
}

static sonde_status unknown_material(const sonde_sample *sample, const char *name)
{
	struct nearest_word nearest = {.word = name};
	char hint[128];

	for (int64_t n = 0; n < sample->materials.count; ++n)
		nearest_word_offer(&nearest, sample->materials.items[n].name);
	return status_fail_option(
	    SONDE_INVALID, "material",
	    "'%.64s' is not one of the sample's `materials`, in which atoms need an item with a "
	    "cell, or a composition and a density%s",
	    name, nearest_word_hint(&nearest, hint, sizeof hint));
}

/* Icosahedra and decahedra, without the atoms in their hollow. */
static sonde_status fill_twins(struct filling *filling, size_t number, const sonde_atoms *cluster)
{
	const struct part *part = &filling->parts[number];
	uint16_t species;
	sonde_atoms *atoms;

	CHECK(sonde_atoms_create(&atoms));
	sonde_status status = room_reserve(filling->context, cluster->count, atoms);
	if (status == SONDE_OK)
		status = atoms_species_index(atoms, cluster->species[0].label, &species);
	for (int64_t i = 0; i < cluster->count && status == SONDE_OK; ++i) {
		double place[3];
		for (int m = 0; m < 3; ++m)
			place[m] = cluster->positions[3 * i + m] + part->center[m];
		if (part_contains(part, place))
			atoms_append(atoms, species, place);
	}
	if (status == SONDE_OK)
		status = take_atoms(filling, number, atoms);
	sonde_atoms_free(&atoms);
	return status;
}

static sonde_status fill_all_twins(struct filling *filling, size_t first, size_t end,
				   const sonde_material_options *material)
{
	const sonde_body_options *body = &filling->sample->bodies.items[filling->parts[first].body];
	sonde_atoms *cluster;

	CHECK(sonde_atoms_create(&cluster));
	sonde_status status = twinned_fill(filling->context, body, material, cluster);
	for (size_t number = first; number < end && status == SONDE_OK; ++number)
		status = fill_twins(filling, number, cluster);
	sonde_atoms_free(&cluster);
	return status;
}

/* The parts from `first` on that are copies of one body. */
static sonde_status fill_body(struct filling *filling, size_t first, size_t end)
{
	const sonde_sample *sample = filling->sample;
	const char *name = sample->bodies.items[filling->parts[first].body].material;
	const int64_t material = material_list_find(&sample->materials, name);

	if (material < 0)
		return strcmp(name, VACUUM) == 0 ? SONDE_OK : unknown_material(sample, name);
	if (material_has_cell(&sample->materials.items[material]) &&
	    twinned_is(&sample->bodies.items[filling->parts[first].body]))
		return fill_all_twins(filling, first, end, &sample->materials.items[material]);
	if (material_has_cell(&sample->materials.items[material]))
		return fill_crystals(filling, first, end, &sample->materials.items[material]);
	return fill_packings(filling, first, end, material);
}

static sonde_status fill_bodies(struct filling *filling)
{
	for (size_t first = 0, end; first < filling->part_count; first = end) {
		const int64_t body = filling->parts[first].body;
		for (end = first; end < filling->part_count && filling->parts[end].body == body;)
			++end;
		CHECK(body_list_prefix(&filling->sample->bodies, fill_body(filling, first, end), body));
	}
	return SONDE_OK;
}

/* Removes the atoms that are too close to those of later bodies. */
static sonde_status clear(struct filling *filling)
{
	sonde_atoms *all = filling->atoms;
	unsigned char *keep = NULL;
	int64_t kept = 0;

	if (filling->sample->options.clearance == 0.0 || all->count == 0 || filling->body_of == NULL)
		return SONDE_OK;
	CHECK(memory_allocate(&keep, (size_t)all->count, 1, "the atoms"));
	memset(keep, 1, (size_t)all->count);
	const sonde_status status =
	    clearance_mark(filling->context, all, filling->body_of, filling->sample->options.clearance, keep);
	for (int64_t i = 0; i < all->count && status == SONDE_OK; ++i) {
		if (keep[i] == 0) {
			--all->species[all->species_of[i]].atoms;
			continue;
		}
		memmove(all->positions + 3 * kept, all->positions + 3 * i, 3 * sizeof *all->positions);
		all->occupancies[kept] = all->occupancies[i];
		atoms_displacements_move(all, i, kept);
		filling->body_of[kept] = filling->body_of[i];
		all->species_of[kept++] = all->species_of[i];
	}
	if (status == SONDE_OK)
		all->count = all->occupied = kept;
	if (all->displaced > all->count)
		all->displaced = all->count;
	free(keep);
	return status;
}

/* Contacts ----------------------------------------------------------------------------------------- */

static bool is_near(const struct part *part, const double low[3], const double high[3])
{
	for (int k = 0; k < 3; ++k)
		if (low[k] > part->high[k] + CONTACTS_REACH || part->low[k] - CONTACTS_REACH > high[k])
			return false;
	return true;
}

/* Marks the atoms from `first` to `end`, those of a part, that are near the box of another. */
static void mark_candidates(const struct filling *filling, size_t number, int64_t first, int64_t end,
			    unsigned char *candidate)
{
	const struct part *part = &filling->parts[number];

	for (size_t p = 0; p < filling->part_count; ++p) {
		const struct part *other = &filling->parts[p];
		if (p == number || !is_near(other, part->low, part->high) ||
		    strcmp(filling->sample->bodies.items[other->body].material, VACUUM) == 0)
			continue;
		for (int64_t i = first; i < end; ++i) {
			const double *r = filling->atoms->positions + 3 * i;
			candidate[i] |= is_near(other, r, r);
		}
	}
}

/* Atoms of different bodies that are close to each other; atoms follow one another by parts. */
static sonde_status find_contacts(struct filling *filling, struct contacts *contacts)
{
	const sonde_atoms *atoms = filling->atoms;
	unsigned char *candidate = NULL;

	*contacts = (struct contacts){.pairs = 0};
	if (filling->part_count < 2 || filling->body_of == NULL || atoms->count > CONTACTS_MOST_ATOMS)
		return SONDE_OK;
	CHECK(memory_allocate(&candidate, (size_t)atoms->count, 1, "the atoms"));
	for (int64_t first = 0, end; first < atoms->count; first = end) {
		for (end = first; end < atoms->count && filling->body_of[end] == filling->body_of[first];)
			++end;
		mark_candidates(filling, filling->body_of[first], first, end, candidate);
	}
	sonde_status status = SONDE_OK;
	if (memchr(candidate, 1, (size_t)atoms->count) != NULL)
		status = contacts_find(filling->context, atoms, filling->body_of, candidate, contacts);
	free(candidate);
	return status;
}

/* Bodies without atoms, whose place in the list is often a mistake. */
static sonde_status note_empty_bodies(const struct filling *filling)
{
	const struct body_list *bodies = &filling->sample->bodies;
	unsigned char *filled;

	CHECK(memory_allocate(&filled, (size_t)bodies->count, 1, "the bodies"));
	for (int64_t i = 0; filling->body_of != NULL && i < filling->atoms->count; ++i)
		filled[filling->parts[filling->body_of[i]].body] = 1;
	for (int64_t n = 0; n < bodies->count; ++n)
		if (filled[n] == 0 && strcmp(bodies->items[n].material, VACUUM) != 0)
			context_notef(
			    filling->context,
			    "body %lld, of %.63s, has no atoms: later bodies cover it, or it is too small; a "
			    "body within another one has to follow it in the list",
			    (long long)n + 1, bodies->items[n].material);
	free(filled);
	return SONDE_OK;
}

static sonde_status fill(struct filling *filling, struct contacts *contacts)
{
	for (int64_t n = 0; n < filling->sample->bodies.count; ++n)
		CHECK(body_list_prefix(&filling->sample->bodies, add_parts(filling, n), n));
	CHECK(fill_bodies(filling));
	CHECK(atoms_displacements_done(filling->atoms));
	CHECK(clear(filling));
	if (filling->atoms->count == 0)
		return status_fail_file(SONDE_INVALID, filling->sample->path,
					"no atom lies in the bodies; make them larger");
	CHECK(note_empty_bodies(filling));
	atoms_occupancies_done(filling->atoms);
	CHECK(find_contacts(filling, contacts));
	atoms_drop_absent_species(filling->atoms);
	return SONDE_OK;
}

sonde_status sample_fill(sonde_context *context, const sonde_sample *sample, sonde_atoms *atoms,
			 struct contacts *contacts)
{
	struct filling filling = {.context = context, .sample = sample, .atoms = atoms};
	const sonde_status status = fill(&filling, contacts);

	filling_free(&filling);
	return status;
}
