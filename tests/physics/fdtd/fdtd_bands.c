/* Applications of Bloch-periodic walls: slabs at oblique incidence, by sheets of current with a phase, and bands of
 * stacks of layers. */
#include "physics/fields_helper.h"
#include "physics/optics.h"

#include "fdtd/simulation/plane_currents.h"
#include "fdtd/monitors/resonances.h"
#include "fdtd/sources/sheet.h"
#include "fdtd/simulation/simulation.h"

#define COURANT 0.5

/* Slabs ------------------------------------------------------------------------------------------- */

#define FREQUENCIES 26
#define INDEX 2.0
#define SLANT 0.35 /* k/(2 pi) along the slab for c = thickness = 1; frequencies are from 0.5 to 0.75 */
#define LAYER 40
#define ACROSS 4 /* cells of a period */

static double frequency_of(int f)
{
	return 0.5 + 0.01 * f;
}

/* Sums of E and H behind the sheet and behind the slab. */
struct sums {
	uint32_t count;
	double complex *e[2], *h[2];
	double power[2][FREQUENCIES], sheet; /* that to either side, at the middle */
};

static void sums_free(struct sums *sums)
{
	for (int side = 0; side < 2; ++side) {
		free(sums->e[side]);
		free(sums->h[side]);
	}
}

/* Across z, with waves that slant along y. E is along x (s), or in the plane of y and z (p). */
static struct fdtd_grid slab_grid(int cells)
{
	struct fdtd_grid grid = {.cells = {1, ACROSS, 2 * LAYER + 3 * cells}, .courant = {0.0, COURANT, COURANT}};

	for (int a = 0; a < 2; ++a)
		grid.walls[a][0] = grid.walls[a][1] = WALL_PERIODIC;
	grid.layers[2][0] = grid.layers[2][1] = absorbing_layer_of(LAYER);
	grid.bloch = true;
	grid.phase[1] = 2.0 * PI * SLANT * ACROSS / cells;
	return grid;
}

static void put_slab(const struct fdtd_grid *grid, int first, int cells, struct media *media)
{
	const struct medium inside = {.permittivity = INDEX * INDEX, .permeability = 1.0},
			    rim = {.permittivity = 0.5 + 0.5 * INDEX * INDEX, .permeability = 1.0};
	uint16_t numbers[2];

	succeed(media_add(media, &inside, &numbers[0]));
	succeed(media_add(media, &rim, &numbers[1]));
	for (int j = 0; j <= ACROSS; ++j)
		for (int k = first; k <= first + cells; ++k)
			for (int a = 0; a < 3; ++a) {
				bool at_rim = a != 2 && (k == first || k == first + cells);
				if (a != 2 || k < first + cells)
					succeed(media_set_number(media->edges[a], media_at(grid, 0, j, k),
								 numbers[at_rim]));
			}
}

static void add_sheet(const struct media *media, int node, bool of_p, enum sheet_kind kind, const struct pulse *pulse,
		      struct simulation *simulation, double *power)
{
	const struct sheet sheet = {
	    .plane = {.axis = 2, .node = node, .low = {0, 0, node}, .high = {1, ACROSS, node}},
	    .kind = kind,
	    .polarization = {of_p ? 0.0 : 1.0, of_p ? 1.0 : 0.0, 0.0},
	    .amplitude = 1.0,
	    .omega = pulse->angular_frequency,
	    .index = 1.0};
	struct plane_source source;

	succeed(sheet_make(&simulation->fields, &sheet, &source));
	*power = source.power * ACROSS / COURANT;
	succeed(plane_source_add(simulation, media, &source, pulse_at, NULL, pulse, 0.0));
	plane_source_free(&source);
}

static struct sums run_slab(int cells, bool slab, bool of_p, enum sheet_kind kind, bool single)
{
	struct fdtd_grid grid = slab_grid(cells);
	struct media media = media_of(&grid, 1);
	struct simulation simulation;
	struct sums sums = {0};
	double omegas[FREQUENCIES];

