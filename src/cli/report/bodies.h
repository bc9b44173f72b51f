/* Bodies of a job of sonde fdtd whose surface its text alone does not have: those from files, and Wulff's. */
#ifndef SONDE_CLI_REPORT_BODIES_H
#define SONDE_CLI_REPORT_BODIES_H

#include "base/text.h"

/* For each body of `job` (the text in results) of the shapes stl, wulff and voxels an object, with a comma in front: triangles about
 * the body's center, turned, or voxels, at most some ten thousand. A file is looked for as the job names it, and next to the result at
 * `path`; a body whose file is not there, or is not what it was, has none. Fails only for lack of memory. */
sonde_status bodies_append(const char *job, const char *path, struct text *page);

#endif
