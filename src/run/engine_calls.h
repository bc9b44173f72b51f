/* Calls of an engine, which has either functions of its own or pieces (run/pieces.h). */
#ifndef SONDE_RUN_ENGINE_CALLS_H
#define SONDE_RUN_ENGINE_CALLS_H

#include "run/engine.h"

bool engine_has_plan(const struct engine *engine);
sonde_status engine_check_format(const struct engine *engine, const char *path);
sonde_status engine_plan(sonde_context *context, const struct engine *engine, const struct engine_request *request,
			 struct engine_estimate *estimate, struct report *report);
sonde_status engine_run(sonde_context *context, const struct engine *engine, const struct engine_request *request,
			void **result);
sonde_status engine_write(const struct engine *engine, const void *result, const char *path, bool overwrite);
sonde_status engine_append_table(const struct engine *engine, const void *result, struct text *text);
sonde_status engine_contents(const struct engine *engine, const void *result, struct hdf5_writer *writer);
/* Reads a file; SONDE_INVALID for engines whose files cannot be read back. */
sonde_status engine_read(const struct engine *engine, sonde_context *context, const char *path, void **result);
void engine_summarize(const struct engine *engine, const void *result, const struct engine_request *request,
		      struct report *report);
/* Wall time of the run. */
double engine_seconds(const struct engine *engine, const void *result);
/* Whether its results are in HDF5 files, and the description of one. */
bool engine_has_files(const struct engine *engine);
sonde_status engine_describe(const struct engine *engine, struct hdf5_reader *reader, struct report *report);
/* Whether a file is a checkpoint of the engine, and its description. */
bool engine_is_checkpoint_file(const struct engine *engine, const char *path);
sonde_status engine_describe_checkpoint_file(const struct engine *engine, const char *path, struct report *report);
void engine_free_result(const struct engine *engine, void **result);

#endif
