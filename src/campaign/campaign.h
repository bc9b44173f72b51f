/* A campaign: jobs that differ in the values of some variables, as described by a YAML file. Nothing here runs them
 * (worker.h) or knows an engine: a job is a few command lines of the program and, if there is one, a job file. */
#ifndef SONDE_CAMPAIGN_CAMPAIGN_H
#define SONDE_CAMPAIGN_CAMPAIGN_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"
#include "base/text.h"
#include "io/containers/yaml_tree.h"

#define CAMPAIGN_MOST_VARIABLES 32
#define CAMPAIGN_MOST_FIGURES 64
#define CAMPAIGN_MOST_LINES 16
#define CAMPAIGN_LONGEST_NAME 150 /* of a job */

/* A text of the file, with variables as ${name}, and its place. */
struct campaign_text {
	const char *text;
	size_t line, column; /* of its first character */
	size_t indent;       /* blanks that its lines have in the file in addition */
	const char *key;     /* for messages */
};

/* How an array of a result becomes a number. */
enum campaign_reduction {
	CAMPAIGN_ONE, /* it has one element, or `index` is given */
	CAMPAIGN_SUM,
	CAMPAIGN_MEAN,
	CAMPAIGN_LEAST,
	CAMPAIGN_GREATEST,
	CAMPAIGN_COUNT
};

/* A column of the table. */
struct campaign_figure {
	const char *name;
	const char *from; /* a member of the summary, or, with '/', a dataset of the result */
	char *path;       /* of the dataset, without reduction and index; else null */
	enum campaign_reduction reduction;
	long long index; /* of an element, negative from the end; CAMPAIGN_NO_INDEX: none */
	size_t line, column;
};
#define CAMPAIGN_NO_INDEX (-1000000000000LL)

/* How the error depends on the variable of a convergence study. */
enum campaign_convergence {
	CAMPAIGN_FIXED,    /* there is no study */
	CAMPAIGN_STEP,     /* the variable is a step h, the error is of the order h^p */
	CAMPAIGN_NUMBER,   /* a number of steps, h = 1 / number */
	CAMPAIGN_HISTORIES /* a number of independent histories n: the standard error is of the order n^(-1/2) */
};

struct campaign_job {
	char *name;          /* of its files */
	const char **values; /* one for each variable */
};

struct campaign {
	const char *path;
	char *folder; /* of the file: jobs run there */
	char *bytes;  /* of the file */
	struct yaml_node *root;
	const char *title;
	struct campaign_text name; /* .text null: the values */
	struct campaign_text lines[CAMPAIGN_MOST_LINES];
	int line_count;
	struct campaign_text job; /* the template of the job file; .text null: none */
	char *job_bytes;          /* owned, if the file has it as a block */
	const char *ending;       /* of results, without the point */
	const char *variables[CAMPAIGN_MOST_VARIABLES];
	size_t variable_lines[CAMPAIGN_MOST_VARIABLES], variable_columns[CAMPAIGN_MOST_VARIABLES];
	int variable_count;
	char **made; /* values of grids, owned */
	size_t made_count, made_capacity;
	struct campaign_job *jobs;
	size_t job_count, job_capacity;
	struct campaign_figure figures[CAMPAIGN_MOST_FIGURES];
	int figure_count;
	enum campaign_convergence convergence;
	int over;        /* the variable of the study */
	double order;    /* the order of the method, if the file gives it; 0: observed */
	char digest[65]; /* of all jobs: campaigns with the same one have the same jobs */
};

/* Reads and expands a file; everything is checked, except for the commands, which are the caller's. SONDE_INVALID with place. *campaign is null after a
 * failure; else freed by campaign_free(). */
sonde_status campaign_read(const char *path, size_t most_jobs, struct campaign **campaign);
void campaign_free(struct campaign **campaign);

/* Files of a job, for its command lines. */
struct campaign_files {
	const char *job;     /* the job file */
	const char *result;  /* to be written */
	const char *scratch; /* a folder that is removed afterward */
	const char *files;   /* a folder that is kept */
};

/* A command line in words, the first of which is the command. */
struct campaign_words {
	char **words; /* then null */
	size_t count, capacity;
};
/* Command line `line` of a job. With `extra`, words that the last line gets in addition, ended by null. To be freed, also after a failure. */
sonde_status campaign_command(const struct campaign *campaign, const struct campaign_job *job, int line,
			      const struct campaign_files *files, struct campaign_words *words);
sonde_status campaign_words_add(struct campaign_words *words, const char *word);
void campaign_words_free(struct campaign_words *words);
/* The text of a job's file. */
sonde_status campaign_job_text(const struct campaign *campaign, const struct campaign_job *job,
			       const struct campaign_files *files, struct text *text);
/* Whether a command line mentions ${NAME}. */
bool campaign_mentions(const struct campaign *campaign, const char *name);

/* A value as a number and its unit: "100 keV", "5", "2e3nm". False if it does not begin with a number. *unit points into
 * the value. */
bool campaign_number(const char *value, double *number, const char **unit);
/* Whether all values of a variable are numbers with the same unit, which is *unit. */
bool campaign_is_numeric(const struct campaign *campaign, int variable, const char **unit);
/* Whether results are HDF5 files. */
bool campaign_has_datasets(const struct campaign *campaign);
/* Whether a variable has more than one value. */
bool campaign_varies(const struct campaign *campaign, int variable);

#endif
