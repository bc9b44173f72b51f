/* The closed forms of optics.h, except those of spheres, compared with published values, results of other programs,
 * limits, identities, and Maxwell's and Yee's equations themselves. */
#include "physics/optics.h"

#include "physics/physics.h"

static const struct optical_medium vacuum = {1.0, 1.0, 0.0};

/* R and T of a slab by Airy, rows of a program's table: eps = 4, thickness 1, c = 1, without and with sigma = 0.5. */
static void test_airys_formula_has_the_published_values(void **state)
{
	static const double rows[5][5] = {
	    {0.4, 0.3372154962091774, 0.6627845037908222, 0.2798418972483236, 0.5394711867987109},
	    {0.5, 0.0, 1.0, 6.526706757463893e-3, 0.7374687811964085},
	    {0.6, 0.3372154962091774, 0.6627845037908222, 0.2769874118453736, 0.5340156555145623},
	    {0.7, 0.1627167622923806, 0.8372832377076193, 0.1317765239455739, 0.6494449645098080},
	    {0.8, 0.1627167622923803, 0.8372832377076195, 0.1306365012941386, 0.6411634839576981},
	};
	(void)state;

	for (int lossy = 0; lossy < 2; ++lossy)
		for (int i = 0; i < 5; ++i)
			for (int p = 0; p < 2; ++p) {
				double k = 2.0 * PI * rows[i][0];
				const struct optical_layer layers[] = {
				    {1.0, 1.0, 0.0}, {4.0 + I * (lossy ? 0.5 : 0.0) / k, 1.0, 1.0}, {1.0, 1.0, 0.0}};
				struct stack_response found =
				    stack_response(layers, 3, k, 0.0, (enum optical_polarization)p);
				const char *name =
				    name_check("slab%s, f = %g", lossy ? " with loss" : "", rows[i][0]);
				check_number(name, found.reflectance - rows[i][1 + 2 * lossy], 0.0, 1e-14);
				check_number(name, found.transmittance - rows[i][2 + 2 * lossy], 0.0, 1e-14);
			}
}

