/* Candidates whose curves are refined within a fit: single ones, and families of sizes. */
#ifndef SONDE_MATCH_REFINED_ITEMS_H
#define SONDE_MATCH_REFINED_ITEMS_H

#include <stdbool.h>
#include <stdint.h>

#include "match/common.h"
#include "match/deformed.h"

/* A computed structure. */
struct refined_member {
	int64_t candidate;         /* number of the common ones */
	double size, atoms;        /* of a family */
	struct undeformed *curves; /* [set] */
};

struct refined_item {
	int64_t candidate; /* number of the common candidates; of a family -1 */
	char *family;      /* of a family, else null */
	struct refined_member *members;
	int64_t member_count, capacity;
	double *sizes, *atoms, *parts; /* [members] of a family: sizes, atoms of a particle, and parts of all atoms */
	double left_out;               /* of a family: part of the volume beyond its sizes */
	/* curves of the members on the measured points, [member][rows], with these deformations, [set], if `ready` */
	double *rows;
	struct deformation *deformations;
	bool ready;
};

struct refined_items {
	struct common *common;
	int64_t rows; /* measured points of all sets */
	int count;
	size_t capacity;
	struct refined_item *items;
	double *room; /* for curves on an axis */
	int64_t room_points;
};

sonde_status refined_items_begin(struct common *common, struct refined_items *items);
void refined_items_free(struct refined_items *items);
/* The same items, all of them loaded, with the sets of `common`, for a thread of its own: the curves of the members stay with the first
 * ones. Freed by refined_items_free_copy(), also after a failure. */
sonde_status refined_items_copy(const struct refined_items *items, struct common *common, struct refined_items *copy);
void refined_items_free_copy(struct refined_items *copy);
/* Families named by the option `sizes`, as the first items. SONDE_INVALID for unknown names, and families without three different sizes.
 * member_of[candidate] becomes true for their candidates. */
sonde_status refined_items_add_families(const char *names, struct refined_items *items, bool *member_of);
/* A candidate as an item. */
sonde_status refined_items_add(struct refined_items *items, int64_t candidate);
/* Reads the curves of an item if they are not there. */
sonde_status refined_item_load(struct refined_items *items, int item);
/* The curve of an item on the points of all sets, [rows]; of a family with a mean size and a width. */
void refined_item_curve(struct refined_items *items, int item, const struct deformation *deformations, double mean,
			double width, double *raw);

#endif
