/* A library for LD_PRELOAD that makes the n-th call of a kind fail, between the beginning of main() and the end of
 * the process:
 *
 *     SONDE_FAULT=KIND:N    the N-th call fails, from 1 on; KIND:N+ this one and all after it; KIND:0 none: they are counted
 *     SONDE_FAULT_ERRNO=E   the error number; default: one that suits the kind
 *     SONDE_FAULT_COUNT=F   a file that receives the number of calls
 *     SONDE_FAULT_LINKS=E   in addition, all calls of linkat() fail with error number E, as on file systems that make files without a name
 *                           and cannot give them one
 *
 * Kinds: memory (malloc, calloc, realloc, aligned_alloc, posix_memalign, memalign), hdf5 (those by the HDF5 library
 * of less than 1 MB, which memory leaves out: it does not survive them, and the program looks for memory before it
 * calls the library), loader (those by the dynamic linker, for the same reason: it ends the process where it has no
 * memory for data of a thread), thread (pthread_create), and system calls of any caller, including the C library's
 * stdio: write (write, pwrite64, writev; not to the standard error), sync, name (rename, link, mkdir), open, map.
 *
 * System calls are caught by a seccomp filter that raises SIGSYS; its handler makes the call itself, with a mark in the sixth
 * argument by which the filter knows it, or reports failure. Where there is no such filter the process ends with 77 at once.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#define CANNOT 77
#define MARK 0x50de
#define SMALL ((size_t)1 << 20)
#define MOST_CALLS 8
#define COUNT(a) (sizeof(a) / sizeof *(a))

enum kind { NONE, MEMORY, HDF5, LOADER, THREAD, WRITE, SYNC, NAME, OPEN, MAP };
static const struct {
	const char *name;
	int reason;
	int calls[MOST_CALLS]; /* of the system; 0 ends them, which is read() */
} kinds[] = {
    [NONE] = {"none", 0, {0}},
    [MEMORY] = {"memory", ENOMEM, {0}},
    [HDF5] = {"hdf5", ENOMEM, {0}},
    [LOADER] = {"loader", ENOMEM, {0}},
    [THREAD] = {"thread", EAGAIN, {0}},
#ifdef __x86_64__
    [WRITE] = {"write", ENOSPC, {SYS_write, SYS_pwrite64, SYS_writev, SYS_pwritev}},
    [SYNC] = {"sync", EIO, {SYS_fsync, SYS_fdatasync}},
    [NAME] = {"name", EIO, {SYS_rename, SYS_renameat, SYS_renameat2, SYS_link, SYS_linkat, SYS_mkdir, SYS_mkdirat}},
    [OPEN] = {"open", EMFILE, {SYS_open, SYS_openat}},
    [MAP] = {"map", ENOMEM, {SYS_mmap}},
#endif
};

static enum kind kind;
static long first;
static int onwards, reason, counting;
static atomic_long calls;

/* Whether the next call of this kind fails. */
static int fails(void)
{
	long number = atomic_fetch_add(&calls, 1) + 1;

	return first > 0 && (onwards ? number >= first : number == first);
}

/* Code of the HDF5 library: one range where it is a shared library, one a function where the program has it in itself. */
struct range {
	uintptr_t begin, end;
};

static struct range *hdf5_code;
static size_t hdf5_ranges;

static int is_hdf5(const void *caller)
{
	size_t low = 0, high = hdf5_ranges;

	while (low < high) {
		const size_t middle = (low + high) / 2;

		if (hdf5_code[middle].end <= (uintptr_t)caller)
			low = middle + 1;
		else
			high = middle;
	}
	return low < hdf5_ranges && hdf5_code[low].begin <= (uintptr_t)caller;
}

static struct range linker;

static int find_linker(struct dl_phdr_info *library, size_t size, void *unused)
{
	(void)size;
	(void)unused;
	if (strstr(library->dlpi_name, "/ld-") == NULL)
		return 0;
	linker.begin = (uintptr_t)library->dlpi_addr;
	for (int k = 0; k < library->dlpi_phnum; ++k)
		if (library->dlpi_phdr[k].p_type == PT_LOAD)
			linker.end = linker.begin + library->dlpi_phdr[k].p_vaddr + library->dlpi_phdr[k].p_memsz;
	return 1;
}

