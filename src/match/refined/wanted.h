/* Which candidates of a library are refined. */
#ifndef SONDE_MATCH_REFINED_WANTED_H
#define SONDE_MATCH_REFINED_WANTED_H

#include "match/mixture.h"
#include "match/ranking.h"
#include "match/refine_choice.h"
#include "match/refined/items.h"
#include "match/series_files.h"

/* What the ranking and the mixture are of, and, of a series, the other rows; those are read. */
struct wanted_request {
	sonde_context *context;
	struct common *common;
	const sonde_match_options *options;
	const struct refine_choice *choice;
	const struct ranked *ranking;
	const struct mixture *mixture;
	const struct series_files *files;
};

/* Adds the items: all families of `sizes`, and up to `refined` candidates: the best single ones, half of those that are wanted; those of the
 * mixture, the largest parts of the curve first; and further single ones. Of a series, these lists are made for up to WANTED_CURVES curves
 * at equal distances, and the first candidates of all lists come before the second ones. */
#define WANTED_CURVES 9
sonde_status refined_wanted(const struct wanted_request *request, struct refined_items *items);

#endif
