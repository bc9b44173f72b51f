/* The fields of a context, shared by context_settings.c and context_devices.c. */
#ifndef SONDE_RUN_CONTEXT_FIELDS_H
#define SONDE_RUN_CONTEXT_FIELDS_H

#include <pthread.h>
#include <stdatomic.h>

#include "run/context.h"
#include "run/notes.h"
#include "run/share_record.h"

#define MOST_DEVICES CONTEXT_MOST_DEVICES

struct sonde_context {
	int64_t threads;
	uint64_t memory;
	sonde_progress_callback *progress;
	void *progress_user;
	int cancelled;          /* read and set as an atomic, also by kernels of the CPU */
	bool lost_work;         /* a stop has ended a run whose work is lost */
	struct parallel *ranks; /* of which this process is one; null: the only one */
	char *command;          /* null: not given */
	char *job_file;         /* null: none */
	char *data;             /* null: not given */
	char *device_list;      /* null: chosen automatically */
	char *kernel_cache;
	uint64_t device_memory;
	double launch_limit;
	struct device *devices[MOST_DEVICES]; /* opened when they are needed; those that failed are null */
	int device_count;
	struct device *host; /* context_host_device(); null until needed */
	bool muted;          /* short stages report nothing: context_mute() */
	bool on_cpu_for_now; /* because the run is short */
	struct notes notes;
	pthread_t opener; /* opens the devices during other work, if `opening` */
	bool opening;
	atomic_bool has_opened;
	double waited; /* seconds for devices to open, and of work for their start meanwhile */
	struct share_record shared;
	sonde_status opened; /* its outcome */
	char opened_message[512];
};

/* Closes devices, and the host's, that have been opened with other settings or are no longer needed. */
void context_close_devices(sonde_context *context);

#endif
