/* Sonde: what a probe sees of matter. Includes the whole C interface. */
#ifndef SONDE_SONDE_H
#define SONDE_SONDE_H

#include "sonde/atoms.h"
#include "sonde/build.h"
#include "sonde/context.h"
#include "sonde/engines.h"
#include "sonde/measure.h"
#include "sonde/status.h"
#include "sonde/tune.h"
#include "sonde/types.h"
#include "sonde/version.h"
#include "sonde/volume.h"

#endif
