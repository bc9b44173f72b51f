/* Detectors: the geometry, solid angle, and polarization of pyFAI, counts, masks, and means of rings. */
#include <unistd.h>

#include "io/containers/hdf5.h"
#include "pattern/detector/poni.h"
#include "physics/pattern/run_pattern.h"

#define CLASSICAL_ELECTRON_RADIUS 2.8179403262e-9 /* um */

static void temporary(const char *name, char *path, size_t size)
{
	const char *folder = getenv("TMPDIR");

	snprintf(path, size, "%s/sonde-detectors-%ld-%s", folder != NULL ? folder : "/tmp", (long)getpid(), name);
}

static sonde_pattern_options detector_options(const char *size, double distance, double pixel, double wavelength)
{
	sonde_pattern_options options;

	sonde_pattern_options_init(&options);
	snprintf(options.detector, sizeof options.detector, "%s", size);
	options.distance = distance;
	options.pixel_size = pixel;
	options.wavelength = wavelength;
	options.factors = SONDE_PATTERN_FACTORS_UNIT;
	return options;
}

static sonde_atoms *atoms_along_x(const char *label, int count, double apart)
{
	sonde_atoms *atoms = empty_sample();

	for (int n = 0; n < count; ++n)
		add_atom(atoms, label, apart * n, 0.0, 0.0);
	return atoms;
}

/* Computed by pyFAI 2026.9: calc_pos_zyx(), array_from_unit() for q, polarization(factor=0.9, axis_offset=-25 degrees),
 * solidAngleArray(), in float32. */
static const struct {
	int orientation, row, column;
	double place[3], q, polarization, relative, absolute;
} of_pyfai[] = {
    {1, 0, 0, {17.8447329931, -1.67203938731, -10.3357590035}, 5.23827094, 0.45954973, 0.90330803, 3.3874051e-05},
    {1, 7, 52, {16.1191141994, 2.8238647623, -12.560974125}, 4.63091812, 0.44045222, 0.91121538, 3.4170577e-05},
    {1, 39, 59, {12.7113271579, 1.81285843308, -15.8617095923}, 3.49475075, 0.65397251, 0.94131065, 3.529915e-05},
    {2, 0, 0, {16.6988802495, 3.84239577462, -12.0930360085}, 4.8182136, 0.39199913, 0.86720357, 3.2520134e-05},
    {2, 7, 52, {16.9930697153, -1.38206052228, -11.2206780529}, 4.96863439, 0.49080542, 0.94090396, 3.5283899e-05},
    {2, 39, 59, {13.8571799016, -3.70157672885, -14.1044325872}, 4.04799167, 0.70573282, 0.9827829, 3.6854359e-05},
    {3, 0, 0, {12.7113271579, 1.81285843308, -15.8617095923}, 3.49475075, 0.65397251, 0.94131065, 3.529915e-05},
    {3, 7, 52, {14.4369459934, -2.6830459698, -13.636494401}, 4.18562332, 0.65308785, 0.99411109, 3.7279166e-05},
    {3, 39, 59, {17.8447329931, -1.67203938731, -10.3357590035}, 5.23827094, 0.45954973, 0.90330803, 3.3874051e-05},
    {4, 0, 0, {13.8571799016, -3.70157672885, -14.1044325872}, 4.04799167, 0.70573282, 0.9827829, 3.6854359e-05},
    {4, 7, 52, {13.5629904774, 1.52287931479, -14.9767904731}, 3.782036, 0.61051005, 0.96160403, 3.6060151e-05},
    {4, 39, 59, {16.6988802495, 3.84239577462, -12.0930360085}, 4.8182136, 0.39199913, 0.86720357, 3.2520134e-05},
};

static void write_text(const char *path, const char *text)
{
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	assert_true(fputs(text, file) >= 0);
	assert_int_equal(fclose(file), 0);
}

