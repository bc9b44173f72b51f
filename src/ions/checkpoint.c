#include "ions/checkpoint.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/sha256.h"
#include "ions/option_table.h"
#include "matter/provenance.h"
#include "run/resume.h"

#define SUFFIX ".checkpoint"

/* What files have brought in. */
static void append_digest(const char *name, const void *bytes, size_t size, struct text *job)
{
	struct sha256 hash;
	char digest[65];

	sha256_begin(&hash);
	sha256_add(&hash, bytes, size);
	sha256_end(&hash, digest);
	text_append(job, "%s = %.12s\n", name, digest);
}

extern const char data_elements_srim95[], data_isotopes[], data_materials[];

/* Tables that every job takes something from, and those of its stopping. */
static void append_tables(const struct ions_plan *plan, struct text *job)
{
	resume_append_table(job, "elements_srim95.csv", data_elements_srim95, strlen(data_elements_srim95));
	resume_append_table(job, "isotopes.csv", data_isotopes, strlen(data_isotopes));
	resume_append_table(job, "materials.csv", data_materials, strlen(data_materials));
	stopping_append_tables(plan->stopping, job);
}

void checkpoint_job(const struct ions_plan *plan, struct text *job)
{
	const struct target *target = &plan->target;

	resume_append_version(job);
	append_tables(plan, job);
	for (size_t k = 0; k < ions_option_table.count; ++k) {
		const struct option_row *row = &ions_option_table.rows[k];
		if (option_may_change(row))
			continue;
		provenance_append_option(job, row, &plan->options);
		text_append(job, "\n");
	}
	if (plan->source.has_spectrum)
		append_digest("contents of the spectrum", plan->source.ends, sizeof plan->source.ends, job);
	if (plan->source.particles.count > 0)
		append_digest("contents of the list of particles", plan->source.particles.starts,
			      plan->source.particles.count * sizeof *plan->source.particles.starts, job);
	if (target->voxel_word_count > 0) {
		append_digest("contents of voxels", target->voxel_words, target->voxel_word_count * sizeof(u32), job);
		append_digest("sizes of voxels", target->voxels, sizeof target->voxels, job);
		append_digest("spacing of voxels", target->voxel_nm, sizeof target->voxel_nm, job);
		append_digest("place of voxels", target->voxel_first, sizeof target->voxel_first, job);
	}
	append_digest("contents of stopping tables", plan->flights, plan->flight_count * sizeof *plan->flights, job);
	text_append(job, "unit of depths = %a from %a\n", plan->depth_unit, plan->job.origin);
}

static sonde_status name_of(const char *path, char *name, size_t size)
{
	if ((size_t)snprintf(name, size, "%s" SUFFIX, path) >= size)
		return status_fail(SONDE_INVALID, "%.60s...: too long a name", path);
	return SONDE_OK;
}

sonde_status checkpoint_write(const char *path, const struct ions_plan *plan, const struct ions_sums *sums,
			      double seconds)
{
	struct hdf5_writer *writer;
	struct text job = {0};
	char name[OPTION_TEXT_SIZE + 16];

	CHECK(name_of(path, name, sizeof name));
	CHECK(hdf5_writer_create(&writer));
	hdf5_writer_compress(writer, 1);
	checkpoint_job(plan, &job);
	sonde_status status = text_status(&job);
	if (status == SONDE_OK) {
		hdf5_writer_group(writer, "/ions", "NXentry");
		hdf5_writer_text(writer, "/ions/job", job.bytes);
		hdf5_writer_real(writer, "/ions/seconds", seconds, "s");
		status = ions_sums_write(sums, writer);
	}
	text_free(&job);
	if (status != SONDE_OK) {
		hdf5_writer_discard(&writer);
		return status;
	}
	return hdf5_writer_finish(&writer, name, true);
}

void checkpoint_remove(const char *path)
{
	char name[OPTION_TEXT_SIZE + 16];

	if (name_of(path, name, sizeof name) == SONDE_OK)
		(void)unlink(name);
}

/* Whether a line says what follows from others where nobody asks for it. */
static bool is_derived(const char *line)
{
	static const char *const names[] = {"step =", "depth =", "width ="};

	for (size_t k = 0; k < sizeof names / sizeof *names; ++k)
		if (strncmp(line, names[k], strlen(names[k])) == 0)
			return true;
	return false;
}

/* The first line in which two jobs differ; those that others are the reason of are looked at, or not. */
static sonde_status compare_lines(const char *path, const char *there, const char *here, bool derived)
{
	while (*there != '\0' && *here != '\0') {
		size_t a = strcspn(there, "\n"), b = strcspn(here, "\n");
		if ((a != b || strncmp(there, here, a) != 0) && (derived || !is_derived(there)))
			return status_fail(SONDE_INVALID,
					   "resume: %s is of another job, with %.*s, and not %.*s; run that one, or "
					   "choose another --output",
					   path, (int)(a > 100 ? 100 : a), there, (int)(b > 100 ? 100 : b), here);
		there += a + (there[a] == '\n');
		here += b + (here[b] == '\n');
	}
	if (*there != *here)
		return status_fail(SONDE_INVALID, "resume: %s is of another version of this program", path);
	return SONDE_OK;
}

static sonde_status compare_jobs(const char *path, const char *there, const char *here)
{
	CHECK(resume_compare(path, there, here));
	CHECK(compare_lines(path, there, here, false));
	return compare_lines(path, there, here, true);
}

/* One whose checksum is missing: which version wrote it. */
static sonde_status refuse_unsealed(struct hdf5_reader *reader, const char *path)
{
	char *version = NULL;

	if (!hdf5_reader_has(reader, "/ions/process/version") ||
	    hdf5_reader_text(reader, "/ions/process/version", &version) != SONDE_OK)
		version = NULL;
	const sonde_status status = status_fail(SONDE_INVALID,
						"resume: %s has no checksum of the whole file: it was written by an "
						"earlier version of sonde%s%.40s; begin again",
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
		return status_fail(SONDE_INVALID, "resume: %s is no result of sonde ions", path);
	if (!hdf5_reader_is_sealed(reader))
		return refuse_unsealed(reader, path);
	CHECK(hdf5_reader_text(reader, "/ions/job", &there));
	checkpoint_job(plan, &job);
	sonde_status status = text_status(&job);
	if (status == SONDE_OK)
		status = compare_jobs(path, there, job.bytes);
	text_free(&job);
	free(there);
	CHECK(status);
	const int64_t one = 1;
	CHECK(hdf5_reader_exact_reals(reader, "/ions/seconds", &one, 1, &sums->earlier_seconds));
	return ions_sums_read(reader, path, &plan->job, sums);
}

sonde_status checkpoint_read(const char *path, const struct ions_plan *plan, struct ions_sums *sums)
{
	char name[OPTION_TEXT_SIZE + 16];
	struct hdf5_reader *reader;

	CHECK(name_of(path, name, sizeof name));
	const char *from = access(name, F_OK) == 0 ? name : path;
	if (access(from, F_OK) != 0)
		return status_fail(SONDE_INVALID, "resume: there is neither %s nor %s", path, name);
	CHECK(hdf5_reader_open(&reader, from));
	sonde_status status = read_from(reader, from, plan, sums);
	hdf5_reader_close(&reader);
	return status;
}
