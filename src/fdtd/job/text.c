/* A job as text: what its numbers depend on. */
#include "fdtd/option_tables.h"
#include "fdtd/job/prepared.h"

static void append_options(struct text *text, const char *indent, const struct option_table *table,
			   const void *options)
{
	char flag[64];

	for (size_t k = 0; k < table->count; ++k) {
		const struct option_row *row = &table->rows[k];
		struct text value = {0};
		option_print(row, options, &value);
		if (value.bytes != NULL && value.size > 0)
			text_append(text, "%s%s: %s\n", indent, option_flag(row, flag), value.bytes);
		text->failed |= value.failed;
		text_free(&value);
	}
}

static void append_list(struct text *text, const struct option_table *table, int64_t count, const void *items)
{
	for (int64_t n = 0; n < count; ++n) {
		text_append(text, "%s %lld:\n", table->name, (long long)n + 1);
		append_options(text, "  ", table, (const char *)items + (size_t)n * table->struct_size);
	}
}

void fdtd_job_text(const sonde_fdtd_job *job, struct text *text)
{
	append_options(text, "", &fdtd_option_table, &job->options);
	append_list(text, &fdtd_boundary_table, job->boundaries.count, job->boundaries.items);
	append_list(text, &fdtd_material_table, job->materials.count, job->materials.items);
	append_list(text, &fdtd_body_table, job->bodies.count, job->bodies.items);
	append_list(text, &fdtd_source_table, job->sources.count, job->sources.items);
	append_list(text, &fdtd_monitor_table, job->monitors.count, job->monitors.items);
}
