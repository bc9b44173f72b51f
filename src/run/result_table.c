#include "run/result_table.h"

#include <stdio.h>
#include <string.h>

#include "base/file.h"

#define LONGEST_ENDING 16

/* The next word of a list; false after the last one. */
static bool next_ending(const char **list, char ending[LONGEST_ENDING])
{
	*list += strspn(*list, " ");
	const size_t length = strcspn(*list, " ");

	snprintf(ending, LONGEST_ENDING, "%.*s", (int)length, *list);
	*list += length;
	return length > 0;
}

const struct result_format *result_format_find(const struct result_format *formats, const char *path)
{
	char ending[LONGEST_ENDING];

	for (; formats->endings != NULL; ++formats)
		for (const char *list = formats->endings; next_ending(&list, ending);)
			if (file_has_suffix(path, ending))
				return formats;
	return NULL;
}

/* ".h5, .hdf5 or .nxs" */
static void append_endings(const struct result_format *formats, struct text *text)
{
	char ending[LONGEST_ENDING], last[LONGEST_ENDING] = "";

	for (; formats->endings != NULL; ++formats)
		for (const char *list = formats->endings; next_ending(&list, ending);) {
			if (last[0] != '\0')
				text_append(text, "%s%s", text->size > 0 ? ", " : "", last);
			memcpy(last, ending, sizeof last);
		}
	text_append(text, "%s%s", text->size > 0 ? " or " : "", last);
}

sonde_status result_format_check(const struct result_format *formats, const char *path)
{
	struct text endings = {0};

	if (result_format_find(formats, path) != NULL)
		return SONDE_OK;
	append_endings(formats, &endings);
	sonde_status status = text_status(&endings);
	if (status == SONDE_OK)
		status =
		    status_fail_file(SONDE_INVALID, path, "unknown kind of file; end the name in %s", endings.bytes);
	text_free(&endings);
	return status;
}

sonde_status result_text_write(sonde_status status, struct text *text, const char *path, bool overwrite)
{
	if (status == SONDE_OK)
		status = file_write(path, text->bytes, text->size, overwrite);
	text_free(text);
	return status;
}

sonde_status result_write(const struct result_format *formats, const void *result, const char *path, bool overwrite)
{
	const struct result_format *format = result_format_find(formats, path);
	struct text text = {0};

	if (format == NULL)
		return result_format_check(formats, path);
	if (format->write != NULL)
		return format->write(result, path, overwrite);
	const sonde_status status = format->append(result, file_has_suffix(path, ".csv"), &text);
	return result_text_write(status, &text, path, overwrite);
}
