import { execFile } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import { describeUnless } from '../../testing/describe-unless.ts';
import { needsRoot } from '../../testing/obstacle.ts';
import { serverAccount } from './account.ts';
import { packagedFolder, usableBinaries } from './binaries.ts';
import { Kit } from './test-kit.ts';

const kit = new Kit();
afterEach(() => kit.end());
const run = promisify(execFile);
const account = serverAccount();

/** Creates the package as installed without scripts, in a folder that only its owner may enter. */
function bareInstallation(): string {
  const folder = join(kit.closedFolder('hengfu 衡付 '), 'package');
  const packaged = dirname(packagedFolder());
  mkdirSync(folder);
  cpSync(join(packaged, 'package.json'), join(folder, 'package.json'));
  cpSync(join(packaged, 'native'), join(folder, 'native'), { recursive: true, verbatimSymlinks: true });
  const links = JSON.parse(readFileSync(join(folder, 'native/pg-symlinks.json'), 'utf8'));
  for (const { target } of links) rmSync(join(folder, target));
  return join(folder, 'native');
}

async function versionOf(bin: string): Promise<string> {
  return (await run(join(bin, 'postgres'), ['-V'], { cwd: '/', ...account })).stdout;
}

describeUnless(needsRoot, 'the binaries of root’s cluster', () => {
  it('are copied beside the cluster if its user cannot reach them, once per version', async () => {
    const home = kit.openFolder();
    mkdirSync(join(home, 'binaries-1.0/bin'), { recursive: true });
    const packaged = bareInstallation();
    const bin = usableBinaries(packaged, home, account);
    expect(bin.startsWith(home)).toBe(true);
    expect(await versionOf(bin)).toContain('PostgreSQL');
    expect((await run(join(bin, 'initdb'), ['-V'], { cwd: '/', ...account })).stdout).toContain('PostgreSQL');
    expect(usableBinaries(packaged, home, account)).toBe(bin);
    expect(readdirSync(home)).toHaveLength(1);
    expect(existsSync(join(packaged, 'lib/libpq.so.5'))).toBe(false);
  });
});

describe('the binaries', () => {
  it('are used in place if they can be reached, once missing links have been created', async () => {
    const home = kit.openFolder();
    const packaged = bareInstallation();
    chmodSync(dirname(dirname(packaged)), 0o755);
    expect(usableBinaries(packaged, home, account)).toBe(join(packaged, 'bin'));
    expect(await versionOf(join(packaged, 'bin'))).toContain('PostgreSQL');
    expect(readdirSync(home)).toEqual([]);
  });
});
