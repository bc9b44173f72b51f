/* The plan of a run, made before the work begins: all numbers read by kernels. */
#ifndef SONDE_IONS_PLAN_PLAN_H
#define SONDE_IONS_PLAN_PLAN_H

#include "ions/kernels/history_layout.h"
#include "ions/source/source.h"
#include "ions/target/target.h"
#include "stopping/screening.h"
#include "stopping/stopping.h"

#define IONS_GROUPS 64            /* of ions, for standard errors, */
#define LEAST_GROUPS_OF_ERRORS 8u /* for which this many are needed at least */
#define SPECTRUM_BINS 128         /* of primary recoils, four per octave from 1 eV on */
#define MOST_CELLS 1.0e8

struct ions_plan {
	sonde_ions_options options; /* with every "auto" decided */
	const char *data;           /* folder of tables while the plan is made; null: the installed ones */
	struct source source;
	struct target target;
	sonde_body_options *bodies; /* of the job's list; owned */
	int64_t body_count;
	char *sample; /* file of the job's sample, for its provenance; null: none; owned */
	char sample_sha256[65];
	struct stopping *stopping;
	enum screening_kind screening;
	struct ions_species species[TARGET_MOST_KINDS + PARTICLES_MOST_SPECIES];
	struct ions_job job;
	float *tables; /* scattering angles, variances of the flights, energies of the source */
	size_t table_count;
	struct ions_flight *flights;
	size_t flight_count; /* species x regions x nodes */
	struct ions_pair *pairs;
	struct ions_kind_numbers *kinds;
	struct ions_layer_numbers layers[TARGET_MOST_REGIONS];
	double nuclear_loss, first_loss; /* estimates for an ion: eV to nuclei in all, and per nm at first */
	double depth_unit;               /* nm, a power of two: the unit of summed depths */
};

sonde_status ions_plan_make(int threads, const sonde_ions_options *options, struct ions_plan *plan);
/* The same with the tables of a folder (base/data_file.h; null: the usual ones), and with the bodies of a job's
 * list, whose items are copied; null: none. */
sonde_status ions_plan_make_in(const char *data, int threads, const sonde_ions_options *options,
			       const struct body_list *bodies, struct ions_plan *plan);
/* Sets another seed; the tables do not depend on it. */
void ions_plan_set_seed(struct ions_plan *plan, int64_t seed);
/* Approximate number of flights of an ion in the first material of the target. */
double ions_plan_flights(const struct ions_plan *plan);
/* Approximate seconds per ion on a CPU thread. */
double ions_plan_seconds(const struct ions_plan *plan);
void ions_plan_free(struct ions_plan *plan);

/* Lower energy limit in eV of a row of the table of flights. */
double ions_node_energy(uint32_t node);
/* Makes the tables of a plan with complete job, target, source and stopping: tables.c */
sonde_status ions_tables_make(struct ions_plan *plan, int threads);

#endif
