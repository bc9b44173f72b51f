/* Materials: formulas, names and densities. */
#include "unit/support.h"

#include <math.h>
#include <stdio.h>

#include "matter/elements/element.h"
#include "matter/elements/label.h"
#include "matter/materials/material.h"
#include "unit/table_file.h"

static struct material read_material(const char *text)
{
	struct material material;

	if (material_parse(text, &material) != SONDE_OK)
		fail_msg("'%s': %s", text, sonde_status_message());
	return material;
}

/* Share of the atoms; 0 if there are none. */
static double share(const struct material *material, const char *symbol)
{
	for (int i = 0; i < material->count; ++i)
		if (material->atomic_number[i] == element_number(symbol))
			return material->fraction[i];
	return 0.0;
}

static double mass_share(const struct material *material, const char *symbol)
{
	double mean = 0.0;

	for (int i = 0; i < material->count; ++i)
		mean += material->fraction[i] * material->mass[i];
	return share(material, symbol) * element_of(element_number(symbol)).mass / mean;
}

/* `expected`: "Al2 O3", amounts of atoms in the order of the elements. */
static void assert_atoms(const char *text, const char *expected)
{
	struct material material = read_material(text);
	double amount[MATERIAL_MOST_ELEMENTS], all = 0.0;
	char symbol[MATERIAL_MOST_ELEMENTS][4];
	int count = 0, length;

	for (const char *c = expected; sscanf(c, " %3[A-Za-z]%lf%n", symbol[count], &amount[count], &length) == 2;
	     c += length)
		all += amount[count++];
	if (material.count != count)
		fail_msg("'%s': %d elements, not %s", text, material.count, expected);
	for (int i = 0; i < count; ++i) {
		assert_int_equal(element_number(symbol[i]), material.atomic_number[i]);
		assert_within(material.fraction[i], amount[i] / all, 1e-14, "fraction");
		assert_true(material.mass[i] == element_of(material.atomic_number[i]).mass);
	}
}

static void formulas_are_read(void **unused)
{
	(void)unused;
	assert_atoms("Si", "Si1");
	assert_atoms("SiO2", "Si1 O2");
	assert_atoms("Al2O3", "Al2 O3");
	assert_atoms("O3Al2", "O3 Al2");
	assert_atoms("C100", "C1");
	assert_atoms("Ga0.5In0.5As@5.5", "Ga1 In1 As2");
	assert_atoms("In.53Ga.47As@5.5", "In53 Ga47 As100");
	assert_atoms("Si2.O1.0@2", "Si2 O1");
	assert_atoms("Ca(OH)2@2.2", "Ca1 O2 H2");
	assert_atoms("Ca5(PO4)3(OH)@3.1", "Ca5 P3 O13 H1");
	assert_atoms("((CH2)2(CHCl)0.5)10C@1", "C26 H45 Cl5");
	assert_atoms("Fe2(SO4(H2O)3.5)2@2", "Fe2 S2 O15 H14");
	assert_atoms("(Si)@2", "Si1");
	assert_atoms("CH3CH2OH@0.789", "C2 H6 O1");
	assert_atoms("HHHe@0.1", "H2 He1");
	assert_atoms("CO@1", "C1 O1");
	assert_atoms("Co@9", "Co1");
	assert_atoms("C1000000O0.000001@1", "C1000000 O0.000001");
	assert_atoms("HHeLiBeBCNO@1", "H1 He1 Li1 Be1 B1 C1 N1 O1");
	assert_atoms("SiNaN@1", "Si1 Na1 N1");
	assert_atoms("((((((((((((((((((((((((((((((U))))))))))))))))))))))))))))))", "U1");
}

/* g/cm^3 * 602.2 / (amu an atom), by hand. */
static void number_of_atoms_follows_from_the_density(void **unused)
{
	struct material material;

	(void)unused;
	assert_within(read_material("Si").atoms, 49.77, 0.005, "read material Si atoms");
	assert_within(read_material("SiO2@2.2").atoms, 66.15, 0.01, "read material SiO2 atoms");
	assert_within(read_material("H2O").atoms, 100.3, 0.1, "read material H2O atoms");
	assert_within(read_material("Al2O3@3.97").atoms, 117.2, 0.1, "read material Al2O3 atoms");
	assert_within(read_material("GaAs").atoms, 44.28, 0.05, "read material GaAs atoms");
	assert_within(read_material("Cu@8.96").atoms, 84.9, 0.1, "read material Cu atoms");
	assert_within(read_material("diamond").atoms, 176.2, 0.1, "read material diamond atoms");
	assert_within(read_material("a-Si").atoms, 49.0, 0.05, "read material a Si atoms");
	/* two atoms a molecule of an ideal gas: 101325 Pa / (k 293.15 K) = 0.025035 a nm^3 */
	assert_within(read_material("N2").atoms, 2 * 0.025035, 4e-5, "read material N2 atoms");
	assert_within(read_material("argon").atoms, 0.025035, 5e-5, "read material argon atoms");
	assert_within(read_material("CH4").atoms, 5 * 0.025035, 5e-4, "read material CH4 atoms");
	material = read_material("C@1.5");
	assert_true(material.density == 1.5);
	assert_within(material.atoms, 1.5 / 12.011 * 602.214076, 1e-12, "atoms");
	assert_string_equal(material.name, "C");
}

