#include "ions/source/source.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/constants.h"
#include "base/memory.h"
#include "base/text.h"
#include "base/units.h"
#include "io/tables/columns.h"
#include "io/text/lines.h"
#include "ions/target/target.h"
#include "stopping/projectile.h"

#define LEAST_ENERGY 1.0 /* eV */
#define MOST_COLUMNS 32
#define MOST_INTENSITY 1e100
#define MOST_ENERGY 1e10
#define MOST_DEVIATIONS 6.0 /* upper limit of the normally distributed numbers drawn by kernels */

static sonde_status find_ion(const sonde_ions_options *options, struct source *source)
{
	struct projectile projectile;

	CHECK(projectile_find(options->ion, options->ion_mass, &projectile));
	strcpy(source->symbol, projectile.symbol);
	source->atomic_number = projectile.atomic_number;
	source->mass = projectile.mass;
	source->species_count = 1;
	source->species[0] =
	    (struct source_species){.atomic_number = projectile.atomic_number, .mass = projectile.mass};
	strcpy(source->species[0].symbol, projectile.symbol);
	source->species[0].rows = (int64_t)source->particles.count;
	/* rows of a list that do not specify it */
	for (size_t k = 0; k < source->particles.count; ++k)
		source->particles.starts[k].atomic_number = (uint32_t)projectile.atomic_number;
	return SONDE_OK;
}

struct spectrum {
	double *energy, *intensity; /* eV, arbitrary unit */
	size_t count, energy_capacity, intensity_capacity;
	bool begun; /* a row, or names of columns, has been read */
	struct columns columns;
};

