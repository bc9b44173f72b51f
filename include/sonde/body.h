/* Bodies of a sample: solids of a material. All engines with bodies read the same list of them. */
#ifndef SONDE_BODY_H
#define SONDE_BODY_H

#include "sonde/body_options.h"
#include "sonde/status.h"
#include "sonde/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Sets the defaults of a body. Its lengths are in the unit of the engine that reads it: m in fdtd, Angstrom in ions. */
#define sonde_body_init(body) sonde_body_init_sized((body), sizeof *(body))
/* The same for a struct of `size` bytes: that of the version that the caller was compiled with. */
SONDE_API void sonde_body_init_sized(sonde_body_options *body, uint64_t size);

#ifdef __cplusplus
}
#endif
#endif
