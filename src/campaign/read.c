#include "campaign/campaign.h"

#include <errno.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/sha256.h"
#include "campaign/expand.h"

#define LARGEST_FILE ((size_t)1 << 20)

static const char *const top_keys[] = {"title", "vary", "name", "run", "job", "result", "collect", "converge", NULL};

/* A scalar under a key; *node is null if there is none. */
static sonde_status find_scalar(const struct campaign *campaign, const struct yaml_node *in, const char *key,
				const struct yaml_node **node)
{
	*node = yaml_tree_find(in, key);
	if (*node != NULL && ((*node)->kind != YAML_KIND_SCALAR || (*node)->text[0] == '\0'))
		return yaml_tree_fail(campaign->path, (*node)->line, (*node)->column, key,
				      "a single value is expected here");
	return SONDE_OK;
}

static const char *line_at(const char *text, size_t line)
{
	for (size_t k = 1; k < line && text != NULL; ++k) {
		text = strchr(text, '\n');
		text = text != NULL ? text + 1 : NULL;
	}
	return text;
}

static struct campaign_text text_of(const struct campaign *campaign, const struct yaml_node *node, const char *key)
{
	const bool quoted = !node->plain && !node->block;
	const char *line = node->block ? line_at(campaign->bytes, node->line + 1) : NULL;
	const size_t indent = line != NULL ? strspn(line, " ") - strspn(node->text, " ") : 0;

	return (struct campaign_text){.text = node->text,
				      .line = node->line + node->block,
				      .column = node->block ? 1 + indent : node->column + quoted,
				      .indent = indent,
				      .key = key};
}

/* Command lines and the job file ------------------------------------------------------------------------ */

static sonde_status read_lines(struct campaign *campaign)
{
	const struct yaml_node *run = yaml_tree_find(campaign->root, "run");

	if (run == NULL)
		return yaml_tree_fail(campaign->path, campaign->root->line, campaign->root->column, NULL,
				      "the key 'run' is missing: a command, as in 'run: ions film.yaml'");
	const struct yaml_node *items = run->kind == YAML_KIND_LIST ? run->members : run;
	const size_t count = run->kind == YAML_KIND_LIST ? run->count : 1;
	if (run->kind == YAML_KIND_MAPPING || count == 0 || count > CAMPAIGN_MOST_LINES)
		return yaml_tree_fail(campaign->path, run->line, run->column, "run",
				      "a command or a list of up to %d commands is expected here",
				      CAMPAIGN_MOST_LINES);
	for (size_t k = 0; k < count; ++k) {
		if (items[k].kind != YAML_KIND_SCALAR || items[k].text[strspn(items[k].text, " \n\t")] == '\0')
			return yaml_tree_fail(campaign->path, items[k].line, items[k].column, "run",
					      "a command is expected here, as in 'ions film.yaml'");
		campaign->lines[k] = text_of(campaign, &items[k], "run");
	}
	campaign->line_count = (int)count;
	return SONDE_OK;
}

/* The lines of a block of keys, as they are in the file but for their indentation: with the comments, and with variables also where
 * quotes would be needed. */
static sonde_status take_block(struct campaign *campaign, const struct yaml_node *node)
{
	const size_t indent = node->column - 1;
	struct text text = {0};

	for (size_t line = node->line; line < node->end_line + (node->end_column > 1); ++line) {
		const char *begin = line_at(campaign->bytes, line);
		if (begin == NULL)
			break;
		const size_t length = strcspn(begin, "\n"), blanks = strspn(begin, " "),
			     cut = blanks < indent ? blanks : indent;
		if (length > 0 && blanks < indent && blanks < length && begin[blanks] != '#' && begin[blanks] != '\r')
			break; /* the next key */
		text_append_bytes(&text, begin + cut, length > cut ? length - cut : 0);
		text_append_byte(&text, '\n');
	}
	campaign->job_bytes = text.bytes;
	campaign->job = (struct campaign_text){text.bytes, node->line, node->column, indent, "job"};
	return text_status(&text);
}

