/* Waveforms of sources from text files. */
#ifndef SONDE_FDTD_SOURCES_WAVEFORM_FILE_H
#define SONDE_FDTD_SOURCES_WAVEFORM_FILE_H

#include "fdtd/sources/waveform.h"

/* Two columns, a time in seconds and a value; blanks or tabs between, # begins a comment; plain or gzip. Times must
 * increase. `step` is the time step in seconds. Fails with "FILE:LINE: ..." if a line is invalid. To be freed by
 * waveform_free(), also after a failure. */
sonde_status waveform_read(const char *path, double step, bool cubic, struct waveform *waveform);

#endif
