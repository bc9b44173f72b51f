#include "pattern/detector/poni.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/file.h"
#include "base/text.h"
#include "io/text/words.h"

#define MOST_METERS 1e6
#define MOST_RADIANS 1e3
#define MOST_PIXELS 1000000 /* along an edge */
#define NEWEST_VERSION 3.0
#define NAME_SIZE 64

static const struct {
	const char *name;
	double pixel[2]; /* um */
	int64_t shape[2];
} models[] = {
#define MODEL(name, height, width, rows, columns) {name, {height, width}, {rows, columns}},
#include "pattern/detector/models.def"
#undef MODEL
};

/* Detectors of pyFAI that are not one flat grid of equal pixels: bent ones, hexagonal pixels, wide pixels at the edges of
 * modules. Their files give a size of pixels as well. */
static const char *const irregular[] = {"Aarhus",     "Cirpad",    "Rapid",     "Pixirad1",        "Pixirad2",
					"Pixirad4",   "Pixirad8",  "ImXPadS10", "ImXPadS70",       "ImXPadS70V",
					"ImXPadS140", "Xpad_flat", "Jungfrau",  "Jungfrau_16M_cor"};

/* What is known so far. */
struct poni_reading {
	const struct line_reader *lines;
	struct poni *poni;
	char detector[NAME_SIZE];
	bool has_distance, has_poni[2];
};

/* The configuration of a detector, in JSON --------------------------------------------------------------------- */

struct json {
	const struct line_reader *lines;
	const char *at;
};

static sonde_status json_fail(const struct json *json)
{
	char near[24] = "the end";
	int size = 0;

	while (size < 16 && json->at[size] != '\0')
		++size;
	if (size > 0)
		snprintf(near, sizeof near, "'%.*s'", size, json->at);
	return line_fail(json->lines, "Detector_config: is not a JSON object of one line, at %s", near);
}

static void skip_blanks(struct json *json)
{
	while (*json->at == ' ' || *json->at == '\t')
		++json->at;
}

static bool take(struct json *json, char byte)
{
	skip_blanks(json);
	if (*json->at != byte)
		return false;
	++json->at;
	return true;
}

/* A string without its quotes, truncated to `size`; escapes stay as they are. */
static sonde_status take_string(struct json *json, char *text, size_t size)
{
	size_t used = 0;

	if (!take(json, '"'))
		return json_fail(json);
	for (; *json->at != '"'; ++json->at) {
		if (*json->at == '\\' && json->at[1] != '\0')
			++json->at;
		if (*json->at == '\0')
			return json_fail(json);
		if (used + 1 < size)
			text[used++] = *json->at;
	}
	++json->at;
	if (size > 0)
		text[used] = '\0';
	return SONDE_OK;
}

static bool take_word(struct json *json, const char *word)
{
	skip_blanks(json);
	if (strncmp(json->at, word, strlen(word)) != 0)
		return false;
	json->at += strlen(word);
	return true;
}

static sonde_status take_number(struct json *json, const char *key, double *value)
{
	skip_blanks(json);
	const size_t size = strcspn(json->at, ",]} \t");
	if (!text_parse_real(json->at, json->at + size, value))
		return line_fail(json->lines, "Detector_config: %s: '%.*s' is not a number", key,
				 (int)(size < 20 ? size : 20), json->at);
	json->at += size;
	return SONDE_OK;
}

/* One sign, string, or word of a value; `depth` counts open brackets. */
static bool skip_part(struct json *json, int *depth)
{
	skip_blanks(json);
	const char byte = *json->at;
	if (byte == '"')
		return take_string(json, NULL, 0) == SONDE_OK;
	if (isalnum((unsigned char)byte) || byte == '-') {
		json->at += strcspn(json->at, ",:]} \t\"[{");
		return true;
	}
	*depth += (byte == '{' || byte == '[') - (byte == '}' || byte == ']');
	if (byte == '\0' || strchr("{[}],:", byte) == NULL || (*depth == 0 && (byte == ',' || byte == ':')))
		return false;
	++json->at;
	return true;
}

/* A value of any kind. */
static sonde_status skip_value(struct json *json)
{
	int depth = 0;

	do {
		if (!skip_part(json, &depth))
			return json_fail(json);
	} while (depth > 0);
	return depth == 0 ? SONDE_OK : json_fail(json);
}