static void densities_are_those_of_the_tables(void **unused)
{
	static const struct {
		const char *text;
		double density;
	} known[] = {{"C", 2.253},          {"C60", 2.253},         {"Si", 2.3212},    {"Si@2.33", 2.33},
		     {"SiO2", 2.20},        {"O2Si", 2.20},         {"Si0.5O", 2.20},  {"SiO2@2.65", 2.65},
		     {"quartz", 2.65},      {"Quartz@2.6", 2.6},    {"TiO2", 4.23},    {"anatase", 3.90},
		     {"graphite", 2.26},    {"H2O", 1.0},           {"ice", 0.917},    {"N", 1.1652e-3},
		     {"N2", 1.1652e-3},     {"Ar@gas", 1.66201e-3}, {"H2@1e-4", 1e-4}, {"Xe", 5.48536e-3},
		     {"XENON", 5.48536e-3}, {"Si@1e-9", 1e-9},      {"Os@30", 30.0},   {"Si@+2.5e+0", 2.5}};

	(void)unused;
	for (size_t k = 0; k < COUNT(known); ++k)
		if (read_material(known[k].text).density != known[k].density)
			fail_msg("%s: %g g/cm^3", known[k].text, read_material(known[k].text).density);
	for (int z = 1; z <= TABULATED_ELEMENTS; ++z)
		if (read_material(element_symbol(z)).state != MATERIAL_GAS)
			assert_true(read_material(element_symbol(z)).density == element_of(z).density);
}

/* At 293.15 K and 101325 Pa: p/(k T) molecules, within 1.4 % (the second virial coefficient of chlorine). */
static void gases_have_the_density_of_ideal_ones(void **unused)
{
	static const struct {
		const char *symbol;
		int atoms; /* in a molecule */
	} gases[] = {{"H", 2},  {"N", 2},  {"O", 2},  {"F", 2},  {"Cl", 2}, {"He", 1},
		     {"Ne", 1}, {"Ar", 1}, {"Kr", 1}, {"Xe", 1}, {"Rn", 1}};
	int count = 0;

	(void)unused;
	for (size_t k = 0; k < COUNT(gases); ++k) {
		struct material gas = read_material(gases[k].symbol);
		assert_int_equal(MATERIAL_GAS, gas.state);
		assert_within(gas.atoms, 0.0250348 * gases[k].atoms, 0.014 * 0.0250348 * gases[k].atoms, "atoms");
	}
	for (int z = 1; z <= TABULATED_ELEMENTS; ++z)
		count += read_material(element_symbol(z)).state == MATERIAL_GAS;
	assert_int_equal(COUNT(gases), count);
	/* deuterium is as thin as hydrogen, but twice as heavy */
	assert_within(read_material("D2").atoms, read_material("H2").atoms, 3e-5, "read material D2 atoms");
	assert_within(read_material("D2").density / read_material("H2").density, 1.998, 2e-3,
		      "read material D2 density H2");
	assert_within(read_material("T2").atoms, read_material("H2").atoms, 1e-12, "read material T2 atoms");
	assert_within(read_material("HD").atoms, read_material("H2").atoms, 1e-12, "read material HD atoms");
	assert_true(read_material("D").density == read_material("D2").density);
}

