#include "device/cuda_ahead.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/background.h"
#include "base/memory.h"
#include "device/nvrtc.h"

#define MOST_THREADS 16
#define MOST_DEFINES 16

enum progress { WAITING, COMPILING, COMPILED, TAKEN };

struct request {
	char key[65];
	const struct device_kernel_source *source;
	struct device_define defines[MOST_DEFINES];
	size_t define_count;
	struct nvrtc_target target;
	enum progress progress;
	void *code;
	size_t size;
	struct request *next;
};

struct cuda_ahead {
	pthread_mutex_t mutex;
	pthread_cond_t changed;
	struct request *requests; /* in the order in which they were made */
	pthread_t threads[MOST_THREADS];
	int thread_count, idle;
	bool ends;
};

static void compile(struct cuda_ahead *ahead, struct request *request)
{
	void *code = NULL;
	size_t size = 0;

	request->progress = COMPILING;
	pthread_mutex_unlock(&ahead->mutex);
	if (nvrtc_compile(request->source, request->defines, request->define_count, &request->target, &code, &size,
			  NULL) != SONDE_OK)
		code = NULL;
	pthread_mutex_lock(&ahead->mutex);
	request->code = code;
	request->size = size;
	request->progress = COMPILED;
	pthread_cond_broadcast(&ahead->changed);
}

static struct request *next_waiting(const struct cuda_ahead *ahead)
{
	struct request *request = ahead->requests;

	while (request != NULL && request->progress != WAITING)
		request = request->next;
	return request;
}

/* Threads end when nothing is left to be compiled: a process with none of them may be forked. */
static void *work(void *state)
{
	struct cuda_ahead *ahead = state;
	struct request *request;

	pthread_mutex_lock(&ahead->mutex);
	while (!ahead->ends && (request = next_waiting(ahead)) != NULL)
		compile(ahead, request);
	++ahead->idle;
	pthread_mutex_unlock(&ahead->mutex);
	background_end();
	return NULL;
}

static struct request *find(const struct cuda_ahead *ahead, const char *key)
{
	struct request *request = ahead->requests;

	while (request != NULL && strcmp(request->key, key) != 0)
		request = request->next;
	return request;
}

static void add(struct cuda_ahead *ahead, const struct cuda_ahead_kernel *kernel)
{
	struct request *request, **last = &ahead->requests;

	if (kernel->define_count > MOST_DEFINES || find(ahead, kernel->key) != NULL ||
	    memory_allocate(&request, 1, sizeof *request, "a kernel") != SONDE_OK)
		return;
	strcpy(request->key, kernel->key);
	request->source = kernel->source;
	memcpy(request->defines, kernel->defines, kernel->define_count * sizeof *kernel->defines);
	request->define_count = kernel->define_count;
	request->target = (struct nvrtc_target){kernel->architecture, false};
	while (*last != NULL)
		last = &(*last)->next;
	*last = request;
}

/* A thread for each request, up to a limit; one that is idle is done, and replaced. */
static void add_thread(struct cuda_ahead *ahead, int threads)
{
	const int most = threads < MOST_THREADS ? threads : MOST_THREADS;

	if (ahead->thread_count > 0 && ahead->idle == ahead->thread_count) {
		for (int n = 0; n < ahead->thread_count; ++n)
			(void)pthread_join(ahead->threads[n], NULL);
		ahead->thread_count = ahead->idle = 0;
	}
	if (ahead->thread_count >= most)
		return;
	background_begin();
	if (pthread_create(&ahead->threads[ahead->thread_count], NULL, work, ahead) == 0)
		++ahead->thread_count;
	else
		background_end();
}

void cuda_ahead_begin(struct cuda_ahead **ahead, int threads, const struct cuda_ahead_kernel *kernel)
{
	if (*ahead == NULL) {
		if (memory_allocate(ahead, 1, sizeof **ahead, "a kernel") != SONDE_OK)
			return;
		(void)pthread_mutex_init(&(*ahead)->mutex, NULL);
		(void)pthread_cond_init(&(*ahead)->changed, NULL);
	}
	pthread_mutex_lock(&(*ahead)->mutex);
	add(*ahead, kernel);
	add_thread(*ahead, threads);
	pthread_mutex_unlock(&(*ahead)->mutex);
}

void *cuda_ahead_take(struct cuda_ahead *ahead, const char *key, size_t *size)
{
	void *code = NULL;

	if (ahead == NULL)
		return NULL;
	pthread_mutex_lock(&ahead->mutex);
	struct request *request = find(ahead, key);
	if (request != NULL && request->progress == WAITING)
		compile(ahead, request);
	while (request != NULL && request->progress == COMPILING)
		pthread_cond_wait(&ahead->changed, &ahead->mutex);
	if (request != NULL && request->progress == COMPILED) {
		code = request->code;
		*size = request->size;
		request->code = NULL;
		request->progress = TAKEN;
	}
	pthread_mutex_unlock(&ahead->mutex);
	return code;
}

void cuda_ahead_end(struct cuda_ahead **ahead)
{
	if (*ahead == NULL)
		return;
	pthread_mutex_lock(&(*ahead)->mutex);
	(*ahead)->ends = true;
	pthread_mutex_unlock(&(*ahead)->mutex);
	for (int n = 0; n < (*ahead)->thread_count; ++n)
		(void)pthread_join((*ahead)->threads[n], NULL);
	while ((*ahead)->requests != NULL) {
		struct request *request = (*ahead)->requests;
		(*ahead)->requests = request->next;
		free(request->code);
		free(request);
	}
	(void)pthread_mutex_destroy(&(*ahead)->mutex);
	(void)pthread_cond_destroy(&(*ahead)->changed);
	free(*ahead);
	*ahead = NULL;
}
