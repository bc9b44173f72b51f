/* Materials, by formula and by name, and masses of isotopes. */
#include "fuzz/fuzz.h"

#include <math.h>

#include "matter/elements/element.h"
#include "matter/elements/isotope.h"
#include "matter/materials/material.h"

static void check_elements(const struct material *material)
{
	double all = 0.0;

	for (int i = 0; i < material->count; ++i) {
		REQUIRE(material->atomic_number[i] >= 1 && material->atomic_number[i] <= TABULATED_ELEMENTS);
		/* A mass of one's own may be 0.5 to 3.1 times the natural one. */
		REQUIRE(material->mass[i] > 0.5 && material->mass[i] < 740.0);
		REQUIRE(material->fraction[i] > 0.0 && material->fraction[i] <= 1.0);
		for (int k = 0; k < i; ++k)
			REQUIRE(material->atomic_number[k] != material->atomic_number[i] ||
				material->mass[k] != material->mass[i]);
		all += material->fraction[i];
	}
	REQUIRE(fabs(all - 1.0) < 1e-12);
}

static void check_material(const char *text)
{
	struct material material;

	if (material_parse(text, &material) != SONDE_OK) {
		REQUIRE_MESSAGE();
		REQUIRE(material.count == 0 && material.density == 0.0);
		return;
	}
	REQUIRE(strlen(material.name) < MATERIAL_NAME_SIZE &&
		strncmp(text, material.name, strlen(material.name)) == 0);
	REQUIRE(material.count >= 0 && material.count <= MATERIAL_MOST_ELEMENTS);
	if (material.count == 0) {
		REQUIRE(material.density == 0.0 && material.atoms == 0.0);
		return;
	}
	REQUIRE(material.density >= 1e-9 && material.density <= 30.0);
	REQUIRE(material.atoms > 0.0 && material.atoms < 20000.0);
	check_elements(&material);
}

static void check_isotope(int atomic_number, int mass_number)
{
	double mass;

	if (isotope_mass(atomic_number, mass_number, &mass) != SONDE_OK) {
		REQUIRE_MESSAGE();
		REQUIRE(mass == 0.0);
		return;
	}
	REQUIRE(atomic_number >= 1 && atomic_number <= TABULATED_ELEMENTS);
	REQUIRE(mass_number == 0 || fabs(mass - mass_number) < 0.2);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = as_string(data, size);

	check_material(text);
	if (size >= 2)
		check_isotope(data[0], data[1]);
	free(text);
	return 0;
}
