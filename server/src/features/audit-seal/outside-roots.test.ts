import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DirectoryStore } from '#files/file-store.ts';
import { Secrets } from '#security/secrets.ts';
import { SealedTrail } from '../../testing/sealed-trail.ts';
import { testKey } from '../../testing/test-database.ts';
import { readLastRoot, readRoot } from './audit-seal.sql.ts';
import { Outside } from './outside.ts';

let trail: SealedTrail;

beforeEach(async () => {
  trail = await SealedTrail.start();
});
afterEach(() => trail.close());

const fileOf = (day: Date) => `root-${day.toISOString().slice(0, 10)}.json`;
const tomorrow = () => new Date(Date.now() + 86_400_000);
const ownOutside = () => new Outside(trail.files, new Secrets(Buffer.from(testKey, 'hex')));
const rootOf = async (number: bigint) =>
  (await trail.product.services.database.asSystem((tx) => readRoot(tx, number))) ??
  expect.fail('no such root');

/** Replaces the copy outside by one of another database, which had the same number. */
async function differ(): Promise<void> {
  const file = await trail.newestFile();
  const copy = JSON.parse(await readFile(file, 'utf8'));
  await writeFile(file, JSON.stringify({ ...copy, sha256: '0'.repeat(64) }));
}

/** A place that fails to store roots, as when a process ends before it does. */
class FullStore extends DirectoryStore {
  override async put(key: string, content: Readable): Promise<void> {
    if (key.startsWith('root-')) throw new Error('the process has ended');
    await super.put(key, content);
  }
}

/** A place that accepts connections and never answers. */
class HangingStore extends DirectoryStore {
  readonly #hangs: 'list' | 'get' | 'content' | 'put';

  constructor(folder: string, hangs: 'list' | 'get' | 'content' | 'put') {
    super(folder);
    this.#hangs = hangs;
  }

  override list(prefix: string) {
    return this.#hangs === 'list' ? new Promise<never>(() => {}) : super.list(prefix);
  }

