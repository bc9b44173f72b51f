#include "physics/transport.h"

/* Thresholds of the elements that a target of one material has, of "C=28,Si=15". */
static void choose(const char *all, const char *target, char *option, size_t size)
{
	char element[8] = "";
	size_t letters = strcspn(target, "@:");

	option[0] = '\0';
	if (letters >= sizeof element - 1 || strchr(target, '/') != NULL)
		return;
	snprintf(element, sizeof element, "%.*s=", (int)letters, target);
	const char *found = strstr(all, element);
	if (found != NULL)
		snprintf(option, size, "%.*s", (int)strcspn(found, ","), found);
}

sonde_ions_options ion_options(const char *ion, const char *energy, const char *target, int64_t number)
{
	sonde_ions_options options;

	sonde_ions_options_init(&options);
	snprintf(options.ion, sizeof options.ion, "%s", ion);
	snprintf(options.energy, sizeof options.energy, "%s", energy);
	snprintf(options.target, sizeof options.target, "%s", target);
	choose(THRESHOLDS, target, options.displacement, sizeof options.displacement);
	choose(LOSSES, target, options.lattice, sizeof options.lattice);
	options.stopping = SONDE_IONS_STOPPING_SRIM13;
	options.straggling = SONDE_IONS_STRAGGLING_NONE;
	options.number = number;
	return options;
}

int64_t ions_for_device(int64_t number)
{
	const char *device = getenv("SONDE_TEST_DEVICE");
	bool slow = device != NULL && (strcmp(device, "emulated") == 0 || strncmp(device, "opencl", 6) == 0);

	return slow && number > 512 ? (number / 8 > 512 ? number / 8 : 512) : number;
}

static void check_run(sonde_context *context, const sonde_ions_options *options, sonde_status status)
{
	if (status != SONDE_OK)
		fail_msg("%s in %s: %s", options->ion, options->target, sonde_status_message());
	if (sonde_context_notes(context)[0] != '\0')
		fail_msg("%s", sonde_context_notes(context));
}

static sonde_ions_result *run_ions(sonde_context *context, const sonde_ions_options *options)
{
	sonde_ions_result *result = NULL;

	check_run(context, options, sonde_ions_run(context, options, &result));
	return result;
}

sonde_ions_result *follow_on(const char *device, int64_t threads, const sonde_ions_options *options)
{
	sonde_context *context = make_context(threads);

	if (device != NULL)
		assert_int_equal(sonde_context_set_device(context, device), SONDE_OK);
	sonde_ions_result *result = run_ions(context, options);
	sonde_context_free(&context);
	return result;
}

sonde_ions_result *follow(const sonde_ions_options *options)
{
	/* one for all, since devices are tested when they are used first */
	static sonde_context *context;

	if (context == NULL)
		context = make_context(0);
	return run_ions(context, options);
}

sonde_ions_result *follow_job(const sonde_ions_job *job)
{
	sonde_context *context = make_context(0);
	sonde_ions_result *result = NULL;

	check_run(context, &job->options, sonde_ions_job_run(context, job, NULL, 0, &result));
	sonde_context_free(&context);
	return result;
}

bool is_usable(const char *name)
{
	sonde_context *context = make_context(1);
	sonde_device_description device;
	bool usable = false;
	int found = 0;

	assert_int_equal(sonde_context_set_device(context, "cpu"), SONDE_OK);
	for (int k = 0; sonde_context_describe_device(context, k, &device, &found) == SONDE_OK && found; ++k)
		usable = usable || (strcmp(device.name, name) == 0 && device.usable);
	sonde_context_free(&context);
	return usable;
}

double total_of(const sonde_ions_result *result, const char *name)
{
	double sum = 0.0;
	int found = 0;

	for (int k = 0; k < result->tally_count; ++k) {
		if (strcmp(result->tallies[k].name, name) != 0)
			continue;
		sum += result->tallies[k].total.value;
		++found;
	}
	if (found == 0)
		fail_msg("there is no tally '%s'", name);
	return sum;
}

const sonde_ions_tally *tally_of(const sonde_ions_result *result, const char *name, const char *of)
{
	for (int k = 0; k < result->tally_count; ++k)
		if (strcmp(result->tallies[k].name, name) == 0 && strcmp(result->tallies[k].of, of) == 0)
			return &result->tallies[k];
	fail_msg("there is no tally '%s' of '%s'", name, of);
	return NULL;
}

static bool differ(const void *a, const void *b, size_t size)
{
	return memcmp(a, b, size) != 0;
}

