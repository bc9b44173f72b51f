#include "matter/generate/generate.h"

#include <stdio.h>
#include <string.h>

#include "base/option_items.h"
#include "base/text.h"
#include "matter/generate/generate_parts.h"
#include "matter/elements/label.h"

static const struct kind {
	const char *option, *whose; /* the option that gives it; its name in messages */
	generator *run;
	const char *keys;
	int sublattices;
} kinds[] = {
    {"nanotube", "a nanotube", generate_nanotube, " nanotube bond length cells periodic caps species ", 2},
    {"torus", "a torus", generate_torus, " torus bond species ", 2},
    {"graphene", "graphene", generate_graphene, " graphene bond edge layers stacking spacing periodic species ", 2},
    {"fullerene", "a fullerene", generate_fullerene, " fullerene bond double_bond form species ", 1},
    {"packing", "a packing", generate_packing, " packing box density number_density distance tries ", 0},
};

/* defects, and copies of the sample */
#define DEFECT_KEYS                                               \
	" substitute vacancies displace strain relax fault seed " \
	"copies copy_spacing copy_density copy_orientations copy_file compact "

static bool is_given(const sonde_build_options *options, int kind)
{
	const bool given[] = {options->nanotube[0] != '\0', options->torus.x != 0.0 || options->torus.y != 0.0,
			      options->graphene[0] != '\0', options->fullerene[0] != '\0',
			      options->packing[0] != '\0'};
	return given[kind];
}

/* The only kind that is given; null if there is none, or more than one. */
static const struct kind *find_kind(const sonde_build_options *options, int *count)
{
	const struct kind *found = NULL;

	*count = 0;
	for (int k = 0; k < (int)(sizeof kinds / sizeof *kinds); ++k) {
		if (is_given(options, k)) {
			found = &kinds[k];
			++*count;
		}
	}
	return *count == 1 ? found : NULL;
}

bool generate_wanted(const sonde_build_options *options)
{
	int count;

	(void)find_kind(options, &count);
	return count > 0;
}

/* The first kind that has an option; null if there is none, or a lattice has it, too. */
static const struct kind *find_owner(const char *option)
{
	char word[64];

	snprintf(word, sizeof word, " %s ", option);
	for (size_t k = 0; k < sizeof kinds / sizeof *kinds; ++k)
		if (strstr(kinds[k].keys, word) != NULL && strstr(" species box ", word) == NULL)
			return &kinds[k];
	return NULL;
}

sonde_status generate_check_absent(const struct option_table *table, const sonde_build_options *options)
{
	sonde_build_options defaults;
	struct text value = {0}, usual = {0};
	const struct option_row *unused = NULL;

	options_set_defaults(table, &defaults);
	for (size_t k = 0; k < table->count && unused == NULL; ++k) {
		const struct option_row *row = &table->rows[k];
		if (find_owner(row->name) == NULL)
			continue;
		value.size = usual.size = 0;
		text_append(&value, "=");
		text_append(&usual, "=");
		option_print(row, options, &value);
		option_print(row, &defaults, &usual);
		if (!value.failed && !usual.failed && strcmp(value.bytes, usual.bytes) != 0)
			unused = row;
	}
	const sonde_status status = value.failed ? text_status(&value) : text_status(&usual);
	text_free(&value);
	text_free(&usual);
	CHECK(status);
	return unused == NULL ? SONDE_OK
			      : status_fail_option(SONDE_INVALID, unused->name,
						   "only %s has this option; give " OPTION_NAME("%s"),
						   find_owner(unused->name)->whose, find_owner(unused->name)->option);
}

/* Adds "B,N", or carbon, as the species of the sublattices. */
static sonde_status add_species(const char *text, int most, sonde_atoms *atoms, uint16_t species[2])
{
	const char *c = text[0] != '\0' ? text : "C";
	char name[SONDE_LABEL_SIZE];
	struct label label;

	for (int count = 0;; ++count) {
		const size_t length = strcspn(c, ",");
		if (count == most)
			return status_fail_option(SONDE_INVALID, "species", "this sample has at most %d", most);
		if (length >= sizeof name)
			return status_fail_option(SONDE_INVALID, "species", "'%.40s' is too long for a label", c);
		memcpy(name, c, length);
		name[length] = '\0';
		const sonde_status status = label_parse(name, &label);
		if (status != SONDE_OK)
			return status_prefix_option(status, "species");
		CHECK(atoms_species_index(atoms, name, &species[count]));
		if (count == 0)
			species[1] = species[0];
		if (c[length] == '\0')
			return SONDE_OK;
		c += length + 1;
	}
}

sonde_status generate_check_ranges(const struct option_table *table, const sonde_build_options *options)
{
	sonde_build_options copy = *options;

	if (copy.cell < 0)
		copy.cell = SONDE_BUILD_CELL_FCC;
	if (copy.a == 0.0)
		copy.a = 1.0;
	return options_check(table, &copy);
}

sonde_status generate_run(sonde_context *context, const struct option_table *table,
			  const sonde_build_options *options, sonde_atoms *atoms)
{
	uint16_t species[2] = {0, 0};
	int count;
	const struct kind *kind = find_kind(options, &count);

	if (kind == NULL)
		return status_fail(SONDE_INVALID, "more than one sample is given; give one of `nanotube`, `torus`, "
						  "`graphene`, `fullerene`, `packing`");
	const char *keys[OPTION_ITEM_KEYS] = {kind->keys, DEFECT_KEYS, ""};
	CHECK(generate_check_ranges(table, options));
	CHECK(option_item_check(table, options, kind->whose, keys));
	if (kind->sublattices > 0)
		CHECK(add_species(options->species, kind->sublattices, atoms, species));
	return kind->run(context, options, species, atoms);
}
