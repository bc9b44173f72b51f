/* Volumes from OpenDX, cube, MRC and VTK files. The first byte chooses the kind; a volume that was read can be
 * written and read again. */
#include "fuzz/fuzz.h"

#include <math.h>

#include "io/volume/cube.h"
#include "io/volume/dx.h"
#include "io/volume/mrc.h"
#include "io/volume/vtk.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static sonde_status (*const readers[])(const char *path, struct volume *volume) = {dx_read, cube_read,
											   mrc_read, vtk_read};
	struct volume volume = {0};

	if (size == 0 || size > 1 << 16)
		return 0;
	sonde_status status = readers[data[0] % 4](memory_file(data + 1, size - 1), &volume);
	if (status == SONDE_OK) {
		const int64_t *n = volume.grid.size;
		REQUIRE(n[0] > 0 && n[1] > 0 && n[2] > 0);
		REQUIRE(volume.values != NULL || volume.vectors != NULL);
		for (int64_t k = 0; k < n[0] * n[1] * n[2]; ++k) {
			REQUIRE(volume.values == NULL || isfinite(volume.values[k]));
			REQUIRE(volume.vectors == NULL || isfinite(volume.vectors[3 * k + 2]));
		}
		REQUIRE(strlen(volume.title) < VOLUME_TITLE);
	} else {
		REQUIRE_MESSAGE();
	}
	volume_free(&volume);
	return 0;
}
