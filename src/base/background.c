#include "base/background.h"

#include <stdio.h>
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

static void *run_job(void *argument)
{
	struct background_job *job = argument;

	job->status = job->run(job->user);
	if (job->status != SONDE_OK)
		snprintf(job->message, sizeof job->message, "%s", status_message());
	background_end();
	return NULL;
}

void background_start(struct background_job *job, sonde_status (*run)(void *user), void *user)
{
	job->run = run;
	job->user = user;
	background_begin();
	job->running = pthread_create(&job->thread, NULL, run_job, job) == 0;
	if (!job->running)
		(void)run_job(job);
}

void background_drop(struct background_job *job)
{
	if (job->running)
		(void)pthread_join(job->thread, NULL);
	job->running = false;
	job->status = SONDE_OK;
}

sonde_status background_wait(struct background_job *job)
{
	if (job->running)
		(void)pthread_join(job->thread, NULL);
	job->running = false;
	const sonde_status status = job->status;
	job->status = SONDE_OK;
	return status == SONDE_OK ? SONDE_OK : status_fail(status, "%s", job->message);
}

sonde_status background_finish(struct background_job *job, sonde_status status)
{
	char message[sizeof job->message];

	if (status == SONDE_OK)
		return background_wait(job);
	snprintf(message, sizeof message, "%s", status_message());
	(void)background_wait(job);
	return status_fail(status, "%s", message);
}
