/* The description of a picture, as description.c builds it, and as it is read to draw it. */
#ifndef SONDE_CLI_FIGURE_DESCRIPTION_H
#define SONDE_CLI_FIGURE_DESCRIPTION_H

#include "cli/figure/figure.h"

enum part_kind {
	PART_CURVE,
	PART_STEPS,
	PART_IMPULSES,
	PART_BAND,
	PART_BARS_UP,     /* at x, from low to high along y */
	PART_BARS_ACROSS, /* at y, from low to high along x */
	PART_MAP,
	PART_PICTURE,
	PART_SEGMENT,
	PART_ARROW,
	PART_CIRCLE,
	PART_RECTANGLE,
	PART_VERTICAL,
	PART_TEXT
};

/* One of the things in a panel; numbers[] are its columns one after the other, `count` values each. */
struct part {
	enum part_kind kind;
	struct figure_style style;
	char *title;
	double *numbers;
	int64_t count;
	struct figure_map map;  /* its values are `numbers` */
	struct picture picture; /* owned */
	bool filled;
	uint32_t fill;
	struct figure_text text;
};

struct part_axis {
	char *label;
	double low, high; /* NAN: from the content */
	bool logarithmic, hidden;
};

struct panel {
	char *title;
	struct part_axis axes[FIGURE_AXES];
	struct part *parts;
	size_t part_count, part_capacity;
	enum figure_legend legend;
	double ratio; /* of units; 0: free */
	bool grid, bare;
	char **row_names;
	int row_count;
};

struct figure {
	int width, height, rows, columns;
	struct panel *panels; /* rows * columns */
	int panel_count;
	char *note;
	bool failed;
};

#endif
