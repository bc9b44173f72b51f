#include "refine/job.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/memory.h"
#include "debye/debye.h"
#include "library/spec.h"
#include "match/option_table.h"
#include "matter/build/build.h"
#include "matter/build/changes.h"
#include "refine/smoothing.h"
#include "run/provenance.h"

#define LARGEST_FILE ((size_t)1 << 20)

static const char *const top_keys[] = {"title", "refine",   "derived", "build",  "sample",
				       "debye", "measured", "fit",     "curves", NULL};
static const char *const curve_keys[] = {"measured", "debye", "fit", NULL};
static const char *const parameter_keys[] = {"name", "start", "lower", "upper", "step", "grid", "spread", NULL};
static const char *const derived_keys[] = {"name", "formula", NULL};

/* Parameters ------------------------------------------------------------------------------------------------------- */

static sonde_status read_text(const struct refine_job *job, const struct yaml_node *in, const char *key, bool needed,
			      const char **text, const struct yaml_node **node)
{
	*node = yaml_tree_find(in, key);
	*text = NULL;
	if (*node == NULL)
		return needed ? yaml_tree_fail(job->path, in->line, in->column, NULL, "the key '%s' is missing", key)
			      : SONDE_OK;
	if ((*node)->kind != YAML_KIND_SCALAR || (*node)->text[0] == '\0')
		return yaml_tree_fail(job->path, (*node)->line, (*node)->column, key,
				      "a single value is expected here");
	*text = (*node)->text;
	return SONDE_OK;
}

/* *given tells whether there is one. */
static sonde_status read_number(const struct refine_job *job, const struct yaml_node *in, const char *key,
				double *number, bool *given)
{
	const struct yaml_node *node;
	const char *text;

	CHECK(read_text(job, in, key, false, &text, &node));
	*given = text != NULL;
	if (text != NULL && !text_parse_real(text, text + strlen(text), number))
		return yaml_tree_fail(job->path, node->line, node->column, key, "'%.64s' is not a number", text);
	return SONDE_OK;
}

static sonde_status read_name(const struct refine_job *job, const struct yaml_node *in, const char **name)
{
	const struct yaml_node *node;

	CHECK(read_text(job, in, "name", true, name, &node));
	if (!formula_is_name(*name))
		return yaml_tree_fail(job->path, node->line, node->column, "name",
				      "'%.64s' cannot be a name: letters, digits and _, and not a function", *name);
	for (int k = 0; k < job->count; ++k)
		if (strcmp(job->names[k], *name) == 0)
			return yaml_tree_fail(job->path, node->line, node->column, "name", "'%s' is given twice",
					      *name);
	for (int k = 0; k < job->derived_count; ++k)
		if (strcmp(job->derived[k].name, *name) == 0)
			return yaml_tree_fail(job->path, node->line, node->column, "name", "'%s' is given twice",
					      *name);
	return SONDE_OK;
}

static sonde_status fail_parameter(const struct refine_job *job, const struct refine_parameter *parameter,
				   const char *what)
{
	return yaml_tree_fail(job->path, parameter->line, parameter->column, NULL, "%s: %s", parameter->name, what);
}

static sonde_status check_parameter(const struct refine_job *job, const struct refine_parameter *parameter)
{
	const struct bound *bound = &parameter->bound;

	if (!(bound->lower < bound->upper))
		return yaml_tree_fail(job->path, parameter->line, parameter->column, NULL,
				      "%s: lower, %g, is not below upper, %g", parameter->name, bound->lower,
				      bound->upper);
	if (!(bound->start >= bound->lower && bound->start <= bound->upper))
		return yaml_tree_fail(job->path, parameter->line, parameter->column, NULL,
				      "%s: start, %g, is not within its bounds, %g to %g", parameter->name,
				      bound->start, bound->lower, bound->upper);
	if (parameter->step < 0.0 || parameter->grid < 0.0)
		return fail_parameter(job, parameter, "step and grid are above 0");
	if (isfinite(bound->lower) && isfinite(bound->upper) && parameter->step > 0.5 * (bound->upper - bound->lower))
		return fail_parameter(job, parameter, "step is more than half the distance of the bounds");
	return SONDE_OK;
}

