"""The pages: templates, htmx and one Svelte island."""
