/* Jobs of sonde fdtd: for any contents of a file there is a plan or a message. */
#include "fuzz/fuzz.h"

#include "matter/materials/material_list.h"
#include "fdtd/option_tables.h"
#include "matter/shape/body.h"
#include "fuzz/tables.h"
#include "io/containers/yaml.h"
#include "sonde/fdtd.h"

enum { BOUNDARIES, MATERIALS, BODIES, SOURCES, MONITORS, LISTS };

/* No file of this machine is read. */
static void forget_files(struct yaml_list lists[LISTS])
{
	for (size_t n = 0; n < lists[BODIES].count; ++n)
		((sonde_body_options *)yaml_list_item(&lists[BODIES], n))->file[0] = '\0';
	for (size_t n = 0; n < lists[SOURCES].count; ++n)
		((sonde_fdtd_source_options *)yaml_list_item(&lists[SOURCES], n))->file[0] = '\0';
}

static void plan(sonde_fdtd_job *job)
{
	sonde_context *context;
	sonde_fdtd_plan made;

	REQUIRE(sonde_context_create(&context) == SONDE_OK);
	REQUIRE(sonde_context_set_device(context, "cpu") == SONDE_OK);
	sonde_status status = sonde_fdtd_make_plan(context, job, &made);
	if (status == SONDE_OK) {
		REQUIRE(made.time_step > 0.0 && made.device_memory > 0.0 && made.runs >= 1);
		for (int a = 0; a < 3; ++a)
			REQUIRE(made.cells[a] >= made.inner_cells[a] && made.inner_cells[a] >= 1);
	} else {
		REQUIRE(status == SONDE_INVALID || status == SONDE_RESOURCE);
		REQUIRE_MESSAGE();
	}
	sonde_context_free(&context);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static sonde_program_options program;
	static sonde_fdtd_job job;
	struct yaml_block top = {&fuzz_program_table, &program, false, NULL, NULL, NULL};
	struct yaml_block block = {&fdtd_option_table, &job.options, false, NULL, NULL, NULL};
	struct yaml_list lists[LISTS] = {{.block = "fdtd", .table = &fdtd_boundary_table},
					 {.block = "fdtd", .table = &material_item_table},
					 {.block = "fdtd", .table = &body_table_in_meters},
					 {.block = "fdtd", .table = &fdtd_source_table},
					 {.block = "fdtd", .table = &fdtd_monitor_table}};

	options_set_defaults(&fuzz_program_table, &program);
	sonde_fdtd_job_init(&job);
	if (yaml_read_job_lists(memory_file(data, size), &top, &block, 1, lists, LISTS) == SONDE_OK) {
		forget_files(lists);
		job.file = "job.yaml";
#define TAKE(member, number)                             \
	job.member.count = (int64_t)lists[number].count; \
	job.member.items = lists[number].items;          \
	job.member.lines = lists[number].lines
		TAKE(boundaries, BOUNDARIES);
		TAKE(materials, MATERIALS);
		TAKE(bodies, BODIES);
		TAKE(sources, SOURCES);
		TAKE(monitors, MONITORS);
		plan(&job);
	} else {
		REQUIRE_MESSAGE();
	}
	for (int n = 0; n < LISTS; ++n)
		yaml_list_free(&lists[n]);
	return 0;
}
