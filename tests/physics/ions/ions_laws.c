/* sonde ions compared with laws: Rutherford's, Bohr's, the integral of the stopping, Norgett, Robinson and Torrens',
 * symmetries; and sputtering compared with another code. */
#include "physics/transport.h"

#include "stopping/scattering.h"
#include "stopping/stopping.h"

#define E2 1.43996454784255 /* eV nm */

static struct stopping *open_stopping(struct material *material, const char *name)
{
	struct stopping *stopping;

	assert_int_equal(material_parse(name, material), SONDE_OK);
	assert_int_equal(stopping_open(STOPPING_SRIM13, STRAGGLING_NONE, &stopping), SONDE_OK);
	return stopping;
}

/* Energy behind a thickness in nm, by Runge and Kutta's method. */
static double energy_behind(const struct stopping *stopping, int z, double mass, const struct material *material,
			    double energy, double thickness)
{
	const int steps = 500;
	double h = thickness / steps;

	for (int n = 0; n < steps; ++n) {
		double slopes[4], at = energy;
		for (int k = 0; k < 4; ++k) {
			slopes[k] = -stopping_electronic(stopping, z, mass, material, at) -
				    stopping_nuclear(SCREENING_ZBL, z, mass, material, at);
			at = energy + (k < 2 ? 0.5 : 1.0) * h * slopes[k];
		}
		energy += h / 6.0 * (slopes[0] + 2.0 * slopes[1] + 2.0 * slopes[2] + slopes[3]);
	}
	return energy;
}

struct moments {
	double count, mean, variance, mean_error, variance_error;
};

/* Of the energies of ions that were transmitted. */
static struct moments transmitted_energies(const sonde_ions_result *result)
{
	struct moments m = {0};
	double fourth = 0.0;

	assert_int_equal(result->exits_left_out, 0);
	for (int64_t k = 0; k < result->exit_count; ++k)
		if (result->exits[k].kind == 0 && result->exits[k].fate == SONDE_IONS_TRANSMITTED) {
			m.count += 1.0;
			m.mean += result->exits[k].energy;
		}
	m.mean /= m.count;
	for (int64_t k = 0; k < result->exit_count; ++k)
		if (result->exits[k].kind == 0 && result->exits[k].fate == SONDE_IONS_TRANSMITTED) {
			double d = result->exits[k].energy - m.mean;
			m.variance += d * d / m.count;
			fourth += d * d * d * d / m.count;
		}
	m.mean_error = sqrt(m.variance / m.count);
	m.variance_error = sqrt(fmax(fourth - m.variance * m.variance, 0.0) / m.count);
	return m;
}

/* 100 keV protons through 50 nm of carbon: the mean loss is the integral of the stopping, and what straggling adds to the variance
 * 4 pi Z1^2 Z2 e^4 N dx (Bohr). */
static void test_foil_takes_the_integral_of_the_stopping(void **state)
{
	static const char *const flights[] = {"srim", "monolayer", "exponential"};
	struct material carbon;
	struct stopping *stopping = open_stopping(&carbon, CARBON);
	double behind = energy_behind(stopping, 1, 1.00782503, &carbon, 1e5, 50.0);
	double bohr = 4.0 * PI * 6.0 * E2 * E2 * carbon.atoms * 50.0;
	(void)state;

	for (int flight = 0; flight < 3; ++flight) {
		char what[64];
		sonde_ions_options options = ion_options("H", "100keV", CARBON ":50nm", ions_for_device(20000));
		options.flight = flight;
		options.bins = 1;
		sonde_ions_result *result = follow(&options);
		struct moments steady = transmitted_energies(result);
		assert_true(steady.count > 0.998 * (double)result->ions);
		sonde_ions_result_free(&result);
		snprintf(what, sizeof what, "%s: mean loss", flights[flight]);
		check_estimate(what, (sonde_estimate){1e5 - steady.mean, steady.mean_error}, 1e5 - behind, 0.0,
			       0.005);
		options.straggling = SONDE_IONS_STRAGGLING_BOHR;
		result = follow(&options);
		struct moments with = transmitted_energies(result);
		sonde_ions_result_free(&result);
		snprintf(what, sizeof what, "%s: mean loss with straggling", flights[flight]);
		check_estimate(what, (sonde_estimate){1e5 - with.mean, with.mean_error}, 1e5 - behind, 0.0, 0.005);
		snprintf(what, sizeof what, "%s: variance", flights[flight]);
		/* of Gauss's: hard collisions, which are rare and the same in both, do not belong to it */
		check_estimate(what, (sonde_estimate){with.variance - steady.variance, bohr * sqrt(2.0 / with.count)},
			       bohr, 0.0, 0.05);
	}
	stopping_free(&stopping);
}

