/* What the kernels of scans and the host have in common. */
#ifndef SONDE_MATCH_SCAN_LAYOUT_H
#define SONDE_MATCH_SCAN_LAYOUT_H

#define SCAN_LANES 8u                /* partial sums of a product, as those of match/dot_product.c */
#define SCAN_PARTS (SCAN_LANES + 1u) /* and the sum of the last terms, fewer than SCAN_LANES */

/* Words of the argument `sizes` */
#define SCAN_POINTS 0u   /* of the candidates' axis */
#define SCAN_MEASURED 1u /* points */
#define SCAN_VECTORS 2u
#define SCAN_SAME 3u /* 1: the measured points are those of the axis from first[0] on */
#define SCAN_WORDS 4u

#endif