static sonde_status take_length(struct json *json, const char *key, double *value)
{
	CHECK(take_number(json, key, value));
	return *value > 0.0 && *value <= MOST_METERS
		   ? SONDE_OK
		   : line_fail(json->lines, "Detector_config: %s: %g is not the size of a pixel in m", key, *value);
}

static sonde_status take_whole(struct json *json, const char *key, double first, double last, double *value)
{
	CHECK(take_number(json, key, value));
	return *value >= first && *value <= last && *value == floor(*value)
		   ? SONDE_OK
		   : line_fail(json->lines, "Detector_config: %s: %g is not a number from %.0f to %.0f", key, *value,
			       first, last);
}

static sonde_status take_shape(struct json *json, struct poni *poni)
{
	double shape[2];

	if (!take(json, '['))
		return json_fail(json);
	CHECK(take_whole(json, "max_shape", 1.0, MOST_PIXELS, &shape[0]));
	if (!take(json, ','))
		return json_fail(json);
	CHECK(take_whole(json, "max_shape", 1.0, MOST_PIXELS, &shape[1]));
	if (!take(json, ']'))
		return json_fail(json);
	poni->shape[0] = (int64_t)shape[0];
	poni->shape[1] = (int64_t)shape[1];
	return SONDE_OK;
}

static sonde_status take_orientation(struct json *json, struct poni *poni)
{
	double number;

	CHECK(take_whole(json, "orientation", 0.0, 8.0, &number));
	poni->orientation = number > 0.0 ? (int)number : 3;
	return poni->orientation <= 4
		   ? SONDE_OK
		   : line_fail(json->lines,
			       "Detector_config: orientation: %d is a transposed image; 1 to 4 are known",
			       poni->orientation);
}

/* Files that displace pixels: of detectors that are not a grid of equal pixels. */
static bool is_distortion(const char *key)
{
	return strcasecmp(key, "splinefile") == 0 || strcasecmp(key, "filename") == 0 || strstr(key, "offset_file");
}

static sonde_status take_entry(struct json *json, struct poni *poni)
{
	char key[NAME_SIZE] = "";

	CHECK(take_string(json, key, sizeof key));
	if (!take(json, ':'))
		return json_fail(json);
	if (take_word(json, "null"))
		return SONDE_OK;
	if (strcmp(key, "pixel1") == 0 || strcmp(key, "pixel2") == 0)
		return take_length(json, key, &poni->pixel[key[5] - '1']);
	if (strcmp(key, "max_shape") == 0)
		return take_shape(json, poni);
	if (strcmp(key, "orientation") == 0)
		return take_orientation(json, poni);
	return is_distortion(key)
		   ? line_fail(
			 json->lines,
			 "Detector_config: %s: only flat detectors of equal pixels are known, without distortions",
			 key)
		   : skip_value(json);
}

static sonde_status read_config(const struct line_reader *lines, const char *value, struct poni *poni)
{
	struct json json = {lines, value};

	poni->pixel[0] = poni->pixel[1] = 0.0;
	poni->shape[0] = poni->shape[1] = 0;
	poni->orientation = 3;
	if (!take(&json, '{'))
		return json_fail(&json);
	if (!take(&json, '}')) {
		do
			CHECK(take_entry(&json, poni));
		while (take(&json, ','));
		if (!take(&json, '}'))
			return json_fail(&json);
	}
	skip_blanks(&json);
	return *json.at == '\0' ? SONDE_OK : json_fail(&json);
}

/* Rows ------------------------------------------------------------------------------------------------------- */

static sonde_status read_number(const struct line_reader *lines, const char *key, const char *value, double most,
				double *number)
{
	if (!text_parse_real(value, value + strlen(value), number))
		return line_fail(lines, "%s: '%.40s' is not a number", key, value);
	return fabs(*number) <= most ? SONDE_OK : line_fail(lines, "%s: %g is beyond %g", key, *number, most);
}

static sonde_status read_positive(const struct line_reader *lines, const char *key, const char *value, double *number)
{
	CHECK(read_number(lines, key, value, MOST_METERS, number));
	return *number > 0.0 ? SONDE_OK : line_fail(lines, "%s: %g m is not above 0", key, *number);
}

