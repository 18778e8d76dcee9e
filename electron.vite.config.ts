import { defineConfig } from 'electron-vite';
import react from '@vitejs/plugin-react';
import pkg from './package.json' with { type: 'json' };

export default defineConfig({
  main: {
    define: { __VERSION__: JSON.stringify(pkg.version) },
    build: {
      outDir: 'out/main',
      target: 'node22.15',
      sourcemap: true,
      rolldownOptions: {
        input: {
          index: 'main/electron/index.ts',
          browser: 'main/browser/index.ts',
          cli: 'main/cli/index.ts',
        },
        // all in one folder, so that import.meta.dirname is out/main in shared chunks too
        output: { chunkFileNames: '[name]-[hash].js' },
      },
    },
  },
  preload: {
    build: {
      outDir: 'out/preload',
      externalizeDeps: false,
      rolldownOptions: {
        input: { index: 'main/electron/preload.ts' },
        output: { format: 'cjs', entryFileNames: '[name].cjs', codeSplitting: false },
      },
    },
  },
  renderer: {
    root: 'renderer',
    plugins: [react()],
    build: {
      outDir: 'out/renderer',
      minify: true,
      chunkSizeWarningLimit: 1200,
      rolldownOptions: { input: 'renderer/index.html' },
    },
  },
});
