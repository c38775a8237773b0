// The theme's search is a dialog without a name; a screen reader wants one.
document.querySelector(".md-search")?.setAttribute("aria-label", "Search");
