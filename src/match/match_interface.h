/* What the public interface of fits (sonde/match.h) shares with that of refinements. */
#ifndef SONDE_MATCH_MATCH_INTERFACE_H
#define SONDE_MATCH_MATCH_INTERFACE_H

#include "match/match_result.h"
#include "sonde/match.h"

/* A curve as programs see it: arrays stay those of `curve`, and peaks are copied, to be released by match_unview_curve(). */
sonde_status match_view_curve(const struct match_curve *curve, sonde_match_fit *view);
void match_unview_curve(sonde_match_fit *view);

#endif