static void test_layers_at_angles_conserve_power_and_have_known_limits(void **state)
{
	/* by solving the conditions at all faces as one linear system, with mpmath, 50 digits: k = 6.1; r, t, R, T */
	static const double solved[2][3][6] = {
	    {{-0.4412013334768029, -0.3515421441142335, 0.1683050108658903, -0.08107895363517674, 0.3182404957501416,
	      0.0523505601077139},
	     {-0.6650625251679555, -0.116102843468756, 0.08485225225086194, -0.115194115369551, 0.4557880326443079,
	      0.03446591291056267},
	     {-0.8217823515312752, 0.09298305052382499, -0.01514340907304805, -0.04463976535686814,
	      0.6839720809729885, 0.01478432946674679}},
	    {{0.4412013334768029, 0.3515421441142335, 0.2524575162988355, -0.1216184304527651, 0.3182404957501416,
	      0.0523505601077139},
	     {0.5614299884874456, 0.147124621112344, 0.1745937407723555, -0.1910933760947847, 0.3368492861104641,
	      0.05013842628873053},
	     {-0.4867273795922312, -0.2193225423779222, -0.05246253010574776, -0.131237797783039, 0.2850059196398354,
	      0.05907046693258194}},
	};
	static const double angles[3] = {0.0, 0.6, 1.4};
	const struct optical_layer layers[] = {
	    {1.0, 1.0, 0.0},  {4.0 + 0.3 * I, 1.0, 0.7}, {2.1, 1.5 + 0.1 * I, 0.4}, {-11.0 + 1.3 * I, 1.0, 0.05},
	    {2.25, 1.0, 0.0},
	};
	const struct optical_layer glass_gap[] = {{2.25, 1.0, 0.0}, {1.0, 1.0, 0.3}, {2.25, 1.0, 0.0}};
	const struct optical_layer glass[] = {{1.0, 1.0, 0.0}, {2.25, 1.0, 0.0}};
	const struct optical_layer silver[] = {{1.0, 1.0, 0.0}, {-16.0 + 0.5 * I, 1.0, 1e5}, {1.0, 1.0, 0.0}};
	(void)state;

	for (int p = 0; p < 2; ++p)
		for (int i = 0; i < 3; ++i) {
			const double *truth = solved[p][i];
			struct stack_response found =
			    stack_response(layers, 5, 6.1, angles[i], (enum optical_polarization)p);
			const char *name = name_check("three layers, %c, angle %g", "sp"[p], angles[i]);
			check_complex_number(name, found.r, truth[0] + I * truth[1], 1e-13);
			check_complex_number(name, found.t, truth[2] + I * truth[3], 1e-13);
			check_number(name, found.reflectance, truth[4], 1e-13);
			check_number(name, found.transmittance, truth[5], 1e-13);
		}
	struct stack_response found = stack_response(glass_gap, 3, 2.0 * PI, 0.25 * PI, POLARIZATION_S);
	check_number("total reflection, frustrated, s", found.transmittance, 0.4119450552375225, 1e-13);
	check_number("total reflection, frustrated, s", found.reflectance + found.transmittance, 1.0, 1e-14);
	found = stack_response(glass_gap, 3, 2.0 * PI, 0.25 * PI, POLARIZATION_P);
	check_number("total reflection, frustrated, p", found.transmittance, 0.6420049491762363, 1e-13);
	found = stack_response(glass, 2, 1.0, 0.0, POLARIZATION_S);
	check_number("glass", found.reflectance, 0.04, 1e-14);
	check_number("Brewster's angle", stack_response(glass, 2, 1.0, atan(1.5), POLARIZATION_P).reflectance, 0.0,
		     1e-30);
	/* Fresnel at 60 degrees, n = 1.5: r_s = (cos i - n cos t)/(cos i + n cos t) with n cos t = sqrt(1.5) */
	double s = (0.5 - sqrt(1.5)) / (0.5 + sqrt(1.5));
	check_number("Fresnel", stack_response(glass, 2, 1.0, PI / 3.0, POLARIZATION_S).reflectance, s * s, 1e-14);
	found = stack_response(silver, 3, 2.0 * PI, 0.0, POLARIZATION_S);
	double complex n = csqrt(-16.0 + 0.5 * I);
	check_complex_number("thick metal", found.r, (1.0 - n) / (1.0 + n), 1e-14);
	check_number("thick metal", found.transmittance, 0.0, 1e-300);

	/* eps = mu: no reflection, and an index below zero (V. G. Veselago) winds the phase back */
	const struct optical_layer backward[] = {
	    {1.0, 1.0, 0.0}, {-1.2 + 0.1 * I, -1.2 + 0.1 * I, 0.4}, {1.0, 1.0, 0.0}};
	found = stack_response(backward, 3, 2.0, 0.0, POLARIZATION_S);
	check_number("left-handed matter", cabs(found.r), 0.0, 1e-15);
	check_complex_number("left-handed matter", found.t, cexp(I * 0.8 * (-1.2 + 0.1 * I)), 1e-14);

	/* ten pairs of quarter waves on glass: R = ((1 - Y)/(1 + Y))^2, Y = n_s (n_H/n_L)^(2 pairs), Born and Wolf 1.6.5 */
	struct optical_layer mirror[22] = {{1.0, 1.0, 0.0}};
	for (int j = 1; j < 21; ++j) {
		double index = j % 2 ? 2.3 : 1.38;
		mirror[j] = (struct optical_layer){index * index, 1.0, 0.25 / index};
	}
	mirror[21] = (struct optical_layer){2.25, 1.0, 0.0};
	double y = 1.5 * pow(2.3 / 1.38, 20.0);
	check_number("Bragg's mirror", stack_response(mirror, 22, 2.0 * PI, 0.0, POLARIZATION_P).transmittance,
		     4.0 * y / ((1.0 + y) * (1.0 + y)), 1e-11);
}

