/* Engines whose work consists of independent pieces, each with the same number of values: `struct engine` with
 * `pieces` in place of `run`. The common code shares the pieces among the devices, shows progress, keeps a checkpoint
 * and resumes from it, and writes the tables that the engine makes of all values. The values of a piece must not
 * depend on the device, so that results do not depend on how the pieces were shared. */
#ifndef SONDE_RUN_PIECES_H
#define SONDE_RUN_PIECES_H

#include "run/engine.h"
#include "run/provenance.h"

/* The work, as determined by the plan. */
struct pieces_work {
	uint64_t count;         /* number of pieces */
	uint32_t values;        /* number of values of each */
	const char *unit;       /* of progress: "points"; a constant */
	double amount_of_piece; /* in that unit */
	const char *definition; /* of the numbers in the result; a constant */
};

/* The result: tables of columns of numbers. */
#define PIECES_MOST_COLUMNS 16
#define PIECES_MOST_TABLES 8
struct pieces_column {
	char name[32], unit[32];
	double *values; /* owned by the result */
};
struct pieces_table {
	char name[32], title[64];
	int64_t rows;
	int column_count; /* the first column is the axis */
	struct pieces_column columns[PIECES_MOST_COLUMNS];
};
struct pieces_result {
	const struct engine *engine;
	void *options; /* the engine's struct */
	struct pieces_work work;
	uint64_t resumed; /* pieces done by an earlier run */
	double seconds;
	double error;          /* estimated largest relative error of the values; NaN: unknown */
	char error_origin[96]; /* how it was estimated */
	struct provenance provenance;
	int table_count;
	struct pieces_table tables[PIECES_MOST_TABLES];
};
/* For an engine's `tables`: adds a table, and columns of zeros to it. */
sonde_status pieces_add_table(struct pieces_result *result, const char *name, const char *title, int64_t rows,
			      struct pieces_table **table);
sonde_status pieces_add_column(struct pieces_table *table, const char *name, const char *unit, double **values);

struct pieces_of_engine {
	size_t plan_size;  /* size of the engine's plan, zeroed at first */
	size_t state_size; /* size of its state on a device: a struct that begins with a pointer to the device */
	/* Checks and decides everything; fills `work` and `estimate`, and reports. release_plan() is called also after a failure; it may be
	 * null. */
	sonde_status (*plan)(sonde_context *context, const struct engine_request *request, void *plan,
			     struct pieces_work *work, struct engine_estimate *estimate, struct report *report);
	void (*release_plan)(void *plan);
	/* Fills the state of a device, and sets its pointer to the device; releases and zeroes it. */
	sonde_status (*prepare)(const void *plan, struct device *device, void *state);
	void (*release)(void *state);
	/* Computes `count` pieces from `first` on: values[count][work.values]. Called by one thread per device. */
	sonde_status (*run)(const void *plan, void *state, uint64_t first, uint64_t count, double *values);
	/* Number of pieces to give to a device at a time. */
	uint64_t (*at_once)(const void *plan, const struct device *device);
	/* Makes the tables from the values of all pieces, and sets the error. */
	sonde_status (*tables)(const void *plan, const double *values, struct pieces_result *result);
};

/* The functions of `struct engine`, for such engines. */
sonde_status pieces_plan(sonde_context *context, const struct engine *engine, const struct engine_request *request,
			 struct engine_estimate *estimate, struct report *report);
sonde_status pieces_run(sonde_context *context, const struct engine *engine, const struct engine_request *request,
			struct pieces_result **result);
void pieces_result_free(struct pieces_result **result);

/* pieces_file.c: the result in files, .h5 .hdf5 .nxs or .csv .dat .txt .xy, and its description. */
sonde_status pieces_check_format(const char *path);
sonde_status pieces_write(const struct pieces_result *result, const char *path, bool overwrite);
sonde_status pieces_contents(const struct pieces_result *result, struct hdf5_writer *writer);
sonde_status pieces_append_tables(const struct pieces_result *result, bool csv, struct text *text);
void pieces_summarize(const struct pieces_result *result, struct report *report);
sonde_status pieces_describe(const struct engine *engine, struct hdf5_reader *reader, struct report *report);

#endif
