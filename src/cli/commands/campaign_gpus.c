#include "cli/commands/campaign_gpus.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "device/device.h"

/* By which CUDA's programs see some of the GPUs only. */
#define VISIBLE "CUDA_VISIBLE_DEVICES"

void campaign_deal_names(const struct parallel *ranks, const char *list, char *taken, size_t size)
{
	int count = 1, number = 0, next, step;

	taken[0] = '\0';
	for (const char *c = list; *c != '\0'; ++c)
		count += *c == ',';
	parallel_deal(ranks, count, &next, &step);
	for (const char *name = list; *name != '\0'; name += *name == ',', ++number) {
		const size_t length = strcspn(name, ","), used = strlen(taken);
		if (number == next && used + length + 2 < size) {
			snprintf(taken + used, size - used, "%s%.*s", used > 0 ? "," : "", (int)length, name);
			next += step;
		}
		name += length;
	}
}

/* The numbers of the GPUs of this machine, with commas. */
static void list_gpus(struct text *list)
{
	const struct device_settings settings = {0};
	const struct device_kind *kind = device_kind_of("cuda");
	sonde_device_description *description;
	int found = kind != NULL;

	if (memory_allocate(&description, 1, sizeof *description, "the devices") != SONDE_OK)
		return;
	for (int k = 0, count = 0; found != 0; ++k) {
		if (device_describe_of(kind, k, &settings, description, &found) != SONDE_OK)
			break;
		if (found != 0 && description->usable)
			text_append(list, "%s%d", count++ > 0 ? "," : "", k);
	}
	free(description);
}

void campaign_take_gpus(const struct parallel *ranks, const char *device)
{
	const char *visible = getenv(VISIBLE);
	struct text list = {0};
	char taken[256];

	if (parallel_local_size(ranks) == 1 ||
	    (strcmp(device, "auto") != 0 && strcmp(device, "gpu") != 0 && strcmp(device, "all") != 0))
		return;
	if (visible != NULL)
		text_append(&list, "%s", visible);
	else
		list_gpus(&list);
	if (list.bytes != NULL && strchr(list.bytes, ',') != NULL) {
		campaign_deal_names(ranks, list.bytes, taken, sizeof taken);
		(void)setenv(VISIBLE, taken, 1);
	}
	text_free(&list);
}
