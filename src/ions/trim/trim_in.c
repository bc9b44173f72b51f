#include "ions/trim/trim_in.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/file_names.h"
#include "base/memory.h"
#include "ions/target/target.h"
#include "ions/trim/trim_reader.h"
#include "ions/trim/trim_target.h"
#include "matter/elements/element.h"
#include "matter/elements/isotope.h"
#include "matter/elements/label.h"

#define SAME_ENERGY 1e-6 /* eV */
#define LEAST_MASS 0.5   /* relative to the natural one; tritium deviates most */
#define MOST_MASS 3.1
#define SAME_NUCLIDE 0.06 /* amu: tables of masses differ by less, and neighbors by more */
#define MOST_LISTED 1000000
#define MOST_PATHS 100 /* of ions, with every collision stored */

struct trim_element {
	int atomic_number;
	double mass;
	uint64_t layers; /* bit mask of the layers that contain it */
};

/* One pass over the file. Lines of names are at fixed places; their text is irrelevant up to the layers. */
struct reading {
	struct trim_reader file;
	sonde_ions_options options;
	int element_count, layer_count;
	double first_depth, last_depth; /* of the plots */
	double thickness;               /* of all layers */
	double bragg;                   /* from the line of the ion */
	int layer;                      /* current layer, from 0 */
	bool corrected;                 /* layers have separate corrections */
	struct text target;
	struct trim_element elements[TRIM_MOST_NUMBERS];
	struct trim_layer layers[TARGET_MOST_LAYERS];
};

bool trim_in_is_named(const char *path)
{
	path = file_names_get(path);
	size_t length = strlen(path);

	return length >= 3 && strcasecmp(path + length - 3, ".in") == 0;
}

/* Sections --------------------------------------------------------------------------------- */

static sonde_status read_title(struct reading *reading)
{
	struct trim_reader *file = &reading->file;

	CHECK(trim_need_line(file, "its title"));
	if (!trim_at_end_of_line(file) && !trim_contains(file->next, "TRIM"))
		return line_fail(file->lines,
				 "this is not a TRIM.IN: the first line must be 'This file controls TRIM "
				 "Calculations'");
	return SONDE_OK;
}

/* Whether a mass is that of the natural element or of one of its isotopes. */
static bool is_mass_of(int atomic_number, double mass)
{
	struct element element = element_of(atomic_number);
	double isotope;

	/* a mass missing in the table is not an error here */
	return fabs(mass - element.mass) <= SAME_NUCLIDE || fabs(mass - element.isotope_mass) <= SAME_NUCLIDE ||
	       (isotope_mass(atomic_number, (int)lround(mass), &isotope) == SONDE_OK &&
		fabs(mass - isotope) <= SAME_NUCLIDE);
}

/* Whether a mass is that of the natural element or of its most abundant isotope, the default for ions. */
static bool is_usual_mass_of(int atomic_number, double mass)
{
	struct element element = element_of(atomic_number);

	return fabs(mass - element.mass) <= 0.5 * SAME_NUCLIDE || fabs(mass - element.isotope_mass) <= SAME_NUCLIDE;
}

/* A mass of another element indicates a mistake in one of the two numbers. */
static sonde_status check_mass(const struct trim_reader *file, int atomic_number, double mass)
{
	if (is_mass_of(atomic_number, mass))
		return SONDE_OK;
	for (int z = 1; z <= TABULATED_ELEMENTS; ++z)
		if (is_usual_mass_of(z, mass))
			return line_fail(file->lines,
					 "atomic number %d is %s, but %g amu is the mass of %s; correct one of them",
					 atomic_number, element_symbol(atomic_number), mass, element_symbol(z));
	return SONDE_OK;
}

