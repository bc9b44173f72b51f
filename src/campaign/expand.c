#include "campaign/expand.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

const char *const campaign_own_variables[] = {"name", "job", "result", "scratch", "files", NULL};

/* Grids ------------------------------------------------------------------------------------------------- */

/* Values of one variable of a grid. */
struct values {
	const char **values;
	size_t count, capacity;
};

static sonde_status add_value(struct values *values, const char *value)
{
	CHECK(
	    memory_grow(&values->values, &values->capacity, values->count + 1, sizeof *values->values, "a campaign"));
	values->values[values->count++] = value;
	return SONDE_OK;
}

static sonde_status keep_made(struct campaign *campaign, char *value)
{
	const sonde_status status = memory_grow(&campaign->made, &campaign->made_capacity, campaign->made_count + 1,
						sizeof *campaign->made, "a campaign");

	if (status == SONDE_OK)
		campaign->made[campaign->made_count++] = value;
	else
		free(value);
	return status;
}

static sonde_status read_real(const struct campaign *campaign, const struct yaml_node *node, double *value)
{
	if (node->kind == YAML_KIND_SCALAR && text_parse_real(node->text, node->text + strlen(node->text), value))
		return SONDE_OK;
	return yaml_tree_fail(campaign->path, node->line, node->column, node->key, "a number is expected here");
}

/* {from: 10, to: 1000, count: 5, spacing: log, unit: keV} */
static sonde_status add_grid(struct campaign *campaign, const struct yaml_node *node, struct values *values,
			     size_t most)
{
	static const char *const keys[] = {"from", "to", "count", "spacing", "unit", NULL};
	const struct yaml_node *from = yaml_tree_find(node, "from"), *to = yaml_tree_find(node, "to"),
			       *count = yaml_tree_find(node, "count"), *spacing = yaml_tree_find(node, "spacing"),
			       *unit = yaml_tree_find(node, "unit");
	double first, last, points;
	char hint[96];

	for (size_t k = 0; k < node->count; ++k) {
		const struct yaml_node *member = &node->members[k];
		struct nearest_word nearest = {.word = member->key};
		bool known = false;
		for (int n = 0; keys[n] != NULL; ++n) {
			known |= strcmp(keys[n], member->key) == 0;
			nearest_word_offer(&nearest, keys[n]);
		}
		if (!known)
			return yaml_tree_fail(campaign->path, member->key_line, member->key_column, NULL,
					      "unknown key '%.64s'%s; a grid has from, to, count, spacing, and unit",
					      member->key, nearest_word_hint(&nearest, hint, sizeof hint));
	}
	if (from == NULL || to == NULL || count == NULL)
		return yaml_tree_fail(campaign->path, node->line, node->column, node->key,
				      "a grid needs from, to, and count, as in {from: 10, to: 1000, count: 5}");
	CHECK(read_real(campaign, from, &first));
	CHECK(read_real(campaign, to, &last));
	CHECK(read_real(campaign, count, &points));
	if (!(points >= 2.0) || points != floor(points) || points > (double)most)
		return yaml_tree_fail(campaign->path, count->line, count->column, "count",
				      "must be a whole number from 2 to %zu", most);
	const bool log = spacing != NULL && spacing->text != NULL && strcmp(spacing->text, "log") == 0;
	if (spacing != NULL && !log && (spacing->text == NULL || strcmp(spacing->text, "linear") != 0))
		return yaml_tree_fail(campaign->path, spacing->line, spacing->column, "spacing",
				      "must be linear or log");
	if (log && !(first > 0.0 && last > 0.0))
		return yaml_tree_fail(campaign->path, from->line, from->column, "from",
				      "a logarithmic grid begins and ends above 0");
	if (unit != NULL && unit->text == NULL)
		return yaml_tree_fail(campaign->path, unit->line, unit->column, "unit", "must be a word");
	const char *word = unit != NULL ? unit->text : "";
	for (int k = 0; k < (int)points; ++k) {
		const double part = k / (points - 1.0), x = k == 0                 ? first
							    : k + 1 == (int)points ? last
							    : log                  ? first * pow(last / first, part)
										   : first + part * (last - first);
		char *value;
		if (asprintf(&value, "%.8g%s%s", x, word[0] != '\0' ? " " : "", word) < 0)
			return memory_missing("a campaign");
		CHECK(keep_made(campaign, value));
		CHECK(add_value(values, value));
	}
	return SONDE_OK;
}

