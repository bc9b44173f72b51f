/* Warnings about valid but suspicious jobs, as notes with the result. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "fdtd/job/layers.h"
#include "fdtd/media/paint_conductors.h"
#include "fdtd/job/prepared.h"

#define FAR_TOO_MUCH 30.0 /* power relative to that of the wave; lenses have several */
#define COARSE 8.0        /* cells per wavelength, below which a mesh is considered coarse */
/* Of the sources' largest amplitude: round-off and the pulses' cut-off are near lower values. */
#define FAINT_SINGLE 1e-3
#define FAINT_DOUBLE 1e-5
#define SCANNED 256 /* frequencies, to find the largest amplitude of a waveform from a file */
#define MOST_SCANNED 200000
#define SCANNED_OF_LAYER 24 /* frequencies */
#define MUCH_LEFT 1e-2      /* of the peak field, at the end of a run */
#define MUCH_CUT 1e-3       /* of a beam's power, outside its sheet */
#define MUCH_REFLECTED 1e-2 /* of the amplitude, by a layer */

static void note_mesh(struct fdtd_run *run)
{
	if (!(run->plan.shortest_wavelength > 0.0) || run->plan.shortest_wavelength >= COARSE)
		return;
	context_notef(run->context,
		      "the mesh is coarse: %.3g cells per wavelength at the sources' highest frequency in the "
		      "densest material; use %g or more",
		      run->plan.shortest_wavelength, COARSE);
}

/* Boxes are whole cells, which matters where their length does. */
static void note_size(struct fdtd_run *run)
{
	const struct fdtd_frame *frame = &run->space.frame;
	int axis = 0;

	if (!(job_size_error(&run->space, &axis) > 0.0))
		return;
	const int cells = frame->inner[axis][1] - frame->inner[axis][0];
	const double length = cells * frame->cell[axis], wanted = 2.0 * frame->side[axis];
	context_notef(
	    run->context,
	    "along %c the box is %d cells long, %.6g m instead of %.6g m: between sides that reflect or repeat, "
	    "waves feel the difference; choose a `cell` of which `size` is a multiple",
	    "xyz"[frame_job_axis(frame, axis)], cells, length, wanted);
}

/* What a table has before the beginning of the run is not emitted. */
static void note_early_samples(struct fdtd_run *run)
{
	const double step = run->space.frame.time_step;

	for (int64_t n = 0; n < run->sources.count; ++n) {
		const struct waveform *waveform = &run->sources.waveforms[n];
		if (waveform->kind != WAVEFORM_SAMPLES || waveform_begin(waveform) >= -1e-9)
			continue;
		context_notef(
		    run->context,
		    "sources %lld: the table begins at %.5g s, and what it has before 0 is left out: add a delay of "
		    "%.5g s",
		    (long long)n + 1, waveform_begin(waveform) * step,
		    (waveform->delay - waveform_begin(waveform)) * step);
	}
}

/* The largest amplitude of a spectrum; infinite if an endless wave has one frequency, and if it is not computed. */
static double largest_amplitude(const struct waveform *waveform, double highest)
{
	double most = 0.0;

	if (!isfinite(waveform_end(waveform)))
		return INFINITY;
	if (waveform->kind != WAVEFORM_SAMPLES)
		return cabs(waveform_spectrum(waveform, waveform->omega));
	if (waveform->samples.count > MOST_SCANNED)
		return INFINITY;
	for (int n = 0; n <= SCANNED; ++n)
		most = fmax(most, cabs(waveform_spectrum(waveform, highest * n / SCANNED)));
	return most;
}

/* Whether no source has more than a small fraction of its maximum at a frequency. */
static bool is_faint(const struct job_sources *sources, const double *largest, double omega, double faint)
{
	for (int64_t n = 0; n < sources->count; ++n)
		if (cabs(waveform_spectrum(&sources->waveforms[n], omega)) > faint * largest[n])
			return false;
	return true;
}

