/* Other labels for the atoms of a sample.
 *
 * Isotopes of one element occupy its sites at random. If a site has component k with probability c_k, the mean of
 * sum_ij Re(f_i f_j*) w_ij over all configurations is that of sites with occupancies o c_k, of which never two of one
 * atom are occupied:
 *
 *     sum_i o_i sum_k c_k |f_k|^2 + sum_{i != j} o_i o_j Re(F_i F_j*) w_ij,      F = sum_k c_k f_k,
 *
 * the coherent scattering of mean amplitudes F, and the isotopic incoherence o sum_k c_k |f_k|^2 - o^2 |F|^2 of each site
 * (G. L. Squires, Introduction to the Theory of Thermal Neutron Scattering (1978), ch. 2).
 */
#include "matter/atoms/relabel.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "matter/elements/label.h"

#define MOST_COMPONENTS 16
#define SUM_ROUNDING 1e-6 /* of fractions with few digits */

/* What a species of the sample becomes. */
struct components {
	int count; /* 0: not in the list */
	struct component {
		uint16_t species; /* of the new list */
		double fraction;
	} of[MOST_COMPONENTS];
};

/* A list while it is read. */
struct reading {
	const char *option;
	const sonde_atoms *from;
	sonde_atoms *to;
	struct components *components; /* of each species */
};

static sonde_status fail_absent(const struct reading *reading, const char *start, size_t length)
{
	char label[SONDE_LABEL_SIZE], hint[96];
	struct nearest_word nearest = {.word = label};

	snprintf(label, sizeof label, "%.*s", (int)(length < sizeof label ? length : sizeof label - 1), start);
	for (int s = 0; s < reading->from->species_count; ++s)
		nearest_word_offer(&nearest, reading->from->species[s].label);
	return status_fail_option(SONDE_INVALID, reading->option, "the sample has no '%s'%s", label,
				  nearest_word_hint(&nearest, hint, sizeof hint));
}

static sonde_status find_species(const struct reading *reading, const char *start, size_t length, int *species)
{
	char label[SONDE_LABEL_SIZE];

	*species = -1;
	if (length < sizeof label) {
		snprintf(label, sizeof label, "%.*s", (int)length, start);
		*species = atoms_find_species(reading->from, label);
	}
	return *species >= 0 ? SONDE_OK : fail_absent(reading, start, length);
}

/* The end of a component: a comma, the end of the list, or a plus before a number; other signs are charges of ions. */
static const char *find_end(const char *start)
{
	const char *c = start;

	while (*c != '\0' && *c != ',' && !(*c == '+' && (isdigit((unsigned char)c[1]) || c[1] == '.')))
		++c;
	return c;
}

/* "D", or "0.7*D". */
static sonde_status read_component(const struct reading *reading, const char *start, const char *end,
				   struct components *components)
{
	const char *times = memchr(start, '*', (size_t)(end - start)), *text = times != NULL ? times + 1 : start;
	const size_t length = (size_t)(end - text);
	struct component component = {.fraction = 1.0};
	char label[SONDE_LABEL_SIZE];
	struct label parsed;

	if (components->count == MOST_COMPONENTS)
		return status_fail_option(SONDE_INVALID, reading->option, "a mixture has at most %d components",
					  MOST_COMPONENTS);
	if (times != NULL && !(text_parse_real(start, times, &component.fraction) && component.fraction >= 0.0 &&
			       component.fraction <= 1.0))
		return status_fail_option(SONDE_INVALID, reading->option, "'%.*s' is not a fraction from 0 to 1",
					  (int)(times - start), start);
	if (length >= sizeof label || length == 0)
		return status_fail_option(SONDE_INVALID, reading->option, "'%.*s' is not a label, as 2H or Co2+",
					  (int)(length < 40 ? length : 40), text);
	memcpy(label, text, length);
	label[length] = '\0';
	const sonde_status status = label_parse(label, &parsed);
	if (status != SONDE_OK)
		return status_prefix_option(status, reading->option);
	CHECK(atoms_species_index(reading->to, label, &component.species));
	for (int k = 0; k < components->count; ++k)
		if (components->of[k].species == component.species)
			return status_fail_option(SONDE_INVALID, reading->option, "'%s' is in a mixture twice",
						  label);
	components->of[components->count++] = component;
	return SONDE_OK;
}

/* The last fraction completes the others; those of 0 are left out. */
static sonde_status check_sum(const struct reading *reading, const char *label, struct components *components)
{
	double sum = 0.0;
	int kept = 0;

	for (int k = 0; k < components->count; ++k)
		sum += components->of[k].fraction;
	if (!(fabs(sum - 1.0) <= SUM_ROUNDING))
		return status_fail_option(SONDE_INVALID, reading->option,
					  "the fractions of '%s' add up to %g, not to 1; a mixture is written as "
					  "H=0.7*D+0.3*H",
					  label, sum);
	components->of[components->count - 1].fraction += 1.0 - sum;
	for (int k = 0; k < components->count; ++k)
		if (components->of[k].fraction > SUM_ROUNDING)
			components->of[kept++] = components->of[k];
	components->count = kept;
	if (kept == 1)
		components->of[0].fraction = 1.0;
	return SONDE_OK;
}

