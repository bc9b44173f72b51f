/* The results of pieces that several ranks have done, exchanged after a round of share.c. */
#ifndef SONDE_RUN_EXCHANGE_H
#define SONDE_RUN_EXCHANGE_H

#include "run/shared_work.h"

/* Who does a piece: the number of a device of this rank, or */
#define SHARE_NOBODY (-1)    /* it is to be done */
#define SHARE_ELSEWHERE (-2) /* another rank, unless it is dealt to this one */

/* By result_of(): to all ranks. */
sonde_status exchange_results(struct parallel *ranks, const struct shared_work *work, const int16_t *owner);
/* By pack() and unpack(), some at a time: memory is needed for a part of the results only. */
sonde_status exchange_packed(struct parallel *ranks, const struct shared_work *work, const int16_t *owner);

#endif
