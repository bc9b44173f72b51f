/* Numbers of the media of all edges and faces on a device. */
#ifndef SONDE_FDTD_FIELDS_MEDIA_INDEX_H
#define SONDE_FDTD_FIELDS_MEDIA_INDEX_H

#include "fdtd/fields/field_storage.h"

/* Memory for the numbers of a field and those of the segments of its rows (step_layout.h). */
sonde_status media_index_allocate(struct fields *fields, enum field field);
/* The same, with the numbers of the media; without them, of a few bytes, since kernels need a buffer. */
sonde_status media_index_upload(struct fields *fields, const struct media *media, enum field field);

#endif
