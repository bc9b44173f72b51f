/* Output of results: files of all types, and those to which a grid is written slab by slab while it is computed. */
#ifndef SONDE_COULOMB_OUTPUT_DELIVERY_H
#define SONDE_COULOMB_OUTPUT_DELIVERY_H

#include "base/text.h"
#include "io/containers/hdf5.h"
#include "io/volume/volume.h"
#include "run/context.h"
#include "sonde/coulomb.h"

/* A file under construction to which values are written in parts. */
struct delivery;
/* Whether the ending of this name is that of such files, and whether they have the third step fastest, in mirror
 * order. */
bool delivery_possible(const char *path);
bool delivery_mirrored(const char *path);
/* Refuses a file that does not fit on the disk; of the result, the number of points and the options are needed. */
sonde_status delivery_check_disk(const sonde_coulomb_result *result, const char *path);
/* The result has no values; it must outlive the delivery. All ranks come to this. If the file is not shared, *delivery is null on those
 * that write nothing. */
sonde_status delivery_open(sonde_context *context, const sonde_coulomb_result *result, const char *path,
			   bool overwrite, struct delivery **delivery);
/* Whether all ranks write to the file, each the values of its own points. */
bool delivery_is_shared(const struct delivery *delivery);
/* Writes `count` points from number `first` on: the next ones, or of a shared file any. */
sonde_status delivery_add(struct delivery *delivery, const double *potential, const double *field, int64_t first,
			  int64_t count);
/* Of a shared file, once all ranks have written, or failed with `status`: the status of all. */
sonde_status delivery_settle(struct delivery *delivery, struct parallel *ranks, sonde_status status);
/* With SONDE_OK the rest of the result is written and the file gets its name, otherwise no file is left. Returns
 * `status`, or the error. A no-op on null. */
sonde_status delivery_close(struct delivery **delivery, sonde_status status);

/* Parts of files. NeXus: offsets of the values in the file; null to write the values directly. */
struct nexus_places {
	int64_t potential, field;
};
sonde_status nexus_begin(const sonde_coulomb_result *result, struct hdf5_writer *writer, struct nexus_places *places);
/* After all numbers have been written to these places: sets their checksums. */
void nexus_filled(struct hdf5_writer *writer, const struct nexus_places *places, uint64_t potential, uint64_t field);
sonde_status nexus_end(const sonde_coulomb_result *result, struct hdf5_writer *writer);
sonde_status coulomb_contents(const void *result, struct hdf5_writer *writer);
sonde_status coulomb_write_nexus(const sonde_coulomb_result *result, const char *path, bool overwrite);
/* Grid and title of a volume; and x, y, z and charge of each charge of a set, to be freed. */
void coulomb_describe_volume(const sonde_coulomb_result *result, struct volume *volume);
sonde_status coulomb_charges_of_set(const sonde_coulomb_result *result, int set, double **charges);
/* Comment lines; for an incomplete result without errors and times. */
void coulomb_append_header(const sonde_coulomb_result *result, bool complete, struct text *text);

#define COULOMB_DEFINITIONS                                                                                       \
	"phi(p) = k/epsilon sum_j q_j/r_j, E = -grad phi, r_j = |p - r_j| in Angstrom; k = e/(4 pi epsilon_0) = " \
	"14.3996454784255 V Angstrom, 1 in units of e/A; charges within 1e-6 Angstrom of a point as given by "    \
	"option self; "                                                                                           \
	"screened: q exp(-r/debye-length)/r; periodic: Ewald's sum in a neutralizing background, tin foil far "   \
	"around. "                                                                                                \
	"Errors: of points recomputed by the reference, root mean square relative to the values there."

#endif