static sonde_status read_job(struct campaign *campaign)
{
	const struct yaml_node *job = yaml_tree_find(campaign->root, "job");

	if (job == NULL)
		return SONDE_OK;
	if (job->kind == YAML_KIND_SCALAR && job->block) {
		campaign->job = text_of(campaign, job, "job");
		return SONDE_OK;
	}
	if (job->kind == YAML_KIND_MAPPING && job->block && job->count > 0)
		return take_block(campaign, job);
	return yaml_tree_fail(
	    campaign->path, job->line, job->column, "job",
	    "the keys of a job file are expected here, each in its own line, or its text after '|'");
}

/* Figures ------------------------------------------------------------------------------------------------ */

bool campaign_has_datasets(const struct campaign *campaign)
{
	return strcmp(campaign->ending, "h5") == 0 || strcmp(campaign->ending, "hdf5") == 0 ||
	       strcmp(campaign->ending, "nxs") == 0;
}

/* "sum /ions/x", "/ions/x[3]" */
static sonde_status read_path(const struct campaign *campaign, struct campaign_figure *figure)
{
	static const char *const words[] = {
	    [CAMPAIGN_ONE] = "",      [CAMPAIGN_SUM] = "sum",      [CAMPAIGN_MEAN] = "mean",
	    [CAMPAIGN_LEAST] = "min", [CAMPAIGN_GREATEST] = "max", [CAMPAIGN_COUNT] = "count"};
	const char *slash = strchr(figure->from, '/');
	size_t word = strcspn(figure->from, " ");

	if (slash == NULL)
		return SONDE_OK;
	if (!campaign_has_datasets(campaign))
		return yaml_tree_fail(campaign->path, figure->line, figure->column, "collect",
				      "'%.64s' is a dataset, which results that end in '%s' do not have",
				      figure->from, campaign->ending);
	if (slash != figure->from) {
		int k = CAMPAIGN_SUM;
		while (k <= CAMPAIGN_COUNT &&
		       (strlen(words[k]) != word || strncmp(words[k], figure->from, word) != 0))
			++k;
		if (k > CAMPAIGN_COUNT || figure->from + word + 1 != slash)
			return yaml_tree_fail(campaign->path, figure->line, figure->column, "collect",
					      "'%.64s': before a dataset there may be sum, mean, min, max, or count",
					      figure->from);
		figure->reduction = (enum campaign_reduction)k;
	}
	CHECK(memory_copy_text(slash, &figure->path, "a campaign"));
	char *bracket = strchr(figure->path, '[');
	if (bracket == NULL)
		return SONDE_OK;
	int64_t index;
	const size_t length = strlen(bracket);
	if (bracket[length - 1] != ']' || !text_parse_integer(bracket + 1, bracket + length - 1, &index) ||
	    figure->reduction != CAMPAIGN_ONE)
		return yaml_tree_fail(campaign->path, figure->line, figure->column, "collect",
				      "'%.64s': an element of a dataset is given by its number, as in /group/name[0]",
				      figure->from);
	figure->index = index;
	*bracket = '\0';
	return SONDE_OK;
}

static sonde_status add_figure(struct campaign *campaign, const struct yaml_node *node, const char *name)
{
	if (node->kind != YAML_KIND_SCALAR || node->text[0] == '\0' || name[0] == '\0')
		return yaml_tree_fail(campaign->path, node->line, node->column, "collect",
				      "the name of a figure is expected here");
	if (campaign->figure_count == CAMPAIGN_MOST_FIGURES)
		return yaml_tree_fail(campaign->path, node->line, node->column, "collect", "more than %d figures",
				      CAMPAIGN_MOST_FIGURES);
	for (int k = 0; k < campaign->figure_count; ++k)
		if (strcmp(campaign->figures[k].name, name) == 0)
			return yaml_tree_fail(campaign->path, node->line, node->column, "collect",
					      "'%.64s' is collected twice", name);
	if (name[strcspn(name, ",\"\n")] != '\0' || strlen(name) > 64)
		return yaml_tree_fail(campaign->path, node->line, node->column, "collect",
				      "'%.64s' is not a name of a column", name);
	struct campaign_figure *figure = &campaign->figures[campaign->figure_count++];
	*figure = (struct campaign_figure){
	    .name = name, .from = node->text, .index = CAMPAIGN_NO_INDEX, .line = node->line, .column = node->column};
	return read_path(campaign, figure);
}

