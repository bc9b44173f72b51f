#include "ions/source.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "io/lines.h"
#include "io/words.h"
#include "matter/element.h"
#include "matter/isotope.h"
#include "matter/label.h"

#define LEAST_ENERGY 1.0 /* eV */
#define MOST_INTENSITY 1e100
#define MOST_ENERGY 1e10
#define MOST_DEVIATIONS 6.0 /* of the numbers that kernels draw from Gauss's distribution */

static sonde_status find_ion(const sonde_ions_options *options, struct source *source)
{
	struct label label;

	if (options->ion[0] == '\0')
		return status_fail(SONDE_INVALID, "ion: which one? For example --ion He, or --ion 11B");
	sonde_status status = label_parse(options->ion, &label);
	if (status != SONDE_OK)
		return status_prefix(status, "ion");
	if (label.atomic_number > TABULATED_ELEMENTS)
		return status_fail(SONDE_INVALID, "ion: %.16s: there is no stopping for elements beyond uranium",
				   options->ion);
	if (strlen(options->ion) >= sizeof source->symbol)
		return status_fail(SONDE_INVALID, "ion: '%.40s' is too long", options->ion);
	strcpy(source->symbol, options->ion);
	source->atomic_number = label.atomic_number;
	source->mass = element_of(label.atomic_number).isotope_mass;
	if (label.mass_number > 0) {
		status = isotope_mass(label.atomic_number, label.mass_number, &source->mass);
		if (status != SONDE_OK && options->ion_mass == 0.0)
			return status_prefix(status, "ion");
	}
	if (options->ion_mass > 0.0)
		source->mass = options->ion_mass;
	return source->mass >= 0.5 ? SONDE_OK
				   : status_fail(SONDE_INVALID, "ion-mass: %g amu is below 0.5", source->mass);
}

static const struct {
	const char *name;
	double ev;
} units[] = {{"eV", 1.0}, {"keV", 1e3}, {"MeV", 1e6}, {"GeV", 1e9}, {"", 1e3}};

/* "100keV", "2 MeV" or a number of keV. Whether it is one of these. */
static bool parse_energy(const char *text, double *energy)
{
	size_t length = strcspn(text, "eEkMG"), number = length;
	double value;

	/* an exponent: 1e5eV */
	if (text[length] == 'e' && (text[length + 1] == '+' || text[length + 1] == '-' ||
				    (text[length + 1] >= '0' && text[length + 1] <= '9'))) {
		length += 1 + strcspn(text + length + 1, "ekMG");
		number = length;
	}
	while (number > 0 && text[number - 1] == ' ')
		--number;
	for (size_t k = 0; k < sizeof units / sizeof *units; ++k)
		if (strcmp(text + length, units[k].name) == 0 && text_parse_real(text, text + number, &value)) {
			*energy = value * units[k].ev;
			return true;
		}
	return false;
}

struct spectrum {
	double *energy, *intensity; /* eV, any */
	size_t count, energy_capacity, intensity_capacity;
	bool begun; /* a row, or names of columns, has come */
};

/* Numbers with blanks, commas or semicolons between; what stands behind '#' is passed over, and so is the mark of UTF-8 that some
 * programs begin files with. */
static void clean(char *line)
{
	if (strncmp(line, "\xef\xbb\xbf", 3) == 0)
		memset(line, ' ', 3);
	for (; *line != '\0' && *line != '#'; ++line)
		if (*line == ',' || *line == ';')
			*line = ' ';
	*line = '\0';
}

static bool looks_like_number(const struct word *word)
{
	return strchr("0123456789+-.", *word->start) != NULL;
}

static sonde_status add_row(struct line_reader *reader, char *line, struct spectrum *spectrum)
{
	struct word words[3];
	double energy, intensity;

	clean(line);
	int count = words_split(line, words, 3);
	if (count == 0)
		return SONDE_OK;
	if (count < 2)
		return line_fail(reader, "two columns are needed, energy in keV and intensity");
	/* names of columns, once */
	if (!spectrum->begun && !looks_like_number(&words[0]) && !looks_like_number(&words[1])) {
		spectrum->begun = true;
		return SONDE_OK;
	}
	spectrum->begun = true;
	CHECK(word_real(reader, &words[0], "energy", &energy));
	CHECK(word_real(reader, &words[1], "intensity", &intensity));
	if (!(energy * 1e3 >= LEAST_ENERGY && energy * 1e3 <= MOST_ENERGY) ||
	    !(intensity >= 0.0 && intensity <= MOST_INTENSITY))
		return line_fail(reader, "energies are from 1e-3 to 1e7 keV, intensities from 0 to 1e100");
	if (spectrum->count > 0 && 1e3 * energy <= spectrum->energy[spectrum->count - 1])
		return line_fail(reader, "energies must grow from row to row");
	CHECK(memory_grow(&spectrum->energy, &spectrum->energy_capacity, spectrum->count + 1, sizeof(double),
			  "the spectrum"));
	CHECK(memory_grow(&spectrum->intensity, &spectrum->intensity_capacity, spectrum->count + 1, sizeof(double),
			  "the spectrum"));
	spectrum->energy[spectrum->count] = 1e3 * energy;
	spectrum->intensity[spectrum->count++] = intensity;
	return SONDE_OK;
}