static sonde_status read_version(const struct line_reader *lines, const char *key, const char *value)
{
	double version;

	CHECK(read_number(lines, key, value, 1e6, &version));
	return version >= 1.0 && version <= NEWEST_VERSION
		   ? SONDE_OK
		   : line_fail(lines, "%s: version %g is not known; 1 to %g are", key, version, NEWEST_VERSION);
}

static sonde_status read_spline(const struct line_reader *lines, const char *key, const char *value)
{
	return strcasecmp(value, "none") == 0
		   ? SONDE_OK
		   : line_fail(lines, "%s: only flat detectors of equal pixels are known, without distortions", key);
}

static sonde_status read_parallax(const struct line_reader *lines, const char *key, const char *value)
{
	return strcasecmp(value, "true") != 0
		   ? SONDE_OK
		   : line_fail(lines, "%s: the correction for the thickness of a sensor is not known", key);
}

static sonde_status read_detector(const struct line_reader *lines, const char *key, const char *value,
				  struct poni_reading *reading)
{
	if (strlen(value) >= sizeof reading->detector)
		return line_fail(lines, "%s: the name has more than %zu characters", key,
				 sizeof reading->detector - 1);
	memcpy(reading->detector, value, strlen(value) + 1);
	return SONDE_OK;
}

static sonde_status read_wavelength(const struct line_reader *lines, const char *key, const char *value,
				    double *wavelength)
{
	*wavelength = 0.0;
	return strcasecmp(value, "none") == 0 ? SONDE_OK : read_positive(lines, key, value, wavelength);
}

static sonde_status read_value(struct poni_reading *reading, const char *key, const char *value)
{
	const struct line_reader *lines = reading->lines;
	struct poni *poni = reading->poni;

	if (strcasecmp(key, "poni_version") == 0)
		return read_version(lines, key, value);
	if (strcasecmp(key, "detector") == 0)
		return read_detector(lines, key, value, reading);
	if (strcasecmp(key, "detector_config") == 0)
		return read_config(lines, value, poni);
	if (strcasecmp(key, "splinefile") == 0)
		return read_spline(lines, key, value);
	if (strcasecmp(key, "parallax") == 0)
		return read_parallax(lines, key, value);
	if (strcasecmp(key, "wavelength") == 0)
		return read_wavelength(lines, key, value, &poni->wavelength);
	if (strcasecmp(key, "distance") == 0 || strcasecmp(key, "dist") == 0) {
		reading->has_distance = true;
		return read_positive(lines, key, value, &poni->distance);
	}
	const size_t last = strlen(key) - 1;
	const int number = key[last] - '1';
	if (number < 0 || number > 2)
		return SONDE_OK;
	if (strncasecmp(key, "rot", last) == 0 && last == 3)
		return read_number(lines, key, value, MOST_RADIANS, &poni->rotation[number]);
	if (number == 2)
		return SONDE_OK;
	if (strncasecmp(key, "pixelsize", last) == 0 && last == 9)
		return read_positive(lines, key, value, &poni->pixel[number]);
	if (strncasecmp(key, "poni", last) != 0 || last != 4)
		return SONDE_OK;
	reading->has_poni[number] = true;
	return read_number(lines, key, value, MOST_METERS, &poni->poni[number]);
}

/* Rows without a colon and comments are none of pyFAI's; keys that are not known are others' additions. */
static sonde_status read_row(struct poni_reading *reading, char *line)
{
	char *colon = strchr(line, ':'), *end = line + strlen(line);

	if (*line == '#' || colon == NULL)
		return SONDE_OK;
	char *key = line + strspn(line, " \t"), *value = colon + 1 + strspn(colon + 1, " \t");
	while (colon > key && (colon[-1] == ' ' || colon[-1] == '\t'))
		--colon;
	while (end > value && (end[-1] == ' ' || end[-1] == '\t'))
		--end;
	*colon = *end = '\0';
	return *key != '\0' ? read_value(reading, key, value) : SONDE_OK;
}

static bool same_model(const char *a, const char *b)
{
	for (;; ++a, ++b) {
		while (*a == ' ' || *a == '_' || *a == '-')
			++a;
		while (*b == ' ' || *b == '_' || *b == '-')
			++b;
		if (tolower((unsigned char)*a) != tolower((unsigned char)*b))
			return false;
		if (*a == '\0')
			return true;
	}
}

