#include "physics/fields_helper.h"

void succeed(sonde_status status)
{
	if (status != SONDE_OK)
		fail_msg("%s", sonde_status_message());
}

struct device *test_device(void)
{
	static struct device *device;
	const char *name = getenv("SONDE_TEST_DEVICE");
	const struct device_settings settings = {.kernel_cache = ""};

	if (device == NULL)
		succeed(device_open(name != NULL && name[0] != '\0' ? name : "cpu", &settings, &device));
	return device;
}

struct fdtd_grid open_grid(int x, int y, int z, double courant, int layer)
{
	const struct absorbing_layer one = absorbing_layer_of(layer);

	return (struct fdtd_grid){.cells = {x, y, z},
				  .courant = {courant, courant, courant},
				  .layers = {{one, one}, {one, one}, {one, one}}};
}

struct media media_of(const struct fdtd_grid *grid, int edges)
{
	struct media media;

	succeed(media_make(grid, edges, 0, &media));
	return media;
}

void step_fields(struct fields *fields)
{
	for (int field = FIELD_H; field >= FIELD_E; --field) {
		succeed(fields_step(fields, (enum field)field, 0, fields->layout.end[0]));
		succeed(fields_close(fields, (enum field)field, 0, fields->layout.end[0]));
	}
}

double *component_of(struct fields *fields, enum field field, int component)
{
	const int *cells = fields->grid.cells;
	double *values = malloc((media_at(&fields->grid, cells[0], cells[1], cells[2]) + 1) * sizeof *values);

	assert_non_null(values);
	succeed(fields_read(fields, field, component, values));
	return values;
}

double golden_number(size_t n)
{
	double x = (double)(n % 1000003) * 0.6180339887498949;

	return x - floor(x);
}

void current_make(struct fields *fields, const struct media *media, int component, const int node[3],
		  struct point_current *source)
{
	struct injection_terms terms = {0};
	size_t at = media_at(&fields->grid, node[0], node[1], node[2]);
	uint16_t number = media_number(media->edges[component], at);

	succeed(injection_add(&terms, fields_place(fields, component, node[0], node[1], node[2]), 0,
			      -medium_step_of_e(&media->media[number]).second));
	succeed(injection_make(fields, FIELD_E, &terms, 1, 1, &source->injection));
	free(terms.terms);
}

void current_apply(struct fields *fields, struct point_current *source, double value)
{
	succeed(injection_write(fields, &source->injection, &value, 1));
	succeed(injection_apply(fields, &source->injection, 0, 0, fields->layout.end[0]));
}

double pulse_at(const void *user, double time)
{
	const struct pulse *pulse = user;
	double t = (time - pulse->middle) / pulse->width;

	return sin(pulse->angular_frequency * (time - pulse->middle)) * exp(-0.5 * t * t);
}

struct pulse pulse_of_band(double low, double high, double sharpness)
{
	double width = sharpness / (0.5 * (high - low));

	return (struct pulse){0.5 * (low + high), width, 5.5 * width};
}