/* Monitors at frequencies that the sources do not have. */
static sonde_status note_spectra(struct fdtd_run *run)
{
	const struct job_sources *sources = &run->sources;
	double faint = run->job->options.precision != SONDE_FDTD_PRECISION_FLOAT64 ? FAINT_SINGLE : FAINT_DOUBLE,
	       *largest;

	CHECK(memory_allocate(&largest, (size_t)sources->count, sizeof *largest, "the sources"));
	for (int64_t s = 0; s < sources->count; ++s)
		largest[s] = largest_amplitude(&sources->waveforms[s], sources->present);
	for (int64_t s = 0; s < sources->count; ++s)
		if (isinf(largest[s])) {
			free(largest);
			return SONDE_OK;
		}
	for (int64_t n = 0; n < run->monitors.count; ++n) {
		const struct job_monitor *monitor = &run->monitors.monitors[n];
		uint32_t count = 0, first = 0;
		if (monitor->options->kind == SONDE_FDTD_MONITOR_KIND_RESONANCES)
			continue;
		for (uint32_t f = 0; f < monitor->frequencies; ++f)
			if (is_faint(sources, largest, monitor->angular[f], faint) && count++ == 0)
				first = f;
		if (count == 0)
			continue;
		context_notef(run->context,
			      "monitors %lld: at %u of its %u frequencies, as %.5g THz (%.5g nm), the sources have "
			      "less than %g of their largest amplitude: its values there are dominated by round-off",
			      (long long)n + 1, count, monitor->frequencies, 1e-12 * monitor->hertz[first],
			      1e9 * SPEED_OF_LIGHT / monitor->hertz[first], faint);
	}
	free(largest);
	return SONDE_OK;
}

/* Whether a monitor has spectra: complete ones only if the sources have ended. */
static bool has_spectra(const struct fdtd_run *run)
{
	for (int64_t n = 0; n < run->monitors.count; ++n)
		if (run->monitors.monitors[n].frequencies > 0 &&
		    run->monitors.monitors[n].options->kind != SONDE_FDTD_MONITOR_KIND_RESONANCES)
			return true;
	return false;
}

/* Whether a source of finite duration would emit more than a small fraction of its amplitude after a step. */
static bool is_cut(const struct waveform *waveform, double last)
{
	double largest = waveform->kind == WAVEFORM_SAMPLES ? 0.0 : fabs(waveform->amplitude);

	if (!isfinite(waveform_end(waveform)))
		return false;
	for (size_t n = 0; n < waveform->samples.count; ++n)
		largest = fmax(largest, fabs(waveform->amplitude * waveform->samples.values[n]));
	return waveform_largest_after(waveform, last) > FAINT_SINGLE * largest;
}

/* The first source that the end of the run cuts off. */
static void note_ends(struct fdtd_run *run)
{
	const double last = (double)run->plan.steps, step = 1e15 * run->space.frame.time_step;

	for (int64_t n = 0; n < run->sources.count && last > 0.0 && has_spectra(run); ++n) {
		const struct waveform *waveform = &run->sources.waveforms[n];
		if (!is_cut(waveform, last))
			continue;
		context_notef(run->context,
			      "the run ends after %.5g fs, before sources %lld ends at %.5g fs: spectra are those of "
			      "the part until then",
			      step * last, (long long)n + 1, step * waveform_end(waveform));
		return;
	}
}

/* Beams that are wider than their sheet, and pulses of which a part does not leave it. */
static void note_sheets(struct fdtd_run *run)
{
	const struct job_sources *sources = &run->sources;

	if (sources->cut > MUCH_CUT)
		context_notef(run->context,
			      "sources %lld: %.2g %% of the beam's power is outside its sheet, and missing; the cut "
			      "at the rim scatters: choose a larger size, or a focus nearer to it",
			      (long long)sources->cut_number + 1, 100.0 * sources->cut);
	if (sources->cutoff > 0.0)
		context_notef(
		    run->context,
		    "sources %lld: its pulse has waves below %.5g THz, which with these phases at the sides do not "
		    "leave the sheet: choose a smaller bandwidth",
		    (long long)sources->cutoff_number + 1,
		    1e-12 * sources->cutoff / (2.0 * M_PI * run->space.frame.time_step));
}

static void note_courant(struct fdtd_run *run)
{
	const struct fast_material *fast = &run->space.fast;

	if (fast->name == NULL)
		return;
	context_notef(
	    run->context,
	    "courant is %.4f instead of 0.5: fields in %.64s would grow with a longer time step and these cells",
	    fast->courant, fast->name);
}

static void note_thin(struct fdtd_run *run)
{
	const struct thin_body *thin = &run->space.thin;

	if (thin->number == 0)
		return;
	context_notef(run->context,
		      "bodies %lld is %.3g cells thin along %c: it may fall between grid edges and be missed",
		      (long long)thin->number, thin->cells, "xyz"[thin->axis]);
}

static void note_conductors(struct fdtd_run *run)
{
	const struct media *media = &run->space.media;
	bool any = false;

	for (size_t n = 0; n < media->count; ++n)
		any |= media->media[n].conductor != 0;
	if (any && run->job->options.average == SONDE_FDTD_AVERAGE_TENSOR && !conductors_may_be_cut(&run->space.grid))
		context_note(run->context, "conductors are staircased at this time step: a courant of at most 0.5, "
					   "or 0.7 in two dimensions, allows cut cells");
}

