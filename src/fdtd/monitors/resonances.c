#include "fdtd/monitors/resonances.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/memory.h"
#include "fdtd/monitors/harmonics.h"

#define LEAST_SAMPLES 32
#define CORE 32   /* most basis functions of a window in which resonances are found */
#define MARGIN 12 /* and their number on either side that model the neighbors */
#define ROUNDING \
	1e-11     /* of the signal's largest sample: oscillations that are always weaker may be rounding errors */
#define NEAR 0.25 /* of the spacing of basis functions: results of two windows for one oscillation */

#define PASSES 8    /* at most */
#define SETTLED 0.1 /* of an error: a pass that changes nothing by more is the last */
#define SAME 1e-12  /* or of the value itself */
#define STRIDE 256  /* samples between exponentials computed independently of the previous one */

/* The result, the window in which it was found and the one in which it lies. The oscillations are those of positive
 * frequency: the signal, being real, also has their mirror images. */
struct found {
	struct harmonic harmonic;
	int finder, owner;
};

struct found_list {
	struct found *found;
	size_t count, capacity;
};

/* The windows: each a part of the interval, between from and to in radians per sample. */
struct windows {
	double from, to, spacing;
	int count, margin;
};

static double largest_of(const double complex *signal, size_t count)
{
	double largest = 0.0;

	for (size_t n = 0; n < count; ++n) {
		if (!isfinite(creal(signal[n])) || !isfinite(cimag(signal[n])))
			return NAN;
		largest = fmax(largest, cabs(signal[n]));
	}
	return largest;
}

static sonde_status check(const double complex *signal, size_t count, double time_step, double lowest, double highest,
			  double *largest)
{
	if (count < LEAST_SAMPLES)
		return status_fail(SONDE_INVALID, "%zu samples are too few for resonances: at least %d are needed",
				   count, LEAST_SAMPLES);
	if (!(time_step > 0.0 && isfinite(time_step)))
		return status_fail(SONDE_INVALID, "the time step %g of the signal is not above 0", time_step);
	if (!(lowest > 0.0 && lowest < highest && highest * time_step < 0.5))
		return status_fail(SONDE_INVALID,
				   "resonances cannot be searched between %g and %g: not an interval above 0 and "
				   "below half the sampling rate, %g",
				   lowest, highest, 0.5 / time_step);
	*largest = largest_of(signal, count);
	if (isnan(*largest))
		return status_fail(SONDE_INVALID,
				   "the signal has samples that are not finite: its resonances cannot be determined");
	return SONDE_OK;
}

/* In the window's core, above noise and rounding, and not broader than the window. The signal's largest sample is
 * about 1. */
static bool counts(const struct harmonic *harmonic, double from, double to, double width, size_t samples)
{
	double angle = -cimag(harmonic->exponent), growth = creal(harmonic->exponent),
	       most = cabs(harmonic->amplitude) * exp(fmax(0.0, growth * (double)samples));

	return angle >= from && angle < to && fabs(growth) < width && most > ROUNDING &&
	       cabs(harmonic->amplitude) > HARMONICS_SIGNIFICANT * harmonic->amplitude_error;
}

/* Two neighboring windows found one oscillation at their border. */
static bool twice(const struct harmonic *a, const struct harmonic *b, double spacing)
{
	double apart = cabs(a->exponent - b->exponent), errors = a->exponent_error + b->exponent_error;

	return apart < fmax(NEAR * spacing, fmin(HARMONICS_SIGNIFICANT * errors, spacing));
}

