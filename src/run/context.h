/* The context inside the library: its interface for engines. */
#ifndef SONDE_RUN_CONTEXT_H
#define SONDE_RUN_CONTEXT_H

#include <stdbool.h>

#include "device/device.h"
#include "sonde/context.h"
#include "sonde/measure.h"

struct parallel;

/* True once the caller asked to stop. `context` may be null: never. */
bool context_cancelled(const sonde_context *context);
/* The flag set by sonde_context_cancel(): not 0, to be read as an atomic. */
const int *context_cancel_flag(const sonde_context *context);
/* Ends a run that was stopped and whose work is lost because no file was requested: adds this to the last message and
 * returns SONDE_CANCELLED. */
sonde_status context_lose_work(sonde_context *context);
bool context_lost_work(const sonde_context *context);

/* The ranks of a job of MPI, of which this process is one: null if it is the only one. They remain the caller's. To be set
 * before devices are opened. */
void context_set_ranks(sonde_context *context, struct parallel *ranks);
struct parallel *context_ranks(const sonde_context *context);
/* Whether this process writes the files of the run: the first rank does. */
bool context_writes(const sonde_context *context);

/* Reports the progress of a stage to the caller; cheap, may be called often. */
struct stage {
	sonde_context *context;
	const char *name, *unit;
	double total, began, told;
	double ceiling; /* limit on the rate by the memory bandwidth, reported with it; 0: none */
};
void stage_begin(struct stage *stage, sonde_context *context, const char *name, const char *unit, double total);
/* Within a stage of a run that consists of many runs, the stages of these report nothing in their first seconds, which most do
 * not exceed. */
void context_mute(sonde_context *context, bool muted);
/* From now on the stages of the calling thread report nothing, since other threads report theirs, or again what they do. Returns what it was. */
bool context_mute_thread(bool muted);
/* SONDE_CANCELLED once the caller asked to stop, else SONDE_OK. */
sonde_status stage_advance(struct stage *stage, double done);

#define CONTEXT_MOST_DEVICES 16
/* The devices to run on, opened on first use; owned by the context. Those that failed are null; at least one is not. */
sonde_status context_devices(sonde_context *context, struct device ***devices, int *count);
/* Gives the time that the CPU would take for the planned run: with automatic choice, short runs stay there. To be
 * called before the devices are requested. */
sonde_status context_expect(sonde_context *context, double cpu_seconds);
/* Whether that can still change the choice. */
bool context_expects(const sonde_context *context);
/* The first remaining device, and its index. */
sonde_status context_first_device(sonde_context *context, int *index, struct device **device);
sonde_status context_device(sonde_context *context, struct device **device);
/* The CPU next to the devices, for short work that would wait longer for a GPU; opened, with the self-tests of its kernels, once. */
sonde_status context_host_device(sonde_context *context, struct device **device);
/* Numbers of the remaining devices, and of those that run GPU kernels: of all ranks, which come to this together. */
struct device_count {
	int all, gpus;
};
sonde_status context_count_devices(sonde_context *context, struct device_count *count);
/* Closes device `index`, which has failed with `status` and the thread's message. SONDE_OK while another one is left:
 * the message is then a note; else the failure. Automatically chosen devices are replaced by the CPU. */
sonde_status context_drop_device(sonde_context *context, int index, sonde_status status);
/* The start of the devices so far, in seconds: how long runs waited for them to open, and the time of their kernels, compiled or loaded and
 * tested, which is that of the device that took longest, as devices do that at the same time. Of all ranks, which come to this
 * together, the longest. */
struct start_seconds {
	double devices, kernels;
	bool gpus; /* this rank has some */
};
sonde_status context_start_seconds(sonde_context *context, struct start_seconds *seconds);
/* Adds seconds of other work for the start, done while devices open: what their self-tests expect. */
void context_count_start(sonde_context *context, double seconds);
/* Whether the devices are being opened on another thread: a GPU, as a CPU opens at once. */
bool context_is_starting(const sonde_context *context);
/* Adds a note for the user on a run that continues. Repeated notes are kept once. */
void context_note(sonde_context *context, const char *note);
/* The notes with marks of options, for a front end that spells them. */
const char *context_notes(const sonde_context *context);
/* A copy of sonde_context_notes(), to be freed, while other threads may add notes; null: none, or no memory. */
char *context_copy_notes(sonde_context *context);
void context_notef(sonde_context *context, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The caller's command line or request; "" if not given. */
const char *context_command(const sonde_context *context);
/* The text of the job file that is run; null: none. The context takes over the text. */
const char *context_job_file(const sonde_context *context);
void context_set_job_file(sonde_context *context, char *text);
/* The folder of data tables that the caller has set; "" if none was set. */
const char *context_data(const sonde_context *context);
/* A context with the same tables and command, and a part, 1/parts, of the limits of memory, for another thread, which opens the device of that
 * name itself; without progress and ranks. To be freed by sonde_context_free(). */
sonde_status context_create_beside(const sonde_context *context, const char *device, int threads, uint64_t parts,
				   sonde_context **beside);
/* The settings with which the context opens devices. */
struct device_settings context_settings(const sonde_context *context);
/* CPU threads for work of the host in parallel with the device. */
int context_threads(const sonde_context *context);
/* Bytes that a run may allocate now: the caller's limit or the free memory of the machine. */
uint64_t context_memory(const sonde_context *context);
/* The same before the devices are known. */
uint64_t context_host_memory(const sonde_context *context);
/* Whether a run may allocate that number of bytes now. Small numbers are only compared with the caller's limits: to ask the system takes about as
 * long as to build a small sample. */
bool context_may_allocate(const sonde_context *context, double bytes);

#endif
