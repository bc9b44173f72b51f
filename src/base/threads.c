#include "base/threads.h"

#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"

#define MOST_THREADS 4096
/* Waking a thread takes about 10 microseconds, often longer than the time between two kernel launches. */
#define SECONDS_AWAKE 5e-5
#define SECONDS_AWAKE_ACTIVE 1e-1 /* with OMP_WAIT_POLICY=active */
#define NANOSECONDS_ASLEEP 50000  /* between two looks at a counter, after that */
#define LOOKS_PER_TIME 64         /* between two readings of the clock */

/* A loop in progress. It lies on the stack of its caller, which returns when no thread works on it any more. */
struct loop {
	threads_body *body;
	void *state;
	int64_t count, grain;
	const int *flag;          /* flag that ends it; null: none */
	atomic_int_fast64_t next; /* first iteration not yet taken */
	int helpers;              /* helpers that may still join */
	int workers;              /* threads that have joined, the caller included */
	atomic_int active;        /* helpers at work */
	struct loop *after;
};

/* The threads, which exist until the process ends. */
static struct {
	pthread_mutex_t mutex;
	pthread_cond_t work, rest; /* new work; a helper has left a loop */
	struct loop *loops;
	atomic_uint posted; /* number of loops so far */
	int count, idle;
	atomic_int refused; /* largest number of threads wanted at one time and not available */
	double seconds_awake;
} team = {.mutex = PTHREAD_MUTEX_INITIALIZER, .work = PTHREAD_COND_INITIALIZER, .rest = PTHREAD_COND_INITIALIZER};
static pthread_once_t once = PTHREAD_ONCE_INIT;
static _Thread_local bool is_inside;
static _Thread_local const int *ending_flag;

static void pause_briefly(void)
{
#if defined(__x86_64__) || defined(__i386__)
	__builtin_ia32_pause();
#else
	atomic_signal_fence(memory_order_seq_cst);
#endif
}

/* After fork() the child has no helper threads. */
static void forget_threads(void)
{
	pthread_mutex_init(&team.mutex, NULL);
	pthread_cond_init(&team.work, NULL);
	pthread_cond_init(&team.rest, NULL);
	team.loops = NULL;
	team.count = team.idle = 0;
}

static void choose_policy(void)
{
	const char *policy = getenv("OMP_WAIT_POLICY");

	team.seconds_awake = SECONDS_AWAKE;
	if (policy != NULL && strcasecmp(policy, "passive") == 0)
		team.seconds_awake = 0.0;
	if (policy != NULL && strcasecmp(policy, "active") == 0)
		team.seconds_awake = SECONDS_AWAKE_ACTIVE;
	(void)pthread_atfork(NULL, NULL, forget_threads);
}

static void work_on(struct loop *loop, int worker)
{
	bool was_inside = is_inside;

	is_inside = true;
	for (;;) {
		int64_t first = atomic_fetch_add_explicit(&loop->next, loop->grain, memory_order_relaxed);
		if (first >= loop->count ||
		    (loop->flag != NULL && __atomic_load_n(loop->flag, __ATOMIC_RELAXED) != 0))
			break;
		loop->body(loop->state, first, first + loop->grain < loop->count ? first + loop->grain : loop->count,
			   worker);
	}
	is_inside = was_inside;
}

/* Called with the mutex held: a loop that needs help, or null. */
static struct loop *find_loop(void)
{
	for (struct loop *loop = team.loops; loop != NULL; loop = loop->after)
		if (loop->helpers > 0 && atomic_load_explicit(&loop->next, memory_order_relaxed) < loop->count)
			return loop;
	return NULL;
}

/* Waits actively for a while for more loops than `seen`. */
static void stay_awake(unsigned seen)
{
	double until = clock_seconds() + team.seconds_awake;

	do {
		for (int look = 0; look < LOOKS_PER_TIME; ++look) {
			if (atomic_load_explicit(&team.posted, memory_order_acquire) != seen)
				return;
			pause_briefly();
		}
	} while (clock_seconds() < until);
}

static void *help(void *unused)
{
	(void)unused;
	pthread_mutex_lock(&team.mutex);
	for (;;) {
		struct loop *loop = find_loop();
		if (loop == NULL) {
			unsigned seen = atomic_load_explicit(&team.posted, memory_order_relaxed);
			pthread_mutex_unlock(&team.mutex);
			stay_awake(seen);
			pthread_mutex_lock(&team.mutex);
			while (atomic_load_explicit(&team.posted, memory_order_relaxed) == seen) {
				++team.idle;
				pthread_cond_wait(&team.work, &team.mutex);
				--team.idle;
			}
			continue;
		}
		int worker = loop->workers++;
		--loop->helpers;
		atomic_fetch_add_explicit(&loop->active, 1, memory_order_relaxed);
		pthread_mutex_unlock(&team.mutex);
		work_on(loop, worker);
		pthread_mutex_lock(&team.mutex);
		/* the last use of the loop: its caller may return from here on */
		if (atomic_fetch_sub_explicit(&loop->active, 1, memory_order_release) == 1)
			pthread_cond_broadcast(&team.rest);
	}
	return NULL;
}

