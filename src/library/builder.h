/* The structures of a description, one after another as batches. They are built by all threads at once, each structure by one of them, and those
 * that are in the library already, or the same as an earlier one, are left out. */
#ifndef SONDE_LIBRARY_BUILDER_H
#define SONDE_LIBRARY_BUILDER_H

#include "library/spec.h"
#include "match/library_keys.h"

/* Structures that are computed together. Begins as {0}. */
struct library_batch {
	struct library_structure *structures;
	int count;
	double pairs;
	int64_t end; /* the structures of the description before this one are in it, in earlier ones, or left out */
};
void library_batch_empty(struct library_batch *batch);
void library_batch_free(struct library_batch *batch);

struct library_builder {
	sonde_context *context;
	const struct library_spec *spec;
	bool one_by_one;                   /* built by the calling thread, not several at a time */
	int at_once;                       /* most structures of a batch, */
	double most_pairs;                 /* and pairs after which it ends */
	const struct library_keys *before; /* of the file */
	struct library_keys taken;         /* of all batches so far */
	int64_t next;                      /* structure to be built, */
	int64_t end;                       /* and the one before which building ends */
	/* built, and not yet in a batch: structures from first_built on, until a failure */
	struct library_structure *built;
	int64_t first_built;
	int built_count, built_taken, built_room;
	double largest_built; /* atoms */
	sonde_status status;  /* of the structure after them */
	char message[1024];
	/* so far */
	int64_t present, repeated, fewest_atoms, most_atoms;
	double atoms, pairs, seconds;
};
/* Fills an empty batch; without structures after the last one. After a failure, that of the first structure in the order of the description,
 * the batch has those before it. */
sonde_status library_builder_fill(struct library_builder *builder, struct library_batch *batch);
void library_builder_free(struct library_builder *builder);

#endif
