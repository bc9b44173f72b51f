#include "match/mixture_worker.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

static sonde_status begin(const struct mixture *first, bool weighs, struct mixture_worker *worker)
{
	struct mixture *mixture = &worker->mixture;
	const size_t columns = (size_t)first->count, rows = (size_t)first->rows,
		     sets = (size_t)first->common->set_count;

	CHECK(common_copy(first->common, &worker->common));
	*mixture = *first;
	mixture->common = &worker->common;
	mixture->y = mixture->scales = NULL;
	mixture->solution = (struct nnls_solution){0};
	CHECK(memory_allocate(&mixture->y, rows, sizeof(double), "a curve"));
	CHECK(memory_allocate(&mixture->scales, sets, sizeof(double), "a curve"));
	memcpy(mixture->scales, first->scales, sets * sizeof(double));
	if (!weighs)
		return SONDE_OK;
	CHECK(memory_allocate(&worker->a, columns * rows, sizeof(double), "the curves of candidates"));
	/* scales change the products, too */
	if (sets == 1 && first->gram != NULL)
		CHECK(memory_allocate(&worker->gram, columns * columns, sizeof(double), "a matrix"));
	mixture->a = worker->a;
	mixture->gram = worker->gram;
	mixture->gram_follows = true;
	return SONDE_OK;
}

sonde_status mixture_worker_begin(const struct mixture *first, bool weighs, struct mixture_worker *worker)
{
	*worker = (struct mixture_worker){0};
	const sonde_status status = begin(first, weighs, worker);
	if (status != SONDE_OK)
		mixture_worker_end(worker);
	worker->ready = status == SONDE_OK;
	return status;
}

void mixture_worker_end(struct mixture_worker *worker)
{
	common_free_copy(&worker->common);
	nnls_free(&worker->mixture.solution);
	free(worker->mixture.y);
	free(worker->mixture.scales);
	free(worker->a);
	free(worker->gram);
	*worker = (struct mixture_worker){0};
}

sonde_status mixture_worker_start(const int *active, int count, struct mixture_worker *worker)
{
	struct nnls_solution *solution = &worker->mixture.solution;
	int *copy;

	CHECK(memory_allocate(&copy, (size_t)count, sizeof *copy, "candidates"));
	memcpy(copy, active, (size_t)count * sizeof *copy);
	nnls_free(solution);
	solution->active = copy;
	solution->active_count = count;
	return SONDE_OK;
}
