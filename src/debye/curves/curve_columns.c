/* The columns of a table, chosen by name. */
#include "debye/curves/curve_columns.h"

#include <stdio.h>
#include <string.h>

#include "debye/curves/curve_values.h"
#include "debye/curves/derived_curves.h"

#define MOST_NAMED 14 /* species whose partials are listed in messages */
#define NAME_SIZE 64  /* of a partial: two labels and more */

static const struct {
	const char *name;
	enum curve curve;
} names[] = {{"q", CURVE_Q},
	     {"I", CURVE_I},
	     {"I_per_atom", CURVE_I_PER_ATOM},
	     {"S", CURVE_S},
	     {"F", CURVE_F},
	     {"error_estimate", CURVE_ERROR_ESTIMATE},
	     {"error_bound", CURVE_ERROR_BOUND},
	     {"mean_square_amplitude", CURVE_MEAN_SQUARE},
	     {"square_mean_amplitude", CURVE_SQUARE_MEAN},
	     {"r", CURVE_R},
	     {"G", CURVE_G},
	     {"R", CURVE_RADIAL},
	     {"g", CURVE_CORRELATION},
	     {"I_corrected", CURVE_CORRECTED},
	     {"two_theta", CURVE_TWO_THETA},
	     {"I_resolved", CURVE_RESOLVED},
	     {"I_compton", CURVE_COMPTON},
	     {"I_total", CURVE_TOTAL},
	     {"I_absolute", CURVE_ABSOLUTE},
	     {"S_NN", CURVE_S_NN},
	     {"S_NC", CURVE_S_NC},
	     {"S_CC", CURVE_S_CC},
	     {"D", CURVE_D},
	     {"T", CURVE_T},
	     {"n", CURVE_COORDINATION},
	     {"standard_error", CURVE_STANDARD_ERROR},
	     {"S_standard_error", CURVE_S_STANDARD_ERROR},
	     {"F_standard_error", CURVE_F_STANDARD_ERROR},
	     {"G_standard_error", CURVE_G_STANDARD_ERROR},
	     {"I_resolved_standard_error", CURVE_RESOLVED_STANDARD_ERROR},
	     {"I_absolute_standard_error", CURVE_ABSOLUTE_STANDARD_ERROR},
	     {"measured", CURVE_MEASURED},
	     {"measured_error", CURVE_MEASURED_ERROR},
	     {"fit", CURVE_FIT},
	     {"background", CURVE_BACKGROUND},
	     {"residual", CURVE_RESIDUAL},
	     {"R_standard_error", CURVE_RADIAL_STANDARD_ERROR},
	     {"n_standard_error", CURVE_COORDINATION_STANDARD_ERROR},
	     {"g_standard_error", CURVE_CORRELATION_STANDARD_ERROR},
	     {"laue", CURVE_LAUE},
	     {"I_minus_laue", CURVE_WITHOUT_LAUE},
	     {"intensity", CURVE_I},
	     {"intensity_per_atom", CURVE_I_PER_ATOM}};

static const struct {
	const char *prefix, *suffix;
	enum curve curve;
} pairs[] = {{"partial", "", CURVE_PARTIAL},
	     {"S", "", CURVE_PARTIAL_S},
	     {"S_FZ", "", CURVE_PARTIAL_S},
	     {"partial", "_standard_error", CURVE_PARTIAL_STANDARD_ERROR},
	     {"S", "_standard_error", CURVE_PARTIAL_S_STANDARD_ERROR},
	     {"R", "", CURVE_PARTIAL_RADIAL},
	     {"n", "", CURVE_PARTIAL_COORDINATION},
	     {"g", "", CURVE_PARTIAL_CORRELATION},
	     {"R", "_standard_error", CURVE_PARTIAL_RADIAL_STANDARD_ERROR},
	     {"n", "_standard_error", CURVE_PARTIAL_COORDINATION_STANDARD_ERROR},
	     {"g", "_standard_error", CURVE_PARTIAL_CORRELATION_STANDARD_ERROR}};

#define PAIR_CURVES (sizeof pairs / sizeof *pairs)

