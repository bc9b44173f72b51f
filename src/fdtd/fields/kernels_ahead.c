#include "fdtd/fields/kernels_ahead.h"

#include "base/background.h"
#include "fdtd/fields/fields.h"
#include "fdtd/fields/fields_gpu.h"
#include "fdtd/fields/two_steps.h"
#include "fdtd/grid/layout.h"

#define ALL_COMPONENTS 7u

/* Those that fields will ask for, if the numbers of their media take one byte, and only edges have some. */
static void request(const struct kernels_ahead *ahead, struct fields *fields)
{
	static const char *const names[] = {"survey", "displace", "smooth", "polarize"};
	const struct kernels_wanted *wanted = &ahead->wanted;
	struct layout_sizes sizes;
	struct device_kernel kernel;

	if (!fields->on_gpu || !device_request_kernels(ahead->device, true))
		return;
	fields->grid = *wanted->grid;
	layout_make(&fields->grid, true, &fields->layout, &sizes);
	fields->layout.index_bytes = wanted->bodies ? 1 : 0;
	fields->layout.electric = wanted->bodies;
	fields->layout.components[FIELD_E] = fields->layout.components[FIELD_H] = ALL_COMPONENTS;
	if (wanted->pairs && two_steps_are_possible(fields))
		two_steps_request(fields);
	(void)fields_on_gpu_make(fields);
	if (fields_can_step_both(fields))
		(void)fields_find_both(fields);
	for (size_t n = 0; n < sizeof names / sizeof *names; ++n)
		(void)fields_find_kernel(fields, names[n], &kernel);
	(void)device_request_kernels(ahead->device, false);
}

/* Any kernel: the program's self-test needs nearly all. */
static void *load(void *state)
{
	const struct kernels_ahead *ahead = state;
	struct fields fields = {
	    .device = ahead->device, .single = ahead->wanted.single, .on_gpu = fields_suit_gpu(ahead->device)};
	struct device_kernel kernel;

	request(ahead, &fields);
	(void)fields_find_kernel(&fields, "transform", &kernel);
	background_end();
	return NULL;
}

void kernels_ahead_begin(struct device *device, const struct kernels_wanted *wanted, struct kernels_ahead *ahead)
{
	*ahead = (struct kernels_ahead){.device = device, .wanted = *wanted};
	background_begin();
	ahead->begun = pthread_create(&ahead->thread, NULL, load, ahead) == 0;
	if (!ahead->begun)
		background_end();
}

void kernels_ahead_end(struct kernels_ahead *ahead)
{
	if (ahead->begun)
		(void)pthread_join(ahead->thread, NULL);
	ahead->begun = false;
}
