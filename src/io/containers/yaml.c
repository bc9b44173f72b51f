#include "io/containers/yaml.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#include "base/memory.h"
#include "base/option_spelling.h"
#include "io/containers/yaml_source.h"

#define LARGEST_JOB (64 * 1024)

struct job {
	struct yaml_source source;
	yaml_document_t document;
	struct yaml_list *lists;
	int list_count;
	yaml_file_finder *find_file; /* may be null */
	void *user;
	const struct yaml_list *list; /* list whose last item is being read; null outside lists */
	char missing[1024];           /* the message of the first file not found; reported if nothing else is wrong */
	struct status_place missing_place;
	struct text *notes; /* may be null */
};

static sonde_status place_at(const struct job *job, yaml_mark_t mark, const char *key, sonde_status status)
{
	return yaml_source_place(&job->source, mark, key, status);
}

static sonde_status fail_at(const struct job *job, yaml_mark_t mark, const char *what)
{
	return yaml_source_fail(&job->source, mark, what);
}

static yaml_node_t *node_of(struct job *job, int index)
{
	return yaml_document_get_node(&job->document, index);
}

/* The text of a scalar, null if the node is not one or contains a zero byte. */
static const char *scalar(const yaml_node_t *node)
{
	if (node->type != YAML_SCALAR_NODE ||
	    strlen((const char *)node->data.scalar.value) != node->data.scalar.length)
		return NULL;
	return (const char *)node->data.scalar.value;
}

/* [[a, b], [c, d]] as a,b;c,d: lists of lists. */
static sonde_status list_text(struct job *job, const yaml_node_t *node, const char *separator, struct text *text)
{
	for (yaml_node_item_t *item = node->data.sequence.items.start; item < node->data.sequence.items.top; ++item) {
		const yaml_node_t *part = node_of(job, *item);
		text_append(text, "%s", item == node->data.sequence.items.start ? "" : separator);
		if (scalar(part) != NULL)
			text_append(text, "%s", scalar(part));
		else if (part->type == YAML_SEQUENCE_NODE && separator[0] == ';')
			CHECK(list_text(job, part, ",", text));
		else
			return status_fail(SONDE_INVALID, separator[0] == ','
							      ? "must be a list of values"
							      : "must be a list of values, or of lists of values");
	}
	return text_status(text);
}

/* The text of a value: a scalar, or [a, b, c] for grids (joined by ':') and vectors (by ','). */
static sonde_status value_text(struct job *job, const struct option_row *row, yaml_node_t *node, struct text *text)
{
	if (scalar(node) != NULL) {
		text_append(text, "%s", scalar(node));
		return text_status(text);
	}
	if (node->type == YAML_SEQUENCE_NODE && (row->type == OPTION_GRID || row->type == OPTION_VECTOR)) {
		for (yaml_node_item_t *item = node->data.sequence.items.start; item < node->data.sequence.items.top;
		     ++item) {
			const char *part = scalar(node_of(job, *item));
			if (part == NULL)
				return status_fail(SONDE_INVALID, "must be a list of numbers");
			text_append(text, "%s%s",
				    item == node->data.sequence.items.start ? ""
				    : row->type == OPTION_GRID              ? ":"
									    : ",",
				    part);
		}
		return text_status(text);
	}
	const bool commas = strcmp(row->choices, "commas") == 0;
	if (node->type == YAML_SEQUENCE_NODE && row->type == OPTION_TEXT &&
	    (commas || strcmp(row->choices, "list") == 0))
		return list_text(job, node, commas ? "," : ";", text);
	return status_fail(SONDE_INVALID, "must be a single value, not a list or a block");
}

