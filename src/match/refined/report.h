/* What a result states of refined parameters. */
#ifndef SONDE_MATCH_REFINED_REPORT_H
#define SONDE_MATCH_REFINED_REPORT_H

#include "match/match_result.h"
#include "match/refined/refinement.h"

/* The name, and more, of a candidate of the mixture: one of the common ones, or a family. Freed by library_entry_free(). */
sonde_status match_refined_entry(const struct refinement *refinement, const struct common *common, int64_t candidate,
				 struct library_entry *entry);
/* The refined candidates of a series and their parameters, whose arrays are allocated: the series has its paths and their number. */
sonde_status match_refined_series(const struct refinement *refinement, const struct common *common,
				  struct match_series *series);
/* Parameters, correlations, and single candidates, once the result has its weights. */
sonde_status match_refined_report(sonde_context *context, const struct refinement *refinement,
				  const struct common *common, const struct mixture *mixture,
				  struct match_result *result);

#endif
