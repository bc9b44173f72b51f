#include "cli/program/job.h"

#include "matter/sample/sample_atoms.h"

static sonde_status prefix_build(const struct arguments *arguments, sonde_status status)
{
	if (status != SONDE_INVALID)
		return status;
	status_name_keys();
	return status_prefix(status, "%s: build", arguments->job);
}

sonde_status job_sample_file(const struct arguments *arguments, const struct yaml_block *build, const char **path)
{
	const char *named = arguments->program.sample;
	const char *given = arguments->job == NULL ? arguments->positional : NULL;
	const int files = (named[0] != '\0') + (given != NULL);

	*path = NULL;
	if (files == 0 && !build->present)
		return status_fail(SONDE_INVALID, "%s%sno sample is given; name an XYZ file%s",
				   arguments->job != NULL ? arguments->job : "", arguments->job != NULL ? ": " : "",
				   arguments->job != NULL ? " as 'sample: FILE', or give a 'build:' block" : "");
	if (files > 1)
		return status_fail(SONDE_INVALID, "more than one sample is given; choose one");
	if (files == 1)
		*path = given != NULL ? given : named;
	return files == 1 && build->present ? prefix_build(arguments, sample_check_changes(*path, build->options))
					    : SONDE_OK;
}

sonde_status job_sample(sonde_context *context, const struct arguments *arguments, const struct yaml_block *build,
			sonde_atoms **atoms)
{
	const char *path;

	CHECK(job_sample_file(arguments, build, &path));
	if (path != NULL)
		return sample_read_atoms(context, path, arguments->program.frame,
					 build->present ? build->options : NULL, atoms);
	return prefix_build(arguments, sonde_build_run(context, build->options, atoms));
}
