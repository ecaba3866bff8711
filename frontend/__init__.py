"""Web pages of the site: Django templates with htmx, and one Svelte component, the viewer for matches."""
