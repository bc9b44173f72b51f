/* Sizes of the processor's caches. */
#ifndef SONDE_DEVICE_CACHES_H
#define SONDE_DEVICE_CACHES_H

/* Bytes of the largest cache that a core has access to: processors of several dies have several. */
double caches_last(void);
/* Bytes of the caches for each of the given number of threads: its part of the last one, or its core's own if that is larger. */
double caches_of_thread(int threads);

#endif
