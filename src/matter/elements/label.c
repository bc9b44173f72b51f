#include "matter/elements/label.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

static const char symbols[ELEMENTS][3] = {
    "H",  "He", "Li", "Be", "B",  "C",  "N",  "O",  "F",  "Ne", "Na", "Mg", "Al", "Si", "P",  "S",  "Cl",
    "Ar", "K",  "Ca", "Sc", "Ti", "V",  "Cr", "Mn", "Fe", "Co", "Ni", "Cu", "Zn", "Ga", "Ge", "As", "Se",
    "Br", "Kr", "Rb", "Sr", "Y",  "Zr", "Nb", "Mo", "Tc", "Ru", "Rh", "Pd", "Ag", "Cd", "In", "Sn", "Sb",
    "Te", "I",  "Xe", "Cs", "Ba", "La", "Ce", "Pr", "Nd", "Pm", "Sm", "Eu", "Gd", "Tb", "Dy", "Ho", "Er",
    "Tm", "Yb", "Lu", "Hf", "Ta", "W",  "Re", "Os", "Ir", "Pt", "Au", "Hg", "Tl", "Pb", "Bi", "Po", "At",
    "Rn", "Fr", "Ra", "Ac", "Th", "Pa", "U",  "Np", "Pu", "Am", "Cm", "Bk", "Cf", "Es", "Fm", "Md", "No",
    "Lr", "Rf", "Db", "Sg", "Bh", "Hs", "Mt", "Ds", "Rg", "Cn", "Nh", "Fl", "Mc", "Lv", "Ts", "Og"};

const char *element_symbol(int atomic_number)
{
	return symbols[atomic_number - 1];
}

int element_number(const char *symbol)
{
	for (int i = 0; i < ELEMENTS; ++i)
		if (strcmp(symbols[i], symbol) == 0)
			return i + 1;
	return 0;
}

static sonde_status unknown_element(const char *text, const char *symbol)
{
	struct nearest_word nearest = {.word = symbol};
	char hint[64];

	for (int i = 0; i < ELEMENTS; ++i)
		nearest_word_offer(&nearest, symbols[i]);
	return status_fail(SONDE_INVALID, "unknown species '%.32s'%s", text,
			   nearest_word_hint(&nearest, hint, sizeof hint));
}

sonde_status label_parse(const char *text, struct label *label)
{
	char symbol[4] = "";
	size_t length = 0;
	const char *c = text;
	struct label parsed = {0};
	int sign = 0, charge_digits = 0;

	for (; isdigit((unsigned char)*c) && parsed.mass_number < 1000; ++c)
		parsed.mass_number = parsed.mass_number * 10 + (*c - '0');
	for (; isalpha((unsigned char)*c) && length < sizeof symbol - 1; ++c)
		symbol[length++] = *c;
	for (; isdigit((unsigned char)*c) && parsed.charge < 100; ++c, ++charge_digits)
		parsed.charge = parsed.charge * 10 + (*c - '0');
	if (*c == '+' || *c == '-')
		sign = *c++ == '+' ? 1 : -1;
	if (*c != '\0' || length == 0 || (charge_digits > 0 && (sign == 0 || parsed.charge == 0)))
		return unknown_element(text, length > 0 ? symbol : text);
	parsed.charge = sign * (charge_digits > 0 ? parsed.charge : 1);

	if (strcmp(symbol, "D") == 0 || strcmp(symbol, "T") == 0) {
		if (parsed.mass_number != 0)
			return unknown_element(text, symbol);
		parsed.mass_number = symbol[0] == 'D' ? 2 : 3;
		strcpy(symbol, "H");
	}
	parsed.atomic_number = element_number(symbol);
	if (parsed.atomic_number == 0 || (isdigit((unsigned char)text[0]) && text[0] == '0'))
		return unknown_element(text, symbol);
	*label = parsed;
	return SONDE_OK;
}
