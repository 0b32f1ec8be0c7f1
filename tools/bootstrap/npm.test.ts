import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { root } from '../sources.ts';
import { PackageRegistry } from '../testing/package-registry.ts';
import { npmCi, npmComplete } from './npm.mjs';
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

const npmEnvironment = () => ({
  ...withRuntimeFirst(root),
  npm_config_registry: registry.url,
  npm_config_cache: join(folder, 'cache'),
});

test('installs what some workspaces need with the real npm, and later adds the rest', async () => {
  const directory = join(folder, 'parts');
  const product = { name: 'parts', version: '1.0.0', workspaces: ['shop', 'tests'] };
  const parts = {
    shop: { name: 'shop', version: '1.0.0', dependencies: { denied: '1.0.0' } },
    tests: { name: 'tests', version: '1.0.0', dependencies: { undecided: '1.0.0' } },
  };
  const write = (path: string, content: object) => {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), JSON.stringify(content));
  };
  write('package.json', product);
  for (const [name, part] of Object.entries(parts)) write(`${name}/package.json`, part);
  const links = Object.keys(parts).map((name) => [`node_modules/${name}`, { resolved: name, link: true }]);
  const packages = {
    '': product,
    ...parts,
    ...Object.fromEntries(links),
    'node_modules/denied': registry.lockEntry('denied'),
    'node_modules/undecided': registry.lockEntry('undecided'),
  };
  write('package-lock.json', { ...product, lockfileVersion: 3, requires: true, packages });
  const lockFile = readFileSync(join(directory, 'package-lock.json'), 'utf8');
  const installed = () =>
    ['denied', 'undecided'].filter((name) =>
      existsSync(join(directory, 'node_modules', name, 'package.json')),
    );
  await npmCi(directory, npmEnvironment(), ['shop']);
  expect(installed()).toEqual(['denied']);
  const kept = join(directory, 'node_modules/denied/kept');
  writeFileSync(kept, '');
  await npmComplete(directory, npmEnvironment());
  expect(installed()).toEqual(['denied', 'undecided']);
  expect(existsSync(kept)).toBe(true);
  expect(readFileSync(join(directory, 'package-lock.json'), 'utf8')).toBe(lockFile);
}, 120_000);

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
  await npmCi(folder, npmEnvironment());
  const exists = (path: string) => existsSync(join(folder, path));
  expect(names.filter((name) => exists(`node_modules/${name}/package.json`))).toEqual(names);
  expect(names.filter((name) => exists(`${name}.ran`))).toEqual(['allowed']);
}, 120_000);
