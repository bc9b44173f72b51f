#include "base/file_names.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

struct file_name {
	struct file_name *next; /* older ones; never freed, since their names are in use */
	char *path, *name;
};

static struct file_name *names;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

sonde_status file_names_set(const char *path, const char *name)
{
	if (strcmp(file_names_get(path), name) == 0)
		return SONDE_OK;
	struct file_name *added = malloc(sizeof *added);
	char *copies[2] = {strdup(path), strdup(name)};

	if (added == NULL || copies[0] == NULL || copies[1] == NULL) {
		free(added);
		free(copies[0]);
		free(copies[1]);
		return memory_missing("the name of a file");
	}
	pthread_mutex_lock(&lock);
	*added = (struct file_name){names, copies[0], copies[1]};
	names = added;
	pthread_mutex_unlock(&lock);
	return SONDE_OK;
}

const char *file_names_get(const char *path)
{
	pthread_mutex_lock(&lock);
	for (const struct file_name *known = names; known != NULL; known = known->next)
		if (strcmp(known->path, path) == 0) {
			path = known->name;
			break;
		}
	pthread_mutex_unlock(&lock);
	return path;
}
