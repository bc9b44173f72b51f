/* A command line of the program in a process of its own, which cannot take the campaign with it when it crashes, runs out of memory, or
 * is killed. Starting it takes some 10 ms, and the start of its device. */
#ifndef SONDE_CAMPAIGN_PROCESS_H
#define SONDE_CAMPAIGN_PROCESS_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/text.h"

struct campaign_process {
	pid_t id;           /* 0: none */
	int errors;         /* our end of its standard error; -1: closed */
	struct text line;   /* begun on it */
	double done;        /* part of the work, 0 to 1 */
	char message[1024]; /* of its failure */
};

/* Starts `program` with `words`, its arguments, ended by null, in `folder`. It prints lines of JSON; those on the standard output are appended to
 * the file `output`. It ends, with a checkpoint if it can, when this process does. */
sonde_status campaign_process_start(const char *program, char *const *words, const char *folder, const char *output,
				    struct campaign_process *process);
/* Reads what it has printed on the standard error. */
void campaign_process_read(struct campaign_process *process);
/* Whether it has ended; *how as of waitpid(). */
bool campaign_process_ended(struct campaign_process *process, int *how);
/* Asks it to stop, which it does with a checkpoint if it can, or ends it at once. */
void campaign_process_stop(const struct campaign_process *process, bool at_once);
void campaign_process_free(struct campaign_process *process);

#endif
