/* Scattering vectors: a polar picture or a flat detector on the Ewald sphere, a box of reciprocal space, a list. */
#include "pattern/pixels.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/constants.h"
#include "base/memory.h"
#include "base/text.h"
#include "device/kernel.h"
#include "device/kernel_math.h"
#include "io/tables/columns.h"
#include "pattern/detector/geometry.h"
#include "pattern/detector/mask.h"

#define LARGEST_Q 1000.0 /* of a vector of a list, as of the option `q` */
#define MOST_COLUMNS 32
#define PARALLEL 1e-9 /* sine of the angle of two vectors of reciprocal space */
#define MOST_PIXELS 4e9

/* Axes, the slowest first. */
static const struct {
	const char *geometry, *names[3], *units[3];
} known_axes[] = {
    [SONDE_PATTERN_POLAR] = {"polar", {"q", "phi"}, {"1/angstrom", "degree"}},
    [SONDE_PATTERN_LIST] = {"list", {NULL}, {NULL}},
    [SONDE_PATTERN_BOX] = {"box", {"l", "k", "h"}, {"1", "1", "1"}},
    [SONDE_PATTERN_DETECTOR] = {"detector", {"y", "x"}, {"mm", "mm"}},
};

const char *pattern_geometry_name(int geometry)
{
	return known_axes[geometry].geometry;
}

const char *pattern_axis_name(int geometry, int axis)
{
	return known_axes[geometry].names[axis];
}

const char *pattern_axis_unit(int geometry, int axis)
{
	return known_axes[geometry].units[axis];
}

void pattern_indices(const int64_t *sizes, int axis_count, int64_t point, int64_t indices[3])
{
	for (int axis = 0; axis < 3; ++axis)
		indices[axis] = 0;
	for (int axis = axis_count - 1; axis >= 0; --axis) {
		indices[axis] = point % sizes[axis];
		point /= sizes[axis];
	}
}

static sonde_status add_axis(struct pattern_pixels *pixels, int64_t size)
{
	const int axis = pixels->axis_count++;

	pixels->sizes[axis] = size;
	return memory_allocate(&pixels->axes[axis], (size_t)size, sizeof(double), "the scattering vectors");
}

static void fill_axis(struct pattern_pixels *pixels, int axis, double first, double last)
{
	const int64_t size = pixels->sizes[axis];

	for (int64_t k = 0; k < size; ++k)
		pixels->axes[axis][k] = size > 1 ? first + (last - first) * (double)k / (double)(size - 1) : first;
}

/* The polar picture ------------------------------------------------------------------------------------------ */

/* |k'| = |k| = 2 pi/lambda and q = k' - k, so that q.k = -q^2/2; with k along -z, q_z = q^2 lambda/(4 pi). */
static void point_on_sphere(double q, double cosine, double sine, double wavelength, double vector[3])
{
	const double z = q * q * wavelength / (4.0 * PI), across = sqrt(fmax(0.0, (q - z) * (q + z)));

	vector[0] = across * cosine;
	vector[1] = across * sine;
	vector[2] = z;
}

/* The same bits on every processor. */
static void azimuth(int64_t m, int64_t count, double *cosine, double *sine)
{
	lanes_f64 s, c;

	lanes_sincos(LANES_SPLAT(2.0 * PI * (double)m / (double)count), &s, &c, 0);
	*cosine = LANES_FIRST(c);
	*sine = LANES_FIRST(s);
}

static sonde_status check_wavelength(double wavelength)
{
	return wavelength > 0.0
		   ? SONDE_OK
		   : status_fail_option(
			 SONDE_INVALID, "wavelength",
			 "the scattering vectors lie on the Ewald sphere; give `wavelength` or `energy`");
}

