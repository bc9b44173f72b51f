#include "ions/source/particles.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/constants.h"
#include "base/memory.h"
#include "base/text.h"
#include "base/units.h"
#include "io/tables/columns.h"
#include "matter/elements/element.h"
#include "matter/elements/label.h"

#define MOST_ANGLE (360.0 * DEGREE * (1.0 + 1e-9))
#define ANGSTROM 0.1 /* nm */
#define MOST_COLUMNS 16
#define LEAST_ENERGY 1.0 /* eV */
#define MOST_ENERGY 1e10
#define MOST_LENGTH 1e12         /* nm */
#define UNIT_VECTOR_ROUNDING 0.1 /* SRIM's files have few decimals */
#define TRIM_COLUMNS 9

/* The quantity of a column. */
enum what { SPECIES, ATOMIC_NUMBER, ENERGY, X, Y, Z, COSINE_X, COSINE_Y, COSINE_Z, THETA, PHI, WHATS };

static const struct {
	const char *name;
	enum what what;
} names[] = {{"species", SPECIES},
	     {"ion", SPECIES},
	     {"particle", SPECIES},
	     {"atomic_number", ATOMIC_NUMBER},
	     {"energy", ENERGY},
	     {"e", ENERGY},
	     {"x", X},
	     {"depth", X},
	     {"y", Y},
	     {"z", Z},
	     {"cos_x", COSINE_X},
	     {"cosx", COSINE_X},
	     {"direction_x", COSINE_X},
	     {"cos_y", COSINE_Y},
	     {"cosy", COSINE_Y},
	     {"direction_y", COSINE_Y},
	     {"cos_z", COSINE_Z},
	     {"cosz", COSINE_Z},
	     {"direction_z", COSINE_Z},
	     {"theta", THETA},
	     {"phi", PHI}};
#define NAMES (sizeof names / sizeof *names)

struct reading {
	struct particles *particles;
	struct line_reader *lines;
	struct columns rows;
	size_t capacity;
	bool may_be_trim;     /* by its name, until the first non-empty line decides */
	bool is_trim;         /* SRIM's TRIM.DAT */
	int column[WHATS];    /* index of the column; -1: missing */
	double factor[WHATS]; /* to eV, nm, radians */
	char unit[3][16];     /* of positions */
	int column_count;     /* 0: names not yet read */
};

/* Names of columns ------------------------------------------------------------------------- */

static bool is_unit(const char *name)
{
	const char *end = name + strlen(name);
	double factor;

	return unit_find(UNIT_ENERGY, name, end, &factor) || unit_find(UNIT_LENGTH, name, end, &factor) ||
	       unit_find(UNIT_ANGLE, name, end, &factor);
}

/* Splits "energy [keV]", "energy (keV)" or "energy_keV" into a name and a unit, which may be empty. */
static void take_apart(const struct word *word, char *name, char *unit, size_t size)
{
	size_t length = (size_t)(word->end - word->start) < size ? (size_t)(word->end - word->start) : size - 1;
	char *end;

	memcpy(name, word->start, length);
	name[length] = unit[0] = '\0';
	end = strpbrk(name, "[(");
	if (end != NULL) {
		size_t inside = strcspn(end + 1, "])");
		memcpy(unit, end + 1, inside);
		unit[inside] = '\0';
	} else if ((end = strrchr(name, '_')) != NULL) {
		if (!is_unit(end + 1))
			return;
		snprintf(unit, size, "%s", end + 1);
	}
	while (end != NULL && end > name && end[-1] == ' ')
		--end;
	if (end != NULL)
		*end = '\0';
}

/* False for a column without a unit. */
static bool kind_of_unit(enum what what, enum unit_kind *kind)
{
	*kind = what == ENERGY ? UNIT_ENERGY : what >= X && what <= Z ? UNIT_LENGTH : UNIT_ANGLE;
	return what == ENERGY || (what >= X && what <= Z) || what >= THETA;
}

