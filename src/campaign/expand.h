/* Parts of campaign_read(): the jobs of the key `vary`, and texts with variables. */
#ifndef SONDE_CAMPAIGN_EXPAND_H
#define SONDE_CAMPAIGN_EXPAND_H

#include "campaign/campaign.h"

/* Variables that every job has in addition to those of the file. */
enum campaign_own {
	CAMPAIGN_OWN_NAME,
	CAMPAIGN_OWN_JOB,
	CAMPAIGN_OWN_RESULT,
	CAMPAIGN_OWN_SCRATCH,
	CAMPAIGN_OWN_FILES
};
extern const char *const campaign_own_variables[]; /* then null */

/* The jobs, without names, of `vary`, a mapping or a list of mappings. */
sonde_status campaign_expand(struct campaign *campaign, const struct yaml_node *vary, size_t most_jobs);

/* Appends a text with the values in place of the variables. */
sonde_status campaign_substitute(const struct campaign *campaign, const struct campaign_job *job,
				 const struct campaign_files *files, const char *begin, const char *end,
				 struct text *to);
/* The first variable of a text from *cursor on, which then points behind it; false if there are no more. `$$` is passed over. */
bool campaign_next_variable(const char **cursor, const char **name, size_t *length);
/* Checks that all variables of a text are known, and marks those of the file that are used. */
sonde_status campaign_check_variables(const struct campaign *campaign, const struct campaign_text *text, bool *used);

#endif
