/* Tables of patterns. */
#include "pattern/pattern.h"
#include "run/result_table.h"

const char *pattern_unit(const sonde_pattern_options *options)
{
	static const char *const units[] = {
	    [PROBE_XRAY] = "electron units", [PROBE_NEUTRON] = "fm^2", [PROBE_ELECTRON] = "Angstrom^2"};

	return options->factors == SONDE_PATTERN_FACTORS_UNIT ? "1" : units[options->radiation];
}

static void append_header(const sonde_pattern_result *result, struct text *text)
{
	const struct sonde_pattern_provenance *provenance = result->provenance;

	provenance_append_origin(text, &provenance->run, "pattern");
	provenance_append_options(text, &pattern_option_table, result->options);
	provenance_append_device(text, &provenance->run, result->seconds);
	text_append(text, "# atoms: %s\n# amplitudes: %s\n", provenance->composition, provenance->amplitudes);
	if (result->vectors == NULL)
		text_append(text,
			    "# Ewald sphere: wavelength %.10g Angstrom, beam along -z, azimuth phi from x toward y\n",
			    result->wavelength);
	text_append(text,
		    "# error: %.2g of sqrt(sum |f|^2) in F, the largest at %lld points that were computed again\n",
		    text_round_up(result->largest_error, 2), (long long)result->checked_points);
	text_append(text, "# q in 1/Angstrom, phi in degrees, I in %s\n", pattern_unit(result->options));
}

static void append_numbers(struct text *text, const double *numbers, int count, char separator)
{
	for (int k = 0; k < count; ++k) {
		if (k > 0)
			text_append_byte(text, separator);
		text_append_real(text, numbers[k]);
	}
	text_append_byte(text, '\n');
}

sonde_status pattern_table_text(const sonde_pattern_result *result, bool csv, struct text *text)
{
	const bool list = result->vectors != NULL;
	const char separator = csv ? ',' : ' ';

	append_header(result, text);
	const char *const names[] = {list ? "qx" : "q",
				     list ? "qy" : "phi",
				     list ? "qz" : NULL,
				     "I",
				     result->real != NULL ? "F_real" : NULL,
				     result->real != NULL ? "F_imaginary" : NULL};
	text_append(text, "%s", csv ? "" : "# ");
	for (size_t k = 0; k < sizeof names / sizeof *names; ++k)
		if (names[k] != NULL)
			text_append(text, "%s%s", k > 0 ? csv ? "," : " " : "", names[k]);
	text_append(text, "\n");
	for (int64_t n = 0; n < result->count; ++n) {
		double row[6];
		int count = 0;
		for (int k = 0; list && k < 3; ++k)
			row[count++] = result->vectors[3 * n + k];
		if (!list) {
			row[count++] = result->q[n / result->phi_count];
			row[count++] = result->phi[n % result->phi_count];
		}
		row[count++] = result->intensity[n];
		if (result->real != NULL) {
			row[count++] = result->real[n];
			row[count++] = result->imaginary[n];
		}
		append_numbers(text, row, count, separator);
	}
	return text_status(text);
}

static sonde_status append_table(const void *result, bool csv, struct text *text)
{
	return pattern_table_text(result, csv, text);
}

static const struct result_format formats[] = {{RESULT_NEXUS_ENDINGS, pattern_write_nexus, NULL},
					       {RESULT_TABLE_ENDINGS, NULL, append_table},
					       {NULL, NULL, NULL}};

sonde_status pattern_check_format(const char *path)
{
	return result_format_check(formats, path);
}

sonde_status sonde_pattern_result_write(const sonde_pattern_result *result, const char *path, int overwrite)
{
	if (result == NULL || path == NULL)
		return status_fail(SONDE_INVALID, "a result and a file are needed, one of them is null");
	return result_write(formats, result, path, overwrite != 0);
}