static sonde_status find_factor(const struct reading *reading, enum what what, const char *name, const char *unit,
				double *factor)
{
	enum unit_kind kind;
	bool has_unit = kind_of_unit(what, &kind);

	*factor = !has_unit ? 1.0 : kind == UNIT_LENGTH ? ANGSTROM : DEGREE;
	if (unit[0] == '\0')
		return what != ENERGY ? SONDE_OK
				      : line_fail(reading->lines,
						  "the column '%s' has no unit: write energy_keV, energy_eV or "
						  "energy_MeV",
						  name);
	if (has_unit && unit_find(kind, unit, unit + strlen(unit), factor))
		return SONDE_OK;
	return line_fail(reading->lines, "the column '%s' has the unit '%.32s', which is not one of %s", name, unit,
			 has_unit ? unit_names(kind) : "none");
}

/* NAMES if it is unknown. */
static size_t find_name(const char *name)
{
	size_t k = 0;

	while (k < NAMES && strcasecmp(names[k].name, name) != 0)
		++k;
	return k;
}

static sonde_status read_name(struct reading *reading, const struct word *word, int column)
{
	char name[64], unit[64], hint[64];
	struct nearest_word nearest = {.word = name};

	take_apart(word, name, unit, sizeof name);
	size_t k = find_name(name);
	for (size_t n = 0; n < NAMES; ++n)
		nearest_word_offer(&nearest, names[n].name);
	if (k == NAMES)
		return line_fail(
		    reading->lines,
		    "the column '%s' is not one of species, energy, x, y, z, cos_x, cos_y, cos_z, theta, "
		    "phi%s",
		    name, nearest_word_hint(&nearest, hint, sizeof hint));
	enum what what = names[k].what;
	if (reading->column[what] >= 0)
		return line_fail(reading->lines, "two columns have the name '%s'", name);
	reading->column[what] = column;
	if (what >= X && what <= Z && unit[0] != '\0')
		snprintf(reading->unit[what - X], sizeof reading->unit[what - X], "%.15s", unit);
	return find_factor(reading, what, name, unit, &reading->factor[what]);
}

static bool has(const struct reading *reading, enum what what)
{
	return reading->column[what] >= 0;
}

static sonde_status read_names(struct reading *reading, const struct word *words, int count)
{
	struct particles *particles = reading->particles;

	for (int c = 0; c < count; ++c)
		CHECK(read_name(reading, &words[c], c));
	reading->column_count = count;
	particles->has_species = has(reading, SPECIES) || has(reading, ATOMIC_NUMBER);
	particles->has_energy = has(reading, ENERGY);
	particles->has_place = has(reading, X) || has(reading, Y) || has(reading, Z);
	bool cosines = has(reading, COSINE_X) || has(reading, COSINE_Y) || has(reading, COSINE_Z);
	particles->has_direction = cosines || has(reading, THETA);
	if (cosines && !(has(reading, COSINE_X) && has(reading, COSINE_Y) && has(reading, COSINE_Z)))
		return line_fail(reading->lines, "a direction needs all three of cos_x, cos_y and cos_z");
	if ((cosines && has(reading, THETA)) || (has(reading, PHI) && !has(reading, THETA)))
		return line_fail(reading->lines,
				 "a direction is given by cos_x, cos_y, cos_z, or by theta and optionally phi");
	if (has(reading, SPECIES) && has(reading, ATOMIC_NUMBER))
		return line_fail(reading->lines, "both species and atomic_number are given");
	return SONDE_OK;
}

/* Rows ------------------------------------------------------------------------------------- */

static sonde_status find_species(struct reading *reading, const char *symbol, uint32_t *species)
{
	struct particles *particles = reading->particles;
	struct projectile projectile;
	int s = 0;

	/* most rows have the species of another row, with the same name */
	while (s < particles->species_count && strcmp(particles->species[s].symbol, symbol) != 0)
		++s;
	*species = (uint32_t)s;
	if (s < particles->species_count)
		return SONDE_OK;
	if (projectile_find(symbol, 0.0, &projectile) != SONDE_OK) {
		status_name_keys(); /* a column, not the option */
		return line_fail(reading->lines, "%s", status_message());
	}
	if (s == PARTICLES_MOST_SPECIES)
		return line_fail(reading->lines, "more than %d species", PARTICLES_MOST_SPECIES);
	particles->species[particles->species_count++] = projectile;
	return SONDE_OK;
}

