/* Measured curves, and lists of points. The first byte chooses. */
#include "fuzz/fuzz.h"

#include <math.h>

#include "debye/points/points.h"
#include "io/tables/curve_file.h"

static void try_list(const uint8_t *data, size_t size)
{
	sonde_debye_options options;
	const sonde_grid unset = {0.1, 20.0, 996};
	struct debye_points points;

	sonde_debye_options_init(&options);
	options.q = unset;
	memcpy(options.q_list, "l", 1);
	size = size < 200 ? size : 200;
	memcpy(options.q_list + 1, data, size);
	options.q_list[size + 1] = '\0';
	if (strncmp(options.q_list, "lin:", 4) != 0 && strncmp(options.q_list, "log:", 4) != 0)
		return;
	if (debye_points_make(&unset, &options, &points) == SONDE_OK) {
		REQUIRE(points.count > 0 && points.q[0] >= 0.0 && points.q[points.count - 1] <= 1000.0);
		for (int64_t k = 1; k < points.count; ++k)
			REQUIRE(points.q[k] > points.q[k - 1]);
		REQUIRE(options.q.points == points.count);
	} else {
		REQUIRE_MESSAGE();
	}
	debye_points_free(&points);
}

static void try_file(const uint8_t *data, size_t size, int needed)
{
	struct curve_file curve;

	if (curve_file_read(memory_file(data, size), needed, &curve) != SONDE_OK) {
		REQUIRE(curve.count == 0 && curve.x == NULL && curve.y == NULL && curve.sigma == NULL);
		REQUIRE_MESSAGE();
		return;
	}
	REQUIRE(curve.count > 0 && curve.columns >= needed);
	REQUIRE((curve.y != NULL) == (curve.columns > 1));
	/* none where all are 0; Mantid's files have a fourth column */
	REQUIRE(curve.sigma == NULL || curve.columns == 3 || curve.columns == 4);
	REQUIRE(curve.fourth == NULL || curve.columns == 4);
	for (int64_t k = 0; k < curve.count; ++k) {
		REQUIRE(isfinite(curve.x[k]) && (k == 0 || curve.x[k] > curve.x[k - 1]));
		REQUIRE(curve.y == NULL || isfinite(curve.y[k]));
		REQUIRE(curve.sigma == NULL || (curve.sigma[k] > 0.0 && isfinite(curve.sigma[k])));
	}
	curve_file_free(&curve);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size == 0 || size > 1 << 18)
		return 0;
	if (data[0] % 3 == 0)
		try_list(data + 1, size - 1);
	else
		try_file(data + 1, size - 1, data[0] % 3);
	return 0;
}
