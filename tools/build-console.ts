import { join } from 'node:path';
import { say } from './bootstrap/say.mjs';
import { buildIfStale } from './console-build/build-if-stale.ts';
import { runTool } from './run-tool.ts';
import { root } from './sources.ts';

/** `npm run build`, and the first step of `npm start`: builds console/dist unless it is up to date. */
const startedAtMs = performance.now();

async function bundle(outDir: string): Promise<void> {
  say('building the console …');
  const { exitCode, output } = await runTool('vite', [
    'build',
    'console',
    '--outDir',
    outDir,
    '--emptyOutDir',
  ]);
  if (exitCode !== 0) throw new Error(output);
}

try {
  const isBuilt = await buildIfStale(root, join(root, 'console/dist'), bundle);
  if (isBuilt) say(`console built in ${((performance.now() - startedAtMs) / 1000).toFixed(1)} s`);
} catch (error) {
  say(`the console could not be built: ${error instanceof Error ? error.message : error}`);
  process.exitCode = 1;
}
