#include "matter/elements/assignments.h"

#include <string.h>

#include "base/text.h"
#include "matter/elements/label.h"

static sonde_status take_label(const char *option, const char *start, size_t length, char label[SONDE_LABEL_SIZE])
{
	struct label parsed;

	if (length >= SONDE_LABEL_SIZE)
		return status_fail_option(SONDE_INVALID, option, "'%.40s' is too long for a label", start);
	memcpy(label, start, length);
	label[length] = '\0';
	const sonde_status status = label_parse(label, &parsed);
	return status != SONDE_OK ? status_prefix_option(status, option) : SONDE_OK;
}

sonde_status assignment_take(const char *option, const char **text, double minimum, double maximum,
			     struct assignment *item)
{
	const char *start = *text, *end = start + strcspn(start, ",");
	const char *equals = memchr(start, '=', (size_t)(end - start)), *number = start;

	*item = (struct assignment){0};
	if (equals != NULL) {
		const char *colon = memchr(start, ':', (size_t)(equals - start));
		const char *first_end = colon != NULL ? colon : equals;
		CHECK(take_label(option, start, (size_t)(first_end - start), item->first));
		if (colon != NULL)
			CHECK(take_label(option, colon + 1, (size_t)(equals - colon - 1), item->second));
		number = equals + 1;
	}
	if (!text_parse_real(number, end, &item->value))
		return status_fail_option(SONDE_INVALID, option, "'%.*s' is not a number", (int)(end - number),
					  number);
	if (!(item->value >= minimum && item->value <= maximum))
		return status_fail_option(SONDE_INVALID, option, "%g is out of range: %g to %g are possible",
					  item->value, minimum, maximum);
	*text = *end == '\0' ? end : end + 1;
	return *end != '\0' && **text == '\0'
		   ? status_fail_option(SONDE_INVALID, option, "an item is missing after the last comma")
		   : SONDE_OK;
}

sonde_status assignment_numbers(const char *option, const char *start, const char *end,
				double numbers[ASSIGNMENT_MOST_NUMBERS], int *count)
{
	for (*count = 0; start <= end; ++*count) {
		const char *comma = memchr(start, ',', (size_t)(end - start)), *stop = comma != NULL ? comma : end;
		if (*count == ASSIGNMENT_MOST_NUMBERS || !text_parse_real(start, stop, &numbers[*count]))
			return status_fail_option(SONDE_INVALID, option, "'%.*s' is not a number",
						  (int)(stop - start), start);
		start = stop + 1;
	}
	return SONDE_OK;
}
