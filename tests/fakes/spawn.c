/* Preloaded: the file action that $SPAWN_FAILS names cannot be added. */
#include <errno.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>

static int failure(const char *action)
{
	const char *name = getenv("SPAWN_FAILS");

	return name != NULL && strcmp(name, action) == 0 ? ENOMEM : 0;
}

/* their actions are not needed: the process must not be started */
int posix_spawn_file_actions_init(posix_spawn_file_actions_t *actions)
{
	memset(actions, 0, sizeof *actions);
	return failure("init");
}

int posix_spawn_file_actions_adddup2(posix_spawn_file_actions_t *actions, int from, int to)
{
	(void)actions;
	(void)from;
	return failure(to == 0 ? "input" : "output");
}

int posix_spawn_file_actions_addopen(posix_spawn_file_actions_t *restrict actions, int descriptor,
				     const char *restrict path, int flags, mode_t mode)
{
	(void)actions;
	(void)descriptor;
	(void)path;
	(void)flags;
	(void)mode;
	return failure("errors");
}
