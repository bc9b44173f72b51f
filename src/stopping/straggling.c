#include "stopping/straggling.h"

#include <math.h>
#include <string.h>

#include "base/constants.h"
#include "base/text.h"

extern const char data_straggling_chu[], data_straggling_yang[];

/* Four numbers, each preceded by a comma. */
static void read_four(const char *row, double numbers[4])
{
	for (int k = 0; k < 4; ++k) {
		row += strcspn(row, ",\n");
		row += *row == ',';
		if (!text_parse_real(row, row + strcspn(row, ",\n"), &numbers[k]))
			numbers[k] = 0.0;
	}
}

void straggling_read(struct straggling *straggling)
{
	const char *row = data_straggling_chu;

	memset(straggling, 0, sizeof *straggling);
	for (; row != NULL && *row != '\0'; row = strchr(row, '\n'), row += row != NULL) {
		int64_t z;
		if (text_parse_integer(row, row + strcspn(row, ",\n"), &z) && z >= 1 && z <= STRAGGLING_ELEMENTS)
			read_four(row, straggling->chu[z - 1]);
	}
	if ((row = strstr(data_straggling_yang, "\nB_hydrogen")) != NULL)
		read_four(row + 1, straggling->hydrogen);
	if ((row = strstr(data_straggling_yang, "\nC_heavy_solid")) != NULL)
		read_four(row + 1, straggling->heavy);
}

double straggling_bohr(int z1, int z2)
{
	return 4.0 * PI * z1 * z1 * z2 * COULOMB_EV_NM * COULOMB_EV_NM;
}

double straggling_chu(const struct straggling *straggling, int z2, double energy)
{
	const double *c = straggling->chu[z2 - 1];

	if (c[0] == 0.0) /* hydrogen has no row */
		return 1.0;
	/* fit of Yang, O'Connor and Wang to it; its terms diverge at zero energy */
	double below = energy > 0.0 ? 1.0 + c[0] * pow(energy, c[1]) + c[2] * pow(energy, c[3]) : INFINITY;
	return below > 0.0 ? 1.0 / below : 0.0;
}

double straggling_yang(const struct straggling *straggling, int z1, int z2, double energy)
{
	const double *c = z1 == 1 ? straggling->hydrogen : straggling->heavy;
	double scale = z1 == 1 ? 1.0 : cbrt(z1) * z1 / cbrt(z2);
	double reduced = z1 == 1 ? energy : energy / (z1 * sqrt((double)z1 * z2));
	double width = c[2] * (1.0 - exp(-c[3] * reduced)), off = reduced - c[1];

	return scale * c[0] * width / (off * off + width * width);
}
