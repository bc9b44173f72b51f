#include "fdtd/media/edge_lists.h"

#include <stdlib.h>

void smooth_edges_free(struct smooth_edges **edges)
{
	if (*edges == NULL)
		return;
	free((*edges)->edges);
	free(*edges);
	*edges = NULL;
}

void answers_free(struct answers **answers)
{
	if (*answers == NULL)
		return;
	free((*answers)->kinds);
	free((*answers)->answers);
	free((*answers)->edges);
	free((*answers)->first_terms);
	free((*answers)->terms);
	free(*answers);
	*answers = NULL;
}
