import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Port and passwords of a cluster, stored in a file that only its owner can read. */
export interface Access {
  /** Port of the last start; 0 before the first one. */
  port: number;
  ownerPassword: string;
  superuserPassword: string;
}

const accessFile = 'connection.json';

/** Reads the stored access to a cluster, if there is one. */
export function readAccess(dataDir: string): Access | undefined {
  const file = join(dataDir, accessFile);
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}

/** Stores the access to a cluster. A power cut leaves either the old file or the new one. */
export function writeAccess(dataDir: string, access: Access): void {
  const unfinished = join(dataDir, `${accessFile}.new`);
  writeFileSync(unfinished, JSON.stringify(access), { mode: 0o600, flush: true });
  renameSync(unfinished, join(dataDir, accessFile));
}

/** Removes the stored access. */
export function forgetAccess(dataDir: string): void {
  rmSync(join(dataDir, accessFile), { force: true });
}

/** Returns the URL of the owner of the product's database. */
export function ownerUrl(access: Access): string {
  return `postgres://hengfu_owner:${access.ownerPassword}@127.0.0.1:${access.port}/hengfu`;
}

/** Returns the URL of the superuser, who may read the cluster's files and back them up. */
export function superuserUrl(access: Access): string {
  return `postgres://postgres:${access.superuserPassword}@127.0.0.1:${access.port}/hengfu`;
}
