/* Lists in the texts of options: bodies, and structures. The first byte chooses. */
#include "fuzz/fuzz.h"

#include "matter/build/lists.h"

static void parse(const char *option, const char *text, const struct yaml_list *kind, struct yaml_list *list,
		  sonde_status *status)
{
	*list = (struct yaml_list){.block = kind->block, .table = kind->table};
	*status = yaml_list_parse(option, text, list);
}

/* What was read is written, and read again, as the same text. */
static void write_again(const char *option, const struct yaml_list *list)
{
	struct text text = {0}, again = {0};
	struct yaml_list second;
	sonde_status status;

	REQUIRE(yaml_list_print(list, &text) == SONDE_OK);
	parse(option, text.bytes, list, &second, &status);
	if (status != SONDE_OK)
		fprintf(stderr, "%s\n%s\n", text.bytes, sonde_status_message());
	REQUIRE(status == SONDE_OK && second.count == list->count);
	REQUIRE(yaml_list_print(&second, &again) == SONDE_OK);
	REQUIRE(strcmp(text.bytes, again.bytes) == 0);
	text_free(&text);
	text_free(&again);
	yaml_list_free(&second);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct yaml_list kinds[BUILD_LISTS], list;
	sonde_status status;

	if (size == 0 || size > 4096)
		return 0;
	build_lists_begin(kinds);
	char *text = as_string(data + 1, size - 1);
	const struct yaml_list *kind = &kinds[data[0] % BUILD_LISTS];
	parse(kind->table->name, text, kind, &list, &status);
	if (status == SONDE_OK) {
		write_again(kind->table->name, &list);
	} else {
		REQUIRE(status == SONDE_INVALID);
		/* options are marked in messages of the library */
		REQUIRE(sonde_status_message()[0] != '\0' && strchr(sonde_status_message(), '\n') == NULL);
	}
	yaml_list_free(&list);
	free(text);
	return 0;
}