/* Curl of E and H of a current over a mirror or in the open, by differences of sixth order. */
static void curl(const struct optical_medium *medium, double omega, const double complex *moment, double height,
		 const double *at, double complex of_e[3], double complex of_h[3])
{
	static const double weights[3] = {0.75, -0.15, 1.0 / 60.0};
	const double h = 2e-3;
	double complex slope_e[3][3] = {{0}}, slope_h[3][3] = {{0}}; /* [axis][component] */

	for (int axis = 0; axis < 3; ++axis)
		for (int k = -3; k <= 3; ++k) {
			double place[3] = {at[0], at[1], at[2]};
			if (k == 0)
				continue;
			place[axis] += k * h;
			struct optical_field field = height < 0.0
							 ? dipole_field(medium, omega, moment, place)
							 : mirror_field(medium, omega, moment, height, place);
			for (int i = 0; i < 3; ++i) {
				slope_e[axis][i] += (k > 0 ? 1 : -1) * weights[abs(k) - 1] / h * field.e[i];
				slope_h[axis][i] += (k > 0 ? 1 : -1) * weights[abs(k) - 1] / h * field.h[i];
			}
		}
	for (int i = 0; i < 3; ++i) {
		int j = (i + 1) % 3, k = (i + 2) % 3;
		of_e[i] = slope_e[j][k] - slope_e[k][j];
		of_h[i] = slope_h[j][k] - slope_h[k][j];
	}
}

/* Power through a sphere about the origin, or through its upper half. */
static double flux(const struct optical_medium *medium, double omega, const double complex *moment, double height,
		   double radius)
{
	double nodes[60], weights[60], sum = 0.0;

	gauss_legendre(60, height < 0.0 ? -1.0 : 0.0, 1.0, nodes, weights);
	for (int i = 0; i < 60; ++i)
		for (int j = 0; j < 12; ++j) {
			double rim = sqrt(1.0 - nodes[i] * nodes[i]), phi = PI * j / 6.0, s[3];
			const double unit[3] = {rim * cos(phi), rim * sin(phi), nodes[i]};
			const double at[3] = {radius * unit[0], radius * unit[1], radius * unit[2]};
			struct optical_field field = height < 0.0 ? dipole_field(medium, omega, moment, at)
								  : mirror_field(medium, omega, moment, height, at);
			poynting_vector(&field, s);
			sum += weights[i] * PI / 6.0 * radius * radius *
			       (s[0] * unit[0] + s[1] * unit[1] + s[2] * unit[2]);
		}
	return sum;
}

