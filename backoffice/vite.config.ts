import { resolve } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { preloadManifest } from '../console/vite/preload-manifest.ts';

const here = import.meta.dirname;

export default defineConfig({
  root: here,
  plugins: [react(), preloadManifest()],
  // The server replaces this by the nonce of each reply's content security policy.
  html: { cspNonce: '__CSP_NONCE__' },
  build: {
    target: 'es2023',
    // The policy allows images of this site only, so nothing is inlined as data.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    sourcemap: false,
    rolldownOptions: { input: { index: resolve(here, 'index.html') } },
  },
});