/* "Atom 1 = C =": fails if the symbol, if present, is that of another element. */
static sonde_status check_symbol(const struct trim_reader *file, const char *label, const char *end,
				 int atomic_number)
{
	char symbol[4] = "";
	const char *start = memchr(label, '=', (size_t)(end - label));

	if (start == NULL)
		return SONDE_OK;
	for (++start; start < end && *start == ' ';)
		++start;
	while (end > start && end[-1] == ' ')
		--end;
	if (end <= start || end - start >= (int)sizeof symbol)
		return SONDE_OK;
	memcpy(symbol, start, (size_t)(end - start));
	int z = strcmp(symbol, "D") == 0 || strcmp(symbol, "T") == 0 ? 1 : element_number(symbol);
	if (z == 0 || z == atomic_number)
		return SONDE_OK;
	return line_fail(file->lines, "the atom is named %s, but atomic number %d is %s; correct one of them", symbol,
			 atomic_number, element_symbol(atomic_number));
}

/* The symbol, with the mass number, such as "2H", for an unusual isotope. */
static void name_ion(struct reading *reading, int atomic_number, double mass)
{
	int mass_number = (int)lround(mass);
	double isotope;
	char label[16] = "";

	/* not an error: natural masses are not those of an isotope */
	if (fabs(mass - element_of(atomic_number).isotope_mass) > 0.5 &&
	    isotope_mass(atomic_number, mass_number, &isotope) == SONDE_OK && fabs(mass - isotope) < 0.02)
		snprintf(label, sizeof label, "%d", mass_number);
	snprintf(reading->options.ion, sizeof reading->options.ion, "%s%s", label, element_symbol(atomic_number));
	reading->options.ion_mass = mass;
}

static sonde_status read_ion(struct reading *reading)
{
	static const char *const names[] = {
	    "the ion's atomic number", "the ion's mass",       "the energy in keV",         "the angle",
	    "the number of ions",      "the Bragg correction", "the ions between two saves"};
	struct trim_reader *file = &reading->file;
	sonde_ions_options *options = &reading->options;
	double *numbers = file->numbers;
	char energy[32];

	numbers[5] = 1.0;
	CHECK(trim_read_section(file, names, 5, 7));
	CHECK(trim_check_whole(file, names[0], numbers[0], 1.0, TABULATED_ELEMENTS));
	CHECK(trim_check(file, names[1], numbers[1], 0.5, 1000.0));
	CHECK(trim_check(file, names[2], numbers[2], 1e-3, 1e7));
	CHECK(trim_check(file, names[3], numbers[3], 0.0, 89.9));
	CHECK(trim_check_whole(file, names[4], numbers[4], 1.0, 1e12));
	CHECK(trim_check(file, names[5], numbers[5], 0.0, 10.0));
	CHECK(check_mass(file, (int)numbers[0], numbers[1]));
	double natural = element_of((int)numbers[0]).mass;
	CHECK(trim_check(file, names[1], numbers[1], LEAST_MASS * natural, MOST_MASS * natural));
	name_ion(reading, (int)numbers[0], numbers[1]);
	snprintf(options->energy, sizeof options->energy, "%skeV", text_format_real(numbers[2], energy));
	options->angle = numbers[3];
	options->number = (int64_t)numbers[4];
	reading->bragg = numbers[5];
	return SONDE_OK;
}

static sonde_status read_cascades(struct reading *reading)
{
	static const char *const names[] = {"the kind of cascades", "the seed", "the reminders"};
	struct trim_reader *file = &reading->file;
	sonde_ions_options *options = &reading->options;
	double *numbers = file->numbers;

	numbers[1] = 0.0;
	CHECK(trim_read_section(file, names, 1, 3));
	CHECK(trim_check_whole(file, names[0], numbers[0], 1.0, 7.0));
	CHECK(trim_check_whole(file, names[1], numbers[1], 0.0, 9e15));
	if (numbers[0] > 3.0)
		return line_fail(
		    file->lines,
		    "kind %g of cascades has its beam in TRIM.DAT: give the target by `target` and the beam by "
		    "`particles TRIM.DAT`; 1 (quick), 2 (full) and 3 (sputtering) are supported",
		    numbers[0]);
	options->cascades = numbers[0] == 1.0 ? SONDE_IONS_CASCADES_QUICK : SONDE_IONS_CASCADES_FULL;
	if (numbers[0] == 3.0) {
		options->surface = SONDE_IONS_SURFACE_PLANAR;
		options->flight = SONDE_IONS_FLIGHT_MONOLAYER;
	}
	if (numbers[1] > 0.0)
		options->seed = (int64_t)numbers[1];
	return SONDE_OK;
}