static sonde_status read_figures(struct campaign *campaign)
{
	const struct yaml_node *collect = yaml_tree_find(campaign->root, "collect");

	if (collect == NULL)
		return SONDE_OK;
	if (collect->kind == YAML_KIND_SCALAR)
		return add_figure(campaign, collect, collect->text);
	for (size_t k = 0; k < collect->count; ++k) {
		const struct yaml_node *member = &collect->members[k];
		if (member->kind != YAML_KIND_SCALAR)
			return add_figure(campaign, member, "");
		CHECK(add_figure(campaign, member, member->key != NULL ? member->key : member->text));
	}
	return SONDE_OK;
}

/* {over: cell, as: step, order: 2} */
static sonde_status read_study(struct campaign *campaign)
{
	static const char *const keys[] = {"over", "as", "order", NULL};
	static const char *const kinds[] = {
	    [CAMPAIGN_STEP] = "step", [CAMPAIGN_NUMBER] = "number", [CAMPAIGN_HISTORIES] = "histories"};
	const struct yaml_node *study = yaml_tree_find(campaign->root, "converge"), *over, *as, *order;
	const char *unit;

	if (study == NULL)
		return SONDE_OK;
	CHECK(yaml_tree_check_keys(campaign->path, study, keys));
	CHECK(find_scalar(campaign, study, "over", &over));
	CHECK(find_scalar(campaign, study, "as", &as));
	CHECK(find_scalar(campaign, study, "order", &order));
	if (over == NULL || as == NULL)
		return yaml_tree_fail(campaign->path, study->line, study->column, "converge",
				      "needs a variable and its kind, as in {over: cell, as: step}");
	campaign->over = -1;
	for (int k = 0; k < campaign->variable_count; ++k)
		if (strcmp(campaign->variables[k], over->text) == 0)
			campaign->over = k;
	if (campaign->over < 0)
		return yaml_tree_fail(campaign->path, over->line, over->column, "over",
				      "there is no variable '%.64s'", over->text);
	for (int k = CAMPAIGN_STEP; k <= CAMPAIGN_HISTORIES; ++k)
		if (strcmp(kinds[k], as->text) == 0)
			campaign->convergence = (enum campaign_convergence)k;
	if (campaign->convergence == CAMPAIGN_FIXED)
		return yaml_tree_fail(campaign->path, as->line, as->column, "as",
				      "'%.64s' is not one of step, number, and histories", as->text);
	if (order != NULL && (!text_parse_real(order->text, order->text + strlen(order->text), &campaign->order) ||
			      !(campaign->order > 0.0 && campaign->order <= 20.0)))
		return yaml_tree_fail(campaign->path, order->line, order->column, "order",
				      "must be a number above 0 and up to 20");
	if (campaign->figure_count == 0)
		return yaml_tree_fail(campaign->path, study->line, study->column, "converge",
				      "there are no figures to extrapolate; name some under 'collect'");
	if (!campaign_is_numeric(campaign, campaign->over, &unit))
		return yaml_tree_fail(campaign->path, over->line, over->column, "over",
				      "the values of '%.64s' must be numbers with the same unit", over->text);
	for (size_t k = 0; k < campaign->job_count; ++k) {
		double value;
		(void)campaign_number(campaign->jobs[k].values[campaign->over], &value, &unit);
		if (!(value > 0.0))
			return yaml_tree_fail(campaign->path, over->line, over->column, "over",
					      "the values of '%.64s' must be above 0", over->text);
	}
	return SONDE_OK;
}

/* Names of jobs ------------------------------------------------------------------------------------------ */

/* Characters that are difficult in names of files become '_'. */
static void make_plain(char *name)
{
	for (char *c = name; *c != '\0'; ++c)
		if (strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._+=-", *c) == NULL ||
		    (c == name && (*c == '.' || *c == '-')))
			*c = '_';
}