static void states_select_the_density(void **unused)
{
	static const struct {
		const char *text;
		double density;
		enum material_state state;
	} known[] = {{"Ar@liquid", 1.3954, MATERIAL_LIQUID},
		     {"argon@liquid", 1.3954, MATERIAL_LIQUID},
		     {"Ar@Gas", 1.66201e-3, MATERIAL_GAS},
		     {"N2@liquid", 0.80608, MATERIAL_LIQUID},
		     {"D2@liquid", 0.16251, MATERIAL_LIQUID},
		     {"H@liquid", 0.07085, MATERIAL_LIQUID},
		     {"H2O@solid", 0.917, MATERIAL_SOLID},
		     {"Si@solid", 2.3212, MATERIAL_SOLID},
		     {"Hg@liquid", 13.5462, MATERIAL_LIQUID},
		     {"C2H4@gas", 1.17497e-3, MATERIAL_GAS},
		     {"C2H4@solid", 0.94, MATERIAL_SOLID},
		     {"air@gas", 1.20479e-3, MATERIAL_GAS},
		     {"Ar@1.784e-3", 1.784e-3, MATERIAL_STATE_UNKNOWN}};
	static const char *const unknown[] = {"Si@gas", "water@gas", "Br@gas", "CO@liquid", "Xe@solid", "Si@liquid",
					      "O3@liquid", "Ar@plasma", "vacuum@gas", "Ar@",
					      /* no molecules: 33 g/cm^3 and 40 g/cm^3 */
					      "U3333H@gas", "C80000H@gas"};
	struct material material;
	char note[MATERIAL_NOTE_SIZE];

	(void)unused;
	for (size_t k = 0; k < COUNT(known); ++k) {
		material = read_material(known[k].text);
		if (material.density != known[k].density || material.state != known[k].state)
			fail_msg("%s: %g g/cm^3, state %d", known[k].text, material.density, (int)material.state);
		assert_false(material_gas_note(&material, note));
	}
	for (size_t k = 0; k < COUNT(unknown); ++k)
		if (material_parse(unknown[k], &material) == SONDE_OK)
			fail_msg("%s: %g g/cm^3", unknown[k], material.density);
	/* a gas that the table does not have: an ideal one, 24.055 l a mole */
	material = read_material("CO@gas");
	assert_within(material.density, 28.010 / 24055.0, 1e-6, "density");
	assert_int_equal(MATERIAL_DENSITY_IDEAL_GAS, material.density_from);
	assert_within(1.0 + read_material("Ar@gas*1.1").correction, 1.1, 1e-15, "read material Ar gas correction");
	/* other molecules of elements that are gases, too */
	static const char *const ozone[] = {"O3", "O3@gas"};
	for (int k = 0; k < 2; ++k) {
		material = read_material(ozone[k]);
		assert_within(material.density, 3 * 15.999 / 24055.0, 1e-6, "density");
		assert_int_equal(MATERIAL_DENSITY_IDEAL_GAS, material.density_from);
		assert_int_equal(MATERIAL_GAS, material.state);
	}
	/* a note names states only whose densities are known */
	static const char *const gases_alone[] = {"SF6", "CO2", "O3", "Rn"};
	for (size_t k = 0; k < COUNT(gases_alone); ++k) {
		material = read_material(gases_alone[k]);
		assert_true(material_gas_note(&material, note));
		assert_null(strstr(note, "@liquid"));
		assert_null(strstr(note, "@solid"));
		assert_non_null(strstr(note, "@ with a density in g/cm^3 selects another state"));
	}
	/* a material whose state is not named gets a note, one whose state is named does not */
	material = read_material("Ar");
	assert_true(material_gas_note(&material, note) && strstr(note, "Ar@liquid") != NULL);
	material = read_material("D2");
	assert_true(material_gas_note(&material, note));
	material = read_material("argon");
	assert_false(material_gas_note(&material, note));
	material = read_material("Si");
	assert_false(material_gas_note(&material, note));
}

/* Isotopes by mass number or mass; what has no density has the natural number of atoms. */
static void isotopes_keep_the_number_of_atoms(void **unused)
{
	struct material material;

	(void)unused;
	material = read_material("B[10]4C@2.4");
	assert_true(material.count == 2 && material.atomic_number[0] == 5);
	assert_within(material.mass[0], 10.01294, 1e-4, "mass 0");
	assert_within(material.fraction[0], 0.8, 1e-15, "fraction 0");
	assert_within(material.atoms, 2.4 / (0.8 * 10.01294 + 0.2 * 12.011) * 602.214076, 0.01, "atoms");
	material = read_material("D2O");
	assert_within(material.mass[0], 2.01410, 1e-4, "mass 0");
	assert_within(material.density, 1.0 * (2 * 2.0141 + 15.9994) / (2 * 1.008 + 15.9994), 1e-3, "density");
	assert_within(material.atoms, read_material("H2O").atoms, 1e-9, "atoms");
	material = read_material("U[235.5]O2@10.9");
	assert_true(material.mass[0] == 235.5);
	material = read_material("Li[6]0.9Li[7]0.1D@0.8");
	assert_true(material.count == 3 && material.atomic_number[1] == 3 && material.atomic_number[2] == 1);
	material = read_material("C[12.0]");
	assert_true(material.mass[0] == 12.0);
	assert_within(material.atoms, read_material("C").atoms, 1e-9, "atoms");
	material = read_material("T@0.3");
	assert_within(material.mass[0], 3.01605, 1e-4, "mass 0");
}