/* Lists of leaving atoms, with room for several sputtered ones per ion; and paths, for COLLISON.txt and EXYZ.txt. */
static sonde_status read_files(struct reading *reading)
{
	static const char *const names[] = {"the flag of ranges",           "the flag of backscattered ions",
					    "the flag of transmitted ions", "the flag of sputtered atoms",
					    "the flag of collisions",       "the energy between rows of EXYZ.txt"};
	struct trim_reader *file = &reading->file;
	sonde_ions_options *options = &reading->options;
	double *numbers = file->numbers;

	memset(numbers, 0, 6 * sizeof *numbers);
	CHECK(trim_read_section(file, names, 1, 6));
	double leaving = (double)options->number * (numbers[3] > 0.0 ? 10.0 : 1.0);
	if (numbers[1] > 0.0 || numbers[2] > 0.0 || numbers[3] > 0.0)
		options->exits = (int64_t)fmin(fmax(leaving, (double)options->exits), MOST_LISTED);
	if (numbers[4] > 0.0 || numbers[5] > 0.0)
		options->trajectories = options->number < MOST_PATHS ? options->number : MOST_PATHS;
	return SONDE_OK;
}

static sonde_status read_sizes(struct reading *reading)
{
	static const char *const names[] = {"the number of elements", "the number of layers"};
	struct trim_reader *file = &reading->file;

	CHECK(trim_need_line(file, "the target"));
	CHECK(trim_need_line(file, "the target"));
	CHECK(trim_skip_text(file, 2, "the target"));
	CHECK(trim_read_row(file, names, 2, 2));
	CHECK(trim_check_whole(file, names[0], file->numbers[0], 1.0, TRIM_MOST_NUMBERS));
	CHECK(trim_check_whole(file, names[1], file->numbers[1], 1.0, TARGET_MOST_LAYERS));
	reading->element_count = (int)file->numbers[0];
	reading->layer_count = (int)file->numbers[1];
	return SONDE_OK;
}

static sonde_status read_plot(struct reading *reading)
{
	static const char *const names[] = {"the kind of plots", "the first depth of plots",
					    "the last depth of plots"};
	struct trim_reader *file = &reading->file;
	double *numbers = file->numbers;

	numbers[1] = numbers[2] = 0.0;
	CHECK(trim_read_section(file, names, 1, 3));
	CHECK(trim_check(file, names[1], numbers[1], 0.0, 1e12));
	CHECK(trim_check(file, names[2], numbers[2], 0.0, 1e12));
	reading->first_depth = numbers[1];
	reading->last_depth = numbers[2];
	return SONDE_OK;
}

/* "Atom 1 = Si =       14  28.086" */
static sonde_status read_element(struct reading *reading, struct trim_element *element)
{
	static const char *const names[] = {"the atomic number", "the mass"};
	struct trim_reader *file = &reading->file;
	double *numbers = file->numbers;

	CHECK(trim_need_line(file, "the elements of the target"));
	const char *label = file->next, *equals = strrchr(label, '=');
	if (equals == NULL)
		return line_fail(file->lines, "an element of the target is expected here: 'Atom 1 = Si = 14 28.086'");
	file->next = equals + 1;
	CHECK(trim_read_row(file, names, 2, 2));
	CHECK(trim_check_whole(file, names[0], numbers[0], 1.0, TABULATED_ELEMENTS));
	CHECK(check_symbol(file, label, equals, (int)numbers[0]));
	CHECK(check_mass(file, (int)numbers[0], numbers[1]));
	*element = (struct trim_element){(int)numbers[0], numbers[1], 0};
	double natural = element_of(element->atomic_number).mass;
	return trim_check(file, names[1], element->mass, LEAST_MASS * natural, MOST_MASS * natural);
}

