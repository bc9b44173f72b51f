/* Random packings: atoms at random places of a periodic box, moved apart to their least distances. */
#include "matter/generate/generate_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/options.h"
#include "matter/elements/assignments.h"
#include "matter/elements/isotope.h"
#include "matter/generate/keyed_random.h"
#include "matter/elements/label.h"
#include "matter/generate/packing.h"

#define MOST_OF_SPECIES 1e9
#define LARGEST_DISTANCE 100.0               /* Angstrom */
#define BYTES_PER_SPHERE 180.0               /* while they are moved, with the finished atoms */
#define AMU_PER_CUBIC_ANGSTROM 1.66053906660 /* in g/cm^3; CODATA 2018 */

/* Spheres of each species, as in "Cu=500,Zr=500". */
static sonde_status read_counts(const char *text, sonde_atoms *atoms, int64_t counts[PACKING_MOST_SPECIES])
{
	while (*text != '\0') {
		const int before = atoms->species_count;
		struct assignment item;
		uint16_t species;
		CHECK(assignment_take("packing", &text, 1.0, MOST_OF_SPECIES, &item));
		if (item.first[0] == '\0' || item.second[0] != '\0' || item.value != floor(item.value))
			return status_fail_option(
			    SONDE_INVALID, "packing",
			    "give each species with its whole number of atoms, as Cu=500,Zr=500");
		if (before == PACKING_MOST_SPECIES)
			return status_fail_option(SONDE_INVALID, "packing", "more than %d species",
						  PACKING_MOST_SPECIES);
		CHECK(atoms_species_index(atoms, item.first, &species));
		if (atoms->species_count == before)
			return status_fail_option(SONDE_INVALID, "packing", "%s is given twice", item.first);
		counts[species] = (int64_t)item.value;
	}
	return SONDE_OK;
}

static sonde_status read_distance(const sonde_atoms *atoms, const struct assignment *item, struct packing *packing)
{
	const int a = atoms_find_species(atoms, item->first), b = atoms_find_species(atoms, item->second);

	if (item->first[0] == '\0') {
		for (int i = 0; i < atoms->species_count; ++i)
			for (int j = 0; j < atoms->species_count; ++j)
				packing->least[i][j] = item->value;
		return SONDE_OK;
	}
	if (a < 0 || b < 0)
		return status_fail_option(SONDE_INVALID, "distance",
					  "'%s:%s' is not a pair of the packing's species, as Cu:Zr", item->first,
					  item->second);
	packing->least[a][b] = packing->least[b][a] = item->value;
	return SONDE_OK;
}

static sonde_status read_distances(const char *text, const sonde_atoms *atoms, struct packing *packing)
{
	for (int i = 0; i < PACKING_MOST_SPECIES; ++i)
		for (int j = 0; j < PACKING_MOST_SPECIES; ++j)
			packing->least[i][j] = -1.0;
	if (text[0] == '\0')
		return status_fail_option(SONDE_INVALID, "distance",
					  "the least distance is missing, e.g. `distance 2.4`");
	while (*text != '\0') {
		struct assignment item;
		CHECK(assignment_take("distance", &text, 0.0, LARGEST_DISTANCE, &item));
		CHECK(read_distance(atoms, &item, packing));
	}
	for (int i = 0; i < atoms->species_count; ++i) {
		for (int j = 0; j <= i; ++j) {
			if (packing->least[i][j] < 0.0)
				return status_fail_option(SONDE_INVALID, "distance", "that of %s:%s is missing",
							  atoms->species[j].label, atoms->species[i].label);
			packing->widest = fmax(packing->widest, packing->least[i][j]);
		}
	}
	return SONDE_OK;
}

/* Mass of all atoms, amu. */
static sonde_status find_mass(const sonde_atoms *atoms, const int64_t *counts, double *mass)
{
	*mass = 0.0;
	for (int s = 0; s < atoms->species_count; ++s) {
		struct label label;
		double of_atom;
		CHECK(label_parse(atoms->species[s].label, &label));
		CHECK(isotope_mass(label.atomic_number, label.mass_number, &of_atom));
		*mass += of_atom * (double)counts[s];
	}
	return SONDE_OK;
}

static sonde_status find_box(const sonde_build_options *options, const sonde_atoms *atoms, const int64_t *counts,
			     struct packing *packing)
{
	const sonde_vector *box = &options->box;
	const bool boxed = box->x != 0.0 || box->y != 0.0 || box->z != 0.0;
	double volume = 0.0, mass;

