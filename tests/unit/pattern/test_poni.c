/* Geometry files of pyFAI. */
#include "unit/support.h"

#include <stdio.h>
#include <stdlib.h>

#include "pattern/detector/poni.h"

#define GEOMETRY "Distance: 0.1\nPoni1: 0.02\nPoni2: -0.03\nRot1: 0.1\nRot2: -0.2\nRot3: 3\n"

static struct poni read(const char *text)
{
	struct poni poni;

	assert_status(SONDE_OK, poni_read(test_write_text("geometry.poni", text), &poni));
	return poni;
}

static sonde_status try(const char *text)
{
	struct poni poni;

	return poni_read(test_write_text("wrong.poni", text), &poni);
}

static void test_files_of_each_version_are_read(void **unused)
{
	(void)unused;
	struct poni poni =
	    read("# Nota: C-Order, 1 refers to the Y axis, 2 to the X axis\n# Calibration done on Thu\n"
		 "PixelSize1: 7.5e-05\nPixelSize2: 0.0001\n" GEOMETRY "SplineFile: None\nWavelength: 1e-10\n");
	assert_true(poni.distance == 0.1 && poni.poni[0] == 0.02 && poni.poni[1] == -0.03);
	assert_true(poni.rotation[0] == 0.1 && poni.rotation[1] == -0.2 && poni.rotation[2] == 3.0);
	assert_true(poni.pixel[0] == 7.5e-5 && poni.pixel[1] == 1e-4 && poni.wavelength == 1e-10);
	assert_true(poni.shape[0] == 0 && poni.orientation == 3);
	poni = read("poni_version: 2\nDetector: Detector\nDetector_config: {\"pixel1\": 1e-4, \"pixel2\": 2e-4, "
		    "\"max_shape\": [512, 1024]}\n" GEOMETRY);
	assert_true(poni.pixel[0] == 1e-4 && poni.pixel[1] == 2e-4 && poni.wavelength == 0.0);
	assert_true(poni.shape[0] == 512 && poni.shape[1] == 1024 && poni.orientation == 3);
	poni = read("poni_version: 2.1\nDetector: Pilatus1M\nDetector_config: {\"orientation\": 2}\n" GEOMETRY);
	assert_true(poni.pixel[0] == 172e-6 && poni.shape[0] == 1043 && poni.shape[1] == 981 &&
		    poni.orientation == 2);
	poni = read("poni_version: 3\nDetector: Eiger2_4M\nDetector_config: { \"sensor\" : {\"material\":\"Si\", "
		    "\"thickness\": 4.5e-4, \"list\": [1, [2, \"}\"]]} , \"orientation\":3}\n" GEOMETRY
		    "Parallax: False\n");
	assert_true(poni.shape[0] == 2162 && poni.shape[1] == 2068);
}

/* pyFAI adds to a file that is there. */
static void test_the_last_row_of_a_key_holds(void **unused)
{
	(void)unused;
	const struct poni poni =
	    read("pixelsize1: 1e-4\npixelsize2: 1e-4\n" GEOMETRY "\r\n  rot1 :  0.5  \nPONI1: 7\n");
	assert_true(poni.rotation[0] == 0.5 && poni.poni[0] == 7.0);
}

/* Pixels read together are not those of the model. */
static void test_other_pixels_than_those_of_the_model(void **unused)
{
	(void)unused;
	const struct poni poni = read("poni_version: 2\nDetector: Pilatus1M\nDetector_config: {\"pixel1\": 344e-6, "
				      "\"pixel2\": 344e-6}\n" GEOMETRY);
	assert_true(poni.pixel[0] == 344e-6 && poni.shape[0] == 0);
}

/* Some models read 2 x 2 of their smallest pixels as one unless they are set otherwise: rows and columns of the MX225
 * cover its 225 mm. */
static void test_models_with_pixels_read_together(void **unused)
{
	(void)unused;
	const struct poni poni = read("poni_version: 2.1\nDetector: RayonixMx225\nDetector_config: "
				      "{\"pixel1\": 7.3242e-05, \"pixel2\": 7.3242e-05}\n" GEOMETRY);
	assert_true(poni.shape[0] == 3072 && poni.shape[1] == 3072);
	const struct poni panel = read("Detector: Pixium\n" GEOMETRY);
	assert_true(panel.pixel[0] == 308e-6 && panel.shape[0] == 955 && panel.shape[1] == 1240);
}

