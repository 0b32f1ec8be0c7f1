import { execFile, spawn } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Finding } from './findings.ts';
import { type SqlmapOutcome, sqlmapOutcome, wapitiFindings } from './reports.ts';
import type { Target } from './targets.ts';

/** The address to scan, and a folder for the scanners' files. */
export interface ScanContext {
  url: string;
  folder: string;
}

/** Modules that contact only the scanned address, no external service. */
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

/** Returns the tools that are not installed. */
export async function missingTools(tools: readonly string[]): Promise<string[]> {
  const missing: string[] = [];
  for (const tool of tools) await promisify(execFile)(tool, ['--version']).catch(() => missing.push(tool));
  return missing;
}

/** Runs wapiti on addresses and linked pages. `maxSeconds` limits the crawl, and again the attacks. */
export async function runWapiti(
  { url, folder }: ScanContext,
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

/** Runs sqlmap on one address: every parameter, every marked part of the path, every field of the body. */
export async function runSqlmap({ url, folder }: ScanContext, target: Target): Promise<SqlmapOutcome> {
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
    // Error statuses count as replies too: a refused value has been parsed.
    '--ignore-code',
    '*',
    '--ignore-redirects',
    '--skip-waf',
    '--drop-set-cookie',
    ...(body === undefined ? [] : ['--data', body, '--headers', 'content-type: application/json']),
  ]);
  return sqlmapOutcome(text, method, name);
}

/** Runs a program; resolves with its output. Throws if it fails. */
async function run(program: string, args: readonly string[]): Promise<string> {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const parts: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => parts.push(part));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  const text = Buffer.concat(parts).toString();
  if (code !== 0) throw new Error(`${program} exited with ${code}: ${text.slice(-2000)}`);
  return text;
}
