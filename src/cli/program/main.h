/* The whole program. In the Python package it is in the library, which has everything else that it needs, and the file
 * `sonde` consists of main() alone. */
#pragma once

#include "sonde/status.h"

/* Returns the exit status. */
SONDE_API int sonde_program_main(int argc, char **argv);
