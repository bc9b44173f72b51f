/* The module libsonde_mpi.so: the only code that calls MPI. It needs nothing of Sonde but its header, so that it can be compiled for
 * another MPI alone:
 *
 *     mpicc -O2 -fPIC -shared -Isrc src/parallel/mpi_module.c -o libsonde_mpi.so
 */
#include <mpi.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "parallel/mpi_functions.h"

#define TAG 1
#define TAG_OF_TRANSFERS 2
#define LOOKS 200             /* before the first sleep */
#define YIELDS 20000          /* before the first sleep in a transfer */
#define SHORTEST_SLEEP 20000  /* nanoseconds */
#define LONGEST_SLEEP 2000000 /* nanoseconds */

static MPI_Comm all_ranks = MPI_COMM_NULL;
static MPI_Datatype pair_type = MPI_DATATYPE_NULL;
static MPI_Op pair_sum = MPI_OP_NULL;

static void add_pairs(void *from, void *to, int *count, MPI_Datatype *type)
{
	(void)type;
	for (int k = 0; k < *count; ++k) {
		__int128 a, b; /* MPI's buffers need not be aligned for them */
		memcpy(&a, (char *)from + 16 * (size_t)k, 16);
		memcpy(&b, (char *)to + 16 * (size_t)k, 16);
		b = (__int128)((unsigned __int128)a + (unsigned __int128)b);
		memcpy((char *)to + 16 * (size_t)k, &b, 16);
	}
}

static const char *start(struct mpi_place *place)
{
	char name[MPI_MAX_PROCESSOR_NAME + 1] = "", library[MPI_MAX_LIBRARY_VERSION_STRING + 1] = "";
	int given, length, started = 0;
	MPI_Comm node;

	MPI_Initialized(&started);
	if (started)
		return "MPI is in use by another part of the process";
	if (MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &given) != MPI_SUCCESS)
		return "MPI_Init_thread() failed";
	if (given < MPI_THREAD_FUNNELED)
		return "this MPI does not allow threads (MPI_THREAD_FUNNELED)";
	MPI_Comm_dup(MPI_COMM_WORLD, &all_ranks);
	MPI_Comm_rank(all_ranks, &place->rank);
	MPI_Comm_size(all_ranks, &place->size);
	MPI_Comm_split_type(all_ranks, MPI_COMM_TYPE_SHARED, place->rank, MPI_INFO_NULL, &node);
	MPI_Comm_rank(node, &place->local_rank);
	MPI_Comm_size(node, &place->local_size);
	MPI_Comm_free(&node);
	MPI_Get_processor_name(name, &length);
	snprintf(place->host, sizeof place->host, "%.63s", name);
	MPI_Get_library_version(library, &length);
	snprintf(place->library, sizeof place->library, "%.*s", (int)strcspn(library, ",\n"), library);
	for (char *c = place->library; *c != '\0'; ++c)
		*c = *c == '\t' ? ' ' : *c;
	MPI_Type_contiguous(16, MPI_BYTE, &pair_type);
	MPI_Type_commit(&pair_type);
	MPI_Op_create(add_pairs, 1, &pair_sum);
	return NULL;
}

static void meet(const int64_t *mine, int64_t *all, int count)
{
	struct timespec pause = {0, SHORTEST_SLEEP};
	MPI_Request request;
	int done = 0;

	MPI_Iallgather(mine, count, MPI_INT64_T, all, count, MPI_INT64_T, all_ranks, &request);
	for (int looks = 0; !done; ++looks) {
		MPI_Test(&request, &done, MPI_STATUS_IGNORE);
		if (done || looks < LOOKS)
			continue;
		nanosleep(&pause, NULL);
		pause.tv_nsec = 2 * pause.tv_nsec < LONGEST_SLEEP ? 2 * pause.tv_nsec : LONGEST_SLEEP;
	}
	MPI_Wait(&request, MPI_STATUS_IGNORE); /* it is complete */
}

static void broadcast(void *bytes, int count, int from)
{
	MPI_Bcast(bytes, count, MPI_BYTE, from, all_ranks);
}

