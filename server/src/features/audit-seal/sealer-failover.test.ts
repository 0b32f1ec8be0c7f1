import type { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { asOwner } from '#db/owner.ts';
import { DirectoryStore } from '#files/file-store.ts';
import { makeTemplate, type OwnCluster, startOwnCluster } from '../../testing/own-cluster.ts';
import { SealedTrail } from '../../testing/sealed-trail.ts';
import { until } from '../../testing/until.ts';

/** A place that fails to store roots, as when a process ends before it does. */
class FullStore extends DirectoryStore {
  override async put(key: string, content: Readable): Promise<void> {
    if (key.startsWith('root-')) throw new Error('the process has ended');
    await super.put(key, content);
  }
}

/** A place that does something before each look at it. */
class WatchedStore extends DirectoryStore {
  readonly #onList: () => Promise<void>;

  constructor(folder: string, onList: () => Promise<void>) {
    super(folder);
    this.#onList = onList;
  }

  override async list(prefix: string): Promise<string[]> {
    await this.#onList();
    return super.list(prefix);
  }
}

describe('a server that takes over while rows are sealed', () => {
  let trail: SealedTrail;
  beforeEach(async () => {
    trail = await SealedTrail.start();
  });
  afterEach(() => trail.close());

  it('gets no root over IDs that its sequence has not given', async () => {
    await trail.act(trail.merchant, 'late', 3);
    const sequence = (id: string) =>
      asOwner(trail.product.ownerUrl, (client) => client.query(`select setval('audit_id_seq', ${id})`));
    const last = (await trail.ask('select max(id) from audit')) ?? '';
    const files = new WatchedStore(trail.folder, async () => void (await sequence(`${last} - 1`)));
    expect(await trail.sealedBy({ files }).seal()).toEqual({ roots: 0, isComplete: false });
    expect(await trail.ask('select max(number) from audit_root')).toBe('3');
    await sequence(last);
    expect(await trail.seal()).toBe(1);
    expect(await trail.faults()).toEqual([]);
  });
});

describe('a root of a process that has ended', () => {
  let cluster: OwnCluster;
  let trail: SealedTrail;
  beforeEach(async () => {
    cluster = await startOwnCluster();
    await makeTemplate(cluster.ownerUrl);
    trail = await SealedTrail.start(cluster.ownerUrl);
  }, 120_000);
  afterEach(async () => {
    // Or else nothing could be closed after a failure.
    await requireStandby('');
    await trail?.close();
    await cluster?.remove();
  });

  async function requireStandby(names: string): Promise<void> {
    await cluster.ask(`alter system set synchronous_standby_names = '${names}'`);
    await cluster.ask('select pg_reload_conf()');
    await until(
      () => cluster.ask<string>('show synchronous_standby_names'),
      (found) => found === names,
    );
  }

  it('is kept outside only once the synchronous standby has it', async () => {
    await trail.act();
    const ending = trail.sealedBy({ files: new FullStore(trail.folder) });
    await expect(ending.seal()).rejects.toThrow('has ended');
    await requireStandby('missing');
    const sealing = trail.seal();
    await until(
      () => cluster.ask<string>(`select count(*)::text from pg_stat_activity where wait_event = 'SyncRep'`),
      (waiting) => waiting === '1',
    );
    expect(await trail.newestNumber()).toBe('3');
    await requireStandby('');
    expect(await sealing).toBe(0);
    expect(await trail.newestNumber()).toBe('4');
  }, 60_000);
});