/* Adds it to the window in which it lies, unless a neighbor has already found it: then the more certain one is kept. */
static sonde_status append(struct found_list *all, const struct harmonic *harmonic, const struct windows *windows,
			   int window)
{
	int owner =
	    (int)floor((-cimag(harmonic->exponent) - windows->from) * windows->count / (windows->to - windows->from));
	struct found found = {*harmonic, window, owner < 0 ? 0 : owner < windows->count ? owner : windows->count - 1};

	for (size_t k = all->count; k-- > 0 && all->found[k].finder >= window - 1;) {
		if (all->found[k].finder == window || !twice(&all->found[k].harmonic, harmonic, windows->spacing))
			continue;
		if (harmonic->exponent_error < all->found[k].harmonic.exponent_error)
			all->found[k] = found;
		return SONDE_OK;
	}
	CHECK(memory_grow(&all->found, &all->capacity, all->count + 1, sizeof *all->found, "the list of resonances"));
	all->found[all->count++] = found;
	return SONDE_OK;
}

/* signal += sign * amplitude exp(exponent n), and its mirror image if `real`. */
static void add(double complex *signal, size_t count, const struct harmonic *harmonic, double sign, bool real)
{
	double complex factor = cexp(harmonic->exponent), value = 0.0;

	for (size_t n = 0; n < count; ++n) {
		if (n % STRIDE == 0)
			value = sign * harmonic->amplitude * cexp(harmonic->exponent * (double)n);
		signal[n] += real ? 2.0 * creal(value) : value;
		value *= factor;
	}
}

static sonde_status search_window(const struct windows *windows, int w, const double complex *signal, size_t count,
				  double overlap, struct found_list *all)
{
	struct harmonic list[HARMONICS_MOST_NODES];
	double width = (windows->to - windows->from) / windows->count, low = windows->from + width * w,
	       high = low + width;
	int nodes = (int)ceil(width / windows->spacing) + 2 * windows->margin, found;

	if (nodes > (int)(count / 2) - 1)
		nodes = (int)(count / 2) - 1;
	CHECK(harmonics_of_window(signal, count, 0.5 * (low + high), nodes, list, &found));
	if (w > 0)
		low -= overlap;
	if (w + 1 < windows->count)
		high += overlap;
	for (int k = 0; k < found; ++k)
		if (counts(&list[k], low, high, nodes * windows->spacing, count))
			CHECK(append(all, &list[k], windows, w));
	return SONDE_OK;
}

/* Whether a window contains any oscillation of the list. */
static bool bears(const struct found_list *list, int window)
{
	for (size_t k = 0; k < list->count; ++k)
		if (list->found[k].owner == window)
			return true;
	return false;
}

/* Adds a window's known oscillations back to the rest of the signal, or subtracts them. */
static void put(double complex *rest, size_t count, const struct found_list *known, int window, double sign)
{
	for (size_t k = 0; k < known->count; ++k)
		if (known->found[k].owner == window)
			add(rest, count, &known->found[k].harmonic, sign, false);
}

/* Searches all windows, each in the signal without the `known` oscillations of the others, and without mirror images.
 * `rest` is the signal without all known ones. From the third pass on, a window without any is skipped. */
static sonde_status search(const struct windows *windows, double complex *rest, size_t count, int pass,
			   const struct found_list *known, struct found_list *all)
{
	for (int w = 0; w < windows->count; ++w) {
		if (pass > 1 && !bears(known, w))
			continue;
		put(rest, count, known, w, 1.0);
		CHECK(search_window(windows, w, rest, count, pass == 0 ? 0.5 * windows->spacing : 0.0, all));
		put(rest, count, known, w, -1.0);
	}
	return SONDE_OK;
}

static bool settled(const struct found_list *before, const struct found_list *after)
{
	if (before->count != after->count)
		return false;
	for (size_t k = 0; k < after->count; ++k) {
		const struct harmonic *a = &before->found[k].harmonic, *b = &after->found[k].harmonic;
		if (!(cabs(a->exponent - b->exponent) <= SETTLED * b->exponent_error + SAME * cabs(b->exponent) &&
		      cabs(a->amplitude - b->amplitude) <= SETTLED * b->amplitude_error + SAME * cabs(b->amplitude)))
			return false;
	}
	return true;
}

