/* Data files of LAMMPS. The first byte chooses the frame. */
#include "fuzz/atoms.h"

#include "io/atoms/lammps_data.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	return try_atoms(lammps_data_read, data, size);
}