static sonde_status name_job(struct campaign *campaign, struct campaign_job *job)
{
	const struct campaign_files files = {"", "", "", ""};
	struct text name = {0};
	const char *separator = "";

	if (campaign->name.text != NULL) {
		job->name = ""; /* of a name that mentions itself */
		(void)campaign_substitute(campaign, job, &files, campaign->name.text,
					  campaign->name.text + strlen(campaign->name.text), &name);
		job->name = NULL;
	} else {
		for (int k = 0; k < campaign->variable_count; ++k) {
			if (!campaign_varies(campaign, k))
				continue;
			text_append(&name, "%s%s=%s", separator, campaign->variables[k], job->values[k]);
			separator = "_";
		}
	}
	if (name.size == 0)
		text_append(&name, "job");
	const sonde_status status = text_status(&name);
	if (status != SONDE_OK) {
		text_free(&name);
		return status;
	}
	job->name = name.bytes;
	make_plain(job->name);
	return SONDE_OK;
}

static int compare_names(const void *a, const void *b)
{
	const struct campaign_job *const *x = a, *const *y = b;

	return strcmp((*x)->name, (*y)->name);
}

static sonde_status check_names(const struct campaign *campaign)
{
	const struct yaml_node *vary = yaml_tree_find(campaign->root, "vary"),
			       *named = yaml_tree_find(campaign->root, "name"), *at = named != NULL ? named : vary;
	const struct campaign_job **sorted;
	sonde_status status = SONDE_OK;

	CHECK(memory_allocate(&sorted, campaign->job_count, sizeof *sorted, "a campaign"));
	for (size_t k = 0; k < campaign->job_count; ++k)
		sorted[k] = &campaign->jobs[k];
	qsort(sorted, campaign->job_count, sizeof *sorted, compare_names);
	for (size_t k = 0; k < campaign->job_count && status == SONDE_OK; ++k) {
		if (strlen(sorted[k]->name) > CAMPAIGN_LONGEST_NAME)
			status =
			    yaml_tree_fail(campaign->path, at->line, at->column, named != NULL ? "name" : "vary",
					   "the name of a job, '%.32s...', is longer than %d bytes; give a shorter "
					   "one by 'name'",
					   sorted[k]->name, CAMPAIGN_LONGEST_NAME);
		else if (k > 0 && strcmp(sorted[k - 1]->name, sorted[k]->name) == 0)
			status =
			    yaml_tree_fail(campaign->path, at->line, at->column, named != NULL ? "name" : "vary",
					   "two jobs have the name '%s'; values of a variable must differ, and so "
					   "must names",
					   sorted[k]->name);
	}
	free(sorted);
	return status;
}

/* ------------------------------------------------------------------------------------------------------- */

/* Each variable is used where it changes what is run. */
static sonde_status check_use(const struct campaign *campaign)
{
	bool used[CAMPAIGN_MOST_VARIABLES] = {false}, ignored[CAMPAIGN_MOST_VARIABLES];

	for (int k = 0; k < campaign->line_count; ++k)
		CHECK(campaign_check_variables(campaign, &campaign->lines[k], used));
	if (campaign->job.text != NULL)
		CHECK(campaign_check_variables(campaign, &campaign->job, used));
	if (campaign->name.text != NULL)
		CHECK(campaign_check_variables(campaign, &campaign->name, ignored));
	for (int k = 0; k < campaign->variable_count; ++k)
		if (!used[k])
			return yaml_tree_fail(campaign->path, campaign->variable_lines[k],
					      campaign->variable_columns[k], NULL,
					      "the variable '%s' is not used: neither 'run' nor 'job' has ${%s}",
					      campaign->variables[k], campaign->variables[k]);
	return SONDE_OK;
}