/* The impact parameter in nm of protons of an energy in eV that gold turns by an angle in the laboratory: by quadrature. */
static double impact_for(double energy, double angle)
{
	const double mass = 196.97, ion = 1.00782503;
	double length = screening_length(SCREENING_ZBL, 1, 79),
	       reduced = length * mass / (79.0 * E2 * (ion + mass)) * energy, low = 1e-6, high = 10.0;

	for (int n = 0; n < 60; ++n) {
		double middle = sqrt(low * high);
		double theta = PI - 2.0 * scattering_beta(screening_of(SCREENING_ZBL), reduced, middle, 400);
		if (atan2(sin(theta), cos(theta) + ion / mass) > angle)
			low = middle;
		else
			high = middle;
	}
	return low * length;
}

/* Protons that 1 nm of gold turns by more than 20 degrees: N dx pi p^2, for bare charges with p = b/2 cot(theta/2) (Rutherford),
 * b = Z1 Z2 e^2/E. Screening takes more than a sixth of that. */
static void test_large_angles_follow_rutherford(void **state)
{
	struct material gold;
	const double threshold = 20.0 * PI / 180.0, half_b = 0.5 * 79.0 * E2 / 1e5 * (1.00782503 + 196.97) / 196.97;
	const double impacts[2] = {half_b / tan(0.5 * threshold), impact_for(1e5, threshold)};
	(void)state;

	assert_int_equal(material_parse("Au", &gold), SONDE_OK);
	assert_true(impacts[1] < 0.95 * impacts[0]);
	for (int screened = 0; screened < 2; ++screened) {
		sonde_ions_options options = ion_options("H", "100keV", "Au:1nm", ions_for_device(300000));
		options.screening = screened ? SONDE_IONS_SCREENING_ZBL : SONDE_IONS_SCREENING_NONE;
		options.exits = options.number;
		options.bins = 1;
		options.flight = screened ? EXPONENTIAL : MONOLAYER;
		sonde_ions_result *result = follow(&options);
		double turned = 0.0,
		       expected = (double)result->ions * gold.atoms * PI * impacts[screened] * impacts[screened];
		for (int64_t k = 0; k < result->exit_count; ++k)
			turned += result->exits[k].kind == 0 && result->exits[k].direction[0] < cos(threshold);
		sonde_ions_result_free(&result);
		/* the combined effect of two collisions adds some percent */
		check_estimate(screened ? "ZBL, turned by more than 20 degrees"
					: "bare, turned by more than 20 degrees",
			       (sonde_estimate){turned, sqrt(turned)}, expected, 0.0, 0.05);
	}
}

static void check_near(double expected, double found, double within)
{
	if (!(fabs(found - expected) <= within))
		fail_msg("%.12g instead of %.12g", found, expected);
}

