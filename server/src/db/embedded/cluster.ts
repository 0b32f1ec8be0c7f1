import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { giveTo, type Place } from './place.ts';

/** How to get into a cluster; kept in a file that only its owner reads. */
export interface Access {
  port: number;
  ownerPassword: string;
  superuserPassword: string;
}

const accessFile = 'connection.json';

/** The kept access to a cluster, if there is one. */
export function readAccess(dataDir: string): Access | undefined {
  const file = join(dataDir, accessFile);
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}

export function writeAccess(dataDir: string, access: Access): void {
  const unfinished = join(dataDir, `${accessFile}.new`);
  writeFileSync(unfinished, JSON.stringify(access), { mode: 0o600 });
  renameSync(unfinished, join(dataDir, accessFile));
}

/** The URL of the owner of the product's database. */
export function ownerUrl(access: Access): string {
  return `postgres://hengfu_owner:${access.ownerPassword}@127.0.0.1:${access.port}/hengfu`;
}

/**
 * Makes the cluster, the owner and the database, unless they are there. It is made under another name and renamed when
 * it is whole: what a kill has left half-made is made anew, and what is whole is never touched.
 */
export async function ensureCluster(place: Place, dataDir: string): Promise<Access> {
  const known = readAccess(dataDir);
  if (existsSync(place.cluster)) {
    if (known) return known;
    throw new Error(`${join(dataDir, accessFile)} is missing: without it nobody gets into ${place.cluster}.`);
  }
  removeUnfinished(place.cluster);
  const access: Access = { port: 0, ownerPassword: password(), superuserPassword: password() };
  const unfinished = `${place.cluster}.new-${process.pid}`;
  mkdirSync(unfinished, { recursive: true, mode: 0o700 });
  giveTo(place.account, unfinished);
  await initialise(place, unfinished, access);
  writeAccess(dataDir, access);
  renameSync(unfinished, place.cluster);
  return access;
}

function removeUnfinished(cluster: string): void {
  const folder = dirname(cluster);
  for (const name of readdirSync(folder)) {
    if (name.startsWith('cluster.new-')) rmSync(join(folder, name), { recursive: true, force: true });
  }
}

async function initialise(place: Place, folder: string, access: Access): Promise<void> {
  const passwordFile = join(folder, '..', `pw-${process.pid}`);
  writeFileSync(passwordFile, access.superuserPassword, { mode: 0o600 });
  if (place.account) chownSync(passwordFile, place.account.uid, place.account.gid);
  try {
    await runTool(place, 'initdb', [
      ...['-D', folder, '-U', 'postgres', `--pwfile=${passwordFile}`, '--auth=scram-sha-256'],
      ...[
        '--encoding=UTF8',
        '--locale-provider=builtin',
        '--locale=C.UTF-8',
        '--no-sync',
        '--no-instructions',
      ],
    ]);
  } finally {
    rmSync(passwordFile, { force: true });
  }
  // One statement a line: that is how PostgreSQL reads them without a server.
  const statements = [
    `create role hengfu_owner login createdb createrole password '${access.ownerPassword}'`,
    'create database hengfu owner hengfu_owner',
  ];
  await runTool(place, 'postgres', ['--single', '-D', folder, 'postgres'], `${statements.join(';\n')};\n`);
}

function runTool(place: Place, name: string, args: string[], input = ''): Promise<void> {
  const child = spawn(join(place.bin, name), args, {
    cwd: place.bin,
    stdio: ['pipe', 'ignore', 'pipe'],
    env: { ...process.env, TZ: 'UTC' },
    ...place.account,
  });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => {
    said += chunk.toString('utf8');
  });
  child.stdin.end(input);
  return new Promise((done, fail) => {
    child.once('error', fail);
    child.once('close', (code) =>
      code === 0 ? done() : fail(new Error(`${name} failed: ${said.trim().slice(-800)}`)),
    );
  });
}

function password(): string {
  return randomBytes(24).toString('hex');
}
