#include "io/containers/yaml_source.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"

#define DEEPEST 16

sonde_status yaml_source_place(const struct yaml_source *source, yaml_mark_t mark, const char *key,
			       sonde_status status)
{
	if (source->option != NULL)
		status_locate(NULL, 0, 0, source->option);
	else
		status_locate(source->path, mark.line + 1, mark.column + 1, key);
	return status;
}

sonde_status yaml_source_fail(const struct yaml_source *source, yaml_mark_t mark, const char *what)
{
	return yaml_source_place(
	    source, mark, NULL,
	    status_fail(SONDE_INVALID, "%s:%zu:%zu: %s", source->path, mark.line + 1, mark.column + 1, what));
}

sonde_status yaml_source_read(struct yaml_source *source)
{
	/* jobs are read several times: for their sample, for the blocks of the engines, and for the record of the run */
	CHECK(file_check_input(source->path));
	FILE *file = fopen(source->path, "rbe");
	if (file == NULL)
		return status_fail_file(SONDE_INVALID, source->path, "cannot be read: %s", strerror(errno));
	sonde_status status = memory_allocate(&source->bytes, source->largest + 1, 1, "the job file");
	if (status == SONDE_OK) {
		source->size = fread(source->bytes, 1, source->largest + 1, file);
		if (ferror(file))
			status = status_fail_file(SONDE_INVALID, source->path, "cannot be read: %s", strerror(errno));
		else if (source->size > source->largest)
			status = status_fail_file(SONDE_INVALID, source->path,
						  "is larger than a job file may be (%zu bytes)", source->largest);
		else if (memchr(source->bytes, '\0', source->size) != NULL)
			status = status_fail_file(SONDE_INVALID, source->path,
						  "contains zero bytes: this is not a text file");
	}
	fclose(file);
	return status;
}

sonde_status yaml_source_parser_failure(const struct yaml_source *source, const yaml_parser_t *parser)
{
	if (parser->error == YAML_MEMORY_ERROR)
		return memory_missing("the job file");
	if (parser->error == YAML_READER_ERROR)
		return status_fail(SONDE_INVALID, "%s: byte %zu: %s", source->path, parser->problem_offset,
				   parser->problem);
	return yaml_source_fail(source, parser->problem_mark,
				parser->problem != NULL ? parser->problem : "is not valid YAML");
}

sonde_status yaml_source_check(const struct yaml_source *source)
{
	yaml_parser_t parser;
	yaml_event_t event;
	sonde_status status = SONDE_OK;
	int depth = 0, documents = 0;
	bool ended = false;

	if (!yaml_parser_initialize(&parser))
		return memory_missing("the job file");
	yaml_parser_set_input_string(&parser, (const unsigned char *)source->bytes, source->size);
	while (status == SONDE_OK && !ended) {
		if (!yaml_parser_parse(&parser, &event)) {
			status = yaml_source_parser_failure(source, &parser);
			break;
		}
		switch (event.type) {
		case YAML_ALIAS_EVENT:
			status = yaml_source_fail(source, event.start_mark,
						  "aliases (*name) are not allowed in a job file");
			break;
		case YAML_DOCUMENT_START_EVENT:
			if (++documents > 1)
				status = yaml_source_fail(source, event.start_mark,
							  "a second document begins here; a job file has one");
			break;
		case YAML_MAPPING_START_EVENT:
		case YAML_SEQUENCE_START_EVENT:
			if (++depth > DEEPEST)
				status =
				    yaml_source_fail(source, event.start_mark, "nested deeper than sixteen levels");
			break;
		case YAML_MAPPING_END_EVENT:
		case YAML_SEQUENCE_END_EVENT:
			--depth;
			break;
		case YAML_SCALAR_EVENT:
			if (memchr(event.data.scalar.value, '\0', event.data.scalar.length) != NULL)
				status = yaml_source_fail(source, event.start_mark,
							  "a text with a zero byte (\\0) is not possible");
			break;
		case YAML_STREAM_END_EVENT:
			ended = true;
			break;
		default:
			break;
		}
		yaml_event_delete(&event);
	}
	yaml_parser_delete(&parser);
	if (status == SONDE_OK && documents == 0)
		status = status_fail_file(SONDE_INVALID, source->path, "is empty");
	return status;
}
