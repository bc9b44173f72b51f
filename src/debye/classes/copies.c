#include "debye/classes/copies.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/threads.h"
#include "device/kernel.h"
#include "device/kernel_math.h"
#include "matter/atoms/atoms_copies.h"
#include "matter/atoms/placed_atoms.h"

#define SAME_DISTANCE 0.01 /* Angstrom: files have few decimals */
#define MOST_COPIES 1000000

/* The mean of the positions of a copy's atoms. */
static void find_center(const sonde_atoms *view, const struct debye_structure *structure, int64_t copy,
			double center[3])
{
	const int64_t count = structure->count;
	const double *r = view->positions + 3 * (structure->first + copy * count);

	center[0] = center[1] = center[2] = 0.0;
	for (int64_t i = 0; i < count; ++i)
		for (int k = 0; k < 3; ++k)
			center[k] += (r[3 * i + k] - r[k]) / (double)count;
	for (int k = 0; k < 3; ++k)
		center[k] += r[k];
}

static double distance(const double *a, const double *b)
{
	const double x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];

	return sqrt(x * x + y * y + z * z);
}

/* Compares the copies of a structure with the first one. */
struct comparison {
	const sonde_atoms *view;
	const struct debye_structure *structure;
	double (*centers)[3]; /* of its copies */
	int64_t *differs;     /* of each copy: its first atom that differs from that of the first copy, or -1 */
};

/* The same class, and as far from the center and from the atom before. */
static bool is_same_atom(const struct comparison *comparison, int64_t copy, int64_t i)
{
	const sonde_atoms *view = comparison->view;
	const int64_t first_atom = comparison->structure->first + i,
		      atom = first_atom + copy * comparison->structure->count;
	const double *first = view->positions + 3 * first_atom, *here = view->positions + 3 * atom,
		     *first_center = comparison->centers[0], *center = comparison->centers[copy];

	if (view->species_of[atom] != view->species_of[first_atom] ||
	    fabs(distance(here, center) - distance(first, first_center)) > SAME_DISTANCE)
		return false;
	return i == 0 || fabs(distance(here, here - 3) - distance(first, first - 3)) <= SAME_DISTANCE;
}

static void compare_some(void *state, int64_t first, int64_t end, int worker)
{
	const struct comparison *comparison = state;
	(void)worker;

	for (int64_t copy = first; copy < end; ++copy) {
		int64_t i = 0;
		while (i < comparison->structure->count && is_same_atom(comparison, copy, i))
			++i;
		comparison->differs[copy] = i < comparison->structure->count ? i : -1;
	}
}

static sonde_status report_difference(const struct comparison *comparison)
{
	const struct debye_structure *structure = comparison->structure;

	for (int64_t copy = 1; copy < structure->copies; ++copy)
		if (comparison->differs[copy] >= 0)
			return status_fail_option(
			    SONDE_INVALID, "copies",
			    "copy %lld differs from copy %lld: its atom %lld has another species, or other "
			    "distances; "
			    "the sample must consist of copies of one structure with %lld atoms, one after the other",
			    (long long)(structure->first_copy + copy) + 1, (long long)structure->first_copy + 1,
			    (long long)comparison->differs[copy] + 1, (long long)structure->count);
	return SONDE_OK;
}

static void find_some_centers(void *state, int64_t first, int64_t end, int worker)
{
	const struct comparison *comparison = state;
	(void)worker;

	for (int64_t copy = first; copy < end; ++copy)
		find_center(comparison->view, comparison->structure, copy, comparison->centers[copy]);
}

/* Finds the centers of the copies of a structure and compares the copies. */
static sonde_status compare_copies(const sonde_context *context, const struct debye_classes *classes,
				   const struct debye_structure *structure)
{
	const int threads = context_threads(context);
	struct comparison comparison = {
	    .view = &classes->view, .structure = structure, .centers = classes->centers + structure->first_copy};

	threads_for(threads, structure->copies, 1, find_some_centers, &comparison);
	CHECK(memory_allocate(&comparison.differs, (size_t)structure->copies, sizeof *comparison.differs,
			      "the copies"));
	threads_for(threads, structure->copies, 1, compare_some, &comparison);
	const sonde_status status =
	    context_cancelled(context) ? status_fail(SONDE_CANCELLED, "stopped on request while copies were compared")
				       : report_difference(&comparison);
	free(comparison.differs);
	return status;
}

