/* Volumes of bodies on the grid: sums of the permittivity over nodes against closed forms. At a small contrast all averages at
 * surfaces are the same, the fraction of a cell that the body fills. At a large one the average across a surface is that of the
 * inverse permittivity, which is smaller: a sum of permittivities is then not a volume, and is too small in proportion to the
 * surface of the body. */
#include "physics/fdtd_job.h"
#include "physics/physics.h"

#define NM 1e-9
#define CELL (15 * NM)
#define BOX (450 * NM)
#define PI 3.14159265358979323846

/* (sum of permittivities - 1)/(permittivity - 1) times the volume of a cell, in nm^3. */
static double sum_volume(double permittivity, const sonde_body_options *body)
{
	struct fdtd_job made;
	sonde_context *context = make_context(1);
	double sum = 0.0;

	fdtd_job_begin(&made, BOX, BOX, BOX, CELL);
	made.job.options.time = 0.1e-15;
	sonde_fdtd_material_options *glass = fdtd_job_add_material(&made, "glass");
	glass->permittivity = (sonde_vector){permittivity, permittivity, permittivity};
	*fdtd_job_add_body(&made, body->shape, "glass") = *body;
	sonde_fdtd_source_options *source = fdtd_job_add_source(&made, SONDE_FDTD_SOURCE_KIND_DIPOLE);
	source->frequency = 400e12;
	source->bandwidth = 200e12;
	sonde_fdtd_monitor_options *monitor = fdtd_job_add_monitor(&made, SONDE_FDTD_MONITOR_KIND_FIELDS);
	monitor->frequencies = (sonde_grid){400e12, 400e12, 1};
	monitor->size = (sonde_vector){BOX - 2 * CELL, BOX - 2 * CELL, BOX - 2 * CELL};
	sonde_fdtd_result *result = fdtd_job_run(context, &made);
	const sonde_fdtd_array *array = fdtd_array_of(result, 0, "permittivity");
	int64_t count = 1;
	for (int k = 0; k < array->rank; ++k)
		count *= array->sizes[k];
	for (int64_t n = 0; n < count; ++n)
		sum += (array->values[n] - 1.0) / (permittivity - 1.0);
	sonde_fdtd_result_free(&result);
	sonde_context_free(&context);
	return sum * CELL * CELL * CELL / (NM * NM * NM);
}

static sonde_body_options body_of(int shape, double edge, double radius, double height)
{
	sonde_body_options body;

	sonde_body_init(&body);
	body.shape = shape;
	snprintf(body.material, sizeof body.material, "glass");
	body.edge = edge * NM;
	body.radius = radius * NM;
	body.height = height * NM;
	/* no body fits the grid */
	body.center = (sonde_vector){1.3 * NM, -2.1 * NM, 3.7 * NM};
	return body;
}

/* Ino's decahedron, from its corners at the distance R around the axis: five faces (100) of the height h, and caps of the faces
 * (111), which rise by R/sqrt(3) toward the axis. */
static double decahedron(double radius, double height)
{
	return 2.5 * sin(0.4 * PI) * radius * radius * (height + 2.0 / 3.0 * radius / sqrt(3.0));
}

static void test_volumes_are_those_of_the_shapes(void **state)
{
	const struct {
		const char *name;
		sonde_body_options body;
		double volume;
	} cases[] = {
	    {"sphere", body_of(SONDE_BODY_SHAPE_SPHERE, 0, 150, 0), 4.0 / 3.0 * PI * 150 * 150 * 150},
	    {"octahedron", body_of(SONDE_BODY_SHAPE_OCTAHEDRON, 260, 0, 0), sqrt(2.0) / 3.0 * 260 * 260 * 260},
	    {"icosahedron", body_of(SONDE_BODY_SHAPE_ICOSAHEDRON, 160, 0, 0),
	     5.0 / 12.0 * (3.0 + sqrt(5.0)) * 160 * 160 * 160},
	    {"decahedron", body_of(SONDE_BODY_SHAPE_DECAHEDRON, 0, 150, 120), decahedron(150, 120)},
	    {"bipyramid", body_of(SONDE_BODY_SHAPE_DECAHEDRON, 0, 180, 0), decahedron(180, 0)},
	};
	(void)state;

	for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k)
		for (int turned = 0; turned < (cases[k].body.shape == SONDE_BODY_SHAPE_SPHERE ? 1 : 2); ++turned) {
			sonde_body_options body = cases[k].body;
			if (turned)
				body.rotation = (sonde_vector){10, 20, 30};
			const double volume = sum_volume(1.01, &body);
			print_message("%s%s: %+.1e\n", cases[k].name, turned ? ", turned" : "",
				      volume / cases[k].volume - 1.0);
			if (fabs(volume / cases[k].volume - 1.0) > 5e-4)
				fail_msg("%s has the volume %g instead of %g", cases[k].name, volume,
					 cases[k].volume);
		}
}

/* Twinned bodies lose as much as a sphere of the same surface: in a cell cut by a plane, with the filled part f, the average
 * across is 1/(f/12 + 1 - f), and the mean over all f is 12 ln(12)/11 = 2.71 instead of 6.5. Of the three components one is across, so
 * that a surface along the grid loses (6.5 - 2.71)/(3 (12 - 1)) = 0.115 cells, and an oblique one, whose cells are thicker, up to
 * sqrt(3) times as much. */
static void test_dense_bodies_lose_a_part_of_their_surface_layer(void **state)
{
	const double edge = 160, radius = 150;
	const sonde_body_options bodies[2] = {body_of(SONDE_BODY_SHAPE_SPHERE, 0, radius, 0),
					      body_of(SONDE_BODY_SHAPE_ICOSAHEDRON, edge, 0, 0)};
	const double volumes[2] = {4.0 / 3.0 * PI * radius * radius * radius,
				   5.0 / 12.0 * (3.0 + sqrt(5.0)) * edge * edge * edge},
		     surfaces[2] = {4.0 * PI * radius * radius, 5.0 * sqrt(3.0) * edge * edge};
	double layers[2];
	(void)state;

	for (int k = 0; k < 2; ++k) {
		layers[k] = (volumes[k] - sum_volume(12.0, &bodies[k])) / (surfaces[k] * CELL / NM);
		print_message("lost: %.3f cells of the surface\n", layers[k]);
		assert_true(layers[k] > 0.115 && layers[k] < 0.115 * sqrt(3.0));
	}
	assert_true(fabs(layers[1] / layers[0] - 1.0) < 0.05);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_volumes_are_those_of_the_shapes),
	    cmocka_unit_test(test_dense_bodies_lose_a_part_of_their_surface_layer),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
