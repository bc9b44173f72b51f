/* One description of a sample for all probes: materials and bodies, in a YAML file (docs/sample.md).
 *
 * sonde_sample_build() fills the bodies with atoms, for debye and coulomb; jobs of ions and fdtd refer to a description
 * (sonde_ions_job.sample, sonde_fdtd_job.sample).
 */
#ifndef SONDE_SAMPLE_H
#define SONDE_SAMPLE_H

#include "sonde/atoms.h"
#include "sonde/body.h"
#include "sonde/build_options.h"
#include "sonde/context.h"
#include "sonde/material.h"
#include "sonde/sample_options.h"
#include "sonde/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sonde_sample sonde_sample;

/* Reads a description and checks it: unknown keys, values out of range, impossible bodies, and missing files are
 * SONDE_INVALID, with the place in the message. Files that it names are looked for in its folder, then in the current
 * one. *sample is null after a failure, else to be freed by sonde_sample_free(). It does not change afterwards, and any number of
 * threads may use it. */
SONDE_API sonde_status sonde_sample_read(const char *path, sonde_sample **sample);
/* Sets *sample to null; a null pointer or null sample is allowed. Jobs that refer to the sample must not be used afterwards. */
SONDE_API void sonde_sample_free(sonde_sample **sample);

/* Whether a file is a description: its name ends in .yaml or .yml, and it has a list of bodies on its top level. 0 for files that cannot be
 * read. */
SONDE_API int sonde_sample_is_one(const char *path);

/* Fills each body with the crystal of its material, cut by the body, or with a random packing of atoms if the material
 * has a density and no cell; where bodies overlap, the last one counts. SONDE_INVALID for bodies that cannot be filled:
 * maps of voxels, and materials of which neither is known. *atoms is null after a failure, else to be freed by
 * sonde_atoms_free(). */
SONDE_API sonde_status sonde_sample_build(sonde_context *context, const sonde_sample *sample, sonde_atoms **atoms);
/* The same with the changes that options of `build` give: substitute, vacancies, displace, strain, relax, fault, seed, and the
 * copies of an ensemble; others are SONDE_INVALID. `changes` may be null. */
SONDE_API sonde_status sonde_sample_build_changed(sonde_context *context, const sonde_sample *sample,
						  const sonde_build_options *changes, sonde_atoms **atoms);

/* The description's content, owned by the sample: lengths of bodies in Angstrom; materials with the composition and the
 * density that follow from their cells. */
SONDE_API const sonde_sample_options *sonde_sample_options_of(const sonde_sample *sample);
SONDE_API int64_t sonde_sample_material_count(const sonde_sample *sample);
SONDE_API const sonde_material_options *sonde_sample_materials(const sonde_sample *sample);
SONDE_API int64_t sonde_sample_body_count(const sonde_sample *sample);
SONDE_API const sonde_body_options *sonde_sample_bodies(const sonde_sample *sample);
/* Likely mistakes in the description, such as a density that differs from that of the cell: lines of text, "" if there are none. */
SONDE_API const char *sonde_sample_notes(const sonde_sample *sample);

#ifdef __cplusplus
}
#endif
#endif
