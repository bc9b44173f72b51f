/* The mesh sum: the fast sum for points anywhere.
 *
 * A charge's potential g(r) is a smooth part and the rest. The smooth part is g itself from a cut-off on and a polynomial in
 * r^2 below, whose Fourier transform ends, but for what the tolerance allows, at c/cutoff: for 1/r
 *
 *     s(r) = 1/r int_0^(r/cutoff) psi,
 *
 * psi being the prolate function of bandwidth c whose integral over [0, 1] is 1 (Liang, Lu, Barnett, Greengard and Jiang,
 * arXiv:2505.09727). A mesh with a step just below pi cutoff/c has all of it: charges are spread over width^3 points of
 * it each, by a window that is a product of three prolate functions, convolved there with s, and the result is interpolated
 * with the same window (Hockney and Eastwood, Computer Simulation Using Particles, 1988, chapter 8). The rest, g - s, is 0
 * from the cut-off on, and is summed over the near charges.
 *
 * The convolution is with samples of s itself, at the distances between mesh points, so that boundaries are open, kernels
 * of any form and boxes of any shape. The mesh's points are followed by as many zeros, in whose middle the distance has its
 * turning point, made smooth by another prolate function. Transforms are matrix products with cosines and sines, which have
 * no zeros to carry along and want no powers of two.
 */
#ifndef SONDE_COULOMB_MESH_MESH_H
#define SONDE_COULOMB_MESH_MESH_H

#include "coulomb/charges.h"
#include "coulomb/kernels/mesh_layout.h"
#include "coulomb/mesh/prolate.h"
#include "coulomb/plan.h"
#include "coulomb/targets/targets.h"
#include "coulomb/values.h"
#include "device/device.h"

/* How exact: the width of the window, and the bandwidth of the smooth part. */
struct mesh_order {
	uint32_t width;
	double c;
	double error; /* root mean square relative to the potential, about */
};
extern const struct mesh_order mesh_orders[];
extern const int mesh_order_count;

/* The smooth part below the cut-off: powers of 2 (r/cutoff)^2 - 1, highest first. */
struct mesh_smooth {
	double cutoff;
	int terms;
	double even[MESH_MOST_EVEN];
};
void mesh_smooth_make(const struct coulomb_plan *plan, const struct mesh_order *order, double cutoff,
		      struct mesh_smooth *smooth);
/* The smooth part at a distance whose square that is, softening not yet in it. */
double mesh_smooth_at(const struct coulomb_plan *plan, const struct mesh_smooth *smooth, double square);

#define MESH_WINDOW_NODES 64

/* The window of so many mesh points: polynomials of its values at the points round a place (kernels/mesh_window.h), and
 * what one is to the square of that of the other, so that interpolation undoes spreading (influence()). */
struct mesh_window {
	uint32_t width;
	double places[MESH_WINDOW_NODES], weights[MESH_WINDOW_NODES]; /* of integrals over the window */
	int degree;
	double rows[(MESH_MOST_DEGREE + 1) * MESH_MOST_WIDTH];
};
void mesh_window_make(const struct mesh_order *order, struct mesh_window *window);
/* By what a wave that was spread and interpolated must be multiplied: of `angle` from mesh point to mesh point. */
double mesh_window_influence(const struct mesh_window *window, double angle);

/* Points sorted into cells, x fastest. */
struct mesh_cells {
	double origin[3], edges[3];
	uint32_t size[3], count; /* of cells along each edge; of points */
	uint32_t *starts;        /* of each cell, and the end */
	uint32_t *numbers;       /* which point comes n-th */
};
/* Points with coordinates x[i stride], ... within a box, in cells of those edges or, if they were too many, larger ones. */
sonde_status mesh_cells_make(int threads, const double *const coordinates[3], size_t stride, uint32_t count,
			     const double low[3], const double high[3], const double edges[3],
			     struct mesh_cells *cells);
void mesh_cells_free(struct mesh_cells *cells);

/* What is done, and what it costs. */
struct mesh_choice {
	double cutoff, step; /* of the smooth part and the mesh, Angstrom */
	double
	    outer; /* of a part: the cut-off of the smooth part that is done elsewhere, with all that is beyond it */
	double
	    near_charges; /* about how many there are in a cube of the cut-off, seen by a point whose near charges are summed */
	double near_points; /* and points */
	double seconds;     /* of one core, or of the GPU, about */
	bool possible;
	bool parts; /* what is dense has meshes of its own, mesh_parts.h */
};
/* What the choice is made by: the boxes that hold all charges and all points, and where some of them are, all of them where
 * they are few. */
struct mesh_box {
	double low[3], high[3];
};
struct mesh_survey {
	struct mesh_box boxes[2];
	uint32_t count[2]; /* of charges and points that were taken */
	double all[2];     /* of those that there are */
	double *places[2]; /* x, y, z of each */
};
#define MESH_SURVEYED \
	32768 /* charges, and points, that stand for all: they tell numbers of pairs within some percent */
/* Of no more than `most` charges and points each. */
sonde_status mesh_survey_make(int threads, const struct charges *charges, const struct targets *targets,
			      uint32_t most, struct mesh_survey *survey);
void mesh_survey_free(struct mesh_survey *survey);
/* Where it is done: whether by a GPU, and bytes that are there. */
struct mesh_place {
	bool gpu;
	double memory;
};
/* The CPU, before the devices are known, and the first device of the context. */
struct mesh_place mesh_place_cpu(const sonde_context *context);
sonde_status mesh_find_place(sonde_context *context, struct mesh_place *place);
/* Whether a device runs the kernels for work-groups. */
bool mesh_has_groups(const struct device *device);
/* The cut-off with which it is least work, of those whose mesh does not take too much of the memory; of a part with the
 * cut-off `outer`, else 0. */
