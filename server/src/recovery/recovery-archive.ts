import { createHash } from 'node:crypto';
import { pipeline, Readable, type Transform } from 'node:stream';
import { createZstdCompress, createZstdDecompress } from 'node:zlib';
import * as z from 'zod';
import type { ListedStore } from '#files/file-store.ts';
import { SealError, seal, unseal } from './sealed-file.ts';
import { isArchived } from './wal.rules.ts';

const baseManifest = z.object({
  format: z.literal(1),
  label: z.string(),
  startedAt: z.iso.datetime().transform((text) => new Date(text)),
  stoppedAt: z.iso.datetime().transform((text) => new Date(text)),
  timeline: z.number().int(),
  firstSegment: z.string(),
  lastSegment: z.string(),
  /** PostgreSQL's major version: no other one can use the files. */
  postgres: z.number().int(),
  /** Identifies the APP_KEY under which the secrets in it are encrypted. */
  appKeyMark: z.string(),
  /** The file that tells PostgreSQL where its recovery begins. */
  backupLabel: z.string(),
  files: z.number().int(),
  bytes: z.number().int(),
  /** SHA-256 of the tar, before compression. */
  sha256: z.string(),
});

/** A complete base backup. */
export type BaseManifest = z.output<typeof baseManifest>;

/** The files of one database system in an archive. */
export interface ArchiveContent {
  wal: string[];
  /** Labels of the complete base backups. */
  bases: string[];
  /** Labels of those whose manifest is missing: interrupted, or still in progress. */
  unfinished: string[];
}

/** A file of the archive exists with other content: two systems write to one archive, or one was restored twice. */
export class ArchiveConflict extends Error {}

/** Parameters of a {@link RecoveryArchive}. */
export interface RecoveryArchiveOptions {
  store: ListedStore;
  /** The first one encrypts; each decrypts. */
  keys: readonly [Buffer, ...Buffer[]];
}

/**
 * WAL segments and base backups in a directory or a bucket, compressed with zstd and sealed. Names begin with the identifier that
 * PostgreSQL gives each database system, so that several may share a place.
 */
export class RecoveryArchive {
  readonly system: string;
  readonly #store: ListedStore;
  readonly #keys: RecoveryArchiveOptions['keys'];

  constructor(system: string, { store, keys }: RecoveryArchiveOptions) {
    this.system = system;
    this.#store = store;
    this.#keys = keys;
  }

