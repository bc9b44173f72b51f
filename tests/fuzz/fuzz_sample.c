/* Descriptions of samples: for any contents of a file there is a sample or a message. */
#include "fuzz/fuzz.h"

#include <math.h>

#include "matter/sample/sample.h"

/* Devices and files of the system are not read: a name of a file must be a simple one, which does not exist. */
static bool names_files(const uint8_t *data, size_t size)
{
	for (size_t k = 0; k + 1 < size; ++k)
		if (data[k] == '/' && data[k + 1] != '1' && data[k + 1] != 'u') /* but those of orient are kept */
			return true;
	return false;
}

static void check_materials(const sonde_sample *sample)
{
	const sonde_material_options *materials = sonde_sample_materials(sample);

	for (int64_t n = 0; n < sonde_sample_material_count(sample); ++n)
		REQUIRE(materials[n].name[0] != '\0' && isfinite(materials[n].density) &&
			materials[n].density >= 0.0);
}

/* The same bodies in meters, in the order of the list. */
static void check_join(const sonde_sample *sample)
{
	static const double nowhere[3] = {0.0, 0.0, 0.0};
	const struct material_list materials = {.count = 0};
	const struct body_list bodies = {.count = 0};
	struct sample_lists lists;

	if (sample_lists_join(&materials, &bodies, sample, nowhere, true, &lists) == SONDE_OK) {
		REQUIRE(lists.bodies.count == sonde_sample_body_count(sample));
		for (int64_t n = 0; n < lists.bodies.count; ++n) {
			const double angstrom = sonde_sample_bodies(sample)[n].radius;
			REQUIRE(fabs(lists.bodies.items[n].radius - 1e-10 * angstrom) <= 1e-24 * angstrom);
		}
	} else {
		REQUIRE_MESSAGE();
	}
	sample_lists_free(&lists);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	sonde_sample *sample;

	if (names_files(data, size))
		return 0;
	const sonde_status status = sonde_sample_read(memory_file(data, size), &sample);
	if (status == SONDE_OK) {
		REQUIRE(sonde_sample_body_count(sample) > 0);
		check_materials(sample);
		check_join(sample);
	} else {
		REQUIRE(sample == NULL && (status == SONDE_INVALID || status == SONDE_RESOURCE));
		REQUIRE_MESSAGE();
	}
	sonde_sample_free(&sample);
	return 0;
}
