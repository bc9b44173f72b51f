/* Names of a job's materials in texts: replaced by compositions and densities. */
#include "unit/support.h"

#include "matter/materials/material_list.h"

static sonde_material_options items[3];
static const struct material_list list = {.count = 3, .items = items};

static int make_list(void **state)
{
	(void)state;
	for (int n = 0; n < 3; ++n)
		sonde_material_init(&items[n]);
	strcpy(items[0].name, "glass");
	strcpy(items[0].composition, "SiO2");
	items[0].density = 2.2;
	strcpy(items[1].name, "Au");
	items[1].density = 19.0;
	strcpy(items[2].name, "film");
	strcpy(items[2].library, "Au-JC");
	return 0;
}

static void check(const char *given, const char *separators, const char *wanted)
{
	char text[OPTION_TEXT_SIZE];

	strcpy(text, given);
	if (material_list_replace(&list, separators, text) != SONDE_OK)
		fail_msg("'%s': %s", given, sonde_status_message());
	assert_string_equal(text, wanted);
}

static void names_become_compositions(void **state)
{
	(void)state;
	check("", "/", "");
	check("glass", "/", "SiO2@2.2");
	check("glass:20 nm/Si/ glass :1nm", "/", "SiO2@2.2:20 nm/Si/SiO2@2.2:1nm");
	check("glass*0.9", "/", "SiO2@2.2*0.9");
	check("glass@2.4*0.9:5nm", "/", "SiO2@2.4*0.9:5nm");
	check("Au:sphere:5@1,2,3/glass:box:1,2,3@0,0,0", "/", "Au@19:sphere:5@1,2,3/SiO2@2.2:box:1,2,3@0,0,0");
	check("none;glass,glassy", ",;", "none;SiO2@2.2,glassy");
}

static void failures_name_the_item(void **state)
{
	char text[OPTION_TEXT_SIZE] = "Si/film";
	(void)state;

	assert_status(SONDE_INVALID, material_list_replace(&list, "/", text));
	assert_non_null(strstr(sonde_status_message(), "materials 3"));
	assert_non_null(strstr(sonde_status_message(), "has no composition"));
	assert_string_equal(text, "Si/film");
	memset(text, '/', sizeof text - 1);
	memcpy(text, "glass", 5);
	text[sizeof text - 1] = '\0';
	assert_status(SONDE_INVALID, material_list_replace(&list, "/", text));
}

static void names_are_unique(void **state)
{
	(void)state;
	assert_status(SONDE_OK, material_list_check(&list));
	strcpy(items[2].name, "glass");
	assert_status(SONDE_INVALID, material_list_check(&list));
	items[2].name[0] = '\0';
	assert_status(SONDE_INVALID, material_list_check(&list));
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test_setup(names_become_compositions, make_list),
					   cmocka_unit_test_setup(failures_name_the_item, make_list),
					   cmocka_unit_test_setup(names_are_unique, make_list)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
