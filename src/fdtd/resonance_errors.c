#include "fdtd/resonance_errors.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#define ALIKE 5.0    /* times the expected difference: up to this, a resonance of the companion is the same one */
#define SURFACE M_PI /* a phase by which surfaces are displaced, over that of a wave between two of them */

double resonance_shift(const struct resonance_causes *causes, double frequency)
{
	const double part = causes->highest > 0.0 ? fmin(1.0, frequency / causes->highest) : 1.0;

	return causes->dispersion * part * part + causes->surfaces * pow(part, causes->order) / SURFACE +
	       causes->size;
}

/* The arrays of a monitor, values and errors; null: it has no resonances. */
struct columns {
	int64_t count;
	double *frequency, *frequency_error, *decay, *decay_error, *quality, *quality_error, *amplitude,
	    *amplitude_error;
};

static double *column(const sonde_fdtd_monitor *monitor, const char *name, int64_t *count)
{
	const sonde_fdtd_array *array = sonde_fdtd_find_array(monitor, name);

	*count = array != NULL ? array->sizes[0] : 0;
	return array != NULL ? array->values : NULL;
}

static struct columns columns_of(const sonde_fdtd_monitor *monitor)
{
	struct columns found = {0};

	if (strcmp(monitor->kind, "resonances") != 0)
		return found;
	found.frequency = column(monitor, "frequency", &found.count);
	found.frequency_error = column(monitor, "frequency-error", &found.count);
	found.decay = column(monitor, "decay", &found.count);
	found.decay_error = column(monitor, "decay-error", &found.count);
	found.quality = column(monitor, "quality", &found.count);
	found.quality_error = column(monitor, "quality-error", &found.count);
	found.amplitude = column(monitor, "amplitude", &found.count);
	found.amplitude_error = column(monitor, "amplitude-error", &found.count);
	return found;
}

/* The nearest one of another run; -1: it has none that is as near as `within`, Hz. */
static int64_t find_alike(const struct columns *others, double frequency, double within)
{
	int64_t nearest = -1;

	for (int64_t n = 0; n < others->count; ++n)
		if (fabs(others->frequency[n] - frequency) <= within) {
			within = fabs(others->frequency[n] - frequency);
			nearest = n;
		}
	return nearest;
}

/* Q = pi f/decay. */
static double quality_error(const struct columns *all, int64_t n)
{
	return fabs(all->quality[n]) *
	       hypot(all->frequency_error[n] / all->frequency[n], all->decay_error[n] / all->decay[n]);
}

static void add_to_one(const struct resonance_causes *causes, double part, const struct columns *others,
		       const struct columns *all, int64_t n, double *most)
{
	const double f = all->frequency[n], shift = resonance_shift(causes, f);
	const int64_t k = find_alike(others, f, ALIKE * f * shift / fmin(part, 1.0) + all->frequency_error[n]);
	double off = shift * f, off_decay = shift * fabs(all->decay[n]), off_amplitude = shift * all->amplitude[n];

	if (k >= 0) {
		off = part * fabs(others->frequency[k] - f);
		off_decay = part * fabs(others->decay[k] - all->decay[n]);
		off_amplitude = part * fabs(others->amplitude[k] - all->amplitude[n]);
		*most = fmax(*most, off / f);
	}
	all->frequency_error[n] = hypot(all->frequency_error[n], off);
	all->decay_error[n] = hypot(all->decay_error[n], off_decay);
	all->amplitude_error[n] = hypot(all->amplitude_error[n], off_amplitude);
	all->quality_error[n] = quality_error(all, n);
}

void resonance_errors_add(const struct resonance_causes *causes, double part, const sonde_fdtd_result *companion,
			  sonde_fdtd_result *result, double *most)
{
	for (int m = 0; m < result->monitor_count; ++m) {
		const struct columns all = columns_of(&result->monitors[m]);
		struct columns others = {0};
		if (companion != NULL && m < companion->monitor_count)
			others = columns_of(&companion->monitors[m]);
		for (int64_t n = 0; n < all.count; ++n)
			add_to_one(causes, part, &others, &all, n, most);
	}
}
