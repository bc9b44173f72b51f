#include "match/curve_loop.h"

#include <stdatomic.h>

#include "base/memory.h"
#include "run/context.h"

#define PIECE 8 /* grains for each thread between two messages on the progress */

struct loop {
	curve_work *work;
	void *state;
	int64_t begin;       /* of the present piece */
	atomic_llong failed; /* a curve that failed; -1: none */
};

static void body(void *state, int64_t first, int64_t end, int worker)
{
	struct loop *loop = state;

	for (int64_t curve = loop->begin + first; curve < loop->begin + end; ++curve)
		if (atomic_load(&loop->failed) >= 0 || loop->work(loop->state, curve, worker) != SONDE_OK) {
			long long none = -1;
			atomic_compare_exchange_strong(&loop->failed, &none, curve);
			return;
		}
}

sonde_status curve_loop(sonde_context *context, const char *name, int64_t count, int64_t grain, curve_work *work,
			void *state, const char *what)
{
	const int threads = context_threads(context);
	const int64_t piece = PIECE * grain * threads;
	struct loop loop = {.work = work, .state = state, .failed = -1};
	struct stage stage;
	sonde_status status = SONDE_OK;

	stage_begin(&stage, context, name, "curves", (double)count);
	threads_end_when(context_cancel_flag(context));
	for (; loop.begin < count && status == SONDE_OK && atomic_load(&loop.failed) < 0; loop.begin += piece) {
		const int64_t left = count - loop.begin, here = left < piece ? left : piece;
		threads_for(threads, here, grain, body, &loop);
		status = threads_completed();
		if (status == SONDE_OK && atomic_load(&loop.failed) < 0)
			status = stage_advance(&stage, (double)(loop.begin + here));
	}
	threads_end_when(NULL);
	const int64_t failed = atomic_load(&loop.failed);
	/* again, for the message: those of other threads are theirs */
	if (failed >= 0 && status == SONDE_OK) {
		status = work(state, failed, 0);
		return status == SONDE_OK ? memory_missing(what) : status;
	}
	return status;
}