	for (int f = 0; f < FREQUENCIES; ++f)
		omegas[f] = 2.0 * PI * frequency_of(f) * COURANT / cells;
	struct pulse pulse = pulse_of_band(omegas[0], omegas[FREQUENCIES - 1], 2.8);
	if (slab)
		put_slab(&grid, LAYER + cells, cells, &media);
	succeed(simulation_make(test_device(), &grid, &media, single, &simulation));
	add_sheet(&media, LAYER + cells / 2, of_p, kind, &pulse, &simulation, &sums.sheet);
	for (int side = 0; side < 2; ++side) {
		const struct flux_plane plane = {.axis = 2,
						 .node = LAYER + (side == 0 ? cells / 4 : 5 * cells / 2),
						 .high = {1, ACROSS, 0},
						 .sign = side == 0 ? -1.0 : 1.0};
		succeed(simulation_add_spectrum(&simulation, &plane, 1, omegas, FREQUENCIES, 1));
	}
	succeed(simulation_run(&simulation, (uint64_t)(2.0 * pulse.middle + 80.0 * cells / COURANT), NULL));
	for (int side = 0; side < 2; ++side) {
		const struct spectrum *spectrum = &simulation.spectrum[side];
		sums.count = spectrum->count;
		sums.e[side] = malloc(FREQUENCIES * sums.count * sizeof(double complex));
		sums.h[side] = malloc(FREQUENCIES * sums.count * sizeof(double complex));
		succeed(spectrum_sums(&simulation.fields, spectrum, sums.e[side], sums.h[side]));
		succeed(spectrum_power(&simulation.fields, spectrum, sums.power[side]));
	}
	simulation_release(&simulation);
	media_free(&media);
	return sums;
}

/* Of what the slab adds before it, over that without it behind: E and H of all points have the same weights but their signs, which power has. */
static double reflected(const struct sums *with, const struct sums *without, int f)
{
	double power = 0.0, incident = 0.0;

	for (uint32_t n = 0; n < with->count; ++n) {
		size_t at = (size_t)f * with->count + n;
		power += fabs(creal((with->e[0][at] - without->e[0][at]) * conj(with->h[0][at] - without->h[0][at])));
		incident += fabs(creal(without->e[1][at] * conj(without->h[1][at])));
	}
	return power / incident;
}

struct errors {
	double r, t, sum;
};

static struct errors check_slab(int cells, bool of_p, bool single)
{
	const struct optical_layer layers[3] = {{1.0, 1.0, 0.0}, {INDEX * INDEX, 1.0, 1.0}, {1.0, 1.0, 0.0}};
	struct sums with = run_slab(cells, true, of_p, SHEET_ELECTRIC, single),
		    without = run_slab(cells, false, of_p, SHEET_ELECTRIC, single);
	struct errors worst = {0.0, 0.0, 0.0};

	for (int f = 0; f < FREQUENCIES; ++f) {
		double r = reflected(&with, &without, f), t = with.power[1][f] / without.power[1][f];
		struct stack_response exact =
		    stack_response(layers, 3, 2.0 * PI * frequency_of(f), asin(SLANT / frequency_of(f)),
				   of_p ? POLARIZATION_P : POLARIZATION_S);
		worst.r = fmax(worst.r, fabs(r - exact.reflectance));
		worst.t = fmax(worst.t, fabs(t - exact.transmittance));
		worst.sum = fmax(worst.sum, fabs(r + t - 1.0));
	}
	sums_free(&with);
	sums_free(&without);
	print_message("slab at 28 to 44 degrees, %s, %d cells, %s: R off by %.3g, T by %.3g, R + T by %.1e\n",
		      of_p ? "p" : "s", cells, single ? "float32" : "float64", worst.r, worst.t, worst.sum);
	return worst;
}

static void test_slabs_at_a_slant_follow_airy(void **state)
{
	(void)state;
	for (int of_p = 0; of_p < 2; ++of_p) {
		struct errors coarse = check_slab(20, of_p != 0, false), fine = check_slab(40, of_p != 0, false),
			      single = check_slab(40, of_p != 0, true);
		assert_true(coarse.r < 4.5e-2 && coarse.sum < 1e-5 && fine.sum < 1e-5 && single.sum < 1e-4);
		assert_true(fine.r < 0.28 * coarse.r && fine.t < 0.28 * coarse.t);
		assert_within(single.r, fine.r, 1e-4, "single r");
	}
}

/* Nothing goes back at the middle of the spectrum, and the power is what is said. */
static void test_sheets_send_one_way_with_the_power_said(void **state)
{
	const int middle = FREQUENCIES / 2; /* 0.63, the pulse's is 0.625 */
	(void)state;

	for (int of_p = 0; of_p < 2; ++of_p) {
		struct sums one = run_slab(40, false, of_p != 0, SHEET_FORWARD, false),
			    both = run_slab(40, false, of_p != 0, SHEET_ELECTRIC, false);
		double back = one.power[0][middle] / one.power[1][middle],
		       same = one.power[1][middle] / both.power[1][middle];
		print_message("sheet, %s: %.1e goes back; one way over both ways %.6f\n", of_p ? "p" : "s", back,
			      same);
		assert_within(back, 0.0, 1e-5, "back");
		assert_within(same, 1.0, 2e-2, "same");
		assert_close(both.power[0][middle], both.power[1][middle], 1e-6, "power");
		sums_free(&one);
		sums_free(&both);
	}
}

