/* The bounding boxes of charges and points. */
#include <math.h>

#include "base/threads.h"
#include "coulomb/charges.h"
#include "coulomb/mesh/mesh.h"
#include "coulomb/targets/targets.h"

#define PARTS 64 /* of the charges, and of the points, each with boxes of its own */

struct mesh_box mesh_box_of_both(const struct mesh_box boxes[2])
{
	struct mesh_box box;

	for (int k = 0; k < 3; ++k) {
		box.low[k] = fmin(boxes[0].low[k], boxes[1].low[k]);
		box.high[k] = fmax(boxes[0].high[k], boxes[1].high[k]);
	}
	return box;
}

static void take_into(struct mesh_box *box, const double point[3])
{
	for (int k = 0; k < 3; ++k) {
		box->low[k] = point[k] < box->low[k] ? point[k] : box->low[k];
		box->high[k] = point[k] > box->high[k] ? point[k] : box->high[k];
	}
}

struct boxes {
	const struct charges *charges;
	const struct targets *targets;
	struct mesh_box parts[PARTS][2];
};

static void find_boxes(void *state, int64_t first, int64_t end, int worker)
{
	struct boxes *boxes = state;
	const struct charges *charges = boxes->charges;

	(void)worker;
	for (int64_t part = first; part < end; ++part) {
		struct mesh_box *box = boxes->parts[part];
		box[0] = box[1] =
		    (struct mesh_box){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
		for (int64_t j = charges->count * part / PARTS; j < charges->count * (part + 1) / PARTS; ++j)
			take_into(&box[0], (const double[]){charges->x[j], charges->y[j], charges->z[j]});
		for (int64_t n = boxes->targets->count * part / PARTS; n < boxes->targets->count * (part + 1) / PARTS;
		     ++n)
			take_into(&box[1], boxes->targets->points + 3 * n);
	}
}

void mesh_find_boxes(int threads, const struct charges *charges, const struct targets *targets,
		     struct mesh_box boxes[2])
{
	struct boxes all = {.charges = charges, .targets = targets};

	threads_for(threads, PARTS, threads_grain(threads, PARTS), find_boxes, &all);
	for (int kind = 0; kind < 2; ++kind) {
		boxes[kind] = all.parts[0][kind];
		for (int part = 1; part < PARTS; ++part) {
			if (all.parts[part][kind].low[0] > all.parts[part][kind].high[0])
				continue; /* it is empty */
			take_into(&boxes[kind], all.parts[part][kind].low);
			take_into(&boxes[kind], all.parts[part][kind].high);
		}
	}
}