/* Leaving atoms by kind and side agree with a list of all of them: numbers, energies, angles. */
static void check_leaving(const sonde_ions_result *result, const sonde_ions_leaving *leaving)
{
	double number = 0.0, energy = 0.0, cosine = 0.0,
	       *energies = calloc((size_t)result->spectrum_count, sizeof *energies),
	       *cosines = calloc((size_t)result->cosine_count, sizeof *cosines), ions = (double)result->ions;

	assert_true(energies != NULL && cosines != NULL);
	for (int64_t k = 0; k < result->exit_count; ++k) {
		const sonde_ions_exit *exit = &result->exits[k];
		if (exit->kind != leaving->kind || exit->fate != leaving->fate)
			continue;
		int64_t bin = 0;
		while (bin + 1 < result->spectrum_count && exit->energy >= result->spectrum_edges[bin + 1])
			++bin;
		++energies[bin];
		++cosines[(int)(fabs(exit->direction[0]) * result->cosine_count)];
		energy += exit->energy;
		cosine += fabs(exit->direction[0]);
		++number;
	}
	assert_true(leaving->count == (int64_t)number);
	check_near(number / ions, leaving->number.value, 1e-12);
	check_near(energy / ions, leaving->energy.value, 1e-6 * energy / ions + 1e-12);
	if (number > 0.0)
		check_near(energy / number, leaving->mean_energy.value, 1e-6 * energy / number);
	if (number > 0.0)
		check_near(cosine / number, leaving->mean_cosine.value, 1e-7);
	/* float32 logarithms may put an energy at an edge into the adjacent bin */
	double moved = 0.0, all = 0.0;
	for (int64_t b = 0; b < result->spectrum_count; ++b) {
		moved += fabs(energies[b] - ions * leaving->energies[b]);
		all += ions * leaving->energies[b];
	}
	check_near(number, all, 1e-6);
	assert_true(moved <= 1e-3 * number);
	for (int c = 0; c < result->cosine_count; ++c)
		check_near(cosines[c], ions * leaving->cosines[c], 1e-6);
	free(energies);
	free(cosines);
}

static void test_leaving_atoms_add_up_to_what_leaves(void **state)
{
	(void)state;

	for (int n = 0; n < 2; ++n) {
		sonde_ions_options options =
		    ion_options("Ar", "2keV", n == 0 ? "W:2nm/Si:2nm" : "vacuum:5nm/Si:3nm", 3000);
		options.surface = SONDE_IONS_SURFACE_PLANAR;
		options.flight = MONOLAYER;
		options.exits = options.number;
		if (n == 1)
			strcpy(options.bodies, "Au:sphere:20@25,0,0");
		sonde_ions_result *result = follow(&options);
		double energy = 0.0, sputtered = 0.0;
		assert_true(result->exits_left_out == 0 && result->leaving_count == 2 * result->kind_count);
		for (int k = 0; k < result->leaving_count; ++k) {
			const sonde_ions_leaving *one = &result->leaving[k];
			check_leaving(result, one);
			energy += one->energy.value;
			sputtered += one->kind > 0 && one->fate == SONDE_IONS_BACKSCATTERED ? one->number.value : 0.0;
		}
		check_near(result->energy_left, energy, 1e-6 * energy);
		check_near(result->sputtered.value, sputtered, 1e-9);
		check_near((double)result->backscattered / (double)result->ions, result->reflection.value, 1e-12);
		check_near((double)result->transmitted / (double)result->ions, result->transmission.value, 1e-12);
		check_near(result->leaving[0].energy.value / result->energy_in, result->energy_reflection.value,
			   1e-12);
		assert_true(result->leaving[2].count > 0 && result->leaving[3].count > 0);
		/* binomial, within the scatter of an error from 64 groups */
		double part = result->reflection.value;
		check_near(sqrt(part * (1.0 - part) / (double)result->ions), result->reflection.error,
			   0.4 * result->reflection.error);
		sonde_ions_result_free(&result);
	}
}