static void test_dipole_solves_maxwells_equations(void **state)
{
	/* |E| on the equator over that at one wavelength: a program's table, 7 digits */
	static const double rows[4][2] = {{0.05, 3.428270 / 0.01750437},
					  {0.25, 0.06176572 / 0.01750437},
					  {0.5, 0.03379665 / 0.01750437},
					  {1.4, 0.01257937 / 0.01750437}};
	const double complex moment[3] = {0.3 + 0.1 * I, -0.7, 1.1 - 0.4 * I}, along_z[3] = {0.0, 0.0, 1.0};
	const struct optical_medium lossy = {2.5, 1.4, 0.6}, clear = {2.5, 1.4, 0.0};
	const double omega = 2.3;
	(void)state;

	for (int i = 0; i < 4; ++i) {
		const double at[3] = {0.0, rows[i][0], 0.0}, far[3] = {1.0, 0.0, 0.0};
		struct optical_field near = dipole_field(&vacuum, 2.0 * PI, along_z, at);
		check_number(name_check("dipole, %g wavelengths", rows[i][0]),
			     cabs(near.e[2]) / cabs(dipole_field(&vacuum, 2.0 * PI, along_z, far).e[2]), rows[i][1],
			     5e-7);
	}
	for (int k = 0; k < 3; ++k) {
		const double at[3] = {0.4 - 0.3 * k, 0.5 + k, -0.2 + 0.6 * k};
		double height = k == 2 ? 0.7 : -1.0, worst = 0.0, scale = 0.0;
		double complex curl_e[3], curl_h[3];
		struct optical_field field = k == 2 ? mirror_field(&lossy, omega, moment, height, at)
						    : dipole_field(&lossy, omega, moment, at);
		curl(&lossy, omega, moment, height, at, curl_e, curl_h);
		for (int i = 0; i < 3; ++i) {
			worst = fmax(worst, cabs(curl_e[i] - I * omega * lossy.permeability * field.h[i]));
			worst = fmax(worst, cabs(curl_h[i] +
						 (I * omega * lossy.permittivity - lossy.conductivity) * field.e[i]));
			scale = fmax(scale, fmax(cabs(curl_e[i]), cabs(curl_h[i])));
		}
		check_number(name_check("Maxwell's equations of a dipole in a lossy medium, %d", k), worst / scale,
			     0.0, 1e-10);
	}
	/* the current itself: H -> moment x r/(4 pi r^3), Biot and Savart */
	const double close[3] = {1e-5, 0.0, 0.0};
	check_complex_number("Biot and Savart", dipole_field(&lossy, omega, along_z, close).h[1], 1e10 / (4.0 * PI),
			     1e-8);
	check_number("power, c = 1", dipole_power(&vacuum, 3.0, along_z), 9.0 / (12.0 * PI), 1e-15);
	double power = dipole_power(&clear, omega, moment);
	for (int k = 0; k < 3; ++k)
		check_number("power through a sphere", flux(&clear, omega, moment, -1.0, k == 0 ? 0.02 : 3.0 * k),
			     power, 1e-11);
	/* 1 A over 3 mm at 1 GHz in SI: P = Z0 k^2 (I l)^2/(12 pi) */
	const struct optical_medium air = {8.8541878128e-12, 1.25663706212e-6, 0.0};
	const double complex si[3] = {0.0, 3e-3, 0.0};
	double k0 = 2.0 * PI * 1e9 / 299792458.0;
	check_number("power in SI", dipole_power(&air, 2.0 * PI * 1e9, si),
		     376.730313668 * k0 * k0 * 9e-6 / (12.0 * PI), 1e-9);
	const double sideways[3] = {0.6, 0.0, 0.8};
	check_number("pattern", dipole_pattern(&vacuum, 3.0, along_z, sideways), 0.36 * 9.0 / (32.0 * PI * PI),
		     1e-14);
	const double far[3] = {6e4, 0.0, 8e4};
	double s[3];
	struct optical_field field = dipole_field(&clear, omega, moment, far);
	poynting_vector(&field, s);
	check_number("pattern and far field", 1e10 * (0.6 * s[0] + 0.8 * s[2]),
		     dipole_pattern(&clear, omega, moment, sideways), 1e-8);

	double complex e, h;
	line_field(&clear, omega, 0.8 + 0.3 * I, 0.37, &e, &h);
	check_number("line: power", -0.5 * creal(e * conj(h)) * 2.0 * PI * 0.37,
		     line_power(&clear, omega, 0.8 + 0.3 * I), 1e-13);
	line_field(&clear, omega, 1.0, 1e-6, &e, &h);
	check_complex_number("line: Ampere", h, 1e6 / (2.0 * PI), 1e-9);
}

