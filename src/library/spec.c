#include "library/spec.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/option_files.h"
#include "campaign/expand.h"
#include "debye/debye.h"
#include "matter/build/build.h"
#include "matter/files/atoms_hdf5.h"

#define LARGEST_FILE ((size_t)1 << 20)
#define MOST_POINTS 100000 /* of a curve */

static const char *const top_keys[] = {"title", "curves", "errors", "coordinates", "debye", "structures", NULL};
static const char *const entry_keys[] = {"name", "family", "build", "vary", "size", "sizes", "cif", "file", NULL};

static sonde_status find_scalar(const char *path, const struct yaml_node *in, const char *key,
				const struct yaml_node **node)
{
	*node = yaml_tree_find(in, key);
	if (*node != NULL && ((*node)->kind != YAML_KIND_SCALAR || (*node)->text[0] == '\0'))
		return yaml_tree_fail(path, (*node)->line, (*node)->column, key, "a single value is expected here");
	return SONDE_OK;
}

static sonde_status read_flag(const struct library_spec *spec, const char *key, bool *flag)
{
	const struct yaml_node *node;

	CHECK(find_scalar(spec->path, spec->root, key, &node));
	if (node == NULL)
		return SONDE_OK;
	*flag = strcmp(node->text, "true") == 0;
	return *flag || strcmp(node->text, "false") == 0
		   ? SONDE_OK
		   : yaml_tree_fail(spec->path, node->line, node->column, key, "must be true or false");
}

/* Options ---------------------------------------------------------------------------------------------------------- */

sonde_status library_set_option(const char *path, const struct option_table *table, const struct yaml_node *node,
				const char *text, void *options)
{
	const struct option_row *row = options_find(table, node->key), *set;
	struct nearest_word nearest = {.word = node->key};
	char hint[96];

	if (row == NULL) {
		options_offer_names(table, &nearest);
		return yaml_tree_fail(path, node->key_line, node->key_column, NULL, "%s has no option '%.64s'%s",
				      table->name, node->key, nearest_word_hint(&nearest, hint, sizeof hint));
	}
	sonde_status status = options_set(table, row, options, text, &set);
	if (status == SONDE_OK)
		status = option_find_file(path, "the library", set, options);
	if (status != SONDE_OK) {
		char message[512];
		snprintf(message, sizeof message, "%s", status_message());
		return yaml_tree_fail(path, node->line, node->column, node->key, "%s", message);
	}
	return SONDE_OK;
}

/* A scalar, or a list of scalars, which become one text with commas. */
static sonde_status text_of_value(const char *path, const struct yaml_node *node, struct text *text)
{
	const bool list = node->kind == YAML_KIND_LIST;
	const struct yaml_node *items = list ? node->members : node;

	for (size_t k = 0; k < (list ? node->count : 1); ++k) {
		if (items[k].kind != YAML_KIND_SCALAR)
			return yaml_tree_fail(path, items[k].line, items[k].column, node->key,
					      "a value or a list of values is expected here");
		text_append(text, "%s%s", k > 0 ? "," : "", items[k].text);
	}
	return text_status(text);
}

/* The options that are not the default. */
static sonde_status describe_options(const sonde_debye_options *options, char **physics)
{
	sonde_debye_options defaults;
	struct text text = {0};

	sonde_debye_options_init(&defaults);
	for (size_t k = 0; k < debye_option_table.count; ++k) {
		const struct option_row *row = &debye_option_table.rows[k];
		struct text value = {0}, usual = {0};
		option_print(row, options, &value);
		option_print(row, &defaults, &usual);
		if (value.bytes != NULL && (usual.bytes == NULL || strcmp(value.bytes, usual.bytes) != 0))
			text_append(&text, "%s%s = %s", text.size > 0 ? "; " : "", row->name, value.bytes);
		text_free(&value);
		text_free(&usual);
	}
	sonde_status status = text_status(&text);
	if (status == SONDE_OK)
		status = memory_copy_text(text.bytes != NULL ? text.bytes : "", physics, "a library");
	text_free(&text);
	return status;
}

