import { join } from 'node:path';
import { runTool } from '../run-tool.ts';
import type { Buildable } from './build-if-stale.ts';
import { precompress } from './precompress.ts';

/** Sources of every app, besides its own: the shared controls and calls, contract, phrases and the build plugins of the console. */
const shared = ['console/vite', 'client', 'ui/src', 'contract', 'phrases'];

/**
 * An app for the browser.
 * @param base the repository
 * @param folder the app's workspace
 */
export function appBundle(base: string, folder: 'console' | 'backoffice'): Buildable {
  return {
    dist: join(base, folder, 'dist'),
    sources: new RegExp(`^(${[folder, ...shared].join('|')})/`),
    bundle: async (outDir) => {
      const { exitCode, output } = await runTool('vite', [
        'build',
        folder,
        '--outDir',
        outDir,
        '--emptyOutDir',
      ]);
      if (exitCode !== 0) throw new Error(output);
      await precompress(outDir);
    },
  };
}