static void test_dipole_over_a_mirror_has_known_limits(void **state)
{
	const struct optical_medium medium = {2.25, 1.0, 0.0};
	const double omega = 2.0 * PI / 1.5, k = 2.0 * PI;
	const double complex across[3] = {0.8, 0.6 * I, 0.0}, upright[3] = {0.0, 0.0, 1.0},
			     tilted[3] = {0.4, -0.2 * I, 0.9};
	(void)state;

	for (int i = 0; i < 5; ++i) {
		const double height = (const double[]){0.0, 0.02, 0.1, 0.4, 1.3}[i];
		double nodes[40], weights[40], normal = 0.0, parallel = 0.0;
		gauss_legendre(40, 0.0, 1.0, nodes, weights);
		for (int n = 0; n < 40; ++n)
			for (int j = 0; j < 8; ++j) {
				double rim = sqrt(1.0 - nodes[n] * nodes[n]), phi = 0.25 * PI * j;
				const double unit[3] = {rim * cos(phi), rim * sin(phi), nodes[n]};
				double share = 0.25 * PI * weights[n];
				normal += share * mirror_pattern(&medium, omega, upright, height, unit);
				parallel += share * mirror_pattern(&medium, omega, across, height, unit);
			}
		normal /= dipole_power(&medium, omega, upright);
		parallel /= dipole_power(&medium, omega, across);
		check_number(name_check("mirror: dipole upright at %g", height), normal,
			     mirror_power_normal(k, height), 1e-13);
		check_number(name_check("mirror: dipole along it at %g", height),
			     parallel - mirror_power_parallel(k, height), 0.0, 1e-13);
		if (height == 0.4)
			check_number("mirror: power through a half sphere", flux(&medium, omega, tilted, height, 2.0),
				     0.81 * mirror_power_normal(k, height) * dipole_power(&medium, omega, upright) +
					 0.2 * mirror_power_parallel(k, height) *
					     dipole_power(&medium, omega, across),
				     1e-11);
	}
	check_number("mirror: upright on it", mirror_power_normal(k, 0.0), 2.0, 1e-15);
	check_number("mirror: series meets formula", mirror_power_normal(1.0, 0.1 - 1e-12),
		     mirror_power_normal(1.0, 0.1 + 1e-12), 1e-11);
	/* C. A. Balanis, Antenna Theory, section 4.7: the directivity of an upright dipole is largest, 6.566, at kh = 2.881 */
	const double level[3] = {1.0, 0.0, 0.0};
	check_number("mirror: Balanis's directivity",
		     4.0 * PI * mirror_pattern(&medium, omega, upright, 2.881 / k, level) /
			 (mirror_power_normal(k, 2.881 / k) * dipole_power(&medium, omega, upright)),
		     6.566, 1e-4);
	for (int i = 0; i < 4; ++i) {
		const double at[3] = {0.3 * i - 0.5, 0.2, 0.0};
		struct optical_field field = mirror_field(&medium, omega, tilted, 0.4, at);
		check_number("mirror: tangential E", cabs(field.e[0]) + cabs(field.e[1]), 0.0, 1e-15);
		check_number("mirror: normal H", cabs(field.h[2]), 0.0, 1e-15);
	}
}

/* A box of 1 x 0.8 x 0.6 with 20 cells a unit, c = 1, S = 0.5, from a program's table. */
static void test_cavities_have_the_published_modes(void **state)
{
	static const struct {
		int mode[3];
		double exact, discrete;
	} rows[] = {
	    {{1, 1, 0}, 0.8003905296791061, 0.7998118396745449}, {{0, 1, 1}, 1.041666666666667, 1.040319657705159},
	    {{1, 1, 1}, 1.155452051988504, 1.154553887386353},   {{2, 1, 1}, 1.443976954263621, 1.442409910553360},
	    {{1, 2, 0}, 1.346291201783626, 1.341138220902476},   {{3, 0, 1}, 1.715938356831167, 1.707807304011599},
	};
	const double edges[3] = {1.0, 0.8, 0.6};
	const int cells[3] = {20, 16, 12};
	const struct yee_lattice grid = {{0.05, 0.05, 0.05}, 0.025};
	(void)state;

	for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
		const char *name = name_check("cavity %d %d %d", rows[i].mode[0], rows[i].mode[1], rows[i].mode[2]);
		check_number(name, cavity_frequency(rows[i].mode, edges, 1.0) / (2.0 * PI), rows[i].exact, 1e-14);
		check_number(name, cavity_frequency_yee(rows[i].mode, cells, &grid, 1.0) / (2.0 * PI),
			     rows[i].discrete, 1e-14);
	}
	/* at the limit of stability the finest wave changes sign with every step, beyond it there is no such frequency */
	const int finest[3] = {20, 16, 12};
	struct yee_lattice limit = grid;
	limit.time_step = (1.0 - 1e-12) * longest_time_step(grid.spacing, 3, 1.0);
	check_number("cavity: finest wave", cavity_frequency_yee(finest, cells, &limit, 1.0) * limit.time_step, PI,
		     1e-5);
	limit.time_step *= 1.001;
	assert_true(isnan(cavity_frequency_yee(finest, cells, &limit, 1.0)));
}

