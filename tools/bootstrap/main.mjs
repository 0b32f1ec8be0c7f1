import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runChild } from './child.mjs';
import { ensureInstalled } from './install.mjs';
import { nodePath, withRuntimeFirst } from './runtime.mjs';
import { SetupError, say } from './say.mjs';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** Reads the Node flags that keep the server's memory small. */
const serverFlags = () => JSON.parse(readFileSync(join(root, 'server/node-flags.json'), 'utf8'));

/**
 * The programs of each command, in order; a function returns Node's flags with the program. The command's
 * arguments go to the last one.
 * @type {Record<string, (string | (() => string[]))[]>}
 */
const commands = {
  start: ['tools/build.ts', () => [...serverFlags(), 'server/dist/main.js']],
  dev: ['tools/dev.ts'],
  test: ['tools/test.ts'],
  check: ['tools/check.ts'],
  build: ['tools/build.ts'],
  operator: ['server/src/operator/main.ts'],
  torture: ['tools/build.ts', 'torture/src/main.ts'],
  scan: ['tools/build.ts', 'torture/src/scan/main.ts'],
  bench: ['tools/build.ts', 'bench/src/main.ts'],
  screenshots: ['tools/build.ts', 'e2e/screenshots/main.ts'],
  container: ['tools/container/rehearse.ts'],
  format: [() => ['node_modules/@biomejs/biome/bin/biome', 'check', '--write']],
  sbom: ['tools/write-inventory.ts'],
  sdk: ['sdk/generate/main.ts'],
  shop: ['e2e/shop/shop.ts'],
  bank: ['sandbox/src/main.ts'],
  'lock-file': ['tools/complete-lock-file.ts'],
};

/** Commands that need only the product's dependencies. */
const productCommands = ['start', 'build', 'operator', 'bank'];

/**
 * Runs one command of the product on its own Node.
 * @param {string[]} argv the command and its arguments
 * @returns {Promise<number>} the exit code: the program's own, or 1 if it could not be started
 */
export async function main([command = '', ...args]) {
  const programs = Object.hasOwn(commands, command) ? commands[command] : undefined;
  if (programs === undefined) {
    say(`unknown command “${command}”. Commands: ${Object.keys(commands).join(', ')}.`);
    return 1;
  }
  try {
    await ensureInstalled(root, productCommands.includes(command) ? 'product' : 'all');
    const env = { ...(isUsers(command) && compileCache()), ...(command === 'start' && fewArenas()) };
    return await runInOrder(programs, args, env);
  } catch (error) {
    if (!(error instanceof Error) || !(error instanceof SetupError || 'syscall' in error)) throw error;
    say(error.message);
    return error instanceof SetupError ? error.exitCode : 1;
  }
}

/**
 * Whether people wait for a command to start.
 * @param {string} command
 */
const isUsers = (command) => command === 'start' || command === 'operator';

/** Node's compile cache from the first module on, so that none has its types removed again; see server/src/process/compiled.ts. */
const compileCache = () => ({
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(root, 'node_modules/.cache/hengfu'),
});

/** The C library keeps freed memory in two places instead of in several for each core: the server's threads take little at a time. */
const fewArenas = () => ({ MALLOC_ARENA_MAX: process.env.MALLOC_ARENA_MAX ?? '2' });

/**
 * @param {(string | (() => string[]))[]} programs
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} env further variables
 */
async function runInOrder(programs, args, env) {
  for (const [index, program] of programs.entries()) {
    const isLast = index === programs.length - 1;
    const nodeArgs = typeof program === 'string' ? [program] : program();
    const { exitCode } = await runChild(nodePath(root), [...nodeArgs, ...(isLast ? args : [])], {
      cwd: root,
      env: { ...withRuntimeFirst(root), ...env },
    });
    if (isLast || exitCode !== 0) return exitCode;
  }
  return 0;
}