/* Displacements of an atom of that energy: Nucl. Eng. Des. 33 (1975) 50. */
static double displacements_of(double energy, int z, double mass, double threshold, double *damage)
{
	double reduced = 0.01014 * pow(z, -7.0 / 3.0) * energy;
	double g = 3.4008 * pow(reduced, 1.0 / 6.0) + 0.40244 * pow(reduced, 0.75) + reduced;

	*damage = energy / (1.0 + 0.1337 * pow(z, 2.0 / 3.0) / sqrt(mass) * g);
	return *damage < threshold ? 0.0 : *damage < 2.5 * threshold ? 1.0 : 0.8 * *damage / (2.0 * threshold);
}

/* Where one atom only was set going in a cell its energy is known, and so is its damage. */
static void test_one_recoil_has_the_damage_of_its_energy(void **state)
{
	int found[3] = {0};
	(void)state;

	for (int n = 0; n < 4; ++n) {
		double threshold = n % 2 == 0 ? 15.0 : 150.0;
		sonde_ions_options options = ion_options("Ar", "100keV", "Si:20nm", n % 2 == 0 ? 100 : 600);
		strcpy(options.displacement, n % 2 == 0 ? "Si=15" : "Si=150");
		options.cascades = n < 2 ? SONDE_IONS_CASCADES_QUICK : SONDE_IONS_CASCADES_FULL;
		options.arc_b = -0.56;
		options.arc_c = 0.12;
		options.bins = 10;
		options.cells = (sonde_vector){1.0, 24.0, 24.0};
		options.width = (sonde_vector){0.0, 4e4, 4e4};
		options.spot = 1e4;
		sonde_ions_result *result = follow(&options);
		const double *primaries = tally_of(result, "primary recoils", "Si")->values,
			     *energies = tally_of(result, "energy to recoils", "Si")->values,
			     *damages = tally_of(result, "damage energy", "")->values,
			     *nrt = tally_of(result, "displacements (NRT)", "")->values,
			     *arc = tally_of(result, "displacements (arc-dpa)", "")->values,
			     ions = (double)result->ions;
		for (int64_t c = 0; c < 10 * 24 * 24; ++c) {
			double damage;
			if (fabs(primaries[c] * ions - 1.0) > 1e-9)
				continue;
			double expected =
			    displacements_of(ions * energies[c], 14, result->kinds[1].mass, threshold, &damage);
			double ratio = 0.4 * damage / threshold;
			double corrected = ratio <= 1.0 ? expected : ratio * (0.88 * pow(ratio, -0.56) + 0.12);
			++found[expected == 0.0 ? 0 : expected == 1.0 ? 1 : 2];
			assert_close(ions * damages[c], damage, 1e-5, "damage");
			assert_close(ions * nrt[c], expected, 1e-5, "ions nrt");
			assert_close(ions * arc[c], corrected, 1e-5, "corrected");
		}
		/* the number that a quick run calls vacancies; and recoils stand in spectra as in tallies */
		if (options.cascades == SONDE_IONS_CASCADES_QUICK)
			assert_true(result->vacancies.value == total_of(result, "displacements (NRT)"));
		double sum = 0.0, least = 0.0, most = 0.0;
		for (int64_t b = 0; b < result->spectrum_count; ++b) {
			sum += result->spectra[b];
			least += result->spectra[b] * result->spectrum_edges[b];
			most += result->spectra[b] * result->spectrum_edges[b + 1];
		}
		assert_close(sum, total_of(result, "primary recoils"), 1e-12, "sum");
		assert_true(least < total_of(result, "energy to recoils") &&
			    most > total_of(result, "energy to recoils"));
		sonde_ions_result_free(&result);
	}
	print_message("%d, %d, %d single recoils of no, one and more displacements\n", found[0], found[1], found[2]);
	assert_true(found[0] > 10 && found[1] > 100 && found[2] > 100);
}

static double share_of(int64_t part, const sonde_ions_result *result)
{
	return (double)part / (double)result->ions;
}

