import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { asOwner } from '@hengfu/server/db/owner.ts';

const run = promisify(execFile);
const debianFolder = '/usr/lib/postgresql';

/** Finds pgbench in PATH or where Debian's packages install it; undefined if it is not installed. */
function findPgbench(): string | undefined {
  const debianFolders = existsSync(debianFolder)
    ? readdirSync(debianFolder).map((version) => join(debianFolder, version, 'bin'))
    : [];
  const folders = [...(process.env.PATH ?? '').split(delimiter), ...debianFolders.toSorted().reverse()];
  return folders.map((folder) => join(folder, 'pgbench')).find((file) => existsSync(file));
}

/** pgbench's TPC-B (prepared) in a separate database of the same PostgreSQL. */
export interface Pgbench {
  /** Runs it once; returns transactions per second. Vacuums its tables afterwards, so that autovacuum does not fall into what is measured next. */
  run(plan: { clients: number; seconds: number }): Promise<number>;
}

/**
 * Prepares pgbench's tables; undefined if pgbench is not installed.
 * @param plan.scale branches, each with 100,000 accounts; every transaction updates one of them
 */
export async function openPgbench(
  ownerUrl: string,
  { scale }: { scale: number },
): Promise<Pgbench | undefined> {
  const pgbench = findPgbench();
  if (pgbench === undefined) return undefined;
  const url = new URL(ownerUrl);
  url.pathname = 'hengfu_pgbench';
  await asOwner(ownerUrl, async (client) => {
    await client.query('drop database if exists hengfu_pgbench');
    await client.query('create database hengfu_pgbench');
  });
  await run(pgbench, ['-i', '-q', '-s', String(scale), url.href]);
  return {
    async run({ clients, seconds }) {
      const options = ['-M', 'prepared', '-c', String(clients), '-j', '2', '-T', String(seconds)];
      const { stdout } = await run(pgbench, [...options, url.href]);
      await asOwner(url.href, (client) => client.query('vacuum (analyze)'));
      const found = /tps = ([\d.]+)/.exec(stdout);
      if (!found) throw new Error(`pgbench printed no tps: ${stdout}`);
      return Number(found[1]);
    },
  };
}
