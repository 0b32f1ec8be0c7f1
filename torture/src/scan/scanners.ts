import { execFile, spawn } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Finding } from './findings.ts';
import { type SqlmapOutcome, sqlmapOutcome, wapitiFindings } from './reports.ts';
import type { Target } from './targets.ts';

/** Where a scan runs: what it is aimed at, and a folder for what it leaves behind. */
export interface ScanPlace {
  url: string;
  folder: string;
}

/** What needs nothing but the address that is scanned: no look-up at a service of somebody's. */
const wapitiModules = [
  'backup',
  'blindsql',
  'cookieflags',
  'crlf',
  'csp',
  'csrf',
  'exec',
  'file',
  'htaccess',
  'http_headers',
  'methods',
  'permanentxss',
  'redirect',
  'shellshock',
  'sql',
  'xss',
];

/** The system's packages of these names that are not installed. */
export async function missingOf(tools: readonly string[]): Promise<string[]> {
  const missing: string[] = [];
  for (const tool of tools) await promisify(execFile)(tool, ['--version']).catch(() => missing.push(tool));
  return missing;
}

/** Runs wapiti over addresses, and what it finds from there; `maxSeconds` is the most for looking around, and for all attacks. */
export async function runWapiti(
  { url, folder }: ScanPlace,
  addresses: readonly string[],
  maxSeconds: number,
): Promise<Finding[]> {
  const starts = join(folder, 'starts.txt');
  await writeFile(starts, addresses.map((address) => `${url}${address}\n`).join(''));
  const report = join(folder, 'wapiti.json');
  await run('wapiti', [
    '-u',
    `${url}/`,
    '-s',
    starts,
    '--scope',
    'domain',
    '-m',
    wapitiModules.join(','),
    '-d',
    '3',
    '-f',
    'json',
    '-o',
    report,
    '--store-session',
    folder,
    '--flush-session',
    '--no-bugreport',
    '--max-scan-time',
    String(maxSeconds),
    '-t',
    '20',
    '-v',
    '0',
    '--max-attack-time',
    String(Math.ceil(maxSeconds / wapitiModules.length)),
  ]);
  return wapitiFindings(await readFile(report, 'utf8'));
}

/** Runs sqlmap over one address: every parameter, every part of the path that is marked, every field of the body. */
export async function runSqlmap({ url, folder }: ScanPlace, target: Target): Promise<SqlmapOutcome> {
  const { method, path, body, name } = target;
  const text = await run('sqlmap', [
    '-u',
    url + path,
    '--method',
    method,
    '--batch',
    '--dbms',
    'PostgreSQL',
    '--level',
    '1',
    '--risk',
    '1',
    '--flush-session',
    '--disable-coloring',
    '--output-dir',
    join(folder, 'sqlmap'),
    '--timeout',
    '20',
    // An answer that refuses is an answer: what is refused has been read.
    '--ignore-code',
    '*',
    '--ignore-redirects',
    '--skip-waf',
    '--drop-set-cookie',
    ...(body === undefined ? [] : ['--data', body, '--headers', 'content-type: application/json']),
  ]);
  return sqlmapOutcome(text, method, name);
}

/** Runs a program to its end; answers what it printed. */
async function run(program: string, args: readonly string[]): Promise<string> {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const parts: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => parts.push(part));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  const text = Buffer.concat(parts).toString();
  if (code !== 0) throw new Error(`${program} ended with ${code}: ${text.slice(-2000)}`);
  return text;
}