/* Called with the mutex held: as many threads as all loops need, or as many as are available. Signals are left to the
 * program's own threads. */
static void hire(void)
{
	sigset_t all, before;
	pthread_attr_t detached;
	pthread_t thread;
	int wanted = 0;

	for (const struct loop *loop = team.loops; loop != NULL; loop = loop->after)
		wanted += loop->helpers + atomic_load(&loop->active);
	if (team.count >= wanted || team.count >= MOST_THREADS || pthread_attr_init(&detached) != 0)
		return;
	(void)pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	while (team.count < wanted && team.count < MOST_THREADS &&
	       pthread_create(&thread, &detached, help, NULL) == 0)
		++team.count;
	if (wanted < MOST_THREADS && wanted - team.count > atomic_load(&team.refused))
		atomic_store(&team.refused, wanted - team.count);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	pthread_attr_destroy(&detached);
}

static void post(struct loop *loop)
{
	pthread_mutex_lock(&team.mutex);
	loop->after = team.loops;
	team.loops = loop;
	hire();
	atomic_fetch_add_explicit(&team.posted, 1, memory_order_release);
	for (int k = 0; k < loop->helpers && k < team.idle; ++k)
		pthread_cond_signal(&team.work);
	pthread_mutex_unlock(&team.mutex);
}

/* No thread joins a loop that is not in the list. */
static void withdraw(struct loop *loop)
{
	pthread_mutex_lock(&team.mutex);
	struct loop **link = &team.loops;
	while (*link != loop)
		link = &(*link)->after;
	*link = loop->after;
	pthread_mutex_unlock(&team.mutex);
}

static void wait_for_helpers(struct loop *loop)
{
	double until = clock_seconds() + team.seconds_awake;

	do {
		for (int look = 0; look < LOOKS_PER_TIME && atomic_load(&loop->active) > 0; ++look)
			pause_briefly();
	} while (atomic_load(&loop->active) > 0 && clock_seconds() < until);
	/* take the mutex even when none is left: the last one holds it until it has finished with the loop */
	pthread_mutex_lock(&team.mutex);
	while (atomic_load_explicit(&loop->active, memory_order_acquire) > 0)
		pthread_cond_wait(&team.rest, &team.mutex);
	pthread_mutex_unlock(&team.mutex);
}

void threads_for(int threads, int64_t count, int64_t grain, threads_body *body, void *state)
{
	if (count <= 0)
		return;
	grain = grain < 1 ? 1 : grain < count ? grain : count;
	int64_t parts = (count - 1) / grain + 1;
	threads = threads < 1 ? 1 : threads < MOST_THREADS ? threads : MOST_THREADS;
	struct loop loop = {.body = body,
			    .state = state,
			    .count = count,
			    .grain = grain,
			    .flag = ending_flag,
			    .workers = 1,
			    .helpers = (parts < threads ? (int)parts : threads) - 1};
	if (loop.helpers == 0 || is_inside) {
		work_on(&loop, 0);
		return;
	}
	pthread_once(&once, choose_policy);
	post(&loop);
	work_on(&loop, 0);
	withdraw(&loop);
	wait_for_helpers(&loop);
}

void threads_wait_for(const uint32_t *counter, uint32_t least)
{
	double until = 0.0;

	for (int look = 1; __atomic_load_n(counter, __ATOMIC_ACQUIRE) < least; ++look) {
		pause_briefly();
		if (look % LOOKS_PER_TIME != 0)
			continue;
		if (until == 0.0)
			until = clock_seconds() + team.seconds_awake;
		else if (clock_seconds() >= until)
			(void)nanosleep(&(struct timespec){.tv_nsec = NANOSECONDS_ASLEEP}, NULL);
	}
}

void threads_tell(uint32_t *counter, uint32_t value)
{
	__atomic_store_n(counter, value, __ATOMIC_RELEASE);
}

int threads_refused(void)
{
	return atomic_load(&team.refused);
}

void threads_end_when(const int *flag)
{
	ending_flag = flag;
}

sonde_status threads_completed(void)
{
	return ending_flag != NULL && __atomic_load_n(ending_flag, __ATOMIC_RELAXED) != 0
		   ? status_fail(SONDE_CANCELLED, "stopped on request")
		   : SONDE_OK;
}

#define PARTS_OF_THREAD 8

int64_t threads_grain(int threads, int64_t count)
{
	int64_t parts = (int64_t)(threads > 1 ? threads : 1) * PARTS_OF_THREAD;

	return count > parts ? (count - 1) / parts + 1 : 1;
}

int threads_available(void)
{
	const char *wanted = getenv("OMP_NUM_THREADS");
	char *end;
	long number = wanted != NULL ? strtol(wanted, &end, 10) : 0;
	cpu_set_t processors;

	if (number > 0 && (*end == '\0' || *end == ','))
		return number < MOST_THREADS ? (int)number : MOST_THREADS;
	if (sched_getaffinity(0, sizeof processors, &processors) == 0)
		return CPU_COUNT(&processors);
	number = sysconf(_SC_NPROCESSORS_ONLN);
	return number > 0 && number < MOST_THREADS ? (int)number : 1;
}
