/* Where results go: files of all kinds, and those that take a grid slab by slab while it is computed. */
#ifndef SONDE_COULOMB_OUTPUT_DELIVERY_H
#define SONDE_COULOMB_OUTPUT_DELIVERY_H

#include "base/text.h"
#include "io/hdf5.h"
#include "io/volume.h"
#include "sonde/coulomb.h"

/* A file under construction that takes the values in parts. */
struct delivery;
/* Whether there are such files by the end of that name, and whether they want the third step fastest: the mirror image. */
bool delivery_possible(const char *path);
bool delivery_mirrored(const char *path);
/* Refuses a file that the disk has no room for. The result has no values; it must live on. */
sonde_status delivery_open(const sonde_coulomb_result *result, const char *path, int threads, bool overwrite,
			   struct delivery **delivery);
/* The next `count` points. */
sonde_status delivery_add(struct delivery *delivery, const double *potential, const double *field, int64_t count);
/* With SONDE_OK the rest of the result is written and the file gets its name, else nothing is left. Returns `status`, or
 * what went wrong. Harmless on null. */
sonde_status delivery_close(struct delivery **delivery, sonde_status status);

/* Parts of files. NeXus: where the values begin in it; null to write them. */
struct nexus_places {
	int64_t potential, field;
};
sonde_status nexus_begin(const sonde_coulomb_result *result, struct hdf5_writer *writer, struct nexus_places *places);
/* All numbers are in these places; their checksums. */
void nexus_filled(struct hdf5_writer *writer, const struct nexus_places *places, uint64_t potential, uint64_t field);
sonde_status nexus_end(const sonde_coulomb_result *result, struct hdf5_writer *writer);
sonde_status coulomb_write_nexus(const sonde_coulomb_result *result, const char *path, bool overwrite);
/* A volume's grid and title; and x, y, z and charge of each charge of a set, to be freed. */
void coulomb_describe_volume(const sonde_coulomb_result *result, struct volume *volume);
sonde_status coulomb_charges_of_set(const sonde_coulomb_result *result, int set, double **charges);
/* Lines of comments; those of a result that is not complete say nothing of errors and times. */
void coulomb_append_header(const sonde_coulomb_result *result, bool complete, struct text *text);
bool coulomb_shows_potential(const sonde_coulomb_result *result);

#define COULOMB_DEFINITIONS                                                                                       \
	"phi(p) = k/epsilon sum_j q_j/r_j, E = -grad phi, r_j = |p - r_j| in Angstrom; k = e/(4 pi epsilon_0) = " \
	"14.3996454784255 V Angstrom, 1 in units of e/A; charges within 1e-6 Angstrom of a point as option self " \
	"says; "                                                                                                  \
	"screened: q exp(-r/debye-length)/r; periodic: Ewald's sum in a neutralising background, tin foil far "   \
	"around. "                                                                                                \
	"Errors: of points that the reference computed again, root mean square relative to the values there."

#endif
