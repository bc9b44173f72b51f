#include "fdtd/fields/kernels_ahead.h"

#include "base/background.h"
#include "fdtd/fields/fields.h"
#include "fdtd/fields/fields_gpu.h"

/* Any kernel: the program's self-test needs nearly all. */
static void *load(void *state)
{
	const struct kernels_ahead *ahead = state;
	struct fields fields = {
	    .device = ahead->device, .single = ahead->single, .on_gpu = fields_suit_gpu(ahead->device)};
	struct device_kernel kernel;

	(void)fields_find_kernel(&fields, "transform", &kernel);
	background_end();
	return NULL;
}

void kernels_ahead_begin(struct device *device, bool single, struct kernels_ahead *ahead)
{
	*ahead = (struct kernels_ahead){.device = device, .single = single};
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