/* partial_A_B, S_A_B, R_A_B and others, in either order of the labels. */
static bool find_partial(const char *name, const struct column_labels *labels, struct curve_choice *choice)
{
	char partial[NAME_SIZE];

	for (size_t p = 0; p < PAIR_CURVES; ++p) {
		size_t length = strlen(pairs[p].prefix);
		if (strncmp(name, pairs[p].prefix, length) != 0 || name[length] != '_')
			continue;
		for (int a = 0; a < labels->count; ++a) {
			for (int b = 0; b < labels->count; ++b) {
				snprintf(partial, sizeof partial, "%s_%s_%s%s", pairs[p].prefix,
					 column_label(labels, a), column_label(labels, b), pairs[p].suffix);
				if (strcmp(name, partial) != 0)
					continue;
				*choice = (struct curve_choice){pairs[p].curve, a < b ? a : b, a < b ? b : a, a > b};
				return true;
			}
		}
	}
	return false;
}

/* block_A_B of blocks, in either order. Names may contain underscores: every split is tried. */
static bool find_blocks(const char *name, const struct column_labels *labels, struct curve_choice *choice)
{
	static const char prefix[] = "block_";
	const char *first = name + sizeof prefix - 1;

	if (strncmp(name, prefix, sizeof prefix - 1) != 0)
		return false;
	for (int a = 0; a < labels->block_count; ++a) {
		const size_t length = strlen(labels->blocks[a]);
		if (strncmp(first, labels->blocks[a], length) != 0 || first[length] != '_')
			continue;
		for (int b = 0; b < labels->block_count; ++b) {
			if (strcmp(first + length + 1, labels->blocks[b]) != 0)
				continue;
			*choice = (struct curve_choice){CURVE_BLOCK, a < b ? a : b, a < b ? b : a, false};
			return true;
		}
	}
	return false;
}

/* The same, or block_A_B_standard_error. */
static bool find_block(const char *name, const struct column_labels *labels, struct curve_choice *choice)
{
	static const char suffix[] = "_standard_error";
	const size_t length = strlen(name), end = sizeof suffix - 1;
	char start[NAME_SIZE];

	if (find_blocks(name, labels, choice))
		return true;
	if (length <= end || strcmp(name + length - end, suffix) != 0)
		return false;
	snprintf(start, sizeof start, "%.*s", (int)(length - end), name);
	if (!find_blocks(start, labels, choice))
		return false;
	choice->curve = CURVE_BLOCK_STANDARD_ERROR;
	return true;
}

static sonde_status fail_block(const char *name, const struct column_labels *labels)
{
	if (labels->block_count == 0)
		return status_fail_option(SONDE_INVALID, "columns",
					  "%.60s needs `partials block`, `partials chain` or `partials residue`",
					  name);
	return status_fail_option(
	    SONDE_INVALID, "columns",
	    "%.60s: the sample has no such blocks; a column is block_A_B, and the blocks are %s to %s", name,
	    labels->blocks[0], labels->blocks[labels->block_count - 1]);
}

static sonde_status fail_unknown(const char *name, const struct column_labels *labels)
{
	struct nearest_word nearest = {.word = name};
	char partials[PAIR_CURVES][MOST_NAMED * (MOST_NAMED + 1) / 2][NAME_SIZE], hint[96];
	int offered = 0;

	for (size_t k = 0; k < sizeof names / sizeof *names; ++k)
		nearest_word_offer(&nearest, names[k].name);
	for (int a = 0; a < labels->count && labels->count <= MOST_NAMED; ++a) {
		for (int b = a; b < labels->count; ++b, ++offered) {
			for (size_t p = 0; p < PAIR_CURVES; ++p) {
				snprintf(partials[p][offered], NAME_SIZE, "%s_%s_%s%s", pairs[p].prefix,
					 column_label(labels, a), column_label(labels, b), pairs[p].suffix);
				nearest_word_offer(&nearest, partials[p][offered]);
			}
		}
	}
	return status_fail_option(
	    SONDE_INVALID, "columns",
	    "there is no '%.60s'%s; q, two_theta, I, I_per_atom, I_corrected, I_resolved, I_absolute, I_compton, "
	    "I_total, S, F, "
	    "error_estimate, "
	    "error_bound, "
	    "mean_square_amplitude, square_mean_amplitude, laue, I_minus_laue, partial_A_B and S_A_B of species A "
	    "and B, block_A_B of blocks, S_NN, S_NC, "
	    "S_CC, measured, measured_error, fit, background, residual; "
	    "or r, G, D, T, R, n, g, R_A_B, n_A_B, g_A_B; and of means over frames standard_error, S_standard_error, "
	    "...",
	    name, nearest_word_hint(&nearest, hint, sizeof hint));
}

