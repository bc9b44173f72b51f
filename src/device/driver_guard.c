#include "device/driver_guard.h"

void driver_guard_begin(struct driver_guard *guard)
{
	for (int k = 1; k < DRIVER_GUARD_SIGNALS; ++k)
		(void)sigaction(k, NULL, &guard->actions[k]);
	(void)sigaltstack(NULL, &guard->stack);
}

void driver_guard_end(const struct driver_guard *guard)
{
	struct sigaction now;
	stack_t stack;

	for (int k = 1; k < DRIVER_GUARD_SIGNALS; ++k)
		if (k != SIGKILL && k != SIGSTOP && sigaction(k, NULL, &now) == 0 &&
		    (now.sa_handler != guard->actions[k].sa_handler || now.sa_flags != guard->actions[k].sa_flags))
			(void)sigaction(k, &guard->actions[k], NULL);
	if (sigaltstack(NULL, &stack) == 0 &&
	    (stack.ss_sp != guard->stack.ss_sp || stack.ss_flags != guard->stack.ss_flags))
		(void)sigaltstack(&guard->stack, NULL);
}
