/* Job files. */
#include <string.h>

#include "fuzz/fuzz.h"

#include "fuzz/tables.h"
#include "io/containers/yaml.h"

/* Each value that a job set must have passed the check of its row. */
static void check_given(const struct yaml_block *block)
{
	for (size_t k = 0; k < block->table->count; ++k) {
		struct text text = {0};
		if (!block->given[k])
			continue;
		REQUIRE(block->present);
		option_print(&block->table->rows[k], block->options, &text);
		/* the name of a file instead of a choice is another option's value */
		REQUIRE(text.size == 0
			    ? strstr(block->table->rows[k].traits, "or:") != NULL ||
				  block->table->rows[k].type == OPTION_TEXT
			    : option_parse(&block->table->rows[k], block->options, text.bytes) == SONDE_OK);
		text_free(&text);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static sonde_program_options program;
	static sonde_debye_options debye;
	static sonde_build_options build;
	static bool given[3][128];
	struct yaml_block top = {&fuzz_program_table, &program, false, given[0], NULL, NULL};
	struct yaml_block blocks[] = {{&debye_option_table, &debye, false, given[1], NULL, NULL},
				      {&build_option_table, &build, false, given[2], NULL, NULL}};

	memset(given, 0, sizeof given);
	options_set_defaults(&fuzz_program_table, &program);
	sonde_debye_options_init(&debye);
	sonde_build_options_init(&build);
	struct yaml_list list = {.block = "debye", .table = &build_option_table};
	sonde_status status = yaml_read_job_lists(memory_file(data, size), &top, blocks, 2, &list, 1);
	if (status == SONDE_OK) {
		REQUIRE(top.present);
		check_given(&top);
		check_given(&blocks[0]);
		check_given(&blocks[1]);
		for (size_t k = 0; k < list.count; ++k) {
			struct yaml_block item = {list.table, yaml_list_item(&list, k),
						  true,       list.given + k * list.table->count,
						  NULL,       NULL};
			REQUIRE(list.lines[k] >= 1);
			check_given(&item);
		}
	} else {
		REQUIRE(status == SONDE_INVALID);
		REQUIRE_MESSAGE();
	}
	yaml_list_free(&list);
	return 0;
}
