/* An oracle for sonde ions: binary collisions in float64, every scattering integral by quadrature, no tables of
 * angles, no collision left out. It shares no text with src/ions; of its data only the electronic stopping of
 * data/stopping_*.i16, which it reads itself. Slow: some microseconds per collision. One layer across x, x = 0 being
 * its surface; no straggling of the electronic loss. Lengths in nm, energies in eV, masses in amu. */
#ifndef SONDE_TESTS_ORACLES_IONS_H
#define SONDE_TESTS_ORACLES_IONS_H

#include <stdbool.h>
#include <stdint.h>

#define ORACLE_MOST_ELEMENTS 8

enum oracle_potential { ORACLE_ZBL, ORACLE_KR_C, ORACLE_MOLIERE, ORACLE_LENZ_JENSEN };

/* Electronic stopping; null where the file cannot be read. To be released by free(). */
struct oracle_stopping;
struct oracle_stopping *oracle_stopping_read(const char *path);

struct oracle_element {
	int atomic_number;
	double mass, fraction;
	double displacement, lattice, surface; /* energies */
};

struct oracle_job {
	enum oracle_potential potential;
	const struct oracle_stopping *stopping; /* null: none */
	int ion_number;
	double ion_mass, energy, angle; /* angle: from the normal, in degrees; leans to y */
	int elements;
	struct oracle_element element[ORACLE_MOST_ELEMENTS];
	double density, thickness; /* atoms in nm^3; thickness may be INFINITY */
	double step;               /* of a layer of atoms, in units of density^(-1/3) */
	double cutoff;
	bool
	    poisson; /* distances between collisions are exponential, with the layer's as their mean; else all equal */
	bool planar;    /* atoms of the target pay their surface energies when they leave */
	double local;   /* the part of electronic losses that collisions take, by Oen and Robinson: from 0 to 1 */
	bool ions_only; /* recoils are not followed, nor counted */
	bool mirrored;  /* no atom turns by more than 90 degrees: larger angles are mirrored, the recoils are not */
};

enum oracle_sum {
	ORACLE_VACANCIES,
	ORACLE_REPLACEMENTS,
	ORACLE_SPUTTERED,
	ORACLE_BACKSCATTERED,
	ORACLE_TRANSMITTED,
	ORACLE_COLLISIONS_OF_ION,
	ORACLE_COLLISIONS_OF_RECOILS,
	ORACLE_IONIZATION_BY_ION,
	ORACLE_IONIZATION_BY_RECOILS,
	ORACLE_PHONONS_BY_ION,
	ORACLE_PHONONS_BY_RECOILS,
	ORACLE_STORED,
	ORACLE_LEFT, /* energy of what left the target */
	ORACLE_SUMS
};

/* Sums over ions, and of squares; of ions at rest powers of their depths, and of their y and z the squares. */
struct oracle_answer {
	double ions, sum[ORACLE_SUMS], square[ORACLE_SUMS];
	double implanted, depth[4], lateral[2], path[2]; /* lateral: of (y^2 + z^2)/2 and its square */
};

struct oracle_value {
	double value, error; /* standard error; NAN with fewer than two */
};

/* Follows ions from number `first` on, and adds them to an answer. Each has random numbers of its own, of seed and number. */
void oracle_follow(const struct oracle_job *job, uint64_t seed, uint64_t first, uint64_t count,
		   struct oracle_answer *answer);
/* Mean of a sum for an ion. */
struct oracle_value oracle_mean(const struct oracle_answer *answer, enum oracle_sum sum);
/* Of ions at rest: mean depth, its standard deviation, the root of the mean square of y and z, the length of the path. */
struct oracle_value oracle_range(const struct oracle_answer *answer);
struct oracle_value oracle_straggling(const struct oracle_answer *answer);
struct oracle_value oracle_lateral(const struct oracle_answer *answer);
struct oracle_value oracle_path(const struct oracle_answer *answer);

/* sin^2(theta/2) of a scattering at a reduced energy and a reduced impact parameter; *apsis, unless null, becomes the reduced
 * distance of closest approach. */
double oracle_sin2(enum oracle_potential potential, double energy, double impact, double *apsis);
double oracle_screening_length(enum oracle_potential potential, int z1, int z2);

#endif
