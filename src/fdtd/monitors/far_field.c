#include "fdtd/monitors/far_field.h"

#include <math.h>
#include <stdlib.h>

#include "base/constants.h"
#include "base/memory.h"
#include "base/threads.h"
#include "fdtd/sources/grid_wave.h"

/* Numbers of a plane: for both axes along it, E on the edges of that axis and the mean H next to it, times areas:
 * real and imaginary parts. */
#define FAR_PARTS 8
enum { OF_E, OF_H };
#define PART(along, field) (4 * (along) + 2 * (field))

#define DIRECTIONS 8 /* directions summed together */

/* In c dt; 0 along uniform axes. */
static double cell_of(const struct far_field *far, int axis)
{
	return far->courant[axis] > 0.0 ? 1.0 / far->courant[axis] : 0.0;
}

static double *part_of(const struct far_plane *plane, uint32_t frequency, int part)
{
	return plane->currents + frequency * plane->numbers + (size_t)part * (plane->numbers / FAR_PARTS);
}

/* Whether planes are all sides of a box except those in mirrors. */
static sonde_status check_box(const struct fdtd_grid *grid, const struct spectrum *spectrum)
{
	struct flux_plane planes[6];
	const int count = spectrum->plane_count > 0
			      ? flux_planes_of_box(grid, spectrum->planes[0].low, spectrum->planes[0].high, planes)
			      : 0;
	bool same = count > 0 && count == spectrum->plane_count;

	for (int n = 0; n < count && same; ++n) {
		const struct flux_plane *plane = &spectrum->planes[n];
		same =
		    plane->axis == planes[n].axis && plane->node == planes[n].node && plane->sign == planes[n].sign;
		for (int a = 0; a < 3; ++a)
			same = same && plane->low[a] == planes[n].low[a] && plane->high[a] == planes[n].high[a];
	}
	if (!same)
		return status_fail(SONDE_INVALID,
				   "a far field needs the monitor of a closed box, which its %d planes are not",
				   spectrum->plane_count);
	return SONDE_OK;
}

/* At a conductor the image of an electric current along it is reversed, that of one across it is not; at a magnetic
 * wall it is the opposite. Between two walls there is no far field. */
static void find_mirrors(const struct fdtd_grid *grid, struct far_field *far)
{
	for (int a = 0; a < 3; ++a) {
		const bool low = grid_mirrors(grid, a, 0), high = grid_mirrors(grid, a, 1);
		const bool conductor = grid->walls[a][low ? 0 : 1] == WALL_CONDUCTOR;
		far->mirrors[a] = (struct far_mirror){.there = low != high,
						      .node = low ? 0 : grid->cells[a],
						      .normal = conductor ? 1.0 : -1.0,
						      .along = conductor ? -1.0 : 1.0};
	}
}

/* Fields at the points of a plane, times weights. */
static void fill_plane(const struct far_field *far, const struct spectrum *spectrum, int number,
		       const double complex *e, const double complex *h, const struct far_plane *plane)
{
	for (uint32_t n = 0; n < spectrum->count; ++n) {
		const struct flux_point *point = &spectrum->points[n];
		if (point->plane != number)
			continue;
		int row = point->node[plane->along[0]] - plane->low[0],
		    place = point->node[plane->along[1]] - plane->low[1],
		    along = point->component == plane->along[0] ? 0 : 1;
		size_t at = (size_t)row * (size_t)plane->count[1] + (size_t)place;
		for (uint32_t f = 0; f < far->frequencies; ++f) {
			const double complex value[2] = {e[(size_t)f * spectrum->count + n],
							 h[(size_t)f * spectrum->count + n]};
			for (int field = OF_E; field <= OF_H; ++field) {
				part_of(plane, f, PART(along, field))[at] = point->weight * creal(value[field]);
				part_of(plane, f, PART(along, field) + 1)[at] = point->weight * cimag(value[field]);
			}
		}
	}
}

