/* Common to the tests of sonde ions: options, runs, and access to results. */
#ifndef SONDE_TESTS_TRANSPORT_H
#define SONDE_TESTS_TRANSPORT_H

#include <stdbool.h>

#include "physics/physics.h"
#include "sonde/ions.h"

#define MONOLAYER SONDE_IONS_FLIGHT_MONOLAYER
#define EXPONENTIAL SONDE_IONS_FLIGHT_EXPONENTIAL
#define SRIM SONDE_IONS_FLIGHT_SRIM
/* The materials of tests/data/ions/bca_runs.csv, and the step of the program that it is from, in units of N^(-1/3). */
#define CARBON "C@2.253"
#define SILICON "Si@2.3212"
#define IRON "Fe@7.8658"
#define THRESHOLDS "C=28,Si=15,Fe=40"
#define LOSSES "C=3,Si=2,Fe=3"
#define PEER_STEP 0.62035

/* Ions that enter along x, with SRIM-2013's stopping and without straggling; of carbon, silicon and iron the thresholds
 * are those of that file where nothing else of the target is named. */
sonde_ions_options ion_options(const char *ion, const char *energy, const char *target, int64_t number);
/* Fewer ions for devices that are slow by nature, so that tests end. */
int64_t ions_for_device(int64_t number);
/* Fails the test unless the run succeeds. device: null for that of the tests; threads: 0 for all. */
sonde_ions_result *follow_on(const char *device, int64_t threads, const sonde_ions_options *options);
sonde_ions_result *follow(const sonde_ions_options *options);
/* The same with bodies of a list. */
sonde_ions_result *follow_job(const sonde_ions_job *job);
/* Whether a device named so can be used. */
bool is_usable(const char *device);

/* The sum over all kinds of atoms, everywhere. */
double total_of(const sonde_ions_result *result, const char *name);
/* Fails the test if there is none. */
const sonde_ions_tally *tally_of(const sonde_ions_result *result, const char *name, const char *of);
/* The first difference of two results in bits, but for times; null if there is none. In `whole` only numbers that do not know of
 * cells are compared. */
const char *difference(const sonde_ions_result *a, const sonde_ions_result *b, bool whole);

/* Fails the test, and prints in any case, unless found is expected within share of it and three of both standard errors. */
void check_estimate(const char *what, sonde_estimate found, double expected, double error, double share);

#endif
