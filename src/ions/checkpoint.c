#include "ions/checkpoint.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/option_items.h"
#include "ions/option_table.h"
#include "run/provenance.h"
#include "run/checkpoint.h"

/* Lines that follow from others unless given: differences in them are reported last. */
static const char *const derived[] = {"step =", "depth =", "width =", NULL};

extern const char data_elements_srim95[], data_isotopes[], data_materials[];

/* Tables used by every job, and those of its stopping. */
static void append_tables(const struct ions_plan *plan, struct text *job)
{
	checkpoint_append_table(job, "elements_srim95.csv", data_elements_srim95, strlen(data_elements_srim95));
	checkpoint_append_table(job, "isotopes.csv", data_isotopes, strlen(data_isotopes));
	checkpoint_append_table(job, "materials.csv", data_materials, strlen(data_materials));
	stopping_append_tables(plan->stopping, job);
}

void ions_checkpoint_job(const struct ions_plan *plan, struct text *job)
{
	const struct target *target = &plan->target;

	checkpoint_append_version(job);
	append_tables(plan, job);
	for (size_t k = 0; k < ions_option_table.count; ++k) {
		const struct option_row *row = &ions_option_table.rows[k];
		if (option_may_change(row))
			continue;
		provenance_append_option(job, row, &plan->options);
		text_append(job, "\n");
	}
	if (plan->source.has_spectrum)
		checkpoint_append_digest(job, "contents of the spectrum", plan->source.ends,
					 sizeof plan->source.ends);
	if (plan->source.particles.count > 0)
		checkpoint_append_digest(job, "contents of the list of particles", plan->source.particles.starts,
					 plan->source.particles.count * sizeof *plan->source.particles.starts);
	if (plan->body_count > 0)
		option_items_print(&body_table_in_angstrom, plan->body_count, plan->bodies, job);
	if (target->mesh_numbers > 0)
		checkpoint_append_digest(job, "contents of meshes", target->meshes,
					 target->mesh_numbers * sizeof *target->meshes);
	if (target->voxel_word_count > 0) {
		checkpoint_append_digest(job, "contents of voxels", target->voxel_words,
					 target->voxel_word_count * sizeof(u32));
		checkpoint_append_digest(job, "sizes of voxels", target->voxels, sizeof target->voxels);
		checkpoint_append_digest(job, "spacing of voxels", target->voxel_nm, sizeof target->voxel_nm);
		checkpoint_append_digest(job, "place of voxels", target->voxel_first, sizeof target->voxel_first);
	}
	checkpoint_append_digest(job, "contents of stopping tables", plan->flights,
				 plan->flight_count * sizeof *plan->flights);
	text_append(job, "unit of depths = %a from %a\n", plan->depth_unit, plan->job.origin);
}

static sonde_status write_to(struct hdf5_writer *writer, const struct ions_plan *plan, const struct ions_sums *sums,
			     double seconds)
{
	struct text job = {0};

	ions_checkpoint_job(plan, &job);
	sonde_status status = text_status(&job);
	if (status == SONDE_OK) {
		hdf5_writer_group(writer, "/ions", "NXentry");
		hdf5_writer_text(writer, "/ions/job", job.bytes);
		hdf5_writer_real(writer, "/ions/seconds", seconds, "s");
		status = ions_sums_write(sums, writer);
	}
	text_free(&job);
	return status;
}

static sonde_status write_file(const char *name, const struct ions_plan *plan, const struct ions_sums *sums,
			       double seconds)
{
	struct hdf5_writer *writer = NULL;

	CHECK(hdf5_writer_create(&writer));
	hdf5_writer_compress(writer, 1);
	const sonde_status status = write_to(writer, plan, sums, seconds);
	if (status == SONDE_OK)
		return hdf5_writer_finish(&writer, name, true);
	hdf5_writer_discard(&writer);
	return status;
}

sonde_status ions_checkpoint_write(const char *path, const struct ions_plan *plan, const struct ions_sums *sums,
				   double seconds)
{
	struct text name = {0};
	sonde_status status = checkpoint_name(path, &name);

	checkpoint_keep_previous(path);
	if (status == SONDE_OK)
		status = write_file(name.bytes, plan, sums, seconds);
	if (status == SONDE_RESOURCE && checkpoint_drop_previous(path)) /* a full disk */
		status = write_file(name.bytes, plan, sums, seconds);
	text_free(&name);
	return status;
}

/* A file without a checksum: reports the version that wrote it. */
static sonde_status refuse_unsealed(struct hdf5_reader *reader, const char *path)
{
	char *version = NULL;

	if (!hdf5_reader_has(reader, "/ions/process/version") ||
	    hdf5_reader_text(reader, "/ions/process/version", &version) != SONDE_OK)
		version = NULL;
	const sonde_status status =
	    status_fail_option(SONDE_INVALID, "resume",
			       "%s has no checksum of the whole file: it was written by an "
			       "earlier version of sonde%s%.40s; start again",
			       path, version != NULL ? ", " : "", version != NULL ? version : "");
	free(version);
	return status;
}

static sonde_status read_from(struct hdf5_reader *reader, const char *path, const struct ions_plan *plan,
			      struct ions_sums *sums)
{
	struct text job = {0};
	char *there;

	if (!hdf5_reader_has(reader, "/ions/job") || !hdf5_reader_has(reader, "/ions/sums/tallies"))
		return status_fail_option(SONDE_INVALID, "resume", "%s is not a result of sonde ions", path);
	if (!hdf5_reader_is_sealed(reader))
		return refuse_unsealed(reader, path);
	CHECK(hdf5_reader_text(reader, "/ions/job", &there));
	ions_checkpoint_job(plan, &job);
	sonde_status status = text_status(&job);
	if (status == SONDE_OK)
		status = checkpoint_compare(path, there, job.bytes, derived);
	text_free(&job);
	free(there);
	CHECK(status);
	const int64_t one = 1;
	CHECK(hdf5_reader_exact_reals(reader, "/ions/seconds", &one, 1, &sums->earlier_seconds));
	return ions_sums_read(reader, path, &plan->job, sums);
}

static sonde_status read_file(const char *path, const char *name, const struct ions_plan *plan,
			      struct ions_sums *sums)
{
	const char *from = access(name, F_OK) == 0 ? name : path;
	struct hdf5_reader *reader;

	if (access(from, F_OK) != 0)
		return status_fail_option(SONDE_INVALID, "resume", "neither %s nor %s exists", path, name);
	CHECK(hdf5_reader_open(&reader, from));
	sonde_status status = read_from(reader, from, plan, sums);
	hdf5_reader_close(&reader);
	return status;
}

sonde_status ions_checkpoint_read(const char *path, const struct ions_plan *plan, struct ions_sums *sums)
{
	struct text name = {0};
	sonde_status status = checkpoint_name(path, &name);

	if (status == SONDE_OK)
		status = read_file(path, name.bytes, plan, sums);
	text_free(&name);
	return status;
}