static sonde_status read_species(struct reading *reading, const struct word *words, struct ions_start *start)
{
	char symbol[16] = "";
	double number = 0.0;

	if (has(reading, ATOMIC_NUMBER)) {
		CHECK(
		    word_real(reading->lines, &words[reading->column[ATOMIC_NUMBER]], "the atomic number", &number));
		if (!(number >= 1.0 && number <= TABULATED_ELEMENTS) || number != floor(number))
			return line_fail(reading->lines, "%g is not an atomic number from 1 to %d", number,
					 TABULATED_ELEMENTS);
		snprintf(symbol, sizeof symbol, "%s", element_symbol((int)number));
	} else if (has(reading, SPECIES)) {
		const struct word *word = &words[reading->column[SPECIES]];
		size_t length = (size_t)(word->end - word->start);
		if (length == 0 || length >= sizeof symbol)
			return line_fail(reading->lines, "'%.*s' is not a species", (int)(length > 32 ? 32 : length),
					 word->start);
		memcpy(symbol, word->start, length);
	} else {
		return SONDE_OK;
	}
	CHECK(find_species(reading, symbol, &start->species));
	start->atomic_number = (uint32_t)reading->particles->species[start->species].atomic_number;
	return SONDE_OK;
}

/* 0 if there is no such column. */
static sonde_status read_number(const struct reading *reading, const struct word *words, enum what what,
				const char *name, double *value)
{
	*value = 0.0;
	if (!has(reading, what))
		return SONDE_OK;
	CHECK(word_real(reading->lines, &words[reading->column[what]], name, value));
	*value *= reading->factor[what];
	return SONDE_OK;
}

static sonde_status read_energy(struct reading *reading, const struct word *words, struct ions_start *start)
{
	struct particles *particles = reading->particles;
	double energy;

	CHECK(read_number(reading, words, ENERGY, "the energy", &energy));
	if (!has(reading, ENERGY))
		return SONDE_OK;
	if (!(energy >= LEAST_ENERGY && energy <= MOST_ENERGY))
		return line_fail(reading->lines, "an energy of %g eV is not from 1 eV to 10 GeV", energy);
	start->energy = (u64)llround(energy * (double)UNITS_PER_EV);
	double *least = &particles->least[start->species], *most = &particles->most[start->species];
	*least = *most > 0.0 ? fmin(*least, energy) : energy;
	*most = fmax(*most, energy);
	particles->mean += energy;
	return SONDE_OK;
}

static sonde_status read_direction(const struct reading *reading, const struct word *words, struct ions_start *start)
{
	double direction[3], theta, phi;

	CHECK(read_number(reading, words, THETA, "theta", &theta));
	CHECK(read_number(reading, words, PHI, "phi", &phi));
	for (int k = 0; k < 3; ++k)
		CHECK(read_number(reading, words, (enum what)(COSINE_X + k), "a cosine", &direction[k]));
	if (!(fabs(theta) <= MOST_ANGLE && fabs(phi) <= MOST_ANGLE))
		return line_fail(reading->lines, "theta and phi are from -360 to 360 degrees");
	if (has(reading, THETA)) {
		direction[0] = cos(theta);
		direction[1] = sin(theta) * cos(phi);
		direction[2] = sin(theta) * sin(phi);
	}
	if (!reading->particles->has_direction)
		return SONDE_OK;
	double length = sqrt(direction[0] * direction[0] + direction[1] * direction[1] + direction[2] * direction[2]);
	if (!(fabs(length - 1.0) <= UNIT_VECTOR_ROUNDING))
		return line_fail(reading->lines,
				 "%g, %g, %g are not the cosines of a direction: the sum of their squares is %g",
				 direction[0], direction[1], direction[2], length * length);
	start->direction_x = (float)(direction[0] / length);
	start->direction_y = (float)(direction[1] / length);
	start->direction_z = (float)(direction[2] / length);
	return SONDE_OK;
}