static sonde_status read_rows(const char *path, struct spectrum *spectrum)
{
	struct line_reader *reader;
	char *line;

	CHECK(line_reader_open(&reader, path));
	sonde_status status;
	while ((status = line_reader_next(reader, &line)) == SONDE_OK && line != NULL) {
		status = add_row(reader, line, spectrum);
		if (status != SONDE_OK)
			break;
	}
	line_reader_close(&reader);
	return status;
}

/* Ends of parts that are equally likely, the intensity being linear between its rows; and the mean. */
static sonde_status divide(const char *path, const struct spectrum *spectrum, struct source *source)
{
	double total = 0.0, moment = 0.0, before = 0.0;
	int part = 0;

	for (size_t k = 0; k + 1 < spectrum->count; ++k) {
		double width = spectrum->energy[k + 1] - spectrum->energy[k], a = spectrum->intensity[k],
		       b = spectrum->intensity[k + 1];
		total += 0.5 * (a + b) * width;
		moment += width * (spectrum->energy[k] * 0.5 * (a + b) + width * (a / 6.0 + b / 3.0));
	}
	if (spectrum->count < 2 || !(total > 0.0) || !isfinite(total))
		return status_fail(SONDE_INVALID, "%s: a spectrum needs two rows or more and intensity above 0",
				   path);
	for (size_t k = 0; k + 1 < spectrum->count; ++k) {
		double width = spectrum->energy[k + 1] - spectrum->energy[k], a = spectrum->intensity[k],
		       b = spectrum->intensity[k + 1], area = 0.5 * (a + b) * width;
		for (; part < SOURCE_PARTS && part * total / SOURCE_PARTS < before + area; ++part) {
			/* a t + (b - a) t^2/2 = wanted */
			double wanted = (part * total / SOURCE_PARTS - before) / width;
			double t = 2.0 * wanted / (a + sqrt(fmax(a * a + 2.0 * (b - a) * wanted, 0.0)));
			source->ends[part] = (float)(spectrum->energy[k] + width * fmin(isfinite(t) ? t : 0.0, 1.0));
		}
		before += area;
	}
	while (part <= SOURCE_PARTS)
		source->ends[part++] = (float)spectrum->energy[spectrum->count - 1];
	source->energy = moment / total;
	source->most = spectrum->energy[spectrum->count - 1];
	source->has_spectrum = true;
	return SONDE_OK;
}

static sonde_status read_spectrum(const char *path, struct source *source)
{
	struct spectrum spectrum = {0};
	sonde_status status = read_rows(path, &spectrum);

	if (status == SONDE_OK)
		status = divide(path, &spectrum, source);
	free(spectrum.energy);
	free(spectrum.intensity);
	return status;
}

sonde_status source_make(const sonde_ions_options *options, struct source *source)
{
	*source = (struct source){0};
	CHECK(find_ion(options, source));
	if (options->energy[0] == '\0')
		return status_fail(SONDE_INVALID, "energy: how fast are the ions? For example --energy 100keV");
	if (!parse_energy(options->energy, &source->energy)) {
		sonde_status status = read_spectrum(options->energy, source);
		if (status != SONDE_OK && strpbrk(options->energy, "./") == NULL)
			return status_fail(
			    SONDE_INVALID,
			    "energy: '%.60s' is neither an energy, as 100keV or 2MeV, nor a file with a "
			    "spectrum",
			    options->energy);
		CHECK(status);
		if (options->energy_spread > 0.0)
			return status_fail(SONDE_INVALID, "energy-spread: a spectrum has none");
		return SONDE_OK;
	}
	if (!(source->energy >= LEAST_ENERGY && source->energy <= MOST_ENERGY))
		return status_fail(SONDE_INVALID, "energy: %.60s is not from 1 eV to 10 GeV", options->energy);
	source->most = source->energy * (1.0 + MOST_DEVIATIONS * options->energy_spread);
	return SONDE_OK;
}