/* A missing file is a lesser error than an invalid job: its message is kept until the end. */
static sonde_status find_named_file(struct job *job, const struct option_row *row, yaml_node_t *key,
				    const yaml_node_t *value, void *options)
{
	const struct yaml_list *list = job->list;
	sonde_status status = job->find_file(job->user, row, options);

	if (status != SONDE_INVALID || job->missing[0] != '\0')
		return status == SONDE_INVALID ? SONDE_OK : status;
	if (list != NULL)
		status = status_prefix(status, "%s:%zu: %s %zu", job->source.path, list->lines[list->count - 1],
				       list->table->name, list->count);
	else
		status = status_prefix(status, "%s:%zu:%zu: %.64s", job->source.path, value->start_mark.line + 1,
				       value->start_mark.column + 1, scalar(key));
	(void)place_at(job, value->start_mark, scalar(key), status);
	snprintf(job->missing, sizeof job->missing, "%s", status_message());
	job->missing_place = *status_place();
	return SONDE_OK;
}

static sonde_status set_option(struct job *job, const struct option_table *table, const struct option_row *row,
			       yaml_node_t *key, yaml_node_t *value, void *options)
{
	struct text text = {0};
	sonde_status status = value_text(job, row, value, &text);

	if (status == SONDE_OK)
		status = options_set(table, row, options, text.bytes != NULL ? text.bytes : "", &row);
	if (status == SONDE_OK && job->find_file != NULL)
		status = find_named_file(job, row, key, value, options);
	if (status == SONDE_INVALID)
		status =
		    place_at(job, value->start_mark, scalar(key),
			     status_prefix(status, "%s:%zu:%zu: %.64s", job->source.path, value->start_mark.line + 1,
					   value->start_mark.column + 1, scalar(key)));
	if (status == SONDE_OK && job->notes != NULL && text.bytes != NULL) {
		char where[128];
		snprintf(where, sizeof where, "line %zu: %.64s", value->start_mark.line + 1, scalar(key));
		option_note_unit(row, text.bytes, where, job->notes);
	}
	text_free(&text);
	return status;
}

static sonde_status unknown_key(const struct job *job, const yaml_node_t *key, const struct yaml_block *block,
				const struct yaml_block *blocks, int block_count)
{
	struct nearest_word nearest = {.word = scalar(key)};
	char hint[96];

	options_offer_names(block->table, &nearest);
	for (int k = 0; k < block_count; ++k)
		nearest_word_offer(&nearest, blocks[k].table->name);
	for (int k = 0; k < job->list_count; ++k)
		if (strcmp(job->lists[k].block, block->table->name) == 0)
			nearest_word_offer(&nearest, job->lists[k].table->name);
	return place_at(job, key->start_mark, scalar(key),
			status_fail(SONDE_INVALID, "%s:%zu:%zu: unknown key '%.64s'%s", job->source.path,
				    key->start_mark.line + 1, key->start_mark.column + 1, scalar(key),
				    nearest_word_hint(&nearest, hint, sizeof hint)));
}

/* Fails if the key occurs earlier in the mapping; '-' and '_' are the same. */
static sonde_status check_duplicate(struct job *job, const yaml_node_t *mapping, const yaml_node_pair_t *pair)
{
	const yaml_node_t *key = node_of(job, pair->key);

	for (const yaml_node_pair_t *p = mapping->data.mapping.pairs.start; p < pair; ++p) {
		const char *earlier = scalar(node_of(job, p->key)), *c = scalar(key);
		while (*earlier != '\0' &&
		       (*earlier == *c || (*earlier == '_' && *c == '-') || (*earlier == '-' && *c == '_'))) {
			++earlier;
			++c;
		}
		if (*earlier == '\0' && *c == '\0')
			return place_at(
			    job, key->start_mark, scalar(key),
			    status_fail(SONDE_INVALID, "%s:%zu:%zu: duplicate key '%.64s', first on line %zu",
					job->source.path, key->start_mark.line + 1, key->start_mark.column + 1,
					scalar(key), node_of(job, p->key)->start_mark.line + 1));
	}
	return SONDE_OK;
}

static sonde_status walk(struct job *job, yaml_node_t *mapping, struct yaml_block *block, struct yaml_block *blocks,
			 int block_count);

static struct yaml_list *find_list(struct job *job, const struct yaml_block *block, const char *key)
{
	for (int k = 0; k < job->list_count; ++k)
		if (strcmp(job->lists[k].block, block->table->name) == 0 &&
		    strcmp(job->lists[k].table->name, key) == 0)
			return &job->lists[k];
	return NULL;
}