static int find_shared_hdf5(struct dl_phdr_info *library, size_t size, void *unused)
{
	static struct range whole;

	(void)size;
	(void)unused;
	if (strstr(library->dlpi_name, "libhdf5") == NULL || strstr(library->dlpi_name, "_hl") != NULL)
		return 0;
	whole.begin = (uintptr_t)library->dlpi_addr;
	for (int k = 0; k < library->dlpi_phnum; ++k)
		if (library->dlpi_phdr[k].p_type == PT_LOAD)
			whole.end = whole.begin + library->dlpi_phdr[k].p_vaddr + library->dlpi_phdr[k].p_memsz;
	hdf5_code = &whole;
	hdf5_ranges = 1;
	return 1;
}

static int by_begin(const void *a, const void *b)
{
	const struct range *x = a, *y = b;

	return (x->begin > y->begin) - (x->begin < y->begin);
}

/* The program itself comes first. Its table of symbols names the functions of HDF5 H5... */
static int find_own_hdf5(struct dl_phdr_info *program, size_t size, void *unused)
{
	const int file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	struct stat about;

	(void)size;
	(void)unused;
	if (file < 0 || fstat(file, &about) != 0)
		_exit(CANNOT);
	const char *image = mmap(NULL, (size_t)about.st_size, PROT_READ, MAP_PRIVATE, file, 0);
	close(file);
	if (image == MAP_FAILED)
		_exit(CANNOT);
	const ElfW(Ehdr) *header = (const void *)image;
	const ElfW(Shdr) *sections = (const void *)(image + header->e_shoff);
	for (int s = 0; s < header->e_shnum; ++s) {
		if (sections[s].sh_type != SHT_SYMTAB)
			continue;
		const ElfW(Sym) *symbols = (const void *)(image + sections[s].sh_offset);
		const char *names = image + sections[sections[s].sh_link].sh_offset;
		const size_t count = sections[s].sh_size / sizeof *symbols;
		hdf5_code = mmap(NULL, (count + 1) * sizeof *hdf5_code, PROT_READ | PROT_WRITE,
				 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (hdf5_code == MAP_FAILED)
			_exit(CANNOT);
		for (size_t k = 0; k < count; ++k)
			if ((symbols[k].st_info & 15) == STT_FUNC &&
			    strncmp(names + symbols[k].st_name, "H5", 2) == 0 && symbols[k].st_size > 0)
				hdf5_code[hdf5_ranges++] = (struct range){
				    (uintptr_t)program->dlpi_addr + symbols[k].st_value,
				    (uintptr_t)program->dlpi_addr + symbols[k].st_value + symbols[k].st_size};
	}
	qsort(hdf5_code, hdf5_ranges, sizeof *hdf5_code, by_begin);
	return 1;
}

static void find_hdf5(void)
{
	dl_iterate_phdr(find_shared_hdf5, NULL);
	if (hdf5_ranges == 0)
		dl_iterate_phdr(find_own_hdf5, NULL);
}

static int memory_fails(size_t size, const void *caller)
{
	const uintptr_t code = (uintptr_t)caller;

	if ((kind != MEMORY && kind != HDF5 && kind != LOADER) || !counting)
		return 0;
	const enum kind mine = linker.begin <= code && code < linker.end ? LOADER
			       : size < SMALL && is_hdf5(caller)         ? HDF5
									 : MEMORY;
	if (mine != kind || !fails())
		return 0;
	errno = reason;
	return 1;
}

#define FAILS(size) memory_fails(size, __builtin_return_address(0))

/* Memory ---------------------------------------------------------------------------------- */

extern void *__libc_malloc(size_t size), *__libc_calloc(size_t count, size_t size),
    *__libc_realloc(void *memory, size_t size), *__libc_memalign(size_t alignment, size_t size);

void *malloc(size_t size)
{
	return FAILS(size) ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
	return FAILS(count * size) ? NULL : __libc_calloc(count, size);
}

void *realloc(void *memory, size_t size)
{
	return FAILS(size) ? NULL : __libc_realloc(memory, size);
}

void *memalign(size_t alignment, size_t size)
{
	return FAILS(size) ? NULL : __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
	return FAILS(size) ? NULL : __libc_memalign(alignment, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size)
{
	void *found = FAILS(size) ? NULL : __libc_memalign(alignment, size);

	if (found == NULL)
		return ENOMEM;
	*memory = found;
	return 0;
}

/* By its caller, too, and not as the C library's own. */
char *strdup(const char *text)
{
	size_t size = strlen(text) + 1;
	char *copy = FAILS(size) ? NULL : __libc_malloc(size);

	return copy != NULL ? memcpy(copy, text, size) : NULL;
}

int vasprintf(char **text, const char *format, va_list arguments)
{
	va_list again;

	va_copy(again, arguments);
	int length = vsnprintf(NULL, 0, format, again);
	va_end(again);
	*text = length < 0 || FAILS((size_t)length + 1) ? NULL : __libc_malloc((size_t)length + 1);
	return *text != NULL ? vsnprintf(*text, (size_t)length + 1, format, arguments) : -1;
}

/* Threads ----------------------------------------------------------------------------------- */

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *argument)
{
	static int (*real)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);

	if (kind == THREAD && counting && fails())
		return reason;
	if (real == NULL)
		*(void **)&real = dlsym(RTLD_NEXT, "pthread_create");
	return real(thread, attributes, start, argument);
}

