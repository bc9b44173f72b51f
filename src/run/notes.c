#include "run/notes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/option_spelling.h"

void notes_begin(struct notes *notes)
{
	notes->marked = notes->spelled = NULL;
	pthread_mutex_init(&notes->adding, NULL);
}

void notes_free(struct notes *notes)
{
	free(notes->marked);
	free(notes->spelled);
	pthread_mutex_destroy(&notes->adding);
}

static void add(struct notes *notes, const char *note)
{
	const size_t size = notes->marked != NULL ? strlen(notes->marked) : 0, length = strlen(note);

	/* keep repeated notes once, as when a job is planned before it runs */
	for (const char *line = notes->marked; line != NULL; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (strncmp(line, note, length) == 0 && (line[length] == '\n' || line[length] == '\0'))
			return;
	}
	char *marked = realloc(notes->marked, size + length + 2);

	if (marked == NULL)
		return;
	sprintf(marked + size, "%s%s", size > 0 ? "\n" : "", note);
	notes->marked = marked;
	char *spelled = realloc(notes->spelled, OPTIONS_SPELLED_SIZE(strlen(marked)));

	if (spelled == NULL)
		return;
	notes->spelled = spelled;
	options_spell(marked, NULL, NULL, spelled, OPTIONS_SPELLED_SIZE(strlen(marked)));
}

void notes_add(struct notes *notes, const char *note)
{
	pthread_mutex_lock(&notes->adding);
	add(notes, note);
	pthread_mutex_unlock(&notes->adding);
}

char *notes_copy(struct notes *notes)
{
	pthread_mutex_lock(&notes->adding);
	char *copy = notes->spelled != NULL ? strdup(notes->spelled) : NULL;
	pthread_mutex_unlock(&notes->adding);
	return copy;
}