/* Factors of the electronic stopping. */
static void factors_correct_the_stopping(void **unused)
{
	(void)unused;
	assert_within(read_material("SiO2*0.95").correction, -0.05, 1e-15, "read material SiO2 correction");
	assert_within(read_material("water@0.99*1.1").correction, 0.1, 1e-15, "read material water correction");
	assert_true(read_material("water@0.99*1.1").density == 0.99 && read_material("Si").correction == 0.0);
	assert_string_equal(read_material("SiO2@2.1*0.95").name, "SiO2");
}

static void names_are_found_in_any_spelling(void **unused)
{
	struct material material;

	(void)unused;
	assert_atoms("water", "H2 O1");
	assert_atoms("WATER", "H2 O1");
	assert_atoms("Kapton", "C22 H10 N2 O5");
	assert_atoms("polyimide", "C22 H10 N2 O5");
	assert_atoms("teflon", "C2 F4");
	assert_atoms("pvc", "C2 H3 Cl1");
	assert_atoms("sio2", "Si1 O2");
	assert_atoms("cr-39", "C12 H18 O7");
	assert_true(read_material("soft tissue").count == 4 && read_material("Soft_Tissue").count == 4);
	assert_string_equal(read_material("Water@0.998").name, "Water");
	/* the name to the letter, then the formula, then the name */
	assert_atoms("PVC", "C2 H3 Cl1");
	assert_atoms("PVC@1", "C2 H3 Cl1");
	assert_atoms("PB@10", "P1 B1");
	assert_atoms("CO2", "C1 O2");
	assert_atoms("Co2", "Co1");
	/* shares of the mass */
	material = read_material("air");
	assert_within(mass_share(&material, "O"), 0.231781, 1e-6, "mass share");
	assert_within(share(&material, "Ar") * 2, 0.0094, 1e-4, "share material Ar"); /* 0.93 % of the molecules */
	material = read_material("Ti-6Al-4V");
	assert_within(mass_share(&material, "Al"), 0.06, 1e-12, "mass share");
	assert_within(share(&material, "Al"), 0.102, 1e-3, "share");
	material = read_material("muscle");
	assert_within(share(&material, "H"), 0.635, 0.005, "share");
}

static void vacuum_has_no_atoms(void **unused)
{
	struct material material = read_material("vacuum");

	(void)unused;
	assert_true(material.count == 0 && material.density == 0.0 && material.atoms == 0.0);
	assert_string_equal(material.name, "vacuum");
	assert_int_equal(read_material("Vacuum").count, 0);
	assert_invalid("vacuum has no density: leave out '@1'", material_parse("vacuum@1", &material));
}

/* Reads a name of a row; what it says does not depend on how it is written. */
static void check_name(const char *name, const struct table_row *row)
{
	struct material material = read_material(name), by_name = read_material(row->field[0]);
	double density = strtod(row->field[2], NULL), all = 0.0;

	assert_true(strlen(name) < 40 && strpbrk(name, "@_ ") == NULL);
	assert_true(density > 0.0 && material.density == density && material.count > 0);
	assert_true((density < 0.01) == (strcmp(row->field[3], "gas") == 0));
	/* atoms are no nearer to each other than in diamond */
	assert_true(material.atoms > 0.02 && material.atoms < 177.0);
	assert_true(material.count == by_name.count);
	for (int i = 0; i < material.count; ++i) {
		all += material.fraction[i];
		assert_true(material.fraction[i] > 0.0 && material.fraction[i] == by_name.fraction[i]);
	}
	assert_within(all, 1.0, 1e-14, "all");
}

static int rows;

