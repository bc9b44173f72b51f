/* The file of a library while it is made: computed structures are added in order, and from time to time it is completed. */
#ifndef SONDE_LIBRARY_OUTPUT_H
#define SONDE_LIBRARY_OUTPUT_H

#include <pthread.h>

#include "library/builder.h"
#include "library/packed.h"

struct library_output {
	const struct library_spec *spec;
	const char *path;
	bool overwrite;
	double least_period;
	/* of all candidates; the axes are those of the first result */
	struct library_head head;
	bool has_head;
	pthread_mutex_t taking; /* the head */
	struct library_writer *writer;
	double completed, period; /* when the file was completed, and seconds until it is again */
	/* so far */
	int64_t made, repeated, total;
	double largest_error, seconds;
};
void library_output_begin(struct library_output *output);
/* "x-ray" ..., as the options of the description have it. */
enum library_radiation library_radiation_of(const struct library_spec *spec);
/* Takes the curves and errors that the library has from a result. By several threads at the same time. */
sonde_status library_output_take(struct library_output *output, const sonde_debye_result *result,
				 struct library_structure *structure);
/* Opens the file if it is not, and there is a result. It may start a process that reads a file first (base/background.h), and is therefore not
 * called in the background. */
sonde_status library_output_open(struct library_output *output);
/* Adds the structures of a batch, which becomes empty, to the open file; saves it if that is due. */
sonde_status library_output_write(struct library_output *output, struct library_batch *batch);
/* The same to bytes for another rank, and from there: those of all ranks, one after the other. */
sonde_status library_output_pack(struct library_output *output, struct library_batch *batch, struct packed *packed);
sonde_status library_output_write_packed(struct library_output *output, const struct packed *packed);
/* The file is there, with all that has been added, and is closed. */
sonde_status library_output_complete(struct library_output *output);
void library_output_free(struct library_output *output);

#endif