/* One item of the list; *text moves to the next. */
static sonde_status read_item(const struct reading *reading, const char **text)
{
	const char *start = *text + strspn(*text, " "), *equals = start + strcspn(start, "=,");
	int species;

	if (*equals != '=')
		return status_fail_option(SONDE_INVALID, reading->option,
					  "'%.*s' is not LABEL=LABEL, as H=D, and not a mixture, as H=0.7*D+0.3*H",
					  (int)(equals - start < 40 ? equals - start : 40), start);
	CHECK(find_species(reading, start, (size_t)(equals - start), &species));
	struct components *components = &reading->components[species];
	const char *label = reading->from->species[species].label;
	if (components->count > 0)
		return status_fail_option(SONDE_INVALID, reading->option, "'%s' is given twice", label);
	const char *end = equals;
	do {
		const char *from = end + 1;
		end = find_end(from);
		CHECK(read_component(reading, from, end, components));
	} while (*end == '+');
	*text = *end == ',' ? end + 1 : end;
	if (*end == ',' && **text == '\0')
		return status_fail_option(SONDE_INVALID, reading->option, "an item is missing after the last comma");
	return check_sum(reading, label, components);
}

/* Species that the list does not name keep their labels. */
static sonde_status read_list(const struct reading *reading, const char *list)
{
	while (*list != '\0')
		CHECK(read_item(reading, &list));
	for (int s = 0; s < reading->from->species_count; ++s) {
		struct components *components = &reading->components[s];
		if (components->count > 0)
			continue;
		components->count = 1;
		components->of[0].fraction = 1.0;
		CHECK(atoms_species_index(reading->to, reading->from->species[s].label, &components->of[0].species));
	}
	return SONDE_OK;
}

static sonde_status rename_atoms(const struct reading *reading)
{
	const sonde_atoms *from = reading->from;
	sonde_atoms *to = reading->to;

	CHECK(memory_allocate(&to->species_of, (size_t)from->count, sizeof *to->species_of, "the species"));
	for (int s = 0; s < from->species_count; ++s)
		to->species[reading->components[s].of[0].species].atoms += from->species[s].atoms;
	for (int64_t i = 0; i < from->count; ++i)
		to->species_of[i] = reading->components[from->species_of[i]].of[0].species;
	return SONDE_OK;
}

/* Mixtures ---------------------------------------------------------------------------------------------------- */

/* Alternative locations occur together by their letters, whatever the isotopes. */
static sonde_status check_locations(const struct reading *reading)
{
	const sonde_atoms *from = reading->from;

	for (int64_t i = 0; from->locations != NULL && i < from->count; ++i)
		if (reading->components[from->species_of[i]].count > 1 && atoms_location(from, i) != 0)
			return status_fail_option(
			    SONDE_INVALID, reading->option,
			    "atom %lld, '%s', has alternative locations, whose atoms occur together; "
			    "a mixture needs independent sites",
			    (long long)i + 1, from->species[from->species_of[i]].label);
	return SONDE_OK;
}

static int64_t count_sites(const struct reading *reading, int64_t first, int64_t atoms)
{
	int64_t sites = 0;

	for (int64_t i = first; i < first + atoms; ++i)
		sites += reading->components[reading->from->species_of[i]].count;
	return sites;
}

static sonde_status allocate_sites(const struct reading *reading, size_t count)
{
	const sonde_atoms *from = reading->from;
	sonde_atoms *to = reading->to;

	CHECK(memory_allocate(&to->positions, 3 * count, sizeof(double), "the atoms"));
	CHECK(memory_allocate(&to->species_of, count, sizeof *to->species_of, "the atoms"));
	CHECK(memory_allocate(&to->occupancies, count, sizeof(double), "the occupancies"));
	if (from->locations != NULL)
		CHECK(memory_allocate(&to->locations, count, sizeof *to->locations, "the occupancies"));
	if (from->displacements != NULL)
		CHECK(memory_allocate(&to->displacements, count * (size_t)from->displacement_size, sizeof(double),
				      "the displacements"));
	for (int k = 0; k < ATOM_GROUPINGS; ++k) {
		struct atom_groups *groups = &to->groupings[k];
		if (atoms_groups(from, (enum atom_grouping)k) == NULL || from->groupings[k].of == NULL)
			continue;
		CHECK(memory_allocate(&groups->of, count, sizeof *groups->of, "the groups"));
		CHECK(memory_allocate(&groups->names, from->groupings[k].count, sizeof *groups->names,
				      "the names of groups"));
	}
	return SONDE_OK;
}

static void describe_groups(const sonde_atoms *from, int64_t count, sonde_atoms *to)
{
	for (int k = 0; k < ATOM_GROUPINGS; ++k) {
		const struct atom_groups *old = &from->groupings[k];
		struct atom_groups *groups = &to->groupings[k];
		groups->count = old->count;
		groups->grouped = groups->of != NULL ? count : 0;
		if (groups->names != NULL)
			memcpy(groups->names, old->names, old->count * sizeof *old->names);
	}
}

