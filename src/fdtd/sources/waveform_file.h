/* Forms of sources from text files. */
#ifndef SONDE_FDTD_SOURCES_WAVEFORM_FILE_H
#define SONDE_FDTD_SOURCES_WAVEFORM_FILE_H

#include "fdtd/sources/waveform.h"

/* Two columns, a time in seconds and a value; blanks or tabs between, # begins a comment; plain or gzip. Times must grow. `step` is the time of a
 * step in seconds. Fails with "FILE:LINE: ..." where a line is none. To be freed by waveform_free(), also after a failure. */
sonde_status waveform_read(const char *path, double step, bool cubic, struct waveform *waveform);

#endif
