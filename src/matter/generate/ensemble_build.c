/* The ensemble that the options of build give. */
#include "matter/atoms/atoms.h"
#include "matter/generate/ensemble.h"

sonde_status ensemble_check_options(const sonde_build_options *options)
{
	const bool from_file = options->copy_file[0] != '\0', spaced = options->copy_spacing != 0.0,
		   dense = options->copy_density != 0.0;

	if (from_file && (options->copies != 0 || spaced || dense))
		return status_fail_option(SONDE_INVALID,
					  options->copies != 0 ? "copies"
					  : spaced             ? "copy_spacing"
							       : "copy_density",
					  "not with `copy_file`, which contains all places");
	if (from_file)
		return SONDE_OK;
	if (options->copies == 0 && options->compact)
		return status_fail_option(SONDE_INVALID, "compact", "is for ensembles: give `copies` or `copy_file`");
	if (options->copies == 0)
		return spaced || dense || options->copy_orientations != SONDE_BUILD_COPY_ORIENTATIONS_FIXED
			   ? status_fail_option(SONDE_INVALID, "copies",
						"not given; an ensemble needs the number of copies, or `copy_file`")
			   : SONDE_OK;
	if (spaced == dense)
		return status_fail_option(
		    SONDE_INVALID, "copies",
		    "an ensemble needs `copy_spacing`, for a grid, or `copy_density`, for random places%s",
		    spaced ? ", but not both" : "");
	return SONDE_OK;
}

static sonde_status make_ensemble(sonde_context *context, const sonde_build_options *options,
				  const sonde_atoms *structure, struct ensemble *ensemble)
{
	if (options->copy_file[0] != '\0')
		CHECK(ensemble_read(context, options->copy_file, ensemble));
	else if (options->copy_spacing != 0.0)
		CHECK(ensemble_grid(options->copies, options->copy_spacing, ensemble));
	else
		CHECK(ensemble_random(context, options->copies,
				      ensemble_radius(structure) + 0.5 * ENSEMBLE_SPHERE_MARGIN,
				      options->copy_density, (uint64_t)options->seed, ensemble));
	if (options->copy_orientations == SONDE_BUILD_COPY_ORIENTATIONS_RANDOM)
		ensemble_turn((uint64_t)options->seed, ensemble);
	return SONDE_OK;
}

sonde_status ensemble_build(sonde_context *context, const sonde_build_options *options, const sonde_atoms *structure,
			    sonde_atoms **atoms)
{
	struct ensemble ensemble = {0};
	sonde_status status;

	*atoms = NULL;
	CHECK(ensemble_check_options(options));
	if (options->copies == 0 && options->copy_file[0] == '\0')
		return SONDE_OK;
	status = make_ensemble(context, options, structure, &ensemble);
	sonde_atoms *const structures[] = {(sonde_atoms *)(uintptr_t)structure};
	if (status == SONDE_OK && options->copy_density == 0.0)
		status = ensemble_note_overlap(context, 1, structures, &ensemble);
	if (status == SONDE_OK)
		status = options->compact ? ensemble_compact(1, structures, &ensemble, atoms)
					  : ensemble_place(context, structure, &ensemble, atoms);
	ensemble_free(&ensemble);
	return status;
}
