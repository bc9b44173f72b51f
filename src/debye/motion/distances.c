#include "debye/motion/distances.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"

sonde_status distances_add(double s, double weight, struct distances *list)
{
	CHECK(memory_grow(&list->s, &list->s_capacity, list->count + 1, sizeof(double), "the profile"));
	CHECK(memory_grow(&list->weight, &list->weight_capacity, list->count + 1, sizeof(double), "the profile"));
	list->s[list->count] = fabs(s);
	list->weight[list->count++] = weight;
	return SONDE_OK;
}

sonde_status distances_add_bin(double mean, double deviation, double weight, struct distances *list)
{
	if (!(deviation > 0.0))
		return distances_add(mean, weight, list);
	CHECK(distances_add(mean - deviation, 0.5 * weight, list));
	return distances_add(mean + deviation, 0.5 * weight, list);
}

void distances_sort(struct distances *list)
{
	for (size_t n = 1; n < list->count; ++n)
		for (size_t m = n; m > 0 && list->s[m] < list->s[m - 1]; --m) {
			const double s = list->s[m], weight = list->weight[m];
			list->s[m] = list->s[m - 1];
			list->weight[m] = list->weight[m - 1];
			list->s[m - 1] = s;
			list->weight[m - 1] = weight;
		}
}

void distances_free(struct distances *list)
{
	free(list->s);
	free(list->weight);
}