/* Site n is a component of atom i. */
static void fill_site(const sonde_atoms *from, int64_t i, const struct component *component, int64_t n,
		      sonde_atoms *to)
{
	const size_t size = (size_t)from->displacement_size;
	const double *occupancies = sonde_atoms_occupancies(from),
		     occupancy = occupancies != NULL ? occupancies[i] : 1.0;

	memcpy(to->positions + 3 * n, from->positions + 3 * i, 3 * sizeof(double));
	to->species_of[n] = component->species;
	++to->species[component->species].atoms;
	to->occupancies[n] = component->fraction < 1.0 ? occupancy * component->fraction : occupancy;
	if (to->locations != NULL)
		to->locations[n] = atoms_location(from, i);
	for (size_t k = 0; to->displacements != NULL && k < size; ++k)
		to->displacements[(size_t)n * size + k] =
		    i < from->displaced ? from->displacements[(size_t)i * size + k] : (double)NAN;
	for (int k = 0; k < ATOM_GROUPINGS; ++k)
		if (to->groupings[k].of != NULL)
			to->groupings[k].of[n] = from->groupings[k].of[i];
}

/* Copies of a structure remain copies, of more sites. */
static void count_copies(const struct reading *reading)
{
	int64_t first = 0;

	for (int k = 0; k < reading->from->group_count; ++k) {
		const struct copy_group *group = &reading->from->groups[k];
		reading->to->groups[k].atoms = count_sites(reading, first, group->atoms);
		first += (reading->from->placements != NULL ? 1 : group->copies) * group->atoms;
	}
}

static sonde_status mix_atoms(const struct reading *reading)
{
	const sonde_atoms *from = reading->from;
	sonde_atoms *to = reading->to;
	const int64_t sites = count_sites(reading, 0, from->count);
	int64_t n = 0;

	CHECK(allocate_sites(reading, (size_t)sites));
	for (int64_t i = 0; i < from->count; ++i) {
		const struct components *components = &reading->components[from->species_of[i]];
		for (int k = 0; k < components->count; ++k)
			fill_site(from, i, &components->of[k], n++, to);
	}
	to->count = to->occupied = sites;
	to->located = to->locations != NULL ? sites : 0;
	to->displaced = to->displacements != NULL ? sites : 0;
	describe_groups(from, sites, to);
	count_copies(reading);
	return SONDE_OK;
}

/* Arrays that differ in any case, or that probes of scattering do not use. */
static void leave_species(struct relabeled_atoms *relabeled)
{
	sonde_atoms *to = &relabeled->atoms;

	to->species = NULL;
	to->species_of = NULL;
	to->species_count = 0;
	to->species_capacity = 0;
	to->charges = NULL;
	to->charge_sets = 0;
	to->charged = 0;
	to->sites = NULL;
	to->sited = 0;
	relabeled->renamed = true;
}

/* Arrays of single atoms. */
static void leave_atoms(struct relabeled_atoms *relabeled)
{
	sonde_atoms *to = &relabeled->atoms;

	to->positions = to->occupancies = to->displacements = NULL;
	to->locations = NULL;
	to->owner = NULL;
	memset(to->groupings, 0, sizeof to->groupings);
	relabeled->mixed = true;
}

static bool is_mixture(const struct reading *reading)
{
	for (int s = 0; s < reading->from->species_count; ++s)
		if (reading->components[s].count > 1)
			return true;
	return false;
}

static sonde_status relabel(const struct reading *reading, const char *list, struct relabeled_atoms *relabeled)
{
	CHECK(read_list(reading, list));
	if (!is_mixture(reading))
		return rename_atoms(reading);
	CHECK(check_locations(reading));
	leave_atoms(relabeled);
	return mix_atoms(reading);
}

sonde_status relabel_atoms(const sonde_atoms *atoms, const char *option, const char *list,
			   struct relabeled_atoms *relabeled)
{
	struct reading reading = {.option = option, .from = atoms, .to = &relabeled->atoms};

	*relabeled = (struct relabeled_atoms){.atoms = *atoms};
	if (list[0] == '\0')
		return SONDE_OK;
	leave_species(relabeled);
	CHECK(memory_allocate(&reading.components, (size_t)atoms->species_count, sizeof *reading.components,
			      "the labels"));
	const sonde_status status = relabel(&reading, list, relabeled);
	free(reading.components);
	return status;
}

void relabeled_atoms_free(struct relabeled_atoms *relabeled)
{
	sonde_atoms *atoms = &relabeled->atoms;

	if (relabeled->renamed) {
		free(atoms->species);
		free(atoms->species_of);
	}
	if (relabeled->mixed) {
		free(atoms->positions);
		free(atoms->occupancies);
		free(atoms->locations);
		free(atoms->displacements);
		atoms_groups_free(atoms);
	}
	*relabeled = (struct relabeled_atoms){.renamed = false};
}
