/* Users' tables of stopping, and lists of energies. The first byte chooses. */
#include "fuzz/fuzz.h"

#include <math.h>

#include "stopping/energies.h"
#include "stopping/file.h"

static void try_energies(const uint8_t *data, size_t size)
{
	double *energies;
	int64_t count;
	char text[256];

	size = size < sizeof text ? size : sizeof text - 1;
	memcpy(text, data, size);
	text[size] = '\0';
	if (energies_parse(text, &energies, &count) != SONDE_OK) {
		REQUIRE(energies == NULL && count == 0);
		REQUIRE_MESSAGE();
		return;
	}
	REQUIRE(count > 0 && count <= ENERGIES_MOST && energies[0] > 0.0 && isfinite(energies[count - 1]));
	for (int64_t k = 1; k < count; ++k)
		REQUIRE(energies[k] > energies[k - 1]);
	free(energies);
}

static void try_file(const uint8_t *data, size_t size)
{
	struct stopping_file *file;

	if (stopping_file_read(memory_file(data, size), 1, &file) != SONDE_OK) {
		REQUIRE(file == NULL);
		REQUIRE_MESSAGE();
		return;
	}
	REQUIRE(file->count >= 2 && file->mass > 0.0 && file->atoms >= 0.0);
	for (size_t k = 0; k < file->count; ++k)
		REQUIRE(file->points[k].value > 0.0);
	REQUIRE(stopping_file_value(file, file->points[0].energy, 50.0) >= 0.0);
	stopping_file_free(&file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size == 0 || size > 1 << 18)
		return 0;
	if (data[0] % 2 == 0)
		try_energies(data + 1, size - 1);
	else
		try_file(data + 1, size - 1);
	return 0;
}
