/* Errors of the numbers of results. ------------------------------------------------------------------------------- */

/* A number of the run, NaN if the file has none. */
function processNumber(file, item, name) {
  const path = `/${item.path.split("/")[1]}/process/${name}`, found = file.items.find(i => i.path === path);
  return found && found.kind === "number" ? found.value : NaN;
}

/* The imaginary part of what a name and its item are the real part of, or the other way round; null if it has none. */
function otherPart(members, name, item) {
  const other = /_(real|imag)$/.test(name)
      ? members.get(name.replace(/_(real|imag)$/, (all, part) => part === "real" ? "_imag" : "_real")) : null;
  return other && String(other.sizes) === String(item.sizes) ? other : null;
}

const ENGINE_ERRORS = {
  /* fractions of each value, and the largest error of a difference */
  stopping: (file, item, name, values) => name === "difference" ? processNumber(file, item, "difference_error")
    : values.map(v => Math.abs(v) * processNumber(file, item, name + "_error")),
  /* the largest error of all points */
  coulomb: (file, item, name) => name === "potential" ? processNumber(file, item, "largest_error")
    : /^field(_[xyz])?$/.test(name) ? processNumber(file, item, "largest_field_error") : NaN,
  /* spectra: fractions of the largest value, for complex numbers of the largest absolute value */
  fdtd: (file, item, name, values, members, group) => {
    const isSpectrum = (group.axes || []).includes("frequency") && group.kind_of !== "resonances";
    if (!isSpectrum || name === "wavelength") return NaN;
    const parts = ["grid_error", "truncation_error", "rounding_error"].map(n => processNumber(file, item, n))
        .filter(Number.isFinite), other = otherPart(members, name, item), second = other ? numbers(other) : null;
    let largest = 0;
    values.forEach((v, n) => {
      const size = second ? Math.hypot(v, second[n]) : Math.abs(v);
      if (Number.isFinite(size)) largest = Math.max(largest, size);
    });
    return parts.length ? parts.reduce((a, b) => a + b, 0) * largest : NaN;
  },
};

/* The errors of the numbers of an item, of which complex numbers have one for both parts; null: they have none. Arrays
 * of errors in the file are for each number, or of fields against time for all places at each time. */
function errorsOf(file, item, members, group, name) {
  const whole = otherPart(members, name, item) ? name.replace(/_(real|imag)$/, "") : name;
  const error = [name + "_errors", name + "-error", whole + "-error"].map(n => members.get(n)).find(Boolean);
  const errors = error && error.shape ? numbers(error) : [], n = numbers(item).length;
  if (errors.length && String(error.shape) === String(item.shape)) return errors;
  if (errors.length && error.shape.length === 1 && errors.length === item.shape[0])
    return Float64Array.from({length: n}, (unused, k) => errors[Math.floor(k / (n / errors.length))]);
  const engine = ENGINE_ERRORS[item.path.split("/")[1]];
  if (errors.length || !engine) return null;
  const made = engine(file, item, name, numbers(item), members, group);
  const all = typeof made === "number" ? new Float64Array(n).fill(made) : made;
  return all.some(v => v > 0) ? all : null;
}