static sonde_status make_polar(const sonde_pattern_options *options, struct pattern_pixels *pixels)
{
	const sonde_grid *q = &options->q;
	const int64_t azimuths = options->phi;

	CHECK(check_wavelength(pixels->wavelength));
	const double largest = 4.0 * PI / pixels->wavelength;
	if (q->last > largest * (1.0 + 1e-12))
		return status_fail_option(
		    SONDE_INVALID, "q",
		    "the wavelength %.7g Angstrom is too long for q = %.7g: no scattering vector exceeds "
		    "4 pi/wavelength = %.7g 1/Angstrom",
		    pixels->wavelength, q->last, largest);
	CHECK(add_axis(pixels, q->points));
	CHECK(add_axis(pixels, azimuths));
	CHECK(memory_allocate(&pixels->cosines, (size_t)azimuths, sizeof(double), "the picture"));
	CHECK(memory_allocate(&pixels->sines, (size_t)azimuths, sizeof(double), "the picture"));
	fill_axis(pixels, 0, q->first, q->last);
	for (int64_t m = 0; m < azimuths; ++m) {
		pixels->axes[1][m] = 360.0 * (double)m / (double)azimuths;
		azimuth(m, azimuths, &pixels->cosines[m], &pixels->sines[m]);
	}
	return SONDE_OK;
}

/* The detector ------------------------------------------------------------------------------------------------ */

/* At the point p: q = k (p/|p| + z), without the cancellation of its small z component in front of the sample. */
static void point_on_detector(double x, double y, const struct pattern_pixels *pixels, double vector[3])
{
	double place[3];

	detector_place(pixels->basis, pixels->distance, x, y, place);
	const double across = place[0] * place[0] + place[1] * place[1], z = place[2], far = sqrt(across + z * z),
		     k = 2.0 * PI / pixels->wavelength;
	vector[0] = k * place[0] / far;
	vector[1] = k * place[1] / far;
	vector[2] = z < 0.0 ? k * across / (far * (far - z)) : k * (1.0 + z / far);
}

static sonde_status make_detector(const sonde_pattern_options *options, struct pattern_pixels *pixels)
{
	struct detector_geometry detector;

	CHECK(check_wavelength(pixels->wavelength));
	CHECK(detector_make(options, &detector));
	pixels->distance = detector.distance;
	memcpy(pixels->basis, detector.axes, sizeof pixels->basis);
	for (int axis = 0; axis < 2; ++axis) { /* rows along y, then columns along x */
		CHECK(add_axis(pixels, detector.size[1 - axis]));
		for (int64_t k = 0; k < pixels->sizes[axis]; ++k)
			pixels->axes[axis][k] = detector_coordinate(&detector, 1 - axis, k);
	}
	return detector_find_masked(options, &detector, &pixels->masked);
}

/* The box ------------------------------------------------------------------------------------------------------ */

