"""Expected permissions of the URLs for crawlers, installed apps, previews, keys and contacts: all are public."""

from __future__ import annotations

ANSWERS = {
    (200, 200, 200, 200, 200, 200, 200): """
        GET /.well-known/ftk-signing-key
        GET /robots.txt
        GET /sitemap.xml
        GET /sitemap-<slug:section>.xml
        GET /manifest.webmanifest
        GET /service-worker.js
    """,
    (404, 404, 404, 404, 404, 404, 404): """
        GET /.well-known/security.txt
        GET /preview.png
        GET /pieces/<slug:game>/<slug:digest>/<path:name>
        GET /words/<slug:language>/<slug:digest>.json
        GET /brand/<slug:digest>.png
        GET /brand/<slug:digest>.css
    """,
    (405, 405, 405, 405, 405, 405, 405): """
        POST /.well-known/ftk-signing-key
        POST /.well-known/security.txt
        POST /robots.txt
        POST /sitemap.xml
        POST /sitemap-<slug:section>.xml
        POST /manifest.webmanifest
        POST /service-worker.js
        POST /preview.png
        POST /pieces/<slug:game>/<slug:digest>/<path:name>
        POST /words/<slug:language>/<slug:digest>.json
        GET /matches/<slug:match_id>/rematch/
        POST /favicon.ico
        POST /brand/<slug:digest>.png
        POST /brand/<slug:digest>.css
    """,
}
