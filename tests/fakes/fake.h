/* Common to the fakes: libraries with the functions of device manufacturers that simulate faults. Environment
 * variables, listed in each source, select the faults. */
#ifndef TESTS_FAKES_FAKE_H
#define TESTS_FAKES_FAKE_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A function that programs find, defined right here. */
#define EXPORT(type, name, ...) \
	type name(__VA_ARGS__); \
	type name(__VA_ARGS__)

static inline bool fake_plays(const char *variable, const char *behaviour)
{
	const char *value = getenv(variable);

	return value != NULL && strcmp(value, behaviour) == 0;
}

static inline long fake_number(const char *variable, long otherwise)
{
	const char *value = getenv(variable);

	return value != NULL && value[0] != '\0' ? strtol(value, NULL, 10) : otherwise;
}

/* Whether a fault is meant for this device: the variable holds its number, or nothing for all devices. */
static inline bool fake_is_meant(const char *variable, int device)
{
	return fake_number(variable, device) == device;
}

/* The last words of a fake, for the test to read: $REPORT names the file. */
static inline void fake_report(const char *variable, const char *text)
{
	const char *path = getenv(variable);
	FILE *file = path != NULL ? fopen(path, "w") : NULL;

	if (file == NULL)
		return;
	fputs(text, file);
	fclose(file);
}

#endif
