/* Blanks in texts of options: those next to separators do not count, so that "Si=15, O=28" is "Si=15,O=28". */
#ifndef SONDE_BASE_OPTION_BLANKS_H
#define SONDE_BASE_OPTION_BLANKS_H

/* Removes blanks and tabs at both ends and around , ; : = / @ * of a text, and around a + with a blank in front (one without
 * may be a charge, "Co2+ 0 0 0"). */
void option_drop_blanks(char *text);

#endif
