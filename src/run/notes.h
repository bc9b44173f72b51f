/* Notes for the user on runs that continue, one per line, each once. */
#ifndef SONDE_RUN_NOTES_H
#define SONDE_RUN_NOTES_H

#include <pthread.h>

struct notes {
	char *marked, *spelled; /* with marks of options, and spelled for programs; null: none */
	pthread_mutex_t adding; /* samples may be prepared by another thread */
};

void notes_begin(struct notes *notes);
void notes_free(struct notes *notes);
/* Without memory the note is lost. */
void notes_add(struct notes *notes, const char *note);
/* The spelled notes, to be freed; null: none, or no memory. */
char *notes_copy(struct notes *notes);

#endif
