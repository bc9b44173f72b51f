"use strict";
/* From a disk a page may not read others, from which the search would take a few words of each. */
if (location.protocol === "file:" && typeof DOCUMENTATION_OPTIONS !== "undefined") DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = false;

/* Tabs of a page go together: who reads the Python of one block reads that of the others, also on the next page. */
document.addEventListener("DOMContentLoaded", () => {
  const buttons = [...document.querySelectorAll(".tabs > input")];
  const choose = which => { for (const button of buttons) if (button.classList.contains(which)) button.checked = true; };
  let kept = null;
  try { kept = localStorage.getItem("sonde-tabs"); } catch (refused) { /* by the browser's settings */ }
  if (kept === "first" || kept === "second") choose(kept);
  for (const button of buttons) button.addEventListener("change", () => {
    const which = button.classList.contains("second") ? "second" : "first", before = button.getBoundingClientRect().top;
    choose(which);
    window.scrollBy(0, button.getBoundingClientRect().top - before); /* blocks above have other heights */
    try { localStorage.setItem("sonde-tabs", which); } catch (refused) { /* likewise */ }
  });
});
