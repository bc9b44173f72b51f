#include "run/checkpoint.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/sha256.h"
#include "base/threads.h"
#include "io/containers/seal.h"
#include "parallel/parallel.h"
#include "run/context.h"

#define VERSION "written by sonde "
#define TABLE "table "
#define EQUALS " = "
#define SHOWN 16                /* digits of a digest */
#define DIGITS 12               /* bytes of other contents */
#define MOST_SHOWN 100          /* bytes of a line */
#define LARGE ((size_t)4 << 20) /* bytes of contents */
#define PARTS 64
#define SUFFIX ".checkpoint"
#define PREVIOUS ".old"

void checkpoint_append_version(struct text *job)
{
	text_append(job, VERSION "%s\n", sonde_version());
}

static void find_digest(const void *contents, size_t size, char digest[65])
{
	struct sha256 hash;

	sha256_begin(&hash);
	sha256_add(&hash, contents, size);
	sha256_end(&hash, digest);
}

void checkpoint_append_table(struct text *job, const char *name, const void *contents, size_t size)
{
	char digest[65];

	find_digest(contents, size, digest);
	text_append(job, TABLE "%s" EQUALS "%s\n", name, digest);
}

struct parts {
	const char *bytes;
	size_t size;
	char digests[PARTS][65];
};

static void digest_some(void *state, int64_t first, int64_t end, int worker)
{
	struct parts *parts = state;

	(void)worker;
	for (size_t k = (size_t)first; k < (size_t)end; ++k) {
		const size_t begin = parts->size / PARTS * k,
			     after = k + 1 < PARTS ? begin + parts->size / PARTS : parts->size;
		find_digest(parts->bytes + begin, after - begin, parts->digests[k]);
	}
}

/* Of large contents, such as the positions of ten million atoms, that of the digests of their parts, which threads find. */
static void find_digest_of_parts(const void *contents, size_t size, char digest[65])
{
	struct parts parts = {.bytes = contents, .size = size};

	if (size < LARGE) {
		find_digest(contents, size, digest);
		return;
	}
	threads_for(threads_available(), PARTS, 1, digest_some, &parts);
	find_digest(parts.digests, sizeof parts.digests, digest);
}

void checkpoint_append_digest(struct text *job, const char *name, const void *contents, size_t size)
{
	char digest[65];

	find_digest_of_parts(contents, size, digest);
	text_append(job, "%s" EQUALS "%.*s\n", name, DIGITS, digest);
}

/* The line that begins with this many bytes of `start`; null if there is none. */
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
		return status_fail_option(SONDE_INVALID, "resume",
					  "%s was written by an earlier version of sonde than this one, %s, which "
					  "cannot resume it; start again, or resume it with that version",
					  path, sonde_version());
	const size_t size = strcspn(line + start, "\n");
	return size == here && strncmp(line + start, sonde_version(), size) == 0
		   ? SONDE_OK
		   : status_fail_option(
			 SONDE_INVALID, "resume",
			 "%s was written by version %.*s of sonde, and this is %s: numbers of two versions "
			 "are not mixed; start again, or resume it with that version",
			 path, (int)(size < 40 ? size : 40), line + start, sonde_version());
}

static sonde_status compare_tables(const char *path, const char *there, const char *here)
{
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
		return status_fail_option(SONDE_INVALID, "resume",
					  "%s was made with another version of table %.*s: its SHA-256 begins with "
					  "%.*s, that of the "
					  "present one with %.*s; restore that table, or start again",
					  path, (int)((size_t)(end - line) - start - strlen(EQUALS)), line + start,
					  SHOWN, other + (end - line), SHOWN, end);
	}
	return SONDE_OK;
}

static bool begins_with_one(const char *line, const char *const *beginnings)
{
	for (; beginnings != NULL && *beginnings != NULL; ++beginnings)
		if (strncmp(line, *beginnings, strlen(*beginnings)) == 0)
			return true;
	return false;
}

/* The part of a line that is shown. */
static int shown(const char *line)
{
	const size_t length = strcspn(line, "\n");

	return length > MOST_SHOWN ? MOST_SHOWN : (int)length;
}

