/* Meshes of patches, by the extents of all atoms: some of many atoms, by which the points are divided, may have smaller ones. */
#include "unit/support.h"

#include <stdlib.h>

#include "pattern/fast/patches.h"

static void axes_are_no_longer_than_devices_transform(void **state)
{
	struct patch_atoms *atoms = calloc(1, sizeof *atoms);
	struct fast_axes axes = {0};
	(void)state;

	assert_non_null(atoms);
	atoms->longest = 7168;
	atoms->mesh_bytes = 1e12;
	for (int k = 0; k < 3; ++k) {
		axes.axis[k].nodes = axes.axis[k].waves = 8;
		axes.axis[k].size = 16;
	}
	for (int k = 0; k < 3; ++k) {
		axes.axis[k].size = 7168;
		assert_true(patch_axes_fit(atoms, &axes));
		axes.axis[k].size = 7200;
		assert_false(patch_axes_fit(atoms, &axes));
		axes.axis[k].size = 16;
	}
	atoms->mesh_bytes = 1.0;
	assert_false(patch_axes_fit(atoms, &axes));
	free(atoms);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(axes_are_no_longer_than_devices_transform)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
