/* STL files: triangles, text or binary. */
#ifndef SONDE_IO_STL_H
#define SONDE_IO_STL_H

#include <stdint.h>

#include "base/status.h"

struct stl {
	int64_t count;   /* of triangles, at least one */
	double *corners; /* nine finite numbers each: three corners */
};

/* Reads a file, plain or gzip; several solids of a text file become one list. Normals are ignored. */
sonde_status stl_read(const char *path, struct stl *stl);
void stl_free(struct stl *stl);

#endif