/* By Yee's updates of a plane wave in a medium with conductivity: how far E at the next step is from the wave's. */
static double update_residual(const struct optical_medium *medium, double omega, const struct yee_lattice *grid,
			      const double *direction)
{
	double complex k = plane_wavenumber_yee(medium, omega, grid, direction), wave[3], e[3], h[3], curl_e[3],
		       curl_h[3];
	double step = grid->time_step, loss = 0.5 * medium->conductivity * step / medium->permittivity, worst = 0.0;
	double complex half = cexp(-0.5 * I * omega * step);

	for (int i = 0; i < 3; ++i) /* a difference over one cell, at its middle */
		wave[i] = (cexp(0.5 * I * k * direction[i] * grid->spacing[i]) -
			   cexp(-0.5 * I * k * direction[i] * grid->spacing[i])) /
			  grid->spacing[i];
	const double complex seed[3] = {0.3, -0.5, 0.8};
	double complex longitudinal = 0.0, squared = 0.0;
	for (int i = 0; i < 3; ++i) {
		longitudinal += wave[i] * seed[i];
		squared += wave[i] * wave[i];
	}
	for (int i = 0; i < 3; ++i)
		e[i] = seed[i] - longitudinal / squared * wave[i];
	for (int i = 0; i < 3; ++i) {
		int a = (i + 1) % 3, b = (i + 2) % 3;
		curl_e[i] = wave[a] * e[b] - wave[b] * e[a];
	}
	for (int i = 0; i < 3; ++i) /* (H at half a step later) - (H at half a step before) = -(dt/mu) curl E */
		h[i] = -step / medium->permeability * curl_e[i] / (half - 1.0 / half);
	for (int i = 0; i < 3; ++i) {
		int a = (i + 1) % 3, b = (i + 2) % 3;
		curl_h[i] = (wave[a] * h[b] - wave[b] * h[a]) * half;
		double complex next =
		    (1.0 - loss) / (1.0 + loss) * e[i] + step / medium->permittivity / (1.0 + loss) * curl_h[i];
		worst = fmax(worst, cabs(next - half * half * e[i]));
	}
	return worst;
}

static void test_waves_on_the_grid_solve_yees_equations(void **state)
{
	const struct yee_lattice cubes = {{1.0, 1.0, 1.0}, 0.5}, bricks = {{1.0, 1.3, 0.7}, 0.45};
	const double axis[3] = {0.0, 0.0, 1.0}, diagonal[3] = {sqrt(1.0 / 3.0), sqrt(1.0 / 3.0), sqrt(1.0 / 3.0)};
	const double plane[3] = {sqrt(0.5), sqrt(0.5), 0.0}, oblique[3] = {0.48, -0.6, 0.64};
	const struct optical_medium lossy = {3.0, 1.2, 0.2}, metal = {1.0, 1.0, 5.0};
	const double omega = 2.0 * PI / 20.0;
	(void)state;

	/* 20 cells per wavelength, S = 0.5: in closed form along an axis and along both diagonals */
	double root = 2.0 * sin(0.25 * omega);
	check_complex_number("grid: axis", plane_wavenumber_yee(&vacuum, omega, &cubes, axis), 2.0 * asin(root),
			     1e-14);
	check_complex_number("grid: diagonal of a face", plane_wavenumber_yee(&vacuum, omega, &cubes, plane),
			     2.0 * sqrt(2.0) * asin(root / sqrt(2.0)), 1e-14);
	check_complex_number("grid: diagonal", plane_wavenumber_yee(&vacuum, omega, &cubes, diagonal),
			     2.0 * sqrt(3.0) * asin(root / sqrt(3.0)), 1e-14);
	/* the magic steps, at which the scheme is exact: S = 1 along one axis, 1/sqrt(2) and 1/sqrt(3) along diagonals */
	const struct yee_lattice magic[3] = {
	    {{1.0, 1.0, 1.0}, 1.0}, {{1.0, 1.0, 1.0}, sqrt(0.5)}, {{1.0, 1.0, 1.0}, sqrt(1.0 / 3.0)}};
	for (int i = 0; i < 3; ++i) {
		const double *ways[3] = {axis, plane, diagonal};
		check_complex_number("grid: magic step", plane_wavenumber_yee(&vacuum, 1.3, &magic[i], ways[i]), 1.3,
				     1e-14);
		check_number("grid: and that is the longest", longest_time_step(magic[i].spacing, i + 1, 1.0),
			     magic[i].time_step, 1e-14);
	}
	/* second order: (k dx)^2/24 (sum n_i^4 - S^2) of the wavenumber */
	double error = creal(plane_wavenumber_yee(&vacuum, 0.01, &cubes, oblique)) / 0.01 - 1.0;
	double fourth = pow(0.48, 4.0) + pow(0.6, 4.0) + pow(0.64, 4.0);
	check_number("grid: second order", error, 1e-4 / 24.0 * (fourth - 0.25), 1e-4);
	check_number("grid: Yee's updates, vacuum", update_residual(&vacuum, 0.7, &bricks, oblique), 0.0, 1e-14);
	check_number("grid: Yee's updates, lossy", update_residual(&lossy, 0.4, &bricks, oblique), 0.0, 1e-14);
	check_number("grid: Yee's updates, metal", update_residual(&metal, 0.3, &bricks, oblique), 0.0, 1e-14);
	assert_true(cimag(plane_wavenumber_yee(&lossy, 0.4, &bricks, oblique)) > 0.0);
	struct yee_lattice fine = {{1e-4, 1e-4, 1e-4}, 5e-5};
	check_complex_number("grid: fine", plane_wavenumber_yee(&lossy, 0.4, &fine, oblique),
			     plane_wavenumber(&lossy, 0.4), 1e-8);
	assert_true(isnan(creal(plane_wavenumber_yee(&vacuum, 2.5, &cubes, axis))));
}

