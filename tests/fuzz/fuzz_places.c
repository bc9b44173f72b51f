/* Files of the places of copies, with numbers and with names of structures. */
#include "fuzz/fuzz.h"

#include <math.h>

#include "matter/generate/ensemble.h"

/* Rotations: orthogonal. */
static void check_placement(const struct placement *placement)
{
	for (int a = 0; a < 3; ++a) {
		REQUIRE(fabs(placement->position[a]) <= ENSEMBLE_LARGEST_PLACE);
		for (int b = 0; b < 3; ++b) {
			const double *r = placement->rotation[a], *s = placement->rotation[b];
			REQUIRE(fabs(r[0] * s[0] + r[1] * s[1] + r[2] * s[2] - (a == b ? 1.0 : 0.0)) < 1e-12);
		}
	}
}

static void check(sonde_status status, int structures, const struct ensemble *ensemble)
{
	if (status != SONDE_OK) {
		REQUIRE(status == SONDE_INVALID);
		REQUIRE_MESSAGE();
		REQUIRE(ensemble->placements == NULL && ensemble->structure_of == NULL);
		return;
	}
	REQUIRE(ensemble->count > 0);
	for (int64_t n = 0; n < ensemble->count; ++n) {
		check_placement(&ensemble->placements[n]);
		if (ensemble->structure_of != NULL)
			REQUIRE(ensemble->structure_of[n] >= 0 && ensemble->structure_of[n] < structures);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct ensemble ensemble;
	struct ensemble_names names;

	if (size > 1 << 16)
		return 0;
	const char *path = memory_file(data, size);
	for (int structures = 0; structures <= 2; structures += 2) {
		check(ensemble_read_mixture(NULL, path, structures, &ensemble), structures, &ensemble);
		ensemble_free(&ensemble);
	}
	const sonde_status status = ensemble_read_named(NULL, path, &names, &ensemble);
	check(status, names.count, &ensemble);
	ensemble_free(&ensemble);
	ensemble_names_free(&names);
	return 0;
}
