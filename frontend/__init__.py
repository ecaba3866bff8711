"""Pages of the site: templates, htmx and one Svelte island."""
