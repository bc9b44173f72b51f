/* Headers of results: lines on the beam, the target and the electronic stopping. */
#include <math.h>

#include "base/units.h"
#include "ions/output/result.h"
#include "stopping/difference.h"

static void append_length(double length, bool for_people, bool always, struct text *text)
{
	struct unit_scale scale = for_people ? unit_scale_length(length) : unit_scale_length(0.0);

	text_append(text, "%.10g", scale.factor * length);
	if (for_people || always)
		text_append(text, " %s", scale.ascii);
}

static void append_layer(const sonde_ions_layer *layer, const char *what, int number, bool for_people,
			 struct text *text)
{
	text_append(text, "%s %d: %s from ", what, number, layer->name);
	append_length(layer->begin, for_people, true, text);
	text_append(text, " on");
	if (isfinite(layer->end)) {
		text_append(text, " to ");
		append_length(layer->end, for_people, false, text);
	}
	text_append(text, ", %.10g g/cm^3", layer->density);
	if (layer->state[0] != '\0' || layer->density_given)
		text_append(text, " (%s)", layer->density_given ? "given" : layer->state);
	text_append(text, ", %.6g atoms/Angstrom^3\n", layer->atoms);
}

/* The threshold energies, on which dpa depend, and their sources. */
static void append_thresholds(const sonde_ions_kind *kind, struct text *text)
{
	static const char *const origins[] = {"table", "default", "given"};

	text_append(
	    text, "thresholds of %s: displacement %.6g eV (%s), lattice %.6g eV (%s), surface binding %.6g eV (%s)\n",
	    kind->label, kind->displacement, origins[kind->displacement_from], kind->lattice,
	    origins[kind->lattice_from], kind->surface_binding, origins[kind->surface_binding_from]);
}

static void append_energies(const sonde_ions_species *species, struct text *text)
{
	text_append(text, "%.10g", species->least_energy);
	if (species->most_energy > species->least_energy)
		text_append(text, " to %.10g", species->most_energy);
	text_append(text, " eV\n");
}

void ions_append_beam(const sonde_ions_result *result, const char *before, struct text *text)
{
	const sonde_ions_species *first = result->species;
	bool mean = result->species_count == 1 && first->most_energy > first->least_energy &&
		    result->options->energy_spread == 0.0;

	if (result->species_count <= 1) {
		text_append(text, "%sion: %s, %.10g amu, %.10g eV", before, result->ion, result->ion_mass,
			    result->energy);
		text_append(text, mean ? " on average, " : "\n");
		if (mean)
			append_energies(first, text);
		return;
	}
	text_append(text, "%sion: %s, %d species, %.10g eV on average\n", before, result->ion, result->species_count,
		    result->energy);
	for (int s = 0; s < result->species_count; ++s) {
		const sonde_ions_species *species = &result->species[s];
		text_append(text, "%sion %s: %.10g amu, %lld of the list, ", before, species->ion, species->mass,
			    (long long)species->rows);
		append_energies(species, text);
	}
}

void ions_append_target(const sonde_ions_result *result, const char *before, bool for_people, struct text *text)
{
	bool is_layer = true;

	for (int k = 0; k < result->layer_count; ++k) {
		/* bodies, and materials of voxels, follow the layers, and are not adjacent to the previous one */
		is_layer = is_layer && (k == 0 || result->layers[k].begin == result->layers[k - 1].end);
		text_append(text, "%s", before);
		append_layer(&result->layers[k], is_layer ? "layer" : "region", k + 1, for_people, text);
	}
	for (int k = 1; k < result->kind_count; ++k) {
		text_append(text, "%s", before);
		append_thresholds(&result->kinds[k], text);
	}
}

void ions_append_stopping(const sonde_ions_result *result, const char *before, struct text *text)
{
	const sonde_ions_options *options = result->options;
	bool one = result->species_count <= 1;
	double velocity = one && result->ion_mass > 0.0 ? 1e-3 * result->energy / result->ion_mass : 0.0;

	text_append(text, "%selectronic stopping: ", before);
	if (options->stopping_table[0] != '\0')
		text_append(text, "%s for the ion in the first layer, else ", options->stopping_table);
	/* for the beam; several species have no common difference */
	stopping_append_source(text, (enum stopping_source)options->stopping,
			       one ? result->kinds[0].atomic_number : 0, velocity, velocity);
	text_append(text, "\n");
}
