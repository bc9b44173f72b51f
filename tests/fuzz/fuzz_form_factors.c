/* Users' files of form factors: tables and Gaussians. */
#include "fuzz/fuzz.h"

#include <math.h>

#include "matter/scattering/form_factors.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const labels[] = {"Au", "Cl-", "O", "X"};
	struct form_factors *factors;

	if (size > 1 << 18)
		return 0;
	sonde_status status = form_factors_read(memory_file(data, size), &factors);
	if (status != SONDE_OK) {
		REQUIRE(status == SONDE_INVALID && factors == NULL);
		REQUIRE_MESSAGE();
		return 0;
	}
	for (size_t k = 0; k < sizeof labels / sizeof *labels; ++k) {
		struct scatterer scatterer;
		bool found = false;
		status = form_factors_find(factors, labels[k], 0.1, 2.0, &scatterer, &found);
		REQUIRE(status == SONDE_OK || status == SONDE_INVALID);
		if (status == SONDE_INVALID)
			REQUIRE_MESSAGE();
		for (double q = 0.1; status == SONDE_OK && found && q < 2.0; q += 0.3) {
			double real, imaginary;
			scatterer_amplitude(&scatterer, q, &real, &imaginary);
			REQUIRE(!isnan(real) && imaginary == 0.0);
		}
	}
	form_factors_free(&factors);
	return 0;
}
