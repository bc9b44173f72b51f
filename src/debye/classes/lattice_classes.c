/* Classes of samples that are a lattice without a list of atoms. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "debye/classes/classes.h"
#include "matter/crystal/crystal.h"
#include "matter/atoms/joint_sites.h"
#include "matter/crystal/lattice.h"

static sonde_status allocate(size_t count, struct debye_classes *classes)
{
	CHECK(memory_allocate(&classes->view.species, count, sizeof *classes->view.species, "the species"));
	CHECK(memory_allocate(&classes->species, count, sizeof *classes->species, "the species"));
	CHECK(memory_allocate(&classes->occupancy, count, sizeof *classes->occupancy, "the species"));
	return memory_allocate(&classes->class_of_kind, count, sizeof *classes->class_of_kind, "the species");
}

/* The pairs of cells of two sheets at the shortest of all vectors between them, if that is so short that partly
 * occupied sites exclude each other. */
static sonde_status exclude(const sonde_lattice *lattice, const double reciprocal[3][3], int a, int b,
			    struct debye_classes *classes)
{
	const struct lattice_sheet *s = &lattice->sheets[a], *t = &lattice->sheets[b];
	double offset[3], square = 0.0;
	int64_t lag[3];

	for (int m = 0; m < 3; ++m)
		offset[m] = t->origin[m] - s->origin[m];
	for (int k = 0; k < 3; ++k)
		lag[k] = -(int64_t)round(reciprocal[k][0] * offset[0] + reciprocal[k][1] * offset[1] +
					 reciprocal[k][2] * offset[2]);
	for (int m = 0; m < 3; ++m) {
		for (int k = 0; k < 3; ++k)
			offset[m] += (double)lag[k] * lattice->vectors[k][m];
		square += offset[m] * offset[m];
	}
	const double sum = classes->occupancy[s->kind] + classes->occupancy[t->kind];
	if (square >= JOINT_EXCLUSIVE * JOINT_EXCLUSIVE || sum > JOINT_FULL)
		return SONDE_OK;
	const int64_t pairs = lattice_pairs_at(lattice, a, b, lag);
	if (pairs == 0)
		return SONDE_OK;
	const int low = s->kind < t->kind ? s->kind : t->kind, high = s->kind < t->kind ? t->kind : s->kind;
	CHECK(memory_grow(&classes->joint, &classes->joint_capacity, classes->joint_count + 1, sizeof *classes->joint,
			  "pairs of sites"));
	classes->joint[classes->joint_count++] =
	    (struct joint_pair){.pair = species_pair_index(classes->count, low, high),
				.r = sqrt(square),
				.in_sine = sqrt(square),
				.surplus = -(double)pairs,
				.d = {offset[0], offset[1], offset[2]}};
	return SONDE_OK;
}

static int compare_pairs(const void *a, const void *b)
{
	const struct joint_pair *p = a, *q = b;

	if (p->pair != q->pair)
		return p->pair < q->pair ? -1 : 1;
	return p->r < q->r ? -1 : p->r > q->r;
}

static sonde_status find_exclusive_sites(const sonde_lattice *lattice, struct debye_classes *classes)
{
	double reciprocal[3][3];

	crystal_reciprocal(lattice->vectors, reciprocal);
	for (int a = 0; a < lattice->sheet_count; ++a)
		for (int b = a + 1; b < lattice->sheet_count; ++b)
			if (classes->occupancy[lattice->sheets[a].kind] < 1.0 &&
			    classes->occupancy[lattice->sheets[b].kind] < 1.0)
				CHECK(exclude(lattice, (const double(*)[3])reciprocal, a, b, classes));
	if (classes->joint_count > 0)
		qsort(classes->joint, classes->joint_count, sizeof *classes->joint, compare_pairs);
	return SONDE_OK;
}

sonde_status debye_classes_of_lattice(const sonde_lattice *lattice, struct debye_classes *classes)
{
	sonde_atoms *view = &classes->view;

	*classes = (struct debye_classes){
	    .lattice = lattice, .count = lattice->kind_count, .copies = 1, .atoms = lattice->count};
	CHECK(allocate((size_t)lattice->kind_count, classes));
	view->species_count = classes->count;
	view->count = lattice->count;
	view->source = lattice->source;
	memcpy(view->sha256, lattice->sha256, sizeof view->sha256);
	for (int c = 0; c < classes->count; ++c) {
		const struct lattice_kind *kind = &lattice->kinds[c];
		strcpy(view->species[c].label, kind->label);
		view->species[c].atoms = kind->atoms;
		classes->species_count += c == 0 || strcmp(kind->label, lattice->kinds[c - 1].label) != 0;
		classes->species[c] = classes->species_count - 1;
		classes->occupancy[c] = kind->occupancy;
		classes->class_of_kind[c] = c;
		classes->present += kind->occupancy * (double)kind->atoms;
	}
	classes->summed = *view;
	return find_exclusive_sites(lattice, classes);
}
