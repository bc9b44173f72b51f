/* What the module libsonde_mpi.so offers: the few functions of MPI that Sonde uses. The module is compiled for one MPI
 * and opened at run time; nothing else knows MPI. All functions are called by the main thread. An error of MPI ends the job, by MPI's
 * own handler of errors. */
#ifndef SONDE_PARALLEL_MPI_FUNCTIONS_H
#define SONDE_PARALLEL_MPI_FUNCTIONS_H

#include <stddef.h>
#include <stdint.h>

#define MPI_FUNCTIONS_VERSION 3
#define MPI_FUNCTIONS_SYMBOL "sonde_mpi_functions"
#define MPI_HOST_SIZE 64

struct mpi_place {
	int rank, size;
	int local_rank, local_size; /* among the ranks of one node */
	char host[MPI_HOST_SIZE];
	char library[64];
};

/* Bytes to another rank, or from it. */
struct mpi_transfer {
	int rank, sends;
	void *bytes;
	size_t size;
};

#define MPI_MOST_TRANSFERS 256

struct mpi_functions {
	int version; /* MPI_FUNCTIONS_VERSION */
	/* Null, or the reason for which MPI cannot be used. */
	const char *(*start)(struct mpi_place *place);
	/* all[size][count] = mine[count] of all ranks. Waits without taking processor time, since some may come much later. */
	void (*meet)(const int64_t *mine, int64_t *all, int count);
	/* The others are called by all ranks at about the same time, and wait actively. */
	void (*broadcast)(void *bytes, int count, int from);
	void (*sum_words)(uint64_t *words, int count);
	void (*sum_pairs)(__int128 *numbers, int count);
	/* The bytes of all ranks, one after the other. */
	void (*gather)(const void *mine, int count, void *all, const int *counts, const int *offsets);
	/* The same for rank 0 alone; `all` is null on the others. */
	void (*collect)(const void *mine, int count, void *all, const int *counts, const int *offsets);
	/* Short messages. receive() returns 0 if there is none. */
	void (*send)(const void *message, int size, int to);
	int (*receive)(void *message, int size, int *from);
	/* Begins a transfer, and returns its number: at most MPI_MOST_TRANSFERS at a time. Those between two ranks in one direction are
	 * matched in their order. has_arrived(): whether one is complete; if `waits`, once it is: then its number may be that of
	 * another. end_transfers() waits for all. */
	int (*begin_transfer)(const struct mpi_transfer *transfer);
	int (*has_arrived)(int number, int waits);
	void (*end_transfers)(void);
	void (*abort)(int code);
	void (*finish)(void);
};

typedef const struct mpi_functions *mpi_functions_of_module(void);

#endif
