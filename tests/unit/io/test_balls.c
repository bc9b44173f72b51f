/* Balls of a picture: places, sizes, colors, and what is in front. */
#include "unit/support.h"

#include "io/picture/balls.h"

#define SIDE 100

static const struct color colors[2] = {{200, 0, 0}, {0, 0, 200}};
static const double radii[2] = {1.0, 0.5};

/* A view along z of the square from -4 to 4, or from the other side. */
static void draw(const double *centers, const uint16_t *kinds, int64_t count, double side, struct picture *picture)
{
	const struct balls balls = {
	    .count = count, .stride = 1, .centers = centers, .kinds = kinds, .radii = radii, .colors = colors};
	const struct balls_view view = {{side, 0, 0}, {0, 1, 0}, {0, 0, side}, {0, 0}, 4.0};

	assert_status(SONDE_OK, picture_make(SIDE, SIDE, picture));
	assert_status(SONDE_OK, balls_draw(&balls, &view, picture));
}

/* 'r', 'b', or ' ' at a place of the picture. */
static char seen(const struct picture *picture, double x, double y)
{
	const int column = (int)((x + 4.0) / 8.0 * SIDE), row = (int)((4.0 - y) / 8.0 * SIDE);
	const struct color *pixel = &picture->pixels[row * SIDE + column];

	return pixel->red > 250 && pixel->blue > 250 ? ' ' : pixel->red > pixel->blue ? 'r' : 'b';
}

static void test_places_and_sizes(void **unused)
{
	static const double centers[] = {2, 1, 0, -1.5, -2, 0};
	struct picture picture;
	int covered = 0;

	(void)unused;
	draw(centers, (const uint16_t[]){0, 1}, 2, 1.0, &picture);
	assert_int_equal(seen(&picture, 2, 1), 'r');
	assert_int_equal(seen(&picture, 2.9, 1), 'r');
	assert_int_equal(seen(&picture, 3.15, 1), ' ');
	assert_int_equal(seen(&picture, 2, -1), ' ');
	assert_int_equal(seen(&picture, -1.5, -2), 'b');
	assert_int_equal(seen(&picture, -1.5, -2.65), ' ');
	/* the areas of the circles */
	for (int k = 0; k < SIDE * SIDE; ++k)
		covered += picture.pixels[k].red < 250 || picture.pixels[k].blue < 250;
	assert_within(covered, 3.14159265 * 1.25 * (SIDE * SIDE / 64.0), 60.0, "pixels");
	picture_free(&picture);
}

/* The small blue ball hides a part of the red one, or is inside or behind it; from the other side, the last one is in
 * front. */
static void test_what_is_in_front(void **unused)
{
	static const double places[4] = {2, 0.2, -2, -2}, sides[4] = {1, 1, 1, -1};
	static const char expected[] = "brrb";
	struct picture picture;

	(void)unused;
	for (int k = 0; k < 4; ++k) {
		const double centers[] = {0, 0, 0, 0, 0, places[k]};
		draw(centers, (const uint16_t[]){0, 1}, 2, sides[k], &picture);
		assert_int_equal(seen(&picture, 0, 0), expected[k]);
		assert_int_equal(seen(&picture, 0.8, 0), 'r');
		picture_free(&picture);
	}
}

/* The order of the balls has no effect, and light comes from the upper left. */
static void test_light(void **unused)
{
	static const double centers[] = {0, 0, 0, 0.5, 0.5, 0.3}, reversed[] = {0.5, 0.5, 0.3, 0, 0, 0};
	struct picture picture, other;

	(void)unused;
	draw(centers, (const uint16_t[]){0, 1}, 2, 1.0, &picture);
	draw(reversed, (const uint16_t[]){1, 0}, 2, 1.0, &other);
	assert_memory_equal(picture.pixels, other.pixels, SIDE * SIDE * sizeof *picture.pixels);
	picture_free(&other);
	assert_true(picture.pixels[44 * SIDE + 44].red > picture.pixels[57 * SIDE + 57].red + 20);
	picture_free(&picture);
}

static void test_a_view_of_everything(void **unused)
{
	static const double centers[] = {0, 0, 0, 10, 0, 0}, corners[1][3] = {{0, 30, 0}};
	const struct balls balls = {.count = 2,
				    .stride = 1,
				    .centers = centers,
				    .kinds = (const uint16_t[]){0, 1},
				    .radii = radii,
				    .colors = colors};
	struct balls_view view = {.right = {1, 0, 0}, .up = {0, 1, 0}, .toward = {0, 0, 1}};

	(void)unused;
	balls_find_view(&balls, NULL, 0, &view);
	assert_close(view.middle[0], 0.5 * (10.5 - 1.0), 1e-12, "middle");
	assert_within(view.half, 0.5 * 11.5, 0.05 * 6.0, "half");
	balls_find_view(&balls, corners, 1, &view);
	assert_close(view.middle[1], 0.5 * (30.0 - 1.0), 1e-12, "middle");
	assert_true(view.half >= 15.5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_places_and_sizes),
	    cmocka_unit_test(test_what_is_in_front),
	    cmocka_unit_test(test_light),
	    cmocka_unit_test(test_a_view_of_everything),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