static sonde_status add_row(struct line_reader *reader, char *line, struct spectrum *spectrum)
{
	struct word words[MOST_COLUMNS];
	double energy, intensity;
	int count;

	CHECK(columns_split(&spectrum->columns, reader, line, words, MOST_COLUMNS, &count));
	if (count == 0)
		return SONDE_OK;
	if (count < 2)
		return line_fail(reader, "two columns are needed, energy in keV and intensity");
	/* names of columns, once */
	if (!spectrum->begun && !columns_is_number(&words[0]) && !columns_is_number(&words[1])) {
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
		return line_fail(reader, "energies must increase from row to row");
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

/* Edges of equally probable parts, with intensity linear between rows; and the mean. */
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
		return status_fail_file(SONDE_INVALID, path,
					"a spectrum needs two rows or more and intensity above 0");
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
	source->least = spectrum->energy[0];
	source->most = spectrum->energy[spectrum->count - 1];
	source->has_spectrum = true;
	return SONDE_OK;
}

static sonde_status read_spectrum(const char *path, struct source *source)
{
	struct spectrum spectrum = {.columns.needed = 2};
	sonde_status status = read_rows(path, &spectrum);

	if (status == SONDE_OK)
		status = divide(path, &spectrum, source);
	free(spectrum.energy);
	free(spectrum.intensity);
	return status;
}

/* Energy of the beam, if the list has no energies. */
static sonde_status find_energy(const sonde_ions_options *options, struct source *source)
{
	if (options->energy[0] == '\0')
		return status_fail_option(SONDE_INVALID, "energy", "not given; for example `energy 100keV`");
	/* a number alone is in keV */
	if (!unit_parse_named(UNIT_ENERGY, options->energy, options->energy + strlen(options->energy), 1e3,
			      &source->energy)) {
		sonde_status status = read_spectrum(options->energy, source);
		if (status != SONDE_OK && strpbrk(options->energy, "./") == NULL)
			return status_fail_option(
			    SONDE_INVALID, "energy",
			    "'%.60s' is neither an energy, such as 100keV or 2MeV, nor a file with a "
			    "spectrum",
			    options->energy);
		CHECK(status);
		if (options->energy_spread > 0.0)
			return status_fail_option(SONDE_INVALID, "energy_spread", "cannot be used with a spectrum");
		return SONDE_OK;
	}
	if (!(source->energy >= LEAST_ENERGY && source->energy <= MOST_ENERGY))
		return status_fail_option(SONDE_INVALID, "energy", "%.60s is not from 1 eV to 10 GeV",
					  options->energy);
	source->least = source->energy * fmax(1.0 - MOST_DEVIATIONS * options->energy_spread, 0.0);
	source->most = source->energy * (1.0 + MOST_DEVIATIONS * options->energy_spread);
	return SONDE_OK;
}

/* Quantities of the list must not be given again by options. */
static sonde_status check_options_of_list(const sonde_ions_options *options, const struct particles *particles)
{
	const struct {
		const char *option, *what;
		bool conflict;
	} rules[] = {
	    {"ion", "species", particles->has_species && options->ion[0] != '\0'},
	    {"ion-mass", "species", particles->has_species && options->ion_mass > 0.0},
	    {"energy", "energies", particles->has_energy && options->energy[0] != '\0'},
	    {"energy-spread", "energies", particles->has_energy && options->energy_spread > 0.0},
	    {"angle", "directions", particles->has_direction && options->angle > 0.0},
	    {"divergence", "directions", particles->has_direction && options->divergence > 0.0},
	    {"direction", "directions",
	     particles->has_direction && options->direction == SONDE_IONS_DIRECTION_ISOTROPIC},
	    {"spot", "positions", particles->has_place && options->spot > 0.0},
	    {"start-depth", "positions", particles->has_place && strcmp(options->start_depth, "0") != 0},
	};

	for (size_t k = 0; k < sizeof rules / sizeof *rules; ++k)
		if (rules[k].conflict)
			return status_fail_option(SONDE_INVALID, rules[k].option,
						  "the list of `particles` already gives %s", rules[k].what);
	return SONDE_OK;
}

/* The species, and the energies if the list has them. */
static void take_species(const struct particles *particles, struct source *source)
{
	source->species_count = particles->species_count;
	for (int s = 0; s < particles->species_count; ++s) {
		source->species[s] = (struct source_species){.atomic_number = particles->species[s].atomic_number,
							     .mass = particles->species[s].mass,
							     .least = particles->least[s],
							     .most = particles->most[s],
							     .rows = particles->rows[s]};
		strcpy(source->species[s].symbol, particles->species[s].symbol);
	}
	strcpy(source->symbol, particles->species_count == 1 ? particles->species[0].symbol : "several");
	source->atomic_number = source->species[0].atomic_number;
	source->mass = source->species[0].mass;
}

static void take_energies(const struct particles *particles, struct source *source)
{
	source->energy = particles->mean;
	for (int s = 0; s < particles->species_count; ++s)
		source->most = fmax(source->most, particles->most[s]);
	/* without species in the list all are the ion of the options */
	if (!particles->has_species) {
		source->most = particles->most[0];
		source->species[0].least = particles->least[0];
		source->species[0].most = particles->most[0];
	}
}

/* "100" Angstrom or "20nm", of [start, end). */
static sonde_status parse_depth(const char *start, const char *end, double *nanometers)
{
	if (text_parse_real(start, end, nanometers)) {
		*nanometers *= 0.1;
		if (*nanometers >= 0.0 && *nanometers <= 1e11)
			return SONDE_OK;
	} else if (target_parse_length(start, end, nanometers) == SONDE_OK) {
		return SONDE_OK;
	}
	return status_fail_option(SONDE_INVALID, "start_depth",
				  "'%.*s' is not a depth: a number in Angstrom, or with a unit, such as 20nm",
				  (int)(end - start > 40 ? 40 : end - start), start);
}

static sonde_status find_depths(const char *text, struct source *source)
{
	const char *end = text + strlen(text), *colon = strchr(text, ':');

	CHECK(parse_depth(text, colon != NULL ? colon : end, &source->start));
	source->start_last = source->start;
	if (colon == NULL)
		return SONDE_OK;
	CHECK(parse_depth(colon + 1, end, &source->start_last));
	return source->start_last > source->start
		   ? SONDE_OK
		   : status_fail_option(SONDE_INVALID, "start_depth", "%.60s: the last depth must be above the first",
					text);
}

static sonde_status check_direction(const sonde_ions_options *options)
{
	if (options->direction != SONDE_IONS_DIRECTION_ISOTROPIC ||
	    (options->angle == 0.0 && options->divergence == 0.0))
		return SONDE_OK;
	return status_fail_option(SONDE_INVALID, "direction",
				  "isotropic cannot be used with `angle` or `divergence`");
}

/* Particles without their own direction start where that of the beam leads, if it is the same for all. */
static sonde_status take_places(const sonde_ions_options *options, struct particles *particles)
{
	const double angle = options->angle * DEGREE, direction[3] = {cos(angle), sin(angle), 0.0};
	const bool drawn = options->divergence > 0.0 || options->direction == SONDE_IONS_DIRECTION_ISOTROPIC;

	if (particles->has_direction)
		return SONDE_OK;
	for (size_t k = 0; k < particles->count && drawn; ++k)
		if (particles->starts[k].x < 0.0)
			return status_fail_file(
			    SONDE_INVALID, options->particles,
			    "particle %zu starts in front of the surface, at %g %s; the point where it would "
			    "meet it with a random direction is unknown: give the list "
			    "directions",
			    k + 1, particles->starts[k].x / particles->depth_factor, particles->depth_unit);
	particles_fly_to_surface(particles, direction);
	return SONDE_OK;
}

sonde_status source_make(const sonde_ions_options *options, struct source *source)
{
	struct particles *particles = &source->particles;

	*source = (struct source){0};
	CHECK(check_direction(options));
	CHECK(find_depths(options->start_depth, source));
	if (options->particles[0] != '\0') {
		CHECK(particles_read(options->particles, particles));
		CHECK(check_options_of_list(options, particles));
		CHECK(take_places(options, particles));
	}
	if (particles->has_species)
		take_species(particles, source);
	else
		CHECK(find_ion(options, source));
	if (particles->has_energy)
		take_energies(particles, source);
	else
		CHECK(find_energy(options, source));
	for (int s = 0; s < source->species_count && !particles->has_energy; ++s) {
		source->species[s].least = source->least;
		source->species[s].most = source->most;
	}
	return SONDE_OK;
}

void source_free(struct source *source)
{
	particles_free(&source->particles);
}