static sonde_status make_planes(const struct spectrum *spectrum, const double complex *e, const double complex *h,
				struct far_field *far)
{
	for (int n = 0; n < spectrum->plane_count; ++n) {
		const struct flux_plane *from = &spectrum->planes[n];
		struct far_plane *plane = &far->planes[far->plane_count++];
		plane->axis = from->axis;
		plane->node = from->node;
		for (int b = 0, found = 0; b < 3; ++b)
			if (b != from->axis) {
				plane->along[found] = b;
				plane->low[found] = from->low[b];
				plane->count[found++] = from->high[b] - from->low[b] + 1;
			}
		plane->numbers = FAR_PARTS * (size_t)plane->count[0] * (size_t)plane->count[1];
		CHECK(memory_allocate(&plane->currents, far->frequencies * plane->numbers, sizeof *plane->currents,
				      "a far field"));
		fill_plane(far, spectrum, n, e, h, plane);
	}
	return SONDE_OK;
}

sonde_status far_field_make(struct fields *fields, const struct spectrum *spectrum, const double origin[3],
			    double permittivity, double permeability, struct far_field *far)
{
	size_t count = (size_t)spectrum->sums.frequencies * spectrum->count;
	double complex *e = NULL, *h = NULL;
	sonde_status status;

	*far = (struct far_field){.permittivity = permittivity,
				  .permeability = permeability,
				  .frequencies = spectrum->sums.frequencies,
				  .threads = device_properties(fields->device)->host_threads};
	CHECK(check_box(&fields->grid, spectrum));
	if (!(permittivity > 0.0 && permeability > 0.0))
		return status_fail(SONDE_INVALID,
				   "a far field in a medium of permittivity %g, permeability %g: both "
				   "must be positive",
				   permittivity, permeability);
	const int *low = spectrum->planes[0].low, *high = spectrum->planes[0].high;
	find_mirrors(&fields->grid, far);
	for (int a = 0; a < 3; ++a) {
		far->courant[a] = fields->grid.courant[a];
		far->origin[a] = origin[a];
		far->dimensions += far->courant[a] > 0.0;
		double side =
		    cell_of(far, a) * (far->mirrors[a].there ? 2.0 * fmax(abs(high[a] - far->mirrors[a].node),
									  abs(low[a] - far->mirrors[a].node))
							     : high[a] - low[a]);
		far->longest = sqrt(far->longest * far->longest + side * side);
	}
	CHECK_GOTO(status,
		   memory_allocate(&far->angular_frequencies, far->frequencies, sizeof(double), "a far field"), done);
	for (uint32_t f = 0; f < far->frequencies; ++f)
		far->angular_frequencies[f] = spectrum->sums.angular_frequencies[f];
	CHECK_GOTO(status, memory_allocate(&e, count, sizeof *e, "the sums of a monitor"), done);
	CHECK_GOTO(status, memory_allocate(&h, count, sizeof *h, "the sums of a monitor"), done);
	CHECK_GOTO(status, spectrum_sums(fields, spectrum, e, h), done);
	status = make_planes(spectrum, e, h, far);
done:
	free(e);
	free(h);
	return status;
}

void far_field_free(struct far_field *far)
{
	for (int n = 0; n < far->plane_count; ++n)
		free(far->planes[n].currents);
	free(far->angular_frequencies);
	*far = (struct far_field){0};
}

/* Sums over the planes --------------------------------------------------------------------- */

/* k of some directions. */
struct lanes {
	double k[3][DIRECTIONS];
};

static void fill_phases(const struct far_field *far, const struct lanes *lanes, int axis, int low, int count,
			double (*phases)[2][DIRECTIONS])
{
	for (int n = 0; n < count; ++n)
		for (int l = 0; l < DIRECTIONS; ++l) {
			double phase = -lanes->k[axis][l] * (low + n - far->origin[axis]) * cell_of(far, axis);
			phases[n][0][l] = cos(phase);
			phases[n][1][l] = sin(phase);
		}
}

/* One part of a plane: rows by the phases of their numbers, then by their own. Lanes are independent: no sum depends
 * on their number. */
