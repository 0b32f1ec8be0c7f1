import { join } from 'node:path';
import { runTool } from '../run-tool.ts';
import type { Buildable } from './build-if-stale.ts';
import { precompress } from './precompress.ts';

/**
 * The console: its sources, the shared controls, contract and phrases.
 * @param base the repository
 */
export function consoleBundle(base: string): Buildable {
  return {
    dist: join(base, 'console/dist'),
    sources: /^(console|ui\/src|contract|phrases)\//,
    bundle: async (outDir) => {
      const { exitCode, output } = await runTool('vite', [
        'build',
        'console',
        '--outDir',
        outDir,
        '--emptyOutDir',
      ]);
      if (exitCode !== 0) throw new Error(output);
      await precompress(outDir);
    },
  };
}
