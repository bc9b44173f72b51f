#include "cli/report/file_names.h"

#include <string.h>

/* The path without "./" in front. */
static const char *without_dot(const char *path)
{
	while (path[0] == '.' && path[1] == '/' && path[2] != '\0')
		path += 2;
	return path;
}

/* The last parts of a path, all of it if it has no more. */
static const char *last_parts(const char *path, int parts)
{
	const char *start = path + strlen(path);

	while (start > path && (start[-1] != '/' || --parts > 0))
		--start;
	return start;
}

void file_names_append(const char *const *files, int count, int k, struct text *text)
{
	const char *path = without_dot(files[k]), *name = last_parts(path, 1);
	int parts = 1, before = 0;

	for (int j = 0; j < count; ++j) {
		const char *other = without_dot(files[j]);
		if (strcmp(other, path) == 0) {
			before += j < k;
			continue;
		}
		while (name > path && strcmp(last_parts(other, parts), name) == 0)
			name = last_parts(path, ++parts);
	}
	text_append(text, "%s", name);
	if (before > 0)
		text_append(text, " (%d)", before + 1);
}
