import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { asOwner } from '@hengfu/server/db/owner.ts';

const run = promisify(execFile);
const debianFolder = '/usr/lib/postgresql';
const scale = 20;

/** Where pgbench is: in PATH, or where Debian's packages put it; undefined where it is not installed. */
function findPgbench(): string | undefined {
  const ofDebian = existsSync(debianFolder)
    ? readdirSync(debianFolder).map((version) => join(debianFolder, version, 'bin'))
    : [];
  const folders = [...(process.env.PATH ?? '').split(delimiter), ...ofDebian.toSorted().reverse()];
  return folders.map((folder) => join(folder, 'pgbench')).find((file) => existsSync(file));
}

/**
 * Transactions a second of pgbench's TPC-B (prepared) on a database of its own in the same PostgreSQL; undefined where
 * pgbench is not installed.
 */
export async function measurePgbench(
  ownerUrl: string,
  { clients, seconds }: { clients: number; seconds: number },
): Promise<number | undefined> {
  const pgbench = findPgbench();
  if (pgbench === undefined) return undefined;
  const url = new URL(ownerUrl);
  url.pathname = 'hengfu_pgbench';
  await asOwner(ownerUrl, async (client) => {
    await client.query('drop database if exists hengfu_pgbench');
    await client.query('create database hengfu_pgbench');
  });
  await run(pgbench, ['-i', '-q', '-s', String(scale), url.href]);
  const { stdout } = await run(pgbench, [
    '-M',
    'prepared',
    '-c',
    String(clients),
    '-j',
    '2',
    '-T',
    String(seconds),
    url.href,
  ]);
  const found = /tps = ([\d.]+)/.exec(stdout);
  if (!found) throw new Error(`pgbench said: ${stdout}`);
  return Number(found[1]);
}
