#include "cli/program/job.h"

#include "matter/sample/sample_atoms.h"

sonde_status job_sample_file(const struct arguments *arguments, const struct yaml_block *build, const char **path)
{
	const char *named = arguments->program.sample;
	const char *given = arguments->job == NULL ? arguments->positional : NULL;
	int count = (named[0] != '\0') + (given != NULL) + build->present;

	*path = NULL;
	if (count == 0)
		return status_fail(SONDE_INVALID, "%s%sno sample is given; name an XYZ file%s",
				   arguments->job != NULL ? arguments->job : "", arguments->job != NULL ? ": " : "",
				   arguments->job != NULL ? " as 'sample: FILE', or give a 'build:' block" : "");
	if (count > 1)
		return status_fail(SONDE_INVALID, "more than one sample is given; choose one");
	if (!build->present)
		*path = given != NULL ? given : named;
	return SONDE_OK;
}

sonde_status job_sample(sonde_context *context, const struct arguments *arguments, const struct yaml_block *build,
			sonde_atoms **atoms)
{
	const char *path;

	CHECK(job_sample_file(arguments, build, &path));
	if (path != NULL)
		return sample_read_atoms(context, path, arguments->program.frame, atoms);
	sonde_status status = sonde_build_run(context, build->options, atoms);
	if (status != SONDE_INVALID)
		return status;
	status_name_keys();
	return status_prefix(status, "%s: build", arguments->job);
}
