import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { flushDirectory } from '../flush-directory.ts';
import { type Access, readAccess, writeAccess } from './access.ts';
import { type Account, giveTo } from './account.ts';
import type { ClusterLocation } from './cluster-location.ts';

/** Options of {@link ensureCluster}. */
export interface ClusterOptions {
  location: ClusterLocation;
  /** Directory of the programs. */
  bin: string;
  dataDir: string;
  /** Whether it must survive a power cut from the start. */
  durable: boolean;
}

/** The programs' environment, without variables of ours that PostgreSQL would take for its settings. */
export const programEnvironment = {
  PATH: process.env.PATH ?? '/usr/bin:/bin',
  LC_ALL: 'C',
  TZ: 'UTC',
  ...(process.env.LD_LIBRARY_PATH && { LD_LIBRARY_PATH: process.env.LD_LIBRARY_PATH }),
};

/** C.UTF-8, which PostgreSQL implements itself. Some systems lack the C library's part of it. */
const localeChoices = [
  ['--locale=C.UTF-8'],
  ['--locale=C', '--lc-ctype=en_US.UTF-8', '--builtin-locale=C.UTF-8'],
  ['--locale=C', '--builtin-locale=C.UTF-8'],
];

/**
 * Creates the cluster, the owner and the database, unless they exist. Creates the cluster under a temporary
 * name and renames it once complete: incomplete leftovers are removed, and a complete cluster is never
 * touched. If only the file with the passwords is lost, sets new ones.
 */
export async function ensureCluster(options: ClusterOptions): Promise<Access> {
  const { location, dataDir, durable } = options;
  const hasCluster = existsSync(location.cluster);
  const known = readAccess(dataDir);
  if (hasCluster && known) return known;
  const access: Access = { port: 0, ownerPassword: password(), superuserPassword: password() };
  if (hasCluster) {
    await runStatements(options, location.cluster, passwordStatements(access));
    writeAccess(dataDir, access);
    return access;
  }
  const unfinished = makeUnfinished(location);
  giveTo(location.account, unfinished);
  await initialize(options, unfinished);
  await runStatements(options, unfinished, [
    'create role hengfu_owner login createdb createrole',
    'create database hengfu owner hengfu_owner',
    ...passwordStatements(access),
  ]);
  writeAccess(dataDir, access);
  renameSync(unfinished, location.cluster);
  if (durable) await flushDirectory(location.home);
  return access;
}

/** Creates the folder of a cluster under a temporary name, and removes those that a killed product has left. */
export function makeUnfinished({ home, cluster }: ClusterLocation): string {
  removeUnfinished(home);
  const unfinished = `${cluster}.new-${randomBytes(4).toString('hex')}`;
  mkdirSync(unfinished, { mode: 0o700 });
  return unfinished;
}

/** Removes the incomplete clusters that a killed product has left. */
function removeUnfinished(home: string): void {
  for (const name of readdirSync(home)) {
    // With retries, because the initdb of a killed product may still be writing.
    if (name.startsWith('cluster.new-'))
      rmSync(join(home, name), { recursive: true, force: true, maxRetries: 5 });
  }
}

async function initialize(options: ClusterOptions, folder: string): Promise<void> {
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

/** Runs statements in single-user mode, without a server. It reads one statement per line. */
function runStatements(options: ClusterOptions, folder: string, statements: string[]): Promise<void> {
  const args = ['--single', '-D', folder, '-c', 'exit_on_error=on', 'postgres'];
  return runProgram(options, 'postgres', args, `${statements.join('\n')}\n`);
}

function runProgram(
  { location, bin }: ClusterOptions,
  name: string,
  args: string[],
  input = '',
): Promise<void> {
  const child = spawn(join(bin, name), args, {
    cwd: '/',
    stdio: ['pipe', 'ignore', 'pipe'],
    env: programEnvironment,
    ...location.account,
  });
  let output = '';
  child.stderr.on('data', (chunk: Buffer) => {
    output += chunk.toString('utf8');
  });
  // If a program ends early, its exit code says why.
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  return new Promise((done, fail) => {
    child.once('error', (error) =>
      fail(location.account ? new Error(cannotBecome(location.account, error)) : error),
    );
    child.once('close', (code, signal) =>
      code === 0
        ? done()
        : fail(new Error(`${name} failed (${signal ?? code}): ${output.trim().slice(-800)}`)),
    );
  });
}

function cannotBecome({ uid }: Account, error: Error): string {
  return `PostgreSQL can't run as root, and this process can't run it as user ${uid} (${error.message}). Start the product as an ordinary user, or name your own PostgreSQL with DATABASE_URL.`;
}

function password(): string {
  return randomBytes(24).toString('hex');
}
