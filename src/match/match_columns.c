#include "match/match_columns.h"

#include "match/match_result.h"

const struct match_column match_peak_columns[] = {
    {"position", NULL, offsetof(struct residual_peak, position)},
    {"width", NULL, offsetof(struct residual_peak, width)},
    {"height", NULL, offsetof(struct residual_peak, height)},
    {"significance", "1", offsetof(struct residual_peak, significance)},
    {0},
};

const struct match_column match_weight_columns[] = {
    {"weight", NULL, offsetof(struct match_weight, weight)},
    {"weight_errors", NULL, offsetof(struct match_weight, error)},
    {"low", NULL, offsetof(struct match_weight, low)},
    {"high", NULL, offsetof(struct match_weight, high)},
    {"fraction", "1", offsetof(struct match_weight, fraction)},
    {"inflation", "1", offsetof(struct match_weight, inflation)},
    {0},
};

const struct match_column match_rank_columns[] = {
    {"scale", NULL, offsetof(struct match_rank, scale)},
    {"chi_square", "1", offsetof(struct match_rank, chi_square)},
    {"Rwp", "1", offsetof(struct match_rank, rwp)},
    {"probability", "1", offsetof(struct match_rank, probability)},
    {0},
};

const struct match_column match_parameter_columns[] = {
    {"value", NULL, offsetof(struct match_parameter, value)},
    {"value_errors", NULL, offsetof(struct match_parameter, error)},
    {"low", NULL, offsetof(struct match_parameter, low)},
    {"high", NULL, offsetof(struct match_parameter, high)},
    {"interval_low", NULL, offsetof(struct match_parameter, interval)},
    {"interval_high", NULL, offsetof(struct match_parameter, interval) + sizeof(double)},
    {0},
};

const struct match_column match_series_parameter_columns[] = {
    {"low", NULL, offsetof(struct match_parameter, low)},
    {"high", NULL, offsetof(struct match_parameter, high)},
    {0},
};

#define VALUE(number) (offsetof(struct match_alone, values) + (number) * sizeof(double))

const struct match_column match_alone_columns[] = {
    {"scale", NULL, offsetof(struct match_alone, scale)},
    {"chi_square", "1", offsetof(struct match_alone, chi_square)},
    {"Rwp", "1", offsetof(struct match_alone, rwp)},
    {"strain", "1", VALUE(0)},
    {"B", "angstrom^2", VALUE(1)},
    {"qdamp", "1/angstrom", VALUE(2)},
    {"qbroad", "1", VALUE(3)},
    {"mean_size", "angstrom", VALUE(4)},
    {"width", "1", VALUE(5)},
    {0},
};

const struct match_column match_summary_columns[] = {
    {"chi_square", "1", offsetof(struct match_result, chi_square)},
    {"Rwp", "1", offsetof(struct match_result, rwp)},
    {"condition", "1", offsetof(struct match_result, condition)},
    {"improvement", "1", offsetof(struct match_result, improvement)},
    {"sizes_left_out", "1", offsetof(struct match_result, sizes_left_out)},
    {0},
};

const struct match_column match_entry_texts[MATCH_ENTRY_TEXTS] = {
    {"name", NULL, offsetof(struct library_entry, name)},
    {"source", NULL, offsetof(struct library_entry, source)},
    {"family", NULL, offsetof(struct library_entry, family)},
    {"parameters", NULL, offsetof(struct library_entry, parameters)},
    {"composition", NULL, offsetof(struct library_entry, composition)},
};