static void check_row(const struct table_row *row)
{
	char others[256], *rest = others, *name;
	int count = 1;

	assert_true(strlen(row->line) < 380);
	assert_true(strcmp(row->field[3], "solid") == 0 || strcmp(row->field[3], "liquid") == 0 ||
		    strcmp(row->field[3], "gas") == 0);
	assert_string_equal(material_name(rows), row->field[0]);
	check_name(row->field[0], row);
	snprintf(others, sizeof others, "%s", row->field[4]);
	for (; (name = strsep(&rest, ";")) != NULL && name[0] != '\0'; ++count)
		check_name(name, row);
	assert_true(count <= 8);
	/* shares of the mass are whole, but for those left out */
	double all = 0.0;
	for (const char *c = row->field[1]; (c = strchr(c, ':')) != NULL; ++c)
		all += strtod(c + 1, NULL);
	assert_true(all == 0.0 || (all > 0.994 && all < 1.00001));
	++rows;
}

static void all_rows_of_the_table_are_found(void **unused)
{
	(void)unused;
	int visited = table_visit("materials.csv", check_row);
	assert_true(visited == rows && rows > 100);
	assert_null(material_name(rows));
	assert_null(material_name(-1));
}

static void assert_wrong(const char *text, const char *words)
{
	struct material material;

	memset(&material, 1, sizeof material);
	if (material_parse(text, &material) != SONDE_INVALID)
		fail_msg("'%s' is accepted", text);
	assert_message(words);
	assert_true(material.count == 0 && material.density == 0.0 && material.name[0] == '\0');
}

static void invalid_formulas_are_refused(void **unused)
{
	(void)unused;
	assert_wrong("", "no material is given");
	assert_wrong("@2.2", "no material is given");
	assert_wrong("Xx2O3", "unknown element 'Xx' in 'Xx2O3', did you mean '");
	assert_wrong("SiO2Zq@2", "unknown element 'Zq' in 'SiO2Zq', did you mean 'Z");
	assert_wrong("si", "did you mean 'Si'?");
	assert_wrong("AU", "did you mean 'Au'?");
	assert_wrong("fe2o4", "unknown element 'fe' in 'fe2o4', did you mean 'Fe'?");
	assert_wrong("LaAGdO3", "unknown element 'A' in 'LaAGdO3'");
	assert_wrong("PuO2@11", "'Pu' in 'PuO2': the tables of elements end at uranium");
	assert_wrong("Si0O2", "the number 0 in 'Si0O2' is not between 1e-6 and 1e6");
	assert_wrong("Si-2", "the number -2 in 'Si-2'");
	assert_wrong("Si1000001", "the number 1000001 in");
	assert_wrong("Si0.0000009", "is not between 1e-6 and 1e6");
	assert_wrong("(SiO2)0@2", "the number 0 in");
	assert_wrong("Si1.2.3", "'1.2.3' in 'Si1.2.3' is not a number");
	assert_wrong("Si.", "'.' in 'Si.' is not a number");
	assert_wrong("Na+", "'+' in 'Na+' is not a number");
	assert_wrong("2Si", "a number without an element before it in '2Si'");
	assert_wrong("(2Si)@2", "a number without an element");
	assert_wrong("Ca(OH2", "a '(' without its ')' in 'Ca(OH2'");
	assert_wrong("CaOH)2", "a ')' without its '(' in 'CaOH)2'");
	assert_wrong("Ca()2", "nothing between the parentheses '()' in 'Ca()2'");
	assert_wrong("((((((((((((((((((((((((((((((((((((((((((((((((((((Si", "parentheses are nested too deeply");
	assert_wrong("Si O2", "' ' in 'Si O2' is not allowed in a formula");
	assert_wrong("Si1e2", "unknown element 'e' in");
	assert_wrong("SiO-2", "the number -2 in");
	assert_wrong("Si[O]2", "'[O]' in 'Si[O]2' is not a mass: B[10] is an isotope, B[10.2] amu");
	assert_wrong("[10]B4C@2.5", "'[' in '[10]B4C' is not allowed in a formula");
	assert_wrong("B[10", "'[10' in 'B[10' is not a mass");
	assert_wrong("B[10.2", "is not a mass");
	assert_wrong("B[]", "'[]' in 'B[]' is not a mass");
	assert_wrong("B[nan]", "'[nan]' in");
	assert_wrong("B[3.0]4C@2.5", "B in 'B[3.0]4C' has no mass of 3.0 amu");
	assert_wrong("B[-10]", "has no mass of -10 amu");
	assert_wrong("Si0.3O0.6@2", "the fractions in 'Si0.3O0.6' add up to 0.9 instead of 1");
	assert_wrong("Si0.5", "the fractions in 'Si0.5' add up to 0.5");
	assert_wrong("(SiO2)0.5(TiO2)0.3@3", "add up to 0.8");
	assert_wrong("B[14]4C@2.5", "no mass is known of 14B; the table has 10B, 11B");
	assert_wrong("SiO2*x", "'x' is not a factor of the stopping: give it as SiO2*0.95");
	assert_wrong("SiO2*", "'' is not a factor of the stopping");
	assert_wrong("SiO2@2.2*0.01", "the factor 0.01 of the stopping of 'SiO2' is not between 0.1 and 10");
	assert_wrong("SiO2*0.9@2.2", "'0.9@2.2' is not a factor");
	assert_wrong("vacuum*0.9", "vacuum has no stopping: leave out '*0.9'");
	assert_wrong("Si\nO", "'?' in 'Si?O' is not allowed");
	assert_wrong("Si\xe2\x82\x82", "letters with accents");
	assert_wrong("HHeLiBeBCNOF@1", "'HHeLiBeBCNOF' has more than 8 elements");
}

