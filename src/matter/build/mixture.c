#include "matter/build/mixture.h"

#include <math.h>
#include <string.h>

#include "base/option_items.h"
#include "io/containers/yaml.h"
#include "matter/atoms/atoms.h"
#include "matter/build/build_options.h"
#include "matter/generate/ensemble.h"
#include "matter/generate/generate.h"

struct mixture {
	int count;
	sonde_atoms *structures[ENSEMBLE_MOST_STRUCTURES]; /* centered */
	int64_t numbers[ENSEMBLE_MOST_STRUCTURES];
	double radii[ENSEMBLE_MOST_STRUCTURES];
};

/* Moves the mean of the positions to 0. */
static void center(sonde_atoms *atoms)
{
	double mean[3] = {0.0};

	for (int64_t i = 0; i < atoms->count; ++i)
		for (int k = 0; k < 3; ++k)
			mean[k] += (atoms->positions[3 * i + k] - atoms->positions[k]) / (double)atoms->count;
	for (int k = 0; k < 3; ++k)
		mean[k] += atoms->positions[k];
	for (int64_t i = 0; i < atoms->count; ++i)
		for (int k = 0; k < 3; ++k)
			atoms->positions[3 * i + k] -= mean[k];
}

static sonde_status read_structure(sonde_context *context, const struct structure_item *item, struct mixture *mixture)
{
	sonde_atoms **atoms = &mixture->structures[mixture->count];

	if (item->file[0] == '\0')
		return status_fail_option(SONDE_INVALID, "file", "required, a file of atoms");
	CHECK(sonde_atoms_read(context, item->file, 0, atoms));
	++mixture->count;
	if ((*atoms)->count == 0)
		return status_fail_file(SONDE_INVALID, item->file, "has no atoms");
	center(*atoms);
	mixture->radii[mixture->count - 1] = ensemble_radius(*atoms) + 0.5 * ENSEMBLE_SPHERE_MARGIN;
	return SONDE_OK;
}

/* Numbers in the ratio of the fractions with the sum `copies`, by the largest remainders. */
static void divide(const struct structure_item *items, int count, int64_t copies, int64_t *numbers)
{
	double sum = 0.0, rest[ENSEMBLE_MOST_STRUCTURES] = {0.0};
	int64_t left = copies;

	for (int s = 0; s < count; ++s)
		sum += items[s].fraction;
	for (int s = 0; s < count; ++s) {
		const double exact = (double)copies * (items[s].fraction / sum);
		numbers[s] = (int64_t)fmin(floor(exact), (double)left);
		rest[s] = exact - (double)numbers[s];
		left -= numbers[s];
	}
	for (; left > 0; --left) {
		int most = 0;
		for (int s = 1; s < count; ++s)
			most = rest[s] > rest[most] ? s : most;
		++numbers[most];
		rest[most] -= 1.0;
	}
}

/* Every structure has a number, or every one a fraction; with a file of places neither. */
static sonde_status check_numbers(const sonde_build_options *options, const struct structure_item *items, int count)
{
	int numbers = 0, fractions = 0;

	for (int s = 0; s < count; ++s) {
		numbers += items[s].number > 0;
		fractions += items[s].fraction > 0.0;
	}
	if (options->copy_file[0] != '\0')
		return numbers + fractions == 0
			   ? SONDE_OK
			   : status_fail_option(
				 SONDE_INVALID, "structures",
				 "numbers and fractions are not given with `copy_file`, which has them");
	if (numbers + fractions != count || (numbers > 0 && fractions > 0))
		return status_fail_option(SONDE_INVALID, "structures",
					  "every structure needs a number, or every one a fraction");
	if (fractions > 0 && options->copies == 0)
		return status_fail_option(SONDE_INVALID, "structures", "fractions need `copies`, the number of all");
	return SONDE_OK;
}

static sonde_status find_numbers(const sonde_build_options *options, const struct structure_item *items,
				 struct mixture *mixture)
{
	int64_t sum = 0;