static sonde_status read_parameter(struct refine_job *job, const struct yaml_node *node)
{
	struct refine_parameter *parameter = &job->parameters[job->count];
	struct bound *bound = &parameter->bound;
	const struct yaml_node *spread;
	bool given;

	*parameter = (struct refine_parameter){.line = node->line, .column = node->column};
	bound->lower = -INFINITY;
	bound->upper = INFINITY;
	CHECK(yaml_tree_check_keys(job->path, node, parameter_keys));
	CHECK(read_name(job, node, &parameter->name));
	CHECK(read_number(job, node, "start", &bound->start, &given));
	if (!given)
		return fail_parameter(job, parameter, "the key 'start' is missing");
	CHECK(read_number(job, node, "lower", &bound->lower, &given));
	CHECK(read_number(job, node, "upper", &bound->upper, &given));
	CHECK(read_number(job, node, "step", &parameter->step, &given));
	CHECK(read_number(job, node, "grid", &parameter->grid, &given));
	CHECK(check_parameter(job, parameter));
	CHECK(read_text(job, node, "spread", false, &parameter->spread, &spread));
	if (spread != NULL && !(parameter->grid > 0.0))
		return fail_parameter(job, parameter, "a 'spread' needs a 'grid' of values");
	if (spread != NULL) {
		parameter->spread_line = spread->line;
		parameter->spread_column = spread->column;
	}
	bound->scale = fmax(0.1 * fabs(bound->start), fmax(10.0 * parameter->step, parameter->grid));
	if (!(bound->scale > 0.0))
		bound->scale = 0.1;
	job->grids += parameter->grid > 0.0;
	job->names[job->count] = parameter->name;
	job->starts[job->count++] = bound->start;
	return SONDE_OK;
}

static sonde_status read_list(const struct refine_job *job, const char *key, size_t most, const char *form,
			      const struct yaml_node **list)
{
	*list = yaml_tree_find(job->root, key);
	if (*list == NULL)
		return SONDE_OK;
	if ((*list)->kind != YAML_KIND_LIST || (*list)->count == 0)
		return yaml_tree_fail(job->path, (*list)->line, (*list)->column, key,
				      "a list is expected here, as in '- %s'", form);
	if ((*list)->count > most)
		return yaml_tree_fail(job->path, (*list)->line, (*list)->column, key, "more than %zu items", most);
	return SONDE_OK;
}

static sonde_status read_parameters(struct refine_job *job)
{
	const struct yaml_node *list;

	CHECK(read_list(job, "refine", REFINE_MOST_PARAMETERS, "{name: a, start: 4.08, lower: 4.0, upper: 4.2}",
			&list));
	if (list == NULL)
		return yaml_tree_fail(job->path, job->root->line, job->root->column, NULL,
				      "the key 'refine' is missing: a list of parameters, as "
				      "'- {name: a, start: 4.08, lower: 4.0, upper: 4.2}'");
	for (size_t k = 0; k < list->count; ++k)
		CHECK(read_parameter(job, &list->members[k]));
	return SONDE_OK;
}

/* Formulas at the start, whose names are marked as used. */
static struct formula_names names_of(const struct refine_job *job, const double *values, bool *used)
{
	return (struct formula_names){job->names, values, used, job->count};
}

static sonde_status evaluate(const struct refine_job *job, const char *formula, size_t line, size_t column,
			     const char *key, const struct formula_names *names, double *value)
{
	char message[512];

	const sonde_status status = formula_evaluate(formula, formula + strlen(formula), names, value);
	if (status != SONDE_INVALID)
		return status;
	snprintf(message, sizeof message, "%s", status_message());
	return yaml_tree_fail(job->path, line, column, key, "%s", message);
}

