import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { join } from 'node:path';
import { type Access, readAccess, writeAccess } from './access.ts';
import { type Account, giveTo } from './account.ts';
import type { ClusterLocation } from './cluster-location.ts';

/** What a cluster is made with. */
export interface ClusterOptions {
  place: ClusterLocation;
  /** Directory of the programs. */
  bin: string;
  dataDir: string;
  /** Whether it must outlive a power cut from the first moment on. */
  durable: boolean;
}

/** The programs' environment: nothing of ours that PostgreSQL would take for a setting of its own. */
export const programEnvironment = {
  PATH: process.env.PATH ?? '/usr/bin:/bin',
  LC_ALL: 'C',
  TZ: 'UTC',
  ...(process.env.LD_LIBRARY_PATH && { LD_LIBRARY_PATH: process.env.LD_LIBRARY_PATH }),
};

/** C.UTF-8, whose rules are PostgreSQL's own; the C library's part of it is missing on some systems. */
const localeChoices = [
  ['--locale=C.UTF-8'],
  ['--locale=C', '--lc-ctype=en_US.UTF-8', '--builtin-locale=C.UTF-8'],
  ['--locale=C', '--builtin-locale=C.UTF-8'],
];

/**
 * Makes the cluster, the owner and the database, unless they are there. It is made under another name and renamed when
 * it is whole: what a kill has left half-made is made anew, and what is whole is never touched. Where only the file
 * with the passwords is lost, new ones are set.
 */
export async function ensureCluster(options: ClusterOptions): Promise<Access> {
  const { place, dataDir, durable } = options;
  const isThere = existsSync(place.cluster);
  const known = readAccess(dataDir);
  if (isThere && known) return known;
  const access: Access = { port: 0, ownerPassword: password(), superuserPassword: password() };
  if (isThere) {
    await runStatements(options, place.cluster, passwordStatements(access));
    writeAccess(dataDir, access);
    return access;
  }
  removeUnfinished(place.home);
  const unfinished = `${place.cluster}.new-${randomBytes(4).toString('hex')}`;
  mkdirSync(unfinished, { mode: 0o700 });
  giveTo(place.account, unfinished);
  await initialise(options, unfinished);
  await runStatements(options, unfinished, [
    'create role hengfu_owner login createdb createrole',
    'create database hengfu owner hengfu_owner',
    ...passwordStatements(access),
  ]);
  writeAccess(dataDir, access);
  renameSync(unfinished, place.cluster);
  if (durable) flushDirectory(place.home);
  return access;
}

function removeUnfinished(home: string): void {
  for (const name of readdirSync(home)) {
    // Retried: the initdb of a killed product may still be writing.
    if (name.startsWith('cluster.new-'))
      rmSync(join(home, name), { recursive: true, force: true, maxRetries: 5 });
  }
}

async function initialise(options: ClusterOptions, folder: string): Promise<void> {
  const args = [
    '-D',
    folder,
    '-U',
    'postgres',
    '--auth-host=scram-sha-256',
    '--auth-local=reject',
    '--encoding=UTF8',
    '--locale-provider=builtin',
    '--no-instructions',
    ...(options.durable ? [] : ['--no-sync']),
  ];
  for (const [index, locale] of localeChoices.entries()) {
    try {
      return await runProgram(options, 'initdb', [...args, ...locale]);
    } catch (error) {
      const isLocale = error instanceof Error && /invalid locale/.test(error.message);
      if (!isLocale || index === localeChoices.length - 1) throw error;
    }
  }
}

const passwordStatements = ({ ownerPassword, superuserPassword }: Access) => [
  `alter role hengfu_owner password '${ownerPassword}'`,
  `alter role postgres password '${superuserPassword}'`,
];

/** Runs statements without a server. One a line: that is how PostgreSQL reads them then. */
function runStatements(options: ClusterOptions, folder: string, statements: string[]): Promise<void> {
  const args = ['--single', '-D', folder, '-c', 'exit_on_error=on', 'postgres'];
  return runProgram(options, 'postgres', args, `${statements.join('\n')}\n`);
}

function runProgram({ place, bin }: ClusterOptions, name: string, args: string[], input = ''): Promise<void> {
  const child = spawn(join(bin, name), args, {
    cwd: '/',
    stdio: ['pipe', 'ignore', 'pipe'],
    env: programEnvironment,
    ...place.account,
  });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => {
    said += chunk.toString('utf8');
  });
  // A program that ends early tells why by its exit code.
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  return new Promise((done, fail) => {
    child.once('error', (error) =>
      fail(place.account ? new Error(cannotBecome(place.account, error)) : error),
    );
    child.once('close', (code, signal) =>
      code === 0 ? done() : fail(new Error(`${name} failed (${signal ?? code}): ${said.trim().slice(-800)}`)),
    );
  });
}

function cannotBecome({ uid }: Account, error: Error): string {
  return `PostgreSQL can't run as root, and this process can't run it as user ${uid} (${error.message}). Start the product as an ordinary user, or name your own PostgreSQL with DATABASE_URL.`;
}

/** A rename outlives a power cut once its directory is on the disk. */
function flushDirectory(directory: string): void {
  const handle = openSync(directory, 'r');
  fsyncSync(handle);
  closeSync(handle);
}

function password(): string {
  return randomBytes(24).toString('hex');
}
