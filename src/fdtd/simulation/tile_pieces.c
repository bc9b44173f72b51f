#include "fdtd/simulation/tile_pieces.h"

/* The seam of the parts: E of its first node needs H behind, what follows from E needs E behind. Of fields beyond walls those
 * are filled that are complete. */
static uint32_t seam_at(const struct tile_axis *axis, uint32_t time, enum tile_part part)
{
	const uint32_t ahead[TILE_PARTS] = {0, 1, 2, 2, axis->slope};

	return axis->slope * time + ahead[part];
}

uint32_t tile_axis_least(uint32_t steps, uint32_t slope)
{
	return (slope + 1) * (steps - 1) + 3;
}

struct tile_axis tile_axis_make(const struct fields *fields, int axis, uint32_t size, uint32_t steps, bool late)
{
	const bool whole = grid_is_uniform(&fields->grid, axis);
	struct tile_axis made = {.end = fields->layout.end[axis],
				 .nodes = (uint32_t)fields->grid.cells[axis] + 1,
				 .first = size,
				 .size = size,
				 .steps = steps,
				 .slope = late ? 2 : 1,
				 .periodic = !whole && fields->grid.walls[axis][0] == WALL_PERIODIC,
				 .whole = whole};

	if (made.periodic && made.first < tile_axis_least(steps, made.slope))
		made.first = tile_axis_least(steps, made.slope);
	return made;
}

uint32_t tile_axis_pieces(const struct tile_axis *axis)
{
	if (axis->whole)
		return 1;
	if (axis->periodic)
		return (axis->end - axis->first) / axis->size + 2;
	return (axis->end + axis->steps - 1 + axis->size - 1) / axis->size;
}

bool tile_piece_is_last(const struct tile_axis *axis, uint32_t piece)
{
	return axis->periodic && piece + 1 == tile_axis_pieces(axis);
}

/* The border before a piece in a step, one node earlier if `back`. */
static uint32_t border(const struct tile_axis *axis, uint32_t piece, uint32_t time, bool back)
{
	const uint32_t at = piece > 0 ? axis->first + (piece - 1) * axis->size : 0;

	return at <= time ? 0 : at - time - (back ? 1 : 0);
}

static struct tile_ranges ranges(const struct tile_axis *axis, uint32_t piece, uint32_t time, enum tile_part part,
				 uint32_t behind)
{
	const bool last = tile_piece_is_last(axis, piece), first = axis->periodic && piece == 0;
	const uint32_t begin = border(axis, piece, time, part == TILE_PART_BEHIND || part == TILE_PART_FILL),
		       next = border(axis, piece + 1, time, false), back = part == TILE_PART_BEHIND ? 1 : 0;
	struct tile_ranges found = {1, {{0, behind}}};

	if (axis->whole)
		return found;
	if (!axis->periodic && border(axis, piece, time, false) >= axis->end)
		return (struct tile_ranges){0};
	found.of[0].begin = first ? seam_at(axis, time, part) : begin;
	if (!last && next < axis->end)
		found.of[0].end = next > back ? next - back : 0;
	if (last)
		found.of[found.count++] = (struct plane_range){0, seam_at(axis, time, part)};
	return found;
}

/* Those that are not empty. */
static struct tile_ranges some(struct tile_ranges all)
{
	struct tile_ranges kept = {0};

	for (int n = 0; n < all.count; ++n)
		if (all.of[n].begin < all.of[n].end)
			kept.of[kept.count++] = all.of[n];
	return kept;
}

struct tile_ranges tile_piece_steps(const struct tile_axis *axis, uint32_t piece, uint32_t time, enum tile_part part)
{
	return some(ranges(axis, piece, time, part, axis->end));
}

struct tile_ranges tile_piece_takes(const struct tile_axis *axis, uint32_t piece, uint32_t time, enum tile_part part)
{
	return some(ranges(axis, piece, time, part, axis->nodes));
}
