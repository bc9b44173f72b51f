/* Colors, lines on pixels, PNG and VTK files as read by other programs. */
#include "unit/support.h"

#include <math.h>
#include <png.h>
#include <stdlib.h>

#include "base/file.h"
#include "base/folder.h"
#include "base/memory.h"
#include "io/picture/picture.h"
#include "io/volume/volume_formats.h"
#include "io/volume/vtk.h"

static void check_color(struct color color, int red, int green, int blue)
{
	assert_in_range(color.red + 1, red, red + 2);
	assert_in_range(color.green + 1, green, green + 2);
	assert_in_range(color.blue + 1, blue, blue + 2);
}

/* The table that Moreland gives with his paper: https://www.kennethmoreland.com/color-maps/ */
static void diverging_colors_are_those_of_moreland(void **state)
{
	(void)state;
	check_color(color_diverging(-1.0), 59, 76, 192);
	check_color(color_diverging(-0.5), 141, 176, 254);
	check_color(color_diverging(0.0), 221, 221, 221);
	check_color(color_diverging(0.5), 244, 154, 123);
	check_color(color_diverging(1.0), 180, 4, 38);
	check_color(color_diverging(7.0), 180, 4, 38);
	check_color(color_diverging(-INFINITY), 59, 76, 192);
	check_color(color_diverging(NAN), 128, 128, 128);
	for (int n = -100; n < 100; ++n) { /* without steps */
		struct color a = color_diverging(0.01 * n), b = color_diverging(0.01 * (n + 1));
		assert_true(abs(a.red - b.red) < 10 && abs(a.green - b.green) < 10 && abs(a.blue - b.blue) < 10);
	}
}

static void sequential_colors_darken_steadily(void **state)
{
	int before = 1000;

	(void)state;
	check_color(color_sequential(0.0), 255, 255, 255);
	check_color(color_sequential(-3.0), 255, 255, 255);
	check_color(color_sequential(1.0), 68, 1, 84);
	check_color(color_sequential(0.1), 254, 243, 146);
	for (int n = 0; n <= 100; ++n) { /* always darker */
		struct color color = color_sequential(0.01 * n);
		int light = 299 * color.red + 587 * color.green + 114 * color.blue;
		assert_true(n == 0 || light <= before);
		before = light;
	}
}

/* A line covers as many pixels as it has length times width, and those near it. */
static void lines_cover_their_area(void **state)
{
	enum { WIDTH = 60, HEIGHT = 40 };
	static const double ends[][2][2] = {
	    {{10.0, 20.0}, {50.0, 20.0}}, {{10.0, 5.0}, {10.0, 35.0}}, {{5.5, 7.25}, {52.0, 33.0}}};
	(void)state;

	for (size_t n = 0; n < COUNT(ends); ++n) {
		float *coverage = calloc(WIDTH * HEIGHT, sizeof *coverage);
		double sum = 0.0, length = hypot(ends[n][1][0] - ends[n][0][0], ends[n][1][1] - ends[n][0][1]);
		assert_non_null(coverage);
		picture_cover_line(WIDTH, HEIGHT, coverage, ends[n][0], ends[n][1], 2.0);
		for (int k = 0; k < WIDTH * HEIGHT; ++k) {
			assert_true(coverage[k] >= 0.0F && coverage[k] <= 1.0F);
			sum += coverage[k];
		}
		assert_within(sum, 2.0 * (length + 1.6), 1.5, "sum"); /* with the ends, which are round */
		/* a second time nothing changes */
		picture_cover_line(WIDTH, HEIGHT, coverage, ends[n][0], ends[n][1], 2.0);
		for (int k = 0; k < WIDTH * HEIGHT; ++k)
			sum -= coverage[k];
		assert_within(sum, 0.0, 1e-9, "sum");
		/* a line outside the picture is allowed */
		const double away[2] = {-1e6, -1e6}, far[2] = {1e6, -1e6};
		picture_cover_line(WIDTH, HEIGHT, coverage, away, far, 2.0);
		free(coverage);
	}
}

static struct color pixel_of(int x, int y)
{
	return (struct color){(unsigned char)(7 * x), (unsigned char)(11 * y), (unsigned char)(x * y)};
}

