/* The option tables, generated from the .def files. */
#include <string.h>

#include "base/options.h"
#include "fdtd/option_tables.h"
#include "matter/materials/material_list.h"
#include "sonde/fdtd.h"

#define OPTION_STRUCT sonde_fdtd_options
#include "base/option_table.h"

static const struct option_row rows[] = {
#include "fdtd/options.def"
};

#undef OPTION_STRUCT
#define OPTION_STRUCT sonde_fdtd_boundary_options
static const struct option_row boundary_rows[] = {
#include "fdtd/boundary.def"
};

#undef OPTION_STRUCT
#define OPTION_STRUCT sonde_fdtd_source_options
static const struct option_row source_rows[] = {
#include "fdtd/source.def"
};

#undef OPTION_STRUCT
#define OPTION_STRUCT sonde_fdtd_monitor_options
static const struct option_row monitor_rows[] = {
#include "fdtd/monitor.def"
};

#define TABLE(name, rows, type)                                               \
	{                                                                     \
		name, rows, sizeof(rows) / sizeof *(rows), sizeof(type), true \
	}
const struct option_table fdtd_option_table = TABLE("fdtd", rows, sonde_fdtd_options);
const struct option_table fdtd_boundary_table = TABLE("boundaries", boundary_rows, sonde_fdtd_boundary_options);
const struct option_table fdtd_source_table = TABLE("sources", source_rows, sonde_fdtd_source_options);
const struct option_table fdtd_monitor_table = TABLE("monitors", monitor_rows, sonde_fdtd_monitor_options);

void sonde_fdtd_job_init_sized(sonde_fdtd_job *job, uint64_t size)
{
	const size_t before = offsetof(sonde_fdtd_job, options);

	memset(job, 0, before);
	job->struct_size = size;
	options_init_sized(&fdtd_option_table, &job->options, size - before);
}

void sonde_fdtd_boundary_init_sized(sonde_fdtd_boundary_options *boundary, uint64_t size)
{
	options_init_sized(&fdtd_boundary_table, boundary, size);
}

void sonde_fdtd_material_init_sized(sonde_fdtd_material_options *material, uint64_t size)
{
	options_init_sized(&material_item_table, material, size);
}

void sonde_fdtd_source_init_sized(sonde_fdtd_source_options *source, uint64_t size)
{
	options_init_sized(&fdtd_source_table, source, size);
}

void sonde_fdtd_monitor_init_sized(sonde_fdtd_monitor_options *monitor, uint64_t size)
{
	options_init_sized(&fdtd_monitor_table, monitor, size);
}
