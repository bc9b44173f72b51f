/* The public interface of libraries. */
#include "sonde/library.h"

#include <stdlib.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/memory.h"
#include "library/make.h"

typedef sonde_status carry_out(sonde_context *context, const struct library_spec *spec,
			       const struct library_settings *settings, struct library_outcome *outcome);

static sonde_status carry_out_spec(sonde_context *context, const char *description,
				   const struct library_settings *settings, carry_out *function,
				   sonde_library_result *result)
{
	const double began = clock_seconds();
	struct library_outcome outcome;
	struct library_spec *spec;

	if (!file_has_suffix(settings->path, ".h5") && !file_has_suffix(settings->path, ".hdf5") &&
	    !file_has_suffix(settings->path, ".nxs"))
		return status_fail(SONDE_INVALID, "%s: a library is an HDF5 file (.h5, .hdf5, .nxs)", settings->path);
	CHECK(file_check_output(settings->path, true));
	CHECK(library_spec_read(description, LIBRARY_MOST_STRUCTURES, &spec));
	const sonde_status status = function(context, spec, settings, &outcome);
	library_spec_free(&spec);
	CHECK(status);
	*result = (sonde_library_result){.structures = outcome.structures,
					 .present = outcome.present,
					 .repeated = outcome.repeated,
					 .made = outcome.made,
					 .total = outcome.total,
					 .fewest_atoms = outcome.fewest_atoms,
					 .most_atoms = outcome.most_atoms,
					 .atoms = outcome.atoms,
					 .pairs = outcome.pairs,
					 .largest_error = outcome.largest_error,
					 .seconds = clock_seconds() - began};
	return SONDE_OK;
}

static sonde_status run(sonde_context *context, const char *description, const char *path, int overwrite,
			carry_out *function, sonde_library_result **result)
{
	const struct library_settings settings = {.path = path, .overwrite = overwrite != 0};

	if (result == NULL)
		return status_fail(SONDE_INVALID, "result is null");
	*result = NULL;
	if (context == NULL || description == NULL || path == NULL)
		return status_fail(SONDE_INVALID, "context, description, or path are null");
	CHECK(memory_allocate(result, 1, sizeof **result, "a result"));
	const sonde_status status = carry_out_spec(context, description, &settings, function, *result);
	if (status != SONDE_OK)
		sonde_library_result_free(result);
	return status;
}

sonde_status sonde_library_make(sonde_context *context, const char *description, const char *path, int overwrite,
				sonde_library_result **result)
{
	return run(context, description, path, overwrite, library_make, result);
}

sonde_status sonde_library_plan(sonde_context *context, const char *description, const char *path, int overwrite,
				sonde_library_result **result)
{
	return run(context, description, path, overwrite, library_plan, result);
}

void sonde_library_result_free(sonde_library_result **result)
{
	if (result == NULL)
		return;
	free(*result);
	*result = NULL;
}