static sonde_status find_spread(const struct refine_job *job, int number, const struct formula_names *names,
				double *spread)
{
	const struct refine_parameter *parameter = &job->parameters[number];

	*spread = 0.0;
	if (parameter->spread == NULL)
		return SONDE_OK;
	CHECK(evaluate(job, parameter->spread, parameter->spread_line, parameter->spread_column, "spread", names,
		       spread));
	if (!(*spread >= SMOOTHING_LEAST * parameter->grid))
		return yaml_tree_fail(job->path, parameter->spread_line, parameter->spread_column, "spread",
				      "%.6g is less than %g of the grid, %.6g: the grid is too coarse for it",
				      *spread, SMOOTHING_LEAST, parameter->grid);
	return SONDE_OK;
}

sonde_status refine_job_spread(const struct refine_job *job, int number, const double *values, double *spread)
{
	const struct formula_names names = names_of(job, values, NULL);

	return find_spread(job, number, &names, spread);
}

static sonde_status read_spreads(struct refine_job *job)
{
	bool used[REFINE_MOST_PARAMETERS] = {false};
	const struct formula_names names = names_of(job, job->starts, used);
	double spread;

	for (int k = 0; k < job->count; ++k)
		CHECK(find_spread(job, k, &names, &spread));
	for (int k = 0; k < job->count; ++k)
		job->parameters[k].in_spread = used[k];
	return SONDE_OK;
}

static sonde_status read_derived(struct refine_job *job)
{
	const struct yaml_node *list, *node;
	double value;

	CHECK(read_list(job, "derived", REFINE_MOST_DERIVED, "{name: radius, formula: x*a}", &list));
	for (size_t k = 0; list != NULL && k < list->count; ++k) {
		const struct yaml_node *item = &list->members[k];
		struct refine_derived *derived = &job->derived[job->derived_count];
		CHECK(yaml_tree_check_keys(job->path, item, derived_keys));
		CHECK(read_name(job, item, &derived->name));
		CHECK(read_text(job, item, "formula", true, &derived->formula, &node));
		derived->line = node->line;
		derived->column = node->column;
		++job->derived_count;
		CHECK(refine_job_derive(job, job->derived_count - 1, job->starts, &value));
	}
	return SONDE_OK;
}

sonde_status refine_job_derive(const struct refine_job *job, int number, const double *values, double *value)
{
	const struct refine_derived *derived = &job->derived[number];
	const struct formula_names names = names_of(job, values, NULL);

	return evaluate(job, derived->formula, derived->line, derived->column, "formula", &names, value);
}

/* Options ---------------------------------------------------------------------------------------------------------- */

static sonde_status substitute(const struct refine_job *job, const struct yaml_node *node, const char *key,
			       const struct formula_names *names, struct text *text)
{
	char message[512];

	if (node->kind != YAML_KIND_SCALAR)
		return yaml_tree_fail(job->path, node->line, node->column, key,
				      "a value or a list of values is expected here");
	const sonde_status status = formula_substitute(node->text, names, text);
	if (status != SONDE_INVALID)
		return status;
	snprintf(message, sizeof message, "%s", status_message());
	return yaml_tree_fail(job->path, node->line, node->column, key, "%s", message);
}

/* Sets the options of a block, which may be null, in those that have their defaults. */
static sonde_status set_options(const struct refine_job *job, const struct yaml_node *block,
				const struct option_table *table, const struct formula_names *names, void *options)
{
	for (size_t k = 0; block != NULL && k < block->count; ++k) {
		const struct yaml_node *node = &block->members[k];
		const bool list = node->kind == YAML_KIND_LIST;
		const struct yaml_node *items = list ? node->members : node;
		struct text text = {0};
		sonde_status status = SONDE_OK;
		for (size_t n = 0; n < (list ? node->count : 1) && status == SONDE_OK; ++n) {
			text_append(&text, "%s", n > 0 ? "," : "");
			status = substitute(job, &items[n], node->key, names, &text);
		}
		if (status == SONDE_OK)
			status =
			    library_set_option(job->path, table, node, text.bytes != NULL ? text.bytes : "", options);
		text_free(&text);
		CHECK(status);
	}
	return SONDE_OK;
}

