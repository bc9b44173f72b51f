/* The structures of a library: built, cut from unit cells, or read. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/sha256.h"
#include "campaign/expand.h"
#include "library/spec.h"
#include "matter/build/build.h"

/* A structure's place in the description. */
struct recipe {
	const struct library_entry_spec *entry;
	const struct campaign_job *job;
	const char *file; /* null: none */
	double size;      /* NaN: none */
};

static struct recipe find_recipe(const struct library_spec *spec, int64_t number)
{
	for (size_t k = 0; k < spec->entry_count; ++k) {
		const struct library_entry_spec *entry = &spec->entries[k];
		const int64_t files = entry->file_count > 0 ? (int64_t)entry->file_count : 1,
			      sizes = entry->size_count > 0 ? (int64_t)entry->size_count : 1,
			      count = (int64_t)entry->variables->job_count * files * sizes;
		if (number >= count) {
			number -= count;
			continue;
		}
		return (struct recipe){.entry = entry,
				       .file = entry->file_count > 0 ? entry->files[number / sizes % files] : NULL,
				       .size = entry->size_count > 0 ? entry->sizes[number % sizes] : NAN,
				       .job = &entry->variables->jobs[number / sizes / files]};
	}
	return (struct recipe){0};
}

static sonde_status substitute(const struct recipe *recipe, const char *from, struct text *to)
{
	static const struct campaign_files none = {"", "", "", ""};

	return campaign_substitute(recipe->entry->variables, recipe->job, &none, from, from + strlen(from), to);
}

/* The text of an option, variables replaced. */
static sonde_status value_of(const struct recipe *recipe, const struct yaml_node *node, struct text *value)
{
	const bool list = node->kind == YAML_KIND_LIST;
	const struct yaml_node *items = list ? node->members : node;

	for (size_t k = 0; k < (list ? node->count : 1); ++k) {
		text_append(value, "%s", k > 0 ? "," : "");
		CHECK(substitute(recipe, items[k].text, value));
	}
	return text_status(value);
}

/* Failures are those of the item of the list. */
static sonde_status place_failure(const struct library_spec *spec, const struct recipe *recipe, sonde_status status)
{
	char message[1024];

	if (status != SONDE_INVALID)
		return status;
	snprintf(message, sizeof message, "%s", status_message());
	const struct yaml_node *node = recipe->entry->build != NULL ? recipe->entry->build : recipe->entry->node;
	status = yaml_tree_fail(spec->path, node->line, node->column, NULL, "%s", message);
	for (int k = 0; k < recipe->entry->variables->variable_count; ++k)
		status =
		    status_prefix(status, "%s = %s", recipe->entry->variables->variables[k], recipe->job->values[k]);
	return status;
}

static sonde_status build(sonde_context *context, const struct library_spec *spec, const struct recipe *recipe,
			  sonde_atoms **atoms)
{
	const struct yaml_node *given = recipe->entry->build;
	sonde_build_options options;

	sonde_build_options_init(&options);
	for (size_t k = 0; given != NULL && k < given->count; ++k) {
		struct text value = {0};
		sonde_status status = value_of(recipe, &given->members[k], &value);
		if (status == SONDE_OK)
			status = library_set_option(spec->path, &build_option_table, &given->members[k],
						    value.bytes != NULL ? value.bytes : "", &options);
		text_free(&value);
		CHECK(status);
	}
	if (recipe->file != NULL)
		CHECK(options_set(&build_option_table, options_find(&build_option_table, "cell"), &options,
				  recipe->file, NULL));
	if (isfinite(recipe->size))
		options.sphere = 0.5 * recipe->size;
	return place_failure(spec, recipe, sonde_build_run(context, &options, atoms));
}

/* Names and descriptions ------------------------------------------------------------------------------------------ */

/* The file's name without folder and ending. */
static void append_stem(const char *file, struct text *text)
{
	const char *slash = strrchr(file, '/'), *name = slash != NULL ? slash + 1 : file;

	text_append(text, "%.*s", (int)strcspn(name, "."), name);
}

static sonde_status take(struct text *text, sonde_status status, char **to)
{
	if (status == SONDE_OK)
		status = text_status(text);
	if (status == SONDE_OK)
		status = memory_copy_text(text->bytes != NULL ? text->bytes : "", to, "a structure");
	text_free(text);
	return status;
}

static sonde_status make_parameters(const struct recipe *recipe, struct text *text)
{
	const struct campaign *variables = recipe->entry->variables;

	for (int k = 0; k < variables->variable_count; ++k)
		text_append(text, "%s%s=%s", k > 0 ? " " : "", variables->variables[k], recipe->job->values[k]);
	if (isfinite(recipe->size))
		text_append(text, "%sdiameter=%.8g", text->size > 0 ? " " : "", recipe->size);
	return text_status(text);
}

