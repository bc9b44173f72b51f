/* Lists of the block `build` of a job. */
#ifndef SONDE_MATTER_BUILD_LISTS_H
#define SONDE_MATTER_BUILD_LISTS_H

#include "io/containers/yaml.h"

/* They become texts of options of the same names: `bodies` and `structures`. */
#define BUILD_LISTS 2
void build_lists_begin(struct yaml_list lists[BUILD_LISTS]);

#endif
