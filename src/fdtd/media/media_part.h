/* Painting by several ranks, each some planes (struct media_part), so that all together have the media of the whole grid,
 * with the same numbers. */
#ifndef SONDE_FDTD_MEDIA_MEDIA_PART_H
#define SONDE_FDTD_MEDIA_MEDIA_PART_H

#include "fdtd/media/medium.h"

/* The planes to paint so that lists are complete in planes first to behind - 1. `own_*` are left unchanged. */
void media_part_find(const struct fdtd_grid *grid, int first, int behind, struct media_part *part);
/* Painted planes, of all nodes if `part` is null or zero; those whose neighbors along x are painted as well. */
struct plane_span {
	int begin, end;
};
struct plane_span media_part_painted(const struct fdtd_grid *grid, const struct media_part *part);
struct plane_span media_part_inner(const struct fdtd_grid *grid, const struct media_part *part);
/* Of these, planes whose lists are complete; and own ones. */
struct plane_span media_part_listed(const struct fdtd_grid *grid, const struct media_part *part);
struct plane_span media_part_own(const struct fdtd_grid *grid, const struct media_part *part);

/* A place in the order of painting: a step of it, a component, and a node as of media_at(). */
static inline uint64_t media_place(uint32_t step, int component, size_t at)
{
	return (uint64_t)step << 56 | (uint64_t)component << 52 | (uint64_t)at;
}
/* Steps of painting, those along an axis after each other. */
enum painting_step { PAINTING_MEANS = 1, PAINTING_CONDUCTORS = 4, PAINTING_LOSSES };

/* Gives all ranks the same media, in the order in which a single process would have added them. *fit: whether there are
 * numbers for all; otherwise nothing has changed. */
sonde_status media_agree(const struct fdtd_grid *grid, struct media *media, bool *fit);
/* Whether something holds on any rank. */
sonde_status media_agree_any(const struct media *media, bool *any);

#endif