/* A thread that blocks SIGSYS would end the process instead of failing. */
static const sigset_t *without_trap(const sigset_t *set, sigset_t *copy)
{
	if (set == NULL)
		return NULL;
	*copy = *set;
	sigdelset(copy, SIGSYS);
	return copy;
}

int pthread_sigmask(int how, const sigset_t *set, sigset_t *before)
{
	static int (*real)(int, const sigset_t *, sigset_t *);
	sigset_t copy;

	if (real == NULL)
		*(void **)&real = dlsym(RTLD_NEXT, "pthread_sigmask");
	return real(how, how == SIG_UNBLOCK ? set : without_trap(set, &copy), before);
}

/* System calls -------------------------------------------------------------------------------- */

#ifdef __x86_64__
static long call(long number, long a, long b, long c, long d, long e, long f)
{
	register long r10 __asm__("r10") = d, r8 __asm__("r8") = e, r9 __asm__("r9") = f;
	long result;

	__asm__ volatile("syscall"
			 : "=a"(result)
			 : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
			 : "rcx", "r11", "memory");
	return result;
}

static void on_call(int signal_number, siginfo_t *information, void *context)
{
	greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;

	(void)signal_number;
	/* faults of writing to the standard error do not matter: its text is for people */
	int failed = counting && !(kind == WRITE && registers[REG_RDI] == STDERR_FILENO) && fails();
	registers[REG_RAX] = failed ? -reason
				    : call(information->si_syscall, registers[REG_RDI], registers[REG_RSI],
					   registers[REG_RDX], registers[REG_R10], registers[REG_R8], MARK);
}

