#include "cli/program/version.h"

#include <stdio.h>
#include <string.h>

#include "cli/program/json.h"
#include "device/device.h"
#include "io/containers/hdf5.h"

#ifndef SONDE_COMMIT
#define SONDE_COMMIT "unknown"
#endif

#if defined(__clang__)
#define COMPILER "clang"
#define COMPILER_VERSION __clang_version__
#else
#define COMPILER "gcc"
#define COMPILER_VERSION __VERSION__
#endif

static void print_member(const char *name, const char *value)
{
	printf(", \"%s\": ", name);
	if (value == NULL)
		fputs("null", stdout);
	else
		json_print_string(stdout, value, strlen(value));
}

static void print_json(const char *hdf5, const char *const *sets, int count, const char *used)
{
	fputs("{\"program\": \"sonde\"", stdout);
	print_member("version", sonde_version());
	print_member("commit", strcmp(SONDE_COMMIT, "unknown") != 0 ? SONDE_COMMIT : NULL);
	print_member("compiler", COMPILER);
	print_member("compiler_version", COMPILER_VERSION);
	print_member("hdf5", hdf5);
	fputs(", \"instruction_sets\": [", stdout);
	for (int k = 0; k < count; ++k) {
		fputs(k > 0 ? ", " : "", stdout);
		json_print_string(stdout, sets[k], strlen(sets[k]));
	}
	putchar(']');
	print_member("instruction_set", used);
	print_member("openmp", NULL);
	puts("}");
}

void version_print_short(char *text, size_t size)
{
	snprintf(text, size, "%s, commit %s", sonde_version(), SONDE_COMMIT);
}

sonde_status version_print(bool json)
{
	const char *sets[DEVICE_MOST_INSTRUCTION_SETS], *used;
	char hdf5[64];
	const int count = device_instruction_sets(sets, &used);

	hdf5_version(hdf5, sizeof hdf5);
	if (json) {
		print_json(hdf5, sets, count, used);
		return SONDE_OK;
	}
	printf("sonde %s\ncommit        %s\ncompiler      " COMPILER " %s\nHDF5          %s\ninstructions  ",
	       sonde_version(), SONDE_COMMIT, COMPILER_VERSION, hdf5);
	for (int k = 0; k < count; ++k)
		printf("%s%s", k > 0 ? ", " : "", sets[k]);
	printf("; %s here\nOpenMP        not used: threads are sonde's own\n", used != NULL ? used : "none");
	return SONDE_OK;
}
