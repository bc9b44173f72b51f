/* Pictures in words. */
#ifndef SONDE_CLI_FIGURE_DESCRIBE_H
#define SONDE_CLI_FIGURE_DESCRIBE_H

#include "base/text.h"
#include "cli/figure/description.h"

/* The picture in words, for those who cannot see it: titles, axes with their limits, curves. */
void describe(const struct figure *figure, struct text *words);

#endif
