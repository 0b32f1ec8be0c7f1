import { resolve } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { chunkGroups } from './vite/chunks.ts';
import { compileHints } from './vite/compile-hints.ts';
import { inlineEntry } from './vite/inline-entry.ts';
import { omitOfficePhrases } from './vite/omit-office-phrases.ts';
import { preloadManifest } from './vite/preload-manifest.ts';
import { serverBoot, serverProxy } from './vite/server-boot.ts';

const here = import.meta.dirname;

export default defineConfig({
  root: here,
  plugins: [react(), omitOfficePhrases(), preloadManifest(), inlineEntry(), compileHints(), serverBoot()],
  // The server replaces this by the nonce of each reply's content security policy.
  html: { cspNonce: '__CSP_NONCE__' },
  build: {
    target: 'es2023',
    // The policy allows images of this site only, so nothing is inlined as data.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    sourcemap: false,
    chunkSizeWarningLimit: 700,
    rolldownOptions: {
      // Few chunks hold many modules; each runs when it is first imported, not when its chunk is.
      output: { codeSplitting: { groups: chunkGroups }, strictExecutionOrder: true },
      input: { index: resolve(here, 'index.html'), cashier: resolve(here, 'cashier.html') },
    },
  },
  server: { proxy: serverProxy },
});