static sonde_status read_layer(struct reading *reading)
{
	static const char *const names[] = {"the width of the layer", "the density of the layer"};
	struct trim_reader *file = &reading->file;
	const int count = reading->element_count;
	double *numbers = file->numbers;
	struct trim_layer *layer = &reading->layers[reading->layer];

	CHECK(trim_need_line(file, "the layers of the target"));
	CHECK(trim_skip_text(file, count + 2, "the layer"));
	for (int k = 0; k < 2; ++k)
		CHECK(trim_next_number(file, names[k], &numbers[k]));
	layer->width = numbers[0];
	layer->density = numbers[1];
	CHECK(trim_check(file, names[0], layer->width, 1e-3, 1e12));
	CHECK(trim_check(file, names[1], layer->density, 1e-9, 30.0));
	CHECK(trim_read_list(file, "an amount of an element", count));
	for (int k = 0; k < count; ++k) {
		struct trim_element *element = &reading->elements[k];
		if (numbers[k] == 0.0)
			continue;
		CHECK(trim_check(file, "an amount of an element", numbers[k], 0.0, 1e6));
		if (!formula_add(&layer->formula, element->atomic_number,
				 trim_mass(element->atomic_number, element->mass), numbers[k]))
			return line_fail(file->lines, "more than %d elements in a layer", MATERIAL_MOST_ELEMENTS);
		element->layers |= (uint64_t)1 << reading->layer;
	}
	/* in the final form except for corrections, so that mistakes are reported with their line */
	struct text text = {0};
	sonde_status status = trim_target_append(layer, &text);
	text_free(&text);
	if (status != SONDE_OK) {
		status_name_keys(); /* of the file, not the option */
		return line_fail(file->lines, "%s", status_message());
	}
	reading->thickness += layer->width;
	return SONDE_OK;
}

static sonde_status read_target(struct reading *reading)
{
	struct trim_reader *file = &reading->file;

	CHECK(read_sizes(reading));
	CHECK(read_plot(reading));
	CHECK(trim_need_line(file, "the elements of the target"));
	for (int k = 0; k < reading->element_count; ++k)
		CHECK(read_element(reading, &reading->elements[k]));
	CHECK(trim_need_line(file, "the layers of the target"));
	CHECK(trim_need_line(file, "the layers of the target"));
	for (reading->layer = 0; reading->layer < reading->layer_count; ++reading->layer)
		CHECK(read_layer(reading));
	return SONDE_OK;
}

/* After the layers ------------------------------------------------------------------------- */

static sonde_status read_corrections(struct reading *reading)
{
	struct trim_reader *file = &reading->file;
	double *numbers = file->numbers;

	CHECK(trim_read_list(file, "the correction for compounds", reading->layer_count));
	/* 0 means none */
	for (int l = 0; l < reading->layer_count; ++l) {
		if (numbers[l] != 0.0)
			CHECK(trim_check(file, "the correction for compounds", numbers[l], 0.1, 10.0));
		reading->layers[l].factor = numbers[l] != 0.0 ? numbers[l] : 1.0;
	}
	reading->corrected = true;
	return SONDE_OK;
}

/* Whether an element has the same value in all layers. */
static bool is_same_everywhere(const struct reading *reading, const double *numbers, int atomic_number)
{
	const struct trim_element *elements = reading->elements;
	int first = -1;

	for (int k = 0; k < reading->element_count; ++k) {
		if (elements[k].layers == 0 || elements[k].atomic_number != atomic_number)
			continue;
		if (first < 0)
			first = k;
		if (fabs(numbers[k] - numbers[first]) > SAME_ENERGY)
			return false;
	}
	return true;
}