/* What a library has no place for. */
static sonde_status check_debye(const struct library_spec *spec, const struct yaml_node *node)
{
	static const char *const others[] = {"frames", "topology", "error_blocks", "resume", "compare", "placements"};
	const sonde_debye_options *debye = &spec->debye;

	if (node == NULL)
		return SONDE_OK;
	for (size_t k = 0; k < node->count; ++k)
		for (size_t n = 0; n < sizeof others / sizeof *others; ++n)
			if (options_find(&debye_option_table, node->members[k].key) ==
			    options_find(&debye_option_table, others[n]))
				return yaml_tree_fail(spec->path, node->members[k].key_line,
						      node->members[k].key_column, NULL,
						      "'%s' is not an option of a library", node->members[k].key);
	if (debye->q.points > MOST_POINTS || debye->r.points > MOST_POINTS)
		return yaml_tree_fail(spec->path, node->line, node->column, "debye",
				      "a curve of a library has at most %d points", MOST_POINTS);
	return SONDE_OK;
}

static sonde_status read_debye(struct library_spec *spec)
{
	const struct yaml_node *node = yaml_tree_find(spec->root, "debye");

	sonde_debye_options_init(&spec->debye);
	if (node != NULL && node->kind != YAML_KIND_MAPPING)
		return yaml_tree_fail(spec->path, node->line, node->column, "debye",
				      "options of debye are expected here, as in 'q: 0.1:20:996'");
	for (size_t k = 0; node != NULL && k < node->count; ++k) {
		struct text text = {0};
		sonde_status status = text_of_value(spec->path, &node->members[k], &text);
		if (status == SONDE_OK)
			status = library_set_option(spec->path, &debye_option_table, &node->members[k], text.bytes,
						    &spec->debye);
		text_free(&text);
		CHECK(status);
	}
	CHECK(check_debye(spec, node));
	if (!spec->has[LIBRARY_G])
		spec->debye.r = (sonde_grid){0.0, 0.0, 1}; /* a transform that nobody asked for takes longest */
	return describe_options(&spec->debye, &spec->physics);
}

static sonde_status read_curves(struct library_spec *spec)
{
	const struct yaml_node *node = yaml_tree_find(spec->root, "curves");
	const bool list = node != NULL && node->kind == YAML_KIND_LIST;
	const struct yaml_node *items = list ? node->members : node;

	if (node == NULL) {
		spec->has[LIBRARY_I_PER_ATOM] = true;
		return SONDE_OK;
	}
	for (size_t k = 0; k < (list ? node->count : 1); ++k) {
		int curve = 0;
		while (curve < LIBRARY_CURVES &&
		       (items[k].kind != YAML_KIND_SCALAR || strcmp(items[k].text, library_curve_names[curve]) != 0))
			++curve;
		if (curve == LIBRARY_CURVES)
			return yaml_tree_fail(spec->path, items[k].line, items[k].column, "curves",
					      "curves of a library are I_per_atom, S, F, and G");
		spec->has[curve] = true;
	}
	return list && node->count == 0
		   ? yaml_tree_fail(spec->path, node->line, node->column, "curves", "a list without curves")
		   : SONDE_OK;
}

/* Entries ---------------------------------------------------------------------------------------------------------- */

static struct campaign_text text_of(const struct yaml_node *node)
{
	struct campaign_text text = {.text = NULL};

	if (node != NULL)
		text = (struct campaign_text){
		    .text = node->text, .line = node->line, .column = node->column + !node->plain, .key = node->key};
	return text;
}

static sonde_status read_vary(struct library_spec *spec, struct library_entry_spec *entry, int64_t most)
{
	const struct yaml_node *vary = yaml_tree_find(entry->node, "vary");

	CHECK(memory_allocate(&entry->variables, 1, sizeof *entry->variables, "a library"));
	entry->variables->path = spec->path;
	if (vary != NULL)
		return campaign_expand(entry->variables, vary, (size_t)most);
	CHECK(memory_grow(&entry->variables->jobs, &entry->variables->job_capacity, 1, sizeof *entry->variables->jobs,
			  "a library"));
	entry->variables->jobs[0] = (struct campaign_job){0};
	entry->variables->job_count = 1;
	return SONDE_OK;
}

