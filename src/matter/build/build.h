/* Internal interface of `build`: the solid that its options give. The public one is sonde/build.h. */
#ifndef SONDE_MATTER_BUILD_H
#define SONDE_MATTER_BUILD_H

#include "base/options.h"
#include "matter/build/solid.h"
#include "matter/build/build_options.h"

/* As sonde_build_run() would cut it; species and core are ignored. An STL file is not read; `stl` is owned by the
 * options. */
sonde_status build_solid_of(const sonde_build_options *options, struct build_solid *solid);

#endif
