/* The comparable contents of an HDF5 file, for tests/faults/cases.sh: one line for every group, dataset and
 * attribute, in the order of their names, with type, shape and a sum of the bytes of its values; texts, and numbers
 * that stand alone, as themselves. With --values the datasets of numbers only, for tests/golden: their names and
 * shapes, and a line for each element.
 *
 *     contents [--values] FILE */
#include <hdf5.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool failed;
static bool values_wanted;

/* FNV-1a */
static uint64_t sum_of(const unsigned char *bytes, size_t size)
{
	uint64_t sum = 0xcbf29ce484222325u;

	for (size_t k = 0; k < size; ++k)
		sum = (sum ^ bytes[k]) * 0x100000001b3u;
	return sum;
}

static void print_text(const char *text, size_t size)
{
	for (size_t k = 0; k < size && text[k] != '\0'; ++k)
		putchar((unsigned char)text[k] < ' ' ? '|' : text[k]);
}

static void print_values(hid_t type, size_t count, const void *values)
{
	const size_t size = H5Tget_size(type);

	if (H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) > 0) {
		for (size_t k = 0; k < count; ++k) {
			const char *text = ((char *const *)values)[k];
			putchar(' ');
			print_text(text != NULL ? text : "", SIZE_MAX);
		}
	} else if (H5Tget_class(type) == H5T_STRING && count == 1) {
		putchar(' ');
		print_text(values, size);
	} else if (H5Tget_class(type) == H5T_FLOAT && count == 1 && size == sizeof(double)) {
		printf(" %.17g", *(const double *)values);
	} else {
		printf(" %016" PRIx64, sum_of(values, count * size));
	}
	putchar('\n');
}

/* Enough digits for every bit. */
static bool print_number(hid_t type, const unsigned char *value)
{
	const bool real = H5Tget_class(type) == H5T_FLOAT;
	const hid_t wide = real ? H5T_NATIVE_DOUBLE : H5T_NATIVE_LLONG;
	union {
		double real;
		long long integer;
		unsigned char bytes[16];
	} number;

	if (H5Tget_size(type) > sizeof(number.bytes))
		return false;
	memcpy(number.bytes, value, H5Tget_size(type));
	if (H5Tconvert(type, wide, 1, &number, NULL, H5P_DEFAULT) < 0)
		return false;
	if (real)
		printf("%.*g", H5Tget_size(type) == sizeof(float) ? 9 : 17, number.real);
	else
		printf("%lld", number.integer);
	return true;
}

static bool is_number(hid_t type)
{
	return H5Tget_class(type) == H5T_FLOAT || H5Tget_class(type) == H5T_INTEGER;
}

/* One element: a number, or the parts of a compound of numbers. */
static bool print_element(hid_t type, const unsigned char *value)
{
	if (is_number(type))
		return print_number(type, value);
	for (int k = 0; k < H5Tget_nmembers(type); ++k) {
		const hid_t member = H5Tget_member_type(type, (unsigned)k);
		bool printed = true;

		if (k > 0)
			putchar(' ');
		if (is_number(member))
			printed = print_number(member, value + H5Tget_member_offset(type, (unsigned)k));
		else
			putchar('-');
		H5Tclose(member);
		if (!printed)
			return false;
	}
	return true;
}

static void print_elements(const char *name, hid_t type, size_t count, const unsigned char *values)
{
	if (!is_number(type) && H5Tget_class(type) != H5T_COMPOUND)
		return;
	printf("%s [%zu]\n", name, count);
	for (size_t k = 0; k < count; ++k) {
		if (!print_element(type, values + k * H5Tget_size(type)))
			failed = true;
		putchar('\n');
	}
}

static void print_shape(const char *name, const char *attribute, hid_t type, hid_t space)
{
	hsize_t sizes[H5S_MAX_RANK];
	const int rank = H5Sget_simple_extent_dims(space, sizes, NULL);

	printf("%s%s%s: class %d of %zu bytes [", name, attribute != NULL ? "@" : "",
	       attribute != NULL ? attribute : "", (int)H5Tget_class(type), H5Tget_size(type));
	for (int k = 0; k < rank; ++k)
		printf("%s%"
		       "llu",
		       k > 0 ? " " : "", (unsigned long long)sizes[k]);
	printf("]");
}

/* Of a dataset or, if it has a name, an attribute. */
static void print_one(const char *name, const char *attribute, hid_t object)
{
	const hid_t type = attribute != NULL ? H5Aget_type(object) : H5Dget_type(object),
		    space = attribute != NULL ? H5Aget_space(object) : H5Dget_space(object);
	const hssize_t count = space >= 0 ? H5Sget_simple_extent_npoints(space) : -1;
	void *values = type >= 0 && count >= 0 ? calloc((size_t)count + 1, H5Tget_size(type)) : NULL;

	if (values == NULL ||
	    (attribute != NULL ? H5Aread(object, type, values)
			       : H5Dread(object, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values)) < 0) {
		printf("%s: cannot be read\n", name);
		failed = true;
	} else {
		if (values_wanted) {
			print_elements(name, type, (size_t)count, values);
		} else {
			print_shape(name, attribute, type, space);
			print_values(type, (size_t)count, values);
		}
		if (H5Tis_variable_str(type) > 0)
			H5Dvlen_reclaim(type, space, H5P_DEFAULT, values);
	}
	free(values);
	if (space >= 0)
		H5Sclose(space);
	if (type >= 0)
		H5Tclose(type);
}

static herr_t on_attribute(hid_t object, const char *name, const H5A_info_t *about, void *user)
{
	const hid_t attribute = H5Aopen(object, name, H5P_DEFAULT);

	(void)about;
	if (attribute < 0)
		return -1;
	print_one(user, name, attribute);
	H5Aclose(attribute);
	return 0;
}

static herr_t on_object(hid_t file, const char *name, const H5O_info_t *about, void *user)
{
	const hid_t object = H5Oopen(file, name, H5P_DEFAULT);
	hsize_t index = 0;
	char *path = strdup(name);

	(void)user;
	if (object < 0 || path == NULL) {
		free(path);
		return -1;
	}
	if (about->type == H5O_TYPE_DATASET)
		print_one(name, NULL, object);
	else if (!values_wanted)
		printf("%s: group\n", name);
	herr_t result = 0;
	if (!values_wanted)
		result = H5Aiterate2(object, H5_INDEX_NAME, H5_ITER_INC, &index, on_attribute, path);
	free(path);
	H5Oclose(object);
	return result;
}

int main(int argc, char **argv)
{
	values_wanted = argc == 3 && strcmp(argv[1], "--values") == 0;
	if (argc != (values_wanted ? 3 : 2)) {
		fprintf(stderr, "usage: %s [--values] FILE\n", argv[0]);
		return 2;
	}
	const hid_t file = H5Fopen(argv[argc - 1], H5F_ACC_RDONLY, H5P_DEFAULT);
	if (file < 0 || H5Ovisit(file, H5_INDEX_NAME, H5_ITER_INC, on_object, NULL) < 0 || H5Fclose(file) < 0 ||
	    failed) {
		printf("%s: cannot be read\n", argv[argc - 1]);
		return 1;
	}
	return 0;
}