static sonde_status make_name(const struct recipe *recipe, const struct library_structure *structure,
			      struct text *text)
{
	const struct campaign *variables = recipe->entry->variables;

	if (recipe->entry->name.text != NULL) {
		CHECK(substitute(recipe, recipe->entry->name.text, text));
	} else if (recipe->file == NULL) {
		text_append(text, "%s",
			    recipe->entry->family[0] != '\0' ? recipe->entry->family : structure->composition);
		for (int k = 0; k < variables->variable_count; ++k)
			text_append(text, " %s", recipe->job->values[k]);
	}
	if (recipe->file != NULL) {
		text_append(text, "%s", text->size > 0 ? " " : "");
		append_stem(recipe->file, text);
	}
	if (isfinite(recipe->size))
		text_append(text, " %.8g", recipe->size);
	return text_status(text);
}

static sonde_status find_size(const struct library_spec *spec, const struct recipe *recipe, double *size)
{
	struct text text = {0};
	const char *unit;

	*size = recipe->size;
	if (recipe->entry->size.text == NULL)
		return SONDE_OK;
	sonde_status status = substitute(recipe, recipe->entry->size.text, &text);
	if (status == SONDE_OK && (text.bytes == NULL || !campaign_number(text.bytes, size, &unit)))
		status = yaml_tree_fail(spec->path, recipe->entry->size.line, recipe->entry->size.column, "size",
					"'%.64s' is not a number", text.bytes != NULL ? text.bytes : "");
	text_free(&text);
	return status;
}

static sonde_status make_composition(const sonde_atoms *atoms, struct text *text)
{
	for (int s = 0; s < sonde_atoms_species_count(atoms); ++s)
		text_append(text, "%s%s%lld", s > 0 ? " " : "", sonde_atoms_species_label(atoms, s),
			    (long long)sonde_atoms_species_atoms(atoms, s));
	return text_status(text);
}

/* SHA-256 of the atoms. Options are the same for all of a library, and a structure has the same key in those of other radiations. */
static void make_key(const sonde_atoms *atoms, char key[LIBRARY_KEY + 1])
{
	const size_t count = (size_t)sonde_atoms_count(atoms);
	const double *occupancies = sonde_atoms_occupancies(atoms);
	int each;
	const double *displacements = sonde_atoms_displacements(atoms, &each);
	struct sha256 hash;

	sha256_begin(&hash);
	for (int s = 0; s < sonde_atoms_species_count(atoms); ++s) {
		const char *label = sonde_atoms_species_label(atoms, s);
		sha256_add(&hash, label, strlen(label) + 1);
	}
	sha256_add(&hash, sonde_atoms_species(atoms), count * sizeof(uint16_t));
	sha256_add(&hash, sonde_atoms_positions(atoms), 3 * count * sizeof(double));
	if (occupancies != NULL)
		sha256_add(&hash, occupancies, count * sizeof *occupancies);
	if (displacements != NULL)
		sha256_add(&hash, displacements, count * (size_t)each * sizeof *displacements);
	sha256_end(&hash, key);
}

sonde_status library_structure_make(sonde_context *context, const struct library_spec *spec, int64_t number,
				    struct library_structure *structure)
{
	const struct recipe recipe = find_recipe(spec, number);
	struct text text = {0};

	*structure = (struct library_structure){0};
	if (recipe.entry == NULL)
		return status_fail(SONDE_INTERNAL, "a library has no structure %lld", (long long)number);
	structure->family = recipe.entry->family;
	if (recipe.file != NULL && !recipe.entry->cells)
		CHECK(sonde_atoms_read(context, recipe.file, 0, &structure->atoms));
	else
		CHECK(build(context, spec, &recipe, &structure->atoms));
	if (sonde_atoms_count(structure->atoms) == 0)
		return place_failure(spec, &recipe, status_fail(SONDE_INVALID, "a structure has no atoms"));
	CHECK(find_size(spec, &recipe, &structure->size));
	CHECK(take(&text, make_composition(structure->atoms, &text), &structure->composition));
	CHECK(take(&text, make_parameters(&recipe, &text), &structure->parameters));
	CHECK(take(&text, make_name(&recipe, structure, &text), &structure->name));
	CHECK(memory_copy_text(recipe.file != NULL ? recipe.file : "sonde build", &structure->source, "a structure"));
	make_key(structure->atoms, structure->key);
	return SONDE_OK;
}

void library_structure_free(struct library_structure *structure)
{
	sonde_atoms_free(&structure->atoms);
	free(structure->name);
	free(structure->source);
	free(structure->parameters);
	free(structure->composition);
	free(structure->values);
	*structure = (struct library_structure){0};
}
