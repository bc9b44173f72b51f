/* Tables of patterns. */
#include <stdlib.h>

#include "base/memory.h"
#include "pattern/detector/response.h"
#include "pattern/pattern.h"
#include "run/result_table.h"

const char *pattern_unit(const sonde_pattern_options *options)
{
	static const char *const units[][2] = {[PROBE_XRAY] = {"electron units", "electron units sr"},
					       [PROBE_NEUTRON] = {"fm^2", "fm^2 sr"},
					       [PROBE_ELECTRON] = {"Angstrom^2", "Angstrom^2 sr"}};
	const int in_pixel = options->solid_angle == SONDE_PATTERN_SOLID_ANGLE_ABSOLUTE;

	return options->factors == SONDE_PATTERN_FACTORS_UNIT ? (in_pixel ? "sr" : "1")
							      : units[options->radiation][in_pixel];
}

const char *pattern_amplitude_unit(const sonde_pattern_options *options)
{
	static const char *const units[] = {
	    [PROBE_XRAY] = "electrons", [PROBE_NEUTRON] = "fm", [PROBE_ELECTRON] = "Angstrom"};

	return options->factors == SONDE_PATTERN_FACTORS_UNIT ? "1" : units[options->radiation];
}

bool pattern_is_mean(const sonde_pattern_result *result)
{
	return result->orientation_count > 1 || result->sample_count > 0;
}

bool pattern_has_diffuse(const sonde_pattern_result *result)
{
	return result->real != NULL && pattern_is_mean(result);
}

/* What the mean is of. */
static void append_mean(const sonde_pattern_result *result, struct text *text)
{
	if (result->orientation_count > 1)
		text_append(text, "# mean of %lld orientations\n", (long long)result->orientation_count);
	if (result->sample_count > 0)
		text_append(text, "# mean of %lld samples\n", (long long)result->sample_count);
	if (result->copy_count > 0)
		text_append(text, "# sum of %lld copies without interference\n", (long long)result->copy_count);
	if (result->error_values > 0)
		text_append(text, "# standard errors from %lld independent values\n",
			    (long long)result->error_values);
}

void pattern_append_header(const sonde_pattern_result *result, struct text *text)
{
	const struct sonde_pattern_provenance *provenance = result->provenance;

	provenance_append_origin(text, &provenance->run, "pattern");
	provenance_append_options(text, &pattern_option_table, result->options);
	provenance_append_device(text, &provenance->run, result->seconds);
	text_append(text, "# atoms: %s\n# amplitudes: %s\n", provenance->composition, provenance->amplitudes);
	if (result->geometry == SONDE_PATTERN_POLAR || result->geometry == SONDE_PATTERN_DETECTOR)
		text_append(text,
			    "# Ewald sphere: wavelength %.10g Angstrom, beam along -z, azimuth phi from x toward y\n",
			    result->wavelength);
	text_append(text,
		    "# error: %.2g of sqrt(sum |f|^2) in F, the largest at %lld points that were computed again\n",
		    text_round_up(result->largest_error, 2), (long long)result->checked_points);
	for (int p = 0; result->partial_errors != NULL && p < result->partial_count; ++p)
		text_append(text, "# error of F_%s: %.2g of sqrt(sum |f|^2) of its atoms\n", result->partial_label[p],
			    text_round_up(result->partial_errors[p], 2));
	append_mean(result, text);
	if (result->geometry == SONDE_PATTERN_BOX)
		text_append(
		    text,
		    "# q = h u + k v + l w, u = %.10g,%.10g,%.10g, v = %.10g,%.10g,%.10g, w = %.10g,%.10g,%.10g\n",
		    result->basis[0], result->basis[1], result->basis[2], result->basis[3], result->basis[4],
		    result->basis[5], result->basis[6], result->basis[7], result->basis[8]);
	response_describe(result, text);
	text_append(text, "# q in 1/Angstrom, phi in degrees, x and y in mm, I in %s\n",
		    pattern_unit(result->options));
}

static void append_numbers(struct text *text, const double *numbers, int count, char separator, const int64_t *counts)
{
	for (int k = 0; k < count; ++k) {
		if (k > 0)
			text_append_byte(text, separator);
		text_append_real(text, numbers[k]);
	}
	if (counts != NULL) {
		text_append_byte(text, separator);
		text_append_integer(text, *counts);
	}
	text_append_byte(text, '\n');
}