void *yaml_list_item(const struct yaml_list *list, size_t number)
{
	return (char *)list->items + number * list->table->struct_size;
}

bool yaml_list_gives(const struct yaml_list *list, size_t number, const struct option_row *row)
{
	return list->given[number * list->table->count + (size_t)(row - list->table->rows)];
}

void yaml_list_free(struct yaml_list *list)
{
	free(list->items);
	free(list->lines);
	free(list->given);
	list->items = NULL;
	list->lines = NULL;
	list->given = NULL;
	list->count = list->capacity = 0;
}

static sonde_status grow_list(struct yaml_list *list)
{
	size_t capacity = list->capacity, rows = list->table->count, flags = list->capacity * rows;

	CHECK(memory_grow(&list->lines, &capacity, list->count + 1, sizeof *list->lines, "a list of the job"));
	capacity = list->capacity;
	CHECK(memory_grow(&list->given, &flags, (list->count + 1) * rows, sizeof *list->given, "a list of the job"));
	CHECK(memory_grow(&list->items, &capacity, list->count + 1, list->table->struct_size, "a list of the job"));
	list->capacity = list->count + 1;
	memset(list->given + list->count * rows, 0, rows * sizeof *list->given);
	options_set_defaults(list->table, yaml_list_item(list, list->count));
	++list->count;
	return SONDE_OK;
}

static sonde_status walk_list(struct job *job, const yaml_node_t *node, struct yaml_list *list)
{
	if (scalar(node) != NULL && scalar(node)[0] == '\0')
		return SONDE_OK;
	if (node->type != YAML_SEQUENCE_NODE)
		return fail_at(job, node->start_mark, "a list is expected here: items that begin with '- '");
	for (yaml_node_item_t *item = node->data.sequence.items.start; item < node->data.sequence.items.top; ++item) {
		yaml_node_t *mapping = node_of(job, *item);
		CHECK(grow_list(list));
		size_t number = list->count - 1;
		list->lines[number] = mapping->start_mark.line + 1;
		struct yaml_block block = {list->table, yaml_list_item(list, number),
					   false,       list->given + number * list->table->count,
					   NULL,        NULL};
		job->list = list;
		sonde_status status = walk(job, mapping, &block, NULL, 0);
		job->list = NULL;
		CHECK(status);
	}
	return SONDE_OK;
}

/* The text of a list as the value of the option of the same name. */
static sonde_status keep_items(const struct job *job, const yaml_node_t *node, const struct yaml_list *list,
			       const struct option_row *row, void *options)
{
	struct text text = {0};
	sonde_status status = yaml_list_print(list, &text);

	if (status == SONDE_OK)
		status = option_parse(row, options, text.bytes);
	text_free(&text);
	return status == SONDE_INVALID
		   ? fail_at(job, node->start_mark,
			     "this list is too long; equal items can be given once, with a number of copies")
		   : status;
}

/* Walks one mapping; `blocks` are the keys that hold mappings of their own. */
static sonde_status walk(struct job *job, yaml_node_t *mapping, struct yaml_block *block, struct yaml_block *blocks,
			 int block_count)
{
	if (mapping->type != YAML_MAPPING_NODE)
		return fail_at(job, mapping->start_mark,
			       "keys with values are expected here, as in 'q: 0.1:20:1000'");
	block->present = true;
	for (yaml_node_pair_t *pair = mapping->data.mapping.pairs.start; pair < mapping->data.mapping.pairs.top;
	     ++pair) {
		yaml_node_t *key = node_of(job, pair->key), *value = node_of(job, pair->value);
		const struct option_row *row;
		int k = 0;
		if (scalar(key) == NULL)
			return fail_at(job, key->start_mark, "a key must be a word");
		CHECK(check_duplicate(job, mapping, pair));
		while (k < block_count && strcmp(blocks[k].table->name, scalar(key)) != 0)
			++k;
		if (k < block_count) {
			/* an empty "debye:" requests the engine with its defaults */
			if (scalar(value) != NULL && scalar(value)[0] == '\0')
				blocks[k].present = true;
			else
				CHECK(walk(job, value, &blocks[k], NULL, 0));
			continue;
		}
		struct yaml_list *list = find_list(job, block, scalar(key));
		row = options_find(block->table, scalar(key));
		/* an option may have the name of a list: then a text is the option's */
		if (list != NULL && (row == NULL || scalar(value) == NULL)) {
			CHECK(walk_list(job, value, list));
			if (row != NULL && strcmp(row->choices, "items") == 0)
				CHECK(keep_items(job, value, list, row, block->options));
			continue;
		}
		if (row == NULL)
			return unknown_key(job, key, block, blocks, block_count);
		CHECK(set_option(job, block->table, row, key, value, block->options));
		if (block->given != NULL)
			block->given[row - block->table->rows] = true;
		if (block->lines != NULL)
			block->lines[row - block->table->rows] = key->start_mark.line + 1;
	}
	return SONDE_OK;
}