/* Everything that decides the results. */
static sonde_status find_digest(struct campaign *campaign)
{
	const struct campaign_files files = {"job", "result", "scratch", "files"};
	struct sha256 hash;
	sonde_status status = SONDE_OK;

	sha256_begin(&hash);
	sha256_add(&hash, campaign->ending, strlen(campaign->ending) + 1);
	for (size_t k = 0; k < campaign->job_count && status == SONDE_OK; ++k) {
		const struct campaign_job *job = &campaign->jobs[k];
		sha256_add(&hash, job->name, strlen(job->name) + 1);
		for (int line = 0; line < campaign->line_count && status == SONDE_OK; ++line) {
			struct campaign_words words = {0};
			status = campaign_command(campaign, job, line, &files, &words);
			for (size_t n = 0; status == SONDE_OK && n < words.count; ++n)
				sha256_add(&hash, words.words[n], strlen(words.words[n]) + 1);
			sha256_add(&hash, "\n", 1);
			campaign_words_free(&words);
		}
		struct text text = {0};
		if (status == SONDE_OK)
			status = campaign_job_text(campaign, job, &files, &text);
		if (status == SONDE_OK && text.bytes != NULL)
			sha256_add(&hash, text.bytes, text.size + 1);
		text_free(&text);
	}
	sha256_end(&hash, campaign->digest);
	return status;
}

static sonde_status find_folder(struct campaign *campaign)
{
	char *path = realpath(campaign->path, NULL);

	if (path == NULL)
		return status_fail_file(SONDE_INVALID, campaign->path, "cannot be read: %s", strerror(errno));
	const sonde_status status = memory_copy_text(dirname(path), &campaign->folder, "a path");
	free(path);
	return status;
}

static sonde_status read_all(struct campaign *campaign, size_t most_jobs)
{
	const struct yaml_node *title, *name, *ending, *vary;

	CHECK(yaml_tree_read(campaign->path, LARGEST_FILE, &campaign->bytes, &campaign->root));
	CHECK(yaml_tree_check_keys(campaign->path, campaign->root, top_keys));
	CHECK(find_folder(campaign));
	CHECK(find_scalar(campaign, campaign->root, "title", &title));
	CHECK(find_scalar(campaign, campaign->root, "name", &name));
	CHECK(find_scalar(campaign, campaign->root, "result", &ending));
	campaign->title = title != NULL ? title->text : "";
	if (name != NULL)
		campaign->name = text_of(campaign, name, "name");
	campaign->ending = ending != NULL ? ending->text : "h5";
	if (campaign->ending[strspn(campaign->ending, "abcdefghijklmnopqrstuvwxyz0123456789.")] != '\0' ||
	    strlen(campaign->ending) > 16 || campaign->ending[0] == '.')
		return yaml_tree_fail(campaign->path, ending->line, ending->column, "result",
				      "'%.64s' is not the ending of a file name, such as h5 or csv", ending->text);
	vary = yaml_tree_find(campaign->root, "vary");
	if (vary == NULL)
		return yaml_tree_fail(campaign->path, campaign->root->line, campaign->root->column, NULL,
				      "the key 'vary' is missing: variables with their values, as in 'vary: {radius: "
				      "[10, 20]}'");
	CHECK(campaign_expand(campaign, vary, most_jobs));
	CHECK(read_lines(campaign));
	CHECK(read_job(campaign));
	CHECK(check_use(campaign));
	CHECK(read_figures(campaign));
	CHECK(read_study(campaign));
	for (size_t k = 0; k < campaign->job_count; ++k)
		CHECK(name_job(campaign, &campaign->jobs[k]));
	CHECK(check_names(campaign));
	return find_digest(campaign);
}

sonde_status campaign_read(const char *path, size_t most_jobs, struct campaign **campaign)
{
	CHECK(memory_allocate(campaign, 1, sizeof **campaign, "a campaign"));
	(*campaign)->path = path;
	const sonde_status status = read_all(*campaign, most_jobs);
	if (status != SONDE_OK)
		campaign_free(campaign);
	return status;
}

void campaign_free(struct campaign **campaign)
{
	struct campaign *c = *campaign;

	if (c == NULL)
		return;
	for (size_t k = 0; k < c->job_count; ++k) {
		free(c->jobs[k].name);
		free(c->jobs[k].values);
	}
	for (size_t k = 0; k < c->made_count; ++k)
		free(c->made[k]);
	for (int k = 0; k < c->figure_count; ++k)
		free(c->figures[k].path);
	free(c->made);
	free(c->jobs);
	free(c->job_bytes);
	free(c->folder);
	free(c->bytes);
	yaml_tree_free(&c->root);
	free(c);
	*campaign = NULL;
}