sonde_status refine_job_build(const struct refine_job *job, const double *values, sonde_build_options *options)
{
	const struct formula_names names = names_of(job, values, NULL);

	sonde_build_options_init(options);
	return set_options(job, job->build, &build_option_table, &names, options);
}

sonde_status refine_job_debye(const struct refine_job *job, int run, const double *values,
			      sonde_debye_options *options)
{
	const struct formula_names names = names_of(job, values, NULL);

	sonde_debye_options_init(options);
	CHECK(set_options(job, job->debye, &debye_option_table, &names, options));
	return set_options(job, job->runs[run], &debye_option_table, &names, options);
}

static sonde_status find_block(const struct refine_job *job, const struct yaml_node *in, const char *key,
			       const char *form, const struct yaml_node **block)
{
	*block = yaml_tree_find(in, key);
	if (*block != NULL && (*block)->kind != YAML_KIND_MAPPING)
		return yaml_tree_fail(job->path, (*block)->line, (*block)->column, key,
				      "options are expected here, as in '%s'", form);
	return SONDE_OK;
}

/* Options that have no meaning here. `known`: those that have; else `others`, those that have not. */
static sonde_status check_keys(const struct refine_job *job, const struct yaml_node *block,
			       const struct option_table *table, const char *known, const char *others,
			       const char *why)
{
	char name[80];

	for (size_t k = 0; block != NULL && k < block->count; ++k) {
		const struct yaml_node *node = &block->members[k];
		const struct option_row *row = options_find(table, node->key);
		snprintf(name, sizeof name, " %.70s ", row != NULL ? row->name : "");
		const bool is_wrong = known != NULL ? strstr(known, name) == NULL : strstr(others, name) != NULL;
		if (row != NULL && is_wrong)
			return yaml_tree_fail(job->path, node->key_line, node->key_column, NULL,
					      "'%s' is not an option of a refinement%s", node->key, why);
	}
	return SONDE_OK;
}

static sonde_status check_debye(const struct refine_job *job, const struct yaml_node *block)
{
	return check_keys(job, block, &debye_option_table, NULL,
			  " frames topology error_blocks resume checkpoint compare compare_range background "
			  "placements columns r_list resolution doublet ",
			  "; the block 'fit' has those of the measured curve");
}

static sonde_status check_fit(const struct refine_job *job, const struct yaml_node *block)
{
	return check_keys(job, block, &match_option_table,
			  " curve axis wavelength range weights background resolution qdamp terms qmax ", NULL, "");
}

/* The structure and all runs at the start; and whether they use all parameters. */
static sonde_status check_options(const struct refine_job *job)
{
	bool used[REFINE_MOST_PARAMETERS] = {false};
	const struct formula_names names = names_of(job, job->starts, used);
	sonde_build_options *build;
	sonde_debye_options *debye;

	CHECK(memory_allocate(&build, 1, sizeof *build, "options"));
	sonde_build_options_init(build);
	sonde_status status = set_options(job, job->build, &build_option_table, &names, build);
	free(build);
	CHECK(status);
	CHECK(memory_allocate(&debye, 1, sizeof *debye, "options"));
	for (int run = 0; run < job->run_count && status == SONDE_OK; ++run) {
		sonde_debye_options_init(debye);
		status = set_options(job, job->debye, &debye_option_table, &names, debye);
		if (status == SONDE_OK)
			status = set_options(job, job->runs[run], &debye_option_table, &names, debye);
	}
	free(debye);
	CHECK(status);
	for (int k = 0; k < job->count; ++k)
		if (!used[k] && !job->parameters[k].in_spread)
			return fail_parameter(job, &job->parameters[k],
					      "the parameter occurs in no option of 'build' and 'debye', as ${name}");
	return SONDE_OK;
}

/* Files ------------------------------------------------------------------------------------------------------------ */

