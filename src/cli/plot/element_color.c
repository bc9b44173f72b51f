#include "cli/plot/element_color.h"

#include <math.h>
#include <stddef.h>

static const struct known_color {
	int atomic_number;
	struct color color;
} known_colors[] = {
    {1, {245, 245, 245}},  {2, {190, 235, 240}},  {3, {150, 70, 200}},   {5, {235, 170, 140}},  {6, {70, 70, 75}},
    {7, {50, 80, 220}},    {8, {225, 30, 30}},    {9, {80, 200, 70}},    {11, {130, 60, 190}},  {12, {40, 140, 40}},
    {13, {175, 165, 165}}, {14, {215, 185, 140}}, {15, {240, 140, 20}},  {16, {240, 215, 40}},  {17, {40, 190, 50}},
    {18, {120, 205, 220}}, {19, {115, 50, 175}},  {20, {50, 160, 60}},   {22, {150, 150, 155}}, {26, {215, 105, 40}},
    {27, {60, 100, 190}},  {28, {75, 175, 95}},   {29, {195, 115, 60}},  {30, {120, 125, 175}}, {34, {230, 150, 20}},
    {35, {150, 45, 35}},   {46, {20, 110, 130}},  {47, {185, 190, 195}}, {48, {230, 200, 120}}, {53, {130, 20, 145}},
    {74, {50, 130, 205}},  {78, {205, 205, 220}}, {79, {235, 190, 40}},  {82, {90, 90, 100}}};

/* Hues by the golden section, which puts neighbors far apart. */
static struct color color_by_hue(int atomic_number)
{
	const double hue = 6.0 * fmod(0.61803398874989485 * atomic_number, 1.0);
	double part[3];

	for (int k = 0; k < 3; ++k) {
		const double from = fabs(fmod(hue + 2.0 * k, 6.0) - 3.0);
		part[k] = 90.0 + 130.0 * fmin(fmax(from - 1.0, 0.0), 1.0);
	}
	return (struct color){(unsigned char)part[0], (unsigned char)part[1], (unsigned char)part[2]};
}

struct color element_color(int atomic_number)
{
	for (size_t k = 0; k < sizeof known_colors / sizeof *known_colors; ++k)
		if (known_colors[k].atomic_number == atomic_number)
			return known_colors[k].color;
	return atomic_number > 0 ? color_by_hue(atomic_number) : (struct color){150, 150, 150};
}
