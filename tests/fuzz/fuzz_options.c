/* Texts of options with every row of every table: an accepted value must print and read back as the same. Numbers are
 * compared with strtod's. */
#include "fuzz/fuzz.h"

#include "fuzz/tables.h"

static void check_row(const struct option_row *row, void *options, const char *text)
{
	struct text first = {0}, second = {0};

	if (option_parse(row, options, text) != SONDE_OK) {
		REQUIRE_MESSAGE();
		return;
	}
	option_print(row, options, &first);
	REQUIRE(first.bytes != NULL && option_parse(row, options, first.bytes) == SONDE_OK);
	option_print(row, options, &second);
	REQUIRE(strcmp(first.bytes, second.bytes) == 0);
	text_free(&first);
	text_free(&second);
}

static void check_table(const struct option_table *table, const char *text)
{
	void *options = malloc(table->struct_size);
	struct nearest_word nearest = {.word = text};

	REQUIRE(options != NULL);
	options_set_defaults(table, options);
	for (size_t k = 0; k < table->count; ++k)
		check_row(&table->rows[k], options, text);
	options_offer_names(table, &nearest);
	if (options_find(table, text) != NULL)
		REQUIRE(nearest.best != NULL);
	free(options);
}

static void check_number(const char *text)
{
	double value, expected;

	if (!text_parse_real(text, text + strlen(text), &value))
		return;
	expected = strtod(text, NULL);
	REQUIRE(memcmp(&value, &expected, sizeof value) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = as_string(data, size);

	check_number(text);
	check_table(&debye_option_table, text);
	check_table(&build_option_table, text);
	check_table(&fuzz_program_table, text);
	free(text);
	return 0;
}