static sonde_pattern_options options_of_file(const char *path, int orientation)
{
	sonde_pattern_options options;
	char text[1024];

	snprintf(text, sizeof text,
		 "poni_version: 2.1\nDetector: Detector\nDetector_config: {\"pixel1\": 0.00015, \"pixel2\": 0.0001, "
		 "\"orientation\": %d, \"max_shape\": [40, 60]}\nDistance: 0.02\nPoni1: 0.001\nPoni2: 0.004\nRot1: "
		 "0.4\nRot2: -0.7\nRot3: 1.1\nWavelength: 1.2e-10\n",
		 orientation);
	write_text(path, text);
	sonde_pattern_options_init(&options);
	options.factors = SONDE_PATTERN_FACTORS_UNIT;
	snprintf(options.poni, sizeof options.poni, "%s", path);
	return options;
}

/* Where a pixel is, and its scattering vector, k (place/|place| - beam). */
static void check_place(const sonde_pattern_result *result, int64_t n, const double place[3], double q)
{
	const double x = result->axes[1][n % 60], y = result->axes[0][n / 60], *axes = result->basis;
	const double far = sqrt(place[0] * place[0] + place[1] * place[1] + place[2] * place[2]),
		     k = 2.0 * PI / result->wavelength;
	double vector[3];

	sonde_pattern_vector(result, n, vector);
	for (int c = 0; c < 3; ++c) {
		assert_within(x * axes[c] + y * axes[3 + c] + result->distance * axes[6 + c], place[c], 1e-6,
			      "place"); /* mm; pyFAI computes in float32 */
		assert_within(vector[c], k * (place[c] / far + (c == 2)), 1e-6, "q");
	}
	assert_close(sqrt(vector[0] * vector[0] + vector[1] * vector[1] + vector[2] * vector[2]), q, 2e-7, "|q|");
}

static void test_geometry_is_that_of_pyfai(void **state)
{
	sonde_atoms *atoms = atoms_along_x("C", 1, 0.0);
	char path[4096];
	(void)state;

	temporary("pyfai.poni", path, sizeof path);
	for (size_t p = 0; p < sizeof of_pyfai / sizeof *of_pyfai; ++p) {
		sonde_pattern_options options = options_of_file(path, of_pyfai[p].orientation);
		const int64_t n = of_pyfai[p].row * 60 + of_pyfai[p].column;
		strcpy(options.polarization, "0.9");
		options.polarization_angle = 25.0;
		sonde_pattern_result *result = pattern_on(1, atoms, &options);
		assert_true(result->sizes[0] == 40 && result->sizes[1] == 60);
		assert_close(result->wavelength, 1.2, 1e-15, "wavelength");
		check_place(result, n, of_pyfai[p].place, of_pyfai[p].q);
		assert_close(result->intensity[n], of_pyfai[p].polarization, 2e-7, "polarization");
		sonde_pattern_result_free(&result);
		options.polarization[0] = '\0';
		options.solid_angle = SONDE_PATTERN_SOLID_ANGLE_RELATIVE;
		result = pattern_on(1, atoms, &options);
		assert_close(result->intensity[n], of_pyfai[p].relative, 2e-7, "solid angle");
		sonde_pattern_result_free(&result);
		options.solid_angle = SONDE_PATTERN_SOLID_ANGLE_ABSOLUTE;
		result = pattern_on(1, atoms, &options);
		assert_close(result->intensity[n], of_pyfai[p].absolute, 2e-7, "solid angle in sr");
		sonde_pattern_result_free(&result);
	}
	assert_int_equal(unlink(path), 0);
	sonde_atoms_free(&atoms);
}

/* The same detector by options, through a file that is written, and read again. */
static void test_written_geometry_is_the_same(void **state)
{
	sonde_pattern_options options = detector_options("9,7", 60.0, 0.3, 0.9), again;
	sonde_atoms *atoms = atoms_along_x("C", 1, 0.0);
	char path[4096];
	(void)state;

	temporary("written.poni", path, sizeof path);
	options.detector_rotation = (sonde_vector){10.0, -35.0, 120.0};
	strcpy(options.beam_center, "2,5.5");
	options.pixel_height = 0.2;
	for (int orientation = 1; orientation <= 4; ++orientation) {
		options.detector_orientation = orientation;
		sonde_pattern_result *first = pattern_on(1, atoms, &options);
		assert_int_equal(sonde_pattern_write_poni(first, path, 1), SONDE_OK);
		sonde_pattern_options_init(&again);
		again.factors = SONDE_PATTERN_FACTORS_UNIT;
		strcpy(again.poni, path);
		sonde_pattern_result *second = pattern_on(1, atoms, &again);
		assert_true(second->count == 63);
		for (int64_t n = 0; n < 63; ++n) {
			double q[3], p[3];
			sonde_pattern_vector(first, n, q);
			sonde_pattern_vector(second, n, p);
			for (int c = 0; c < 3; ++c)
				assert_within(p[c], q[c], 1e-9, "q");
		}
		sonde_pattern_result_free(&first);
		sonde_pattern_result_free(&second);
	}
	assert_int_equal(unlink(path), 0);
	sonde_atoms_free(&atoms);
}

