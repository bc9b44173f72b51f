/* Drivers that change what is not theirs: PoCL's compiler (LLVM) takes the process's handlers of SIGINT, SIGTERM and a
 * dozen more signals, and puts an alternate signal stack under the calling thread. Between begin and end a driver may
 * do so; then everything is as it was, so that Ctrl-C still reaches the program and a thread ends with its own stack. */
#pragma once

#include <signal.h>

#define DRIVER_GUARD_SIGNALS 32 /* the real-time signals beyond are left alone */

struct driver_guard {
	struct sigaction actions[DRIVER_GUARD_SIGNALS];
	stack_t stack;
};

void driver_guard_begin(struct driver_guard *guard);
void driver_guard_end(const struct driver_guard *guard);