static void png_files_are_read_back(void **state)
{
	struct picture picture;
	png_image image = {.version = PNG_IMAGE_VERSION};
	unsigned char read[13 * 17 * 3];
	const float coverage[4] = {0.0F, 0.5F, 1.0F, 0.25F};
	(void)state;

	assert_status(SONDE_OK, picture_make(13, 17, &picture));
	assert_int_equal(255, picture.pixels[13 * 17 - 1].blue);
	for (int y = 0; y < 17; ++y)
		for (int x = 0; x < 13; ++x)
			picture.pixels[y * 13 + x] = pixel_of(x, y);
	const char *path = test_path("a.png");
	assert_status(SONDE_OK, picture_write(&picture, path, false));
	assert_invalid("exists already", picture_write(&picture, path, false));
	assert_status(SONDE_OK, picture_write(&picture, path, true));
	assert_invalid("does not exist", picture_write(&picture, test_path("no/a.png"), false));
	assert_int_not_equal(0, png_image_begin_read_from_file(&image, path));
	assert_int_equal(13, image.width);
	assert_int_equal(17, image.height);
	image.format = PNG_FORMAT_RGB;
	assert_int_not_equal(0, png_image_finish_read(&image, NULL, read, 0, NULL));
	assert_memory_equal(read, picture.pixels, sizeof read);
	memory_fail_after(1);
	assert_status(SONDE_RESOURCE, picture_write(&picture, path, true));
	memory_fail_after(0);
	picture_free(&picture);

	assert_status(SONDE_OK, picture_make(2, 2, &picture));
	picture_lay_over(&picture, coverage, 0.8, (struct color){55, 155, 255});
	check_color(picture.pixels[0], 255, 255, 255);
	check_color(picture.pixels[1], 175, 215, 255);
	check_color(picture.pixels[2], 95, 175, 255);
	picture_free(&picture);
	memory_fail_after(1);
	assert_status(SONDE_RESOURCE, picture_make(2, 2, &picture));
	memory_fail_after(0);
}

/* Arrays whose last index runs fastest, in files whose first one does. */
static void vtk_images_have_the_first_index_fastest(void **state)
{
	enum { NX = 3, NY = 4, NZ = 5, POINTS = NX * NY * NZ };
	double scalar[POINTS], vector[3][POINTS];
	(void)state;

	for (int n = 0; n < POINTS; ++n) {
		scalar[n] = n == 7 ? INFINITY : n == 8 ? NAN : 0.1 * n - 2.0;
		for (int c = 0; c < 3; ++c)
			vector[c][n] = 1e-17 * (n + 100 * c);
	}
	const struct vtk_array arrays[] = {{"E", {vector[0], vector[1], vector[2]}},
					   {"permittivity", {scalar}},
					   {"more", {vector[0]}},
					   {"H", {vector[2], vector[1], vector[0]}}};
	for (int single = 0; single < 2; ++single) {
		const struct vtk_image image = {.title = "a title",
						.size = {NX, NY, NZ},
						.origin = {-1.0, 2.0, 0.5},
						.spacing = {0.1, 0.2, 0.4},
						.single = single != 0,
						.count = COUNT(arrays),
						.arrays = arrays};
		const char *path = test_path(single ? "single.vtk" : "double.vtk");
		struct volume volume;
		double rounding = single ? 1e-7 : 0.0;
		assert_status(SONDE_OK, vtk_write_image(path, &image, false));
		assert_invalid("exists already", vtk_write_image(path, &image, false));
		assert_status(SONDE_OK, volume_read(path, &volume));
		assert_string_equal("a title", volume.title);
		for (int a = 0; a < 3; ++a) {
			assert_int_equal(image.size[a], volume.grid.size[a]);
			assert_within(volume.grid.origin[a], image.origin[a], 0.0, "origin");
			assert_within(volume.grid.steps[a][a], image.spacing[a], 0.0, "steps");
		}
		for (int i = 0; i < NX; ++i)
			for (int j = 0; j < NY; ++j)
				for (int k = 0; k < NZ; ++k) {
					int here = (i * NY + j) * NZ + k, there = (k * NY + j) * NX + i;
					double value = isfinite(scalar[here]) ? scalar[here] : 0.0;
					assert_within(volume.values[there], value, rounding * fabs(value), "values");
					for (int c = 0; c < 3; ++c)
						assert_within(volume.vectors[3 * there + c], vector[c][here],
							      rounding * vector[c][here], "vectors");
				}
		volume_free(&volume);
	}
}

