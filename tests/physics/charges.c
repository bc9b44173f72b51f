#include "physics/charges.h"

sonde_atoms *make_charges(const double *numbers, int64_t count)
{
	sonde_atoms *atoms = empty_sample();
	double *charges = malloc((size_t)count * sizeof *charges);

	assert_non_null(charges);
	for (int64_t i = 0; i < count; ++i) {
		add_atom(atoms, "X", numbers[4 * i], numbers[4 * i + 1], numbers[4 * i + 2]);
		charges[i] = numbers[4 * i + 3];
	}
	assert_int_equal(sonde_atoms_set_charges(atoms, charges), SONDE_OK);
	free(charges);
	return atoms;
}

sonde_coulomb_options grid_options(double x, double y, double z, double spacing, int nx, int ny, int nz,
				   int precision)
{
	sonde_coulomb_options options;

	sonde_coulomb_options_init(&options);
	options.origin = (sonde_vector){x, y, z};
	options.spacing = (sonde_vector){spacing, spacing, spacing};
	options.size = (sonde_vector){nx, ny, nz};
	options.units = SONDE_COULOMB_UNITS_E_A;
	options.quantity = BOTH;
	options.precision = precision;
	return options;
}

sonde_coulomb_result *solve_on(const char *device, int64_t threads, const sonde_atoms *atoms,
			       const sonde_coulomb_options *options)
{
	sonde_context *context = make_context(threads);
	sonde_coulomb_result *result = NULL;

	if (device != NULL)
		assert_int_equal(sonde_context_set_device(context, device), SONDE_OK);
	if (sonde_coulomb_run(context, atoms, options, &result) != SONDE_OK)
		fail_msg("%s", sonde_status_message());
	sonde_context_free(&context);
	return result;
}

sonde_coulomb_result *solve(const sonde_atoms *atoms, const sonde_coulomb_options *options)
{
	return solve_on(NULL, 0, atoms, options);
}

sonde_atoms *random_charges(int64_t count, double edge, double scale, double shift, bool reversed)
{
	double *numbers = malloc((size_t)count * 4 * sizeof *numbers);

	assert_non_null(numbers);
	for (int64_t i = 0; i < count; ++i) {
		int64_t to = reversed ? count - 1 - i : i;
		for (int k = 0; k < 3; ++k)
			numbers[4 * to + k] = edge * uniform_number(5, (uint64_t)(4 * i + k)) + shift;
		numbers[4 * to + 3] = scale * (uniform_number(5, (uint64_t)(4 * i + 3)) - 0.5);
	}
	sonde_atoms *atoms = make_charges(numbers, count);
	free(numbers);
	return atoms;
}

double largest_difference(const sonde_coulomb_result *a, const sonde_coulomb_result *b, double factor)
{
	double difference = 0.0, largest = 0.0;

	for (int64_t n = 0; n < a->point_count; ++n) {
		difference = fmax(difference, fabs(factor * a->potential[n] - b->potential[n]));
		largest = fmax(largest, fabs(b->potential[n]));
	}
	return difference / largest;
}

bool is_absent(void)
{
	return strstr(sonde_status_message(), "cannot be used") != NULL ||
	       strstr(sonde_status_message(), "there is no device") != NULL;
}
