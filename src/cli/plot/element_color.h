/* Colors of elements in pictures. */
#ifndef SONDE_CLI_PLOT_ELEMENT_COLOR_H
#define SONDE_CLI_PLOT_ELEMENT_COLOR_H

#include "io/picture/picture.h"

/* By the convention of Corey, Pauling, and Koltun: carbon dark gray, nitrogen blue, oxygen red, and so on. Elements without
 * a color of their own have one by their atomic number; 0 is gray. */
struct color element_color(int atomic_number);

#endif
