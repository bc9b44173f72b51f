#include "base/option_files.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/file_names.h"

/* Whether a value that may or may not be a file looks like one: a folder, or an ending as in spectrum.txt, but not
 * 0.5keV. */
static bool looks_like_file(const char *value)
{
	const char *point = strrchr(value, '.');

	if (strchr(value, '=') != NULL)
		return false;
	return strchr(value, '/') != NULL || (point != NULL && isalpha((unsigned char)point[1]));
}

sonde_status option_find_file(const char *job, const char *owner, const struct option_row *row, void *options)
{
	const enum option_file kind = option_file(row);
	char beside[OPTION_TEXT_SIZE], *value = kind != OPTION_NO_FILE ? option_text(row, options) : NULL;
	/* a job from the standard input has no folder */
	const char *slash = strncmp(job, "/dev/fd/", 8) != 0 ? strrchr(job, '/') : NULL;
	int folder = slash != NULL ? (int)(slash - job) : 0;

	if ((kind != OPTION_FILE && kind != OPTION_FILE_OR_VALUE) || value[0] == '\0' || value[0] == '/' ||
	    strcmp(value, "-") == 0 || (kind == OPTION_FILE_OR_VALUE && !looks_like_file(value)))
		return SONDE_OK;
	if (slash != NULL) {
		if (snprintf(beside, sizeof beside, "%.*s/%s", folder, job, value) >= (int)sizeof beside)
			return status_fail(SONDE_INVALID, "is longer than %d bytes with %s's folder",
					   OPTION_TEXT_SIZE - 1, owner);
		if (access(beside, F_OK) == 0) {
			CHECK(file_names_set(beside, value));
			memcpy(value, beside, strlen(beside) + 1);
			return SONDE_OK;
		}
	}
	if (access(value, F_OK) == 0)
		return SONDE_OK;
	return slash != NULL ? status_fail_file(SONDE_INVALID, value,
						"cannot be read: %s; searched %s's folder (%.*s) and the current one",
						strerror(errno), owner, folder > 0 ? folder : 1, job)
			     : status_fail_file(SONDE_INVALID, value,
						"cannot be read: %s; searched the current folder", strerror(errno));
}