/* At the pixel of the beam q is 0, however the detector is turned. */
static void test_beam_meets_its_pixel(void **state)
{
	sonde_pattern_options options = detector_options("9,7", 60.0, 0.3, 0.9);
	sonde_atoms *atoms = atoms_along_x("C", 1, 0.0);
	(void)state;

	strcpy(options.beam_center, "2,5");
	for (int turn = 0; turn < 20; ++turn) {
		double q[3];
		options.detector_rotation =
		    (sonde_vector){4.0 * turn, 17.0 * turn - 60.0 * floor(17.0 * turn / 60.0), 18.0 * turn};
		options.detector_orientation = 1 + turn % 4;
		sonde_pattern_result *result = pattern_on(1, atoms, &options);
		sonde_pattern_vector(result, 5 * 9 + 2, q);
		for (int c = 0; c < 3; ++c)
			assert_within(q[c], 0.0, 1e-12, "q");
		sonde_pattern_result_free(&result);
	}
	sonde_atoms_free(&atoms);
}

/* The solid angles of all pixels of a large detector are half of the sphere. */
static void test_solid_angles_add_up(void **state)
{
	sonde_pattern_options options = detector_options("801,801", 1.0, 0.1, 1.0);
	sonde_atoms *atoms = atoms_along_x("C", 1, 0.0);
	double sum = 0.0;
	(void)state;

	options.solid_angle = SONDE_PATTERN_SOLID_ANGLE_ABSOLUTE;
	sonde_pattern_result *result = pattern_on(2, atoms, &options);
	for (int64_t n = 0; n < result->count; ++n)
		sum += result->intensity[n];
	/* of a square with half the edge a at the distance 1: 4 asin(a^2/(1 + a^2)) */
	assert_close(sum, 4.0 * asin(40.05 * 40.05 / (1.0 + 40.05 * 40.05)), 1e-3, "solid angle");
	sonde_pattern_result_free(&result);
	sonde_atoms_free(&atoms);
}

/* Counts: their mean is fluence r_e^2 I solid angle, their spread that of Poisson, for any number of threads. */
static void test_counts_follow_the_cross_section(void **state)
{
	sonde_pattern_options options = detector_options("100,80", 50.0, 0.5, 1.0);
	sonde_atoms *atoms = read_sample("C60.xyz");
	double total = 0.0, expected = 0.0, chi_square = 0.0;
	int64_t differ = 0;
	(void)state;

	options.factors = SONDE_PATTERN_FACTORS_AUTO;
	options.solid_angle = SONDE_PATTERN_SOLID_ANGLE_ABSOLUTE;
	strcpy(options.polarization, "1");
	options.fluence = 1e19;
	sonde_pattern_result *one = pattern_on(1, atoms, &options), *three = pattern_on(3, atoms, &options);
	options.noise_seed = 2;
	sonde_pattern_result *other = pattern_on(1, atoms, &options);
	for (int64_t n = 0; n < one->count; ++n) {
		const double mean = options.fluence * CLASSICAL_ELECTRON_RADIUS * CLASSICAL_ELECTRON_RADIUS *
				    one->intensity[n],
			     difference = (double)one->counts[n] - mean;
		assert_true(one->counts[n] == three->counts[n] && one->counts[n] >= 0);
		differ += one->counts[n] != other->counts[n];
		total += (double)one->counts[n];
		expected += mean;
		chi_square += difference * difference / mean;
	}
	assert_true(expected > 1e4 && differ > one->count / 4);
	assert_within((total - expected) / sqrt(expected), 0.0, 5.0, "photons");
	assert_within((chi_square / (double)one->count - 1.0) * sqrt((double)one->count / 2.0), 0.0, 10.0, "spread");
	sonde_pattern_result_free(&one);
	sonde_pattern_result_free(&three);
	sonde_pattern_result_free(&other);
	sonde_atoms_free(&atoms);
}

