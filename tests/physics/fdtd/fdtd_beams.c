/* Gaussian beams of sonde fdtd compared with the closed form of paraxial optics: profiles at the focus and a Rayleigh
 * length after it, position of the focus, forward and backward power, along axes and obliquely. */
#include "physics/fields_helper.h"

#include "base/memory.h"
#include "fdtd/simulation/plane_currents.h"
#include "fdtd/sources/beam.h"
#include "fdtd/simulation/simulation.h"
#include "fdtd/sources/waveform.h"

#define MOST_PLACES 400

struct beam_case {
	const char *what;
	int cells[3]; /* 1: nothing depends on that axis */
	int cells_a_wavelength;
	double index, waist,
	    behind; /* waist in wavelengths; how far behind the focus is looked, in Rayleigh lengths */
	struct beam beam;
	enum field field; /* the component that is looked at, of which the beam's E or H has `part` */
	int component;
	bool single, quarter; /* with mirrors at node 0 along y and z */
	double tolerance, power_tolerance;
};

struct place {
	int node[3];
	double at[3]; /* cells from the focus */
	uint64_t number;
};

struct seen {
	struct place places[MOST_PLACES];
	uint32_t count;
};

static int compare_places(const void *a, const void *b)
{
	const struct place *x = a, *y = b;

	return x->node[0] != y->node[0] ? x->node[0] - y->node[0]
	       : x->number < y->number  ? -1
					: x->number > y->number;
}

