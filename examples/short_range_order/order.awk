# Cu3Au above its transition: copper and gold, 3 : 1, on the sites of an fcc lattice with periodic boundaries. Neighbors are exchanged
# by the rule of Metropolis with energies in units of kT for pairs of gold atoms: `energy` for nearest neighbors, `second` for second
# ones, which has the other sign in Cu3Au: it makes order of the kind L1_2 better than the mixtures with others. Prints frames of extended XYZ, and at last, on the standard error, the parameter of order of Warren and Cowley,
# alpha = 1 - p(Cu | Au)/p(Cu), of the first shell.
#     awk -v cells=12 -v seed=1 -v frames=4 -v first=40 -v between=20 -v energy=1.2 -v second=-0.3 -v half=1.87 -f order.awk
# cells: along an edge; first, between: exchanges that are tried, per atom, before the first frame and between frames; half: half of
# the lattice constant in Angstrom.
function gold_around(x, y, z,   k, sum) {
	for (k = 1; k <= 12; ++k)
		sum += is_gold[((x + dx[k] + n)%n)*n*n + ((y + dy[k] + n)%n)*n + (z + dz[k] + n)%n]
	return sum
}
function energy_at(x, y, z,   k, sum) {
	for (k = 1; k <= 6; ++k)
		sum += is_gold[((x + two_x[k] + n)%n)*n*n + ((y + two_y[k] + n)%n)*n + (z + two_z[k] + n)%n]
	return energy*gold_around(x, y, z) + second*sum
}
function exchange(   a, k, x, y, z, u, v, w, i, j, difference) {
	a = int(rand()*count)
	k = 1 + int(rand()*12)
	x = at_x[a]; y = at_y[a]; z = at_z[a]
	u = (x + dx[k] + n)%n; v = (y + dy[k] + n)%n; w = (z + dz[k] + n)%n
	i = x*n*n + y*n + z; j = u*n*n + v*n + w
	if (is_gold[i] == is_gold[j]) return
	# the exchanged atoms are neighbors of each other, before and after
	difference = energy_at(u, v, w) - energy_at(x, y, z)
	difference = (is_gold[i] ? difference : -difference) - energy
	if (difference <= 0 || rand() < exp(-difference)) {
		is_gold[i] = !is_gold[i]
		is_gold[j] = !is_gold[j]
	}
}
BEGIN {
	n = 2*cells
	srand(seed)
	for (x = -1; x <= 1; ++x) for (y = -1; y <= 1; ++y) for (z = -1; z <= 1; ++z)
		if (x*x + y*y + z*z == 2) { ++k; dx[k] = x; dy[k] = y; dz[k] = z }
		else if (x*x + y*y + z*z == 1) { ++m; two_x[m] = 2*x; two_y[m] = 2*y; two_z[m] = 2*z }
	for (x = 0; x < n; ++x) for (y = 0; y < n; ++y) for (z = 0; z < n; ++z)
		if ((x + y + z)%2 == 0) {
			at_x[count] = x; at_y[count] = y; at_z[count] = z
			is_gold[x*n*n + y*n + z] = rand() < 0.25
			++count
		}
	for (frame = 0; frame < frames; ++frame) {
		for (step = 0; step < (frame == 0 ? first : between)*count; ++step) exchange()
		pairs = gold = 0
		printf "%d\nLattice=\"%.8g 0 0 0 %.8g 0 0 0 %.8g\" Properties=species:S:1:pos:R:3\n", count, half*n, half*n, half*n
		# all frames have the same atoms in the same order: gold first
		for (kind = 1; kind >= 0; --kind) for (a = 0; a < count; ++a) {
			x = at_x[a]; y = at_y[a]; z = at_z[a]
			if (is_gold[x*n*n + y*n + z] != kind) continue
			if (kind) { ++gold; pairs += gold_around(x, y, z) }
			printf "%s %.6g %.6g %.6g\n", kind ? "Au" : "Cu", half*x, half*y, half*z
		}
		alpha += (1 - (1 - pairs/(12*gold))/(1 - gold/count))/frames
	}
	printf "order of the first shell: alpha = %.3f\n", alpha >"/dev/stderr"
}
