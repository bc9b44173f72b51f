/* Calls Eigen, as base/dense.cpp does: no exception leaves this file, whose copy of Eigen has its own namespace. */
#define Eigen sonde_eigen
#define EIGEN_MPL2_ONLY
#define EIGEN_NO_DEBUG
#include <algorithm>
#include <cmath>
#include <limits>

#include <Eigen/Core>
#include <Eigen/QR>
#include <unsupported/Eigen/NonLinearOptimization>

#include "base/minpack.h"

using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace
{

const int SMALL_STEPS = 2; /* that lower |r|^2 by less than convergence^2 times the variance, after each other */

/* What Eigen's class calls. */
struct Functor {
	const minpack_problem *problem;
	Eigen::LevenbergMarquardt<Functor> *method;
	bool converged;

	int values() const
	{
		return static_cast<int>(problem->points);
	}

	int operator()(const VectorXd &x, VectorXd &r) const
	{
		return problem->residuals(problem->user, x.data(), r.data()) != 0 ? -1 : 0;
	}

	int df(const VectorXd &x, MatrixXd &derivatives)
	{
		double radius = 0.0;
		if (problem->jacobian(problem->user, x.data(), method->fvec.data(), derivatives.data(),
				      method->diag.data(), &radius) != 0)
			return -1;
		if (radius > 0.0) {
			/* Eigen's class makes the radius, factor |lengths x|, when it counts the first step */
			const double length = method->diag.cwiseProduct(x).stableNorm();
			method->parameters.factor = length > 0.0 ? radius / length : radius;
			method->iter = 1;
		}
		/* The step of the linear problem shortens r by its part in the space of the columns. */
		const Eigen::ColPivHouseholderQR<MatrixXd> qr(derivatives);
		VectorXd part = method->fvec;
		part.applyOnTheLeft(qr.householderQ().adjoint());
		const double variance = method->fvec.squaredNorm() / static_cast<double>(problem->freedom);
		const double least = problem->convergence * problem->convergence * variance;
		converged = part.head(qr.rank()).squaredNorm() <= least;
		return converged ? -1 : 0;
	}
};

minpack_end minimize(const minpack_problem &problem, double *x)
{
	VectorXd unknowns = Eigen::Map<const VectorXd>(x, problem.unknowns);
	Functor functor = {&problem, nullptr, false};
	Eigen::LevenbergMarquardt<Functor> method(functor);

	functor.method = &method;
	method.parameters.ftol = method.parameters.gtol = problem.tolerance;
	method.parameters.xtol = 1e-12;
	method.parameters.maxfev = std::numeric_limits<int>::max();
	if (method.minimizeInit(unknowns) != Eigen::LevenbergMarquardtSpace::NotStarted)
		return MINPACK_STOPPED;
	method.useExternalScaling = true;
	method.diag.setZero();
	int small = 0;
	for (int64_t number = 1; number <= problem.steps; ++number) {
		const double before = method.fnorm * method.fnorm;
		const Eigen::LevenbergMarquardtSpace::Status status = method.minimizeOneStep(unknowns);
		if (functor.converged)
			return MINPACK_CONVERGED;
		if (status == Eigen::LevenbergMarquardtSpace::UserAsked)
			return MINPACK_STOPPED;
		if (status == Eigen::LevenbergMarquardtSpace::CosinusTooSmall)
			return MINPACK_STEADY;
		const double after = method.fnorm * method.fnorm,
			     variance = after / static_cast<double>(problem.freedom);
		if (after < before && problem.step(problem.user, number, unknowns.data(), after) != 0)
			return MINPACK_STOPPED;
		std::copy(unknowns.data(), unknowns.data() + problem.unknowns, x);
		/* derivatives by differences, not quite those of r, promise more than steps yield */
		small = before - after <= problem.convergence * problem.convergence * variance ? small + 1 : 0;
		if (status != Eigen::LevenbergMarquardtSpace::Running || small == SMALL_STEPS)
			return MINPACK_STEADY;
	}
	return MINPACK_MOST_STEPS;
}

} // namespace

enum minpack_end minpack_minimize(const struct minpack_problem *problem, double *x)
{
	try {
		return minimize(*problem, x);
	} catch (...) {
		return MINPACK_NO_MEMORY;
	}
}
