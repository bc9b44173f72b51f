#include "pattern/company.h"

#include <string.h>

#include "base/option_items.h"
#include "base/option_spelling.h"
#include "pattern/detector/mask.h"
#include "pattern/pattern.h"

static bool has_range(const sonde_grid *range)
{
	return range->points > 1 || range->first != 0.0;
}

/* The option that gives the scattering vectors; null: circles of a polar picture. */
static const char *vectors_of(const sonde_pattern_options *options)
{
	return options->q_list[0] != '\0'     ? "q_list"
	       : options->detector[0] != '\0' ? "detector"
	       : options->poni[0] != '\0'     ? "poni"
	       : has_range(&options->h)       ? "h"
	       : has_range(&options->k)       ? "k"
	       : has_range(&options->l)       ? "l"
					      : NULL;
}

static bool begins_with(const char *text, const char *start)
{
	return strncmp(text, start, strlen(start)) == 0;
}

/* The direction of polarization does not matter without a difference of intensities. */
static bool is_unpolarized(const char *polarization)
{
	double factor;

	return strcmp(polarization, "unpolarized") == 0 ||
	       (text_parse_real(polarization, polarization + strlen(polarization), &factor) && factor == 0.0);
}

static sonde_status refuse(const char *name, const char *why, const char *other, const char *value)
{
	return status_fail_option(SONDE_INVALID, name, "has no effect %s " OPTION_NAME("%s") "%s", why, other, value);
}

/* Options of no use, with the reason, if they are given. */
struct companion {
	const char *name;
	bool useless;
	const char *why, *other, *value;
};

static sonde_status check(const struct companion *all, size_t count, const sonde_pattern_options *options)
{
	for (size_t k = 0; k < count; ++k) {
		bool given = false;
		if (all[k].useless)
			CHECK(options_find_given(&pattern_option_table, all[k].name, options, &given));
		if (given)
			return refuse(all[k].name, all[k].why, all[k].other, all[k].value);
	}
	return SONDE_OK;
}

static sonde_status check_vectors(const sonde_pattern_options *options)
{
	const char *vectors = vectors_of(options);
	const bool detector = options->detector[0] != '\0' || options->poni[0] != '\0', circles = vectors == NULL,
		   box = has_range(&options->h) || has_range(&options->k) || has_range(&options->l),
		   on_sphere = circles || detector,
		   /* files of shots have the energy of the beam */
	    no_beam = !on_sphere && options->anomalous == SONDE_PATTERN_ANOMALOUS_NONE && options->shots == 0;
	const struct companion all[] = {
	    {"q", !circles, "with", vectors, ", which gives the scattering vectors"},
	    {"phi", !circles, "with", vectors, ", which gives the scattering vectors"},
	    {"wavelength", no_beam, "with", vectors, ", but for " OPTION_NAME("anomalous")},
	    {"energy", no_beam, "with", vectors, ", but for " OPTION_NAME("anomalous")},
	    {"u", !box, "without", "h", ""},
	    {"v", !box, "without", "h", ""},
	    {"w", !box, "without", "h", ""},
	    {"distance", !detector, "without", "detector", ""},
	    {"pixel_size", !detector, "without", "detector", ""},
	    {"beam_center", !detector, "without", "detector", ""},
	    {"normal_incidence", !detector, "without", "detector", ""},
	    {"detector_rotation", !detector, "without", "detector", ""},
	    {"detector_orientation", !detector, "without", "detector", ""},
	    {"pixel_height", !detector, "without", "detector", ""},
	    {"radial_bins", !detector && options->radial[0] != '\0', "without", "detector",
	     ": the rings of a polar picture are its circles"}};

	return check(all, sizeof all / sizeof *all, options);
}

static sonde_status check_factors(const sonde_pattern_options *options)
{
	const struct companion all[] = {
	    {"radial_bins", options->radial[0] == '\0', "without", "radial", ""},
	    {"mask_dataset", options->mask[0] == '\0', "without", "mask", ""},
	    {"mask_dataset", !mask_has_datasets(options->mask), "with a", "mask",
	     " that is not an HDF5 file (.h5, .hdf5, .nxs)"},
	    {"polarization_angle", options->polarization[0] == '\0', "without", "polarization", ""},
	    {"polarization_angle", is_unpolarized(options->polarization), "with", "polarization",
	     " unpolarized, or 0"},
	    {"noise_seed", options->fluence == 0.0, "without", "fluence", ""},
	    {"tolerance", options->method == SONDE_PATTERN_METHOD_DIRECT, "with", "method", " direct"}};

	return check(all, sizeof all / sizeof *all, options);
}

static sonde_status check_orientations(const sonde_pattern_options *options)
{
	const char *turns = options->orientations;
	const bool fiber = begins_with(turns, "fiber:"), tilted = fiber && options->fiber_spread > 0.0,
		   sampled = begins_with(turns, "random:") || tilted || (turns[0] == '\0' && options->shots > 0);
	const struct companion all[] = {{"fiber_axis", !fiber, "without", "orientations", " fiber:N"},
					{"fiber_direction", !fiber, "without", "orientations", " fiber:N"},
					{"orientation_seed", fiber && !tilted, "without", "fiber_spread",
					 ", or random " OPTION_NAME("orientations")},
					{"orientation_seed", !sampled, "without", "orientations", " random:N"}};

	return check(all, sizeof all / sizeof *all, options);
}

sonde_status pattern_check_company(const sonde_pattern_options *options)
{
	CHECK(check_vectors(options));
	CHECK(check_factors(options));
	return check_orientations(options);
}
