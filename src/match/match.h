/* From measured curves to the candidates that explain them: the run of sonde match and its result. */
#ifndef SONDE_MATCH_MATCH_H
#define SONDE_MATCH_MATCH_H

#include <stdint.h>

#include "match/match_result.h"
#include "sonde/context.h"
#include "sonde/match_options.h"

/* What is to be matched: the measured curves, more than one being a series, and files of candidates. */
struct match_request {
	const char *const *measured;
	int64_t measured_count;
	const char *const *candidates;
	int64_t candidate_count;
};

/* SONDE_INVALID for bad files and options. The result is freed by match_result_free(), also after failures. */
sonde_status match_run(sonde_context *context, const struct match_request *request,
		       const sonde_match_options *options, struct match_result *result);

#endif