static const char *different_tally(const sonde_ions_tally *a, const sonde_ions_tally *b, size_t cells)
{
	if (strcmp(a->name, b->name) != 0 || strcmp(a->of, b->of) != 0)
		return "order of tallies";
	if (differ(&a->total, &b->total, sizeof a->total))
		return a->name;
	if (cells > 0 && (differ(a->values, b->values, cells * sizeof(double)) ||
			  differ(a->errors, b->errors, cells * sizeof(double))))
		return a->name;
	return NULL;
}

static bool different_exits(const sonde_ions_result *a, const sonde_ions_result *b)
{
	if (a->exit_count != b->exit_count || a->exits_left_out != b->exits_left_out)
		return true;
	for (int64_t k = 0; k < a->exit_count; ++k) {
		const sonde_ions_exit *x = &a->exits[k], *y = &b->exits[k];
		if (x->ion != y->ion || x->kind != y->kind || x->fate != y->fate ||
		    differ(&x->energy, &y->energy, sizeof x->energy) ||
		    differ(x->position, y->position, sizeof x->position) ||
		    differ(x->direction, y->direction, sizeof x->direction))
			return true;
	}
	return false;
}

const char *difference(const sonde_ions_result *a, const sonde_ions_result *b, bool whole)
{
	const struct {
		const char *name;
		size_t offset;
	} estimates[] = {{"range", offsetof(sonde_ions_result, range)},
			 {"straggling", offsetof(sonde_ions_result, straggling)},
			 {"skewness", offsetof(sonde_ions_result, skewness)},
			 {"kurtosis", offsetof(sonde_ions_result, kurtosis)},
			 {"lateral range", offsetof(sonde_ions_result, lateral_range)},
			 {"lateral straggling", offsetof(sonde_ions_result, lateral_straggling)},
			 {"radial range", offsetof(sonde_ions_result, radial_range)},
			 {"path", offsetof(sonde_ions_result, path)},
			 {"sputtered", offsetof(sonde_ions_result, sputtered)},
			 {"vacancies", offsetof(sonde_ions_result, vacancies)},
			 {"replacements", offsetof(sonde_ions_result, replacements)}};
	size_t cells = whole ? 0 : (size_t)(a->size[0] * a->size[1] * a->size[2]);

	if (a->ions != b->ions || a->implanted != b->implanted || a->backscattered != b->backscattered ||
	    a->transmitted != b->transmitted)
		return "numbers of ions";
	for (size_t k = 0; k < sizeof estimates / sizeof *estimates; ++k)
		if (differ((const char *)a + estimates[k].offset, (const char *)b + estimates[k].offset,
			   sizeof(sonde_estimate)))
			return estimates[k].name;
	if (a->tally_count != b->tally_count || (!whole && differ(a->size, b->size, sizeof a->size)))
		return "cells";
	for (int k = 0; k < a->tally_count; ++k) {
		const char *found = different_tally(&a->tallies[k], &b->tallies[k], cells);
		if (found != NULL)
			return found;
	}
	if (a->spectrum_count != b->spectrum_count ||
	    differ(a->spectra, b->spectra, (size_t)(a->spectrum_count * (a->kind_count - 1)) * sizeof *a->spectra))
		return "spectra";
	for (int k = 0; k < a->leaving_count; ++k)
		if (a->leaving[k].count != b->leaving[k].count ||
		    differ(&a->leaving[k].number, &b->leaving[k].number, 4 * sizeof(sonde_estimate)) ||
		    differ(a->leaving[k].energies, b->leaving[k].energies,
			   (size_t)a->spectrum_count * sizeof(double)) ||
		    differ(a->leaving[k].cosines, b->leaving[k].cosines, (size_t)a->cosine_count * sizeof(double)))
			return "what leaves";
	if (differ(a->collisions, b->collisions, sizeof a->collisions) || a->energy_left != b->energy_left ||
	    a->energy_in != b->energy_in)
		return "collisions and energies";
	return different_exits(a, b) ? "exits" : NULL;
}

void check_estimate(const char *what, sonde_estimate found, double expected, double error, double share)
{
	double allowed = share * fabs(expected) + 3.0 * hypot(found.error, error);

	print_message("%s: %.6g +- %.2g, expected %.6g +- %.2g: %+.2f %%\n", what, found.value, found.error, expected,
		      error, 100.0 * (found.value / expected - 1.0));
	if (!(fabs(found.value - expected) <= allowed))
		fail_msg("%s: %.6g +- %.2g instead of %.6g +- %.2g, beyond %.2g", what, found.value, found.error,
			 expected, error, allowed);
}