/* An equal element with another value in a layer of element k; -1: none. */
static int find_contradiction(const struct reading *reading, const double *numbers, int k)
{
	const struct trim_element *elements = reading->elements;

	for (int i = 0; i < k; ++i)
		if (elements[i].atomic_number == elements[k].atomic_number &&
		    (elements[i].layers & elements[k].layers) != 0 && fabs(numbers[i] - numbers[k]) > SAME_ENERGY)
			return i;
	return -1;
}

/* Whether an earlier element than k, possibly another isotope, covers it in this layer. */
static bool is_given(const struct reading *reading, int k, int layer)
{
	const struct trim_element *elements = reading->elements;

	for (int i = 0; i < k; ++i)
		if (elements[i].atomic_number == elements[k].atomic_number && (elements[i].layers >> layer & 1) != 0)
			return true;
	return false;
}

/* Appends "Si=15", or "Si@2=15" for each of its layers. */
static void append_energy(const struct reading *reading, const double *numbers, int k, struct text *text)
{
	const struct trim_element *element = &reading->elements[k];
	const char *symbol = element_symbol(element->atomic_number);
	bool everywhere = is_same_everywhere(reading, numbers, element->atomic_number);

	for (int i = 0; i < k && everywhere; ++i)
		if (reading->elements[i].layers != 0 && reading->elements[i].atomic_number == element->atomic_number)
			return;
	for (int l = 0; l < (everywhere ? 1 : reading->layer_count); ++l) {
		if (!everywhere && ((element->layers >> l & 1) == 0 || is_given(reading, k, l)))
			continue;
		text_append(text, "%s%s", text->size > 0 ? "," : "", symbol);
		if (!everywhere)
			text_append(text, "@%d", l + 1);
		text_append(text, "=");
		text_append_real(text, numbers[k]);
	}
}

/* "Si=15,O=28" of one kind of energies. */
static sonde_status read_energies(struct reading *reading, const char *name, double least, char *option)
{
	struct trim_reader *file = &reading->file;
	const double *numbers = file->numbers;
	struct text text = {0};

	CHECK(trim_read_list(file, name, reading->element_count));
	for (int k = 0; k < reading->element_count; ++k) {
		if (reading->elements[k].layers == 0)
			continue;
		CHECK(trim_check(file, name, numbers[k], least, 1e4));
		int other = find_contradiction(reading, numbers, k);
		if (other >= 0)
			return line_fail(
			    file->lines,
			    "%s: %g and %g eV for %s in one layer; an element of a layer has a single value", name,
			    numbers[other], numbers[k], element_symbol(reading->elements[k].atomic_number));
	}
	for (int k = 0; k < reading->element_count; ++k)
		if (reading->elements[k].layers != 0)
			append_energy(reading, numbers, k, &text);
	sonde_status status = text_status(&text);
	if (status == SONDE_OK && text.size >= sizeof reading->options.displacement)
		status = line_fail(file->lines, "%s: too many values: together more than %d bytes", name,
				   (int)sizeof reading->options.displacement - 1);
	if (status == SONDE_OK)
		snprintf(option, sizeof reading->options.displacement, "%s", text.size > 0 ? text.bytes : "");
	text_free(&text);
	return status;
}
enum section { PHASES, CORRECTIONS, DISPLACEMENT, LATTICE, SURFACE, VERSION, SECTIONS };

static sonde_status read_numbers_of(struct reading *reading, enum section section)
{
	struct trim_reader *file = &reading->file;
	sonde_ions_options *options = &reading->options;

	switch (section) {
	case PHASES:
		return trim_read_list(file, "the phase of a layer", reading->layer_count);
	case CORRECTIONS:
		return read_corrections(reading);
	case DISPLACEMENT:
		return read_energies(reading, "the displacement energy", 0.1, options->displacement);
	case LATTICE:
		return read_energies(reading, "the lattice binding energy", 0.0, options->lattice);
	case SURFACE:
		return read_energies(reading, "the surface binding energy", 0.0, options->surface_binding);
	default:
		return SONDE_OK;
	}
}

