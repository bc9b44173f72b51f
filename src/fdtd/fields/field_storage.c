#include "fdtd/fields/field_storage.h"

#include <stdio.h>

#include "fdtd/fields/kernels.h"
#include "fdtd/grid/layout.h"

static sonde_status find(struct fields *fields, const char *kind, bool in_words, struct device_kernel *kernel)
{
	const struct device_define defines[] = {{"REAL_F32", fields->single ? 1 : 0}, {"STORED_16", 1}};
	char name[32];

	if (fields->on_gpu) {
		CHECK(
		    device_kernel(fields->device, &fdtd_program, kind, ITEMS, 0, defines, in_words ? 2 : 1, kernel));
		kernel->early = true;
		return SONDE_OK;
	}
	snprintf(name, sizeof name, "%s_%s", kind, fields_form(fields));
	return device_kernel(fields->device, &fdtd_program, name, 1, 0, NULL, 0, kernel);
}

sonde_status fields_find_kernel(struct fields *fields, const char *kind, struct device_kernel *kernel)
{
	return find(fields, kind, fields->grid.in_words, kernel);
}

sonde_status fields_find_kernel_of_numbers(struct fields *fields, const char *kind, struct device_kernel *kernel)
{
	return find(fields, kind, false, kernel);
}

const char *fields_form(const struct fields *fields)
{
	return fields->grid.in_words ? "f16" : fields->single ? "f32" : "f64";
}

size_t fields_number_size(const struct fields *fields)
{
	return fields->single ? sizeof(float) : sizeof(double);
}

size_t fields_stored_size(const struct fields *fields)
{
	return fields->on_gpu && fields->grid.in_words ? sizeof(uint16_t) : fields_number_size(fields);
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

uint32_t fields_first_along_x(const struct fields *fields, uint32_t first, const uint32_t *first_of_plane,
			      const uint32_t *first_along_x)
{
	const struct streaming *streaming = fields->streaming;
	const uint32_t begin = streaming != NULL ? schedule_here(&streaming->schedule).begin : 0;

	return first > begin ? first_along_x[first - 1] : first_of_plane[first];
}
