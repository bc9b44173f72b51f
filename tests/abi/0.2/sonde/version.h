/* The version of these headers: made from CMakeLists.txt, do not edit. sonde_version() is that of the library; the two may
 * differ where a program runs with another library than it was compiled for, and work together while major and minor are
 * the same. */
#ifndef SONDE_VERSION_H
#define SONDE_VERSION_H

#include "sonde/status.h" /* sonde_version() */

#define SONDE_VERSION_MAJOR 0
#define SONDE_VERSION_MINOR 2
#define SONDE_VERSION_PATCH 0
#define SONDE_VERSION_STRING "0.2.0"

/* Whether these headers are those of version major.minor.patch or a later one; for #if. */
#define SONDE_VERSION_GE(major, minor, patch)                         \
	(SONDE_VERSION_MAJOR > (major) ||                             \
	 (SONDE_VERSION_MAJOR == (major) &&                           \
	  (SONDE_VERSION_MINOR > (minor) ||                           \
	   (SONDE_VERSION_MINOR == (minor) && SONDE_VERSION_PATCH >= (patch)))))

#endif