  /**
   * Stores a segment or history file, and reads it back. Accepts a repetition with the same content; throws
   * {@link ArchiveConflict} if the content differs.
   */
  async putWal(name: string, content: Buffer): Promise<void> {
    const key = this.#walKey(name);
    const stored = await this.#read(key);
    if (stored) {
      if (stored.equals(content)) return;
      throw new ArchiveConflict(`${key} is already in the archive with different content`);
    }
    const sealed: Buffer[] = [];
    for await (const piece of this.#sealed(key, [content])) sealed.push(piece);
    await this.#store.put(key, Readable.from(sealed));
    if (!(await this.#holds(key, sealed))) throw new Error(`${key} is not in the archive as it was written`);
  }

  /** Reads a segment or history file; undefined if there is none. Throws `SealError`. */
  readWal(name: string): Promise<Buffer | undefined> {
    return this.#read(this.#walKey(name));
  }

  /** Stores the tar of a base backup, and reads it back to its end. Returns its size and SHA-256. */
  async putBase(label: string, tar: AsyncIterable<Buffer>): Promise<{ bytes: number; sha256: string }> {
    const key = this.#baseKey(label, 'tar');
    const facts = new Facts();
    await this.#store.put(key, Readable.from(this.#sealed(key, facts.of(tar))));
    const stored = new Facts();
    for await (const _ of stored.of(await this.readBase(label)));
    if (stored.sha256() !== facts.sha256()) throw new Error(`${key} is not in the archive as it was written`);
    return { bytes: facts.bytes, sha256: facts.sha256() };
  }

  /** Reads the tar of a base backup. Throws if it is missing, and `SealError` while it is read. */
  async readBase(label: string): Promise<AsyncIterable<Buffer>> {
    const key = this.#baseKey(label, 'tar');
    const file = await this.#store.get(key);
    if (!file) throw new Error(`${key} is missing from the archive`);
    return this.#opened(key, file.content);
  }

  /** Declares a base backup complete: one without a manifest does not count. */
  async putManifest(manifest: z.input<typeof baseManifest>): Promise<void> {
    const key = this.#baseKey(manifest.label, 'manifest');
    await this.#store.put(key, Readable.from(this.#sealed(key, [Buffer.from(JSON.stringify(manifest))])));
  }

  /**
   * Reads the manifests of the complete base backups, oldest first. One that is damaged, or was sealed with a key that is gone, is
   * reported and left out, so that the others remain of use. Throws `SealError` if none can be read.
   */
  async readBases(report: (fault: SealError) => void = () => {}): Promise<BaseManifest[]> {
    const { bases } = await this.list();
    const manifests: BaseManifest[] = [];
    const faults: SealError[] = [];
    for (const label of bases) {
      const text = await this.#read(this.#baseKey(label, 'manifest')).catch((error: unknown) => {
        if (!(error instanceof SealError)) throw error;
        faults.push(error);
      });
      if (text) manifests.push(baseManifest.parse(JSON.parse(text.toString('utf8'))));
    }
    if (manifests.length === 0 && faults[0]) throw faults[0];
    for (const fault of faults) report(fault);
    return manifests.sort((a, b) => a.stoppedAt.getTime() - b.stoppedAt.getTime());
  }

  /** Lists the names of WAL files, and the labels of base backups. */
  async list(): Promise<ArchiveContent> {
    const prefix = `${this.system}.`;
    const toNames = (keys: string[]) => keys.map((key) => key.slice(prefix.length));
    const names = toNames(await this.#store.list(prefix));
    const partial = toNames((await this.#store.listPartial?.(prefix)) ?? []);
    const labelsOf = (part: string, among = names) =>
      among.flatMap((name) => new RegExp(`^base\\.(.+)\\.${part}$`).exec(name)?.[1] ?? []).sort();
    const bases = labelsOf('manifest');
    return {
      wal: names.flatMap((name) => (name.startsWith('wal.') ? name.slice('wal.'.length) : [])).sort(),
      bases,
      unfinished: labelsOf('tar', [...names, ...partial]).filter((label) => !bases.includes(label)),
    };
  }

  async removeWal(name: string): Promise<void> {
    await this.#store.delete(this.#walKey(name));
  }

  /** Removes a base backup, the manifest first: without its tar it must not count. */
  async removeBase(label: string): Promise<void> {
    await this.#store.delete(this.#baseKey(label, 'manifest'));
    await this.#store.delete(this.#baseKey(label, 'tar'));
  }

  #walKey(name: string): string {
    if (!isArchived(name)) throw new Error(`“${name}” is no file of the WAL`);
    return `${this.system}.wal.${name}`;
  }

  #baseKey(label: string, part: 'tar' | 'manifest'): string {
    return `${this.system}.base.${label}.${part}`;
  }

  async #read(key: string): Promise<Buffer | undefined> {
    const file = await this.#store.get(key);
    if (!file) return undefined;
    const pieces: Buffer[] = [];
    for await (const piece of this.#opened(key, file.content)) pieces.push(piece);
    return Buffer.concat(pieces);
  }

  async #holds(key: string, sealed: readonly Buffer[]): Promise<boolean> {
    const expected = createHash('sha256');
    for (const piece of sealed) expected.update(piece);
    const found = createHash('sha256');
    for await (const piece of (await this.#store.get(key))?.content ?? []) found.update(piece);
    return found.digest().equals(expected.digest());
  }

  #sealed(key: string, content: AsyncIterable<Buffer> | Iterable<Buffer>): AsyncIterable<Buffer> {
    return seal(this.#keys[0], key, through(content, createZstdCompress()));
  }

  #opened(key: string, content: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
    return through(unseal(this.#keys, key, content), createZstdDecompress());
  }
}

/** Lists the database systems that have files in a store. */
export async function listSystems(store: ListedStore): Promise<string[]> {
  const systems = (await store.list('')).flatMap((key) => /^(\d+)\.(?:wal|base)\./.exec(key)?.[1] ?? []);
  return [...new Set(systems)];
}

/** Passes content through a transform. Whoever reads the result gets the error of either. */
function through(
  content: AsyncIterable<Buffer> | Iterable<Buffer>,
  transform: Transform,
): AsyncIterable<Buffer> {
  pipeline(Readable.from(content, { objectMode: false }), transform, () => {});
  return transform;
}

/** Measures content on its way. */
class Facts {
  bytes = 0;
  readonly #hash = createHash('sha256');

  async *of(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const piece of content) {
      this.bytes += piece.length;
      this.#hash.update(piece);
      yield piece;
    }
  }

  sha256(): string {
    return this.#hash.copy().digest('hex');
  }
}
