/* The amplitudes of a run: their table, the energy of anomalous scattering, and the user's form factors. */
#ifndef SONDE_DEBYE_AMPLITUDES_H
#define SONDE_DEBYE_AMPLITUDES_H

#include "debye/debye.h"
#include "matter/scattering/probe.h"

/* Settles `factors`, and sets plan->table; refuses contradictions and q beyond the table, and notes a q that cannot be
 * measured at the energy. */
sonde_status debye_choose_table(sonde_context *context, struct debye_plan *plan);

/* Reads the user's form factors into `amplitudes`, which then own them; nothing without the option. */
sonde_status debye_read_form_factors(const struct debye_plan *plan, struct amplitudes *amplitudes);
/* The scattering of a label: from the user's file or the table, with f' and f''. */
sonde_status debye_find_scatterer(const struct debye_plan *plan, const struct amplitudes *amplitudes,
				  const char *label, struct scatterer *scatterer);

/* Appends the sources of the amplitudes on one line: table; f' and f'' with the energy and the values of each species;
 * file. The line begins with scattering_table_source() of the table. */
void debye_append_amplitudes(const sonde_debye_result *result, struct text *text);

#endif