	CHECK(check_numbers(options, items, mixture->count));
	for (int s = 0; s < mixture->count; ++s) {
		mixture->numbers[s] = items[s].number;
		sum += items[s].number;
	}
	if (options->copy_file[0] == '\0' && sum == 0)
		divide(items, mixture->count, options->copies, mixture->numbers);
	else if (options->copies != 0 && options->copies != sum)
		return status_fail_option(SONDE_INVALID, "copies",
					  "%lld, but the numbers of the structures add up to "
					  "%lld; leave it out",
					  (long long)options->copies, (long long)sum);
	return SONDE_OK;
}

static sonde_status read_mixture(sonde_context *context, const sonde_build_options *options, struct mixture *mixture)
{
	struct yaml_list list = {.block = "build", .table = &structure_item_table};
	sonde_status status = yaml_list_parse("structures", options->structures, &list);

	if (status == SONDE_OK && (list.count == 0 || list.count > ENSEMBLE_MOST_STRUCTURES))
		status = status_fail_option(SONDE_INVALID, "structures", "%zu structures; 1 to %d are possible",
					    list.count, ENSEMBLE_MOST_STRUCTURES);
	for (size_t n = 0; n < list.count && status == SONDE_OK; ++n) {
		status = read_structure(context, yaml_list_item(&list, n), mixture);
		if (status == SONDE_INVALID)
			status_name_keys();
		status = option_item_prefix(status, NULL, NULL, "structures", (int64_t)n);
	}
	if (status == SONDE_OK)
		status = find_numbers(options, list.items, mixture);
	yaml_list_free(&list);
	return status;
}

static int64_t sum_of(const struct mixture *mixture)
{
	int64_t sum = 0;

	for (int s = 0; s < mixture->count; ++s)
		sum += mixture->numbers[s];
	return sum;
}

static sonde_status make_ensemble(sonde_context *context, const sonde_build_options *options,
				  const struct mixture *mixture, struct ensemble *ensemble)
{
	const uint64_t seed = (uint64_t)options->seed;

	if (options->copy_file[0] != '\0') {
		CHECK(ensemble_read_mixture(context, options->copy_file, mixture->count, ensemble));
	} else if (options->copy_spacing != 0.0) {
		CHECK(ensemble_grid(sum_of(mixture), options->copy_spacing, ensemble));
		CHECK(ensemble_mix(mixture->count, mixture->numbers, seed, ensemble));
	} else {
		CHECK(ensemble_random_mixture(context, mixture->count, mixture->numbers, mixture->radii,
					      options->copy_density, seed, ensemble));
	}
	if (options->copy_orientations == SONDE_BUILD_COPY_ORIENTATIONS_RANDOM)
		ensemble_turn(seed, ensemble);
	return SONDE_OK;
}

static sonde_status check_options(const struct option_table *table, const sonde_build_options *options)
{
	sonde_build_options copy = *options;

	CHECK(generate_check_ranges(table, options));
	CHECK(option_item_check(
	    table, options, "an ensemble of structures from files",
	    (const char *const[OPTION_ITEM_KEYS]){
		" structures copies copy_spacing copy_density copy_orientations copy_file seed compact ", "", ""}));
	/* the numbers of the structures are one of copies */
	if (copy.copies == 0 && copy.copy_file[0] == '\0')
		copy.copies = 1;
	return ensemble_check_options(&copy);
}

sonde_status mixture_build(sonde_context *context, const struct option_table *table,
			   const sonde_build_options *options, sonde_atoms **atoms)
{
	struct mixture mixture = {.count = 0};
	struct ensemble ensemble = {0};
	sonde_status status;

	*atoms = NULL;
	CHECK_GOTO(status, check_options(table, options), done);
	CHECK_GOTO(status, read_mixture(context, options, &mixture), done);
	CHECK_GOTO(status, make_ensemble(context, options, &mixture, &ensemble), done);
	if (options->copy_density == 0.0)
		CHECK_GOTO(status, ensemble_note_overlap(context, mixture.count, mixture.structures, &ensemble),
			   done);
	status = options->compact
		     ? ensemble_compact(mixture.count, mixture.structures, &ensemble, atoms)
		     : ensemble_place_mixture(context, mixture.count, mixture.structures, &ensemble, atoms);
done:
	ensemble_free(&ensemble);
	for (int s = 0; s < mixture.count; ++s)
		sonde_atoms_free(&mixture.structures[s]);
	return status;
}
