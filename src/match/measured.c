#include "match/measured.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/constants.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "io/tables/curve_file.h"
#include "io/text/lines.h"
#include "match/curve_hdf5.h"

#define HEADER_LINES 200
#define ANGSTROM_OF_NM 10.0

/* What follows a name and '=' or ':' in a line, as in "wavelength = 0.2127", "qmax=24 qdamp=0.06", "Wavelength (A): 0.7" or
 * "\"wavelength\": 1e-10"; null if there is none. */
static const char *find_value(const char *line, const char *name)
{
	const size_t length = strlen(name);

	for (const char *at = line; *at != '\0'; ++at) {
		if (strncasecmp(at, name, length) != 0 || (at > line && isalnum((unsigned char)at[-1])))
			continue;
		const char *start = at + length + strspn(at + length, "\"' \t");
		if (*start == '(' || *start == '[')
			start += strcspn(start, ")]") + (start[strcspn(start, ")]")] != '\0');
		start += strspn(start, " \t");
		if (*start != '=' && *start != ':')
			continue;
		return start + 1 + strspn(start + 1, "\"' \t");
	}
	return NULL;
}

static bool find_number(const char *line, const char *name, double *value, const char **after)
{
	const char *start = find_value(line, name);
	double number;

	if (start == NULL)
		return false;
	*after = start + strcspn(start, " \t,;");
	if (!text_parse_real(start, *after, &number) || !(number > 0.0))
		return false;
	*value = number;
	*after += strspn(*after, " \t");
	return true;
}

/* In Angstrom; pyFAI gives it in m, with and without the unit. */
static void find_wavelength(const char *line, double *wavelength)
{
	const char *unit;
	double value;

	if (!find_number(line, "wavelength", &value, &unit))
		return;
	const size_t length = strcspn(unit, " \t,;)\"'");
	const bool metre = length == 1 && *unit == 'm', nanometre = length == 2 && strncmp(unit, "nm", 2) == 0,
		   picometre = length == 2 && strncmp(unit, "pm", 2) == 0;
	*wavelength = value * (metre || (length == 0 && value < 1e-6) ? 1e10
			       : nanometre                            ? 10.0
			       : picometre                            ? 0.01
								      : 1.0);
}

/* Lines of PANalytical's [Measurement conditions], as "K-Alpha1 wavelength,1.540598" and "Used wavelength,K-Alpha": the value of a name, without
 * quotes; null if the line has another name. */
static const char *find_condition(const char *line, const char *name)
{
	line += strspn(line, "\"");
	if (strncasecmp(line, name, strlen(name)) != 0)
		return NULL;
	line += strlen(name);
	line += strspn(line, "\"");
	return *line == ',' || *line == ';' ? line + 1 + strspn(line + 1, " \"") : NULL;
}

struct tube {
	double alpha1, alpha2,
	    ratio;  /* wavelengths in Angstrom, and intensity of the second one in relation to the first */
	bool alone; /* only the first line was used */
};

static void find_tube(const char *line, struct tube *tube)
{
	const struct {
		const char *name;
		double *value;
	} numbers[] = {{"K-Alpha1 wavelength", &tube->alpha1},
		       {"K-Alpha2 wavelength", &tube->alpha2},
		       {"Ratio K-Alpha2/K-Alpha1", &tube->ratio}};
	const char *value;
	double number;

	for (size_t k = 0; k < sizeof numbers / sizeof *numbers; ++k) {
		value = find_condition(line, numbers[k].name);
		if (value != NULL && text_parse_real(value, value + strcspn(value, " ,;\"\t\r"), &number) &&
		    number >= 0.0)
			*numbers[k].value = number;
	}
	value = find_condition(line, "Used wavelength");
	if (value != NULL)
		tube->alone = value[strcspn(value, "12\",;")] == '1';
}

/* "mode = xray" of PDFgetX3, "stype=N" of PDFgui, "radiation = x-ray" of Sonde: what it is, else -1. */
static int radiation_of_word(const char *word)
{
	static const struct {
		const char *word;
		int radiation;
	} words[] = {{"xray", LIBRARY_XRAY},         {"x-ray", LIBRARY_XRAY},
		     {"x-rays", LIBRARY_XRAY},       {"x", LIBRARY_XRAY},
		     {"synchrotron", LIBRARY_XRAY},  {"neutron", LIBRARY_NEUTRON},
		     {"neutrons", LIBRARY_NEUTRON},  {"n", LIBRARY_NEUTRON},
		     {"electron", LIBRARY_ELECTRON}, {"electrons", LIBRARY_ELECTRON}};
	const size_t length = strcspn(word, " \t,;\"'\r\n");

	for (size_t k = 0; k < sizeof words / sizeof *words; ++k)
		if (strlen(words[k].word) == length && strncasecmp(word, words[k].word, length) == 0)
			return words[k].radiation;
	return -1;
}