static bool is_meant(const char *name, const void *user)
{
	return strcmp(name, user) == 0;
}

static void folders_are_made_and_found(void **state)
{
	char path[PATH_MAX], *name;
	bool made;
	(void)state;

	assert_status(SONDE_OK, folder_path("a//", NULL, path));
	assert_string_equal("a", path);
	assert_status(SONDE_OK, folder_path("/", "b", path));
	assert_status(SONDE_OK, folder_path("a/", "b", path));
	assert_string_equal("a/b", path);
	assert_invalid("empty", folder_path("", "b", path));
	const char *folder = test_path("folder");
	assert_invalid("does not exist", folder_check(test_path("no/folder")));
	assert_status(SONDE_OK, folder_check(folder));
	assert_status(SONDE_OK, folder_find(folder, is_meant, "c", &name));
	assert_null(name);
	assert_status(SONDE_OK, folder_make(folder, &made));
	assert_true(made);
	assert_status(SONDE_OK, folder_make(folder, &made));
	assert_false(made);
	assert_status(SONDE_OK, folder_check(folder));
	const char *file = test_write_text("folder/c", "");
	assert_status(SONDE_OK, folder_find(folder, is_meant, "c", &name));
	assert_string_equal("c", name);
	free(name);
	assert_invalid("is not a folder", folder_check(file));
	assert_status(SONDE_RESOURCE, folder_make(test_path("no/folder"), &made));
	remove(file);
	remove(folder);
}

static void files_of_a_folder_are_all_written_or_none(void **state)
{
	struct folder_files files;
	char path[PATH_MAX];
	const char *folder = test_path("together");
	(void)state;

	/* a folder that was made, and a file that never came to be */
	assert_status(SONDE_OK, folder_files_begin(&files, folder));
	for (int k = 0; k < 20; ++k) {
		char name[8];
		snprintf(name, sizeof name, "%d", k);
		assert_status(SONDE_OK, folder_files_add(&files, name, path));
		if (k < 19)
			assert_status(SONDE_OK, file_write(path, "a", 1, false));
	}
	assert_status(SONDE_RESOURCE, folder_files_end(&files, SONDE_RESOURCE));
	assert_false(folder_is_there(folder));
	/* one that was there, with a file that is replaced and one that another process makes */
	assert_status(SONDE_OK, folder_files_begin(&files, folder));
	assert_status(SONDE_OK, folder_files_add(&files, "old", path));
	assert_status(SONDE_OK, file_write(path, "a", 1, false));
	assert_status(SONDE_OK, folder_files_end(&files, SONDE_OK));
	assert_status(SONDE_OK, folder_files_begin(&files, folder));
	assert_status(SONDE_OK, folder_files_add(&files, "new", path));
	assert_status(SONDE_OK, file_write(path, "a", 1, false));
	assert_status(SONDE_OK, folder_files_add(&files, "old", path));
	assert_status(SONDE_OK, file_write(path, "b", 1, true));
	assert_status(SONDE_OK, folder_files_add(&files, "other", path));
	assert_status(SONDE_OK, file_write(path, "c", 1, false));
	assert_status(SONDE_INVALID, folder_files_end(&files, file_write(path, "d", 1, false)));
	assert_false(folder_is_there(test_path("together/new")));
	assert_int_equal(0, remove(test_path("together/old")));
	assert_int_equal(0, remove(test_path("together/other")));
	assert_int_equal(0, remove(folder));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(diverging_colors_are_those_of_moreland),
	    cmocka_unit_test(sequential_colors_darken_steadily),
	    cmocka_unit_test(lines_cover_their_area),
	    cmocka_unit_test(png_files_are_read_back),
	    cmocka_unit_test(vtk_images_have_the_first_index_fastest),
	    cmocka_unit_test(folders_are_made_and_found),
	    cmocka_unit_test(files_of_a_folder_are_all_written_or_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
