/* Rows of cells for the kernels of a mesh sum on GPUs: a row is a contiguous range of charges, and a work-group
 * treats the charges of LOCAL_SIZE rows as one list. */
#ifndef SONDE_COULOMB_CELL_ROWS_H
#define SONDE_COULOMB_CELL_ROWS_H

/* The cell of a coordinate along an edge, clamped to the outermost cells. */
DEVICE_FUNCTION u32 cell_row_at(f64 place, u32 cells)
{
	return place <= 0.0 ? 0u : place >= (f64)cells ? cells - 1u : (u32)place;
}

/* Each work-item has a row, begin to end - 1. Stores the begin of the rows and the number of charges up to the end
 * of each, and returns the total number. */
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

/* The index of the n-th of them among all charges. LOCAL_SIZE is a power of 2. */
DEVICE_FUNCTION u32 cell_rows_charge(LOCAL const u32 *begins, LOCAL const u32 *ends, u32 n)
{
	u32 row = 0;

	for (u32 step = LOCAL_SIZE / 2u; step > 0u; step /= 2u)
		row += ends[row + step - 1u] <= n ? step : 0u;
	return begins[row] + n - (row > 0u ? ends[row - 1u] : 0u);
}

#endif
