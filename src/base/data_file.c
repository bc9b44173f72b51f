#include "base/data_file.h"

#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"

/* Usual folders of such files: packages may be installed elsewhere than this build would be. */
static const char *const system_folders[] = {SONDE_DATA_INSTALLED, "/usr/local/share/sonde", "/usr/share/sonde"};
#define MOST_FOLDERS 5

/* Parts of a data folder: freely redistributable files lie in it, the others below it. */
static const char *const parts[] = {"", "noncommercial/"};

/* folder = the folder of a program or library followed by the relative path `way`, so that an installed tree may be moved;
 * "" if that is too long. */
static void beside(const char *file, const char *way, char folder[PATH_MAX])
{
	const char *slash = strrchr(file, '/');

	if (slash == NULL || snprintf(folder, PATH_MAX, "%.*s/%s", (int)(slash - file), file, way) >= PATH_MAX)
		folder[0] = '\0';
}

static void beside_program(char folder[PATH_MAX])
{
	char program[PATH_MAX];
	ssize_t size = readlink("/proc/self/exe", program, sizeof program - 1);

	program[size > 0 ? size : 0] = '\0';
	beside(program, SONDE_DATA_FROM_PROGRAM, folder);
}

/* Path of the shared library, if this code is part of one: the program that uses it lies elsewhere. */
static void beside_library(char folder[PATH_MAX])
{
	char library[PATH_MAX];
	Dl_info information;
	struct link_map *map = NULL;

	folder[0] = '\0';
	/* the program itself has an empty name */
	if (dladdr1((void *)(uintptr_t)&data_file_find, &information, (void **)&map, RTLD_DL_LINKMAP) != 0 &&
	    map != NULL && map->l_name[0] != '\0' && realpath(map->l_name, library) != NULL)
		beside(library, SONDE_DATA_FROM_LIBRARY, folder);
}

static int list_folders(const char *given, const char *folders[MOST_FOLDERS], char places[2][PATH_MAX])
{
	const char *said = given != NULL && given[0] != '\0' ? given : getenv("SONDE_DATA");
	int count = 0;

	if (said != NULL && said[0] != '\0') {
		folders[count++] = said;
		return count;
	}
	beside_library(places[0]);
	beside_program(places[1]);
	for (int k = 0; k < 2; ++k)
		if (places[k][0] != '\0')
			folders[count++] = places[k];
	for (size_t k = 0; k < sizeof system_folders / sizeof *system_folders; ++k) {
		bool listed = false;
		for (int n = 0; n < count; ++n)
			listed |= strcmp(folders[n], system_folders[k]) == 0;
		if (!listed)
			folders[count++] = system_folders[k];
	}
	return count;
}

sonde_status data_file_find(const char *folder, const char *name, const char *hint, char **path)
{
	const char *folders[MOST_FOLDERS];
	char places[2][PATH_MAX];
	int count = list_folders(folder, folders, places);
	struct text place = {0}, looked = {0};

	*path = NULL;
	for (int k = 0; k < count; ++k) {
		for (size_t part = 0; part < sizeof parts / sizeof *parts; ++part) {
			place.size = 0;
			text_append(&place, "%s/%s%s", folders[k], parts[part], name);
			if (!place.failed && access(place.bytes, R_OK) == 0) {
				*path = place.bytes;
				text_free(&looked);
				return SONDE_OK;
			}
		}
		text_append(&looked, "%s%s", k > 0 ? ", " : "", folders[k]);
	}
	sonde_status status = text_status(&place);
	if (status == SONDE_OK)
		status = text_status(&looked);
	if (status == SONDE_OK)
		status = status_fail(SONDE_INVALID,
				     "%s: not found in %s; set SONDE_DATA to the folder that contains it%s%s", name,
				     looked.bytes, hint[0] != '\0' ? ", or " : "", hint);
	text_free(&place);
	text_free(&looked);
	return status;
}