/* Reflection of a layer at normal incidence, the maximum between the lowest and the highest frequency. */
static double most_reflected(const struct absorbing_layer *layer, double courant, const struct job_waves *waves,
			     double *angular)
{
	double most = 0.0;

	for (int n = 0; n <= SCANNED_OF_LAYER; ++n) {
		const double omega =
		    waves->lowest * pow(waves->highest / waves->lowest, (double)n / SCANNED_OF_LAYER);
		const double reflected = absorbing_layer_reflection(layer, courant, omega);
		if (reflected > most) {
			most = reflected;
			*angular = omega;
		}
	}
	return most;
}

/* The layer that reflects most, if that is much: one of few cells, too strong or too weak. */
static void note_layers(struct fdtd_run *run)
{
	const struct fdtd_grid *grid = &run->space.grid;
	struct job_waves waves;
	double worst = MUCH_REFLECTED, angular = 0.0;
	int at = -1;

	job_waves_find(&run->space, &waves);
	/* in a mesh that is too coarse the layer is not the cause */
	if (run->plan.shortest_wavelength < COARSE)
		return;
	for (int k = 0; k < 6 && waves.lowest > 0.0 && waves.highest > waves.lowest; ++k) {
		double here = 0.0, reflected = 0.0;
		if (grid->layers[k / 2][k % 2].cells > 0)
			reflected = most_reflected(&grid->layers[k / 2][k % 2], grid->courant[k / 2], &waves, &here);
		if (reflected <= worst)
			continue;
		worst = reflected;
		angular = here;
		at = k;
	}
	if (at < 0)
		return;
	const double frequency = angular / (2.0 * M_PI * run->space.frame.time_step);
	context_notef(run->context,
		      "the absorbing layer at %c-%s, as specified, reflects %.2g of the amplitude at %.5g THz (%.5g "
		      "nm) at normal incidence: omit its cells, sigma, kappa or alpha",
		      "xyz"[frame_job_axis(&run->space.frame, at / 2)], at % 2 == 0 ? "low" : "high", worst,
		      1e-12 * frequency, 1e9 * SPEED_OF_LIGHT / frequency);
}

void fdtd_note_rest(struct fdtd_run *run, double left)
{
	/* sources cut off by the end are reported by note_ends(), and with until the criterion is the user's */
	if (run->is_companion || !(left > MUCH_LEFT) || !has_spectra(run) ||
	    run->sources.end > (double)run->plan.steps || run->job->options.until > 0.0)
		return;
	context_notef(run->context,
		      "the run ends with %.3g of the peak field remaining: spectra are incomplete; choose a longer "
		      "time, or until: 1e-3",
		      left);
}

/* Null if a monitor has none. */
static const sonde_fdtd_array *find_array(const sonde_fdtd_monitor *monitor, const char *name)
{
	for (int k = 0; k < monitor->array_count; ++k)
		if (strcmp(monitor->arrays[k].name, name) == 0)
			return &monitor->arrays[k];
	return NULL;
}

/* The ratio to the power of the wave alone that is furthest from a possible one; a quotient of zeros first. */
static int64_t find_worst(const sonde_fdtd_array *ratio)
{
	int64_t worst = 0;

	for (int64_t f = 0; f < ratio->sizes[0]; ++f) {
		if (!isfinite(ratio->values[f]))
			return f;
		if (fabs(ratio->values[f]) > fabs(ratio->values[worst]))
			worst = f;
	}
	return worst;
}

void fdtd_note_quotients(struct fdtd_run *run, const sonde_fdtd_result *result)
{
	static const char *const names[] = {"reflection", "transmission"};

	for (int n = 0; n < result->monitor_count && !run->is_companion; ++n)
		for (int k = 0; k < 2; ++k) {
			const sonde_fdtd_array *ratio = find_array(&result->monitors[n], names[k]),
					       *frequency = find_array(&result->monitors[n], "frequency");
			if (ratio == NULL || frequency == NULL)
				continue;
			const int64_t worst = find_worst(ratio);
			const double value = ratio->values[worst];
			char number[32] = "undefined";
			if (fabs(value) <= FAR_TOO_MUCH)
				continue;
			if (isfinite(value))
				snprintf(number, sizeof number, "%.3g", value);
			context_notef(run->context,
				      "monitors %d: %s is %s at %.5g THz: the wave alone has %s power there; a sheet "
				      "that emits to one side has none behind it",
				      n + 1, names[k], number, 1e-12 * frequency->values[worst],
				      isfinite(value) ? "almost no" : "no");
		}
}

sonde_status fdtd_note_job(struct fdtd_run *run)
{
	if (run->noted || run->is_companion)
		return SONDE_OK;
	run->noted = true;
	note_courant(run);
	note_mesh(run);
	note_size(run);
	note_early_samples(run);
	note_layers(run);
	note_thin(run);
	note_sheets(run);
	note_conductors(run);
	note_ends(run);
	return note_spectra(run);
}
