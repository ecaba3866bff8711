import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';

/** Server for WebSockets during `npm run dev` (see dev/viewer_server.py). */
const TABLE = 'ws://127.0.0.1:8765';

export default defineConfig({
  base: '/static/ui/',
  // styles are emitted as files, because the Content-Security-Policy of the pages forbids inline <style>
  plugins: [svelte({ compilerOptions: { css: 'external' }, emitCss: true })],
  build: {
    outDir: '../static/ui',
    emptyOutDir: true,
    manifest: 'manifest.json',
    license: { fileName: 'licenses.md' }, // the licences of all libraries whose code is in the scripts
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: { site: 'src/site.ts', replay: 'src/replay.ts', worker: 'src/offline/worker.ts' },
      // htmx contains an eval that allowEval = false never reaches
      checks: { eval: false },
    },
  },
  // the registry of languages is in ftk_core
  server: { fs: { allow: ['../..'] }, proxy: { '/ws': { target: TABLE, ws: true } } },
  test: { include: ['tests/**/*.test.ts'] },
});