/* The path of a file in the folder of the job, else in the current one; false if it is in neither. */
static bool find_path(const struct refine_job *job, const char *name, char path[PATH_MAX])
{
	const char *slash = strrchr(job->path, '/');
	const int folder = name[0] == '/' || slash == NULL ? 0 : (int)(slash + 1 - job->path);
	struct stat is;

	if (snprintf(path, PATH_MAX, "%.*s%s", folder, job->path, name) < PATH_MAX && stat(path, &is) == 0)
		return true;
	return snprintf(path, PATH_MAX, "%s", name) < PATH_MAX && stat(path, &is) == 0;
}

static sonde_status find_file(const struct refine_job *job, const struct yaml_node *in, const char *key, bool needed,
			      char **file)
{
	const struct yaml_node *node;
	const char *name;
	char path[PATH_MAX];

	CHECK(read_text(job, in, key, needed, &name, &node));
	if (name == NULL)
		return SONDE_OK;
	if (find_path(job, name, path))
		return memory_copy_text(path, file, "a path");
	return yaml_tree_fail(job->path, node->line, node->column, key, "'%.200s': %s", name, strerror(errno));
}

/* Files of the option `terms`, between commas. */
static sonde_status find_terms(const struct refine_job *job, sonde_match_options *fit)
{
	struct text paths = {0};
	char path[PATH_MAX], name[OPTION_TEXT_SIZE], *rest;
	sonde_status status = SONDE_OK;

	snprintf(name, sizeof name, "%s", fit->terms);
	for (char *word = strtok_r(name, ",", &rest); word != NULL; word = strtok_r(NULL, ",", &rest))
		text_append(&paths, "%s%s", paths.size > 0 ? "," : "", find_path(job, word, path) ? path : word);
	if (paths.size > 0) {
		status = text_status(&paths);
		if (status == SONDE_OK && paths.size < sizeof fit->terms)
			memcpy(fit->terms, paths.bytes, paths.size + 1);
	}
	text_free(&paths);
	return status;
}

/* Curves ----------------------------------------------------------------------------------------------------------- */

/* The run with the options of a block in addition to those of all. */
static int find_run(struct refine_job *job, const struct yaml_node *block)
{
	for (int run = 0; run < job->run_count && block == NULL; ++run)
		if (job->runs[run] == NULL)
			return run;
	job->runs[job->run_count] = block;
	return job->run_count++;
}

/* `in` has the file; `own` and `run`, of one of several curves, what it does not share with the others, or null. */
static sonde_status add_curve(struct refine_job *job, const struct yaml_node *in, const struct yaml_node *shared,
			      const struct yaml_node *own, const struct yaml_node *run)
{
	const struct formula_names none = {0};
	struct refine_curve *curve = &job->curves[job->curve_count++];

	options_set_defaults(&match_option_table, &curve->fit);
	CHECK(set_options(job, shared, &match_option_table, &none, &curve->fit));
	CHECK(set_options(job, own, &match_option_table, &none, &curve->fit));
	curve->run = find_run(job, run);
	CHECK(find_file(job, in, "measured", true, &curve->measured));
	return find_terms(job, &curve->fit);
}

static sonde_status read_curve(struct refine_job *job, const struct yaml_node *item, const struct yaml_node *shared)
{
	const struct yaml_node *fit, *debye;

	CHECK(yaml_tree_check_keys(job->path, item, curve_keys));
	CHECK(find_block(job, item, "debye", "radiation: neutron", &debye));
	CHECK(find_block(job, item, "fit", "background: 3", &fit));
	CHECK(check_debye(job, debye));
	CHECK(check_fit(job, fit));
	return add_curve(job, item, shared, fit, debye);
}

