/* Reads job files with blocks "debye" and "build" and top-level options of every type. */
#ifndef TESTS_UNIT_JOB_READER_H
#define TESTS_UNIT_JOB_READER_H

#include "debye/debye.h"
#include "io/containers/yaml.h"
#include "matter/build/build.h"
#include "unit/sample_options.h"

static struct job_read {
	struct sample_options top;
	sonde_debye_options debye;
	sonde_build_options build;
	struct yaml_block top_block, blocks[2];
	bool top_given[64], debye_given[64];
} job;

static sonde_status read_job_file(const char *path)
{
	memset(&job, 0, sizeof job);
	options_set_defaults(&sample_table, &job.top);
	sonde_debye_options_init(&job.debye);
	sonde_build_options_init(&job.build);
	job.top_block = (struct yaml_block){&sample_table, &job.top, false, job.top_given, NULL, NULL};
	job.blocks[0] = (struct yaml_block){&debye_option_table, &job.debye, false, job.debye_given, NULL, NULL};
	job.blocks[1] = (struct yaml_block){&build_option_table, &job.build, false, NULL, NULL, NULL};
	return yaml_read_job(path, &job.top_block, job.blocks, 2);
}

#define read_job(text) read_job_file(test_write_text("job.yaml", (text)))

#endif