static sonde_status read_values(struct campaign *campaign, const struct yaml_node *node, struct values *values,
				size_t most)
{
	if (node->kind == YAML_KIND_MAPPING)
		return add_grid(campaign, node, values, most);
	if (node->kind == YAML_KIND_SCALAR) {
		if (node->plain && node->text[0] == '\0')
			return yaml_tree_fail(campaign->path, node->key_line, node->key_column, NULL,
					      "the variable '%s' has no values", node->key);
		return add_value(values, node->text);
	}
	if (node->count == 0)
		return yaml_tree_fail(campaign->path, node->line, node->column, node->key, "a list without values");
	for (size_t k = 0; k < node->count; ++k) {
		const struct yaml_node *item = &node->members[k];
		if (item->kind != YAML_KIND_SCALAR)
			return yaml_tree_fail(
			    campaign->path, item->line, item->column, node->key,
			    "a value is expected here; for values that belong together, give a list "
			    "of grids");
		CHECK(add_value(values, item->text));
	}
	return SONDE_OK;
}

static sonde_status check_name(const struct campaign *campaign, const struct yaml_node *node)
{
	const char *name = node->key;
	const size_t length = strlen(name);

	if (length == 0 || length > 40 ||
	    name[strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-")] != '\0')
		return yaml_tree_fail(campaign->path, node->key_line, node->key_column, NULL,
				      "'%.64s' is not a name of a variable: up to 40 letters, digits, '_', and '-'",
				      name);
	for (int k = 0; campaign_own_variables[k] != NULL; ++k)
		if (strcmp(campaign_own_variables[k], name) == 0)
			return yaml_tree_fail(campaign->path, node->key_line, node->key_column, NULL,
					      "'%s' is a variable that every job has; choose another name", name);
	return SONDE_OK;
}

static int find_variable(const struct campaign *campaign, const char *name, size_t length)
{
	for (int k = 0; k < campaign->variable_count; ++k)
		if (strlen(campaign->variables[k]) == length && strncmp(campaign->variables[k], name, length) == 0)
			return k;
	return -1;
}

/* The variables are those of the first grid. */
static sonde_status add_variables(struct campaign *campaign, const struct yaml_node *grid)
{
	if (grid->count > CAMPAIGN_MOST_VARIABLES)
		return yaml_tree_fail(campaign->path, grid->line, grid->column, "vary", "has more than %d variables",
				      CAMPAIGN_MOST_VARIABLES);
	for (size_t k = 0; k < grid->count; ++k) {
		CHECK(check_name(campaign, &grid->members[k]));
		campaign->variables[k] = grid->members[k].key;
		campaign->variable_lines[k] = grid->members[k].key_line;
		campaign->variable_columns[k] = grid->members[k].key_column;
		campaign->variable_count = (int)k + 1;
	}
	return SONDE_OK;
}

static sonde_status check_variables_of(const struct campaign *campaign, const struct yaml_node *grid)
{
	for (size_t k = 0; k < grid->count; ++k) {
		const struct yaml_node *member = &grid->members[k];
		if (find_variable(campaign, member->key, strlen(member->key)) < 0)
			return yaml_tree_fail(campaign->path, member->key_line, member->key_column, NULL,
					      "the first grid has no variable '%.64s'", member->key);
	}
	for (int k = 0; k < campaign->variable_count; ++k)
		if (yaml_tree_find(grid, campaign->variables[k]) == NULL)
			return yaml_tree_fail(campaign->path, grid->line, grid->column, "vary",
					      "this grid has no values of '%s'", campaign->variables[k]);
	return SONDE_OK;
}

static sonde_status add_jobs(struct campaign *campaign, const struct values *values, size_t count)
{
	const size_t variables = (size_t)campaign->variable_count;

	CHECK(memory_grow(&campaign->jobs, &campaign->job_capacity, campaign->job_count + count,
			  sizeof *campaign->jobs, "a campaign"));
	for (size_t n = 0; n < count; ++n) {
		struct campaign_job *job = &campaign->jobs[campaign->job_count];
		*job = (struct campaign_job){0};
		CHECK(memory_allocate(&job->values, variables, sizeof *job->values, "a campaign"));
		++campaign->job_count;
		size_t left = n;
		for (size_t k = variables; k-- > 0; left /= values[k].count)
			job->values[k] = values[k].values[left % values[k].count];
	}
	return SONDE_OK;
}

static sonde_status add_jobs_of_grid(struct campaign *campaign, const struct yaml_node *grid, size_t most_jobs)
{
	struct values values[CAMPAIGN_MOST_VARIABLES] = {{0}};
	sonde_status status = SONDE_OK;
	double count = 1.0;

	for (int k = 0; k < campaign->variable_count && status == SONDE_OK; ++k) {
		status = read_values(campaign, yaml_tree_find(grid, campaign->variables[k]), &values[k], most_jobs);
		count *= (double)values[k].count;
	}
	if (status == SONDE_OK && count + (double)campaign->job_count > (double)most_jobs)
		status = yaml_tree_fail(campaign->path, grid->line, grid->column, "vary",
					"%.0f jobs are more than the limit of %zu, which `most_jobs` raises",
					count + (double)campaign->job_count, most_jobs);
	if (status == SONDE_OK)
		status = add_jobs(campaign, values, (size_t)count);
	for (int k = 0; k < campaign->variable_count; ++k)
		free(values[k].values);
	return status;
}

sonde_status campaign_expand(struct campaign *campaign, const struct yaml_node *vary, size_t most_jobs)
{
	const bool many = vary->kind == YAML_KIND_LIST;
	const size_t count = many ? vary->count : 1;

	for (size_t k = 0; k < count; ++k) {
		const struct yaml_node *grid = many ? &vary->members[k] : vary;
		if (grid->kind != YAML_KIND_MAPPING || grid->count == 0)
			return yaml_tree_fail(
			    campaign->path, grid->line, grid->column, "vary",
			    "variables with their values are expected here, as in 'radius: [10, 20]'");
		if (k == 0)
			CHECK(add_variables(campaign, grid));
		CHECK(check_variables_of(campaign, grid));
		CHECK(add_jobs_of_grid(campaign, grid, most_jobs));
	}
	if (campaign->job_count == 0)
		return yaml_tree_fail(campaign->path, vary->line, vary->column, "vary", "there are no jobs");
	return SONDE_OK;
}

/* Texts with variables ---------------------------------------------------------------------------------- */

bool campaign_next_variable(const char **cursor, const char **name, size_t *length)
{
	const char *c = *cursor;

	while ((c = strchr(c, '$')) != NULL) {
		if (c[1] == '$') {
			c += 2;
		} else if (c[1] == '{') {
			*name = c + 2;
			*length = strcspn(c + 2, "}\n");
			*cursor = c + 2 + *length + (c[2 + *length] == '}');
			return true;
		} else {
			++c;
		}
	}
	return false;
}

/* Where a character of a text is in the file. Folded texts have lost their lines. */
static void find_place(const struct campaign_text *text, const char *at, size_t *line, size_t *column)
{
	*line = text->line;
	*column = text->column;
	for (const char *c = text->text; c < at; ++c)
		if (*c == '\n') {
			++*line;
			*column = 1 + text->indent;
		} else {
			++*column;
		}
}

static int find_own(const char *name, size_t length)
{
	for (int k = 0; campaign_own_variables[k] != NULL; ++k)
		if (strlen(campaign_own_variables[k]) == length &&
		    strncmp(campaign_own_variables[k], name, length) == 0)
			return k;
	return -1;
}

sonde_status campaign_check_variables(const struct campaign *campaign, const struct campaign_text *text, bool *used)
{
	const char *cursor = text->text, *name;
	size_t length, line, column;

	while (campaign_next_variable(&cursor, &name, &length)) {
		const int variable = find_variable(campaign, name, length);
		find_place(text, name - 2, &line, &column);
		if (name[length] != '}')
			return yaml_tree_fail(campaign->path, line, column, text->key,
					      "a variable ends in '}'; '$$' is a $");
		if (variable >= 0)
			used[variable] = true;
		if (variable >= 0 || find_own(name, length) >= 0)
			continue;
		char word[65], hint[96];
		snprintf(word, sizeof word, "%.*s", (int)(length < 64 ? length : 64), name);
		struct nearest_word nearest = {.word = word};
		for (int k = 0; k < campaign->variable_count; ++k)
			nearest_word_offer(&nearest, campaign->variables[k]);
		for (int k = 0; campaign_own_variables[k] != NULL; ++k)
			nearest_word_offer(&nearest, campaign_own_variables[k]);
		return yaml_tree_fail(campaign->path, line, column, text->key, "unknown variable '%s'%s", word,
				      nearest_word_hint(&nearest, hint, sizeof hint));
	}
	return SONDE_OK;
}

static const char *value_of(const struct campaign *campaign, const struct campaign_job *job,
			    const struct campaign_files *files, const char *name, size_t length)
{
	const int variable = find_variable(campaign, name, length);

	if (variable >= 0)
		return job->values[variable];
	switch (find_own(name, length)) {
	case CAMPAIGN_OWN_NAME:
		return job->name;
	case CAMPAIGN_OWN_JOB:
		return files->job;
	case CAMPAIGN_OWN_RESULT:
		return files->result;
	case CAMPAIGN_OWN_SCRATCH:
		return files->scratch;
	default:
		return files->files;
	}
}

sonde_status campaign_substitute(const struct campaign *campaign, const struct campaign_job *job,
				 const struct campaign_files *files, const char *begin, const char *end,
				 struct text *to)
{
	for (const char *c = begin; c < end; ++c) {
		if (*c != '$' || (c[1] != '$' && c[1] != '{')) {
			text_append_byte(to, *c);
			continue;
		}
		if (c[1] == '$') {
			text_append_byte(to, '$');
			++c;
			continue;
		}
		const char *cursor = c, *name;
		size_t length;
		if (!campaign_next_variable(&cursor, &name, &length))
			break;
		const char *value = value_of(campaign, job, files, name, length);
		text_append(to, "%s", value != NULL ? value : "");
		c = cursor - 1;
	}
	return text_status(to);
}
