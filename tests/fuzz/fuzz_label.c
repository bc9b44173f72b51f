/* Labels of atoms, and their scattering by each table. */
#include "fuzz/fuzz.h"

#include <math.h>

#include "matter/elements/label.h"
#include "matter/scattering/scatterer.h"

static void check_label(const char *text)
{
	struct label label;

	if (label_parse(text, &label) != SONDE_OK) {
		REQUIRE_MESSAGE();
		return;
	}
	REQUIRE(label.atomic_number >= 1 && label.atomic_number <= ELEMENTS);
	REQUIRE(label.mass_number >= 0 && label.mass_number <= 10000);
	REQUIRE(abs(label.charge) <= 1000);
	REQUIRE(strstr(text, element_symbol(label.atomic_number)) != NULL || label.atomic_number == 1);
}

static void check_scatterer(enum scattering_table table, const char *text)
{
	struct scatterer scatterer;
	double real, imaginary;

	if (scatterer_find(table, text, &scatterer) != SONDE_OK) {
		REQUIRE_MESSAGE();
		return;
	}
	for (double q = 0; q < 25; q += 8) {
		scatterer_amplitude(&scatterer, q, &real, &imaginary);
		if (q == 0 && scatterer.coulomb != 0.0) /* an ion for electrons */
			continue;
		REQUIRE(fabs(real) < 200 && fabs(imaginary) < 50);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = as_string(data, size);

	check_label(text);
	for (enum scattering_table table = SCATTERING_WAASMAIER_KIRFEL; table <= SCATTERING_UNIT; ++table)
		check_scatterer(table, text);
	free(text);
	return 0;
}
