/* The option table of `build`. */
#ifndef SONDE_MATTER_BUILD_OPTIONS_H
#define SONDE_MATTER_BUILD_OPTIONS_H

#include "base/options.h"
#include "base/text.h"
#include "sonde/build.h"

extern const struct option_table build_option_table;

/* Appends the options that were set, as a command that sets them: the sample's name. */
sonde_status build_describe(const sonde_build_options *options, struct text *source);
/* The same without the name of the command: " --cell fcc ..."; nothing if all have their defaults. */
void build_describe_options(const sonde_build_options *options, struct text *source);

/* The SHA-256 of the file that the options name; of several files, that of their digests, each followed by a line feed,
 * in the order of the options; "" without files. */
sonde_status build_options_digest(const sonde_build_options *options, char digest[65]);
/* A structure of option `structures`, of which there are copies. */
struct structure_item {
	char file[OPTION_TEXT_SIZE];
	int64_t number;
	double fraction;
};
extern const struct option_table structure_item_table;

#endif