/* Rows of numbers of a table; their count. */
static int read_rings(const char *path, int columns, double (*rows)[8], int most)
{
	FILE *file = fopen(path, "r");
	char line[1 << 16];
	int count = 0;

	assert_non_null(file);
	while (fgets(line, sizeof line, file) != NULL) {
		char *at = line;
		if (*line == '#')
			continue;
		assert_true(count < most);
		for (int k = 0; k < columns; ++k)
			rows[count][k] = strtod(at, &at);
		++count;
	}
	assert_int_equal(fclose(file), 0);
	return count;
}

/* Two atoms at a distance d across the beam: on a ring I = 2 (1 + cos(q_x d)), of which the mean is 2 (1 + J0(q_xy d)). */
static double mean_of_pair(double q, double wavelength, double d)
{
	const double z = q * q * wavelength / (4.0 * PI);

	return 2.0 * (1.0 + j0(sqrt(q * q - z * z) * d));
}

static void test_rings_of_circles(void **state)
{
	sonde_pattern_options options;
	sonde_atoms *atoms = atoms_along_x("C", 2, 3.0);
	double rows[64][8];
	char path[4096];
	(void)state;

	temporary("circles.dat", path, sizeof path);
	sonde_pattern_options_init(&options);
	options.q = (sonde_grid){0.5, 6.0, 23};
	options.phi = 128;
	options.wavelength = 0.7;
	options.factors = SONDE_PATTERN_FACTORS_UNIT;
	sonde_pattern_result *result = pattern_on(2, atoms, &options);
	assert_int_equal(sonde_pattern_write_radial(result, path, 1), SONDE_OK);
	assert_int_equal(read_rings(path, 4, rows, 64), 23);
	for (int k = 0; k < 23; ++k) {
		assert_within(rows[k][0], 0.5 + 0.25 * k, 1e-14, "q");
		assert_within(rows[k][1], mean_of_pair(rows[k][0], 0.7, 3.0), 1e-12, "mean of a circle");
		assert_true(rows[k][3] == 128.0);
	}
	sonde_pattern_result_free(&result);
	assert_int_equal(unlink(path), 0);
	sonde_atoms_free(&atoms);
}

/* Of a large random sample the directions of a ring are as good as all directions: the powder pattern of `sonde debye`, within the
 * standard errors. Speckles are 2 pi/80 Angstrom wide, less than the distance of the points. */
static void test_rings_are_the_powder_pattern(void **state)
{
	enum { RINGS = 41, ATOMS = 600 };
	sonde_atoms *atoms = empty_sample();
	sonde_pattern_options options;
	double rows[64][8], chi_square = 0.0;
	char path[4096];
	(void)state;

	for (uint64_t k = 0; sonde_atoms_count(atoms) < ATOMS; k += 3) {
		const double x = 2.0 * uniform_number(3, k) - 1.0, y = 2.0 * uniform_number(3, k + 1) - 1.0,
			     z = 2.0 * uniform_number(3, k + 2) - 1.0;
		if (x * x + y * y + z * z < 1.0)
			add_atom(atoms, "C", 40.0 * x, 40.0 * y, 40.0 * z);
	}
	temporary("powder.dat", path, sizeof path);
	sonde_pattern_options_init(&options);
	options.q = (sonde_grid){2.0, 6.0, RINGS};
	options.phi = 96;
	options.wavelength = 0.6;
	strcpy(options.polarization, "0.9");
	sonde_pattern_result *result = pattern_on(2, atoms, &options);
	sonde_debye_result *powder =
	    run_simply(atoms, SONDE_DEBYE_METHOD_EXACT, SONDE_DEBYE_FACTORS_AUTO, 2.0, 6.0, RINGS);
	assert_int_equal(sonde_pattern_write_radial(result, path, 1), SONDE_OK);
	assert_int_equal(read_rings(path, 4, rows, 64), RINGS);
	for (int k = 0; k < RINGS; ++k) {
		const double deviation = (rows[k][1] - powder->intensity[k]) / rows[k][2];
		assert_close(rows[k][2] / rows[k][1], 1.0 / sqrt(96.0), 0.4, "standard error");
		chi_square += deviation * deviation;
	}
	/* RINGS with a standard deviation of sqrt(2 RINGS) */
	assert_within(chi_square, RINGS, 5.0 * sqrt(2.0 * RINGS), "chi square");
	sonde_pattern_result_free(&result);
	sonde_debye_result_free(&powder);
	assert_int_equal(unlink(path), 0);
	sonde_atoms_free(&atoms);
}