static void sum_part(const struct far_plane *plane, const double *real, const double *imaginary,
		     double (*rows)[2][DIRECTIONS], double (*numbers)[2][DIRECTIONS], double complex sums[DIRECTIONS])
{
	double all[2][DIRECTIONS] = {{0.0}};

	for (int row = 0; row < plane->count[0]; ++row) {
		double c[DIRECTIONS] = {0.0}, s[DIRECTIONS] = {0.0};
		for (int n = 0; n < plane->count[1]; ++n) {
			const double re = *real++, im = *imaginary++;
			const double *const wave_re = numbers[n][0], *const wave_im = numbers[n][1];
#pragma omp simd
			for (int l = 0; l < DIRECTIONS; ++l) {
				c[l] += re * wave_re[l] - im * wave_im[l];
				s[l] += re * wave_im[l] + im * wave_re[l];
			}
		}
		for (int l = 0; l < DIRECTIONS; ++l) {
			all[0][l] += c[l] * rows[row][0][l] - s[l] * rows[row][1][l];
			all[1][l] += c[l] * rows[row][1][l] + s[l] * rows[row][0][l];
		}
	}
	for (int l = 0; l < DIRECTIONS; ++l)
		sums[l] = all[0][l] + I * all[1][l];
}

struct lane_sums {
	double complex electric[3][DIRECTIONS], magnetic[3][DIRECTIONS];
};

/* Points are (E_b H_c - E_c H_b) of outward power: so J_b is -H_c there, M_c is -E_b, with E_b's position in the
 * plane and M's half a cell in front of and behind it. */
static void sum_plane(const struct far_field *far, const struct far_plane *plane, uint32_t frequency,
		      const struct lanes *lanes, double (*phases)[2][DIRECTIONS], struct lane_sums *sums)
{
	double(*const numbers)[2][DIRECTIONS] = phases + plane->count[0];
	double(*const normal)[2][DIRECTIONS] = numbers + plane->count[1];
	double complex part[DIRECTIONS];

	fill_phases(far, lanes, plane->along[0], plane->low[0], plane->count[0], phases);
	fill_phases(far, lanes, plane->along[1], plane->low[1], plane->count[1], numbers);
	fill_phases(far, lanes, plane->axis, plane->node, 1, normal);
	for (int along = 0; along < 2; ++along) {
		int b = plane->along[along], c = plane->along[1 - along];
		for (int field = OF_E; field <= OF_H; ++field) {
			const double *values = part_of(plane, frequency, PART(along, field));
			sum_part(plane, values, values + plane->numbers / FAR_PARTS, phases, numbers, part);
			for (int l = 0; l < DIRECTIONS; ++l) {
				double complex place = (normal[0][0][l] + I * normal[0][1][l]) *
						       cexp(-0.5 * I * lanes->k[b][l] * cell_of(far, b));
				if (field == OF_H)
					sums->electric[b][l] -= part[l] * place;
				else
					sums->magnetic[c][l] -=
					    part[l] * place *
					    cos(0.5 * lanes->k[plane->axis][l] * cell_of(far, plane->axis));
			}
		}
	}
}

static void sum_lanes(const struct far_field *far, uint32_t frequency, const double (*k)[3], size_t count,
		      double (*phases)[2][DIRECTIONS], double complex (*electric)[3], double complex (*magnetic)[3])
{
	struct lane_sums sums = {{{0.0}}, {{0.0}}};
	struct lanes lanes;

	for (int a = 0; a < 3; ++a)
		for (size_t l = 0; l < DIRECTIONS; ++l)
			lanes.k[a][l] = k[l < count ? l : 0][a];
	for (int n = 0; n < far->plane_count; ++n)
		sum_plane(far, &far->planes[n], frequency, &lanes, phases, &sums);
	for (size_t l = 0; l < count; ++l)
		for (int a = 0; a < 3; ++a) {
			electric[l][a] = sums.electric[a][l];
			magnetic[l][a] = sums.magnetic[a][l];
		}
}

struct directions {
	const struct far_field *far;
	uint32_t frequency;
	const double (*k)[3];
	int64_t count;
	double (*phases)[2][DIRECTIONS]; /* `longest` of a worker */
	size_t longest;
	double complex (*electric)[3], (*magnetic)[3];
};

