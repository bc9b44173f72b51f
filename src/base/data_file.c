#include "base/data_file.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"

#define MOST_FOLDERS 3

/* Of a folder of data: what may be given to everyone lies in it, the rest below it. */
static const char *const parts[] = {"", "noncommercial/"};

/* share/sonde of the tree whose bin/ the program lies in, so that a tree may be moved; "" if that cannot be told. */
static void beside_program(char folder[PATH_MAX])
{
	char program[PATH_MAX];
	ssize_t size = readlink("/proc/self/exe", program, sizeof program - 1);

	folder[0] = '\0';
	program[size > 0 ? size : 0] = '\0';
	for (int up = 0; up < 2; ++up) {
		char *slash = strrchr(program, '/');
		if (slash == NULL)
			return;
		*slash = '\0';
	}
	if (snprintf(folder, PATH_MAX, "%s/share/sonde", program) >= PATH_MAX)
		folder[0] = '\0';
}

static int list_folders(const char *folders[MOST_FOLDERS], char beside[PATH_MAX])
{
	const char *said = getenv("SONDE_DATA");
	int count = 0;

	if (said != NULL && said[0] != '\0') {
		folders[count++] = said;
		return count;
	}
	beside_program(beside);
	if (beside[0] != '\0')
		folders[count++] = beside;
	folders[count++] = SONDE_DATA_INSTALLED;
	folders[count++] = SONDE_DATA_SOURCES;
	return count;
}

sonde_status data_file_find(const char *name, const char *hint, char **path)
{
	const char *folders[MOST_FOLDERS];
	char beside[PATH_MAX];
	int count = list_folders(folders, beside);
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
				     "%s: not found in %s; let SONDE_DATA name the folder that holds it%s%s", name,
				     looked.bytes, hint[0] != '\0' ? ", or " : "", hint);
	text_free(&place);
	text_free(&looked);
	return status;
}