	if (boxed + (options->density != 0.0) + (options->number_density != 0.0) != 1)
		return status_fail_option(SONDE_INVALID, "packing",
					  "give its size by one of `box`, `density`, `number_density`");
	if (options->number_density != 0.0)
		volume = (double)packing->count / options->number_density;
	if (options->density != 0.0) {
		CHECK(find_mass(atoms, counts, &mass));
		volume = mass * AMU_PER_CUBIC_ANGSTROM / options->density;
	}
	for (int k = 0; k < 3; ++k) {
		packing->box[k] = boxed ? vector_part(*box, k) : cbrt(volume);
		if (packing->box[k] < 2.1 * packing->widest || packing->box[k] <= 0.0 || packing->box[k] > 1e6)
			return status_fail_option(
			    SONDE_INVALID, "packing",
			    "the periodic box has an edge of %.4g Angstrom; at least 2.1 times the "
			    "largest least distance, %.4g, and at most 1e6 are needed",
			    packing->box[k], 2.1 * packing->widest);
	}
	return SONDE_OK;
}

static sonde_status place(sonde_context *context, int64_t seed, const int64_t *counts, int species_count,
			  struct packing *packing)
{
	const struct random_key key = {seed, RANDOM_PACKING};
	const double needed = BYTES_PER_SPHERE * (double)packing->count, memory = (double)context_memory(context);
	int64_t i = 0;

	if (needed > memory)
		return status_fail(
		    SONDE_INVALID,
		    "not enough memory: the packing needs %.1f GB and %.1f GB are allowed; a smaller one "
		    "would fit",
		    needed * 1e-9, memory * 1e-9);
	CHECK(memory_allocate(&packing->positions, 3 * (size_t)packing->count, sizeof *packing->positions,
			      "the positions of a packing"));
	CHECK(memory_allocate(&packing->species_of, (size_t)packing->count, sizeof *packing->species_of,
			      "the species of a packing"));
	for (int s = 0; s < species_count; ++s) {
		for (int64_t n = 0; n < counts[s]; ++n, ++i) {
			double uniform[4];
			keyed_uniforms(key, i, 0, uniform);
			keyed_uniforms(key, i, 1, uniform + 2);
			packing->species_of[i] = (uint16_t)s;
			for (int k = 0; k < 3; ++k)
				packing->positions[3 * i + k] = packing->box[k] * uniform[k];
		}
	}
	return SONDE_OK;
}

/* A packing in which some distance is x times the least one has no overlap once its box is larger by 1/x. */
static sonde_status separate(sonde_context *context, const sonde_build_options *options, struct packing *packing)
{
	const double *box = packing->box, density = (double)packing->count / (box[0] * box[1] * box[2]);
	double closest;

	CHECK(packing_separate(context, packing, options->tries, &closest));
	if (closest >= 1.0)
		return SONDE_OK;
	const double part = pow(closest, 3.0);
	return status_fail(
	    SONDE_INVALID,
	    "the packing still overlaps after %lld steps: it has reached %.4g of the wanted density, "
	    "%.4g of %.4g atoms per Angstrom^3; make the box larger, the distances shorter, or `tries` "
	    "larger",
	    (long long)options->tries, part, part * density, density);
}

static sonde_status append_packing(sonde_context *context, const struct packing *packing, sonde_atoms *atoms)
{
	const double *box = packing->box, edges[9] = {box[0], 0, 0, 0, box[1], 0, 0, 0, box[2]};

	CHECK(generate_reserve(context, (double)packing->count, atoms));
	for (int64_t i = 0; i < packing->count; ++i)
		atoms_append(atoms, packing->species_of[i], packing->positions + 3 * i);
	return sonde_atoms_set_cell(atoms, edges, (const int[]){1, 1, 1});
}

sonde_status generate_packing(sonde_context *context, const sonde_build_options *options, const uint16_t species[2],
			      sonde_atoms *atoms)
{
	int64_t counts[PACKING_MOST_SPECIES] = {0};
	struct packing packing = {0};
	sonde_status status;

	(void)species;
	CHECK(read_counts(options->packing, atoms, counts));
	for (int s = 0; s < atoms->species_count; ++s)
		packing.count += counts[s];
	CHECK(read_distances(options->distance, atoms, &packing));
	CHECK(find_box(options, atoms, counts, &packing));
	CHECK_GOTO(status, place(context, options->seed, counts, atoms->species_count, &packing), done);
	CHECK_GOTO(status, separate(context, options, &packing), done);
	status = append_packing(context, &packing, atoms);
done:
	free(packing.positions);
	free(packing.species_of);
	return status;
}
