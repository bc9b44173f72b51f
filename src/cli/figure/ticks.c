#include "cli/figure/ticks.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/figure/figure.h"

#define LARGE 1e5 /* from here, and below SMALL, numbers have a common factor */
#define SMALL 1e-3

void ticks_power(int exponent, char *label, int size)
{
	static const char *const digits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
	char number[16];

	snprintf(number, sizeof number, "%d", exponent);
	snprintf(label, (size_t)size, "10");
	for (const char *c = number; *c != '\0'; ++c) {
		const size_t length = strlen(label);
		snprintf(label + length, (size_t)size - length, "%s", *c == '-' ? "⁻" : digits[*c - '0']);
	}
}

/* A number with a true minus sign. */
static void write_number(double value, int decimals, char *label, size_t size)
{
	char number[20];

	snprintf(number, sizeof number, "%.*f", decimals, fabs(value));
	snprintf(label, size, "%s%s", value < 0.0 ? "−" : "", number);
}

/* 1, 2 or 5 times a power of ten, so that about `wanted` fit. */
static double choose_step(double length, int wanted)
{
	const double least = length / fmax(wanted, 1), power = pow(10.0, floor(log10(least)));

	return power * (least <= power * 1.0001         ? 1.0
			: least <= 2.0 * power * 1.0001 ? 2.0
			: least <= 5.0 * power * 1.0001 ? 5.0
							: 10.0);
}

void ticks_linear(double low, double high, int wanted, struct ticks *ticks)
{
	const double step = choose_step(high - low, wanted), most = fmax(fabs(low), fabs(high));
	double factor = 1.0;

	memset(ticks, 0, sizeof *ticks);
	/* numbers that are large only compared with their differences keep their digits */
	if (most >= LARGE * 1.0001 || most < SMALL) {
		const int exponent = (int)floor(log10(most));
		factor = pow(10.0, exponent);
		snprintf(ticks->factor, sizeof ticks->factor, "×");
		ticks_power(exponent, ticks->factor + strlen(ticks->factor),
			    (int)(sizeof ticks->factor - strlen(ticks->factor)));
	}
	const int decimals = (int)fmin(fmax(0.0, -floor(log10(step / factor) + 1e-9)), 9.0);
	const double begin = ceil(low / step - 1e-6), end = floor(high / step + 1e-6);
	for (double k = begin; k <= end && ticks->count < TICKS_MOST; k += 1.0) {
		ticks->at[ticks->count] = k * step;
		write_number(k == 0.0 ? 0.0 : k * step / factor, decimals, ticks->labels[ticks->count],
			     sizeof ticks->labels[0]);
		++ticks->count;
	}
}

static void add(struct ticks *ticks, double at, const char *label)
{
	if (ticks->count == TICKS_MOST)
		return;
	ticks->at[ticks->count] = at;
	snprintf(ticks->labels[ticks->count++], sizeof ticks->labels[0], "%s", label);
}

/* Less than a decade, or little more: numbers, not powers. */
static void add_numbers(double low, double high, struct ticks *ticks)
{
	char label[FIGURE_NUMBER];

	for (int decade = (int)floor(log10(low)); decade <= (int)floor(log10(high) + 1e-9); ++decade)
		for (int digit = 1; digit < 10; ++digit) {
			const double at = digit * pow(10.0, decade);
			if (at < low * 0.999999 || at > high * 1.000001)
				continue;
			if (decade >= -3 && decade < 5)
				write_number(at, decade < 0 ? -decade : 0, label, sizeof label);
			else
				figure_number(at, label);
			add(ticks, at, high < 4.0 * low || digit == 1 || digit == 2 || digit == 5 ? label : "");
		}
}

void ticks_logarithmic(double low, double high, int wanted, struct ticks *ticks)
{
	const double decades = log10(high / low);
	char label[24];

	memset(ticks, 0, sizeof *ticks);
	if (decades < 0.3) { /* nearly linear */
		ticks_linear(low, high, wanted, ticks);
		return;
	}
	if (decades < 1.7) {
		add_numbers(low, high, ticks);
		return;
	}
	const int each = (int)ceil(decades / fmax(wanted, 1));
	for (int decade = (int)floor(log10(low) + 1e-9); decade <= (int)floor(log10(high) + 1e-9); ++decade)
		for (int digit = 1; digit < (each == 1 && decades < 9.0 ? 10 : 2); ++digit) {
			const double at = digit * pow(10.0, decade);
			if (at < low * 0.999999 || at > high * 1.000001)
				continue;
			ticks_power(decade, label, sizeof label);
			add(ticks, at, digit == 1 && decade % each == 0 ? label : "");
		}
}

const char *figure_number(double value, char *buffer)
{
	char number[16], power[24];
	int exponent;

	snprintf(number, sizeof number, "%.4g", fabs(value));
	char *e = strchr(number, 'e');
	if (e == NULL || sscanf(e + 1, "%d", &exponent) != 1) {
		snprintf(buffer, FIGURE_NUMBER, "%s%s", value < 0.0 ? "−" : "", number);
		return buffer;
	}
	*e = '\0';
	ticks_power(exponent, power, sizeof power);
	const bool one = strcmp(number, "1") == 0;
	snprintf(buffer, FIGURE_NUMBER, "%s%s%s%.20s", value < 0.0 ? "−" : "", one ? "" : number, one ? "" : "×",
		 power);
	return buffer;
}
