/* What scripts of gnuplot share. */
#include <string.h>

#include "cli/gnuplot.h"
#include "io/picture.h"

void gnuplot_append_label(struct text *script, const char *label)
{
	static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 .,+-()/";

	for (; *label != '\0'; ++label)
		text_append_byte(script, strchr(allowed, *label) != NULL ? *label : '.');
}

static void append_palette(struct text *script, struct colour (*colour_of)(double value), double first, int steps)
{
	text_append(script, "set palette defined (");
	for (int n = 0; n <= steps; ++n) {
		double value = first + (1.0 - first) * n / steps;
		struct colour colour = colour_of(value);
		text_append(script, "%s%.6g '#%02x%02x%02x'", n > 0 ? ", " : "", value, colour.red, colour.green,
			    colour.blue);
	}
	text_append(script, ")\n");
}

void gnuplot_append_diverging(struct text *script)
{
	append_palette(script, colour_diverging, -1.0, 32);
}

void gnuplot_append_sequential(struct text *script)
{
	append_palette(script, colour_sequential, 0.0, 5);
}