/* Ions do not prefer a side; oblique ones go to the side that they came for, less deep, and more of them come back. */
static void test_ions_do_not_prefer_a_side(void **state)
{
	sonde_ions_options options = ion_options("B", "30keV", SILICON, ions_for_device(8000));
	sonde_ions_result *results[2];
	(void)state;

	options.cells = (sonde_vector){1.0, 2.0, 2.0};
	options.width = (sonde_vector){0.0, 1e5, 1e5};
	options.depth = 3000.0;
	options.bins = 1;
	options.cascades = SONDE_IONS_CASCADES_QUICK;
	for (int oblique = 0; oblique < 2; ++oblique) {
		options.angle = oblique ? 60.0 : 0.0;
		results[oblique] = follow(&options);
		const double *n = tally_of(results[oblique], "implanted ions", "")->values;
		double ions = (double)results[oblique]->ions, left = (n[0] + n[2]) * ions,
		       right = (n[1] + n[3]) * ions, below = (n[0] + n[1]) * ions, above = (n[2] + n[3]) * ions;
		print_message("%g degrees: %g and %g ions at negative and positive y, %g and %g of z\n",
			      options.angle, left, right, below, above);
		assert_within(above, below, 3.0 * sqrt(above + below), "above");
		if (oblique)
			assert_true(right > 5.0 * left);
		else
			assert_within(right, left, 3.0 * sqrt(right + left), "right");
	}
	print_message("range %.5g and %.5g Angstrom, %.3g and %.3g come back\n", results[0]->range.value,
		      results[1]->range.value, share_of(results[0]->backscattered, results[0]),
		      share_of(results[1]->backscattered, results[1]));
	/* those that lose their direction late have gone half as deep; more than that, since others came back */
	assert_true(results[1]->range.value > 0.5 * results[0]->range.value &&
		    results[1]->range.value < 0.75 * results[0]->range.value);
	assert_true(results[1]->backscattered > 3 * results[0]->backscattered);
	/* with no straggling the path is that of the energy, whatever the direction; fewer of the long ones came back */
	assert_close(results[1]->path.value, results[0]->path.value, 0.1, "value");
	sonde_ions_result_free(&results[0]);
	sonde_ions_result_free(&results[1]);
}

/* Argon of 1 keV on tungsten with a threshold energy of displacement and a binding energy at the surface, in eV. */
static sonde_ions_result *sputter(int screening, int electronic, const char *displacement, const char *binding)
{
	sonde_ions_options options = ion_options("Ar", "1keV", "W", ions_for_device(16000));

	snprintf(options.displacement, sizeof options.displacement, "W=%s", displacement);
	strcpy(options.lattice, "W=0");
	snprintf(options.surface_binding, sizeof options.surface_binding, "W=%s", binding);
	options.screening = screening;
	options.stopping = SONDE_IONS_STOPPING_LINDHARD;
	options.electronic = electronic;
	options.flight = MONOLAYER;
	options.surface = SONDE_IONS_SURFACE_PLANAR;
	options.bins = 10;
	return follow(&options);
}

/* Another code, RustBCA, finds 1.04 atoms per ion by the krypton-carbon potential and 1.33 by the universal one, and
 * that 0.34 of the ions come back. Its treatment of electronic losses is not known, and matters: 0.7 atoms with all
 * of them along the path, 1.5 without any. Here the usual ones of such codes: half and half, and local. */