static void fly_to_surface(struct ions_start *start, const double direction[3])
{
	double way = -start->x / direction[0];

	start->y += way * direction[1];
	start->z += way * direction[2];
	start->x = 0.0;
}

void particles_fly_to_surface(struct particles *particles, const double direction[3])
{
	for (size_t k = 0; k < particles->count; ++k)
		if (particles->starts[k].x < 0.0)
			fly_to_surface(&particles->starts[k], direction);
}

static sonde_status read_place(const struct reading *reading, const struct word *words, struct ions_start *start)
{
	f64 *const place[3] = {&start->x, &start->y, &start->z};

	for (int k = 0; k < 3; ++k) {
		CHECK(read_number(reading, words, (enum what)(X + k), "a position", place[k]));
		if (!(fabs(*place[k]) <= MOST_LENGTH))
			return line_fail(reading->lines, "a position of %g %s is beyond the largest one, %g %s",
					 *place[k] / reading->factor[X + k], reading->unit[k],
					 MOST_LENGTH / reading->factor[X + k], reading->unit[k]);
	}
	/* a particle in front of the surface is moved to it; with the direction of the beam later, when this is
	 * known */
	if (start->x < 0.0 && reading->particles->has_direction) {
		const double direction[3] = {start->direction_x, start->direction_y, start->direction_z};
		if (!(direction[0] > 0.0))
			return line_fail(reading->lines,
					 "the particle starts in front of the surface and flies away from it");
		fly_to_surface(start, direction);
	}
	return SONDE_OK;
}

static sonde_status add_row(struct reading *reading, const struct word *words)
{
	struct particles *particles = reading->particles;
	struct ions_start start = {0};

	if (particles->count == PARTICLES_MOST)
		return line_fail(reading->lines, "more than %d particles", PARTICLES_MOST);
	CHECK(read_species(reading, words, &start));
	CHECK(read_energy(reading, words, &start));
	CHECK(read_direction(reading, words, &start));
	CHECK(read_place(reading, words, &start));
	CHECK(
	    memory_grow(&particles->starts, &reading->capacity, particles->count + 1, sizeof start, "the particles"));
	particles->starts[particles->count++] = start;
	++particles->rows[start.species];
	return SONDE_OK;
}

/* Whether a word is intended as a number, even an invalid one: "1,0e4" is, a row of hyphens below a heading is
 * not. */
static bool begins_like_number(const struct word *word)
{
	const char *c = word->start;

	c += c < word->end && (*c == '+' || *c == '-');
	c += c < word->end && *c == '.';
	return c < word->end && isdigit((unsigned char)*c);
}

/* Name of the event, atomic number, energy in eV, three positions in Angstrom, three cosines. The heading before
 * the first row is text; a line with the numbers of a row in their places is a row, and must be valid. */
static sonde_status read_trim_row(struct reading *reading, const struct word *words, int count)
{
	/* TRANSMIT.txt, which SRIM allows to be renamed, has a letter in front */
	bool has_letter = count == TRIM_COLUMNS + 1 && words[0].end - words[0].start == 1 &&
			  isupper((unsigned char)*words[0].start);
	words += has_letter;
	count -= has_letter;
	bool is_row = (count == TRIM_COLUMNS || count == TRIM_COLUMNS + 1) && begins_like_number(&words[1]) &&
		      begins_like_number(&words[2]);

	if (count == TRIM_COLUMNS && is_row)
		return add_row(reading, words);
	return count == 0 || (reading->particles->count == 0 && !is_row)
		   ? SONDE_OK
		   : line_fail(reading->lines,
			       "a row of TRIM.DAT has a name, the atomic number, the energy in eV, x, y, z and three "
			       "cosines");
}

