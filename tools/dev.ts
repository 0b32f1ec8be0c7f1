import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { say } from './bootstrap/say.mjs';
import { runDevelopment } from './dev/run-development.ts';
import { runTool } from './run-tool.ts';
import { root } from './sources.ts';

/**
 * `npm run dev`: serves the console from its sources at PORT, and the back office two above it, with hot reload, in front of a server
 * that restarts when one of its files changes. The test passes another folder as an argument.
 */
const folder = resolve(process.argv[2] ?? root);

// The server reads its pages from there at start; the browser gets both applications from their sources.
if (['console', 'backoffice'].some((app) => !existsSync(join(folder, app, 'dist/index.html')))) {
  say('building the applications once, for the server …');
  const { exitCode, output } = await runTool(process.execPath, ['tools/build.ts']);
  if (exitCode !== 0) say(output);
}
process.exitCode = await runDevelopment(folder, Number(process.env.PORT || 8080));