/* Rotations of the detector do not matter to whole rings. */
static void check_rings(const sonde_pattern_options *options, int rings, int whole)
{
	sonde_atoms *atoms = atoms_along_x("C", 2, 3.0);
	sonde_pattern_result *result = pattern_on(2, atoms, options);
	double rows[64][8], pixels = 0.0;
	char path[4096];

	temporary("rings.dat", path, sizeof path);
	assert_int_equal(sonde_pattern_write_radial(result, path, 1), SONDE_OK);
	assert_int_equal(read_rings(path, 4, rows, 64), rings);
	for (int k = 0; k < rings; ++k)
		pixels += rows[k][3];
	assert_true(pixels == (double)result->count);
	for (int k = 4; k < whole; ++k) {
		/* a ring is so wide that its mean differs from that at its middle */
		const double width = rows[1][0] - rows[0][0];
		double mean = 0.0, area = 0.0;
		for (double part = 0.05; part < 1.0; part += 0.1) {
			const double q = rows[k][0] + (part - 0.5) * width;
			mean += q * mean_of_pair(q, options->wavelength, 3.0);
			area += q;
		}
		/* pixels at the edge of a ring are on one side or the other */
		assert_within(rows[k][1], mean / area, 5e-3, "mean of a ring");
		/* I has the variance 2 and more about the mean */
		assert_true(rows[k][2] > 0.3 / sqrt(rows[k][3]) && rows[k][2] < 3.0 / sqrt(rows[k][3]));
	}
	sonde_pattern_result_free(&result);
	assert_int_equal(unlink(path), 0);
	sonde_atoms_free(&atoms);
}

static void test_rings_of_detectors(void **state)
{
	sonde_pattern_options options = detector_options("1001,1001", 100.0, 0.2, 1.0);
	(void)state;

	options.radial_bins = 40;
	/* the weights of pixels: sin(2 theta) d(2 theta) d(phi), proportional to q dq d(phi) */
	options.solid_angle = SONDE_PATTERN_SOLID_ANGLE_RELATIVE;
	check_rings(&options, 40, 28);
	options.detector_rotation = (sonde_vector){15.0, -10.0, 33.0};
	check_rings(&options, 40, 20);
}

/* An atom scatters alike in all directions. */
static void test_factors_divide_out(void **state)
{
	sonde_pattern_options options = detector_options("101,91", 100.0, 2.0, 1.0);
	sonde_atoms *atoms = atoms_along_x("C", 1, 0.0);
	double rows[256][8];
	char path[4096];
	(void)state;

	temporary("factors.dat", path, sizeof path);
	strcpy(options.polarization, "0.95");
	options.polarization_angle = 30.0;
	options.solid_angle = SONDE_PATTERN_SOLID_ANGLE_ABSOLUTE;
	options.detector_rotation = (sonde_vector){25.0, -40.0, 33.0};
	sonde_pattern_result *result = pattern_on(2, atoms, &options);
	assert_int_equal(sonde_pattern_write_radial(result, path, 1), SONDE_OK);
	const int rings = read_rings(path, 4, rows, 256);
	assert_true(rings > 60);
	for (int k = 0; k < rings; ++k) {
		assert_within(rows[k][1], 1.0, 1e-12, "mean of a ring");
		assert_true(rows[k][3] == 1.0 ? isnan(rows[k][2]) : rows[k][2] < 1e-12);
	}
	sonde_pattern_result_free(&result);
	assert_int_equal(unlink(path), 0);
	sonde_atoms_free(&atoms);
}

