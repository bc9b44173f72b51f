#include "device/kept_buffers.h"

#define LARGER 1.5       /* than needed, at most */
#define SMALL_BYTES 4096 /* any buffer up to this size is about as large as another */

void kept_buffers_begin(struct kept_buffers *kept)
{
	pthread_mutex_init(&kept->mutex, NULL);
}

/* The smallest one that suits. */
static int find(const struct kept_buffers *kept, size_t bytes)
{
	const double most = LARGER * (double)bytes + SMALL_BYTES;
	int found = -1;

	for (int k = 0; k < kept->count; ++k)
		if (kept->buffers[k].bytes >= bytes && (double)kept->buffers[k].bytes <= most &&
		    (found < 0 || kept->buffers[k].bytes < kept->buffers[found].bytes))
			found = k;
	return found;
}

static bool take(struct kept_buffers *kept, size_t bytes, struct device_buffer *buffer)
{
	pthread_mutex_lock(&kept->mutex);
	const int found = find(kept, bytes);
	if (found >= 0) {
		*buffer = kept->buffers[found];
		kept->buffers[found] = kept->buffers[--kept->count];
		kept->bytes -= buffer->bytes;
	}
	pthread_mutex_unlock(&kept->mutex);
	return found >= 0;
}

sonde_status kept_buffers_take(struct device *device, size_t bytes, struct device_buffer *buffer, bool *found)
{
	struct kept_buffers *kept = &device->kept;
	sonde_status status = SONDE_OK;

	*found = kept->most > 0 && take(kept, bytes, buffer);
	if (!*found)
		return SONDE_OK;
	/* its last kernel may have been launched in another queue than the clearing is */
	if (__atomic_exchange_n(&kept->in_use, false, __ATOMIC_RELAXED))
		status = device->backend->wait(device);
	if (status == SONDE_OK)
		status = device->backend->clear(device, buffer->memory, 0, buffer->bytes);
	if (status != SONDE_OK) {
		device->backend->release(device, buffer->memory);
		*buffer = (struct device_buffer){0};
	}
	return status;
}

bool kept_buffers_put(struct device *device, const struct device_buffer *buffer)
{
	struct kept_buffers *kept = &device->kept;

	if (kept->most == 0)
		return false;
	pthread_mutex_lock(&kept->mutex);
	const bool fits = kept->count < MOST_KEPT_BUFFERS && kept->bytes + buffer->bytes <= kept->most;
	if (fits) {
		kept->buffers[kept->count++] = *buffer;
		kept->bytes += buffer->bytes;
	}
	pthread_mutex_unlock(&kept->mutex);
	return fits;
}

uint64_t kept_buffers_bytes(struct device *device)
{
	struct kept_buffers *kept = &device->kept;

	pthread_mutex_lock(&kept->mutex);
	const uint64_t bytes = kept->bytes;
	pthread_mutex_unlock(&kept->mutex);
	return bytes;
}

void kept_buffers_free(struct device *device)
{
	struct kept_buffers *kept = &device->kept;

	pthread_mutex_lock(&kept->mutex);
	for (int k = 0; k < kept->count; ++k)
		device->backend->release(device, kept->buffers[k].memory);
	kept->count = 0;
	kept->bytes = 0;
	pthread_mutex_unlock(&kept->mutex);
}
