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

#include "refine/minpack.h"

using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace
{

const int SMALL_STEPS = 2; /* that lower |r|^2 by less than convergence^2 times the variance, after each other */

/* What Eigen's class calls. */
struct Functor {
	const minpack_problem *problem;
	const VectorXd *residuals; /* at the x of df() */
	bool converged;

	int values() const
	{
		return static_cast<int>(problem->points);
	}

	int operator()(const VectorXd &x, VectorXd &r) const
	{
		return problem->residuals(problem->user, x.data(), r.data()) != 0 ? -1 : 0;
	}

	/* The step of the linear problem shortens r by its part in the space of the columns. */
	int df(const VectorXd &x, MatrixXd &derivatives)
	{
		if (problem->jacobian(problem->user, x.data(), derivatives.data()) != 0)
			return -1;
		const Eigen::ColPivHouseholderQR<MatrixXd> qr(derivatives);
		VectorXd part = *residuals;
		part.applyOnTheLeft(qr.householderQ().adjoint());
		const double variance = residuals->squaredNorm() / static_cast<double>(problem->freedom);
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

	functor.residuals = &method.fvec;
	method.parameters.factor = 0.5;
	method.parameters.ftol = problem.noise;
	method.parameters.xtol = 1e-12;
	method.parameters.maxfev = std::numeric_limits<int>::max();
	if (method.minimizeInit(unknowns) != Eigen::LevenbergMarquardtSpace::NotStarted)
		return MINPACK_STOPPED;
	int small = 0;
	for (int64_t number = 1; number <= problem.steps; ++number) {
		const double before = method.fnorm * method.fnorm;
		const Eigen::LevenbergMarquardtSpace::Status status = method.minimizeOneStep(unknowns);
		std::copy(unknowns.data(), unknowns.data() + problem.unknowns, x);
		if (functor.converged)
			return MINPACK_CONVERGED;
		if (status == Eigen::LevenbergMarquardtSpace::UserAsked ||
		    problem.step(problem.user, number, x, method.fnorm * method.fnorm) != 0)
			return MINPACK_STOPPED;
		/* derivatives by differences, not quite those of r, promise more than steps yield */
		const double after = method.fnorm * method.fnorm,
			     variance = after / static_cast<double>(problem.freedom);
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
