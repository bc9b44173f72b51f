/* Samples that consist of copies of structures, and the text by which files describe them. */
#ifndef SONDE_MATTER_ATOMS_COPIES_H
#define SONDE_MATTER_ATOMS_COPIES_H

#include "matter/atoms/atoms.h"

/* The atoms are those of groups, one after the other, each of copies of one structure with the same atoms in the same
 * order. Fails unless their numbers add up to the atoms. */
sonde_status atoms_set_copies(sonde_atoms *atoms, const struct copy_group *groups, int count);
/* Appends "30x79,20x135", copies and the atoms of each; nothing if the sample does not consist of copies. */
void atoms_copies_print(const sonde_atoms *atoms, struct text *text);
/* Adds the groups of a text of `length` bytes to `count` others; false if it is something else. */
bool atoms_copies_parse(const char *text, size_t length, struct copy_group groups[ATOMS_MOST_STRUCTURES], int *count);
/* The groups of the options `copies` and `copy_atoms`: of copies of `each` atoms, or those that are known, for 0. */
sonde_status atoms_find_copies(const sonde_atoms *atoms, int64_t each,
			       struct copy_group groups[ATOMS_MOST_STRUCTURES], int *count);
/* A sample of `count` atoms from atom `first` on, which shares the arrays of `atoms` and their species, and is not to be
 * freed. */
sonde_atoms atoms_part(const sonde_atoms *atoms, int64_t first, int64_t count);
/* The group of an atom, and the number of its copy, from 0, among all; 0 without copies. */
int64_t atoms_copy_of(const sonde_atoms *atoms, int64_t atom);

#endif
