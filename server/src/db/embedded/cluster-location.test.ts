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

/** The place of a data directory, with a cluster in it as a first start leaves it. */
function settle(dataDir: string): ClusterLocation {
  const place = findCluster(dataDir, () => {});
  mkdirSync(place.cluster, { mode: 0o700 });
  giveTo(place.account, place.cluster);
  writeAccess(dataDir, { port: 20_000, ownerPassword: 'a', superuserPassword: 'b' });
  if (place.home !== dataDir) kit.removeLater(place.home);
  return place;
}

const again = (dataDir: string) => findCluster(dataDir, () => {});

describeUnless(needsRoot, 'the place of root’s cluster', () => {
  it('stays where it is when the data directory is opened to others later, or moved', () => {
    const folder = kit.closedFolder();
    const dataDir = join(folder, 'data');
    mkdirSync(dataDir);
    const lines: string[] = [];
    findCluster(dataDir, (line) => lines.push(line));
    expect(lines).toEqual([expect.stringContaining(`can't enter ${dataDir}`)]);
    const { home } = settle(dataDir);
    expect(lines[0]).toContain(home);
    chmodSync(folder, 0o755);
    expect(again(dataDir).home).toBe(home);
    const moved = join(folder, 'moved');
    renameSync(dataDir, moved);
    expect(again(moved).home).toBe(home);
    const copy = join(folder, 'copy');
    cpSync(moved, copy, { recursive: true });
    expect(again(copy).home).toBe(copy);
    expect(readAccess(copy)).toBeUndefined();
    expect(again(moved).home).toBe(home);
  });

  it('is never made anew elsewhere when the data directory is closed later', () => {
    const dataDir = kit.openFolder();
    expect(settle(dataDir).home).toBe(dataDir);
    chmodSync(dataDir, 0o700);
    expect(() => again(dataDir)).toThrow("can't enter that directory any more");
  });

  it('belongs to the user that made it, and to the server’s where root has copied it', () => {
    const dataDir = kit.openFolder();
    const { cluster, account } = settle(dataDir);
    giveTo({ uid: 4242, gid: 4242 }, cluster);
    expect(again(dataDir).account).toEqual({ uid: 4242, gid: 4242 });
    giveTo({ uid: 0, gid: 0 }, cluster);
    expect(again(dataDir).account).toEqual(account);
  });
});