sonde_status mesh_choose(const struct mesh_place *place, const struct mesh_survey *survey,
			 const struct charges *charges, const struct coulomb_plan *plan,
			 const struct mesh_order *order, double outer, struct mesh_choice *choice);
/* Seconds that the direct sum takes there, of one core or of the GPU, about. */
double mesh_direct_seconds(const struct mesh_place *place, const struct charges *charges,
			   const struct targets *targets, const struct coulomb_plan *plan);
void mesh_find_boxes(int threads, const struct charges *charges, const struct targets *targets,
		     struct mesh_box boxes[2]);
struct mesh_box mesh_box_of_both(const struct mesh_box boxes[2]);
/* Mesh points along each edge, waves, and the mesh points that the points need, of a part; of a whole they are all. */
struct mesh_shape {
	uint32_t nodes[3], waves[3], first[3], wanted[3];
};
/* Mesh points that charges and points in those boxes need, and waves: twice as many where all of them see one another, or, of
 * a part, fewer, as what they see ends at `outer`. */
void mesh_extent(const struct mesh_order *order, const struct mesh_box boxes[2], double step, double outer,
		 struct mesh_shape *shape);

/* Seconds of one core that summing the near charges takes, and what else may be done with those who have many. */
struct mesh_costs {
	double pair;     /* of a point and a charge in the 27 cubes of the cut-off round it */
	double point;    /* of a point, besides */
	double spread;   /* of a charge on a mesh of its own */
	double read;     /* of a point there */
	double convolve; /* of a cube of the cut-off on it */
	double sets;     /* of charges */
	bool parts;      /* whether there are such meshes */
};
struct mesh_costs mesh_find_costs(const struct charges *charges, const struct coulomb_plan *plan,
				  const struct mesh_order *order);
/* What the points of a cube take: the sum over the near charges, or, about, meshes of their own. */
double mesh_near_cost(const struct mesh_costs *costs, double points, double near_charges);
double mesh_parts_cost(const struct mesh_costs *costs, double points, double charges, double near_charges);
#define CUBES_OF_CUBE 6.0 /* of half the edge, that hold anything; as many times fewer near pairs */
/* Seconds of all points' near charges, where what is dense has meshes of its own wherever that is less work: for cut-offs of
 * `edge`, half of it, a quarter of it, ... */
#define MESH_ESTIMATES 16
struct mesh_estimate {
	double edge, seconds[MESH_ESTIMATES];
};
sonde_status mesh_estimate_make(const struct mesh_survey *survey, const struct mesh_costs *costs,
				struct mesh_estimate *estimate);
double mesh_estimate_at(const struct mesh_estimate *estimate, double cutoff);
/* A mesh with half the cut-off for so many cubes along x, y, z, and for charges in and around them. */
double mesh_block_seconds(const struct mesh_order *order, const struct mesh_costs *costs, const uint32_t cubes[3],
			  double charges);
/* In each cell the sum over it and its neighbors along one direction. */
void mesh_add_neighbors(double *numbers, const int64_t size[3], int along);
/* Multiply-adds of one way of a convolution of so many mesh points and waves. */
double mesh_products(const double nodes[3], const double waves[3]);

/* Waves that have room for the turning point, for so many mesh points. */
uint32_t mesh_open_waves(const struct mesh_order *order, uint32_t nodes);

/* The convolution: a mesh of charges becomes one of potentials. */
struct mesh_transform {
	struct device *device;
	bool groups; /* by the kernels for GPUs */
	int threads; /* of the host */
	struct mesh_shape extent;
	uint32_t row, columns,
	    back_row; /* numbers of a row of points, of waves along x, and of wanted points, padded */
	struct device_kernel product, columns_kernel, samples;
	struct device_buffer forward[3], back[3]; /* cosines and sines: [nodes][waves] and the other way round */
	struct device_buffer weights, numbers[3]; /* of the kernel; of the waves along y and z */
	struct device_buffer shape, half, mesh, all, spectrum; /* the last one on GPUs */
};
/* For a mesh of that extent: `mesh` is a buffer of its points, all 0, which becomes one of those that are wanted. near_frame: the smooth part as kernels take it. */
/* outer: what is taken away from the smooth part, or null. */
sonde_status mesh_transform_make(struct device *device, int threads, const struct coulomb_plan *plan,
				 const struct mesh_order *order, const struct mesh_smooth *smooth,
				 const struct mesh_smooth *outer, const struct device_buffer *near_frame,
				 const struct mesh_window *window, const struct mesh_shape *extent, double step,
				 struct mesh_transform *transform);
sonde_status mesh_transform_run(struct mesh_transform *transform);
void mesh_transform_free(struct mesh_transform *transform);

/* Seconds of the stages of a sum. */
enum mesh_stage {
	MESH_PREPARE, /* kernels, the smooth part and its waves, and memory */
	MESH_SORT,
	MESH_COPY,
	MESH_NEAR,
	MESH_SPREAD,
	MESH_CONVOLVE,
	MESH_READ,
	MESH_PARTS, /* sums by meshes of their own */
	MESH_STAGES
};
extern const char *const mesh_stage_names[MESH_STAGES];
struct mesh_times {
	double seconds[MESH_STAGES];
	double parts;      /* meshes beside the first one */
	double near_pairs; /* of points and charges in the 27 cubes round them, whose near sums were taken */
};
/* The sum on a device. The context may be null. Where `times` is not null, each stage is waited for. */
sonde_status mesh_sum_on(sonde_context *context, struct device *device, const struct charges *charges,
			 const struct targets *targets, const struct coulomb_plan *plan, struct values *values,
			 uint64_t *coincident, struct mesh_times *times);

#endif
