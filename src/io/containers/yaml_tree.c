#include "io/containers/yaml_tree.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "io/containers/yaml_source.h"

struct loading {
	struct yaml_source source;
	yaml_document_t document;
};

void yaml_tree_set_message(const char *path, size_t line, size_t column, const char *key, const char *format, ...)
{
	char message[1024];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(message, sizeof message, format, arguments);
	va_end(arguments);
	status_set_message("%s:%zu:%zu: %.64s%s%s", path, line, column, key != NULL ? key : "",
			   key != NULL ? ": " : "", message);
	status_locate(path, line, column, key);
}

static sonde_status convert(struct loading *loading, int index, struct yaml_node *node);

static sonde_status convert_list(struct loading *loading, const yaml_node_t *from, struct yaml_node *node)
{
	const yaml_node_item_t *items = from->data.sequence.items.start;
	const size_t count = (size_t)(from->data.sequence.items.top - items);

	node->kind = YAML_KIND_LIST;
	node->block = from->data.sequence.style == YAML_BLOCK_SEQUENCE_STYLE;
	CHECK(memory_allocate(&node->members, count, sizeof *node->members, "a YAML file"));
	node->count = count;
	for (size_t k = 0; k < count; ++k)
		CHECK(convert(loading, items[k], &node->members[k]));
	return SONDE_OK;
}

static sonde_status convert_key(struct loading *loading, const yaml_node_t *key, struct yaml_node *node,
				size_t number)
{
	struct yaml_node *member = &node->members[number];

	if (key->type != YAML_SCALAR_NODE)
		return yaml_source_fail(&loading->source, key->start_mark, "a key must be a word");
	CHECK(memory_copy_text((const char *)key->data.scalar.value, &member->key, "a YAML file"));
	member->key_line = key->start_mark.line + 1;
	member->key_column = key->start_mark.column + 1;
	for (size_t k = 0; k < number; ++k)
		if (strcmp(node->members[k].key, member->key) == 0)
			return yaml_tree_fail(loading->source.path, member->key_line, member->key_column, NULL,
					      "duplicate key '%.64s', first on line %zu", member->key,
					      node->members[k].key_line);
	return SONDE_OK;
}

static sonde_status convert_mapping(struct loading *loading, const yaml_node_t *from, struct yaml_node *node)
{
	const yaml_node_pair_t *pairs = from->data.mapping.pairs.start;
	const size_t count = (size_t)(from->data.mapping.pairs.top - pairs);

	node->kind = YAML_KIND_MAPPING;
	node->block = from->data.mapping.style == YAML_BLOCK_MAPPING_STYLE;
	CHECK(memory_allocate(&node->members, count, sizeof *node->members, "a YAML file"));
	node->count = count;
	for (size_t k = 0; k < count; ++k) {
		CHECK(convert_key(loading, yaml_document_get_node(&loading->document, pairs[k].key), node, k));
		CHECK(convert(loading, pairs[k].value, &node->members[k]));
	}
	return SONDE_OK;
}

static sonde_status convert(struct loading *loading, int index, struct yaml_node *node)
{
	const yaml_node_t *from = yaml_document_get_node(&loading->document, index);

	node->line = from->start_mark.line + 1;
	node->column = from->start_mark.column + 1;
	node->end_line = from->end_mark.line + 1;
	node->end_column = from->end_mark.column + 1;
	if (from->type == YAML_SEQUENCE_NODE)
		return convert_list(loading, from, node);
	if (from->type == YAML_MAPPING_NODE)
		return convert_mapping(loading, from, node);
	const yaml_scalar_style_t style = from->data.scalar.style;
	node->plain = style == YAML_PLAIN_SCALAR_STYLE;
	node->block = style == YAML_LITERAL_SCALAR_STYLE || style == YAML_FOLDED_SCALAR_STYLE;
	return memory_copy_text((const char *)from->data.scalar.value, &node->text, "a YAML file");
}

static sonde_status load(struct loading *loading, struct yaml_node **root)
{
	yaml_parser_t parser;
	sonde_status status;

	CHECK(yaml_source_check(&loading->source));
	if (!yaml_parser_initialize(&parser))
		return memory_missing("a YAML file");
	yaml_parser_set_input_string(&parser, (const unsigned char *)loading->source.bytes, loading->source.size);
	if (!yaml_parser_load(&parser, &loading->document)) {
		status = yaml_source_parser_failure(&loading->source, &parser);
	} else {
		status = memory_allocate(root, 1, sizeof **root, "a YAML file");
		if (status == SONDE_OK && yaml_document_get_root_node(&loading->document) == NULL)
			status = status_fail_file(SONDE_INVALID, loading->source.path, "is empty");
		else if (status == SONDE_OK)
			status = convert(loading, 1, *root); /* the root is the first node */
		yaml_document_delete(&loading->document);
	}
	yaml_parser_delete(&parser);
	if (status != SONDE_OK)
		yaml_tree_free(root);
	return status;
}

sonde_status yaml_tree_read(const char *path, size_t largest, char **text, struct yaml_node **root)
{
	struct loading loading = {.source = {.path = path, .largest = largest}};

	*root = NULL;
	sonde_status status = yaml_source_read(&loading.source);
	if (status == SONDE_OK)
		status = load(&loading, root);
	if (status == SONDE_OK && text != NULL)
		*text = loading.source.bytes; /* one byte more was allocated, which is 0 */
	else
		free(loading.source.bytes);
	return status;
}

sonde_status yaml_tree_parse(const char *name, const char *text, struct yaml_node **root)
{
	struct loading loading = {.source = {.path = name, .bytes = (char *)text, .size = strlen(text)}};

	*root = NULL;
	return load(&loading, root);
}

static void free_node(struct yaml_node *node)
{
	for (size_t k = 0; k < node->count; ++k)
		free_node(&node->members[k]);
	free(node->members);
	free(node->text);
	free(node->key);
}

void yaml_tree_free(struct yaml_node **root)
{
	if (*root != NULL)
		free_node(*root);
	free(*root);
	*root = NULL;
}

const struct yaml_node *yaml_tree_find(const struct yaml_node *node, const char *key)
{
	for (size_t k = 0; node != NULL && node->kind == YAML_KIND_MAPPING && k < node->count; ++k)
		if (strcmp(node->members[k].key, key) == 0)
			return &node->members[k];
	return NULL;
}

sonde_status yaml_tree_check_keys(const char *path, const struct yaml_node *node, const char *const *known)
{
	char hint[96];

	if (node->kind != YAML_KIND_MAPPING)
		return yaml_tree_fail(path, node->line, node->column, node->key,
				      "keys with values are expected here, as in '%s: ...'", known[0]);
	for (size_t k = 0; k < node->count; ++k) {
		const struct yaml_node *member = &node->members[k];
		struct nearest_word nearest = {.word = member->key};
		bool found = false;
		for (int n = 0; known[n] != NULL; ++n) {
			found |= strcmp(known[n], member->key) == 0;
			nearest_word_offer(&nearest, known[n]);
		}
		if (!found)
			return yaml_tree_fail(path, member->key_line, member->key_column, NULL,
					      "unknown key '%.64s'%s", member->key,
					      nearest_word_hint(&nearest, hint, sizeof hint));
	}
	return SONDE_OK;
}