static double dot(const double a[3], const double b[3])
{
	return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* Nearest to a place that is so far from the focus; nothing near the layers, or behind the source. */
static void look_at(const struct beam_case *test, const struct fields *fields, const double from_focus[3],
		    struct seen *seen)
{
	const int axis = test->beam.plane.axis;
	struct place place;
	bool along;

	for (int a = 0; a < 3; ++a) {
		along = (a == test->component) == (test->field == FIELD_E);
		double offset = test->cells[a] > 1 && along ? 0.5 : 0.0, wanted = test->beam.focus[a] + from_focus[a];
		place.node[a] = test->cells[a] > 1 ? (int)lround(wanted - offset + 1e-9) : 0;
		place.at[a] = test->cells[a] > 1 ? place.node[a] + offset - test->beam.focus[a] : 0.0;
		int low = test->quarter && a > 0 ? 0 : 14;
		if (test->cells[a] > 1 && (place.node[a] < low || place.node[a] > test->cells[a] - 14))
			return;
	}
	/* ahead of the source */
	if ((place.node[axis] - test->beam.plane.node) * test->beam.direction[axis] <= 0.0)
		return;
	place.number = fields_place(fields, test->component, place.node[0], place.node[1], place.node[2]);
	assert_true(seen->count < MOST_PLACES);
	seen->places[seen->count++] = place;
}

/* Across the beam in the focus and behind it, along either direction across. */
static void choose_places(const struct beam_case *test, const struct fields *fields, double waist, double range,
			  const double direction[3], struct seen *seen)
{
	const double *p = test->beam.polarization;
	const double other[3] = {direction[1] * p[2] - direction[2] * p[1], direction[2] * p[0] - direction[0] * p[2],
				 direction[0] * p[1] - direction[1] * p[0]};

	for (int line = 0; line < 4; ++line) {
		const double *across = line % 2 == 0 ? p : other;
		double ahead = line < 2 ? 0.0 : test->behind * range,
		       wide = waist * sqrt(1.0 + ahead * ahead / (range * range));
		if ((test->cells[0] == 1 && across[0] != 0.0) || (test->cells[1] == 1 && across[1] != 0.0) ||
		    (test->cells[2] == 1 && across[2] != 0.0))
			continue;
		for (int n = -20; n <= 20; ++n) {
			double at[3];
			for (int a = 0; a < 3; ++a)
				at[a] = ahead * direction[a] + 0.08 * n * wide * across[a];
			look_at(test, fields, at, seen);
		}
	}
	/* along the beam */
	for (int n = -8; n <= 8; ++n) {
		double at[3];
		for (int a = 0; a < 3; ++a)
			at[a] = 0.125 * n * range * direction[a];
		look_at(test, fields, at, seen);
	}
	qsort(seen->places, seen->count, sizeof *seen->places, compare_places);
}

/* Of an amplitude of 1 in the focus: one or two directions across in which it widens. */
static double paraxial(const double at[3], const double direction[3], double waist, double range, int dimensions)
{
	double ahead = dot(at, direction), square = 1.0 + ahead * ahead / (range * range),
	       across = dot(at, at) - ahead * ahead;

	return pow(square, -0.25 * (dimensions - 1)) * exp(-across / (waist * waist * square));
}

/* Amplitudes at the places in parts of that of the focus. */
static void transform(const struct simulation *simulation, double omega, double complex spectrum, double *found)
{
	const struct trace *trace = &simulation->trace[0];
	size_t places = trace->observation.count;

	for (size_t p = 0; p < places; ++p) {
		double complex sum = 0.0;
		for (size_t n = 0; n < trace->steps; ++n)
			sum += trace->values[n * places + p] * cexp(I * omega * (double)n);
		found[p] = cabs(sum / spectrum);
	}
}

/* 1/intensity on the axis is 1 + (z - focus)^2/range^2 (square roots in two dimensions): its vertex, by least squares of a parabola. */
static double focus_at(const struct seen *seen, const double *found, const double direction[3], double waist,
		       double range, int dimensions)
{
	double sums[5] = {0.0}, right[3] = {0.0};

	for (uint32_t p = 0; p < seen->count; ++p) {
		const double *at = seen->places[p].at;
		double ahead = dot(at, direction), across = dot(at, at) - ahead * ahead,
		       wide = waist * sqrt(1.0 + ahead * ahead / (range * range)), power = 1.0;
		if (across > 1.0)
			continue;
		/* places are not quite on the axis */
		double on_axis = found[p] / exp(-across / (wide * wide)),
		       value = pow(on_axis, dimensions == 3 ? -2.0 : -4.0), z = ahead / range;
		for (int k = 0; k < 5; ++k, power *= z) {
			sums[k] += power;
			if (k < 3)
				right[k] += power * value;
		}
	}
	/* a + b z + c z^2 */
	double m[3][4] = {{sums[0], sums[1], sums[2], right[0]},
			  {sums[1], sums[2], sums[3], right[1]},
			  {sums[2], sums[3], sums[4], right[2]}};
	for (int k = 0; k < 3; ++k)
		for (int l = 0; l < 3; ++l) {
			double factor = l != k ? m[l][k] / m[k][k] : 0.0;
			for (int c = 0; c < 4; ++c)
				m[l][c] -= factor * m[k][c];
		}
	return -0.5 * (m[1][3] / m[1][1]) / (m[2][3] / m[2][2]);
}

static void make_grid(const struct beam_case *test, double courant, struct fdtd_grid *grid)
{
	*grid = (struct fdtd_grid){.cells = {test->cells[0], test->cells[1], test->cells[2]}};
	for (int a = 0; a < 3; ++a) {
		bool depends = test->cells[a] > 1;
		grid->courant[a] = depends ? courant : 0.0;
		for (int side = 0; side < 2; ++side) {
			grid->walls[a][side] = depends ? WALL_CONDUCTOR : WALL_PERIODIC;
			if (depends && !(test->quarter && a > 0 && side == 0))
				grid->layers[a][side] = absorbing_layer_of(10);
		}
	}
	/* E along y */
	if (test->quarter)
		grid->walls[2][0] = WALL_MAGNETIC;
}

static struct media make_media(const struct fdtd_grid *grid, double index)
{
	struct medium glass = {.permittivity = index * index, .permeability = 1.0};
	struct media media = media_of(grid, index != 1.0);
	uint16_t number;

	succeed(media_add(&media, &glass, &number));
	for (int a = 0; a < 3 && media.edges[a] != NULL; ++a)
		for (size_t n = 0; n <= media_at(grid, grid->cells[0], grid->cells[1], grid->cells[2]); ++n)
			succeed(media_set_number(media.edges[a], n, number));
	return media;
}

/* Ahead of the source and behind it, through the whole grid between its layers. */
static void add_planes(const struct beam_case *test, double omega, struct simulation *simulation)
{
	const int axis = test->beam.plane.axis, sign = test->beam.direction[axis] > 0.0 ? 1 : -1;

	for (int side = 0; side < 2; ++side) {
		struct flux_plane plane = {
		    .axis = axis, .node = test->beam.plane.node + sign * (side == 0 ? 4 : -4), .sign = sign};
		for (int a = 0; a < 3; ++a) {
			plane.low[a] = test->cells[a] > 1 && !(test->quarter && a > 0) ? 10 : 0;
			plane.high[a] = test->cells[a] > 1 ? test->cells[a] - 10 : 1;
		}
		succeed(simulation_add_spectrum(simulation, &plane, 1, &omega, 1, 1));
	}
}

static void check_beam(struct beam_case *test)
{
	int dimensions = (test->cells[0] > 1) + (test->cells[1] > 1) + (test->cells[2] > 1);
	const double courant = dimensions == 3 ? 0.56 : 0.68, wavelength = test->cells_a_wavelength,
		     omega = 2.0 * PI * courant / (wavelength * test->index), waist = test->waist * wavelength,
		     range = PI * waist * waist / wavelength;
	const struct waveform form = {
	    .kind = WAVEFORM_PULSE, .amplitude = 1.0, .omega = omega, .bandwidth = 0.4 * omega};
	static struct seen seen;
	static double found[MOST_PLACES];
	struct beam beam = test->beam;
	struct plane_source source;
	struct simulation simulation;
	struct fdtd_grid grid;
	double cut, direction[3], length = sqrt(dot(beam.direction, beam.direction)), power[2], worst = 0.0;

	make_grid(test, courant, &grid);
	struct media media = make_media(&grid, test->index);
	succeed(simulation_make(test_device(), &grid, &media, test->single, &simulation));
	for (int a = 0; a < 3; ++a)
		direction[a] = beam.direction[a] / length;
	beam.waist = waist / courant;
	beam.omega = omega;
	beam.amplitude = 2.0;
	succeed(source_plane_index(&simulation.fields, &media, &beam.plane, &beam.index));
	succeed(beam_make(&simulation.fields, &beam, &source, &cut));
	assert_true(waveform_has_quadrature(&form));
	succeed(plane_source_add(&simulation, &media, &source, waveform_value, waveform_quadrature, &form, 0.0));
	seen.count = 0;
	choose_places(test, &simulation.fields, waist, range, direction, &seen);
	uint64_t numbers[MOST_PLACES];
	for (uint32_t p = 0; p < seen.count; ++p)
		numbers[p] = seen.places[p].number;
	succeed(simulation_add_trace(&simulation, test->field, numbers, seen.count));
	add_planes(test, omega, &simulation);
	int most = test->cells[0] + test->cells[1] + test->cells[2];
	succeed(simulation_run(
	    &simulation,
	    (uint64_t)(waveform_end(&form) + (dimensions == 3 ? 0.45 : 0.8) * most * test->index / courant), NULL));
	/* Re(a exp(-i omega t)) of an envelope of 1 has this spectrum */
	double complex spectrum = waveform_spectrum(&form, omega);
	transform(&simulation, omega, 2.0 * (test->field == FIELD_H ? test->index : 1.0) * spectrum, found);
	for (uint32_t p = 0; p < seen.count; ++p) {
		double exact = paraxial(seen.places[p].at, direction, waist, range, dimensions);
		worst = fmax(worst, fabs(found[p] - exact));
	}
	for (int side = 0; side < 2; ++side)
		succeed(spectrum_power(&simulation.fields, &simulation.spectrum[side], &power[side]));
	power[0] *= test->quarter ? 4.0 : 1.0;
	power[1] *= test->quarter ? 4.0 : 1.0;
	double whole = source.power * creal(spectrum * conj(spectrum)), wide = waist / courant,
	       expected = 4.0 * test->index * (dimensions == 3 ? PI * wide * wide / 4.0 : sqrt(PI / 8.0) * wide);
	/* power of a wave in the discrete scheme */
	expected *= cos(0.5 * omega) * cos(PI / wavelength * direction[beam.plane.axis]);
	double shift = focus_at(&seen, found, direction, waist, range, dimensions);
	print_message(
	    "beam %s, %s: field off by %.3g at %u places, focus by %.3g ranges; forward %.5f of the stated power, "
	    "that %.5f of the closed form, backward %.2g, cut %.2g\n",
	    test->what, test->single ? "float32" : "float64", worst, seen.count, shift, power[0] / whole,
	    source.power / expected, -power[1] / power[0], cut);
	assert_true(seen.count > 45 && worst < test->tolerance);
	assert_within(shift, 0.0, test->tolerance, "shift");
	assert_true(fabs(power[0] / whole - 1.0 + cut) < 2e-3);
	assert_within(power[1] / power[0], 0.0, 1e-4, "power");
	assert_close(source.power, expected, test->power_tolerance, "power");
	plane_source_free(&source);
	simulation_release(&simulation);
	media_free(&media);
}

/* Angles in degrees from the axis to the next one. */
static struct beam beam_of(int axis, int node, const int low[3], const int high[3], const double focus[3], int to,
			   double degrees, int up, int polarized)
{
	const double c = cos(degrees * PI / 180.0), s = sin(degrees * PI / 180.0);
	struct beam beam = {.plane = {.axis = axis, .node = node}};

	for (int a = 0; a < 3; ++a) {
		beam.plane.low[a] = low[a];
		beam.plane.high[a] = high[a];
		beam.focus[a] = focus[a];
	}
	beam.direction[axis] = up * c;
	beam.direction[to] = s;
	/* along an axis that the direction has no part of, or in the plane of both */
	if (polarized == axis || polarized == to) {
		beam.polarization[to] = c;
		beam.polarization[axis] = -up * s;
	} else {
		beam.polarization[polarized] = 1.0;
	}
	return beam;
}

#define THREE(x, y, z) ((const int[3]){x, y, z})
#define REALS(x, y, z) ((const double[3]){x, y, z})

static void test_beams_in_the_plane_are_gaussian(void **state)
{
	struct beam_case across = {.what = "E across, along y",
				   .cells = {1, 420, 260},
				   .cells_a_wavelength = 15,
				   .index = 1.0,
				   .waist = 2.5,
				   .behind = 0.9,
				   .field = FIELD_E,
				   .component = 0,
				   .tolerance = 0.01,
				   .power_tolerance = 0.015};
	struct beam_case along = across;
	(void)state;

	across.beam = beam_of(1, 20, THREE(0, 0, 10), THREE(1, 0, 250), REALS(0.0, 80.0, 130.3), 2, 0.0, 1, 0);
	check_beam(&across);
	along.what = "H across, along y";
	along.field = FIELD_H;
	along.waist = 2.0;
	along.cells_a_wavelength = 20;
	along.beam = beam_of(1, 20, THREE(0, 0, 10), THREE(1, 0, 250), REALS(0.0, 120.0, 130.0), 2, 0.0, 1, 2);
	check_beam(&along);
}

static void test_slanting_beams_are_gaussian(void **state)
{
	struct beam_case across = {.what = "E across, 20 degrees",
				   .cells = {1, 320, 420},
				   .cells_a_wavelength = 15,
				   .index = 1.0,
				   .waist = 2.5,
				   .behind = 0.9,
				   .field = FIELD_E,
				   .component = 0,
				   .tolerance = 0.01,
				   .power_tolerance = 0.015};
	struct beam_case down = across, glass = across;
	(void)state;

	across.beam = beam_of(2, 20, THREE(0, 12, 0), THREE(1, 260, 0), REALS(0.0, 150.0, 90.0), 1, 20.0, 1, 0);
	check_beam(&across);
	down.what = "H across, 20 degrees, down";
	down.field = FIELD_H;
	down.single = true;
	down.beam = beam_of(2, 400, THREE(0, 12, 0), THREE(1, 260, 0), REALS(0.0, 150.0, 330.0), 1, 20.0, -1, 1);
	check_beam(&down);
	glass = (struct beam_case){.what = "E across, 55 degrees, in glass",
				   .cells = {420, 1, 480},
				   .cells_a_wavelength = 15,
				   .index = 1.5,
				   .waist = 2.5,
				   .behind = 0.5,
				   .field = FIELD_E,
				   .component = 1,
				   .tolerance = 0.01,
				   .power_tolerance = 0.015};
	glass.beam = beam_of(0, 20, THREE(0, 0, 12), THREE(0, 1, 400), REALS(90.0, 0.0, 270.0), 2, 55.0, 1, 1);
	check_beam(&glass);
}

/* A quarter between mirrors, and a whole one. */
static void test_beams_in_space_are_gaussian(void **state)
{
	struct beam_case quarter = {.what = "along x, a quarter",
				    .cells = {150, 72, 72},
				    .cells_a_wavelength = 15,
				    .index = 1.0,
				    .waist = 1.25,
				    .behind = 1.0,
				    .field = FIELD_E,
				    .component = 1,
				    .quarter = true,
				    .tolerance = 0.02,
				    .power_tolerance = 0.03};
	struct beam_case whole = quarter;
	(void)state;

	quarter.beam = beam_of(0, 16, THREE(0, 0, 0), THREE(0, 60, 60), REALS(50.0, 0.0, 0.0), 1, 0.0, 1, 1);
	check_beam(&quarter);
	whole = (struct beam_case){.what = "20 degrees",
				   .cells = {140, 110, 110},
				   .cells_a_wavelength = 15,
				   .index = 1.0,
				   .waist = 1.1,
				   .behind = 0.7,
				   .field = FIELD_E,
				   .component = 1,
				   .single = true,
				   .tolerance = 0.02,
				   .power_tolerance = 0.04};
	whole.beam = beam_of(2, 96, THREE(12, 12, 0), THREE(128, 98, 0), REALS(60.0, 55.0, 70.0), 0, 20.0, -1, 1);
	check_beam(&whole);
}

static void check_refused(const struct fields *fields, const struct beam *beam, const char *words)
{
	struct plane_source source;

	assert_int_equal(beam_make(fields, beam, &source, NULL), SONDE_INVALID);
	if (strstr(sonde_status_message(), words) == NULL)
		fail_msg("'%s' is not in: %s", words, sonde_status_message());
	plane_source_free(&source);
}

static void test_beams_beyond_the_sheet_are_refused(void **state)
{
	struct fdtd_grid grid = open_grid(60, 60, 60, 0.5, 5);
	struct media media = media_of(&grid, 0);
	struct beam good = beam_of(2, 20, THREE(6, 6, 0), THREE(54, 54, 0), REALS(30.0, 30.0, 20.0), 0, 0.0, 1, 1),
		    beam;
	struct plane_source source;
	struct fields fields;
	double cut;
	(void)state;

	succeed(fields_make(test_device(), &grid, &media, false, &fields));
	good.omega = 2.0 * PI * 0.5 / 12.0;
	good.waist = 12.0 / 0.5;
	good.index = good.amplitude = 1.0;
	succeed(beam_make(&fields, &good, &source, &cut));
	assert_true(cut < 1e-3);
	plane_source_free(&source);
	beam = good;
	beam.waist = 0.5 * 12.0 / 0.5;
	check_refused(&fields, &beam, "wavelengths, is too small");
	beam = good;
	beam.direction[0] = 5.0;
	check_refused(&fields, &beam, "from the normal: the maximum is 75");
	beam.direction[0] = beam.direction[2] = 0.0;
	check_refused(&fields, &beam, "needs a direction");
	beam = good;
	beam.polarization[1] = 0.0;
	check_refused(&fields, &beam, "the polarization of a beam");
	beam = good;
	beam.omega = 1.0;
	check_refused(&fields, &beam, "at most a quarter of its wavelength");
	beam = good;
	beam.focus[0] = 50.0;
	check_refused(&fields, &beam, "of a beam's power misses its plane");
	beam = good;
	beam.waist = (double)NAN;
	check_refused(&fields, &beam, "is not a number above 0");
	beam = good;
	beam.focus[2] = 1e6;
	check_refused(&fields, &beam, "plane waves along");
	beam = good;
	beam.plane.node = 0;
	check_refused(&fields, &beam, "a cell on either side");
	for (int n = 1; n < 30; ++n) {
		memory_fail_after(n);
		sonde_status status = beam_make(&fields, &good, &source, NULL);
		memory_fail_after(0);
		assert_true(status == SONDE_OK || status == SONDE_RESOURCE);
		assert_true(n > 1 || status == SONDE_RESOURCE);
		plane_source_free(&source);
	}
	fields_release(&fields);
	media_free(&media);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_beams_in_the_plane_are_gaussian),
					   cmocka_unit_test(test_slanting_beams_are_gaussian),
					   cmocka_unit_test(test_beams_in_space_are_gaussian),
					   cmocka_unit_test(test_beams_beyond_the_sheet_are_refused)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
