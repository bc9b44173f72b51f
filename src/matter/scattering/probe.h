/* The radiation of a scattering experiment, and the amplitudes with which atoms scatter it: what the options of engines
 * for scattering have in common. */
#ifndef SONDE_MATTER_PROBE_H
#define SONDE_MATTER_PROBE_H

#include "base/text.h"
#include "matter/scattering/anomalous.h"
#include "matter/scattering/form_factors.h"
#include "matter/scattering/scatterer.h"

#define EV_ANGSTROM (1e10 * PLANCK * SPEED_OF_LIGHT / ELEMENTARY_CHARGE) /* h c: 12398.42 eV Angstrom */

/* The choices of the options `radiation` and `factors`, in their order; those of `anomalous` are enum anomalous_table. */
enum probe_radiation { PROBE_XRAY, PROBE_NEUTRON, PROBE_ELECTRON };
enum probe_factors {
	PROBE_FACTORS_AUTO,
	PROBE_FACTORS_WAASMAIER_KIRFEL,
	PROBE_FACTORS_IT1992,
	PROBE_FACTORS_SEARS1992,
	PROBE_FACTORS_RAUCH2003,
	PROBE_FACTORS_UNIT,
	PROBE_FACTORS_LOBATO,
	PROBE_FACTORS_PENG,
	PROBE_FACTORS_PENG_LOW,
	PROBE_FACTORS_KIRKLAND
};
/* For the file that has an engine's options: their numbers are these. */
#define PROBE_ASSERT_CHOICES(ENGINE)                                                                  \
	_Static_assert((int)ENGINE##_RADIATION_ELECTRON == (int)PROBE_ELECTRON &&                     \
			   (int)ENGINE##_FACTORS_AUTO == (int)PROBE_FACTORS_AUTO &&                   \
			   (int)ENGINE##_FACTORS_UNIT == (int)PROBE_FACTORS_UNIT &&                   \
			   (int)ENGINE##_FACTORS_KIRKLAND == (int)PROBE_FACTORS_KIRKLAND &&           \
			   (int)ENGINE##_ANOMALOUS_NONE == (int)ANOMALOUS_NONE &&                     \
			   (int)ENGINE##_ANOMALOUS_CROMER_LIBERMAN == (int)ANOMALOUS_CROMER_LIBERMAN, \
		       "the choices of an engine's options are in another order")

/* Values of an engine's options. Texts are not owned. */
struct probe {
	int radiation, factors;
	enum anomalous_table anomalous;
	const char *energy;              /* "" if not given */
	double wavelength;               /* Angstrom; 0: not given */
	const char *form_factors;        /* the user's file; "" if there is none */
	const char *form_factors_sha256; /* of this file; null if it is not known */
	double q_first, q_last;          /* at which amplitudes are needed, 1/Angstrom */
	const char *q_option;            /* that determines them, in place of `q`; null: `q` */
	enum scattering_table table;
};

/* Energy in eV, of X-rays; 0 if neither `energy` nor `wavelength` is given. */
sonde_status probe_energy(const char *energy, double wavelength, double *value);

/* Settles `factors`, and sets `table`; refuses contradictions and q beyond the table. */
sonde_status probe_choose_table(struct probe *probe);
/* The scattering of a label: from the user's factors (null: none) or the table, with f' and f''. */
sonde_status probe_find_scatterer(const struct probe *probe, const struct form_factors *form_factors,
				  const char *label, struct scatterer *scatterer);

#define FORM_FACTORS_OF "; labels in the file of form factors: "
/* Appends the sources of the amplitudes on one line: table; f' and f'' with the energy and the values of each of `count`
 * labels, label s at labels(user, s); file. The line begins with scattering_table_source() of the table. */
void probe_append_amplitudes(const struct probe *probe, int count, const char *(*label)(const void *user, int s),
			     const void *user, struct text *text);

#endif
