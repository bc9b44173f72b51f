/* A YAML or JSON text as a tree of nodes, for files whose keys are the user's own, and for objects of JSON that the program has
 * printed. Job files, whose keys are options, are read by io/containers/yaml.h. */
#ifndef SONDE_IO_YAML_TREE_H
#define SONDE_IO_YAML_TREE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

enum yaml_kind { YAML_KIND_SCALAR, YAML_KIND_LIST, YAML_KIND_MAPPING };

struct yaml_node {
	enum yaml_kind kind;
	char *text; /* of a scalar; else null */
	bool plain; /* a scalar without quotes */
	bool block; /* a text after | or >, or a list or mapping that is written in lines of its own */
	char *key;  /* of a member of a mapping; else null */
	size_t key_line, key_column; /* from 1 */
	size_t line, column;         /* where it begins, from 1 */
	size_t end_line, end_column; /* where the next token begins, from 1 */
	size_t count;
	struct yaml_node *members; /* of a list or mapping, in order */
};

/* A file of at most `largest` bytes. SONDE_INVALID with its place for what is not valid, aliases, duplicate keys, keys that are not words, a
 * second document, more than sixteen levels, an empty file. `text`, which may be null, becomes the file's bytes, to be freed. *root is null
 * after a failure; else freed by yaml_tree_free(). */
sonde_status yaml_tree_read(const char *path, size_t largest, char **text, struct yaml_node **root);
/* The same of a text; messages call it `name`. */
sonde_status yaml_tree_parse(const char *name, const char *text, struct yaml_node **root);
void yaml_tree_free(struct yaml_node **root);
/* The member of that key; null if the node, which may be null, is not a mapping that has it. */
const struct yaml_node *yaml_tree_find(const struct yaml_node *node, const char *key);
/* SONDE_INVALID, "PATH:LINE:COLUMN: MESSAGE", with its place; KEY is added to the message and place unless it is null. */
#define yaml_tree_fail(path, line, column, key, ...) \
	(yaml_tree_set_message(path, line, column, key, __VA_ARGS__), SONDE_INVALID)
void yaml_tree_set_message(const char *path, size_t line, size_t column, const char *key, const char *format, ...)
    __attribute__((format(printf, 5, 6), cold));
/* SONDE_INVALID with the place, and the nearest valid name, if the node is not a mapping, or has a key that is not one of
 * `known`, which ends with null. */
sonde_status yaml_tree_check_keys(const char *path, const struct yaml_node *node, const char *const *known);

#endif