static sonde_status load_and_walk(struct job *job, struct yaml_block *top, struct yaml_block *blocks, int block_count)
{
	yaml_parser_t parser;
	sonde_status status;

	if (!yaml_parser_initialize(&parser))
		return memory_missing("the job file");
	yaml_parser_set_input_string(&parser, (const unsigned char *)job->source.bytes, job->source.size);
	if (!yaml_parser_load(&parser, &job->document)) {
		status = yaml_source_parser_failure(&job->source, &parser);
	} else {
		yaml_node_t *root = yaml_document_get_root_node(&job->document);
		status = root == NULL || (scalar(root) != NULL && scalar(root)[0] == '\0')
			     ? status_fail_file(SONDE_INVALID, job->source.path, "is empty")
			     : walk(job, root, top, blocks, block_count);
		yaml_document_delete(&job->document);
	}
	yaml_parser_delete(&parser);
	return status;
}

static bool root_has(struct job *job, const char *wanted)
{
	const yaml_node_t *root = yaml_document_get_root_node(&job->document);

	if (root == NULL || root->type != YAML_MAPPING_NODE)
		return false;
	for (const yaml_node_pair_t *pair = root->data.mapping.pairs.start; pair < root->data.mapping.pairs.top;
	     ++pair) {
		const char *key = scalar(node_of(job, pair->key));
		if (key != NULL && strcmp(key, wanted) == 0)
			return true;
	}
	return false;
}

sonde_status yaml_has_key(const char *path, const char *key, bool *found)
{
	struct job job = {.source = {.path = path, .largest = LARGEST_JOB}};
	yaml_parser_t parser;

	*found = false;
	sonde_status status = yaml_source_read(&job.source);
	if (status == SONDE_OK)
		status = yaml_source_check(&job.source);
	if (status == SONDE_OK && !yaml_parser_initialize(&parser))
		status = memory_missing("the job file");
	else if (status == SONDE_OK) {
		yaml_parser_set_input_string(&parser, (const unsigned char *)job.source.bytes, job.source.size);
		if (yaml_parser_load(&parser, &job.document)) {
			*found = root_has(&job, key);
			yaml_document_delete(&job.document);
		}
		yaml_parser_delete(&parser);
	}
	free(job.source.bytes);
	return status == SONDE_INVALID ? SONDE_OK : status;
}

sonde_status yaml_read_job_files(const char *path, struct yaml_block *top, struct yaml_block *blocks, int block_count,
				 struct yaml_list *lists, int list_count, yaml_file_finder *find_file, void *user)
{
	struct job job = {.source = {.path = path, .largest = LARGEST_JOB},
			  .lists = lists,
			  .list_count = list_count,
			  .find_file = find_file,
			  .user = user,
			  .notes = top->notes};
	sonde_status status = yaml_source_read(&job.source);

	if (status == SONDE_OK)
		status = yaml_source_check(&job.source);
	if (status == SONDE_OK)
		status = load_and_walk(&job, top, blocks, block_count);
	if (status == SONDE_OK && job.missing[0] != '\0') {
		const struct status_place *place = &job.missing_place;
		status = status_fail(SONDE_INVALID, "%s", job.missing);
		status_locate(place->file, place->line, place->column, place->key);
	}
	free(job.source.bytes);
	return status;
}

