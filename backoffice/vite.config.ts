import { resolve } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { preloadManifest } from '../console/vite/preload-manifest.ts';
import { proxyTo, serverBoot } from '../console/vite/server-boot.ts';

const here = import.meta.dirname;
/** Address at which the server has the back office; `npm run dev` sets it. */
const serverUrl = process.env.DEV_STAFF_URL ?? 'http://127.0.0.1:8082';

/** Each request costs a round trip: all style sheets are one file, and modules of several pages one chunk. */
const chunkGroups = [
  { name: 'styles', test: /\.css$/, priority: 2, includeDependenciesRecursively: false },
  { name: 'shared', minShareCount: 2 },
];

export default defineConfig({
  root: here,
  plugins: [react(), preloadManifest(), serverBoot(serverUrl)],
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
      input: { index: resolve(here, 'index.html') },
      output: { codeSplitting: { groups: chunkGroups }, strictExecutionOrder: true },
    },
  },
  server: { proxy: proxyTo(serverUrl) },
});