static int trap_calls(void)
{
	struct sock_filter program[8 + MOST_CALLS];
	size_t size = 0, count = 0;
	struct sigaction action = {.sa_sigaction = on_call, .sa_flags = SA_SIGINFO | SA_NODEFER};

	while (count < MOST_CALLS && kinds[kind].calls[count] != 0)
		++count;
	program[size++] =
	    (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[5]));
	program[size++] =
	    (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, MARK, (unsigned char)(count + 1), 0);
	program[size++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
	for (size_t k = 0; k < count; ++k)
		program[size++] = (struct sock_filter)BPF_JUMP(
		    BPF_JMP | BPF_JEQ | BPF_K, (unsigned)kinds[kind].calls[k], (unsigned char)(count - k), 0);
	program[size++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	program[size++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP);
	struct sock_fprog filter = {.len = (unsigned short)size, .filter = program};
	sigemptyset(&action.sa_mask);
	return sigaction(SIGSYS, &action, NULL) == 0 && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
	       prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0;
}

static int refuse_links(int why)
{
	struct sock_filter program[] = {
	    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
	    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_linkat, 0, 1),
	    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ((unsigned)why & SECCOMP_RET_DATA)),
	    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog filter = {.len = COUNT(program), .filter = program};

	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
	       prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0;
}
#else
static long call(long number, long a, long b, long c, long d, long e, long f)
{
	(void)f;
	return syscall(number, a, b, c, d, e);
}

static int refuse_links(int why)
{
	(void)why;
	return 0;
}

static int trap_calls(void)
{
	return 0;
}
#endif

/* Beginning and end ---------------------------------------------------------------------------- */

static int (*program_main)(int, char **, char **);

static void choose(const char *fault)
{
	const char *colon = fault != NULL ? strchr(fault, ':') : NULL, *other = getenv("SONDE_FAULT_ERRNO"),
		   *links = getenv("SONDE_FAULT_LINKS");

	if (links != NULL && !refuse_links(atoi(links)))
		_exit(CANNOT);
	if (colon == NULL)
		return;
	for (size_t k = 0; k < COUNT(kinds); ++k)
		if (kinds[k].name != NULL && strlen(kinds[k].name) == (size_t)(colon - fault) &&
		    strncmp(kinds[k].name, fault, (size_t)(colon - fault)) == 0)
			kind = (enum kind)k;
	first = strtol(colon + 1, NULL, 10);
	onwards = strchr(colon, '+') != NULL;
	reason = other != NULL ? atoi(other) : kinds[kind].reason;
	if (kind == NONE || (kind >= WRITE && !trap_calls()))
		_exit(CANNOT);
	if (kind == MEMORY || kind == HDF5)
		find_hdf5();
	dl_iterate_phdr(find_linker, NULL);
	/* a program without symbols: what that library does without memory would be taken for an error of the program's */
	if ((kind == MEMORY || kind == HDF5) && hdf5_ranges == 0 &&
	    strcmp(program_invocation_short_name, "sonde") == 0)
		_exit(CANNOT);
	counting = 1;
}

static void report(void)
{
	char digits[24], *end = digits + sizeof digits;
	const char *path = getenv("SONDE_FAULT_COUNT");
	long number = atomic_load(&calls);

	counting = 0;
	if (path == NULL)
		return;
	do
		*--end = (char)('0' + number % 10);
	while ((number /= 10) > 0);
	long file = call(SYS_openat, AT_FDCWD, (long)path, O_WRONLY | O_CREAT | O_TRUNC, 0666, 0, MARK);
	if (file >= 0) {
		call(SYS_write, file, (long)end, digits + sizeof digits - end, 0, 0, MARK);
		close((int)file);
	}
}

/* The end of the program is the C library's and the loader's work: no faults from there on. */
static int main_with_faults(int argc, char **argv, char **environment)
{
	choose(getenv("SONDE_FAULT"));
	int result = program_main(argc, argv, environment);
	report();
	return result;
}

int __libc_start_main(int (*start)(int, char **, char **), int argc, char **argv, int (*init)(int, char **, char **),
		      void (*fini)(void), void (*loader_fini)(void), void *stack_end);
int __libc_start_main(int (*start)(int, char **, char **), int argc, char **argv, int (*init)(int, char **, char **),
		      void (*fini)(void), void (*loader_fini)(void), void *stack_end)
{
	int (*real)(int (*)(int, char **, char **), int, char **, int (*)(int, char **, char **), void (*)(void),
		    void (*)(void), void *);

	*(void **)&real = dlsym(RTLD_NEXT, "__libc_start_main");
	program_main = start;
	return real(main_with_faults, argc, argv, init, fini, loader_fini, stack_end);
}