static void test_sputtering_agrees_with_another_program(void **state)
{
	sonde_ions_result *half =
	    sputter(SONDE_IONS_SCREENING_KR_C, SONDE_IONS_ELECTRONIC_EQUIPARTITION, "3", "8.68");
	sonde_ions_result *local = sputter(SONDE_IONS_SCREENING_ZBL, SONDE_IONS_ELECTRONIC_LOCAL, "3", "8.68");
	(void)state;

	print_message("krypton-carbon: %.4f come back; ZBL: %.4f\n", share_of(half->backscattered, half),
		      share_of(local->backscattered, local));
	check_estimate("krypton-carbon: sputtered", half->sputtered, 1.04, 0.0, 0.12);
	check_estimate("ZBL: sputtered", local->sputtered, 1.33, 0.0, 0.12);
	assert_true(share_of(half->backscattered, half) > 0.30 && share_of(half->backscattered, half) < 0.36);
	assert_true(share_of(local->backscattered, local) > 0.31 && share_of(local->backscattered, local) < 0.36);
	/* atoms displaced for good are counted apart from atoms that leave the target */
	sonde_ions_result *bound = sputter(SONDE_IONS_SCREENING_ZBL, SONDE_IONS_ELECTRONIC_LOCAL, "90", "8.68");
	check_estimate("ZBL: sputtered, displacement energy 90 eV instead of 3", bound->sputtered,
		       local->sputtered.value, local->sputtered.error, 0.06);
	assert_true(bound->vacancies.value < 0.05 * local->vacancies.value && bound->energy_missing == 0.0);
	sonde_ions_result_free(&bound);
	sonde_ions_result_free(&half);
	sonde_ions_result_free(&local);
}

/* Vacuum in front of a target changes nothing: its surface is as rough behind it, for all flights. */
static void test_vacuum_in_front_changes_nothing(void **state)
{
	static const int flights[] = {MONOLAYER, SONDE_IONS_FLIGHT_SRIM, SONDE_IONS_FLIGHT_EXPONENTIAL};
	(void)state;

	for (size_t k = 0; k < sizeof flights / sizeof *flights; ++k) {
		sonde_ions_result *results[2];
		for (int gap = 0; gap < 2; ++gap) {
			sonde_ions_options options =
			    ion_options("Ar", "1keV", gap == 0 ? "W" : "vacuum:5nm/W", ions_for_device(8000));
			options.flight = flights[k];
			options.surface = SONDE_IONS_SURFACE_PLANAR;
			results[gap] = follow(&options);
		}
		double back[2] = {share_of(results[0]->backscattered, results[0]),
				  share_of(results[1]->backscattered, results[1])};
		print_message("flights %d: %.4f and %.4f come back\n", flights[k], back[0], back[1]);
		check_estimate("sputtered behind vacuum", results[1]->sputtered, results[0]->sputtered.value,
			       results[0]->sputtered.error, 0.0);
		assert_within(back[1], back[0],
			      4.0 * sqrt(2.0 * back[0] * (1.0 - back[0]) / (double)results[0]->ions), "back 1");
		sonde_ions_result_free(&results[0]);
		sonde_ions_result_free(&results[1]);
	}
}

/* No atom is lost: through open surfaces, every atom that left its site is at rest in a cell or has left the target. Some
 * become too slow just at the surface; grazing incidence brings many there. */
static void test_atoms_at_rest_are_in_the_target(void **state)
{
	static const char *const targets[] = {"Au", "Au:15nm", "Au:2nm/W:13nm"};
	(void)state;

	for (int n = 0; n < 3; ++n) {
		sonde_ions_options options = ion_options("Ar", "5keV", targets[n], ions_for_device(1000));
		options.angle = 70.0;
		options.straggling = SONDE_IONS_STRAGGLING_BOHR; /* its last part is lost at the surface */
		sonde_ions_result *result = follow(&options);
		const double ions = (double)result->ions,
			     implanted = ions * tally_of(result, "implanted ions", "")->inside.value;
		double at_rest = 0.0, gone = 0.0;
		for (int k = 0; k < result->tally_count; ++k)
			if (strcmp(result->tallies[k].name, "interstitials") == 0)
				at_rest += ions * result->tallies[k].inside.value;
		for (int k = 0; k < result->leaving_count; ++k)
			gone += result->leaving[k].kind > 0 ? (double)result->leaving[k].count : 0.0;
		print_message("%s: %.0f vacancies, %.0f interstitials, %.0f left\n", targets[n],
			      ions * result->vacancies.value, at_rest, gone);
		assert_within(at_rest + gone, ions * result->vacancies.value, 1e-3, "atoms off their sites");
		assert_within(implanted, (double)result->implanted, 1e-3, "implanted");
		sonde_ions_result_free(&result);
	}
}