static sonde_status find_choice(const char *name, const struct column_labels *labels, struct curve_choice *choice)
{
	for (size_t k = 0; k < sizeof names / sizeof *names; ++k) {
		if (strcmp(names[k].name, name) == 0) {
			choice->curve = names[k].curve;
			return SONDE_OK;
		}
	}
	if (find_partial(name, labels, choice) || find_block(name, labels, choice))
		return SONDE_OK;
	return strncmp(name, "block_", 6) == 0 ? fail_block(name, labels) : fail_unknown(name, labels);
}

/* The columns of a list "q,I,partial_Co_O". */
static sonde_status read_list(const char *list, const struct column_labels *labels, char (*found)[NAME_SIZE],
			      struct curve_choice *choices, int *count)
{
	bool over_r = false, over_q = false;

	for (*count = 0;; ++*count) {
		size_t length = strcspn(list, ",");
		if (*count == MOST_COLUMNS)
			return status_fail_option(SONDE_INVALID, "columns", "more than %d", MOST_COLUMNS);
		if (length >= NAME_SIZE)
			return status_fail_option(SONDE_INVALID, "columns", "there is no '%.*s'",
						  (int)(length < 60 ? length : 60), list);
		snprintf(found[*count], NAME_SIZE, "%.*s", (int)length, list);
		CHECK(find_choice(found[*count], labels, &choices[*count]));
		bool r = curve_is_over_r(choices[*count].curve);
		over_r |= r;
		over_q |= !r;
		if (list[length] == '\0')
			break;
		list += length + 1;
	}
	++*count;
	if (over_r && over_q)
		return status_fail_option(SONDE_INVALID, "columns",
					  "r, G, D, T, R, n and g form a separate table, the others are columns of "
					  "that over q; choose columns of one table");
	return SONDE_OK;
}

int column_labels_different(const struct column_labels *labels)
{
	int different = labels->count > 0;

	for (int s = 1; s < labels->count; ++s)
		different += strcmp(column_label(labels, s), column_label(labels, s - 1)) != 0;
	return different;
}

static bool is_of_comparison(enum curve curve)
{
	return curve >= CURVE_MEASURED && curve <= CURVE_RESIDUAL;
}

/* The options without which there is no such curve. */
static sonde_status check_needs(const char *name, enum curve curve, const sonde_debye_options *options)
{
	bool density = options->density > 0.0;

	if (curve_is_correlation(curve) && !(options->counts && density))
		return status_fail_option(SONDE_INVALID, "columns", "%s(r) needs `counts` and `density`", name);
	if (curve_is_counted(curve) && !options->counts)
		return status_fail_option(SONDE_INVALID, "columns", "%s(r) needs `counts`", name);
	if ((curve == CURVE_D || curve == CURVE_T) && !density)
		return status_fail_option(SONDE_INVALID, "columns", "%s(r) needs `density`", name);
	if ((curve == CURVE_S_NN || curve == CURVE_S_NC || curve == CURVE_S_CC) && !options->bhatia_thornton)
		return status_fail_option(SONDE_INVALID, "columns", "%s needs `bhatia_thornton`", name);
	if (curve == CURVE_TWO_THETA && !points_are_angles(options))
		return status_fail_option(SONDE_INVALID, "columns", "%s needs `two_theta`, or a file of angles",
					  name);
	if ((curve == CURVE_LAUE || curve == CURVE_WITHOUT_LAUE) && !options->laue)
		return status_fail_option(SONDE_INVALID, "columns", "%s needs `laue`", name);
	if (is_of_comparison(curve) && options->compare[0] == '\0')
		return status_fail_option(SONDE_INVALID, "columns", "%s needs `compare`", name);
	if ((curve == CURVE_RESOLVED || curve == CURVE_RESOLVED_STANDARD_ERROR) &&
	    strcmp(options->resolution, "none") == 0)
		return status_fail_option(SONDE_INVALID, "columns", "%s needs `resolution`", name);
	if ((curve == CURVE_COMPTON || curve == CURVE_TOTAL) && options->compton == SONDE_DEBYE_COMPTON_NONE)
		return status_fail_option(SONDE_INVALID, "columns", "%s needs `compton`", name);
	if ((curve == CURVE_ABSOLUTE || curve == CURVE_ABSOLUTE_STANDARD_ERROR) && options->concentration[0] == '\0')
		return status_fail_option(SONDE_INVALID, "columns", "%s needs `concentration`", name);
	if (curve == CURVE_CORRECTED && !intensity_is_corrected(options))
		return status_fail_option(SONDE_INVALID, "columns", "%s needs `polarization` or `lorentz`", name);
	return SONDE_OK;
}

