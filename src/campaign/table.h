/* The table of a campaign: a row for each job, with the values of its variables and the collected figures. */
#ifndef SONDE_CAMPAIGN_TABLE_H
#define SONDE_CAMPAIGN_TABLE_H

#include "campaign/worker.h"

/* Made by campaign_table_make(). */
struct campaign_table {
	size_t rows;
	int figures;
	double *values, *errors; /* [row][figure]; NaN: the job has none */
	bool *has_errors;        /* of each figure: any row has one */
	char (*units)[32];       /* of each figure; "" if unknown */
	const enum campaign_state *states;
};

/* Reads the figures of all jobs that are done. Figures that no job has are in `notes`, a line each. To be freed by
 * campaign_table_free(), also after a failure. */
sonde_status campaign_table_make(const struct campaign *campaign, const char *folder,
				 const enum campaign_state *states, struct campaign_table *table, struct text *notes);
void campaign_table_free(struct campaign_table *table);
double campaign_table_figure(const struct campaign_table *table, size_t row, int figure);
double campaign_table_error(const struct campaign_table *table, size_t row, int figure);

/* As CSV. */
sonde_status campaign_table_text(const struct campaign *campaign, const struct campaign_table *table,
				 struct text *text);
/* Its parts: the head of a variable's column, with a comma; a value; a number, "" for NaN. */
void campaign_table_append_head(const struct campaign *campaign, int variable, struct text *text);
void campaign_table_append_value(const struct campaign *campaign, size_t row, int variable, struct text *text);
void campaign_table_append_real(double x, struct text *text);

#endif
