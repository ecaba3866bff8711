"""Expected permissions of files for search engines, other sites and browsers, in the format of `permissions`."""

from __future__ import annotations

ANSWERS = {
    (200, 200, 200, 200, 200, 200, 200): """
        GET /robots.txt
        GET /sitemap.xml
        GET /sitemap-<slug:section>.xml
        GET /manifest.webmanifest
        GET /service-worker.js
    """,
    (302, 302, 302, 302, 302, 302, 302): """
        GET /favicon.ico
        POST /favicon.ico
    """,
    (404, 404, 404, 404, 404, 404, 404): """
        GET /preview.png
        GET /.well-known/security.txt
    """,
    (405, 405, 405, 405, 405, 405, 405): """
        POST /robots.txt
        POST /sitemap.xml
        POST /sitemap-<slug:section>.xml
        POST /manifest.webmanifest
        POST /service-worker.js
        POST /preview.png
        POST /.well-known/security.txt
    """,
}
