import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { root } from '../sources.ts';
import { PackageRegistry } from '../testing/package-registry.ts';
import { npmCi } from './npm.mjs';
import { withRuntimeFirst } from './runtime.mjs';

const names = ['allowed', 'denied', 'undecided'];
let folder: string;
let registry: PackageRegistry;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hengfu-scripts-'));
  registry = await PackageRegistry.start();
  for (const name of names)
    await registry.publish(name, `node -e "fs.writeFileSync('${join(folder, `${name}.ran`)}', '')"`);
});
afterAll(async () => {
  await registry.close();
  rmSync(folder, { recursive: true });
});

test('installs everything with the real npm, and runs only the script that is allowed by name', async () => {
  const product = {
    name: 'product',
    version: '1.0.0',
    dependencies: Object.fromEntries(names.map((name) => [name, '1.0.0'])),
  };
  const allowScripts = { allowed: true, denied: false, 'not-installed-here': true };
  const packages = {
    '': product,
    ...Object.fromEntries(names.map((name) => [`node_modules/${name}`, registry.lockEntry(name)])),
  };
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ ...product, allowScripts }));
  writeFileSync(
    join(folder, 'package-lock.json'),
    JSON.stringify({ ...product, lockfileVersion: 3, requires: true, packages }),
  );
  await npmCi(folder, {
    ...withRuntimeFirst(root),
    npm_config_registry: registry.url,
    npm_config_cache: join(folder, 'cache'),
  });
  const exists = (path: string) => existsSync(join(folder, path));
  expect(names.filter((name) => exists(`node_modules/${name}/package.json`))).toEqual(names);
  expect(names.filter((name) => exists(`${name}.ran`))).toEqual(['allowed']);
}, 120_000);