static void sum_words(uint64_t *words, int count)
{
	MPI_Allreduce(MPI_IN_PLACE, words, count, MPI_UINT64_T, MPI_SUM, all_ranks);
}

static void sum_pairs(__int128 *numbers, int count)
{
	MPI_Allreduce(MPI_IN_PLACE, numbers, count, pair_type, pair_sum, all_ranks);
}

static void gather(const void *mine, int count, void *all, const int *counts, const int *offsets)
{
	MPI_Allgatherv(mine, count, MPI_BYTE, all, counts, offsets, MPI_BYTE, all_ranks);
}

static void collect(const void *mine, int count, void *all, const int *counts, const int *offsets)
{
	MPI_Gatherv(mine, count, MPI_BYTE, all, counts, offsets, MPI_BYTE, 0, all_ranks);
}

static void send(const void *message, int size, int to)
{
	MPI_Send(message, size, MPI_BYTE, to, TAG, all_ranks);
}

static int receive(void *message, int size, int *from)
{
	MPI_Status status;
	int there;

	MPI_Iprobe(MPI_ANY_SOURCE, TAG, all_ranks, &there, &status);
	if (!there)
		return 0;
	*from = status.MPI_SOURCE;
	MPI_Recv(message, size, MPI_BYTE, *from, TAG, all_ranks, MPI_STATUS_IGNORE);
	return 1;
}

static MPI_Request transfers[MPI_MOST_TRANSFERS];
static unsigned char taken[MPI_MOST_TRANSFERS];

static int begin_transfer(const struct mpi_transfer *transfer)
{
	int number = 0;

	while (number + 1 < MPI_MOST_TRANSFERS && taken[number])
		++number;
	MPI_Request *request = &transfers[number];

	if (transfer->sends)
		MPI_Isend(transfer->bytes, (int)transfer->size, MPI_BYTE, transfer->rank, TAG_OF_TRANSFERS, all_ranks,
			  request);
	else
		MPI_Irecv(transfer->bytes, (int)transfer->size, MPI_BYTE, transfer->rank, TAG_OF_TRANSFERS, all_ranks,
			  request);
	taken[number] = 1;
	return number;
}

/* Neighbors are usually ready at about the same time, but one of them may be much slower. */
static void wait_for(MPI_Request *requests, int count, int waits, int *done)
{
	const struct timespec pause = {0, SHORTEST_SLEEP};

	*done = 0;
	for (long looks = 0; !*done && (looks == 0 || waits); ++looks) {
		MPI_Testall(count, requests, done, MPI_STATUSES_IGNORE);
		if (!*done && waits && looks > YIELDS)
			nanosleep(&pause, NULL);
		else if (!*done && waits && looks > LOOKS)
			sched_yield();
	}
}

static int has_arrived(int number, int waits)
{
	int done;

	wait_for(&transfers[number], 1, waits, &done);
	taken[number] = !done;
	return done;
}

static void end_transfers(void)
{
	int done;

	for (int n = 0; n < MPI_MOST_TRANSFERS; ++n)
		if (taken[n])
			wait_for(&transfers[n], 1, 1, &done);
	memset(taken, 0, sizeof taken);
}

static void end_job(int code)
{
	MPI_Abort(all_ranks, code);
}

static void finish(void)
{
	MPI_Op_free(&pair_sum);
	MPI_Type_free(&pair_type);
	MPI_Comm_free(&all_ranks);
	MPI_Finalize();
}

mpi_functions_of_module sonde_mpi_functions;

__attribute__((visibility("default"))) const struct mpi_functions *sonde_mpi_functions(void)
{
	static const struct mpi_functions functions = {.version = MPI_FUNCTIONS_VERSION,
						       .start = start,
						       .meet = meet,
						       .broadcast = broadcast,
						       .sum_words = sum_words,
						       .sum_pairs = sum_pairs,
						       .gather = gather,
						       .collect = collect,
						       .send = send,
						       .receive = receive,
						       .begin_transfer = begin_transfer,
						       .has_arrived = has_arrived,
						       .end_transfers = end_transfers,
						       .abort = end_job,
						       .finish = finish};

	return &functions;
}
