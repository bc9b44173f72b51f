/* Two threads that count without synchronization, which ThreadSanitizer must report. */
#include <pthread.h>
#include <stdio.h>

static long count;

static void *add(void *unused)
{
	(void)unused;
	for (int k = 0; k < 100000; ++k)
		++count;
	return NULL;
}

int main(void)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, add, NULL) != 0)
		return 1;
	(void)add(NULL);
	pthread_join(thread, NULL);
	printf("%ld\n", count);
	return 0;
}
