import { chmodSync, cpSync, mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { describeUnless } from '../../testing/describe-unless.ts';
import { needsRoot } from '../../testing/obstacle.ts';
import { readAccess, writeAccess } from './access.ts';
import { giveTo } from './account.ts';
import { type ClusterLocation, findCluster } from './cluster-location.ts';
import { Kit } from './test-kit.ts';

const kit = new Kit();
afterEach(() => kit.end());

/** Creates the cluster of a data directory, as a first start does. Returns its location. */
function createCluster(dataDir: string): ClusterLocation {
  const location = findCluster(dataDir, () => {});
  mkdirSync(location.cluster, { mode: 0o700 });
  giveTo(location.account, location.cluster);
  writeAccess(dataDir, { port: 20_000, ownerPassword: 'a', superuserPassword: 'b' });
  if (location.home !== dataDir) kit.removeLater(location.home);
  return location;
}

const findAgain = (dataDir: string) => findCluster(dataDir, () => {});

describeUnless(needsRoot, 'the location of root’s cluster', () => {
  it('stays the same when the data directory is opened to others later, or moved', () => {
    const folder = kit.closedFolder();
    const dataDir = join(folder, 'data');
    mkdirSync(dataDir);
    const lines: string[] = [];
    findCluster(dataDir, (line) => lines.push(line));
    expect(lines).toEqual([expect.stringContaining(`can't enter ${dataDir}`)]);
    const { home } = createCluster(dataDir);
    expect(lines[0]).toContain(home);
    chmodSync(folder, 0o755);
    expect(findAgain(dataDir).home).toBe(home);
    const moved = join(folder, 'moved');
    renameSync(dataDir, moved);
    expect(findAgain(moved).home).toBe(home);
    const copy = join(folder, 'copy');
    cpSync(moved, copy, { recursive: true });
    expect(findAgain(copy).home).toBe(copy);
    expect(readAccess(copy)).toBeUndefined();
    expect(findAgain(moved).home).toBe(home);
  });

  it('is never replaced by a new one when the data directory is closed later', () => {
    const dataDir = kit.openFolder();
    expect(createCluster(dataDir).home).toBe(dataDir);
    chmodSync(dataDir, 0o700);
    expect(() => findAgain(dataDir)).toThrow("can't enter that directory any more");
  });

  it('belongs to the user that created it, or to the server’s user if root has copied it', () => {
    const dataDir = kit.openFolder();
    const { cluster, account } = createCluster(dataDir);
    giveTo({ uid: 4242, gid: 4242 }, cluster);
    expect(findAgain(dataDir).account).toEqual({ uid: 4242, gid: 4242 });
    giveTo({ uid: 0, gid: 0 }, cluster);
    expect(findAgain(dataDir).account).toEqual(account);
  });
});
