/* Lists of blocks in job files. */
#include "unit/support.h"

#include "io/containers/yaml.h"

struct body {
	int shape;
	double radius;
	sonde_vector center;
	char vertices[OPTION_TEXT_SIZE], species[OPTION_TEXT_SIZE];
};
static const struct option_row body_rows[] = {
    {OPTION_CHOICE, "shape", "", "", 0, 0, "box|sphere|prism", "", "", offsetof(struct body, shape)},
    {OPTION_REAL, "radius", "m", "1e-6", 1e-12, 1.0, "", "", "", offsetof(struct body, radius)},
    {OPTION_VECTOR, "center", "m", "0,0,0", -1.0, 1.0, "", "", "", offsetof(struct body, center)},
    {OPTION_TEXT, "vertices", "", "", 0, 0, "list", "", "", offsetof(struct body, vertices)},
    {OPTION_TEXT, "species", "", "", 0, 0, "commas", "", "", offsetof(struct body, species)}};
static const struct option_table body_table = {"bodies", body_rows, 5, sizeof(struct body), false};

struct grid {
	double spacing;
};
static const struct option_row grid_rows[] = {
    {OPTION_REAL, "spacing", "m", "1e-8", 1e-12, 1.0, "", "", "", offsetof(struct grid, spacing)}};
static const struct option_table grid_table = {"fdtd", grid_rows, 1, sizeof(struct grid), false};
static const struct option_table top_table = {"", grid_rows, 0, sizeof(struct grid), false};

static struct grid top, grid;
static struct yaml_list bodies;

static sonde_status read_lists(const char *text)
{
	struct yaml_block top_block = {&top_table, &top, false, NULL, NULL, NULL},
			  block = {&grid_table, &grid, false, NULL, NULL, NULL};

	yaml_list_free(&bodies);
	bodies = (struct yaml_list){.block = "fdtd", .table = &body_table};
	return yaml_read_job_lists(test_write_text("job.yaml", text), &top_block, &block, 1, &bodies, 1);
}

static const struct body *body(size_t number)
{
	return yaml_list_item(&bodies, number);
}

static void test_lists_of_values(void **unused)
{
	(void)unused;
	assert_status(SONDE_OK, read_lists("fdtd:\n  bodies:\n"
					   "    - {species: [Cd, Se], vertices: [Cd, Se]}\n"
					   "    - {species: 'Cd , Se'}\n"
					   "    - species:\n      - Si = 15\n      - O=28\n"));
	assert_string_equal(body(0)->species, "Cd,Se");
	assert_string_equal(body(0)->vertices, "Cd;Se");
	assert_string_equal(body(1)->species, "Cd,Se");
	assert_string_equal(body(2)->species, "Si=15,O=28");
	assert_invalid("job.yaml:3:17: species: must be a list of values",
		       read_lists("fdtd:\n  bodies:\n    - {species: [Cd, [Se]]}\n"));
}

static void test_items_are_read_in_order(void **unused)
{
	(void)unused;
	assert_status(SONDE_OK, read_lists("fdtd:\n"
					   "  spacing: 5 nm\n"
					   "  bodies:\n"
					   "    - shape: sphere\n"
					   "      radius: 60 nm\n"
					   "    - {shape: prism, center: [0, 10 nm, -1e-8],\n"
					   "       vertices: [[0, 0], [1 um, 0], [0, 1 um]]}\n"));
	assert_true(grid.spacing == 5e-9);
	assert_int_equal(bodies.count, 2);
	assert_int_equal(bodies.lines[0], 4);
	assert_int_equal(bodies.lines[1], 6);
	assert_true(body(0)->shape == 1 && body(0)->radius == 60e-9 && body(0)->center.y == 0.0);
	assert_true(body(1)->shape == 2 && body(1)->radius == 1e-6 && body(1)->center.y == 10e-9 &&
		    body(1)->center.z == -1e-8);
	assert_string_equal(body(1)->vertices, "0,0;1 um,0;0,1 um");
	assert_true(yaml_list_gives(&bodies, 0, &body_rows[1]) && !yaml_list_gives(&bodies, 1, &body_rows[1]) &&
		    yaml_list_gives(&bodies, 1, &body_rows[2]));
	assert_status(SONDE_OK, read_lists("fdtd:\n  bodies: []\n"));
	assert_int_equal(bodies.count, 0);
	assert_status(SONDE_OK, read_lists("fdtd:\n  bodies:\n  spacing: 1 nm\n"));
	assert_int_equal(bodies.count, 0);
}

static void test_invalid_lists_are_refused(void **unused)
{
	static const struct {
		const char *text, *message;
	} cases[] = {
	    {"fdtd:\n  bodie: []\n", ":2:3: unknown key 'bodie', did you mean 'bodies'?"},
	    {"bodies: []\n", ":1:1: unknown key 'bodies'"},
	    {"fdtd:\n  bodies: 5\n", ":2:11: a list is expected here"},
	    {"fdtd:\n  bodies: {shape: box}\n", ":2:11: a list is expected here"},
	    {"fdtd:\n  bodies:\n    - sphere\n", ":3:7: keys with values are expected here"},
	    {"fdtd:\n  bodies:\n    - shape: ball\n", ":3:14: shape: 'ball' is not one of box|sphere|prism"},
	    {"fdtd:\n  bodies:\n    - radios: 5 nm\n", ":3:7: unknown key 'radios', did you mean 'radius'?"},
	    {"fdtd:\n  bodies:\n    - radius: 5 ns\n", ":3:15: radius: '5 ns' is not a number, or one with a unit"},
	    {"fdtd:\n  bodies:\n    - radius: [5 nm]\n", ":3:15: radius: must be a single value"},
	    {"fdtd:\n  bodies:\n    - vertices: [[[1]]]\n", ":3:17: vertices: must be a list of values"},
	    {"fdtd:\n  bodies:\n    - vertices: [{a: 1}]\n", ":3:17: vertices: must be a list of values"},
	    {"fdtd:\n  bodies: []\n  bodies: []\n", ":3:3: duplicate key 'bodies', first on line 2"}};

	(void)unused;
	for (size_t k = 0; k < COUNT(cases); ++k) {
		assert_status(SONDE_INVALID, read_lists(cases[k].text));
		assert_message(cases[k].message);
	}
	yaml_list_free(&bodies);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_lists_of_values),
					   cmocka_unit_test(test_items_are_read_in_order),
					   cmocka_unit_test(test_invalid_lists_are_refused)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
