/* Notes between ranks whose devices copy to each other (rank_direct.h): they tell that work has been added to the queues of a
 * device, not that it is complete, so that hosts are ahead of their devices. Small messages, in order. */
#ifndef SONDE_FDTD_STREAMING_RANK_NOTES_H
#define SONDE_FDTD_STREAMING_RANK_NOTES_H

#include "parallel/parallel.h"

enum rank_note { NOTE_SENT, NOTE_UNPACKED, NOTE_CLOSED, NOTES };

#define NOTES_AT_ONCE 4

/* To and from one neighbor; zeroed but for the first two. It stays where it is while notes are on their way. */
struct rank_notes {
	struct parallel *ranks;
	int rank;
	uint32_t out[NOTES_AT_ONCE], in;
	int numbers[NOTES_AT_ONCE], number; /* of transfers */
	bool goes_out[NOTES_AT_ONCE], expects;
	int next;
	uint64_t sent[NOTES], received[NOTES];
};

void rank_notes_send(struct rank_notes *notes, enum rank_note note);
/* Waits until `count` notes of a kind have come; if `longest` is not 0 for at most that time in s: then it returns false, and one
 * note is still expected. A message is expected only here, so that none is after an answer. */
bool rank_notes_await(struct rank_notes *notes, enum rank_note note, uint64_t count, double longest);
/* Waits until all have been sent. */
void rank_notes_end(struct rank_notes *notes);
/* All have been sent: parallel_end_transfers(). */
void rank_notes_sent(struct rank_notes *notes);

/* Between two looks at something that a neighbor does, the number `looks` from 0 on: leaves the processor to others after some
 * time, since neighbors are usually ready at about the same time, but one of them may be much slower. */
void rank_rest(long looks);

#endif
