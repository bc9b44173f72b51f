#include "cli/program/spelling.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

#define MOST_GIVEN 256

static char job[OPTION_TEXT_SIZE];
static struct {
	char name[64];
	size_t line;
} given[MOST_GIVEN];
static size_t given_count;

void spelling_begin_job(const char *path)
{
	snprintf(job, sizeof job, "%s", path != NULL ? path : "");
	given_count = 0;
}

void spelling_add_lines(const struct option_table *table, const size_t *lines)
{
	for (size_t k = 0; k < table->count && given_count < MOST_GIVEN; ++k)
		if (lines[k] > 0) {
			(void)option_flag(&table->rows[k], given[given_count].name);
			given[given_count++].line = lines[k];
		}
}

void spelling_forget(const char *name)
{
	for (size_t k = 0; k < given_count; ++k)
		if (strcmp(given[k].name, name) == 0)
			given[k].name[0] = '\0';
}

bool spelling_find(const char *name, const char **path, size_t *line)
{
	for (size_t k = 0; k < given_count; ++k)
		if (strcmp(given[k].name, name) == 0 && name[0] != '\0') {
			*path = job;
			*line = given[k].line;
			return true;
		}
	return false;
}

void spelling_of_program(const void *user, const struct option_mention *mention, char *text, size_t size)
{
	const char *value = mention->value, *path;
	size_t line;

	(void)user;
	if (!mention->is_key && !spelling_find(mention->name, &path, &line)) {
		const bool flag_alone = value == NULL || strcmp(value, "true") == 0;
		snprintf(text, size, "--%s%s%s", mention->name, flag_alone ? "" : " ", flag_alone ? "" : value);
	} else {
		option_spell_in_job(NULL, mention, text, size);
	}
}

void spelling_append(const char *message, struct text *text)
{
	const size_t size = OPTIONS_SPELLED_SIZE(strlen(message));
	char *spelled;

	if (memory_allocate(&spelled, size, 1, "a message") != SONDE_OK) {
		text->failed = true;
		return;
	}
	options_spell(message, spelling_of_program, NULL, spelled, size);
	text_append(text, "%s", spelled);
	free(spelled);
}
