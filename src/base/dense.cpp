/* Calls Eigen, as line_transform.cpp does: no exception leaves this file. Its copy of Eigen has its own namespace, so that libsonde.a can be
 * linked with a program that uses another Eigen. */
#define Eigen sonde_eigen
#define EIGEN_MPL2_ONLY
#define EIGEN_NO_DEBUG
#include <limits>
#include <new>

#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <Eigen/SVD>

#include "base/dense.h"

using Eigen::Map;
using Eigen::MatrixXcd;
using Eigen::MatrixXd;
using Eigen::VectorXcd;
using Eigen::VectorXd;

/* For functions that throw only when memory is short. */
template <typename Function> static dense_result guarded(const Function &function) noexcept
{
	try {
		return function();
	} catch (...) {
		return DENSE_NO_MEMORY;
	}
}

dense_result dense_singular_values(int n, const dense_complex *a, double *values, dense_complex *left,
				   dense_complex *right)
{
	return guarded([=]() {
		/* BDCSVD takes half the time at n = 64, but four times the time and memory to compile of this whole
		 * file */
		const Eigen::JacobiSVD<MatrixXcd, Eigen::NoQRPreconditioner> svd(
		    Map<const MatrixXcd>(a, n, n), Eigen::ComputeFullU | Eigen::ComputeFullV);
		Map<VectorXd>(values, n) = svd.singularValues();
		Map<MatrixXcd>(left, n, n) = svd.matrixU();
		Map<MatrixXcd>(right, n, n) = svd.matrixV();
		return DENSE_OK;
	});
}

dense_result dense_eigenvalues(int n, const dense_complex *a, dense_complex *values)
{
	return guarded([=]() {
		const Eigen::ComplexEigenSolver<MatrixXcd> solver(Map<const MatrixXcd>(a, n, n), false);
		if (solver.info() != Eigen::Success)
			return DENSE_NOT_CONVERGED;
		Map<VectorXcd>(values, n) = solver.eigenvalues();
		return DENSE_OK;
	});
}

/* Of real or complex matrices. */
template <typename Matrix, typename Vector, typename Number>
static dense_result least_squares(int rows, int columns, const Number *a, const Number *b, Number *x,
				  double *variances)
{
	const Eigen::ColPivHouseholderQR<Matrix> qr(Map<const Matrix>(a, rows, columns));
	Map<Vector>(x, columns) = qr.solve(Map<const Vector>(b, rows));
	if (variances == nullptr)
		return DENSE_OK;
	Map<VectorXd> diagonal(variances, columns);
	if (!(std::abs(qr.matrixR()(columns - 1, columns - 1)) > 0.0)) {
		diagonal.setConstant(std::numeric_limits<double>::infinity());
		return DENSE_OK;
	}
	/* a P = Q R: (a^H a)^-1 = P (R^H R)^-1 P^T */
	const Matrix inverse = qr.matrixR().topRows(columns).template triangularView<Eigen::Upper>().solve(
	    Matrix::Identity(columns, columns));
	diagonal = qr.colsPermutation() * VectorXd(inverse.rowwise().squaredNorm());
	return DENSE_OK;
}

dense_result dense_least_squares(int rows, int columns, const dense_complex *a, const dense_complex *b,
				 dense_complex *x, double *variances)
{
	return guarded([=]() { return least_squares<MatrixXcd, VectorXcd>(rows, columns, a, b, x, variances); });
}

dense_result dense_real_least_squares(int rows, int columns, const double *a, const double *b, double *x,
				      double *variances)
{
	return guarded([=]() { return least_squares<MatrixXd, VectorXd>(rows, columns, a, b, x, variances); });
}

dense_result dense_real_inverse_gram(int rows, int columns, const double *a, double *inverse)
{
	return guarded([=]() {
		const Eigen::ColPivHouseholderQR<MatrixXd> qr(Map<const MatrixXd>(a, rows, columns));
		const Eigen::Index rank = qr.rank();
		/* a P = Q R: (a^T a)^-1 = P R^-1 R^-T P^T, for the columns that come first */
		const MatrixXd root = qr.matrixR()
					  .topLeftCorner(rank, rank)
					  .template triangularView<Eigen::Upper>()
					  .solve(MatrixXd::Identity(rank, rank));
		MatrixXd all = MatrixXd::Zero(columns, columns);
		all.topLeftCorner(rank, rank) = root * root.transpose();
		for (Eigen::Index k = rank; k < columns; ++k)
			all(k, k) = std::numeric_limits<double>::infinity();
		const auto &order = qr.colsPermutation().indices();
		Map<MatrixXd> to(inverse, columns, columns);
		for (Eigen::Index i = 0; i < columns; ++i)
			for (Eigen::Index j = 0; j < columns; ++j)
				to(order(i), order(j)) = all(i, j);
		return DENSE_OK;
	});
}