  override async get(key: string) {
    if (this.#hangs === 'get') return new Promise<never>(() => {});
    return this.#hangs === 'content' ? { bytes: 9, content: new Readable({ read() {} }) } : super.get(key);
  }

  override put(key: string, content: Readable) {
    return this.#hangs === 'put' ? new Promise<never>(() => {}) : super.put(key, content);
  }
}

describe('the newest root outside', () => {
  it('is that of the last day by name, and no file of an earlier name follows it', async () => {
    await trail.act();
    expect(await trail.daysAway(1).seal()).toEqual({ roots: 1, isComplete: true });
    await trail.act();
    // This process’s clock is a day behind that of the other one.
    expect(await trail.seal()).toBe(1);
    expect(await trail.rootFiles()).toEqual([fileOf(new Date()), fileOf(tomorrow())]);
    expect(await trail.newestNumber()).toBe('5');
    expect(JSON.parse(await readFile(join(trail.folder, fileOf(new Date())), 'utf8')).number).toBe('3');
    expect(await trail.faults()).toEqual([]);
  });

  it('is not replaced by an earlier one, whenever that arrives, nor by another one of its number', async () => {
    await ownOutside().keep(await rootOf(2n));
    expect(await trail.newestNumber()).toBe('3');
    const root = await rootOf(3n);
    await expect(ownOutside().keep({ ...root, sha256: Buffer.alloc(32) })).rejects.toThrow('differs');
    expect(await trail.newestNumber()).toBe('3');
  });

  it('is written again after its process ended too early, even as the first one after an accepted loss', async () => {
    const ending = trail.sealedBy({ files: new FullStore(trail.folder) });
    await trail.act();
    await expect(ending.seal()).rejects.toThrow('has ended');
    expect([await trail.newestNumber(), await trail.seal(), await trail.newestNumber()]).toEqual([
      '3',
      0,
      '4',
    ]);
    await trail.cutOff();
    await trail.asThief(
      'delete from audit_seal where root_number = 4',
      'delete from audit_root where number = 4',
    );
    expect(await trail.product.services.auditSeal.accept('operator:test', 'restored')).toMatchObject({
      lost: '4',
    });
    await expect(ending.seal()).rejects.toThrow('has ended');
    expect((await trail.product.services.database.asSystem(readLastRoot))?.number).toBe(5n);
    // Accepting once more would give up the new root, too.
    expect(await trail.product.services.auditSeal.accept('operator:test', 'again')).toBeUndefined();
    expect([await trail.newestNumber(), await trail.seal(), await trail.newestNumber()]).toEqual([
      '4',
      0,
      '5',
    ]);
    expect(await trail.faults()).toEqual([]);
  });
});

describe('a copy outside that differs', () => {
  it('stops the sealing, and can be accepted after a failover or a restore for practice', async () => {
    await differ();
    await expect(trail.seal()).rejects.toThrow('differs from its copy');
    expect(await trail.faults()).toEqual(['root 3 differs from its copy outside']);
    const { auditSeal } = trail.product.services;
    expect(await auditSeal.accept('operator:test', 'failed over')).toMatchObject({
      lost: '3',
      lostSha256: '0'.repeat(64),
      kept: '3',
    });
    // The day after, so that the copy that differs is still there.
    expect((await trail.daysAway(1).seal()).roots).toBe(1);
    expect(await trail.rootFiles()).toHaveLength(2);
    expect(await trail.faults()).toEqual([]);
    await trail.act();
    expect(await trail.seal()).toBe(1);
    expect((await trail.verify()).losses).toHaveLength(1);
  });

  it('is found if the database’s own root was exchanged, also after an accepted loss', async () => {
    await differ();
    await trail.product.services.auditSeal.accept('operator:test', 'failed over');
    await trail.daysAway(1).seal();
    await trail.asThief(`update audit_root set sha256 = sha256('x') where number = 4`);
    expect(await trail.faults()).toContain('root 4 differs from its copy outside');
  });
});

describe('a file outside that is garbled', () => {
  it.each([
    ['is cut short', '{"number": "3", "sha2'],
    ['is empty', ''],
    [
      'has a number that is none',
      JSON.stringify({ number: '', sha256: '0'.repeat(64), mac: '', sealedAt: '' }),
    ],
    ['is null', 'null'],
  ])('is named by the sealer and by the verification, if it %s', async (_how, content) => {
    const name = (await trail.rootFiles())[0] ?? '';
    await writeFile(join(trail.folder, name), content);
    await expect(trail.seal()).rejects.toThrow(
      `${name}, the newest root outside the database, cannot be read`,
    );
    expect(await trail.faults()).toEqual([
      expect.stringContaining(`${name} outside the database cannot be read: `),
    ]);
  });

  it('is named also if it is an accepted loss', async () => {
    await trail.cutOff();
    const { auditSeal } = trail.product.services;
    await auditSeal.accept('operator:test', 'restored');
    await trail.seal();
    const file = join(trail.folder, 'accepted-3.json');
    const content = await readFile(file, 'utf8');
    await writeFile(file, content.replace('restored', 'a drill'));
    expect((await trail.faults())[0]).toMatch(/^accepted-3\.json .* altered, or made with another APP_KEY/);
    await writeFile(file, '{');
    expect((await trail.faults())[0]).toMatch(/^accepted-3\.json outside the database cannot be read/);
    await writeFile(file, content);
    expect(await trail.faults()).toEqual([]);
  });
});

describe('a place outside that hangs', () => {
  it.each(['list', 'get', 'content', 'put'] as const)('ends the run after the deadline: %s', async (what) => {
    const files = new HangingStore(trail.folder, what);
    await trail.act();
    const hanging = trail.sealedBy({ files, deadlineMs: 50 });
    await expect(hanging.seal()).rejects.toThrow(
      /^the place outside the database did not .* within 0\.05 s$/,
    );
    if (what === 'put') return;
    const { faults } = await hanging.verify();
    expect(faults.map(({ fault }) => fault).join('\n')).toContain('within 0.05 s');
  });
});

describe('another APP_KEY', () => {
  it('takes over the accepted losses, which count after the earlier key is gone', async () => {
    await trail.cutOff();
    await trail.product.services.auditSeal.accept('operator:test', 'restored');
    await trail.seal();
    const [key, previousKey] = ['7'.repeat(64), testKey];
    const both = trail.sealedBy({ key, previousKey });
    expect(await both.renewLosses()).toEqual({ renewed: 1, faults: [] });
    expect((await both.verify()).faults).toEqual([]);
    await trail.act();
    expect((await both.seal()).roots).toBe(1);
    const { faults, losses } = await trail.sealedBy({ key }).verify();
    expect([faults, losses.length]).toEqual([[], 1]);
  });

  it('says which accepted losses it cannot take over', async () => {
    await trail.cutOff();
    await trail.product.services.auditSeal.accept('operator:test', 'restored');
    const { renewed, faults } = await trail.sealedBy({ key: '7'.repeat(64) }).renewLosses();
    expect([renewed, faults]).toEqual([0, [expect.stringContaining('accepted-3.json')]]);
  });
});

it('a lost place is filled again from the database', async () => {
  await rm(trail.folder, { recursive: true });
  expect(await trail.seal()).toBe(0);
  expect(await trail.newestNumber()).toBe('3');
});
