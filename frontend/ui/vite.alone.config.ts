import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';

/** Build of the viewer as one script and one style sheet, for standalone pages (`ftk review --html`). */
export default defineConfig({
  plugins: [svelte({ compilerOptions: { css: 'external' }, emitCss: true })],
  build: {
    outDir: '../static/ui/alone',
    emptyOutDir: true,
    target: 'es2022',
    cssCodeSplit: false,
    modulePreload: false,
    rolldownOptions: {
      input: 'src/alone.ts',
      output: { format: 'iife', entryFileNames: 'alone.js', assetFileNames: 'alone[extname]' },
    },
  },
});