/* Lists in texts ---------------------------------------------------------------------------------------- */

static void print_scalar(const char *value, struct text *text)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._+-/";

	if (value[0] != '\0' && value[strspn(value, plain)] == '\0') {
		text_append(text, "%s", value);
		return;
	}
	text_append(text, "\"");
	for (const char *c = value; *c != '\0'; ++c)
		if ((unsigned char)*c < ' ')
			text_append(text, "\\x%02x", (unsigned)*c);
		else
			text_append(text, "%s%c", *c == '"' || *c == '\\' ? "\\" : "", *c);
	text_append(text, "\"");
}

static sonde_status print_option(const struct option_row *row, const void *item, struct text *text)
{
	struct text value = {0};
	char flag[64];

	option_print(row, item, &value);
	const sonde_status status = text_status(&value);
	text_append(text, "%s: ", option_flag(row, flag));
	if (row->type == OPTION_VECTOR)
		text_append(text, "[%s]", value.bytes != NULL ? value.bytes : "");
	else if (option_file(row) != OPTION_NO_FILE)
		print_scalar((const char *)item + row->offset, text); /* its path, not only its name in the job */
	else
		print_scalar(value.bytes != NULL ? value.bytes : "", text);
	text_free(&value);
	return status;
}

sonde_status yaml_list_print(const struct yaml_list *list, struct text *text)
{
	text_append(text, "[");
	for (size_t n = 0; n < list->count; ++n) {
		const char *separator = n > 0 ? ", {" : "{";
		for (size_t k = 0; k < list->table->count; ++k) {
			if (!yaml_list_gives(list, n, &list->table->rows[k]))
				continue;
			text_append(text, "%s", separator);
			CHECK(print_option(&list->table->rows[k], yaml_list_item(list, n), text));
			separator = ", ";
		}
		text_append(text, strcmp(separator, ", ") == 0 ? "}" : n > 0 ? ", {}" : "{}");
	}
	text_append(text, "]");
	return text_status(text);
}

static sonde_status load_list(struct job *job, struct yaml_list *list)
{
	yaml_parser_t parser;
	sonde_status status;

	if (!yaml_parser_initialize(&parser))
		return memory_missing("a list");
	yaml_parser_set_input_string(&parser, (const unsigned char *)job->source.bytes, job->source.size);
	if (!yaml_parser_load(&parser, &job->document)) {
		status = yaml_source_parser_failure(&job->source, &parser);
	} else {
		const yaml_node_t *root = yaml_document_get_root_node(&job->document);
		status = root != NULL ? walk_list(job, root, list) : SONDE_OK;
		yaml_document_delete(&job->document);
	}
	yaml_parser_delete(&parser);
	return status;
}

sonde_status yaml_list_parse(const char *option, const char *text, struct yaml_list *list)
{
	struct text bytes = {0}, name = {0};
	const bool bare = text[strspn(text, " \t\n")] == '{';

	text_append(&bytes, bare ? "[%s]" : "%s", text);
	text_append(&name, OPTION_NAME("%s"), option);
	struct job job = {.source = {.path = name.bytes, .option = option, .bytes = bytes.bytes, .size = bytes.size}};
	sonde_status status = text_status(&bytes);
	if (status == SONDE_OK)
		status = text_status(&name);
	if (status == SONDE_OK)
		status = yaml_source_check(&job.source);
	if (status == SONDE_OK)
		status = load_list(&job, list);
	text_free(&bytes);
	text_free(&name);
	return status;
}

/* ------------------------------------------------------------------------------------------------------- */

sonde_status yaml_read_job_lists(const char *path, struct yaml_block *top, struct yaml_block *blocks, int block_count,
				 struct yaml_list *lists, int list_count)
{
	return yaml_read_job_files(path, top, blocks, block_count, lists, list_count, NULL, NULL);
}

sonde_status yaml_read_job(const char *path, struct yaml_block *top, struct yaml_block *blocks, int block_count)
{
	return yaml_read_job_lists(path, top, blocks, block_count, NULL, 0);
}
