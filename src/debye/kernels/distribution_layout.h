/* The layout of kernel distribution_points, shared by kernel and host. */
#ifndef SONDE_DEBYE_DISTRIBUTION_LAYOUT_H
#define SONDE_DEBYE_DISTRIBUTION_LAYOUT_H

#define DISTRIBUTION_POINTS 8u /* of r, of a work-group */
#define DISTRIBUTION_PADDING 8 /* zeros after the points of q: a register of any device */

#endif