/* Of copies by placements, which are those of their structure. */
static void place_centers(const struct placement *placements, const struct debye_structure *structure,
			  double (*centers)[3])
{
	for (int64_t n = structure->first_copy; n < structure->first_copy + structure->copies; ++n)
		placement_apply(&placements[n], structure->center, centers[n]);
}

static sonde_status check_copies(int64_t copies)
{
	if (copies > MOST_COPIES)
		return status_fail_option(SONDE_INVALID, "copies", "%lld copies are too many: at most %d",
					  (long long)copies, MOST_COPIES);
	return SONDE_OK;
}

/* The atoms with an occupancy above 0, which are those of the view, from `first` to `end`. */
static int64_t count_occupied(const sonde_atoms *atoms, int64_t first, int64_t end)
{
	const double *occupancies = sonde_atoms_occupancies(atoms);
	int64_t count = 0;

	if (occupancies == NULL)
		return end - first;
	for (int64_t i = first; i < end; ++i)
		count += occupancies[i] > 0.0;
	return count;
}

static sonde_status find_structures(const sonde_debye_options *options, const sonde_atoms *atoms,
				    struct debye_classes *classes)
{
	struct copy_group groups[ATOMS_MOST_STRUCTURES];
	int64_t atom = 0, first = 0, copies = 0;

	CHECK(atoms_find_copies(atoms, options->copy_atoms, groups, &classes->structure_count));
	for (int s = 0; s < classes->structure_count; ++s) {
		const int64_t stored = atoms->placements != NULL ? 1 : groups[s].copies,
			      all = stored * groups[s].atoms, occupied = count_occupied(atoms, atom, atom + all);
		if (occupied == 0 || occupied % stored != 0)
			return status_fail_option(SONDE_INVALID, "copies",
						  "the copies have different numbers of occupied sites");
		classes->structures[s] = (struct debye_structure){
		    .first = first, .count = occupied / stored, .copies = groups[s].copies, .first_copy = copies};
		if (classes->structures[s].count > classes->structures[classes->largest].count)
			classes->largest = s;
		atom += all;
		first += occupied;
		copies += groups[s].copies;
	}
	classes->copies = copies;
	return check_copies(copies);
}

static sonde_status check_options(const sonde_debye_options *options)
{
	if (options->copies == SONDE_DEBYE_COPIES_EXACT && options->copy_atoms != 0 &&
	    options->partials != SONDE_DEBYE_PARTIALS_BLOCK)
		return status_fail_option(SONDE_INVALID, "copy_atoms",
					  "is for `copies averaged`, `copies independent`, and `partials block`");
	if (options->copies != SONDE_DEBYE_COPIES_EXACT && options->counts)
		return status_fail_option(SONDE_INVALID, "counts",
					  "the distances between atoms of different copies are not counted; choose "
					  "`copies exact`");
	if (options->copies != SONDE_DEBYE_COPIES_EXACT && options->precision == SONDE_DEBYE_PRECISION_FLOAT32)
		return status_fail_option(SONDE_INVALID, "precision",
					  "`copies averaged` and `copies independent` are computed in float64");
	return SONDE_OK;
}

static sonde_status count_classes(struct debye_classes *classes)
{
	const size_t count = (size_t)classes->count;

	CHECK(memory_allocate(&classes->structure_species, (size_t)classes->structure_count * count,
			      sizeof *classes->structure_species, "the species"));
	for (int s = 0; s < classes->structure_count; ++s) {
		const struct debye_structure *structure = &classes->structures[s];
		struct species *species = classes->structure_species + (size_t)s * count;
		memcpy(species, classes->view.species, count * sizeof *species);
		for (size_t c = 0; c < count; ++c)
			species[c].atoms = 0;
		for (int64_t i = 0; i < structure->count; ++i)
			++species[classes->view.species_of[structure->first + i]].atoms;
	}
	return SONDE_OK;
}

sonde_atoms debye_structure_atoms(const struct debye_classes *classes, int number)
{
	const struct debye_structure *structure = &classes->structures[number];
	sonde_atoms atoms = classes->view;

	atoms.positions += 3 * structure->first;
	atoms.species_of += structure->first;
	atoms.count = structure->count;
	atoms.species = classes->structure_species + (ptrdiff_t)number * classes->count;
	return atoms;
}

