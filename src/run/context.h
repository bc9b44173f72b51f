/* The context inside the library: what engines ask it. */
#ifndef SONDE_RUN_CONTEXT_H
#define SONDE_RUN_CONTEXT_H

#include <stdbool.h>

#include "device/device.h"
#include "sonde/context.h"

/* True once the caller asked to stop. `context` may be null: never. */
bool context_cancelled(const sonde_context *context);
/* What sonde_context_cancel() sets: not 0, to be read as an atomic. */
const int *context_cancel_flag(const sonde_context *context);
/* Ends work that was under way when it was stopped, and of which nothing is kept, since no file was asked for: says so behind the last message
 * and returns SONDE_CANCELLED. */
sonde_status context_lose_work(sonde_context *context);
bool context_lost_work(const sonde_context *context);

/* Tells the caller how far a stage is; cheap, may be called often. */
struct stage {
	sonde_context *context;
	const char *name, *unit;
	double total, began, told;
	double ceiling; /* of the rate, by the memory's bandwidth, to be told beside it; 0: none */
};
void stage_begin(struct stage *stage, sonde_context *context, const char *name, const char *unit, double total);
/* SONDE_CANCELLED once the caller asked to stop, else SONDE_OK. */
sonde_status stage_advance(struct stage *stage, double done);

#define CONTEXT_MOST_DEVICES 16
/* The devices to run on, opened on first use; owned by the context. Those that failed are null; at least one is not. */
sonde_status context_devices(sonde_context *context, struct device ***devices, int *count);
/* Tells how long the CPU would take for the run that is planned: where the choice is automatic, short ones stay there.
 * To be called before the devices are asked for. */
sonde_status context_expect(sonde_context *context, double cpu_seconds);
/* The first of them that is left, and its index among them. */
sonde_status context_first_device(sonde_context *context, int *index, struct device **device);
sonde_status context_device(sonde_context *context, struct device **device);
/* Those that are left, and how many of these take the kernels of GPUs. */
struct device_count {
	int all, gpus;
};
sonde_status context_count_devices(sonde_context *context, struct device_count *count);
/* Closes device `index`, which has failed with `status` and the thread's message. SONDE_OK while another one is left:
 * the message is then a note; else the failure. Devices that were chosen automatically are followed by the CPU. */
sonde_status context_drop_device(sonde_context *context, int index, sonde_status status);
/* Whether the devices are being opened on another thread just now: a GPU, as a CPU takes no time for it. */
bool context_is_starting(const sonde_context *context);
/* Something the user should know although the run continues. Repeated notes are kept once. */
void context_note(sonde_context *context, const char *note);
void context_notef(sonde_context *context, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* What the caller says he was asked for; "" if he does not say. */
const char *context_command(const sonde_context *context);
/* The folder of tables of data that the caller has set; "" if he has not. */
const char *context_data(const sonde_context *context);
/* How the context opens devices. */
struct device_settings context_settings(const sonde_context *context);
/* CPU threads for work of the host beside the device. */
int context_threads(const sonde_context *context);
/* Bytes that a run may allocate now: the caller's limit or what the machine has free. */
uint64_t context_memory(const sonde_context *context);
/* The same before the devices are known. */
uint64_t context_host_memory(const sonde_context *context);

#endif
