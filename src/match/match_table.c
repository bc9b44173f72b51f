/* Tables of weights, and of weights against the number of a curve. */
#include "match/match_table.h"

#include <math.h>

/* Names of candidates may contain separators. */
static void append_name(bool csv, const char *name, struct text *text)
{
	if (csv)
		text_append(text, "\"");
	for (; *name != '\0'; ++name)
		text_append_byte(text,
				 csv ? (*name == '"' ? '\'' : *name) : (*name == ' ' || *name == '\t' ? '_' : *name));
	if (csv)
		text_append(text, "\"");
}

static void append_numbers(bool csv, const double *values, int count, struct text *text)
{
	for (int k = 0; k < count; ++k) {
		text_append_byte(text, csv ? ',' : ' ');
		text_append_real(text, values[k]);
	}
}

/* As "strain of gold 7". */
static void append_parameter(bool csv, const struct match_parameter *parameter, struct text *text)
{
	struct text name = {0};

	text_append(&name, "%s%s%s", parameter->name, parameter->of[0] != '\0' ? " of " : "", parameter->of);
	append_name(csv, name.bytes != NULL ? name.bytes : parameter->name, text);
	text_free(&name);
}

static void append_error_names(bool intervals, const char *separator, struct text *text)
{
	text_append(text, "%serror", separator);
	if (intervals)
		text_append(text, "%slow%shigh", separator, separator);
}

/* Of each item its value, error, and ends of the interval, the latter of which may be null. */
static void append_values(bool csv, const double *const columns[4], int64_t first, int64_t count, struct text *text)
{
	for (int64_t k = first; k < first + count; ++k)
		for (int c = 0; c < 4 && columns[c] != NULL; ++c)
			append_numbers(csv, &columns[c][k], 1, text);
}

static void append_series(const struct match_result *result, bool csv, struct text *text)
{
	const struct match_series *series = &result->series;
	const char *separator = csv ? "," : " ";

	text_append(text, "file");
	for (int d = 0; d < series->further; ++d)
		text_append(text, "%sfile_%d", separator, d + 2);
	for (int64_t k = 0; k < series->candidates; ++k) {
		text_append(text, "%s", separator);
		append_name(csv, series->entries[k].name, text);
		append_error_names(series->low != NULL, separator, text);
	}
	for (int k = 0; k < series->parameter_count; ++k) {
		text_append(text, "%s", separator);
		append_parameter(csv, &series->parameter[k], text);
		append_error_names(series->low != NULL, separator, text);
	}
	text_append(text, "%schi_square%sRwp\n", separator, separator);
	for (int64_t n = 0; n < series->count; ++n) {
		append_name(csv, series->paths[n], text);
		for (int d = 0; d < series->further; ++d) {
			text_append(text, "%s", separator);
			append_name(csv, series->further_paths[d * series->count + n], text);
		}
		append_values(csv,
			      (const double *const[]){series->weights, series->errors, series->low, series->high},
			      n * series->candidates, series->candidates, text);
		if (series->parameter_count > 0)
			append_values(csv,
				      (const double *const[]){series->values, series->value_errors, series->value_low,
							      series->value_high},
				      n * series->parameter_count, series->parameter_count, text);
		const double last[2] = {series->chi_square[n], series->rwp[n]};
		append_numbers(csv, last, 2, text);
		text_append(text, "\n");
	}
}

void match_table_append(const struct match_result *result, bool csv, struct text *text)
{
	const char *s = csv ? "," : " ";

	if (result->series.count > 0) {
		append_series(result, csv, text);
		return;
	}
	for (int k = 0; k < result->parameter_count; ++k) {
		const struct match_parameter *parameter = &result->parameter[k];
		text_append(text, "# %s%s%s = %.9g +- %.3g %s%s", parameter->name,
			    parameter->of[0] != '\0' ? " of " : "", parameter->of, parameter->value, parameter->error,
			    parameter->unit, parameter->at_bound ? ", at its bound" : "");
		if (!isnan(parameter->interval[0]))
			text_append(text, " (%.9g to %.9g)", parameter->interval[0], parameter->interval[1]);
		text_append(text, "\n");
	}
	text_append(
	    text, "candidate%sname%skey%satoms%ssize%sweight%serror%slow%shigh%sfraction%sinflation%salternatives\n",
	    s, s, s, s, s, s, s, s, s, s, s);
	for (int k = 0; k < result->weight_count; ++k) {
		const struct match_weight *weight = &result->weights[k];
		const double numbers[] = {weight->entry.size, weight->weight,   weight->error,    weight->low,
					  weight->high,       weight->fraction, weight->inflation};
		text_append(text, "%lld%s", (long long)weight->candidate + 1, s);
		append_name(csv, weight->entry.name, text);
		text_append(text, "%s%s%s%llu", s, weight->entry.key[0] != '\0' ? weight->entry.key : "-", s,
			    (unsigned long long)weight->entry.atoms);
		append_numbers(csv, numbers, sizeof numbers / sizeof *numbers, text);
		text_append(text, "%s%lld\n", s, (long long)weight->alternative_count);
	}
}
