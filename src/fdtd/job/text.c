/* A job as text: all input that its numbers depend on. */
#include "base/option_items.h"
#include "matter/materials/material_list.h"
#include "fdtd/job/prepared.h"
#include "fdtd/option_tables.h"
#include "matter/shape/body.h"

void fdtd_job_text(const sonde_fdtd_job *job, struct text *text)
{
	options_print_lines(&fdtd_option_table, &job->options, "", text);
	option_items_print(&fdtd_boundary_table, job->boundaries.count, job->boundaries.items, text);
	option_items_print(&material_item_table, job->materials.count, job->materials.items, text);
	option_items_print(&body_table_in_meters, job->bodies.count, job->bodies.items, text);
	option_items_print(&fdtd_source_table, job->sources.count, job->sources.items, text);
	option_items_print(&fdtd_monitor_table, job->monitors.count, job->monitors.items, text);
}
