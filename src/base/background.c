#include "base/background.h"

#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t none_left = PTHREAD_COND_INITIALIZER;
static int at_work;

void background_begin(void)
{
	pthread_mutex_lock(&mutex);
	++at_work;
	pthread_mutex_unlock(&mutex);
}

void background_end(void)
{
	pthread_mutex_lock(&mutex);
	if (--at_work == 0)
		pthread_cond_broadcast(&none_left);
	pthread_mutex_unlock(&mutex);
}

pid_t background_fork(void)
{
	pthread_mutex_lock(&mutex);
	while (at_work > 0)
		pthread_cond_wait(&none_left, &mutex);
	const pid_t child = fork();
	pthread_mutex_unlock(&mutex); /* the child is a copy of this thread, the owner of the mutex */
	return child;
}
