#include "fdtd/media/list_totals.h"

#include <stdlib.h>

void list_totals_free(struct list_totals **totals)
{
	struct list_totals *all = *totals;

	if (all == NULL)
		return;
	uint32_t *const lists[] = {all->poles,   all->smooth, all->smooth_x, all->edges,
				   all->edges_x, all->terms,  all->kinds};
	for (size_t n = 0; n < sizeof lists / sizeof *lists; ++n)
		free(lists[n]);
	free(all);
	*totals = NULL;
}
