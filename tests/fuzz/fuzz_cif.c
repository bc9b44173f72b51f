/* Unit cells from CIF. */
#include "fuzz/fuzz.h"

#include <math.h>

#include "matter/elements/label.h"
#include "matter/crystal/unit_cell.h"

static void require_site(const struct unit_cell *cell, const struct unit_cell_site *site)
{
	struct label label;

	for (int k = 0; k < 3; ++k)
		REQUIRE(site->position[k] >= 0.0 && site->position[k] < 1.0);
	REQUIRE(label_parse(site->label, &label) == SONDE_OK);
	REQUIRE(site->occupancy >= 0.0 && site->occupancy <= 1.0);
	REQUIRE(!site->has_u_iso || isfinite(site->u_iso));
	for (int k = 0; k < 6; ++k)
		REQUIRE(!site->has_u || isfinite(site->u[k]));
	REQUIRE(site->atom >= 0 && cell->atom_count > 0);
}

static void require_note(void *user, const char *line)
{
	(void)user;
	REQUIRE(line[0] != '\0' && strpbrk(line, "\n\r\x1b") == NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct unit_cell cell;

	if (size > 1 << 16)
		return 0;
	sonde_status status = unit_cell_read_cif_frame(memory_file(data, size), 0, require_note, NULL, &cell);
	if (status != SONDE_OK) {
		REQUIRE_MESSAGE();
		REQUIRE(cell.sites == NULL && cell.site_count == 0);
		return 0;
	}
	REQUIRE(unit_cell_volume(&cell) > 0.0 && cell.site_count >= cell.atom_count && cell.atom_count > 0);
	for (int64_t k = 0; k < cell.site_count; ++k)
		require_site(&cell, &cell.sites[k]);
	unit_cell_free(&cell);
	return 0;
}
