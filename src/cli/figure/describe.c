/* Pictures in words. SVG has a place for them, which screen readers read. */
#include <string.h>

#include "cli/figure/describe.h"
#include "cli/figure/panel.h"

/* With the five characters that have a meaning in XML escaped. */
static void append(struct text *words, const char *text)
{
	for (; *text != '\0'; ++text) {
		const char *special = strchr("&<>\"'", *text);
		if (special != NULL)
			text_append(words, "&#%d;", *special);
		else
			text_append_byte(words, *text);
	}
}

static void append_axis(const struct panel *panel, const struct place *place, enum figure_axis axis,
			struct text *words)
{
	static const char *const names[] = {"x", "y", "right", "colors"};
	char low[FIGURE_NUMBER], high[FIGURE_NUMBER];

	if (panel->axes[axis].label == NULL)
		return;
	text_append(words, "; %s: ", names[axis]);
	append(words, panel->axes[axis].label);
	text_append(words, " from %s to %s%s", figure_number(place->low[axis], low),
		    figure_number(place->high[axis], high), place->logarithmic[axis] ? ", logarithmic" : "");
}

/* Titles of the curves, or the texts. */
static void append_titles(const struct panel *panel, bool texts, struct text *words)
{
	const char *before = texts ? "; texts: " : "; curves: ";

	for (size_t k = 0; k < panel->part_count; ++k) {
		const struct part *part = &panel->parts[k];
		if ((part->kind == PART_TEXT) != texts || part->title == NULL)
			continue;
		text_append(words, "%s", before);
		append(words, part->title);
		before = ", ";
	}
}

void describe(const struct figure *figure, struct text *words)
{
	for (int k = 0; k < figure->panel_count; ++k) {
		const struct panel *panel = &figure->panels[k];
		struct place place;
		panel_find_limits(panel, &place);
		text_append(words, "Panel %d", k + 1);
		if (panel->title != NULL) {
			text_append(words, ": ");
			append(words, panel->title);
		}
		for (int axis = 0; axis < FIGURE_AXES; ++axis)
			append_axis(panel, &place, axis, words);
		append_titles(panel, false, words);
		append_titles(panel, true, words);
		text_append(words, ".\n");
	}
}