/* All variables of the texts are known, and all of the grid are used. */
static sonde_status check_variables(const struct library_spec *spec, const struct library_entry_spec *entry)
{
	const struct campaign *variables = entry->variables;
	bool used[CAMPAIGN_MOST_VARIABLES] = {false};

	if (entry->name.text != NULL)
		CHECK(campaign_check_variables(variables, &entry->name, used));
	if (entry->size.text != NULL)
		CHECK(campaign_check_variables(variables, &entry->size, used));
	for (size_t k = 0; entry->build != NULL && k < entry->build->count; ++k) {
		const struct yaml_node *node = &entry->build->members[k];
		const bool list = node->kind == YAML_KIND_LIST;
		const struct yaml_node *items = list ? node->members : node;
		for (size_t n = 0; n < (list ? node->count : 1); ++n) {
			struct campaign_text text = text_of(&items[n]);
			text.key = node->key;
			if (text.text == NULL)
				return yaml_tree_fail(spec->path, items[n].line, items[n].column, node->key,
						      "a value or a list of values is expected here");
			CHECK(campaign_check_variables(variables, &text, used));
		}
	}
	for (int k = 0; k < variables->variable_count; ++k)
		if (!used[k])
			return yaml_tree_fail(spec->path, variables->variable_lines[k],
					      variables->variable_columns[k], NULL,
					      "the variable '%s' is used nowhere: its structures would be the same",
					      variables->variables[k]);
	return SONDE_OK;
}

static sonde_status read_sizes(const struct library_spec *spec, struct library_entry_spec *entry)
{
	const struct yaml_node *node = yaml_tree_find(entry->node, "sizes");
	const bool list = node != NULL && node->kind == YAML_KIND_LIST;
	const struct yaml_node *items = list ? node->members : node;

	for (size_t k = 0; node != NULL && k < (list ? node->count : 1); ++k) {
		double size;
		if (items[k].kind != YAML_KIND_SCALAR ||
		    !text_parse_real(items[k].text, items[k].text + strlen(items[k].text), &size) || !(size > 0.0))
			return yaml_tree_fail(spec->path, items[k].line, items[k].column, "sizes",
					      "a diameter in Angstrom is expected here, above 0");
		CHECK(memory_grow(&entry->sizes, &entry->size_capacity, entry->size_count + 1, sizeof *entry->sizes,
				  "a library"));
		entry->sizes[entry->size_count++] = size;
	}
	return SONDE_OK;
}