/* Phases along both axes of the plane, any polarization between s and p: power to both sides at the pulse's middle. */
static void slanting_sheet(int axis, enum sheet_kind kind, double power[2])
{
	const int b = (axis + 1) % 3, c = (axis + 2) % 3;
	const struct pulse wave = {.angular_frequency = 0.2, .width = 60.0, .middle = 330.0};
	struct fdtd_grid grid = {.courant = {COURANT, COURANT, COURANT}, .bloch = true};
	struct sheet sheet = {.plane = {.axis = axis, .node = 75},
			      .kind = kind,
			      .amplitude = 1.0,
			      .omega = wave.angular_frequency,
			      .index = 1.0};
	struct plane_source source;
	struct simulation simulation;

	grid.cells[axis] = 150;
	grid.layers[axis][0] = grid.layers[axis][1] = absorbing_layer_of(LAYER);
	sheet.polarization[b] = 1.0;
	sheet.polarization[c] = -0.4;
	for (int k = 1; k < 3; ++k) {
		int a = (axis + k) % 3;
		grid.cells[a] = 2 + k;
		grid.walls[a][0] = grid.walls[a][1] = WALL_PERIODIC;
		grid.phase[a] = (k == 1 ? 0.2 : -0.15) * grid.cells[a];
		sheet.plane.high[a] = grid.cells[a];
	}
	struct media media = media_of(&grid, 0);
	succeed(simulation_make(test_device(), &grid, &media, false, &simulation));
	succeed(sheet_make(&simulation.fields, &sheet, &source));
	succeed(plane_source_add(&simulation, &media, &source, pulse_at, NULL, &wave, 0.0));
	plane_source_free(&source);
	for (int side = 0; side < 2; ++side) {
		struct flux_plane plane = {.axis = axis, .node = side == 0 ? 55 : 95, .sign = side == 0 ? -1.0 : 1.0};
		plane.high[b] = grid.cells[b];
		plane.high[c] = grid.cells[c];
		succeed(simulation_add_spectrum(&simulation, &plane, 1, &wave.angular_frequency, 1, 1));
	}
	succeed(simulation_run(&simulation, 1500, NULL));
	for (int side = 0; side < 2; ++side)
		succeed(spectrum_power(&simulation.fields, &simulation.spectrum[side], &power[side]));
	simulation_release(&simulation);
	media_free(&media);
}

static void test_sheets_of_two_phases_add_up(void **state)
{
	(void)state;
	for (int axis = 0; axis < 3; ++axis) {
		double ahead[2], behind[2];
		slanting_sheet(axis, SHEET_FORWARD, ahead);
		slanting_sheet(axis, SHEET_BACKWARD, behind);
		print_message("sheet across %c, two phases: %.1e and %.1e go the other way\n", "xyz"[axis],
			      ahead[0] / ahead[1], behind[1] / behind[0]);
		assert_within(ahead[0], 0.0, 1e-5 * ahead[1], "ahead 0");
		assert_within(behind[1], 0.0, 1e-5 * behind[0], "behind 1");
		assert_close(ahead[1], behind[0], 1e-3, "ahead 1");
	}
}

/* Bands --------------------------------------------------------------------------------------------- */

/* Quarter waves of indices 1 and 2, period 1 (c = 1): cos(K) of an angular frequency. P. Yeh, A. Yariv and C.-S. Hong, J. Opt. Soc. Am. 67 (1977)
 * 423, of normal incidence. */
static double cosine_of_stack(double omega)
{
	double a = omega * 2.0 / 3.0, b = omega * INDEX / 3.0;

	return cos(a) * cos(b) - 0.5 * (INDEX + 1.0 / INDEX) * sin(a) * sin(b);
}

