# The largest difference between two files of numbers (numbers.sh), relative to the largest of its column, in the lines up to the next names:
#
#     awk -f largest_difference.awk RECORDED FOUND
#
# Estimates of errors, which are themselves differences of rounding, are left out. Exits with 1 where the rows are not those of the other file.
function is_row(line) { return line ~ /^[ \t]*([-+.]?[0-9]|-?nan|-?inf)/ }
function size(x) { return x < 0 ? -x : x }
function begin() { delete scale; delete difference; rows = 0 }
function end(    k) {
	for (k in difference)
		if (difference[k] > worst * scale[k]) worst = scale[k] > 0 ? difference[k] / scale[k] : 1
	begin()
}
NR == FNR { recorded[FNR] = $0; count = FNR; next }
{
	if (!(FNR in recorded) || is_row($0) != is_row(recorded[FNR])) { bad = 1; exit }
	if (!is_row($0)) {
		end()
		columns = split($0, names, /[ ,\t]+/)
		whole = $0 ~ /error.* \[[0-9]+\]$/ # a dataset of HDF5
		for (k = 1; k <= columns; ++k) left_out[k] = whole || names[k] ~ /error_estimate|error_bound/
		next
	}
	many = split($0, found, /[ ,\t]+/)
	if (split(recorded[FNR], wanted, /[ ,\t]+/) != many) { bad = 1; exit }
	for (k = 1; k <= many; ++k) {
		if (left_out[k] || found[k] == wanted[k]) {
			if (!left_out[k] && size(wanted[k]) > scale[k]) scale[k] = size(wanted[k])
			continue
		}
		if (found[k] !~ /[0-9]/ || wanted[k] !~ /[0-9]/) { bad = 1; exit }
		if (size(wanted[k]) > scale[k]) scale[k] = size(wanted[k])
		if (size(wanted[k] - found[k]) > difference[k]) difference[k] = size(wanted[k] - found[k])
	}
}
END {
	end()
	if (bad || FNR != count) exit 1
	printf "%.3g\n", worst
}
