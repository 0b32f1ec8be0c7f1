import { chownSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Account } from '#db/embedded/account.ts';
import { watchFolder } from './folder-watch.ts';
import type { RecoveryArchive } from './recovery-archive.ts';
import { isFollowed, isSegment, type LineageStep, positionOf, segmentName, timelineOf } from './wal.rules.ts';

/**
 * Requests the file `$1` from the product, and waits until it is there. Status 1 means that the archive has no such file, with which
 * the recovery ends; any status above 125 makes PostgreSQL give up.
 */
const script = `#!/bin/sh
folder=$(dirname "$0")
: > "$folder/wanted/$1" || exit 200
waited=0
while [ "$waited" -lt 30000 ]; do
  if [ -e "$folder/found/$1" ]; then mv "$folder/found/$1" "$2" || exit 200; exit 0; fi
  if [ -e "$folder/absent/$1" ]; then rm -f "$folder/absent/$1"; exit 1; fi
  [ -e "$folder/failed" ] && exit 200
  waited=$((waited + 1))
  sleep 0.02
done
exit 200
`;
const folders = ['wanted', 'found', 'absent'] as const;
const pollMs = 100;
/** Segments that are fetched ahead of PostgreSQL's requests. */
const ahead = 3;

/** Parameters of a {@link WalProvider}. */
export interface ProviderOptions {
  archive: RecoveryArchive;
  /** The files of the archive. */
  names: ReadonlySet<string>;
  lineage: readonly LineageStep[];
  /** A folder to create, which PostgreSQL's user can enter. */
  folder: string;
  account: Account | undefined;
}

/** Answers PostgreSQL's restore_command during a recovery: decrypts the files that it requests. */
export class WalProvider {
  readonly #options: ProviderOptions;
  readonly #stopping = new AbortController();
  readonly #fetched = new Map<string, Promise<Buffer | undefined>>();
  #running: Promise<void> = Promise.resolve();
  #wake: () => void = () => {};
  /** Why a file could not be delivered. */
  fault: Error | undefined;
  lastSegment: string | undefined;

  constructor(options: ProviderOptions) {
    this.#options = options;
  }

  /** The restore_command. PostgreSQL replaces `%f` and `%p`. */
  get command(): string {
    const path = join(this.#options.folder, 'fetch.sh');
    return `/bin/sh '${path.replaceAll("'", `'\\''`).replaceAll('%', '%%')}' %f %p`;
  }

  start(): void {
    const { folder, account } = this.#options;
    rmSync(folder, { recursive: true, force: true });
    for (const name of folders) mkdirSync(join(folder, name), { recursive: true, mode: 0o700 });
    writeFileSync(join(folder, 'fetch.sh'), script, { mode: 0o600 });
    if (account)
      for (const path of [folder, join(folder, 'fetch.sh'), ...folders.map((name) => join(folder, name))])
        chownSync(path, account.uid, account.gid);
    this.#running = this.#run();
  }

  /** Stops and removes the folder. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#wake();
    await this.#running;
    rmSync(this.#options.folder, { recursive: true, force: true });
  }

  async #run(): Promise<void> {
    const wanted = join(this.#options.folder, 'wanted');
    const unwatch = watchFolder(wanted, () => this.#wake());
    const { signal } = this.#stopping;
    try {
      while (!signal.aborted) {
        const woken = new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
        for (const name of await readdir(wanted)) {
          rmSync(join(wanted, name));
          await this.#answer(name);
        }
        await Promise.race([woken, pause(pollMs, undefined, { signal }).catch(() => {})]);
      }
    } catch (error) {
      this.fault = error instanceof Error ? error : new Error(String(error));
      this.#giveUp();
    } finally {
      unwatch();
    }
  }

  /** Ends PostgreSQL's wait. If even that cannot be written, its command gives up after some minutes. */
  #giveUp(): void {
    try {
      writeFileSync(join(this.#options.folder, 'failed'), '');
    } catch {}
  }

  async #answer(name: string): Promise<void> {
    const { folder, account } = this.#options;
    const content = await this.#fetch(name);
    this.#fetched.delete(name);
    if (!content) {
      if (this.#options.names.has(name))
        throw new Error(`${name} was removed from the archive during the restore`);
      this.#refuseGap(name);
      writeFileSync(join(folder, 'absent', name), '');
      return;
    }
    const prepared = join(folder, `${name}.new`);
    writeFileSync(prepared, content, { mode: 0o600 });
    if (account) chownSync(prepared, account.uid, account.gid);
    renameSync(prepared, join(folder, 'found', name));
    if (!isSegment(name)) return;
    this.lastSegment = name;
    for (let step = 1n; step <= ahead; step++)
      this.#fetch(segmentName(timelineOf(name), positionOf(name) + step)).catch(() => {});
  }

  #fetch(name: string): Promise<Buffer | undefined> {
    const { archive, names } = this.#options;
    const fetched =
      this.#fetched.get(name) ?? (names.has(name) ? archive.readWal(name) : Promise.resolve(undefined));
    this.#fetched.set(name, fetched);
    return fetched;
  }

  /**
   * PostgreSQL takes a missing segment for the end of the WAL. If later ones exist, it is none: something was removed. Nor is it
   * where a timeline branched off: PostgreSQL would replay the ancestor's segment, beyond the fork.
   */
  #refuseGap(name: string): void {
    const { lineage, names } = this.#options;
    if (!isSegment(name)) return;
    const position = positionOf(name);
    const segments = [...names].filter(isSegment);
    const own = segments.filter((each) => isFollowed(lineage, each));
    if (own.some((each) => positionOf(each) === position)) return;
    const later = own.filter((each) => positionOf(each) > position).sort()[0];
    if (later)
      throw new Error(`the segment ${name} is missing from the archive, which continues with ${later}`);
    const parent = lineage.find(({ endsIn }) => endsIn === position);
    if (parent && segments.includes(segmentName(parent.timeline, position)))
      throw new Error(
        `the segment ${name}, the first of its timeline, is missing from the archive: choose another with --timeline`,
      );
  }
}
