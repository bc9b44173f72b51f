#include "matter/samples/size_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "matter/build/build.h"

#define LIST ".csv"

/* The name of file number `index`: that of the list without its ending, and the number with as many digits as the last. */
static sonde_status name_file(const char *list, int64_t index, int64_t count, struct text *name)
{
	const int digits = count > 99 ? 3 : 2;

	name->size = 0;
	text_append(name, "%.*s_%0*lld.xyz", (int)(strlen(list) - strlen(LIST)), list, digits, (long long)index + 1);
	return text_status(name);
}

static sonde_status check_files(const char *path, int64_t count, bool overwrite)
{
	struct text name = {0};
	sonde_status status = file_check_output(path, overwrite);

	for (int64_t k = 0; k < count && status == SONDE_OK; ++k) {
		status = name_file(path, k, count, &name);
		if (status == SONDE_OK)
			status = file_check_output(name.bytes, overwrite);
	}
	text_free(&name);
	return status;
}

sonde_status size_files_check(const sonde_build_options *options, const char *path, bool overwrite)
{
	int64_t count;

	if (!file_has_suffix(path, LIST))
		return status_fail_file(SONDE_INVALID, path,
					"a distribution of sizes is written as a list of structures, which ends in "
					".csv; the structures are files next to it");
	CHECK(sonde_build_sizes(options, &count));
	return check_files(path, count, overwrite);
}

static sonde_status build_size(sonde_context *context, const sonde_build_options *options, int64_t index,
			       double *weight, double *size, sonde_atoms **atoms)
{
	sonde_build_options *of_size;

	*atoms = NULL;
	CHECK(memory_allocate(&of_size, 1, sizeof *of_size, "the options of build"));
	sonde_status status = sonde_build_size(options, index, of_size, weight, size);
	if (status == SONDE_OK) {
		status = sonde_build_run(context, of_size, atoms);
		if (status == SONDE_INVALID)
			status = status_prefix(status, "size %.6g", *size);
	}
	free(of_size);
	return status;
}

/* The row of the list gives the name without the folder. */
static void append_row(const char *name, double weight, double size, struct text *list)
{
	const char *slash = strrchr(name, '/');

	text_append(list, "%s,", slash != NULL ? slash + 1 : name);
	text_append_real(list, weight);
	text_append_byte(list, ',');
	text_append_real(list, size);
	text_append_byte(list, '\n');
}

static sonde_status write_size(sonde_context *context, const sonde_build_options *options, int64_t index,
			       const char *name, bool overwrite, struct text *list, struct size_files *written)
{
	double weight, size;
	sonde_atoms *atoms;

	CHECK(build_size(context, options, index, &weight, &size, &atoms));
	const int64_t count = sonde_atoms_count(atoms);
	const sonde_status status = sonde_atoms_write(context, atoms, name, overwrite);
	sonde_atoms_free(&atoms);
	written->fewest = written->samples == 0 || count < written->fewest ? count : written->fewest;
	written->most = count > written->most ? count : written->most;
	++written->samples;
	append_row(name, weight, size, list);
	return status;
}

static sonde_status write_all(sonde_context *context, const sonde_build_options *options, const char *path,
			      bool overwrite, struct text *list, struct size_files *written)
{
	struct text name = {0};
	sonde_status status;
	int64_t count;

	CHECK(sonde_build_sizes(options, &count));
	text_append(list, "# ");
	CHECK(build_describe(options, list));
	text_append(list, "\nfile,weight,size\n");
	for (int64_t k = 0; k < count; ++k) {
		CHECK_GOTO(status, name_file(path, k, count, &name), done);
		CHECK_GOTO(status, write_size(context, options, k, name.bytes, overwrite, list, written), done);
	}
	CHECK_GOTO(status, text_status(list), done);
	status = file_write(path, list->bytes, list->size, overwrite);
done:
	text_free(&name);
	return status;
}

sonde_status size_files_write(sonde_context *context, const sonde_build_options *options, const char *path,
			      bool overwrite, struct size_files *written)
{
	struct text list = {0};

	*written = (struct size_files){.samples = 0};
	const sonde_status status = write_all(context, options, path, overwrite, &list, written);
	text_free(&list);
	return status;
}