/* The coordinates of a point: of its vector, or along the axes, of which h, k, l and x, y are named in this order. */
static int add_coordinates(const sonde_pattern_result *result, int64_t point, double *row)
{
	const bool backward = result->geometry != SONDE_PATTERN_POLAR;
	int64_t at[3];

	if (result->geometry == SONDE_PATTERN_LIST) {
		sonde_pattern_vector(result, point, row);
		return 3;
	}
	pattern_indices(result->sizes, result->axis_count, point, at);
	for (int axis = 0; axis < result->axis_count; ++axis)
		row[backward ? result->axis_count - 1 - axis : axis] = result->axes[axis][at[axis]];
	return result->axis_count;
}

static void append_names(const sonde_pattern_result *result, bool csv, struct text *text)
{
	static const char *const names[] = {[SONDE_PATTERN_POLAR] = "q,phi",
					    [SONDE_PATTERN_LIST] = "qx,qy,qz",
					    [SONDE_PATTERN_BOX] = "h,k,l",
					    [SONDE_PATTERN_DETECTOR] = "x,y"};

	if (!csv)
		text_append(text, "# ");
	for (const char *c = names[result->geometry]; *c != '\0'; ++c)
		text_append_byte(text, *c == ',' && !csv ? ' ' : *c);
	text_append(text, csv ? ",I" : " I");
	if (result->real != NULL)
		text_append(text, csv ? ",F_real,F_imaginary" : " F_real F_imaginary");
	for (int p = 0; p < result->partial_count; ++p)
		text_append(text, csv ? ",F_%s_real,F_%s_imaginary" : " F_%s_real F_%s_imaginary",
			    result->partial_label[p], result->partial_label[p]);
	if (result->standard_error != NULL)
		text_append(text, csv ? ",standard_error" : " standard_error");
	if (pattern_has_diffuse(result))
		text_append(text, csv ? ",I_diffuse" : " I_diffuse");
	if (result->counts != NULL)
		text_append(text, csv ? ",counts" : " counts");
	text_append(text, "\n");
}

double pattern_diffuse(const sonde_pattern_result *result, const struct response *response, int64_t point)
{
	const double *real = result->real + point, *imaginary = result->imaginary + point;
	double factor, counts;

	response_at(response, point, &factor, &counts);
	return result->intensity[point] - factor * (*real * *real + *imaginary * *imaginary);
}

sonde_status pattern_table_text(const sonde_pattern_result *result, bool csv, struct text *text)
{
	struct response response;
	double *row;

	pattern_append_header(result, text);
	append_names(result, csv, text);
	CHECK(response_make(result, &response));
	CHECK(memory_allocate(&row, 8 + 2 * (size_t)result->partial_count, sizeof *row, "the table"));
	for (int64_t n = 0; n < result->count; ++n) {
		int count = add_coordinates(result, n, row);
		row[count++] = result->intensity[n];
		if (result->real != NULL) {
			row[count++] = result->real[n];
			row[count++] = result->imaginary[n];
		}
		for (int p = 0; p < result->partial_count; ++p) {
			row[count++] = result->partial_real[p * result->count + n];
			row[count++] = result->partial_imaginary[p * result->count + n];
		}
		if (result->standard_error != NULL)
			row[count++] = result->standard_error[n];
		if (pattern_has_diffuse(result))
			row[count++] = pattern_diffuse(result, &response, n);
		append_numbers(text, row, count, csv ? ',' : ' ', result->counts != NULL ? &result->counts[n] : NULL);
	}
	free(row);
	return text_status(text);
}

static sonde_status append_table(const void *result, bool csv, struct text *text)
{
	return pattern_table_text(result, csv, text);
}

static const struct result_format formats[] = {{RESULT_NEXUS_ENDINGS " .cxi", pattern_write_nexus, NULL},
					       {RESULT_TABLE_ENDINGS, NULL, append_table},
					       {NULL, NULL, NULL}};

sonde_status pattern_check_format(const char *path)
{
	return result_format_check(formats, path);
}

bool pattern_is_table(const char *path)
{
	const struct result_format *format = result_format_find(formats, path);

	return format != NULL && format->append != NULL;
}

sonde_status sonde_pattern_result_write(const sonde_pattern_result *result, const char *path, int overwrite)
{
	if (result == NULL || path == NULL)
		return status_fail(SONDE_INVALID, "a result and a file are needed, one of them is null");
	return result_write(formats, result, path, overwrite != 0);
}
