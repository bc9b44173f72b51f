/* Files in addition to the result. */
#ifndef SONDE_PATTERN_OUTPUTS_H
#define SONDE_PATTERN_OUTPUTS_H

#include "run/engine.h"

/* For the engine's row. */
sonde_status pattern_write_more(sonde_context *context, const void *result, const struct engine_request *request,
				struct text *written);

#endif
