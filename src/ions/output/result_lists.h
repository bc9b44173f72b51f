/* Lists of a result in its HDF5 file: totals, kinds of atoms, layers, spectra, exits, trajectories. */
#ifndef SONDE_IONS_OUTPUT_RESULT_LISTS_H
#define SONDE_IONS_OUTPUT_RESULT_LISTS_H

#include "io/containers/hdf5.h"
#include "sonde/ions.h"

/* Writes the lists into groups of /ions, which must exist. */
sonde_status ions_write_lists(const sonde_ions_result *result, struct hdf5_writer *writer);

#endif
