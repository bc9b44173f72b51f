/* The interfaces of all engines: made from src/engines.def, do not edit. */
#ifndef SONDE_ENGINES_H
#define SONDE_ENGINES_H

#include "sonde/debye.h"
#include "sonde/coulomb.h"
#include "sonde/stopping.h"
#include "sonde/ions.h"
#include "sonde/fdtd.h"

#endif
