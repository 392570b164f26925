// Debian's build of furo has no dark colours for the theme "auto" (its Sass compiler drops a media query in another one), so
// "auto" becomes what the system prefers.
const dark = matchMedia("(prefers-color-scheme: dark)");
const resolve = () => {
  if (document.body.dataset.theme === "auto") document.body.dataset.theme = dark.matches ? "dark" : "light";
};
new MutationObserver(resolve).observe(document.body, { attributeFilter: ["data-theme"] });
resolve();