static void test_damaged_files_are_refused(void **unused)
{
	static const struct {
		const char *text, *message;
	} cases[] = {
	    {"", "has no Distance; is it a geometry file of pyFAI?"},
	    {"Distance: 1\nPoni1: 0\n", "has no Poni2"},
	    {GEOMETRY, "has no sizes of pixels"},
	    {"Detector: Pylon9\n" GEOMETRY, "Detector: 'Pylon9' is not among the known flat detectors"},
	    {"Detector: Cirpad\n" GEOMETRY, "Detector: 'Cirpad' is not one flat grid of equal pixels"},
	    {"poni_version: 2.1\nDetector: Pixirad1\nDetector_config: {\"pixel1\": 5.2e-05, \"pixel2\": "
	     "6e-05}\n" GEOMETRY,
	     "Detector: 'Pixirad1' is not one flat grid of equal pixels"},
	    {"Distance: far\n", "wrong.poni:1: Distance: 'far' is not a number"},
	    {"\nDistance: -1\n", "wrong.poni:2: Distance: -1 m is not above 0"},
	    {"Rot2: nan\n", "wrong.poni:1: Rot2: 'nan' is not a number"},
	    {"Rot2:\n", "wrong.poni:1: Rot2: '' is not a number"},
	    {"Rot3: 1e9\n", "Rot3: 1e+09 is beyond 1000"},
	    {"poni_version: 4\n", "poni_version: version 4 is not known"},
	    {"Wavelength: 0\n", "Wavelength: 0 m is not above 0"},
	    {"PixelSize1: 0\n", "PixelSize1: 0 m is not above 0"},
	    {"SplineFile: x.spline\n", "SplineFile: only flat detectors"},
	    {"Parallax: True\n", "Parallax: the correction"},
	    {"Detector_config: 7\n", "Detector_config: is not a JSON object of one line, at '7'"},
	    {"Detector_config: {\n", "Detector_config: is not a JSON object of one line, at the end"},
	    {"Detector_config: {\"a\": }\n", "is not a JSON object"},
	    {"Detector_config: {\"a\": [1, 2}\n", "is not a JSON object"},
	    {"Detector_config: {\"a\" 1}\n", "is not a JSON object"},
	    {"Detector_config: {\"a\": \"b}\n", "is not a JSON object"},
	    {"Detector_config: {\"a\": 1} 2\n", "is not a JSON object of one line, at '2'"},
	    {"Detector_config: {\"pixel1\": \"a\"}\n", "Detector_config: pixel1: '\"a\"' is not a number"},
	    {"Detector_config: {\"pixel1\": -1}\n", "Detector_config: pixel1: -1 is not the size of a pixel"},
	    {"Detector_config: {\"max_shape\": [0, 5]}\n", "max_shape: 0 is not a number from 1"},
	    {"Detector_config: {\"max_shape\": [3]}\n", "is not a JSON object"},
	    {"Detector_config: {\"orientation\": 5}\n", "orientation: 5 is a transposed image"},
	    {"Detector_config: {\"orientation\": 2.5}\n", "orientation: 2.5 is not a number from 0 to 8"},
	    {"Detector_config: {\"splineFile\": \"a\"}\n", "splineFile: only flat detectors"},
	    {"Detector_config: {\"filename\": \"a.h5\"}\n", "filename: only flat detectors"},
	};
	(void)unused;
	for (size_t k = 0; k < COUNT(cases); ++k)
		assert_invalid(cases[k].message, try(cases[k].text));
}

static void test_what_is_written_is_read(void **unused)
{
	const struct poni poni = {.distance = 0.123456789,
				  .poni = {0.01, -0.25},
				  .rotation = {0.5, -1.25, 3.0},
				  .pixel = {7.5e-5, 1e-4},
				  .shape = {7, 11},
				  .orientation = 4,
				  .wavelength = 1.0332e-10};
	struct poni read_back;
	char path[4096];
	(void)unused;

	snprintf(path, sizeof path, "%s", test_path("written.poni"));
	assert_status(SONDE_OK, poni_write(&poni, path, false));
	assert_invalid("exists already", poni_write(&poni, path, false));
	assert_status(SONDE_OK, poni_read(path, &read_back));
	assert_true(poni.distance == read_back.distance && poni.wavelength == read_back.wavelength);
	assert_memory_equal(poni.poni, read_back.poni, sizeof poni.poni);
	assert_memory_equal(poni.rotation, read_back.rotation, sizeof poni.rotation);
	assert_memory_equal(poni.pixel, read_back.pixel, sizeof poni.pixel);
	assert_memory_equal(poni.shape, read_back.shape, sizeof poni.shape);
	assert_int_equal(poni.orientation, read_back.orientation);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_files_of_each_version_are_read),
	    cmocka_unit_test(test_the_last_row_of_a_key_holds),
	    cmocka_unit_test(test_other_pixels_than_those_of_the_model),
	    cmocka_unit_test(test_models_with_pixels_read_together),
	    cmocka_unit_test(test_damaged_files_are_refused),
	    cmocka_unit_test(test_what_is_written_is_read),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
