/* Materials of jobs, by name: optical constants and composition. All engines with bodies read the same list of them. */
#ifndef SONDE_MATERIAL_H
#define SONDE_MATERIAL_H

#include "sonde/material_options.h"
#include "sonde/status.h"
#include "sonde/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Sets the defaults of a material. */
#define sonde_material_init(material) sonde_material_init_sized((material), sizeof *(material))
/* The same for a struct of `size` bytes: that of the version that the caller was compiled with. */
SONDE_API void sonde_material_init_sized(sonde_material_options *material, uint64_t size);

#ifdef __cplusplus
}
#endif
#endif