sonde_status debye_copies_take(sonde_context *context, const sonde_debye_options *options, const sonde_atoms *atoms,
			       struct debye_classes *classes)
{
	classes->copies = 1;
	classes->summed = classes->view;
	CHECK(check_options(options));
	if (options->copies == SONDE_DEBYE_COPIES_EXACT)
		return SONDE_OK;
	CHECK(find_structures(options, atoms, classes));
	CHECK(memory_allocate(&classes->centers, (size_t)classes->copies, sizeof *classes->centers,
			      "the centers of copies"));
	for (int s = 0; s < classes->structure_count; ++s) {
		struct debye_structure *structure = &classes->structures[s];
		find_center(&classes->view, structure, 0, structure->center);
		if (atoms->placements == NULL)
			CHECK(compare_copies(context, classes, structure));
		else
			place_centers(atoms->placements, structure, classes->centers);
	}
	CHECK(count_classes(classes));
	classes->summed = debye_structure_atoms(classes, classes->largest);
	classes->averaged = options->copies == SONDE_DEBYE_COPIES_AVERAGED;
	return SONDE_OK;
}

/* Sums ----------------------------------------------------------------------------------------- */

/* Squares of errors that are the same for every copy grow with the square of their number. */
static void scale_errors(struct histogram_error *errors, double copies)
{
	double *squares[] = {
	    &errors->skew,          &errors->skew_over_r,   &errors->skew_near,  &errors->rounding_over_r,
	    &errors->rounding_near, &errors->second_over_r, &errors->second_near};
	double *sums[] = {&errors->variance_near, &errors->third_near, &errors->fourth_near, &errors->displaced_near};

	for (size_t k = 0; k < sizeof squares / sizeof *squares; ++k)
		*squares[k] *= copies * copies;
	for (size_t k = 0; k < sizeof sums / sizeof *sums; ++k)
		*sums[k] *= copies;
	for (int k = 0; k < 4; ++k)
		errors->variance[k] *= copies;
	for (int k = 0; k < BOUND_POWERS; ++k)
		errors->third[k] *= copies;
	for (int k = 0; k < 2; ++k)
		errors->fourth[k] *= copies;
	for (int k = 0; k < 3; ++k)
		errors->displaced[k] *= copies;
}

void debye_copies_scale(const struct debye_classes *classes, int number, struct pair_sums *sums)
{
	const int pairs = species_pair_count(classes->count);
	const double copies = (double)classes->structures[number].copies;

	for (int64_t k = 0; k < pairs * sums->q.points; ++k)
		sums->sums[k] *= copies;
	for (int p = 0; sums->errors != NULL && p < pairs; ++p)
		scale_errors(&sums->errors[p], copies);
}

/* Of numbers only: sums of squares, and of magnitudes; except for the range of the distances. */
static void include_errors(const struct histogram_error *more, struct histogram_error *errors)
{
	const double farthest = fmax(errors->farthest, more->farthest),
		     nearest = errors->farthest == 0.0 ? more->nearest
			       : more->farthest == 0.0 ? errors->nearest
						       : fmin(errors->nearest, more->nearest);
	double *to = (double *)errors;
	const double *from = (const double *)more;

	for (size_t k = 0; k < sizeof *errors / sizeof(double); ++k)
		to[k] += from[k];
	errors->nearest = nearest;
	errors->farthest = farthest;
}

void debye_copies_include(const struct debye_classes *classes, const struct pair_sums *more, struct pair_sums *sums)
{
	const int pairs = species_pair_count(classes->count);

	for (int64_t k = 0; k < pairs * sums->q.points; ++k)
		sums->sums[k] += more->sums[k];
	if (sums->errors == NULL || more->errors == NULL)
		return;
	for (int p = 0; p < pairs; ++p)
		include_errors(&more->errors[p], &sums->errors[p]);
}

/* Species n are the centers of the copies of structure n. */
static sonde_status make_centers(const struct debye_classes *classes, sonde_atoms **centers)
{
	CHECK(sonde_atoms_create(centers));
	CHECK(atoms_reserve(*centers, classes->copies));
	for (int s = 0; s < classes->structure_count; ++s) {
		const struct debye_structure *structure = &classes->structures[s];
		char label[SONDE_LABEL_SIZE];
		uint16_t species;
		snprintf(label, sizeof label, "X%d", s);
		CHECK(atoms_species_index(*centers, label, &species));
		for (int64_t copy = 0; copy < structure->copies; ++copy)
			atoms_append(*centers, species, classes->centers[structure->first_copy + copy]);
	}
	return SONDE_OK;
}

