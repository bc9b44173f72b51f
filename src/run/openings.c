#include "run/openings.h"

#include <pthread.h>
#include <stdio.h>

#include "run/context.h"

struct opener {
	const struct device_settings *settings;
	struct opening *opening;
	pthread_t thread;
	bool started;
};

static void open_one(const struct device_settings *settings, struct opening *opening)
{
	opening->status = device_open(opening->name, settings, &opening->device);
	if (opening->status != SONDE_OK)
		snprintf(opening->message, sizeof opening->message, "%s", status_message());
}

static void *open_on_thread(void *argument)
{
	const struct opener *opener = argument;

	open_one(opener->settings, opener->opening);
	return NULL;
}

static bool opens_together(const char *name)
{
	const struct device_kind *kind = device_kind_of(name);

	return kind != NULL && kind->opens_together;
}

void openings_open(const struct device_settings *settings, struct opening *openings, int count)
{
	struct opener openers[CONTEXT_MOST_DEVICES] = {{.started = false}};

	/* the first one is opened here, without a thread if it is the only one */
	for (int k = 1; k < count; ++k) {
		openers[k] = (struct opener){.settings = settings, .opening = &openings[k]};
		openers[k].started = opens_together(openings[k].name) &&
				     pthread_create(&openers[k].thread, NULL, open_on_thread, &openers[k]) == 0;
	}
	for (int k = 0; k < count; ++k)
		if (!openers[k].started)
			open_one(settings, &openings[k]);
	for (int k = 1; k < count; ++k)
		if (openers[k].started)
			pthread_join(openers[k].thread, NULL);
}

static void *close_on_thread(void *argument)
{
	device_close(argument);
	return NULL;
}

void openings_close(struct device **devices, int count)
{
	pthread_t threads[CONTEXT_MOST_DEVICES];
	bool started[CONTEXT_MOST_DEVICES] = {false};

	for (int k = 1; k < count; ++k)
		started[k] = devices[k] != NULL && opens_together(device_name(devices[k])) &&
			     pthread_create(&threads[k], NULL, close_on_thread, &devices[k]) == 0;
	for (int k = 0; k < count; ++k)
		if (!started[k])
			device_close(&devices[k]);
	for (int k = 1; k < count; ++k)
		if (started[k])
			pthread_join(threads[k], NULL);
}