/* Passes over all windows: from the second one on, oscillations found are subtracted from the other windows. */
static sonde_status search_all(const double complex *signal, size_t count, bool real, double scale,
			       const struct windows *windows, struct found_list *all)
{
	struct found_list known = {.count = 0};
	double complex *rest = NULL;
	sonde_status status;

	CHECK_GOTO(status, memory_allocate(&rest, count, sizeof *rest, "a signal"), out);
	for (int pass = 0; pass < PASSES; ++pass) {
		struct found_list before = known;
		known = *all;
		*all = before;
		all->count = 0;
		for (size_t n = 0; n < count; ++n)
			rest[n] = signal[n] / scale;
		for (size_t k = 0; k < known.count; ++k)
			add(rest, count, &known.found[k].harmonic, -1.0, real);
		CHECK_GOTO(status, search(windows, rest, count, pass, &known, all), out);
		if (settled(&known, all))
			break;
	}
out:
	free(known.found);
	free(rest);
	return status;
}

/* A real signal has half of an amplitude at a frequency, and half at its opposite. */
static struct resonance resonance_of(const struct harmonic *harmonic, double time_step, double scale)
{
	double angle = -cimag(harmonic->exponent), decay = -creal(harmonic->exponent);

	return (struct resonance){
	    .frequency = angle / (2.0 * M_PI * time_step),
	    .decay = decay / time_step,
	    .quality = decay == 0.0 ? INFINITY : 0.5 * angle / decay,
	    .amplitude = scale * harmonic->amplitude,
	    .frequency_error = harmonic->exponent_error / (2.0 * M_PI * time_step),
	    .decay_error = harmonic->exponent_error / time_step,
	    .amplitude_error = scale * harmonic->amplitude_error,
	};
}

static int by_frequency(const void *a, const void *b)
{
	double x = ((const struct resonance *)a)->frequency, y = ((const struct resonance *)b)->frequency;

	return (x > y) - (x < y);
}

static struct windows cut(size_t count, double from, double to)
{
	double spacing = 4.0 * M_PI / (double)count, cells = (to - from) / spacing;
	struct windows windows = {from, to, spacing, .count = 1, .margin = count < 8 * MARGIN ? 2 : MARGIN};

	if (cells > HARMONICS_MOST_NODES - 2 * windows.margin - 1)
		windows.count = (int)ceil(cells / CORE);
	return windows;
}

sonde_status resonances_find_complex(const double complex *signal, size_t count, bool real, double time_step,
				     double lowest_frequency, double highest_frequency, struct resonance **list,
				     size_t *found)
{
	struct found_list all = {.count = 0};
	double largest = 0.0, turn = 2.0 * M_PI * time_step;
	sonde_status status;

	*list = NULL;
	*found = 0;
	CHECK(check(signal, count, time_step, lowest_frequency, highest_frequency, &largest));
	if (largest == 0.0)
		return SONDE_OK;
	struct windows windows = cut(count, turn * lowest_frequency, turn * highest_frequency);
	CHECK_GOTO(status, search_all(signal, count, real, largest, &windows, &all), out);
	if (all.count == 0)
		goto out;
	CHECK_GOTO(status, memory_allocate(list, all.count, sizeof **list, "the list of resonances"), out);
	for (size_t k = 0; k < all.count; ++k)
		(*list)[k] = resonance_of(&all.found[k].harmonic, time_step, real ? 2.0 * largest : largest);
	qsort(*list, all.count, sizeof **list, by_frequency);
	*found = all.count;
out:
	free(all.found);
	return status;
}

sonde_status resonances_find(const double *signal, size_t count, double time_step, double lowest_frequency,
			     double highest_frequency, struct resonance **list, size_t *found)
{
	double complex *numbers;

	*list = NULL;
	*found = 0;
	CHECK(memory_allocate(&numbers, count, sizeof *numbers, "a signal"));
	for (size_t n = 0; n < count; ++n)
		numbers[n] = signal[n];
	sonde_status status = resonances_find_complex(numbers, count, true, time_step, lowest_frequency,
						      highest_frequency, list, found);
	free(numbers);
	return status;
}