static void test_guides_have_known_modes(void **state)
{
	/* a = 20 cells of 1, c = 1, S = 0.5; a guide is two plane waves that go to and fro */
	const struct yee_lattice grid = {{1.0, 1.0, 1.0}, 0.5};
	double cutoff = PI / 20.0, across = 2.0 * sin(0.5 * cutoff), omega = 1.4 * cutoff;
	(void)state;

	/* WR-90, 22.86 mm wide, at 10 GHz: cutoff 6.557 GHz, guided wavelength 39.71 mm, beta 158.2 rad/m */
	double complex beta = guide_wavenumber(1, 22.86e-3, 2.0 * PI * 10e9, 299792458.0);
	check_complex_number("guide: WR-90", beta, 158.23, 1e-4);
	check_complex_number("guide: below cutoff", guide_wavenumber(1, 20.0, 0.5 * cutoff, 1.0),
			     I * cutoff * sqrt(0.75), 1e-14);
	for (int i = 0; i < 2; ++i) {
		double complex found = guide_wavenumber_yee(1, 20, &grid, omega, 1.0);
		double complex sum = across * across + 4.0 * csin(0.5 * found) * csin(0.5 * found);
		check_complex_number("guide: equation of the grid", sum, 16.0 * sin(0.25 * omega) * sin(0.25 * omega),
				     1e-14);
		check_complex_number("guide: close to the exact one", found, guide_wavenumber(1, 20.0, omega, 1.0),
				     1e-2);
		assert_true(i == 0 ? cimag(found) == 0.0 && creal(found) > 0.0
				   : creal(found) == 0.0 && cimag(found) > 0.0);
		omega = 0.6 * cutoff;
	}
	/* at an angle whose transverse wavenumber is pi/20 the plane wave of the grid is the guide's */
	omega = 1.4 * cutoff;
	double complex along = guide_wavenumber_yee(1, 20, &grid, omega, 1.0);
	double k = hypot(cutoff, creal(along));
	const double direction[3] = {cutoff / k, 0.0, creal(along) / k};
	check_complex_number("guide: plane waves", plane_wavenumber_yee(&vacuum, omega, &grid, direction), k, 1e-14);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_airys_formula_has_the_published_values),
	    cmocka_unit_test(test_layers_at_angles_conserve_power_and_have_known_limits),
	    cmocka_unit_test(test_dipole_solves_maxwells_equations),
	    cmocka_unit_test(test_dipole_over_a_mirror_has_known_limits),
	    cmocka_unit_test(test_cavities_have_the_published_modes),
	    cmocka_unit_test(test_waves_on_the_grid_solve_yees_equations),
	    cmocka_unit_test(test_guides_have_known_modes),
	};

	return cmocka_run_group_tests_name("optics_oracles", tests, NULL, NULL);
}
