"""Sphinx: furo, Markdown through MyST, Doxygen's API through Breathe. scripts/site.sh calls it with what prepare.py made."""
import os
import sys
from pathlib import Path

root = Path(os.environ["ROWAN_TREE"])
sys.path.insert(0, str(root / "python"))

project = "rowan"
author = "the authors of rowan"
copyright = "the authors of rowan, Apache-2.0"
release = os.environ["ROWAN_VERSION"]

extensions = ["myst_parser", "breathe", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx_copybutton"]
source_suffix = {".md": "markdown"}
exclude_patterns = ["site"]

myst_heading_anchors = 4
myst_enable_extensions = ["colon_fence"]

breathe_projects = {"rowan": os.environ["ROWAN_DOXYGEN_XML"]}
breathe_default_project = "rowan"
breathe_domain_by_extension = {"h": "c", "hpp": "cpp"}
c_id_attributes = cpp_id_attributes = ["ROWAN_API", "ROWAN_C_API"]
primary_domain = None
highlight_language = "none"

# pyrowan's own code is read; neither its compiled part nor Dask is needed
autodoc_mock_imports = ["pyrowan._core", "dask"]
autodoc_member_order = "bysource"
autodoc_typehints = "none"
autodoc_default_options = {"members": True}

html_theme = "furo"
html_title = f"rowan {release}"
html_static_path = [str(root / "docs" / "site" / "static")]
html_css_files = ["rowan.css"]
html_js_files = [("theme.js", {"defer": "defer"})]
html_show_sphinx = False
html_copy_source = False
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#9a3412", "color-brand-content": "#9a3412"},
    "dark_css_variables": {"color-brand-primary": "#fdba74", "color-brand-content": "#fdba74"},
}
copybutton_prompt_text = "$ "
copybutton_only_copy_prompt_lines = True
suppress_warnings = ["misc.highlighting_failure"]