/* Frequencies of a phase, in their order, by bisection; where bands touch it at a maximum none is found. */
static int bands_of_stack(double phase, double most, double *frequencies)
{
	const double step = 1e-3;
	int count = 0;

	for (int k = 1; k * step < 2.0 * PI * most; ++k) {
		double a = k * step, b = a + step, at_a = cosine_of_stack(a) - cos(phase);
		if ((at_a > 0.0) == (cosine_of_stack(b) - cos(phase) > 0.0))
			continue;
		for (int n = 0; n < 60; ++n) {
			double middle = 0.5 * (a + b);
			if ((cosine_of_stack(middle) - cos(phase) > 0.0) == (at_a > 0.0))
				a = middle;
			else
				b = middle;
		}
		frequencies[count++] = 0.5 * (a + b) / (2.0 * PI);
	}
	return count;
}

/* The resonances of a stack of `cells` a period, up to a frequency. */
static size_t ring(int cells, double phase, double most, bool single, struct resonance **list)
{
	enum { STEPS = 6000 };
	struct fdtd_grid grid = {.cells = {1, 1, cells}, .courant = {0.0, 0.0, COURANT}, .bloch = true};
	const struct medium inside = {.permittivity = INDEX * INDEX, .permeability = 1.0},
			    rim = {.permittivity = 0.5 + 0.5 * INDEX * INDEX, .permeability = 1.0};
	const struct pulse middle = pulse_of_band(0.0, 2.0 * PI * most * COURANT / cells, 1.0);
	const struct current_signal signal = {pulse_at, &middle, 0.0};
	struct injection_terms terms = {0};
	struct simulation simulation;
	uint16_t numbers[2];
	size_t found;

	for (int a = 0; a < 3; ++a)
		grid.walls[a][0] = grid.walls[a][1] = WALL_PERIODIC;
	grid.phase[2] = phase;
	struct media media = media_of(&grid, 1);
	succeed(media_add(&media, &inside, &numbers[0]));
	succeed(media_add(&media, &rim, &numbers[1]));
	succeed(media_set_number(media.edges[0], media_at(&grid, 0, 0, 0), numbers[1]));
	for (int k = 2 * cells / 3; k < cells; ++k)
		succeed(media_set_number(media.edges[0], media_at(&grid, 0, 0, k), numbers[k == 2 * cells / 3]));
	succeed(simulation_make(test_device(), &grid, &media, single, &simulation));
	succeed(injection_add(&terms, fields_place(&simulation.fields, 0, 0, 0, cells / 5), 0, 1.0));
	succeed(simulation_add_current(&simulation, &media, FIELD_E, &terms, &signal, 1));
	free(terms.terms);
	const uint64_t place = fields_place(&simulation.fields, 0, 0, 0, cells / 7);
	succeed(simulation_add_trace(&simulation, FIELD_E, &place, 1));
	const size_t first = (size_t)(2.0 * middle.middle);
	succeed(simulation_run(&simulation, first + STEPS, NULL));
	double complex *values = malloc(STEPS * sizeof *values);
	assert_non_null(values);
	for (size_t n = 0; n < STEPS; ++n)
		values[n] = simulation.trace[0].values[first + n] + I * simulation.trace[0].imaginary[first + n];
	succeed(resonances_find_complex(values, STEPS, false, COURANT / cells, 0.05, most, list, &found));
	free(values);
	simulation_release(&simulation);
	media_free(&media);
	return found;
}

static double check_bands(int cells, double phase, bool single)
{
	const double most = 1.7;
	double exact[16], worst = 0.0;
	int count = bands_of_stack(phase, most, exact);
	struct resonance *list;
	size_t found = ring(cells, phase, most, single, &list);

	assert_true(count > 2);
	assert_int_equal(found, count);
	for (int n = 0; n < count; ++n)
		worst = fmax(worst, fabs(list[n].frequency - exact[n]) / exact[n]);
	print_message("stack, phase %.2f, %d cells, %s: %d bands, off by %.2e\n", phase, cells,
		      single ? "float32" : "float64", count, worst);
	free(list);
	return worst;
}

static void test_bands_of_stacks_are_those_of_theory(void **state)
{
	static const double phases[] = {PI, 1.0, -2.2};
	(void)state;

	for (size_t n = 0; n < sizeof phases / sizeof *phases; ++n) {
		double coarse = check_bands(60, phases[n], false), fine = check_bands(120, phases[n], false);
		assert_true(coarse < 1e-2 && fine < 0.27 * coarse);
	}
	assert_within(check_bands(60, 1.0, true), check_bands(60, 1.0, false), 1e-5, "check bands");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_slabs_at_a_slant_follow_airy),
	    cmocka_unit_test(test_sheets_send_one_way_with_the_power_said),
	    cmocka_unit_test(test_sheets_of_two_phases_add_up),
	    cmocka_unit_test(test_bands_of_stacks_are_those_of_theory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