/* In groups of DIRECTIONS. */
static void sum_groups(void *state, int64_t first, int64_t end, int worker)
{
	const struct directions *to = state;

	for (int64_t begin = first * DIRECTIONS; begin < end * DIRECTIONS && begin < to->count; begin += DIRECTIONS)
		sum_lanes(to->far, to->frequency, to->k + begin,
			  (size_t)(to->count - begin < DIRECTIONS ? to->count - begin : DIRECTIONS),
			  to->phases + (size_t)worker * to->longest, to->electric + begin, to->magnetic + begin);
}

/* Sums over the box itself. */
static sonde_status sums_of_box(const struct far_field *far, uint32_t frequency, const double (*k)[3], size_t count,
				double complex (*electric)[3], double complex (*magnetic)[3])
{
	struct directions to = {.far = far,
				.frequency = frequency,
				.k = k,
				.count = (int64_t)count,
				.electric = electric,
				.magnetic = magnetic};
	size_t threads = (size_t)(far->threads > 1 ? far->threads : 1);

	for (int n = 0; n < far->plane_count; ++n) {
		size_t needed = (size_t)far->planes[n].count[0] + (size_t)far->planes[n].count[1] + 1;
		to.longest = needed > to.longest ? needed : to.longest;
	}
	CHECK(memory_allocate(&to.phases, threads * to.longest, sizeof *to.phases, "a far field"));
	threads_for((int)threads, (to.count + DIRECTIONS - 1) / DIRECTIONS, 1, sum_groups, &to);
	free(to.phases);
	return SONDE_OK;
}

/* The image's sums for k are the box's for k with that component reversed, times the phase of twice the wall's
 * position. */
static void add_image(const struct far_field *far, int axis, const double (*k)[3], size_t count,
		      const double complex (*sums)[3], double normal, double along, double complex (*to)[3])
{
	const double away = 2.0 * (far->mirrors[axis].node - far->origin[axis]) * cell_of(far, axis);

	for (size_t n = 0; n < count; ++n)
		for (int a = 0; a < 3; ++a)
			to[n][a] += (a == axis ? normal : along) * cexp(-I * k[n][axis] * away) * sums[n][a];
}

/* Sums over the box with its images in the walls of the first `axes` axes. */
static sonde_status sums_with_images(const struct far_field *far, uint32_t frequency, int axes, const double (*k)[3],
				     size_t count, double complex (*electric)[3], double complex (*magnetic)[3])
{
	const int axis = axes - 1;
	double complex(*sums)[3] = NULL;
	double(*turned)[3] = NULL;
	sonde_status status;

	if (axes == 0)
		return sums_of_box(far, frequency, k, count, electric, magnetic);
	CHECK(sums_with_images(far, frequency, axis, k, count, electric, magnetic));
	if (!far->mirrors[axis].there)
		return SONDE_OK;
	CHECK_GOTO(status, memory_allocate(&sums, 2 * count, sizeof *sums, "a far field"), done);
	CHECK_GOTO(status, memory_allocate(&turned, count, sizeof *turned, "a far field"), done);
	for (size_t n = 0; n < count; ++n)
		for (int a = 0; a < 3; ++a)
			turned[n][a] = a == axis ? -k[n][a] : k[n][a];
	CHECK_GOTO(status,
		   sums_with_images(far, frequency, axis, (const double(*)[3])turned, count, sums, sums + count),
		   done);
	const struct far_mirror *mirror = &far->mirrors[axis];
	add_image(far, axis, k, count, (const double complex(*)[3])sums, mirror->normal, mirror->along, electric);
	add_image(far, axis, k, count, (const double complex(*)[3])(sums + count), -mirror->normal, -mirror->along,
		  magnetic);
done:
	free(sums);
	free(turned);
	return status;
}

sonde_status far_field_sums(const struct far_field *far, uint32_t frequency, const double (*k)[3], size_t count,
			    double complex (*electric)[3], double complex (*magnetic)[3])
{
	return sums_with_images(far, frequency, 3, k, count, electric, magnetic);
}

