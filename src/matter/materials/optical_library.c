#include "matter/materials/optical_library.h"

#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "base/constants.h"
#include "base/text.h"
#include "matter/elements/table_row.h"

extern const char data_optical_materials[], data_optical_poles[];

#define EV (ELEMENTARY_CHARGE / REDUCED_PLANCK) /* angular frequency per energy in eV, in rad/s */
#define MICROMETER 1e-6
#define PICOSECOND 1e-12
#define TWO_PI 6.28318530717958647692

enum { NAME, EPS_INF, CONDUCTIVITY, SHORTEST, LONGEST, ERROR, OTHERS, SOURCE, FIELDS };
enum { MEDIUM, KIND, STRENGTH, RESONANCE, DAMPING, PLASMA, FIELDS_OF_POLE };

const char *optical_library_name(int index)
{
	static _Thread_local struct table_row row;
	const char *table = table_first_row(data_optical_materials);

	if (index < 0)
		return NULL;
	while (table_next_row(&table, FIELDS, &row))
		if (index-- == 0)
			return row.field[NAME];
	return NULL;
}

/* Whether the first `length` letters of `a` are `b`, except for case, and '_' or a blank for '-'. */
static bool same_name(const char *a, size_t length, const char *b)
{
	for (size_t k = 0; k < length; ++k) {
		int x = a[k] == '_' || a[k] == ' ' ? '-' : tolower((unsigned char)a[k]),
		    y = b[k] == '_' || b[k] == ' ' ? '-' : tolower((unsigned char)b[k]);
		if (x != y || y == '\0')
			return false;
	}
	return b[length] == '\0';
}

/* A candidate, and its copy for when its row is gone. */
struct suggestion {
	struct nearest_word nearest;
	char best[OPTICAL_NAME_SIZE];
};

static void suggest(struct suggestion *suggestion, const char *word, size_t length)
{
	char candidate[OPTICAL_NAME_SIZE];

	if (length == 0 || length >= sizeof candidate)
		return;
	memcpy(candidate, word, length);
	candidate[length] = '\0';
	nearest_word_offer(&suggestion->nearest, candidate);
	if (suggestion->nearest.best == candidate) {
		memcpy(suggestion->best, candidate, length + 1);
		suggestion->nearest.best = suggestion->best;
	}
}

/* Whether the row has this name; else offers its names. */
static bool bears(const struct table_row *row, const char *name, struct suggestion *suggestion)
{
	if (same_name(row->field[NAME], strlen(row->field[NAME]), name))
		return true;
	suggest(suggestion, row->field[NAME], strlen(row->field[NAME]));
	for (const char *other = row->field[OTHERS]; *other != '\0';) {
		size_t length = strcspn(other, ";");
		if (same_name(other, length, name))
			return true;
		suggest(suggestion, other, length);
		other += length + (other[length] == ';');
	}
	return false;
}

/* A field's number; `none` if the field is empty. */
static bool number(const struct table_row *row, int field, double none, double *value)
{
	const char *text = row->field[field];

	*value = none;
	return *text == '\0' || text_parse_real(text, text + strlen(text), value);
}

static bool read_pole(const struct table_row *row, struct optical_pole *pole)
{
	double resonance, plasma;

	if (!number(row, STRENGTH, 1.0, &pole->strength) || !number(row, RESONANCE, 0.0, &resonance) ||
	    !number(row, DAMPING, 0.0, &pole->damping) || !number(row, PLASMA, 0.0, &plasma))
		return false;
	pole->damping *= EV;
	pole->resonance = resonance * EV;
	if (strcmp(row->field[KIND], "lorentz") == 0) {
		pole->kind = OPTICAL_LORENTZ;
		if (plasma > 0.0)
			pole->strength *= plasma * plasma / (resonance * resonance);
		return resonance > 0.0;
	}
	if (strcmp(row->field[KIND], "sellmeier") == 0) {
		pole->kind = OPTICAL_LORENTZ;
		pole->resonance = TWO_PI * SPEED_OF_LIGHT / (resonance * MICROMETER);
		return resonance > 0.0;
	}
	if (strcmp(row->field[KIND], "drude") == 0) {
		pole->kind = OPTICAL_DRUDE;
		pole->resonance = plasma * EV;
		return plasma > 0.0;
	}
	pole->kind = OPTICAL_DEBYE;
	pole->damping = 1.0 / (resonance * PICOSECOND);
	pole->resonance = 0.0;
	return strcmp(row->field[KIND], "debye") == 0 && resonance > 0.0;
}

static bool read_material(const struct table_row *row, struct optical_material *material)
{
	struct table_row pole;

	if (strlen(row->field[NAME]) >= sizeof material->name ||
	    strlen(row->field[SOURCE]) >= sizeof material->source)
		return false;
	strcpy(material->name, row->field[NAME]);
	strcpy(material->source, row->field[SOURCE]);
	if (!number(row, EPS_INF, 1.0, &material->eps_inf) ||
	    !number(row, CONDUCTIVITY, 0.0, &material->conductivity) ||
	    !number(row, SHORTEST, 0.0, &material->shortest) || !number(row, LONGEST, INFINITY, &material->longest) ||
	    !number(row, ERROR, 0.0, &material->error))
		return false;
	material->shortest *= MICROMETER;
	material->longest *= MICROMETER;
	for (const char *table = table_first_row(data_optical_poles);
	     table_next_row(&table, FIELDS_OF_POLE, &pole);) {
		if (strcmp(pole.field[MEDIUM], material->name) != 0)
			continue;
		if (material->count == OPTICAL_MOST_POLES || !read_pole(&pole, &material->pole[material->count]))
			return false;
		++material->count;
	}
	return true;
}

sonde_status optical_library_find(const char *name, struct optical_material *material)
{
	struct suggestion suggestion = {.nearest.word = name};
	struct optical_material found = {.count = 0};
	struct table_row row;
	char hint[OPTICAL_NAME_SIZE + 32];

	*material = found;
	for (const char *table = table_first_row(data_optical_materials); table_next_row(&table, FIELDS, &row);) {
		if (!bears(&row, name, &suggestion))
			continue;
		if (!read_material(&row, &found))
			return status_fail(SONDE_INTERNAL, "the tables of optics are damaged at '%s'",
					   row.field[NAME]);
		*material = found;
		return SONDE_OK;
	}
	return status_fail(SONDE_INVALID, "unknown optical material '%.60s'%s", name,
			   nearest_word_hint(&suggestion.nearest, hint, sizeof hint));
}

double complex optical_permittivity(const struct optical_material *material, double angular_frequency)
{
	double w = angular_frequency;
	double complex eps = material->eps_inf + I * material->conductivity / (VACUUM_PERMITTIVITY * w);

	for (int k = 0; k < material->count; ++k) {
		const struct optical_pole *pole = &material->pole[k];
		double w0 = pole->resonance, g = pole->damping;
		if (pole->kind == OPTICAL_LORENTZ)
			eps += pole->strength * w0 * w0 / (w0 * w0 - w * w - I * w * g);
		else if (pole->kind == OPTICAL_DRUDE)
			eps -= pole->strength * w0 * w0 / (w * w + I * w * g);
		else
			eps += pole->strength / (1.0 - I * w / g);
	}
	return eps;
}

double complex optical_index(const struct optical_material *material, double angular_frequency)
{
	double complex root = csqrt(optical_permittivity(material, angular_frequency));

	return cimag(root) < 0.0 ? -root : root;
}
