/* Memory and events for other processes, in the simulated driver cuda.c: with FAKE_CUDA_SHARING memory is in files without a name,
 * which another process opens by way of /proc.
 *
 *     FAKE_CUDA_SHARING=works    memory and events can be shared
 *                       refused  other processes cannot open them (error 1)
 *                       lies     they get other memory
 *
 * Without it nothing can be shared (error 801). */
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fakes/cuda.h"

#define NOT_SUPPORTED 801
#define MOST_TAKEN 64

struct ticket {
	char kind[8];
	int process, file;
	size_t bytes;
};
_Static_assert(sizeof(struct ticket) <= sizeof(struct cuda_ticket), "a ticket has 64 bytes");

static struct {
	char *memory;
	size_t bytes;
} taken[MOST_TAKEN];

static bool shares(const char *behaviour)
{
	return fake_plays("FAKE_CUDA_SHARING", behaviour);
}

bool cuda_memory_is_shared(void)
{
	return getenv("FAKE_CUDA_SHARING") != NULL;
}

char *cuda_shared_memory(size_t bytes, int *file)
{
	*file = memfd_create("fake GPU", MFD_CLOEXEC);
	char *memory = *file >= 0 && ftruncate(*file, (off_t)bytes) == 0
			   ? mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, *file, 0)
			   : MAP_FAILED;

	if (memory != MAP_FAILED)
		return memory;
	if (*file >= 0)
		(void)close(*file);
	*file = -1;
	return NULL;
}

static void write_ticket(struct cuda_ticket *to, const char *kind, int file, size_t bytes)
{
	struct ticket ticket = {.process = getpid(), .file = file, .bytes = bytes};

	snprintf(ticket.kind, sizeof ticket.kind, "%s", kind);
	memset(to, 0, sizeof *to);
	memcpy(to, &ticket, sizeof ticket);
}

/* Of another process only, as the manual demands. */
static bool read_ticket(const struct cuda_ticket *from, const char *kind, struct ticket *ticket)
{
	memcpy(ticket, from, sizeof *ticket);
	return strncmp(ticket->kind, kind, sizeof ticket->kind) == 0 && ticket->process != getpid();
}

EXPORT(cuda_result, cuIpcGetMemHandle, struct cuda_ticket *ticket, cuda_pointer pointer)
{
	size_t bytes;
	int file;

	ENTER();
	if (!cuda_memory_is_shared())
		return cuda_fault(NOT_SUPPORTED);
	if (!cuda_file_of(pointer, &file, &bytes))
		return cuda_misuse(INVALID_VALUE);
	write_ticket(ticket, "memory", file, bytes);
	return 0;
}

static char *map(const struct ticket *ticket)
{
	char path[64];

	snprintf(path, sizeof path, "/proc/%d/fd/%d", ticket->process, ticket->file);
	int file = shares("lies") ? memfd_create("other memory", MFD_CLOEXEC) : open(path, O_RDWR | O_CLOEXEC);
	if (file < 0 || (shares("lies") && ftruncate(file, (off_t)ticket->bytes) != 0))
		return NULL;
	char *memory = mmap(NULL, ticket->bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
	(void)close(file);
	return memory != MAP_FAILED ? memory : NULL;
}

EXPORT(cuda_result, cuIpcOpenMemHandle_v2, cuda_pointer *pointer, struct cuda_ticket from, unsigned flags)
{
	struct ticket ticket;
	int n = 0;

	ENTER();
	if (!read_ticket(&from, "memory", &ticket) || flags != CUDA_TAKEN_MEMORY_OF_PEERS)
		return cuda_misuse(INVALID_VALUE);
	while (n < MOST_TAKEN && taken[n].memory != NULL)
		++n;
	char *memory = shares("refused") || n == MOST_TAKEN ? NULL : map(&ticket);
	if (memory == NULL || !cuda_add_addresses(memory, ticket.bytes))
		return cuda_fault(INVALID_VALUE);
	taken[n].memory = memory;
	taken[n].bytes = ticket.bytes;
	cuda_count_left(1);
	*pointer = (cuda_pointer)(uintptr_t)memory;
	return 0;
}

EXPORT(cuda_result, cuIpcCloseMemHandle, cuda_pointer pointer)
{
	ENTER();
	for (int n = 0; n < MOST_TAKEN; ++n) {
		if (taken[n].memory == NULL || (uintptr_t)taken[n].memory != (uintptr_t)pointer)
			continue;
		if (!cuda_remove_addresses(taken[n].memory) || munmap(taken[n].memory, taken[n].bytes) != 0)
			break;
		taken[n].memory = NULL;
		cuda_count_left(-1);
		return 0;
	}
	return cuda_misuse(INVALID_VALUE);
}

EXPORT(cuda_result, cuIpcGetEventHandle, struct cuda_ticket *ticket, cuda_event event)
{
	ENTER();
	if (event->device != cuda_current->device ||
	    event->flags != (CUDA_EVENT_WITHOUT_TIME | CUDA_EVENT_BETWEEN_PROCESSES))
		return cuda_misuse(INVALID_HANDLE);
	if (!cuda_memory_is_shared())
		return cuda_fault(NOT_SUPPORTED);
	write_ticket(ticket, "event", -1, 0);
	return 0;
}

EXPORT(cuda_result, cuIpcOpenEventHandle, cuda_event *event, struct cuda_ticket from)
{
	struct ticket ticket;

	ENTER();
	if (!read_ticket(&from, "event", &ticket))
		return cuda_misuse(INVALID_VALUE);
	if (shares("refused"))
		return cuda_fault(INVALID_VALUE);
	*event = cuda_create(sizeof **event);
	(*event)->flags = CUDA_EVENT_WITHOUT_TIME | CUDA_EVENT_BETWEEN_PROCESSES;
	return 0;
}