/* Linear cascades: half of the binding U lets about twice as many atoms out. They have a spectrum E/(E + U)^3: a quarter of
 * them have less than U, somewhat more where the cascades have 1 keV at most; and leave as the cosine: <cos> = 2/3 (Thompson,
 * Phil. Mag. 18 (1968) 377; Sigmund, Phys. Rev. 184 (1969) 383). */
static void test_sputtered_atoms_have_thompsons_spectrum(void **state)
{
	sonde_ions_result *whole = sputter(SONDE_IONS_SCREENING_KR_C, SONDE_IONS_ELECTRONIC_LOCAL, "3", "8.68");
	sonde_ions_result *half = sputter(SONDE_IONS_SCREENING_KR_C, SONDE_IONS_ELECTRONIC_LOCAL, "3", "4.34");
	double atoms = 0.0, slow = 0.0, cosine = 0.0;
	(void)state;

	for (int64_t k = 0; k < whole->exit_count; ++k) {
		if (whole->exits[k].kind == 0)
			continue;
		atoms += 1.0;
		slow += whole->exits[k].energy < 8.68;
		cosine -= whole->exits[k].direction[0];
	}
	assert_within(atoms, whole->sputtered.value * (double)whole->ions, 0.5, "atoms");
	print_message("half of the binding: %.4g instead of %.4g atoms; %.4g of them below it; <cos> %.4g\n",
		      half->sputtered.value, whole->sputtered.value, slow / atoms, cosine / atoms);
	assert_true(half->sputtered.value > 1.7 * whole->sputtered.value &&
		    half->sputtered.value < 2.4 * whole->sputtered.value);
	assert_true(slow > 0.25 * atoms && slow < 0.40 * atoms);
	assert_true(cosine > 0.60 * atoms && cosine < 0.73 * atoms);
	sonde_ions_result_free(&whole);
	sonde_ions_result_free(&half);
}

/* Collisions are as dense right behind the surface as deeper: in foils thinner than a flight there are as many as these are thick. */
static void test_collisions_are_as_dense_behind_the_surface(void **state)
{
	static const char *const flights[] = {"srim", "monolayer", "exponential"}, *const foils[] = {"C:0.1nm",
												     "C:0.025nm",
												     "C:0.05nm"};
	static const double parts[] = {1.0, 0.25, 0.5};
	(void)state;

	for (int flight = 0; flight < 3; ++flight) {
		double all = 0.0;
		for (int n = 0; n < 3; ++n) {
			sonde_ions_options options = ion_options("N", "20keV", foils[n], ions_for_device(100000));
			options.flight = flight;
			options.cascades = SONDE_IONS_CASCADES_QUICK;
			options.bins = 1;
			sonde_ions_result *result = follow(&options);
			double found = result->collisions[0], ions = (double)result->ions;
			all = n == 0 ? found : all;
			print_message("%s, %s: %.4g collisions, of %.4g in 0.1 nm\n", flights[flight], foils[n],
				      found, all);
			assert_within(found, parts[n] * all, 0.04 * parts[n] * all + 3.0 * sqrt(found / ions),
				      "found");
			sonde_ions_result_free(&result);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_foil_takes_the_integral_of_the_stopping),
					   cmocka_unit_test(test_leaving_atoms_add_up_to_what_leaves),
					   cmocka_unit_test(test_collisions_are_as_dense_behind_the_surface),
					   cmocka_unit_test(test_large_angles_follow_rutherford),
					   cmocka_unit_test(test_one_recoil_has_the_damage_of_its_energy),
					   cmocka_unit_test(test_ions_do_not_prefer_a_side),
					   cmocka_unit_test(test_sputtering_agrees_with_another_program),
					   cmocka_unit_test(test_vacuum_in_front_changes_nothing),
					   cmocka_unit_test(test_atoms_at_rest_are_in_the_target),
					   cmocka_unit_test(test_sputtered_atoms_have_thompsons_spectrum)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
