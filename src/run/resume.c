#include "run/resume.h"

#include <stdbool.h>
#include <string.h>

#include "base/sha256.h"

#define VERSION "written by sonde "
#define TABLE "table "
#define EQUALS " = "
#define SHOWN 16 /* digits of a digest */

void resume_append_version(struct text *job)
{
	text_append(job, VERSION "%s\n", sonde_version());
}

void resume_append_table(struct text *job, const char *name, const void *contents, size_t size)
{
	struct sha256 hash;
	char digest[65];

	sha256_begin(&hash);
	sha256_add(&hash, contents, size);
	sha256_end(&hash, digest);
	text_append(job, TABLE "%s" EQUALS "%s\n", name, digest);
}

/* The line that begins with so many bytes of `start`; null: there is none. */
static const char *find_line(const char *text, const char *start, size_t size)
{
	while (*text != '\0') {
		if (strncmp(text, start, size) == 0)
			return text;
		text += strcspn(text, "\n");
		text += *text == '\n';
	}
	return NULL;
}

static bool same_lines(const char *a, const char *b)
{
	const size_t size = strcspn(a, "\n");

	return size == strcspn(b, "\n") && strncmp(a, b, size) == 0;
}

static sonde_status compare_versions(const char *path, const char *there)
{
	const size_t start = strlen(VERSION), here = strlen(sonde_version());
	const char *line = find_line(there, VERSION, start);

	if (line == NULL)
		return status_fail(SONDE_INVALID,
				   "resume: %s was written by an earlier version of sonde than this one, %s, which "
				   "cannot resume it; begin again, or resume it with that version",
				   path, sonde_version());
	const size_t size = strcspn(line + start, "\n");
	return size == here && strncmp(line + start, sonde_version(), size) == 0
		   ? SONDE_OK
		   : status_fail(
			 SONDE_INVALID,
			 "resume: %s was written by version %.*s of sonde, and this is %s: numbers of two versions "
			 "are not mixed; begin again, or resume it with that version",
			 path, (int)(size < 40 ? size : 40), line + start, sonde_version());
}

sonde_status resume_compare(const char *path, const char *there, const char *here)
{
	CHECK(compare_versions(path, there));
	for (const char *line = here; (line = find_line(line, TABLE, strlen(TABLE))) != NULL;
	     line += strcspn(line, "\n")) {
		const char *end = strstr(line, EQUALS);
		if (end == NULL)
			break;
		end += strlen(EQUALS);
		const char *other = find_line(there, line, (size_t)(end - line));
		if (other == NULL || same_lines(line, other))
			continue;
		const size_t start = strlen(TABLE);
		return status_fail(
		    SONDE_INVALID,
		    "resume: %s was made with another table %.*s: its SHA-256 begins with %.*s, that of the "
		    "table here with %.*s; restore that table, or begin again",
		    path, (int)((size_t)(end - line) - start - strlen(EQUALS)), line + start, SHOWN,
		    other + (end - line), SHOWN, end);
	}
	return SONDE_OK;
}
