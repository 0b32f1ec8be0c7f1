import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { say } from './bootstrap/say.mjs';
import { appBundle } from './build/app-bundle.ts';
import { type Buildable, buildIfStale } from './build/build-if-stale.ts';
import { sandboxBundle, serverBundle } from './build/server-bundle.ts';
import { listFiles, root } from './sources.ts';

/** `npm run build`, and the first step of `npm start`: builds each part unless it is up to date. */
const parts = {
  console: appBundle(root, 'console'),
  'back office': appBundle(root, 'backoffice'),
  server: serverBundle(root),
  // An image has none.
  ...(existsSync(join(root, 'sandbox')) && { 'sandbox bank': sandboxBundle(root) }),
};
const files = listFiles();

async function build(name: string, part: Buildable): Promise<void> {
  const startedAtMs = performance.now();
  const bundle = (outDir: string) => {
    say(`building the ${name} …`);
    return part.bundle(outDir);
  };
  const isBuilt = await buildIfStale(root, { ...part, bundle }, files);
  if (isBuilt) say(`${name} built in ${((performance.now() - startedAtMs) / 1000).toFixed(1)} s`);
}

for (const [name, part] of Object.entries(parts))
  await build(name, part).catch((error: unknown) => {
    say(`the ${name} could not be built: ${error instanceof Error ? error.message : error}`);
    process.exitCode = 1;
  });
