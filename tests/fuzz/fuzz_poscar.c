/* VASP's POSCAR. The first byte chooses the frame. */
#include "fuzz/atoms.h"

#include "io/atoms/poscar.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	return try_atoms(poscar_read, data, size);
}
