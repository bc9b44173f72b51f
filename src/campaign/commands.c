/* The command lines and the job file of a job, and values of variables as numbers. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "campaign/expand.h"

sonde_status campaign_words_add(struct campaign_words *words, const char *word)
{
	CHECK(memory_grow(&words->words, &words->capacity, words->count + 2, sizeof *words->words, "a command"));
	CHECK(memory_copy_text(word, &words->words[words->count], "a command"));
	words->words[++words->count] = NULL;
	return SONDE_OK;
}

void campaign_words_free(struct campaign_words *words)
{
	for (size_t k = 0; k < words->count; ++k)
		free(words->words[k]);
	free(words->words);
	*words = (struct campaign_words){0};
}

/* One word from *cursor on, of several parts, quoted or not; null at the end of the line. As a shell reads it, but nothing has a meaning
 * except blanks, quotes, and '\'. */
static bool next_word(const char **cursor, struct text *word, bool *unended)
{
	const char *c = *cursor + strspn(*cursor, " \t\n");
	char quote = '\0';

	*unended = false;
	if (*c == '\0')
		return false;
	for (; *c != '\0' && (quote != '\0' || strchr(" \t\n", *c) == NULL); ++c) {
		if (quote == '\0' && (*c == '\'' || *c == '"')) {
			quote = *c;
		} else if (quote != '\0' && *c == quote) {
			quote = '\0';
		} else {
			if (*c == '\\' && quote != '\'' && c[1] != '\0')
				++c;
			text_append_byte(word, *c);
		}
	}
	*unended = quote != '\0';
	*cursor = c;
	return true;
}

/* The option that names the output of a command. */
static bool is_output(const char *word)
{
	static const char name[] = "output";

	if (strcmp(word, "-o") == 0)
		return true;
	return strncmp(word, "--", 2) == 0 && strncmp(word + 2, name, sizeof name - 1) == 0 &&
	       (word[2 + sizeof name - 1] == '\0' || word[2 + sizeof name - 1] == '=');
}

static sonde_status fail(const struct campaign *campaign, const struct campaign_text *line, const char *message)
{
	return yaml_tree_fail(campaign->path, line->line, line->column, "run", "%s", message);
}

/* Values are put into words that are already separate, so that blanks in them do not matter. */
static sonde_status split(const struct campaign *campaign, const struct campaign_job *job,
			  const struct campaign_text *line, const struct campaign_files *files,
			  struct campaign_words *words, bool last)
{
	const char *cursor = line->text;
	struct text word = {0}, value = {0};
	bool unended;
	sonde_status status = SONDE_OK;

	while (status == SONDE_OK && next_word(&cursor, &word, &unended)) {
		const char *bytes = word.bytes != NULL ? word.bytes : "";
		status = text_status(&word);
		if (status == SONDE_OK && unended)
			status = fail(campaign, line, "a quotation mark is missing");
		if (status == SONDE_OK && last && is_output(bytes))
			status = fail(campaign, line,
				      "the output of the last command is the result, which the campaign "
				      "names; 'result' is its ending");
		if (status == SONDE_OK)
			status = campaign_substitute(campaign, job, files, bytes, bytes + strlen(bytes), &value);
		if (status == SONDE_OK)
			status = campaign_words_add(words, value.bytes != NULL ? value.bytes : "");
		text_free(&word);
		text_free(&value);
	}
	text_free(&word);
	return status;
}

static bool mentions(const struct campaign_text *text, const char *wanted)
{
	const char *cursor = text->text, *name;
	size_t length;

	while (cursor != NULL && campaign_next_variable(&cursor, &name, &length))
		if (length == strlen(wanted) && strncmp(name, wanted, length) == 0)
			return true;
	return false;
}

bool campaign_mentions(const struct campaign *campaign, const char *name)
{
	for (int k = 0; k < campaign->line_count; ++k)
		if (mentions(&campaign->lines[k], name))
			return true;
	return mentions(&campaign->job, name);
}

sonde_status campaign_command(const struct campaign *campaign, const struct campaign_job *job, int line,
			      const struct campaign_files *files, struct campaign_words *words)
{
	const bool last = line == campaign->line_count - 1;
	bool has_job = campaign->job.text == NULL;

	CHECK(split(campaign, job, &campaign->lines[line], files, words, last));
	for (int k = 0; k < campaign->line_count; ++k)
		has_job |= mentions(&campaign->lines[k], "job");
	if (!last)
		return SONDE_OK;
	if (!has_job)
		CHECK(campaign_words_add(words, files->job));
	CHECK(campaign_words_add(words, "-o"));
	return campaign_words_add(words, files->result);
}

sonde_status campaign_job_text(const struct campaign *campaign, const struct campaign_job *job,
			       const struct campaign_files *files, struct text *text)
{
	const char *from = campaign->job.text;

	return from == NULL ? SONDE_OK : campaign_substitute(campaign, job, files, from, from + strlen(from), text);
}

/* Values ------------------------------------------------------------------------------------------------- */

bool campaign_number(const char *value, double *number, const char **unit)
{
	const char *end = value + strspn(value, "+-.0123456789");

	if ((*end == 'e' || *end == 'E') && end > value) {
		const char *digits = end + 1 + (end[1] == '+' || end[1] == '-');
		const size_t count = strspn(digits, "0123456789");
		end = count > 0 ? digits + count : end;
	}
	*unit = end + strspn(end, " ");
	return text_parse_real(value, end, number) && (**unit < '0' || **unit > '9');
}

bool campaign_is_numeric(const struct campaign *campaign, int variable, const char **unit)
{
	double number;
	const char *first, *other;

	if (!campaign_number(campaign->jobs[0].values[variable], &number, &first))
		return false;
	for (size_t k = 1; k < campaign->job_count; ++k)
		if (!campaign_number(campaign->jobs[k].values[variable], &number, &other) ||
		    strcmp(first, other) != 0)
			return false;
	*unit = first;
	return strlen(first) < 32 && first[strcspn(first, " ,:;")] == '\0';
}

bool campaign_varies(const struct campaign *campaign, int variable)
{
	for (size_t k = 1; k < campaign->job_count; ++k)
		if (strcmp(campaign->jobs[k].values[variable], campaign->jobs[0].values[variable]) != 0)
			return true;
	return false;
}
