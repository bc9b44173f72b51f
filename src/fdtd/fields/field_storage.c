#include "fdtd/fields/field_storage.h"

#include <stdio.h>

#include "fdtd/fields/kernels.h"
#include "fdtd/grid/layout.h"

sonde_status fields_find_kernel(struct fields *fields, const char *kind, struct device_kernel *kernel)
{
	const struct device_define define = {"REAL_F32", fields->single ? 1 : 0};
	char name[32];

	if (fields->on_gpu) {
		CHECK(device_kernel(fields->device, &fdtd_program, kind, ITEMS, 0, &define, 1, kernel));
		kernel->early = true;
		return SONDE_OK;
	}
	snprintf(name, sizeof name, "%s_%s", kind, fields->single ? "f32" : "f64");
	return device_kernel(fields->device, &fdtd_program, name, 1, 0, NULL, 0, kernel);
}

uint64_t fields_place(const struct fields *fields, int component, int i, int j, int k)
{
	return layout_place(&fields->layout, component, i, j, k);
}

sonde_status fields_allocate_planes(struct fields *fields, size_t offset, size_t size, size_t bytes, bool changes,
				    const char *what, struct device_buffer *buffer)
{
	struct plane_numbers parts[3];

	if (fields->streaming != NULL)
		streaming_field_parts(fields->streaming, offset, fields->layout.planes * size, size, 3, parts);
	return streaming_allocate(fields->streaming, fields->device, bytes, parts, 3, changes, what, buffer);
}
