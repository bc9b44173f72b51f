#include "fdtd/streaming/rank_notes.h"

#include <sched.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"

/* Looks at messages and events before the processor is left to others, and before a sleep. */
#define LOOKS 1000
#define YIELDS 20000
#define SLEEP 20000 /* nanoseconds */

void rank_rest(long looks)
{
	const struct timespec pause = {0, SLEEP};

	if (looks > YIELDS)
		nanosleep(&pause, NULL);
	else if (looks > LOOKS)
		sched_yield();
}

void rank_notes_send(struct rank_notes *notes, enum rank_note note)
{
	const int n = notes->next;
	const struct parallel_transfer transfer = {
	    .rank = notes->rank, .sends = true, .bytes = &notes->out[n], .size = sizeof notes->out[n]};

	if (notes->goes_out[n])
		(void)parallel_has_arrived(notes->ranks, notes->numbers[n], true);
	notes->out[n] = note;
	notes->numbers[n] = parallel_begin_transfer(notes->ranks, &transfer);
	notes->goes_out[n] = true;
	notes->next = (n + 1) % NOTES_AT_ONCE;
	++notes->sent[note];
}

/* Whether one has come. */
static bool look(struct rank_notes *notes)
{
	const struct parallel_transfer transfer = {
	    .rank = notes->rank, .sends = false, .bytes = &notes->in, .size = sizeof notes->in};

	if (!notes->expects)
		notes->number = parallel_begin_transfer(notes->ranks, &transfer);
	notes->expects = !parallel_has_arrived(notes->ranks, notes->number, false);
	if (!notes->expects && notes->in < NOTES)
		++notes->received[notes->in];
	return !notes->expects;
}

bool rank_notes_await(struct rank_notes *notes, enum rank_note note, uint64_t count, double longest)
{
	const double begin = longest > 0.0 ? clock_seconds() : 0.0;

	for (long looks = 0; notes->received[note] < count;) {
		if (look(notes)) {
			looks = 0;
			continue;
		}
		if (longest > 0.0 && clock_seconds() - begin > longest)
			return false;
		rank_rest(looks++);
	}
	return true;
}

void rank_notes_end(struct rank_notes *notes)
{
	for (int n = 0; n < NOTES_AT_ONCE; ++n)
		if (notes->goes_out[n])
			(void)parallel_has_arrived(notes->ranks, notes->numbers[n], true);
	rank_notes_sent(notes);
}

void rank_notes_sent(struct rank_notes *notes)
{
	memset(notes->goes_out, 0, sizeof notes->goes_out);
}
