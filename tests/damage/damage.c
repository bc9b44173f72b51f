/* Damages a file in many ways and checks how a program handles it:
 *
 *     damage [--cases N] [--seed S] [--sealed] [--result FILE] NAME SOUND DAMAGED COMMAND...
 *
 * SOUND is copied to DAMAGED, changed, and COMMAND is run, which reads DAMAGED. The same is done first without a
 * change, which must succeed. The command may succeed or end with exit code 2 or 3, and must then print one line on
 * stderr, after any warnings. Counted are crashes (ends by a signal), hangs (more than a minute), other ends, and
 * files that are accepted although the output of the command, or FILE, differs from that of the sound file: a fault
 * if files have a checksum (--sealed). Prints a line of counts; exit code 1 if there is a fault, with DAMAGED kept as
 * NAME.fault-N in the folder of DAMAGED.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define SECONDS 60
#define LONGEST 600 /* bytes of a hole, or of blocks that are exchanged */

struct bytes {
	unsigned char *data;
	size_t size;
};

struct outcome {
	int how; /* as waitpid() says */
	bool hung;
	struct bytes out, err, result;
};

static _Noreturn void give_up(const char *what)
{
	fprintf(stderr, "damage: %s: %s\n", what, strerror(errno));
	exit(3);
}

/* Absent files are empty. */
static struct bytes read_file(const char *path)
{
	struct bytes bytes = {NULL, 0};
	FILE *file = fopen(path, "rb");
	size_t room = 0, got = 1;

	while (file != NULL && got > 0) {
		if (bytes.size == room) {
			room = room * 2 + 65536;
			bytes.data = realloc(bytes.data, room);
			if (bytes.data == NULL)
				give_up("memory");
		}
		got = fread(bytes.data + bytes.size, 1, room - bytes.size, file);
		bytes.size += got;
	}
	if (file != NULL)
		fclose(file);
	return bytes;
}

static void write_file(const char *path, struct bytes bytes)
{
	FILE *file = fopen(path, "wb");

	if (file == NULL || fwrite(bytes.data, 1, bytes.size, file) != bytes.size || fclose(file) != 0)
		give_up(path);
}

static bool same(struct bytes a, struct bytes b)
{
	return a.size == b.size && (a.size == 0 || memcmp(a.data, b.data, a.size) == 0);
}

/* xorshift64*, Vigna, ACM Trans. Math. Softw. 42 (2016) 30. */
static uint64_t state;
static uint64_t draw(uint64_t below)
{
	state ^= state >> 12;
	state ^= state << 25;
	state ^= state >> 27;
	return (state * 0x2545f4914f6cdd1du >> 16) % below;
}

static void change(struct bytes *bytes)
{
	unsigned char block[LONGEST];
	const size_t size = bytes->size, longest = size / 4 < LONGEST ? size / 4 : LONGEST,
		     length = 1 + (size_t)draw(longest > 0 ? longest : 1);
	const size_t from = (size_t)draw(size - length + 1), to = (size_t)draw(size - length + 1);

	switch (draw(5)) {
	case 0: /* some bits */
		for (uint64_t k = draw(4); k < 4; ++k)
			bytes->data[draw(size)] ^= (unsigned char)(1u << draw(8));
		return;
	case 1:
		memset(bytes->data + from, 0, length);
		return;
	case 2:
		bytes->size = (size_t)draw(size);
		return;
	case 3: /* blocks that are exchanged; overlapping ones are moved */
		memcpy(block, bytes->data + from, length);
		memmove(bytes->data + from, bytes->data + to, length);
		memcpy(bytes->data + to, block, length);
		return;
	default: /* noise */
		for (size_t k = 0; k < length; ++k)
			bytes->data[from + k] = (unsigned char)draw(256);
	}
}

static void redirect(const char *path, int to)
{
	const int file = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);

	if (file < 0 || dup2(file, to) < 0)
		_exit(126);
}

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Wakes who waits. */
static void on_end(int number)
{
	(void)number;
}

/* Waits for a process or kills it. */
static bool wait_for(pid_t child, int *how)
{
	const double until = now() + SECONDS;
	const struct timespec moment = {0, 20000000};

	for (;;) {
		const pid_t found = waitpid(child, how, WNOHANG);
		if (found == child)
			return true;
		if (found < 0 && errno != EINTR)
			give_up("waitpid");
		if (now() > until) {
			kill(child, SIGKILL);
			waitpid(child, how, 0);
			return false;
		}
		nanosleep(&moment, NULL); /* until the process ends, which is a signal */
	}
}

static struct outcome run(char **command, const char *damaged, const char *result)
{
	struct outcome outcome = {.how = 0};
	char out[4096], err[4096];

	snprintf(out, sizeof out, "%s.stdout", damaged);
	snprintf(err, sizeof err, "%s.stderr", damaged);
	if (result != NULL)
		unlink(result);
	const pid_t child = fork();
	if (child == 0) {
		redirect("/dev/null", 0);
		redirect(out, 1);
		redirect(err, 2);
		execvp(command[0], command);
		_exit(127);
	}
	if (child < 0)
		give_up("fork");
	outcome.hung = !wait_for(child, &outcome.how);
	outcome.out = read_file(out);
	outcome.err = read_file(err);
	if (result != NULL)
		outcome.result = read_file(result);
	unlink(out);
	unlink(err);
	return outcome;
}

