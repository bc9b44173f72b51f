/* Inside of a description of a sample. The public interface is sonde/sample.h. */
#ifndef SONDE_MATTER_SAMPLE_SAMPLE_H
#define SONDE_MATTER_SAMPLE_SAMPLE_H

#include "base/options.h"
#include "matter/materials/material_list.h"
#include "matter/shape/body.h"
#include "sonde/sample.h"

struct sonde_sample {
	char *path;
	char sha256[65]; /* of its file */
	sonde_sample_options options;
	struct material_list materials; /* items and lines are owned, and so are those of bodies */
	struct body_list bodies;        /* lengths in Angstrom */
	struct text notes;
};

extern const struct option_table sample_option_table;

/* Whether a file is a description, as sonde_sample_is_one(); fails where memory is short. */
sonde_status sample_is_one(const char *path, bool *is_one);

/* The lists of a job followed by those of a sample, for an engine that reads both. The job's materials come first, and a name is that of
 * the first one; the job's bodies come first, so that those of the sample replace them where they overlap. */
struct sample_lists {
	struct material_list materials;
	struct body_list bodies;
};

/* Adds the sample's lists to the job's, whose items are complete; the items of the result are owned by it. The sample's bodies are moved
 * by `shift` (Angstrom); lengths are in meters if `meters`, of which those of the sample have the same digits as if the job gave them.
 * `sample` may be null. To be freed by sample_lists_free(), also after a failure. */
sonde_status sample_lists_join(const struct material_list *materials, const struct body_list *bodies,
			       const sonde_sample *sample, const double shift[3], bool meters,
			       struct sample_lists *lists);
void sample_lists_free(struct sample_lists *lists);

/* The box around all bodies with their copies, except those whose extent only an engine knows, Angstrom; false if there is none. */
bool sample_bounds(const sonde_sample *sample, double low[3], double high[3]);

#endif
