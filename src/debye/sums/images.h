/* Pairs of tiles of a periodic sample whose distance may be below the cut-off, as lists for kernels. */
#ifndef SONDE_DEBYE_IMAGES_H
#define SONDE_DEBYE_IMAGES_H

#include "debye/debye.h"
#include "debye/kernels/histogram_layout.h"

/* A task of a kernel, and a partner of its tiles. */
struct image_task {
	uint32_t tile, tile_end, first, end;
};
struct image_partner {
	uint32_t tile, image, bin;
};
struct image_list {
	struct image_task *tasks;
	struct image_partner *partners;
	size_t task_count, partner_count, task_capacity, partner_capacity;
	struct image_list *parts; /* of the threads that search, whose memory is used again */
};
void image_list_free(struct image_list *list);

/* The tiles of a sample with their boxes, and the images of the cell that can be within the cut-off. */
struct images;
sonde_status images_create(const struct periodic *periodic, const struct arranged_atoms *atoms,
			   const struct box *boxes, struct images **images);
void images_free(struct images **images);
/* The images: number 0 is the cell itself. Vectors in Angstrom. */
size_t images_count(const struct images *images);
const double (*images_vectors(const struct images *images))[3];

/* Replaces the list by the pairs of tiles of species a in groups ("quads") first to end - 1 with tiles of species b,
 * each pair of atoms once for all groups together; for one species those of two groups belong to the one with the
 * lower number. A task has `unit` adjacent tiles of a group, 1, 2 or 4. `per_angstrom` is the number of bins; `sorted`:
 * partners of a task in the order of the distance of their centers. */
struct image_search {
	int species_a, species_b;
	uint32_t first, end, unit;
	double per_angstrom;
	bool sorted;
	int threads;
};
sonde_status images_find(const struct images *images, const struct image_search *search, struct image_list *list);

#endif