static void release(struct outcome *outcome)
{
	free(outcome->out.data);
	free(outcome->err.data);
	free(outcome->result.data);
}

/* Warnings, and a last line that says what was wrong. */
static bool is_message(struct bytes text)
{
	static const char warning[] = "sonde: warning: ";
	const unsigned char *line = text.data, *end = text.data + text.size, *next;

	if (text.size < 2 || end[-1] != '\n')
		return false;
	while ((next = memchr(line, '\n', (size_t)(end - line))) != NULL && next + 1 < end) {
		if ((size_t)(next - line) < sizeof warning || memcmp(line, warning, sizeof warning - 1) != 0)
			return false;
		line = next + 1;
	}
	return true;
}

enum verdict { REFUSED, SAME, DIFFERENT, CRASHED, HUNG, ODD, VERDICTS };

static enum verdict judge(const struct outcome *outcome, const struct outcome *sound)
{
	if (outcome->hung)
		return HUNG;
	if (!WIFEXITED(outcome->how))
		return CRASHED;
	const int code = WEXITSTATUS(outcome->how);
	if (code == 2 || code == 3)
		return is_message(outcome->err) && outcome->out.size == 0 ? REFUSED : ODD;
	if (code != 0)
		return ODD;
	return same(outcome->out, sound->out) && same(outcome->result, sound->result) ? SAME : DIFFERENT;
}

static void keep(const char *name, const char *damaged, struct bytes bytes, long number,
		 const struct outcome *outcome)
{
	const char *slash = strrchr(damaged, '/');
	char path[4096];

	snprintf(path, sizeof path, "%.*s%s.fault-%ld", slash != NULL ? (int)(slash + 1 - damaged) : 0, damaged, name,
		 number);
	write_file(path, bytes);
	printf("%s: kept as %s; status %d, it said: %.*s\n", name, path, outcome->how,
	       (int)(outcome->err.size < 400 ? outcome->err.size : 400),
	       outcome->err.size > 0 ? (const char *)outcome->err.data : "");
}

int main(int argc, char **argv)
{
	long cases = 100, counts[VERDICTS] = {0};
	const char *result = NULL;
	uint64_t seed = 1;
	bool sealed = false;
	int at = 1;

	for (; at < argc && strncmp(argv[at], "--", 2) == 0; ++at) {
		if (strcmp(argv[at], "--sealed") == 0)
			sealed = true;
		else if (at + 1 < argc && strcmp(argv[at], "--cases") == 0)
			cases = atol(argv[++at]);
		else if (at + 1 < argc && strcmp(argv[at], "--seed") == 0)
			seed = strtoull(argv[++at], NULL, 10);
		else if (at + 1 < argc && strcmp(argv[at], "--result") == 0)
			result = argv[++at];
	}
	if (argc - at < 4) {
		fprintf(stderr, "usage: damage [--cases N] [--seed S] [--sealed] [--result FILE] NAME SOUND DAMAGED "
				"COMMAND...\n");
		return 3;
	}
	const char *name = argv[at], *damaged = argv[at + 2];
	char **command = argv + at + 3;
	const struct sigaction action = {.sa_handler = on_end};
	sigaction(SIGCHLD, &action, NULL);
	struct bytes whole = read_file(argv[at + 1]);
	struct bytes bytes = {malloc(whole.size + 1), whole.size};
	if (whole.size == 0 || bytes.data == NULL)
		give_up(argv[at + 1]);
	write_file(damaged, whole);
	struct outcome sound = run(command, damaged, result);
	if (sound.hung || !WIFEXITED(sound.how) || WEXITSTATUS(sound.how) != 0) {
		fprintf(stderr, "damage: %s: the sound file is refused: %.*s\n", name, (int)sound.err.size,
			sound.err.size > 0 ? (const char *)sound.err.data : "");
		return 3;
	}
	state = seed * 0x9e3779b97f4a7c15u | 1;
	for (long k = 0; k < cases; ++k) {
		do {
			bytes.size = whole.size;
			memcpy(bytes.data, whole.data, whole.size);
			change(&bytes);
		} while (same(bytes, whole));
		write_file(damaged, bytes);
		struct outcome outcome = run(command, damaged, result);
		const enum verdict verdict = judge(&outcome, &sound);
		++counts[verdict];
		if (verdict > DIFFERENT || (sealed && verdict == DIFFERENT))
			keep(name, damaged, bytes, k, &outcome);
		release(&outcome);
	}
	const bool fault =
	    counts[CRASHED] > 0 || counts[HUNG] > 0 || counts[ODD] > 0 || (sealed && counts[DIFFERENT] > 0);
	printf(
	    "%-24s %ld damaged: %ld refused, %ld read as before, %ld %s; %ld crashes, %ld hangs, %ld other faults\n",
	    name, cases, counts[REFUSED], counts[SAME], counts[DIFFERENT],
	    sealed ? "silently different" : "read as others (no checksum)", counts[CRASHED], counts[HUNG],
	    counts[ODD]);
	release(&sound);
	free(bytes.data);
	free(whole.data);
	return fault ? 1 : 0;
}