static void find_radiation(const char *line, int *radiation)
{
	static const char *const names[] = {"mode", "stype", "radiation"};

	for (size_t k = 0; k < sizeof names / sizeof *names; ++k) {
		const char *word = find_value(line, names[k]);
		const int found = word != NULL ? radiation_of_word(word) : -1;
		if (found >= 0)
			*radiation = found;
	}
}

/* Headers of PDFgetX3, PDFgetX2 and PDFgui, pyFAI, and comments of others. */
static sonde_status read_header(const char *path, struct measured *measured)
{
	struct line_reader *reader;
	struct tube tube = {0};
	const char *after;
	char *line;
	sonde_status status;
	int count = 0;

	CHECK(line_reader_open(&reader, path));
	do {
		status = line_reader_next(reader, &line);
		if (status != SONDE_OK || line == NULL)
			break;
		find_tube(line, &tube);
		if (strpbrk(line, "=:") == NULL)
			continue;
		find_wavelength(line, &measured->wavelength);
		(void)find_number(line, "qdamp", &measured->qdamp, &after);
		(void)find_number(line, "qmax", &measured->qmax, &after);
		find_radiation(line, &measured->radiation);
	} while (++count < HEADER_LINES);
	line_reader_close(&reader);
	/* the mean of the doublet: its lines are not resolved in broad patterns */
	if (tube.alone || !(tube.alpha2 > 0.0))
		tube.ratio = 0.0;
	if (!(measured->wavelength > 0.0) && tube.alpha1 > 0.0) {
		measured->wavelength = (tube.alpha1 + tube.ratio * tube.alpha2) / (1.0 + tube.ratio);
		measured->radiation = measured->radiation < 0 ? LIBRARY_XRAY : measured->radiation;
	}
	return status;
}

static int curve_of_name(const char *path)
{
	static const struct {
		const char *ending;
		int curve;
	} names[] = {{".gr", LIBRARY_G}, {".sq", LIBRARY_S}, {".fq", LIBRARY_F}, {".iq", LIBRARY_I_PER_ATOM}};

	for (size_t k = 0; k < sizeof names / sizeof *names; ++k) {
		char packed[16];
		snprintf(packed, sizeof packed, "%s.gz", names[k].ending);
		if (file_has_suffix(path, names[k].ending) || file_has_suffix(path, packed))
			return names[k].curve;
	}
	return -1;
}

/* The fourth column of PDFgetX2 is the standard deviation, or 0 where it is not known. */
static sonde_status take_fourth(const char *path, struct curve_file *curve)
{
	bool all = curve->fourth != NULL;

	for (int64_t k = 0; all && k < curve->count; ++k) {
		if (curve->fourth[k] < 0.0)
			return status_fail_file(SONDE_INVALID, path, "has a standard deviation of %g at x = %g",
						curve->fourth[k], curve->x[k]);
		all = curve->fourth[k] > 0.0;
	}
	if (all) {
		curve->sigma = curve->fourth;
		curve->fourth = NULL;
	}
	return SONDE_OK;
}

static sonde_status read_text(const char *path, struct measured *measured, enum measured_axis *axis)
{
	static const enum measured_axis axes[] = {
	    [CURVE_AXIS_UNKNOWN] = MEASURED_AXIS_AUTO, [CURVE_AXIS_Q] = MEASURED_AXIS_Q,
	    [CURVE_AXIS_Q_NM] = MEASURED_AXIS_Q_NM,    [CURVE_AXIS_TWO_THETA] = MEASURED_AXIS_TWO_THETA,
	    [CURVE_AXIS_R] = MEASURED_AXIS_R,          [CURVE_AXIS_OTHER] = MEASURED_AXIS_AUTO};
	struct curve_file curve;

	CHECK(curve_file_read(path, 2, &curve));
	sonde_status status = take_fourth(path, &curve);
	if (status == SONDE_OK && curve.axis == CURVE_AXIS_OTHER && *axis == MEASURED_AXIS_AUTO)
		status =
		    status_fail_file(SONDE_INVALID, path,
				     "has a first column '%s', which is not q, a scattering angle, or r; `axis` says "
				     "what it is if the header is wrong",
				     curve.axis_name);
	if (status == SONDE_OK)
		status = read_header(path, measured);
	if (status != SONDE_OK) {
		curve_file_free(&curve);
		return status;
	}
	measured->count = curve.count;
	measured->x = curve.x;
	measured->y = curve.y;
	measured->sigma = curve.sigma;
	free(curve.fourth);
	measured->by_header = curve.axis != CURVE_AXIS_UNKNOWN;
	measured->guessed = curve.axis == CURVE_AXIS_UNKNOWN && *axis == MEASURED_AXIS_AUTO &&
			    measured->curve != LIBRARY_G && curve.header_lines > 0;
	if (*axis == MEASURED_AXIS_AUTO)
		*axis = axes[curve.axis];
	return SONDE_OK;
}

/* What the first column of an HDF5 file is, by its name and unit, as "q_nm^-1" or "2th_deg" of pyFAI; *factor makes it that unit. */
static enum measured_axis axis_of_hdf5(const struct curve_hdf5 *curve, double *factor)
{
	const char *unit = curve->unit;
	const bool angle = strcmp(curve->x_name, "two_theta") == 0 || strcmp(curve->x_name, "polar_angle") == 0,
		   any = strcmp(curve->x_name, "radial") == 0;