static double cross(const double a[3], const double b[3], double product[3])
{
	double square = 0.0;

	for (int k = 0; k < 3; ++k) {
		product[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
		square += product[k] * product[k];
	}
	return sqrt(square);
}

static double dot(const double a[3], const double b[3])
{
	return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* 2 pi b x c/(a.(b x c)), and so on. */
static sonde_status use_cell(const sonde_atoms *atoms, double basis[9])
{
	const double *cell = atoms != NULL ? sonde_atoms_cell(atoms) : NULL;
	double product[3];

	if (cell == NULL)
		return status_fail_option(SONDE_INVALID, "u", "the sample has no cell; give `u`, `v`, and `w`");
	for (int k = 0; k < 3; ++k) {
		(void)cross(cell + 3 * ((k + 1) % 3), cell + 3 * ((k + 2) % 3), product);
		const double volume = dot(cell + 3 * k, product);
		if (volume == 0.0)
			return status_fail_option(SONDE_INVALID, "u", "the cell of the sample has no volume");
		for (int c = 0; c < 3; ++c)
			basis[3 * k + c] = 2.0 * PI * product[c] / volume;
	}
	return SONDE_OK;
}

static bool is_zero(const double vector[3])
{
	return vector[0] == 0.0 && vector[1] == 0.0 && vector[2] == 0.0;
}

static sonde_status find_basis(const sonde_pattern_options *options, const sonde_atoms *atoms, double basis[9])
{
	const sonde_vector given[3] = {options->u, options->v, options->w};
	const sonde_grid ranges[3] = {options->h, options->k, options->l};
	static const char *const names[] = {"u", "v", "w"};
	double product[3];
	bool all = true;

	for (int k = 0; k < 3; ++k) {
		basis[3 * k] = given[k].x;
		basis[3 * k + 1] = given[k].y;
		basis[3 * k + 2] = given[k].z;
	}
	if (is_zero(basis) && is_zero(basis + 3) && is_zero(basis + 6))
		return use_cell(atoms, basis);
	for (int k = 0; k < 3; ++k) {
		all = all && !is_zero(basis + 3 * k);
		if (is_zero(basis + 3 * k) && (ranges[k].points > 1 || ranges[k].first != 0.0))
			return status_fail_option(SONDE_INVALID, names[k], "the vector has no length");
	}
	/* a fixed vector may be parallel to that of a line through its end */
	for (int k = 0; k < 3; ++k) {
		const int i = (k + 1) % 3, j = (k + 2) % 3;
		const double *a = basis + 3 * i, *b = basis + 3 * j;
		if (ranges[i].points > 1 && ranges[j].points > 1 &&
		    cross(a, b, product) <= PARALLEL * sqrt(dot(a, a) * dot(b, b)))
			return status_fail_option(SONDE_INVALID, "u", "two of `u`, `v`, and `w` are parallel");
	}
	(void)cross(basis + 3, basis + 6, product);
	return all && dot(basis, product) <= 0.0
		   ? status_fail_option(SONDE_INVALID, "u",
					"`u`, `v`, and `w` are left-handed, or lie in one plane: u.(v x w) is %.4g",
					dot(basis, product))
		   : SONDE_OK;
}

static sonde_status make_box(const sonde_pattern_options *options, const sonde_atoms *atoms,
			     struct pattern_pixels *pixels)
{
	const sonde_grid ranges[3] = {options->l, options->k, options->h}; /* the slowest first */

	CHECK(find_basis(options, atoms, pixels->basis));
	for (int axis = 0; axis < 3; ++axis) {
		CHECK(add_axis(pixels, ranges[axis].points));
		fill_axis(pixels, axis, ranges[axis].first, ranges[axis].last);
	}
	return SONDE_OK;
}

/* The list ------------------------------------------------------------------------------------------------- */

/* A row of names, as in the tables of lists. */
static bool has_names(const struct word *words, int count)
{
	return count >= 3 && word_is(&words[0], "qx") && word_is(&words[1], "qy") && word_is(&words[2], "qz");
}

static sonde_status read_row(struct columns *columns, const struct line_reader *reader, char *line, double vector[3],
			     bool *is_vector)
{
	const int number_of_names = columns->names;
	struct word words[MOST_COLUMNS];
	int count;

	CHECK(columns_split(columns, reader, line, words, MOST_COLUMNS, &count));
	*is_vector = count > 0 && !(number_of_names == 0 && has_names(words, count));
	for (int k = 0; *is_vector && k < 3; ++k)
		if (k >= count || !text_parse_real(words[k].start, words[k].end, &vector[k]) ||
		    fabs(vector[k]) > LARGEST_Q)
			return line_fail(reader, "needs qx qy qz in 1/Angstrom, as numbers up to %g", LARGEST_Q);
	return SONDE_OK;
}

static sonde_status read_rows(struct line_reader *reader, struct pattern_pixels *pixels)
{
	struct columns columns = {.needed = 3};
	size_t capacity = 0;
	char *line;

	for (;;) {
		double vector[3];
		bool is_vector;
		CHECK(line_reader_next(reader, &line));
		if (line == NULL)
			break;
		CHECK(read_row(&columns, reader, line, vector, &is_vector));
		if (!is_vector)
			continue;
		CHECK(memory_grow(&pixels->vectors, &capacity, 3 * (size_t)pixels->count + 3, sizeof(double),
				  "the scattering vectors"));
		for (int k = 0; k < 3; ++k)
			pixels->vectors[3 * pixels->count + k] = vector[k];
		++pixels->count;
	}
	return pixels->count > 0
		   ? SONDE_OK
		   : status_fail_file(SONDE_INVALID, line_reader_path(reader), "has no rows of numbers");
}

static sonde_status read_list(const char *path, struct pattern_pixels *pixels)
{
	struct line_reader *reader;

	CHECK(line_reader_open(&reader, path));
	const sonde_status status = read_rows(reader, pixels);
	line_reader_close(&reader);
	return status;
}

/* All ------------------------------------------------------------------------------------------------------- */

static bool has_range(const sonde_grid *range)
{
	return range->points > 1 || range->first != 0.0;
}

static sonde_status choose_geometry(const sonde_pattern_options *options, int *geometry)
{
	const bool list = options->q_list[0] != '\0', detector = options->detector[0] != '\0',
		   box = has_range(&options->h) || has_range(&options->k) || has_range(&options->l);

	*geometry = list       ? SONDE_PATTERN_LIST
		    : detector ? SONDE_PATTERN_DETECTOR
		    : box      ? SONDE_PATTERN_BOX
			       : SONDE_PATTERN_POLAR;
	return list + detector + box <= 1
		   ? SONDE_OK
		   : status_fail_option(
			 SONDE_INVALID, list ? "q_list" : "detector",
			 "scattering vectors are given in several ways, by `q_list`, by `detector`, or by "
			 "`h`, `k`, `l`; choose one");
}

static sonde_status make(const sonde_pattern_options *options, const sonde_atoms *atoms,
			 struct pattern_pixels *pixels)
{
	double count = 1.0;

	CHECK(choose_geometry(options, &pixels->geometry));
	if (pixels->geometry == SONDE_PATTERN_LIST)
		return read_list(options->q_list, pixels);
	CHECK(pixels->geometry == SONDE_PATTERN_DETECTOR ? make_detector(options, pixels)
	      : pixels->geometry == SONDE_PATTERN_BOX    ? make_box(options, atoms, pixels)
							 : make_polar(options, pixels));
	for (int axis = 0; axis < pixels->axis_count; ++axis)
		count *= (double)pixels->sizes[axis];
	if (count > MOST_PIXELS)
		return status_fail(SONDE_INVALID, "%.3g points of the pattern are more than %.0e", count,
				   MOST_PIXELS);
	pixels->count = (int64_t)count;
	return SONDE_OK;
}

static void include_point(struct pattern_pixels *pixels, int64_t n)
{
	double vector[3];
	const double q = pattern_pixel(pixels, n, vector);

	pixels->smallest = fmin(pixels->smallest, q);
	pixels->largest = fmax(pixels->largest, q);
}

/* On a line along h, q^2 is a quadratic function: it is largest at an end, and smallest next to its minimum. */
static void find_range_of_box(struct pattern_pixels *pixels)
{
	const int64_t line = pixels->sizes[2];
	const double *h = pixels->axes[2], *u = pixels->basis;
	const double step = line > 1 ? h[1] - h[0] : 0.0,
		     square = step * step * (u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);

	for (int64_t first = 0; first < pixels->count; first += line) {
		double vector[3];
		include_point(pixels, first);
		include_point(pixels, first + line - 1);
		if (!(square > 0.0))
			continue;
		(void)pattern_pixel(pixels, first, vector);
		const double least = -step * (u[0] * vector[0] + u[1] * vector[1] + u[2] * vector[2]) / square;
		for (int k = 0; k < 2; ++k) {
			const double n = floor(least) + k;
			if (n > 0.0 && n < (double)(line - 1))
				include_point(pixels, first + (int64_t)n);
		}
	}
}

sonde_status pattern_pixels_make(const sonde_pattern_options *options, const sonde_atoms *atoms, double wavelength,
				 struct pattern_pixels *pixels)
{
	double vector[3];

	*pixels = (struct pattern_pixels){.wavelength = wavelength, .smallest = INFINITY};
	CHECK(make(options, atoms, pixels));
	if (pixels->geometry == SONDE_PATTERN_POLAR) {
		pixels->smallest = pixels->axes[0][0];
		pixels->largest = pixels->axes[0][pixels->sizes[0] - 1];
		return SONDE_OK;
	}
	if (pixels->geometry == SONDE_PATTERN_BOX) {
		find_range_of_box(pixels);
		return SONDE_OK;
	}
	for (int64_t n = 0; n < pixels->count; ++n) {
		const double q = pattern_pixel(pixels, n, vector);
		pixels->smallest = fmin(pixels->smallest, q);
		pixels->largest = fmax(pixels->largest, q);
	}
	return SONDE_OK;
}

void pattern_pixels_free(struct pattern_pixels *pixels)
{
	if (pixels->borrowed) {
		*pixels = (struct pattern_pixels){.count = 0};
		return;
	}
	for (int axis = 0; axis < 3; ++axis)
		free(pixels->axes[axis]);
	free(pixels->cosines);
	free(pixels->sines);
	free(pixels->vectors);
	free(pixels->masked);
	*pixels = (struct pattern_pixels){.count = 0};
}

static double length(const double vector[3])
{
	return sqrt(dot(vector, vector));
}

static double vector_of(const struct pattern_pixels *pixels, int64_t n, double vector[3])
{
	int64_t at[3];
	double cosine, sine;

	if (pixels->geometry == SONDE_PATTERN_LIST) {
		for (int k = 0; k < 3; ++k)
			vector[k] = pixels->vectors[3 * n + k];
		return length(vector);
	}
	pattern_indices(pixels->sizes, pixels->axis_count, n, at);
	if (pixels->geometry == SONDE_PATTERN_DETECTOR) {
		point_on_detector(pixels->axes[1][at[1]], pixels->axes[0][at[0]], pixels, vector);
		return length(vector);
	}
	if (pixels->geometry == SONDE_PATTERN_BOX) {
		const double h = pixels->axes[2][at[2]], k = pixels->axes[1][at[1]], l = pixels->axes[0][at[0]];
		for (int c = 0; c < 3; ++c)
			vector[c] = h * pixels->basis[c] + k * pixels->basis[3 + c] + l * pixels->basis[6 + c];
		return length(vector);
	}
	if (pixels->cosines == NULL)
		azimuth(at[1], pixels->sizes[1], &cosine, &sine);
	else
		cosine = pixels->cosines[at[1]], sine = pixels->sines[at[1]];
	point_on_sphere(pixels->axes[0][at[0]], cosine, sine, pixels->wavelength, vector);
	return pixels->axes[0][at[0]];
}

/* The pattern of atoms at R r is that of atoms at r for the vectors R^T q. */
double pattern_pixel(const struct pattern_pixels *pixels, int64_t n, double vector[3])
{
	double fixed[3];

	if (pixels->rotations == NULL)
		return vector_of(pixels, n, vector);
	const double(*rotation)[3] = pixels->rotations[n / pixels->picture];
	const double q = vector_of(pixels, n % pixels->picture, fixed);
	for (int k = 0; k < 3; ++k)
		vector[k] = rotation[0][k] * fixed[0] + rotation[1][k] * fixed[1] + rotation[2][k] * fixed[2];
	return q;
}

void sonde_pattern_vector(const sonde_pattern_result *result, int64_t point, double vector[3])
{
	struct pattern_pixels pixels = {.geometry = result->geometry,
					.axis_count = result->axis_count,
					.vectors = result->vectors,
					.wavelength = result->wavelength,
					.distance = result->distance};

	memcpy(pixels.sizes, result->sizes, sizeof pixels.sizes);
	memcpy(pixels.axes, result->axes, sizeof pixels.axes);
	memcpy(pixels.basis, result->basis, sizeof pixels.basis);
	(void)pattern_pixel(&pixels, point, vector);
}
