/* The layout of kernel list_nodes, shared by kernel and host. */
#ifndef SONDE_DEBYE_LIST_LAYOUT_H
#define SONDE_DEBYE_LIST_LAYOUT_H

#define LIST_NODES 32u /* of a window; even */

#endif
