#include "cli/program/ranks.h"

#include "cli/program/version.h"
#include "parallel/launcher.h"

static struct parallel *ranks;

sonde_status ranks_join(void)
{
	char program[256];

	version_print_short(program, sizeof program);
	return parallel_start(program, &ranks);
}

struct parallel *ranks_of_program(void)
{
	return ranks;
}

bool ranks_is_first(void)
{
	/* if MPI cannot be started, that is reported once for each machine */
	return ranks != NULL ? parallel_is_first(ranks) : launcher_is_first_of_node();
}

int ranks_leave(int code)
{
	return parallel_finish(&ranks, code);
}