/* The section that begins with the line, by its words; otherwise the next one. */
static enum section find_section(const char *line, enum section next)
{
	static const char *const words[SECTIONS] = {"phase",   "correction", "displacement",
						    "lattice", "surface",    "version"};

	for (int k = 0; k < SECTIONS; ++k)
		if (trim_contains(line, words[k]))
			return (enum section)k;
	return next;
}

/* Sections that older versions do not write may be missing. Title lines may be blank. */
static sonde_status read_rest(struct reading *reading)
{
	struct trim_reader *file = &reading->file;

	for (enum section section = PHASES; section < VERSION; ++section) {
		CHECK(trim_next_line(file));
		while (trim_at_end_of_line(file) && !file->ended)
			CHECK(trim_next_line(file));
		enum section found = find_section(file->next, SECTIONS);
		section = found != SECTIONS ? found : section;
		if (file->ended || section == VERSION)
			break;
		double number;
		const char *end = file->next + strcspn(file->next, " \t,");
		if (found != SECTIONS || !text_parse_real(file->next, end, &number))
			file->next = "";
		CHECK(read_numbers_of(reading, section));
	}
	return SONDE_OK;
}

/* File ------------------------------------------------------------------------------------- */

/* The line of the ion has one for all layers, which is used only if the layers have none. */
static void settle_corrections(struct reading *reading)
{
	struct trim_layer *layers = reading->layers;
	bool same = true;

	for (int l = 1; l < reading->layer_count; ++l)
		same = same && layers[l].factor == layers[0].factor;
	reading->options.stopping_factor = !reading->corrected && reading->bragg > 0.0 ? reading->bragg : 1.0;
	if (!reading->corrected || !same)
		return;
	reading->options.stopping_factor = layers[0].factor;
	for (int l = 0; l < reading->layer_count; ++l)
		layers[l].factor = 1.0;
}

static sonde_status settle(struct reading *reading)
{
	struct trim_reader *file = &reading->file;
	sonde_ions_options *options = &reading->options;
	double first = reading->first_depth, last = fmin(reading->last_depth, reading->thickness);

	settle_corrections(reading);
	for (int l = 0; l < reading->layer_count; ++l)
		CHECK(trim_target_append(&reading->layers[l], &reading->target));
	CHECK(text_status(&reading->target));
	if (reading->target.size >= sizeof options->target)
		return line_fail(file->lines, "the target is too long: its layers take more than %d bytes",
				 (int)sizeof options->target - 1);
	strcpy(options->target, reading->target.bytes);
	if (last > first) {
		options->depth = last;
		/* Sonde's bins begin at the surface: with the width of SRIM's 100 between the two depths */
		options->bins = (int64_t)fmin(ceil((double)options->bins * last / (last - first)), 10000.0);
	}
	return SONDE_OK;
}

static sonde_status read_all(struct reading *reading)
{
	CHECK(read_title(reading));
	CHECK(read_ion(reading));
	CHECK(read_cascades(reading));
	CHECK(read_files(reading));
	CHECK(read_target(reading));
	CHECK(read_rest(reading));
	return settle(reading);
}

sonde_status trim_in_read(const char *path, sonde_ions_options *options)
{
	struct reading *reading;

	CHECK(memory_allocate(&reading, 1, sizeof *reading, "a TRIM.IN"));
	reading->options = *options;
	sonde_status status = line_reader_open(&reading->file.lines, path);
	if (status == SONDE_OK)
		status = read_all(reading);
	if (status == SONDE_OK)
		*options = reading->options;
	line_reader_close(&reading->file.lines);
	text_free(&reading->target);
	free(reading);
	return status;
}