static sonde_status add_file(struct library_entry_spec *entry, const char *path)
{
	CHECK(memory_grow(&entry->files, &entry->file_capacity, entry->file_count + 1, sizeof *entry->files,
			  "a library"));
	CHECK(memory_copy_text(path, &entry->files[entry->file_count], "a library"));
	++entry->file_count;
	return SONDE_OK;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static bool is_meant(const char *name, bool cells)
{
	static const char *const endings[] = {".xyz",    ".extxyz", ".pdb",  ".ent",    ".pqr",   ".vasp",
					      ".poscar", ".lmp",    ".data", ".xyz.gz", ".pdb.gz"};

	if (name[0] == '.')
		return false;
	if (cells)
		return file_has_suffix(name, ".cif") || file_has_suffix(name, ".cif.gz");
	for (size_t k = 0; k < sizeof endings / sizeof *endings; ++k)
		if (file_has_suffix(name, endings[k]))
			return true;
	return false;
}

static sonde_status list_folder(const struct library_spec *spec, struct library_entry_spec *entry,
				const struct yaml_node *node, const char *folder)
{
	DIR *entries = opendir(folder);
	const struct dirent *one;
	sonde_status status = SONDE_OK;
	char path[PATH_MAX];

	if (entries == NULL)
		return yaml_tree_fail(spec->path, node->line, node->column, node->key, "'%.200s': %s", folder,
				      strerror(errno));
	while (status == SONDE_OK && (one = readdir(entries)) != NULL)
		if (is_meant(one->d_name, entry->cells) &&
		    snprintf(path, sizeof path, "%s/%s", folder, one->d_name) < (int)sizeof path)
			status = add_file(entry, path);
	closedir(entries);
	CHECK(status);
	if (entry->file_count == 0)
		return yaml_tree_fail(spec->path, node->line, node->column, node->key,
				      "the folder '%.200s' has no %s files", folder,
				      entry->cells ? "CIF" : "structure");
	/* the order of a folder's entries is not defined */
	qsort(entry->files, entry->file_count, sizeof *entry->files, by_name);
	return SONDE_OK;
}

/* A file, or all of a folder; names are those in the folder of the library's description. */
static sonde_status read_files(const struct library_spec *spec, struct library_entry_spec *entry)
{
	const struct yaml_node *cif, *file;
	const char *slash = strrchr(spec->path, '/');
	char path[PATH_MAX];
	struct stat is;

	CHECK(find_scalar(spec->path, entry->node, "cif", &cif));
	CHECK(find_scalar(spec->path, entry->node, "file", &file));
	if (cif != NULL && file != NULL)
		return yaml_tree_fail(spec->path, file->key_line, file->key_column, NULL,
				      "structures come from 'cif' or from 'file', not both");
	const struct yaml_node *node = cif != NULL ? cif : file;
	if (node == NULL)
		return SONDE_OK;
	entry->cells = cif != NULL;
	const int folder = node->text[0] == '/' || slash == NULL ? 0 : (int)(slash + 1 - spec->path);
	if (snprintf(path, sizeof path, "%.*s%s", folder, spec->path, node->text) >= (int)sizeof path ||
	    stat(path, &is) != 0)
		return yaml_tree_fail(spec->path, node->line, node->column, node->key, "'%.200s': %s", node->text,
				      strerror(errno));
	if (S_ISDIR(is.st_mode)) {
		while (strlen(path) > 1 && path[strlen(path) - 1] == '/')
			path[strlen(path) - 1] = '\0';
		return list_folder(spec, entry, node, path);
	}
	return add_file(entry, path);
}

static sonde_status check_entry(const struct library_spec *spec, const struct library_entry_spec *entry)
{
	const struct yaml_node *node = entry->node, *sizes = yaml_tree_find(node, "sizes");

	if (entry->build != NULL && entry->build->kind != YAML_KIND_MAPPING)
		return yaml_tree_fail(spec->path, entry->build->line, entry->build->column, "build",
				      "options of build are expected here, as in 'fullerene: C60'");
	if (entry->file_count == 0 && entry->build == NULL)
		return yaml_tree_fail(spec->path, node->line, node->column, NULL,
				      "structures need 'build', 'cif', or 'file'");
	if (entry->file_count > 0 && !entry->cells && entry->build != NULL)
		return yaml_tree_fail(spec->path, entry->build->key_line, entry->build->key_column, NULL,
				      "structures of files are taken as they are; 'build' is for those of 'cif'");
	if (sizes != NULL && !entry->cells)
		return yaml_tree_fail(spec->path, sizes->key_line, sizes->key_column, NULL,
				      "'sizes' are those of balls cut from 'cif'; elsewhere use 'vary'");
	if (entry->cells && sizes == NULL && entry->build == NULL)
		return yaml_tree_fail(spec->path, node->line, node->column, NULL,
				      "a 'cif' needs 'sizes', diameters of balls, or a shape in 'build'");
	return check_variables(spec, entry);
}

static sonde_status read_entry(struct library_spec *spec, const struct yaml_node *node, int64_t most,
			       struct library_entry_spec *entry)
{
	const struct yaml_node *name, *family, *size;

	entry->node = node;
	CHECK(yaml_tree_check_keys(spec->path, node, entry_keys));
	CHECK(find_scalar(spec->path, node, "name", &name));
	CHECK(find_scalar(spec->path, node, "family", &family));
	CHECK(find_scalar(spec->path, node, "size", &size));
	entry->name = text_of(name);
	entry->size = text_of(size);
	entry->family = family != NULL ? family->text : "";
	entry->build = yaml_tree_find(node, "build");
	CHECK(read_vary(spec, entry, most));
	CHECK(read_files(spec, entry));
	CHECK(read_sizes(spec, entry));
	CHECK(check_entry(spec, entry));
	const double count = (double)entry->variables->job_count *
			     (double)(entry->file_count > 0 ? entry->file_count : 1) *
			     (double)(entry->size_count > 0 ? entry->size_count : 1);
	if ((double)spec->count + count > (double)most)
		return yaml_tree_fail(spec->path, node->line, node->column, NULL,
				      "%.0f structures are more than the limit of %lld", (double)spec->count + count,
				      (long long)most);
	spec->count += (int64_t)count;
	return SONDE_OK;
}

static sonde_status read_structures(struct library_spec *spec, int64_t most)
{
	const struct yaml_node *node = yaml_tree_find(spec->root, "structures");

	if (node == NULL)
		return yaml_tree_fail(spec->path, spec->root->line, spec->root->column, NULL,
				      "the key 'structures' is missing: a list, each with 'build', 'cif', or 'file'");
	if (node->kind != YAML_KIND_LIST || node->count == 0)
		return yaml_tree_fail(spec->path, node->line, node->column, "structures",
				      "a list is expected here, as in '- build: {fullerene: C60}'");
	CHECK(memory_allocate(&spec->entries, node->count, sizeof *spec->entries, "a library"));
	for (size_t k = 0; k < node->count; ++k) {
		++spec->entry_count;
		CHECK(read_entry(spec, &node->members[k], most, &spec->entries[k]));
	}
	return SONDE_OK;
}

static sonde_status read_all(struct library_spec *spec, int64_t most)
{
	CHECK(yaml_tree_read(spec->path, LARGEST_FILE, NULL, &spec->root));
	CHECK(yaml_tree_check_keys(spec->path, spec->root, top_keys));
	spec->errors = true;
	CHECK(read_flag(spec, "errors", &spec->errors));
	CHECK(read_flag(spec, "coordinates", &spec->coordinates));
	CHECK(read_curves(spec));
	CHECK(read_debye(spec));
	return read_structures(spec, most);
}

sonde_status library_spec_read(const char *path, int64_t most, struct library_spec **spec)
{
	CHECK(memory_allocate(spec, 1, sizeof **spec, "a library"));
	(*spec)->path = path;
	const sonde_status status = read_all(*spec, most);
	if (status != SONDE_OK)
		library_spec_free(spec);
	return status;
}

static void free_entry(struct library_entry_spec *entry)
{
	campaign_free(&entry->variables);
	for (size_t k = 0; k < entry->file_count; ++k)
		free(entry->files[k]);
	free(entry->files);
	free(entry->sizes);
}

void library_spec_free(struct library_spec **freed)
{
	struct library_spec *spec = *freed;

	if (spec == NULL)
		return;
	for (size_t k = 0; k < spec->entry_count; ++k)
		free_entry(&spec->entries[k]);
	free(spec->entries);
	free(spec->physics);
	yaml_tree_free(&spec->root);
	free(spec);
	*freed = NULL;
}

static bool node_names_hdf5(const struct yaml_node *node)
{
	if (node->kind != YAML_KIND_LIST)
		return node->text != NULL && atoms_hdf5_has_ending(node->text);
	for (size_t k = 0; k < node->count; ++k)
		if (node_names_hdf5(&node->members[k]))
			return true;
	return false;
}

static bool entry_names_hdf5(const struct library_entry_spec *entry)
{
	for (size_t k = 0; k < entry->file_count; ++k)
		if (atoms_hdf5_has_ending(entry->files[k]))
			return true;
	for (size_t k = 0; entry->build != NULL && k < entry->build->count; ++k)
		if (node_names_hdf5(&entry->build->members[k]))
			return true;
	for (size_t job = 0; job < entry->variables->job_count; ++job)
		for (int k = 0; k < entry->variables->variable_count; ++k)
			if (atoms_hdf5_has_ending(entry->variables->jobs[job].values[k]))
				return true;
	return false;
}

bool library_spec_reads_hdf5(const struct library_spec *spec)
{
	for (size_t k = 0; k < spec->entry_count; ++k)
		if (entry_names_hdf5(&spec->entries[k]))
			return true;
	return false;
}