static const char *next_line(const char *line)
{
	line += strcspn(line, "\n");
	return line + (*line == '\n');
}

/* The first line in which two jobs differ, except those that begin with one of `left_out`. */
static sonde_status compare_lines(const char *path, const char *there, const char *here, const char *const *left_out)
{
	for (; *there != '\0' && *here != '\0'; there = next_line(there), here = next_line(here))
		if (!same_lines(there, here) && !begins_with_one(there, left_out))
			return status_fail_option(
			    SONDE_INVALID, "resume",
			    "%s belongs to another job, with '%.*s' instead of '%.*s'; run that job, or "
			    "choose another `output`",
			    path, shown(there), there, shown(here), here);
	if (*there == *here)
		return SONDE_OK;
	const char *line = *there != '\0' ? there : here;
	return status_fail_option(SONDE_INVALID, "resume",
				  "%s belongs to another job, %s '%.*s'; run that job, or choose another `output`",
				  path, *there != '\0' ? "with" : "without", shown(line), line);
}

sonde_status checkpoint_compare(const char *path, const char *there, const char *here, const char *const *derived)
{
	CHECK(compare_versions(path, there));
	CHECK(compare_tables(path, there, here));
	CHECK(compare_lines(path, there, here, derived));
	return derived != NULL ? compare_lines(path, there, here, NULL) : SONDE_OK;
}

sonde_status checkpoint_name(const char *path, struct text *name)
{
	text_append(name, "%s" SUFFIX, path);
	return text_status(name);
}

bool checkpoint_exists(const char *path)
{
	struct text name = {0};
	const bool exists = checkpoint_name(path, &name) == SONDE_OK && access(name.bytes, F_OK) == 0;

	text_free(&name);
	return exists;
}

/* The names of the file and of the previous one; to be freed, also after a failure. */
struct names {
	struct text present, previous;
};

static sonde_status find_names(const char *path, struct names *names)
{
	text_append(&names->previous, "%s" SUFFIX PREVIOUS, path);
	CHECK(checkpoint_name(path, &names->present));
	return text_status(&names->previous);
}

static void free_names(struct names *names)
{
	text_free(&names->present);
	text_free(&names->previous);
}

void checkpoint_remove(const char *path)
{
	struct names names = {0};

	if (find_names(path, &names) == SONDE_OK) {
		(void)unlink(names.present.bytes);
		(void)unlink(names.previous.bytes);
	}
	free_names(&names);
}

bool checkpoint_is_due(double every, double saved)
{
	return every > 0.0 && clock_seconds() - saved >= every;
}

/* By a second name of the same file, so that there is one at any moment. */
void checkpoint_keep_previous(const char *path)
{
	struct names names = {0};

	if (find_names(path, &names) == SONDE_OK && access(names.present.bytes, F_OK) == 0) {
		(void)unlink(names.previous.bytes);
		if (link(names.present.bytes, names.previous.bytes) != 0) {
			/* a file system without such names: none is kept */
		}
	}
	free_names(&names);
}

bool checkpoint_drop_previous(const char *path)
{
	struct names names = {0};
	const bool dropped = find_names(path, &names) == SONDE_OK && unlink(names.previous.bytes) == 0;

	free_names(&names);
	return dropped;
}

static bool is_sound(const char *name)
{
	FILE *file = fopen(name, "rbe");
	enum seal seal = SEAL_NONE;
	uint64_t size;

	if (file == NULL)
		return false;
	const bool sound = seal_check(file, name, &seal, &size) == SONDE_OK && seal == SEAL_SOUND;
	fclose(file);
	return sound;
}

static void mend(sonde_context *context, const struct names *names)
{
	if (is_sound(names->present.bytes) || !is_sound(names->previous.bytes))
		return;
	if (rename(names->previous.bytes, names->present.bytes) == 0)
		context_notef(context, "%s is damaged: the run continues from the previous one",
			      names->present.bytes);
}

sonde_status checkpoint_mend(sonde_context *context, const char *path)
{
	struct names names = {0};
	sonde_status status = find_names(path, &names);

	if (status == SONDE_OK && context_writes(context))
		mend(context, &names);
	free_names(&names);
	return parallel_agree(context_ranks(context), status);
}