static void test_masked_pixels_do_not_count(void **state)
{
	sonde_pattern_options options = detector_options("21,21", 100.0, 1.0, 1.0);
	sonde_atoms *atoms = atoms_along_x("C", 2, 3.0);
	char path[4096], text[21 * 22 + 1], file[4096];
	int64_t masked = 0;
	double rows[64][8], pixels = 0.0;
	(void)state;

	temporary("mask.txt", path, sizeof path);
	temporary("masked.dat", file, sizeof file);
	for (int row = 0; row < 21; ++row) {
		for (int column = 0; column < 21; ++column)
			text[22 * row + column] = row == 3 && column < 5 ? '1' : '0';
		text[22 * row + 21] = '\n';
	}
	text[sizeof text - 1] = '\0';
	write_text(path, text);
	strcpy(options.mask, path);
	options.beam_stop = 2.0; /* 13 pixels: a square lattice within 2 */
	options.radial_bins = 5;
	options.amplitude = 1;
	sonde_pattern_result *result = pattern_on(2, atoms, &options);
	for (int64_t n = 0; n < result->count; ++n) {
		const int64_t row = n / 21, column = n % 21;
		const int hidden =
		    (row == 3 && column < 5) || (row - 10) * (row - 10) + (column - 10) * (column - 10) <= 4;
		assert_true((result->masked[n] != 0) == hidden && !isnan(result->intensity[n]) == !hidden);
		masked += hidden;
	}
	assert_true(masked == 18);
	assert_int_equal(sonde_pattern_write_radial(result, file, 1), SONDE_OK);
	const int rings = read_rings(file, 4, rows, 64);
	for (int k = 0; k < rings; ++k) {
		pixels += rows[k][3];
		assert_false(isnan(rows[k][1]));
	}
	assert_true(pixels == 441.0 - 18.0);
	sonde_pattern_result_free(&result);
	assert_int_equal(unlink(path), 0);
	assert_int_equal(unlink(file), 0);
	sonde_atoms_free(&atoms);
}

/* Everything is in the file. */
static void test_files_hold_detectors(void **state)
{
	sonde_pattern_options options = detector_options("7,5", 40.0, 1.0, 0.8);
	sonde_atoms *atoms = atoms_along_x("C", 2, 3.0);
	sonde_pattern_result *read;
	char path[4096];
	(void)state;

	temporary("result.h5", path, sizeof path);
	options.factors = SONDE_PATTERN_FACTORS_AUTO;
	options.detector_rotation = (sonde_vector){20.0, 5.0, 70.0};
	options.beam_stop = 1.5;
	options.fluence = 1e18;
	sonde_pattern_result *result = pattern_on(2, atoms, &options);
	assert_int_equal(sonde_pattern_result_write(result, path, 1), SONDE_OK);
	assert_int_equal(sonde_pattern_result_read(NULL, path, &read), SONDE_OK);
	assert_memory_equal(read->basis, result->basis, sizeof result->basis);
	assert_memory_equal(read->counts, result->counts, 35 * sizeof *read->counts);
	assert_memory_equal(read->masked, result->masked, 35);
	for (int64_t n = 0; n < 35; ++n) {
		double q[3], p[3];
		sonde_pattern_vector(result, n, q);
		sonde_pattern_vector(read, n, p);
		assert_memory_equal(q, p, sizeof q);
		assert_true(result->masked[n] != 0 ? isnan(read->intensity[n]) && read->counts[n] == -1
						   : read->intensity[n] == result->intensity[n]);
	}
	sonde_pattern_result_free(&read);
	sonde_pattern_result_free(&result);
	assert_int_equal(unlink(path), 0);
	sonde_atoms_free(&atoms);
}

static double number_in(struct hdf5_reader *reader, const char *path)
{
	double *values;
	int64_t count;

	assert_int_equal(hdf5_reader_reals(reader, path, &values, &count), SONDE_OK);
	assert_int_equal(count, 1);
	const double value = values[0];
	free(values);
	return value;
}