static sonde_status read_curves(struct refine_job *job)
{
	const struct yaml_node *list, *fit, *measured = yaml_tree_find(job->root, "measured");

	CHECK(find_block(job, job->root, "fit", "background: 3", &fit));
	CHECK(check_fit(job, fit));
	CHECK(read_list(job, "curves", REFINE_MOST_CURVES, "{measured: neutron.xy, debye: {radiation: neutron}}",
			&list));
	if (list == NULL)
		return add_curve(job, job->root, fit, NULL, NULL);
	if (measured != NULL)
		return yaml_tree_fail(
		    job->path, measured->key_line, measured->key_column, NULL,
		    "there are 'measured' and 'curves': the file of each curve belongs into its item "
		    "of 'curves'");
	for (size_t k = 0; k < list->count; ++k)
		CHECK(read_curve(job, &list->members[k], fit));
	return SONDE_OK;
}

static sonde_status read_all(struct refine_job *job)
{
	CHECK(yaml_tree_read(job->path, LARGEST_FILE, NULL, &job->root));
	CHECK(yaml_tree_check_keys(job->path, job->root, top_keys));
	CHECK(read_parameters(job));
	CHECK(read_spreads(job));
	CHECK(read_derived(job));
	CHECK(find_block(job, job->root, "build", "cell: fcc", &job->build));
	CHECK(find_block(job, job->root, "debye", "q: 0.5:20:400", &job->debye));
	CHECK(check_keys(job, job->build, &build_option_table, NULL, " size_distribution compact ", ""));
	CHECK(check_debye(job, job->debye));
	CHECK(read_curves(job));
	CHECK(check_options(job));
	CHECK(find_file(job, job->root, "sample", false, &job->sample));
	if (job->sample == NULL && job->build == NULL)
		return yaml_tree_fail(job->path, job->root->line, job->root->column, NULL,
				      "a structure is missing: 'build' with options of sonde build, or 'sample', a "
				      "file of atoms");
	return SONDE_OK;
}

sonde_status refine_job_read(const char *path, struct refine_job **job)
{
	CHECK(memory_allocate(job, 1, sizeof **job, "a job"));
	(*job)->path = path;
	sonde_status status = read_all(*job);
	if (status == SONDE_OK)
		status = provenance_read_job_file(path, &(*job)->text);
	if (status != SONDE_OK)
		refine_job_free(job);
	return status;
}

void refine_job_free(struct refine_job **job)
{
	if (*job == NULL)
		return;
	yaml_tree_free(&(*job)->root);
	for (int k = 0; k < (*job)->curve_count; ++k)
		free((*job)->curves[k].measured);
	free((*job)->sample);
	free((*job)->text);
	free(*job);
	*job = NULL;
}

/* The structure ---------------------------------------------------------------------------------------------------- */

/* Failures of a structure have the place of its block and the values of the parameters. */
static sonde_status place_failure(const struct refine_job *job, const double *values, sonde_status status)
{
	const struct yaml_node *node = job->build != NULL ? job->build : job->root;
	struct text text = {0};
	char message[1024];

	if (status != SONDE_INVALID)
		return status;
	snprintf(message, sizeof message, "%s", status_message());
	for (int k = 0; k < job->count; ++k)
		text_append(&text, "%s%s = %.8g", k > 0 ? ", " : "", job->names[k], values[k]);
	status = yaml_tree_fail(job->path, node->line, node->column, NULL, "%s (at %s)", message,
				text.bytes != NULL ? text.bytes : "");
	text_free(&text);
	return status;
}

sonde_status refine_job_make(sonde_context *context, const struct refine_job *job, const double *values,
			     sonde_atoms **atoms)
{
	sonde_build_options *options;

	*atoms = NULL;
	CHECK(memory_allocate(&options, 1, sizeof *options, "options"));
	sonde_status status = refine_job_build(job, values, options);
	if (status == SONDE_OK && job->sample != NULL) {
		status = sonde_atoms_read(context, job->sample, 0, atoms);
		if (status == SONDE_OK)
			status = changes_make(context, options, "the sample of a refinement", atoms);
	} else if (status == SONDE_OK) {
		status = place_failure(job, values, sonde_build_run(context, options, atoms));
	}
	free(options);
	if (status != SONDE_OK)
		sonde_atoms_free(atoms);
	return status;
}