/* The mean amplitude of each class over orientations of a structure, for unit atoms. */
struct mean_amplitudes {
	const struct debye_classes *classes;
	const struct debye_structure *structure;
	const double *distances;      /* of each atom from the center */
	const struct pair_sums *sums; /* the points of q */
	double *values;               /* b of class c at point k: [c * points + k] */
};

static void fill_means(void *state, int64_t first, int64_t end, int worker)
{
	const struct mean_amplitudes *means = state;
	const uint16_t *species_of = means->classes->view.species_of + means->structure->first;
	(void)worker;

	for (int64_t k = first; k < end; ++k) {
		const double q = pair_sums_q(means->sums, k);
		for (int64_t i = 0; i < means->structure->count; ++i) {
			const double x = q * means->distances[i];
			double *value = &means->values[species_of[i] * means->sums->q.points + k];
			lanes_f64 sine, cosine;
			lanes_sincos(LANES_SPLAT(x), &sine, &cosine, 0);
			*value += x != 0.0 ? LANES_FIRST(sine) / x : 1.0;
		}
	}
}

static sonde_status find_means(const sonde_context *context, const struct debye_classes *classes,
			       const struct debye_structure *structure, const struct pair_sums *sums, double *values)
{
	double *distances;

	CHECK(memory_allocate(&distances, (size_t)structure->count, sizeof *distances, "distances from the center"));
	for (int64_t i = 0; i < structure->count; ++i)
		distances[i] = distance(classes->view.positions + 3 * (structure->first + i), structure->center);
	struct mean_amplitudes means = {classes, structure, distances, sums, values};
	threads_for(context_threads(context), sums->q.points, 1, fill_means, &means);
	free(distances);
	return context_cancelled(context) ? status_fail(SONDE_CANCELLED, "stopped on request at the copies")
					  : SONDE_OK;
}

/* Each pair of copies of structures s and t: atoms of one class once, those of two classes in both orders of the copies.
 * `first` and `second` are the means of the structures. */
static void add_products(const struct debye_classes *classes, const double *first, const double *second,
			 const double *between, struct pair_sums *sums)
{
	const int64_t points = sums->q.points;

	for (int a = 0; a < classes->count; ++a)
		for (int b = a; b < classes->count; ++b) {
			double *row = sums->sums + species_pair_index(classes->count, a, b) * points;
			for (int64_t k = 0; k < points; ++k) {
				double products = first[a * points + k] * second[b * points + k];
				if (a != b)
					products += first[b * points + k] * second[a * points + k];
				row[k] += between[k] * products;
			}
		}
}

static sonde_status add_interference(sonde_context *context, const struct debye_classes *classes,
				     struct pair_sums *sums)
{
	const int64_t points = sums->q.points;
	const int structures = classes->structure_count;
	struct pair_sums between = {.q = sums->q, .q_values = sums->q_values, .species = structures};
	sonde_atoms *centers = NULL;
	double *means = NULL;
	const int64_t each = classes->count * points;
	sonde_status status;

	CHECK_GOTO(status, make_centers(classes, &centers), done);
	CHECK_GOTO(status,
		   memory_allocate(&between.sums, (size_t)species_pair_count(structures) * (size_t)points,
				   sizeof(double), "the sums"),
		   done);
	CHECK_GOTO(status,
		   memory_allocate(&means, (size_t)structures * (size_t)each, sizeof *means, "the amplitudes"), done);
	CHECK_GOTO(status, exact_pair_sums(context, centers, false, &between), done);
	for (int s = 0; s < structures; ++s)
		CHECK_GOTO(status, find_means(context, classes, &classes->structures[s], sums, means + s * each),
			   done);
	for (int s = 0; s < structures; ++s)
		for (int t = s; t < structures; ++t)
			add_products(classes, means + s * each, means + t * each,
				     between.sums + species_pair_index(structures, s, t) * points, sums);
done:
	sonde_atoms_free(&centers);
	free(between.sums);
	free(means);
	return status;
}

sonde_status debye_copies_add(sonde_context *context, const struct debye_classes *classes, struct pair_sums *sums)
{
	return classes->averaged ? add_interference(context, classes, sums) : SONDE_OK;
}