/* The instrument of a file as other programs of NeXus find it, against the geometry that was asked for, and that of its .poni file. */
static void test_files_hold_instruments(void **state)
{
	sonde_pattern_options options = detector_options("7,5", 40.0, 1.0, 0.8);
	sonde_atoms *atoms = atoms_along_x("C", 2, 3.0);
	struct hdf5_reader *reader;
	struct poni poni;
	int64_t mask[35];
	const int64_t sizes[2] = {5, 7};
	double intensity[35];
	char path[4096], geometry[4096];
	(void)state;

	temporary("instrument.h5", path, sizeof path);
	temporary("instrument.poni", geometry, sizeof geometry);
	options.factors = SONDE_PATTERN_FACTORS_AUTO;
	options.detector_rotation = (sonde_vector){20.0, 5.0, 70.0};
	options.pixel_height = 2.0;
	options.beam_stop = 1.5;
	strcpy(options.beam_center, "4.5,1.25");
	sonde_pattern_result *result = pattern_on(2, atoms, &options);
	assert_int_equal(sonde_pattern_result_write(result, path, 1), SONDE_OK);
	assert_int_equal(sonde_pattern_write_poni(result, geometry, 1), SONDE_OK);
	assert_int_equal(poni_read(geometry, &poni), SONDE_OK);
	assert_int_equal(hdf5_reader_open(&reader, path), SONDE_OK);
#define BEAM "/pattern/instrument/beam/"
#define DETECTOR "/pattern/instrument/detector/"
	assert_close(number_in(reader, BEAM "incident_wavelength"), 0.8, 1e-15, "incident_wavelength");
	assert_close(number_in(reader, BEAM "incident_energy"), 12.398419843320026 / 0.8, 1e-9, "incident_energy");
	assert_close(number_in(reader, DETECTOR "distance"), 0.04, 1e-15, "distance");
	assert_close(number_in(reader, DETECTOR "x_pixel_size"), 0.001, 1e-15, "x_pixel_size");
	assert_close(number_in(reader, DETECTOR "y_pixel_size"), 0.002, 1e-15, "y_pixel_size");
	assert_close(number_in(reader, DETECTOR "beam_center_x"), 4.5, 1e-12, "beam_center_x");
	assert_close(number_in(reader, DETECTOR "beam_center_y"), 1.25, 1e-12, "beam_center_y");
	assert_close(number_in(reader, DETECTOR "poni/distance"), poni.distance, 1e-11, "poni/distance");
	assert_close(number_in(reader, DETECTOR "poni/poni1"), poni.poni[0], 1e-11, "poni/poni1");
	assert_close(number_in(reader, DETECTOR "poni/poni2"), poni.poni[1], 1e-11, "poni/poni2");
	assert_close(number_in(reader, DETECTOR "poni/rot1"), poni.rotation[0], 1e-11, "poni/rot1");
	assert_close(number_in(reader, DETECTOR "poni/rot2"), poni.rotation[1], 1e-11, "poni/rot2");
	assert_close(number_in(reader, DETECTOR "poni/rot3"), poni.rotation[2], 1e-11, "poni/rot3");
	assert_int_equal(hdf5_reader_exact_reals(reader, DETECTOR "data", sizes, 2, intensity), SONDE_OK);
	assert_int_equal(hdf5_reader_integer_array(reader, DETECTOR "pixel_mask", sizes, 2, mask), SONDE_OK);
#undef BEAM
#undef DETECTOR
	for (int64_t n = 0; n < 35; ++n) {
		assert_int_equal(mask[n] != 0, result->masked[n] != 0);
		assert_true(mask[n] != 0 ? isnan(intensity[n]) : intensity[n] == result->intensity[n]);
	}
	hdf5_reader_close(&reader);
	sonde_pattern_result_free(&result);
	assert_int_equal(unlink(path), 0);
	assert_int_equal(unlink(geometry), 0);
	sonde_atoms_free(&atoms);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_geometry_is_that_of_pyfai),
	    cmocka_unit_test(test_written_geometry_is_the_same),
	    cmocka_unit_test(test_beam_meets_its_pixel),
	    cmocka_unit_test(test_solid_angles_add_up),
	    cmocka_unit_test(test_counts_follow_the_cross_section),
	    cmocka_unit_test(test_rings_of_circles),
	    cmocka_unit_test(test_rings_are_the_powder_pattern),
	    cmocka_unit_test(test_rings_of_detectors),
	    cmocka_unit_test(test_factors_divide_out),
	    cmocka_unit_test(test_masked_pixels_do_not_count),
	    cmocka_unit_test(test_files_hold_detectors),
	    cmocka_unit_test(test_files_hold_instruments),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
