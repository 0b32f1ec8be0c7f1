import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { runtimePackage } from '../bootstrap/runtime.mjs';
import { root } from '../sources.ts';

/** A fake npm: logs each call, then installs a link to the test's Node, or an empty node_modules. */
const fakeNpm = `#!${process.execPath}
const fs = require('node:fs');
const isRuntime = process.cwd().endsWith('runtime');
fs.appendFileSync(process.env.NPM_LOG, (isRuntime ? 'runtime ' : 'dependencies ') + process.argv.slice(2).join(' ') + '\\n');
const bin = 'node_modules/${runtimePackage()}/bin';
fs.mkdirSync(process.env.NPM_LEAVES_OUT ? 'node_modules' : bin, { recursive: true });
if (process.env.NPM_ERROR) {
  console.error('npm error code ' + process.env.NPM_ERROR);
  process.exit(1);
}
console.log('added 1 package');
setTimeout(() => {
  if (isRuntime && !process.env.NPM_LEAVES_OUT) fs.symlinkSync(process.execPath, bin + '/node');
}, Number(process.env.NPM_TAKES_MS ?? 0));
`;

/** The program to start: prints its arguments, its PATH and any signals; exits with code 7 on SIGTERM. */
const program = `
process.on('SIGINT', () => console.log('SIGINT'));
process.on('SIGTERM', () => {
  console.log('SIGTERM');
  setTimeout(() => process.exit(7), 100);
});
console.log(JSON.stringify({ args: process.argv.slice(2), path: process.env.PATH }));
if (process.argv[2] === 'wait') setInterval(() => {}, 1000);
process.exitCode = process.argv[2] === 'fail' ? 3 : 0;
`;

/** A running bootstrap. */
export class Run {
  stdout = '';
  stderr = '';
  readonly #child: ChildProcess;
  readonly #closed: Promise<unknown[]>;

  constructor(child: ChildProcess) {
    this.#child = child;
    this.#closed = once(child, 'close');
    child.stdout?.on('data', (chunk) => {
      this.stdout += chunk;
    });
    child.stderr?.on('data', (chunk) => {
      this.stderr += chunk;
    });
  }

  kill(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** Polls until a condition on the output so far is met. */
  async until(isReached: (run: Run) => boolean): Promise<void> {
    while (!isReached(this)) await sleep(5);
  }

  async exitCode(): Promise<number> {
    const [code] = await this.#closed;
    return Number(code);
  }
}

/** A project with only the bootstrap and a fake npm, in a directory with a space in its name. */
export class MiniProject {
  readonly directory = join(mkdtempSync(join(tmpdir(), 'hengfu bootstrap ')), 'the product');
  readonly stamp = join(this.directory, 'node_modules/.hengfu-install');
  readonly lock = join(this.directory, 'tools/.install.lock');
  readonly #bootstrap = join(this.directory, 'tools/bootstrap.mjs');

  constructor() {
    const write = (path: string, content: string) => {
      mkdirSync(join(this.directory, path, '..'), { recursive: true });
      writeFileSync(join(this.directory, path), content);
    };
    cpSync(join(root, 'tools/bootstrap.mjs'), this.#bootstrap);
    cpSync(join(root, 'tools/bootstrap'), join(this.directory, 'tools/bootstrap'), { recursive: true });
    write('tools/runtime/package.json', JSON.stringify({ version: process.versions.node }));
    write('package.json', '{}');
    write('package-lock.json', '{}');
    write('server/src/operator/main.ts', program);
    write('bin/npm', fakeNpm);
    chmodSync(join(this.directory, 'bin/npm'), 0o755);
  }

  changeLockFile(): void {
    writeFileSync(join(this.directory, 'package-lock.json'), '{"changed":true}');
  }

  /** Sets `allowScripts` in the project's package.json. */
  setAllowScripts(allowScripts: Readonly<Record<string, boolean>>): void {
    writeFileSync(join(this.directory, 'package.json'), JSON.stringify({ allowScripts }));
  }

  /** The calls of npm, oldest first. */
  installs(): string[] {
    const log = join(this.directory, 'npm.log');
    return existsSync(log) ? readFileSync(log, 'utf8').trimEnd().split('\n') : [];
  }

  run(args: string[], env: Record<string, string> = {}): Run {
    return this.#spawn(process.execPath, [this.#bootstrap, ...args], env);
  }

  /** Runs the bootstrap under a shell that stays alive, as npm does on some systems. */
  runInShell(args: string[], env: Record<string, string> = {}): Run {
    return this.#spawn('sh', ['-c', '"$@"; true', 'sh', process.execPath, this.#bootstrap, ...args], env);
  }

  #spawn(file: string, args: string[], env: Record<string, string>): Run {
    const path = `${join(this.directory, 'bin')}${delimiter}${process.env.PATH}`;
    const child = spawn(file, args, {
      cwd: tmpdir(),
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, PATH: path, NPM_LOG: join(this.directory, 'npm.log'), ...env },
    });
    return new Run(child);
  }
}
