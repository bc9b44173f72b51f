/* Protection against drivers that change process state: PoCL's compiler (LLVM) replaces the handlers of SIGINT,
 * SIGTERM and a dozen more signals, and sets an alternate signal stack for the calling thread. Between begin and end
 * a driver may do so; afterward everything is restored, so that Ctrl-C still reaches the program and a thread ends
 * with its own stack. */
#pragma once

#include <signal.h>

#define DRIVER_GUARD_SIGNALS 32 /* the real-time signals above are unaffected */

struct driver_guard {
	struct sigaction actions[DRIVER_GUARD_SIGNALS];
	stack_t stack;
};

void driver_guard_begin(struct driver_guard *guard);
void driver_guard_end(const struct driver_guard *guard);
