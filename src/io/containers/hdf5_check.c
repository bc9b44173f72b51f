/* Checksums of all datasets of a file. */
#include <hdf5.h>
#include <stdio.h>
#include <string.h>

#include "io/containers/hdf5_reader.h"

struct check {
	struct hdf5_reader *reader;
	uint64_t most;
	int64_t left_out;
	sonde_status status;
};

/* Whether a dataset matches its checksum; SONDE_INVALID, without a message, if not. */
static sonde_status check_sum(struct check *check, hid_t dataset)
{
	char wanted[HDF5_DIGITS + 1] = "", digits[HDF5_DIGITS + 1];
	uint64_t sum = 0;
	bool left_out;

	if (!hdf5_read_checksum(dataset, wanted))
		return SONDE_INVALID;
	CHECK(hdf5_sum_dataset(dataset, check->most, &sum, &left_out));
	check->left_out += left_out;
	snprintf(digits, sizeof digits, "%016llx", (unsigned long long)sum);
	return left_out || strcmp(wanted, digits) == 0 ? SONDE_OK : SONDE_INVALID;
}

static herr_t check_object(hid_t file, const char *name, const H5O_info_t *info, void *user)
{
	struct check *check = user;

	if (info->type != H5O_TYPE_DATASET)
		return 0;
	hid_t dataset = H5Dopen2(file, name, H5P_DEFAULT);
	check->status = dataset >= 0 ? check_sum(check, dataset) : SONDE_INVALID;
	if (dataset >= 0)
		H5Dclose(dataset);
	if (check->status == SONDE_INVALID)
		check->status = status_fail_file(SONDE_INVALID, check->reader->path,
						 "is damaged: /%s does not match its checksum", name);
	return check->status == SONDE_OK ? 0 : 1;
}

sonde_status hdf5_reader_check(struct hdf5_reader *reader, uint64_t most, int64_t *left_out)
{
	HDF5_ALONE;
	struct check check = {.reader = reader, .most = most};

	*left_out = 0;
	if (!reader->has_checksums)
		return SONDE_OK;
	if (H5Ovisit(reader->file, H5_INDEX_NAME, H5_ITER_INC, check_object, &check) < 0)
		return status_fail_file(SONDE_INVALID, reader->path, "is damaged: its groups cannot be read");
	*left_out = check.left_out;
	return check.status;
}