/* Amplitudes ------------------------------------------------------------------------------- */

void far_direction_vector(const struct far_direction *direction, double vector[3])
{
	vector[0] = sin(direction->polar) * cos(direction->azimuth);
	vector[1] = sin(direction->polar) * sin(direction->azimuth);
	vector[2] = cos(direction->polar);
}

/* E -> factor (J e) exp(ikr)/r^((d - 1)/2), from Green's function exp(ikr)/(4 pi r), i/4 H_0(kr) or i/(2k)
 * exp(ikr). */
static double complex factor_of(const struct far_field *far, double omega)
{
	double k = omega * sqrt(far->permittivity * far->permeability);
	double complex green = far->dimensions == 3   ? 0.25 / PI
			       : far->dimensions == 2 ? 0.25 * sqrt(2.0 / (PI * k)) * cexp(0.25 * I * PI)
						      : 0.5 * I / k;

	return I * omega * far->permeability * green;
}

double far_field_share(const struct far_field *far, double omega, const double k[3])
{
	double share = pow(2.0 * sin(0.5 * omega) / omega, far->dimensions - 1) * cos(0.5 * omega);

	for (int a = 0; a < 3; ++a)
		share /= cos(0.5 * k[a] * cell_of(far, a));
	return share;
}

/* The amplitude in a direction: the sum of the currents with a wave that arrives from there, with E of 1 along the
 * polar angle, or the azimuth. */
static struct far_amplitude amplitude_of(const struct far_field *far, double omega,
					 const struct far_direction *direction, const double k[3],
					 const double complex electric[3], const double complex magnetic[3])
{
	double ct = cos(direction->polar), st = sin(direction->polar), cp = cos(direction->azimuth),
	       sp = sin(direction->azimuth), impedance = sqrt(far->permeability / far->permittivity);
	const double polar[3] = {ct * cp, ct * sp, -st}, azimuth[3] = {-sp, cp, 0.0};
	struct far_amplitude amplitude = {0.0, 0.0, far_field_share(far, omega, k)};

	for (int a = 0; a < 3; ++a) {
		amplitude.polar += electric[a] * polar[a] + magnetic[a] * azimuth[a] / impedance;
		amplitude.azimuth += electric[a] * azimuth[a] - magnetic[a] * polar[a] / impedance;
	}
	amplitude.polar *= factor_of(far, omega);
	amplitude.azimuth *= factor_of(far, omega);
	return amplitude;
}

static sonde_status amplitudes_of(const struct far_field *far, uint32_t frequency,
				  const struct far_direction *directions, size_t count, double (*k)[3],
				  double complex (*sums)[3], struct far_amplitude *amplitudes)
{
	double omega = far->angular_frequencies[frequency];

	for (size_t n = 0; n < count; ++n) {
		double vector[3];
		far_direction_vector(&directions[n], vector);
		CHECK(grid_wave_of(far->courant, vector, omega, far->permittivity * far->permeability, k[n]));
	}
	CHECK(far_field_sums(far, frequency, (const double(*)[3])k, count, sums, sums + count));
	for (size_t n = 0; n < count; ++n)
		amplitudes[n] = amplitude_of(far, omega, &directions[n], k[n], sums[n], sums[count + n]);
	return SONDE_OK;
}

sonde_status far_field_at(const struct far_field *far, const struct far_direction *directions, size_t count,
			  struct far_amplitude *amplitudes)
{
	double complex(*sums)[3] = NULL;
	double(*k)[3] = NULL;
	sonde_status status;

	CHECK_GOTO(status, memory_allocate(&k, count, sizeof *k, "a far field"), done);
	CHECK_GOTO(status, memory_allocate(&sums, 2 * count, sizeof *sums, "a far field"), done);
	for (uint32_t f = 0; f < far->frequencies && status == SONDE_OK; ++f)
		status = amplitudes_of(far, f, directions, count, k, sums, amplitudes + (size_t)f * count);
done:
	free(k);
	free(sums);
	return status;
}