static void unknown_and_invalid_densities_are_refused(void **unused)
{
	(void)unused;
	assert_wrong("GaAlO3", "no density is known for 'GaAlO3': give it as GaAlO3@2.2, in g/cm^3");
	/* the formula of styrene as of its polymer, of ethylene, of vinyl chloride */
	assert_wrong("C8H8", "no density is known");
	assert_wrong("CH2", "no density is known");
	assert_wrong("C2H3Cl", "no density is known");
	assert_wrong("SIC", "give it as SIC@2.2, in g/cm^3, or did you mean 'SiC'?");
	assert_wrong("SKIN", "did you mean 'skin'?");
	assert_wrong("Ti6Al4V", "did you mean 'Ti-6Al-4V'?");
	assert_wrong("SiO2@", "'' is not a density: give it as SiO2@2.2, in g/cm^3");
	assert_wrong("SiO2@heavy", "'heavy' is not a density");
	assert_wrong("SiO2@nan", "'nan' is not a density");
	assert_wrong("SiO2@inf", "'inf' is not a density");
	assert_wrong("SiO2@2.2g", "'2.2g' is not a density");
	assert_wrong("SiO2@2.2@3", "'2.2@3' is not a density");
	assert_wrong("SiO2@0", "the density 0 of 'SiO2' is not between 1e-9 and 30 g/cm^3");
	assert_wrong("SiO2@-2.2", "the density -2.2 of");
	assert_wrong("SiO2@30.001", "is not between 1e-9 and 30 g/cm^3");
	assert_wrong("SiO2@9.9e-10", "is not between 1e-9 and 30 g/cm^3");
}

static void misspelled_names_get_hints(void **unused)
{
	char longest[2000];

	(void)unused;
	assert_wrong("kaptn", "unknown material 'kaptn', did you mean 'kapton'?");
	assert_wrong("cr39", "unknown material 'cr39', did you mean 'CR-39'?");
	assert_wrong("softtissue", "did you mean 'soft-tissue'?");
	assert_wrong("watr", "did you mean 'water'?");
	assert_wrong("vacum", "did you mean 'vacuum'?");
	assert_wrong("polystirene", "did you mean 'polystyrene'?");
	assert_wrong("unobtainium",
		     "unknown material 'unobtainium': neither a formula, as SiO2, nor a name, as water");
	memset(longest, 'C', sizeof longest);
	longest[sizeof longest - 1] = '\0';
	assert_wrong(longest, "the material 'CCCCCCCCCCCCCCCCCCCC...' has more than 63 letters");
	longest[64] = '\0';
	assert_wrong(longest, "has more than 63 letters");
	longest[63] = '\0';
	assert_int_equal(read_material(longest).count, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(formulas_are_read),
					   cmocka_unit_test(number_of_atoms_follows_from_the_density),
					   cmocka_unit_test(densities_are_those_of_the_tables),
					   cmocka_unit_test(gases_have_the_density_of_ideal_ones),
					   cmocka_unit_test(states_select_the_density),
					   cmocka_unit_test(isotopes_keep_the_number_of_atoms),
					   cmocka_unit_test(factors_correct_the_stopping),
					   cmocka_unit_test(names_are_found_in_any_spelling),
					   cmocka_unit_test(vacuum_has_no_atoms),
					   cmocka_unit_test(all_rows_of_the_table_are_found),
					   cmocka_unit_test(invalid_formulas_are_refused),
					   cmocka_unit_test(unknown_and_invalid_densities_are_refused),
					   cmocka_unit_test(misspelled_names_get_hints)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
