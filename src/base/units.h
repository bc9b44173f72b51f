/* Numbers with units: 500 nm, 1.5um, 3 THz. */
#ifndef SONDE_BASE_UNITS_H
#define SONDE_BASE_UNITS_H

#include <stdbool.h>

/* Whether numbers of a unit may be written with it and a prefix: m, s, Hz, rad/s, S/m; of A, Angstrom, with m and a prefix. */
bool unit_takes_prefixes(const char *unit);

/* A number from exactly [start, end) in `unit`: alone, or followed by the unit, which may have a prefix from f to P, with or without
 * blanks between. The number is rounded once: 500 nm is 500e-9. Frequencies may be energies of photons: 2.5 eV is 2.5 e/h. Lengths in m
 * may be in Angstrom and the other way round: 12 A is 1.2 nm. Times may be in minutes and hours: 10 min, 2 h. True on success. */
bool unit_parse_real(const char *unit, const char *start, const char *end, double *value);

/* Units of particles and targets, by name only; some have two spellings. */
enum unit_kind { UNIT_ENERGY, UNIT_LENGTH, UNIT_ANGLE };
/* The unit named by exactly [start, end) in eV, nanometers or radians. False if it is not of that kind. */
bool unit_find(enum unit_kind kind, const char *start, const char *end, double *factor);
/* "eV, keV, MeV, GeV" */
const char *unit_names(enum unit_kind kind);
/* A number and such a unit, blanks between or not: "2 MeV", "1e5eV"; a number alone is in units of `bare`; 0 refuses it. */
bool unit_parse_named(enum unit_kind kind, const char *start, const char *end, double bare, double *value);

/* Display of a number: times `factor`, in `unit`; `ascii` has no letters beyond ASCII. */
struct unit_scale {
	double factor;
	const char *unit, *ascii;
};

/* The unit with few digits before the point: for a length in Angstrom, Angstrom to m; for an energy in eV, eV to GeV.
 * */
struct unit_scale unit_scale_length(double angstrom);
struct unit_scale unit_scale_energy(double ev);

#endif
