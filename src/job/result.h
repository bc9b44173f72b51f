/* The inside of a result of any engine (sonde/result.h). */
#ifndef SONDE_JOB_RESULT_H
#define SONDE_JOB_RESULT_H

#include "io/containers/hdf5_contents.h"
#include "job/engines.h"
#include "sonde/result.h"

struct sonde_result {
	const struct engine *engine;
	void *values;                   /* the engine's result; null: it has contents alone */
	struct hdf5_contents *contents; /* null: not made yet */
};

#endif
