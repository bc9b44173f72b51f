#include "run/checkpoint_file.h"

#include "run/checkpoint.h"

sonde_status checkpoint_save(const char *path, const struct state_kind *kind, state_walk *walk, void *user)
{
	struct text name = {0};
	sonde_status status = checkpoint_name(path, &name);

	checkpoint_keep_previous(path);
	if (status == SONDE_OK)
		status = state_save(kind, name.bytes, walk, user);
	if (status == SONDE_RESOURCE && checkpoint_drop_previous(path)) /* a full disk */
		status = state_save(kind, name.bytes, walk, user);
	text_free(&name);
	return status;
}

sonde_status checkpoint_restore(const char *path, const struct state_kind *kind, state_walk *walk, void *user)
{
	struct state state = {0};
	struct text name = {0};
	sonde_status status = checkpoint_name(path, &name);

	if (status == SONDE_OK)
		status = state_open(kind, name.bytes, &state);
	if (status == SONDE_OK)
		status = walk(user, &state);
	if (status == SONDE_OK)
		status = state_end(&state);
	state_close(&state);
	text_free(&name);
	return status;
}