	*factor = 1.0;
	if (strcmp(curve->x_name, "r") == 0)
		return MEASURED_AXIS_R;
	if ((angle || any) && (strstr(unit, "deg") != NULL || strstr(unit, "rad") != NULL)) {
		*factor = strstr(unit, "rad") != NULL ? 180.0 / PI : 1.0;
		return MEASURED_AXIS_TWO_THETA;
	}
	if (angle && unit[0] == '\0')
		return MEASURED_AXIS_TWO_THETA;
	if (strcmp(unit, "1/m") == 0 || strcmp(unit, "m^-1") == 0)
		*factor = 1e-10;
	return strstr(unit, "nm") != NULL || strstr(unit, "nanometer") != NULL ? MEASURED_AXIS_Q_NM : MEASURED_AXIS_Q;
}

static sonde_status read_hdf5(const char *path, struct measured *measured, enum measured_axis *axis)
{
	struct curve_hdf5 curve;
	double factor;

	/* intensities have several names */
	const char *name = measured->curve > LIBRARY_I_PER_ATOM ? library_curve_names[measured->curve] : NULL;

	CHECK(curve_hdf5_read(path, name, &curve));
	for (int k = 0; k < LIBRARY_CURVES; ++k)
		if (strcmp(curve.y_name, library_curve_names[k]) == 0)
			measured->curve = k;
	const enum measured_axis found = axis_of_hdf5(&curve, &factor);
	for (int64_t k = 0; *axis == MEASURED_AXIS_AUTO && k < curve.count; ++k)
		curve.x[k] *= factor;
	*axis = *axis == MEASURED_AXIS_AUTO ? found : *axis;
	measured->by_header = true;
	measured->wavelength = curve.wavelength;
	measured->radiation = radiation_of_word(curve.radiation);
	measured->count = curve.count;
	measured->x = curve.x;
	measured->y = curve.y;
	measured->sigma = curve.sigma;
	return SONDE_OK;
}

/* The first column as q or r. */
static sonde_status convert_axis(enum measured_axis axis, double wavelength, struct measured *measured)
{
	const double length = wavelength > 0.0 ? wavelength : measured->wavelength;

	if (axis == MEASURED_AXIS_AUTO)
		axis = measured->curve == LIBRARY_G ? MEASURED_AXIS_R : MEASURED_AXIS_Q;
	measured->of_r = axis == MEASURED_AXIS_R;
	if (axis == MEASURED_AXIS_Q_NM)
		for (int64_t k = 0; k < measured->count; ++k)
			measured->x[k] /= ANGSTROM_OF_NM;
	if (axis != MEASURED_AXIS_TWO_THETA)
		return SONDE_OK;
	if (!(length > 0.0))
		return status_fail_file(SONDE_INVALID, measured->path,
					"has scattering angles, which need `wavelength`");
	if (measured->x[0] < 0.0 || measured->x[measured->count - 1] > 180.0)
		return status_fail_file(SONDE_INVALID, measured->path,
					"has scattering angles beyond 0 to 180 degrees");
	for (int64_t k = 0; k < measured->count; ++k)
		measured->x[k] = 4.0 * PI / length * sin(measured->x[k] * PI / 360.0);
	return SONDE_OK;
}

static bool is_hdf5(const char *path)
{
	return file_has_suffix(path, ".h5") || file_has_suffix(path, ".hdf5") || file_has_suffix(path, ".nxs");
}

sonde_status measured_read(const char *path, int curve, enum measured_axis axis, double wavelength,
			   struct measured *measured)
{
	*measured = (struct measured){.curve = curve >= 0 ? curve : curve_of_name(path), .radiation = -1};
	sonde_status status = memory_copy_text(path, &measured->path, "a path");
	if (status == SONDE_OK)
		status = is_hdf5(path) ? read_hdf5(path, measured, &axis) : read_text(path, measured, &axis);
	if (status == SONDE_OK)
		status = convert_axis(axis, wavelength, measured);
	if (status != SONDE_OK)
		measured_free(measured);
	return status;
}

void measured_free(struct measured *measured)
{
	free(measured->path);
	free(measured->x);
	free(measured->y);
	free(measured->sigma);
	*measured = (struct measured){0};
}

void measured_crop(double first, double last, struct measured *measured)
{
	double *const arrays[] = {measured->x, measured->y, measured->sigma};
	int64_t begin = 0, end = measured->count;

	while (begin < end && measured->x[begin] < first)
		++begin;
	while (end > begin && measured->x[end - 1] > last)
		--end;
	measured->count = end - begin;
	for (size_t k = 0; k < sizeof arrays / sizeof *arrays; ++k)
		if (arrays[k] != NULL)
			memmove(arrays[k], arrays[k] + begin, (size_t)measured->count * sizeof(double));
}
