import { existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { chmod } from 'node:fs/promises';
import { join } from 'node:path';

/** Exits with 0 once the product has stored the segment `$1`, with 1 if it cannot: PostgreSQL then keeps it and asks again. */
const script = `#!/bin/sh
cd "$(dirname "$0")" || exit 1
waited=0
while [ ! -e "stored/$1" ]; do
  [ -e failing ] && exit 1
  waited=$((waited + 1))
  [ "$waited" -gt 100 ] && exit 1
  sleep 0.1
done
`;

/**
 * The folder beside a cluster by which the uploader and PostgreSQL's archive_command agree on what is stored. PostgreSQL keeps a
 * segment until the command has succeeded, and the command succeeds only for segments that the uploader has marked.
 */
export class Handover {
  readonly #folder: string;
  /** When the cluster was first archived. */
  readonly since: Date;

  /** Creates the folder in the home of a cluster. */
  static async open(home: string): Promise<Handover> {
    const folder = join(home, 'wal-handover');
    // Marks of an earlier run may be another cluster's. A segment that is stored already is accepted again.
    rmSync(join(folder, 'stored'), { recursive: true, force: true });
    mkdirSync(join(folder, 'stored'), { recursive: true });
    writeFileSync(join(folder, 'await-stored.sh'), script);
    rmSync(join(folder, 'failing'), { force: true });
    const since = join(folder, 'since');
    if (!existsSync(since)) writeFileSync(since, '');
    // PostgreSQL may run as another user, whatever our umask is.
    for (const path of [folder, join(folder, 'stored'), join(folder, 'await-stored.sh')])
      await chmod(path, 0o755);
    return new Handover(folder, statSync(since).mtime);
  }

  private constructor(folder: string, since: Date) {
    this.#folder = folder;
    this.since = since;
  }

  /** The archive_command. PostgreSQL replaces `%f`, and `%%` by a percent sign. */
  get command(): string {
    const path = join(this.#folder, 'await-stored.sh');
    return `/bin/sh '${path.replaceAll("'", `'\\''`).replaceAll('%', '%%')}' %f`;
  }

  has(name: string): boolean {
    return existsSync(this.#marker(name));
  }

  /** Marks a file as stored. */
  mark(name: string): void {
    writeFileSync(this.#marker(name), '');
    rmSync(join(this.#folder, 'failing'), { force: true });
  }

  /** Makes the command fail at once instead of waiting, until the next file is stored. */
  markFailing(): void {
    // If the folder is gone, so is the cluster: nobody waits.
    if (existsSync(this.#folder)) writeFileSync(join(this.#folder, 'failing'), '');
  }

  /** Removes the marks of files that PostgreSQL no longer waits for. */
  keepOnly(waiting: ReadonlySet<string>): void {
    for (const name of readdirSync(join(this.#folder, 'stored')))
      if (!waiting.has(name)) rmSync(this.#marker(name), { force: true });
  }

  #marker(name: string): string {
    return join(this.#folder, 'stored', name);
  }
}