sonde_status curve_columns_check(const char *list, const struct column_labels *labels,
				 const sonde_debye_options *options)
{
	char found[MOST_COLUMNS][NAME_SIZE];
	struct curve_choice choices[MOST_COLUMNS] = {{0}};
	int count;

	if (list[0] == '\0')
		return SONDE_OK;
	CHECK(read_list(list, labels, found, choices, &count));
	for (int c = 0; c < count; ++c) {
		enum curve curve = choices[c].curve;
		CHECK(check_needs(found[c], curve, options));
		if (curve_is_counted(curve) && options->r.points < 2)
			return status_fail_option(SONDE_INVALID, "r",
						  "a single point has no bin width, which %s(r) needs; "
						  "give two or more",
						  found[c]);
	}
	return curve_is_over_r(choices[0].curve) ? curve_columns_need_r(options) : SONDE_OK;
}

sonde_status curve_columns_need_r(const sonde_debye_options *options)
{
	return options->q.points > 1
		   ? SONDE_OK
		   : status_fail_option(SONDE_INVALID, "q",
					"G(r) needs at least two points of q, since it is an integral over q");
}

static void append_names(char (*found)[NAME_SIZE], const struct curve_choice *choices, int count,
			 enum column_style style, const char *unit, struct text *text)
{
	for (int c = 0; c < count; ++c) {
		if (style == COLUMNS_CSV)
			text_append(text, "%s%s", c > 0 ? "," : "", found[c]);
		else
			text_append(text, "%s%s [%s]", c > 0 ? "  " : "# ", found[c],
				    curve_unit(choices[c].curve, unit));
	}
	text_append(text, "\n");
}

sonde_status curve_columns_append(const sonde_debye_result *result, const char *list, enum column_style style,
				  const char *unit, struct text *text)
{
	const struct column_labels labels = {.of_result = result,
					     .count = result->species_count,
					     .blocks = (const char(*)[SONDE_LABEL_SIZE])result->block_label,
					     .block_count = result->block_count};
	struct curve_values values[MOST_COLUMNS];
	char found[MOST_COLUMNS][NAME_SIZE];
	struct curve_choice choices[MOST_COLUMNS] = {{0}};
	int count;

	CHECK(read_list(list, &labels, found, choices, &count));
	bool over_r = curve_is_over_r(choices[0].curve);
	CHECK(curve_columns_check(list, &labels, result->options));
	for (int c = 0; c < count; ++c) {
		values[c] = curve_values_of(result, &choices[c]);
		if (values[c].row == NULL)
			return status_fail_option(SONDE_INVALID, "columns", "this result does not contain %s%s",
						  found[c],
						  curve_is_standard_error(choices[c].curve)
						      ? ", which only means over two or more frames have"
						      : "");
	}
	if (style != COLUMNS_BARE)
		append_names(found, choices, count, style, unit, text);
	for (int64_t k = 0; k < (over_r ? result->r_count : result->q_count); ++k) {
		for (int c = 0; c < count; ++c) {
			if (c > 0)
				text_append_byte(text, style == COLUMNS_CSV ? ',' : ' ');
			text_append_real(text, curve_value(&values[c], k));
		}
		text_append_byte(text, '\n');
	}
	return text_status(text);
}