/* What the name of the detector implies. With pixels of another size, several of them being read as one, the shape is
 * not known. */
static void use_model(struct poni_reading *reading)
{
	struct poni *poni = reading->poni;

	for (size_t k = 0; k < sizeof models / sizeof *models; ++k) {
		if (!same_model(models[k].name, reading->detector))
			continue;
		const bool given = poni->pixel[0] > 0.0 && poni->pixel[1] > 0.0;
		bool same = true;
		for (int d = 0; d < 2; ++d) {
			const double size = models[k].pixel[d] / 1e6;
			same = same && (!given || fabs(poni->pixel[d] / size - 1.0) < 1e-3);
			if (!given)
				poni->pixel[d] = size;
		}
		if (same && poni->shape[0] == 0)
			memcpy(poni->shape, models[k].shape, sizeof poni->shape);
	}
}

static bool is_irregular(const char *detector)
{
	for (size_t k = 0; k < sizeof irregular / sizeof *irregular; ++k)
		if (same_model(irregular[k], detector))
			return true;
	return false;
}

static sonde_status check(struct poni_reading *reading)
{
	const char *path = line_reader_path(reading->lines), *detector = reading->detector;
	const struct poni *poni = reading->poni;

	if (!reading->has_distance || !reading->has_poni[0] || !reading->has_poni[1])
		return status_fail_file(SONDE_INVALID, path, "has no %s; is it a geometry file of pyFAI?",
					!reading->has_distance  ? "Distance"
					: !reading->has_poni[0] ? "Poni1"
								: "Poni2");
	if (is_irregular(detector))
		return status_fail_file(
		    SONDE_INVALID, path,
		    "Detector: '%.40s' is not one flat grid of equal pixels, which alone is known", detector);
	use_model(reading);
	if (poni->pixel[0] > 0.0 && poni->pixel[1] > 0.0)
		return SONDE_OK;
	return detector[0] != '\0' && strcasecmp(detector, "detector") != 0
		   ? status_fail_file(SONDE_INVALID, path,
				      "Detector: '%.40s' is not among the known flat detectors, and the sizes of "
				      "pixels, pixel1 and pixel2, are not given",
				      detector)
		   : status_fail_file(SONDE_INVALID, path, "has no sizes of pixels, pixel1 and pixel2");
}

static sonde_status read_rows(struct line_reader *lines, struct poni_reading *reading)
{
	char *line;

	for (;;) {
		CHECK(line_reader_next(lines, &line));
		if (line == NULL)
			return check(reading);
		CHECK(read_row(reading, line));
	}
}

sonde_status poni_read(const char *path, struct poni *poni)
{
	struct line_reader *lines;

	*poni = (struct poni){.orientation = 3};
	CHECK(line_reader_open(&lines, path));
	struct poni_reading reading = {.lines = lines, .poni = poni};
	const sonde_status status = read_rows(lines, &reading);
	line_reader_close(&lines);
	return status;
}

sonde_status poni_write(const struct poni *poni, const char *path, bool overwrite)
{
	char text[1024], wavelength[48] = "";

	if (poni->wavelength > 0.0)
		snprintf(wavelength, sizeof wavelength, "Wavelength: %.12g\n", poni->wavelength);
	/* twelve digits: geometry, without the rounding of conversions */
	const int size =
	    snprintf(text, sizeof text,
		     "# Geometry of pyFAI, written by Sonde %s\n"
		     "# 1: along a column (y), 2: along a row (x); m and radians\n"
		     "poni_version: 2.1\nDetector: Detector\n"
		     "Detector_config: {\"pixel1\": %.12g, \"pixel2\": %.12g, \"max_shape\": [%lld, %lld], "
		     "\"orientation\": %d}\n"
		     "Distance: %.12g\nPoni1: %.12g\nPoni2: %.12g\nRot1: %.12g\nRot2: %.12g\nRot3: "
		     "%.12g\n%s",
		     sonde_version(), poni->pixel[0], poni->pixel[1], (long long)poni->shape[0],
		     (long long)poni->shape[1], poni->orientation, poni->distance, poni->poni[0], poni->poni[1],
		     poni->rotation[0], poni->rotation[1], poni->rotation[2], wavelength);
	return file_write(path, text, (size_t)size, overwrite);
}
