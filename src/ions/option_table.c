/* The option table, generated from options.def. */
#include "ions/option_table.h"

#include <string.h>

#include "sonde/ions.h"

#define OPTION_STRUCT sonde_ions_options
#include "base/option_table.h"

static const struct option_row rows[] = {
#include "ions/options.def"
};

const struct option_table ions_option_table = {"ions", rows, sizeof rows / sizeof *rows, sizeof(sonde_ions_options),
					       true};

void sonde_ions_options_init_sized(sonde_ions_options *options, uint64_t size)
{
	options_init_sized(&ions_option_table, options, size);
}

void sonde_ions_job_init_sized(sonde_ions_job *job, uint64_t size)
{
	const size_t before = offsetof(sonde_ions_job, options);

	memset(job, 0, before);
	job->struct_size = size;
	options_init_sized(&ions_option_table, &job->options, size - before);
}
