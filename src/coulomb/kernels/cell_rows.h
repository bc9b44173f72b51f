/* Rows of cells for the kernels of a mesh sum on GPUs: a row is a stretch of charges, and a work-group takes the charges of
 * LOCAL_SIZE rows as if they were one list. */
#ifndef SONDE_COULOMB_CELL_ROWS_H
#define SONDE_COULOMB_CELL_ROWS_H

/* The cell of a place along an edge; those beyond are the outermost ones. */
DEVICE_FUNCTION u32 cell_row_at(f64 place, u32 cells)
{
	return place <= 0.0 ? 0u : place >= (f64)cells ? cells - 1u : (u32)place;
}

/* Each work-item has a row, begin to end - 1. Notes where they begin and how many charges there are up to the end of each,
 * and returns how many there are in all. */
DEVICE_FUNCTION u32 cell_rows_join(LOCAL u32 *begins, LOCAL u32 *ends, u32 begin, u32 end)
{
	BARRIER();
	begins[LOCAL_ID] = begin;
	ends[LOCAL_ID] = end - begin;
	for (u32 step = 1u; step < LOCAL_SIZE; step *= 2u) {
		BARRIER();
		const u32 before = LOCAL_ID >= step ? ends[LOCAL_ID - step] : 0u;
		BARRIER();
		ends[LOCAL_ID] += before;
	}
	BARRIER();
	return ends[LOCAL_SIZE - 1u];
}

/* The number of the n-th of them among all charges. LOCAL_SIZE is a power of 2. */
DEVICE_FUNCTION u32 cell_rows_charge(LOCAL const u32 *begins, LOCAL const u32 *ends, u32 n)
{
	u32 row = 0;

	for (u32 step = LOCAL_SIZE / 2u; step > 0u; step /= 2u)
		row += ends[row + step - 1u] <= n ? step : 0u;
	return begins[row] + n - (row > 0u ? ends[row - 1u] : 0u);
}

#endif