static void expect_trim(struct reading *reading)
{
	static const enum what order[TRIM_COLUMNS] = {WHATS, ATOMIC_NUMBER, ENERGY,   X,       Y,
						      Z,     COSINE_X,      COSINE_Y, COSINE_Z};

	reading->is_trim = true;
	for (int c = 1; c < TRIM_COLUMNS; ++c)
		reading->column[order[c]] = c;
	for (int k = 0; k < WHATS; ++k)
		reading->factor[k] = k >= X && k <= Z ? 0.1 : 1.0;
	struct particles *particles = reading->particles;
	particles->has_species = particles->has_energy = particles->has_place = particles->has_direction = true;
}

/* Whether all words of a line name columns of a list; such a line is not a heading of TRIM.DAT. */
static sonde_status check_names(struct reading *reading, char *line, bool *are_names)
{
	struct word words[MOST_COLUMNS] = {{NULL, NULL}};
	char name[64], unit[64];
	int count;

	CHECK(columns_split(&reading->rows, reading->lines, line, words, MOST_COLUMNS, &count));
	reading->rows.names = 0;
	*are_names = count > 0;
	for (int k = 0; k < count; ++k) {
		take_apart(&words[k], name, unit, sizeof name);
		*are_names = *are_names && find_name(name) < NAMES;
	}
	return SONDE_OK;
}

/* Determines the format of a file that is named like TRIM.DAT. */
static sonde_status find_kind(struct reading *reading, char *line)
{
	struct word words[MOST_COLUMNS] = {{NULL, NULL}};
	bool are_names = false;

	if (words_split(line, words, 1) == 0 || *words[0].start == '#')
		return SONDE_OK;
	if (!columns_is_number(&words[0]))
		CHECK(check_names(reading, line, &are_names));
	if (!are_names)
		expect_trim(reading);
	reading->may_be_trim = false;
	return SONDE_OK;
}

static sonde_status read_line(struct reading *reading, char *line)
{
	struct word words[MOST_COLUMNS] = {{NULL, NULL}};
	int count;

	if (reading->may_be_trim)
		CHECK(find_kind(reading, line));
	if (reading->is_trim) {
		count = words_split(line, words, MOST_COLUMNS);
		return read_trim_row(reading, words, count);
	}
	CHECK(columns_split(&reading->rows, reading->lines, line, words, MOST_COLUMNS, &count));
	if (count == 0)
		return SONDE_OK;
	if (reading->column_count == 0 && columns_is_number(&words[0]))
		return line_fail(
		    reading->lines,
		    "the first row must name the columns: species, energy_keV, x, y, z, cos_x, cos_y, cos_z");
	if (reading->column_count == 0)
		return read_names(reading, words, count);
	if (count != reading->column_count)
		return line_fail(reading->lines, "%d columns, but %d are named", count, reading->column_count);
	return add_row(reading, words);
}

static bool is_trim_dat(const char *path)
{
	size_t length = strlen(path);

	return length >= 4 && strcasecmp(path + length - 4, ".dat") == 0;
}

static sonde_status read_lines(struct reading *reading)
{
	char *line;

	for (;;) {
		CHECK(line_reader_next(reading->lines, &line));
		if (line == NULL)
			break;
		CHECK(read_line(reading, line));
	}
	if (reading->particles->count == 0)
		return status_fail_file(SONDE_INVALID, line_reader_path(reading->lines), "has no particles");
	reading->particles->mean /= (double)reading->particles->count;
	return SONDE_OK;
}

sonde_status particles_read(const char *path, struct particles *particles)
{
	struct reading reading = {.particles = particles, .rows.needed = MOST_COLUMNS};

	*particles = (struct particles){0};
	for (int k = 0; k < WHATS; ++k)
		reading.column[k] = -1;
	for (int k = 0; k < 3; ++k)
		strcpy(reading.unit[k], "Angstrom");
	reading.may_be_trim = is_trim_dat(path);
	CHECK(line_reader_open(&reading.lines, path));
	sonde_status status = read_lines(&reading);
	particles->depth_factor = reading.column[X] >= 0 ? reading.factor[X] : ANGSTROM;
	strcpy(particles->depth_unit, reading.unit[0]);
	line_reader_close(&reading.lines);
	return status;
}

void particles_free(struct particles *particles)
{
	free(particles->starts);
	particles->starts = NULL;
}
