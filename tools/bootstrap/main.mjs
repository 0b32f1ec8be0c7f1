import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runChild } from './child.mjs';
import { ensureInstalled } from './install.mjs';
import { nodePath, withRuntimeFirst } from './runtime.mjs';
import { SetupError, say } from './say.mjs';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** How the server's Node keeps its memory small. */
const serverFlags = () => JSON.parse(readFileSync(join(root, 'server/node-flags.json'), 'utf8'));

/**
 * What each command runs, in order, each with Node's own flags before it; the command's arguments go to the last program.
 * @type {Record<string, (string | (() => string[]))[]>}
 */
const programs = {
  start: ['tools/build-console.ts', () => [...serverFlags(), 'server/src/main.ts']],
  dev: ['tools/dev.ts'],
  test: ['tools/test.ts'],
  check: ['tools/check.ts'],
  build: ['tools/build-console.ts'],
  operator: ['server/src/operator/main.ts'],
  torture: ['tools/build-console.ts', 'torture/src/main.ts'],
  scan: ['tools/build-console.ts', 'torture/src/scan/main.ts'],
  bench: ['tools/build-console.ts', 'bench/src/main.ts'],
  screenshots: ['tools/build-console.ts', 'e2e/screenshots/main.ts'],
  container: ['tools/container/rehearse.ts'],
  sbom: ['tools/write-inventory.ts'],
  shop: ['e2e/shop/shop.ts'],
};

/**
 * Runs one command of the product under its own Node.
 * @param {string[]} argv the command and its arguments
 * @returns {Promise<number>} the exit code: the program's own, or 1 when it could not be started
 */
export async function main([command = '', ...args]) {
  const steps = Object.hasOwn(programs, command) ? programs[command] : undefined;
  if (steps === undefined) {
    say(`unknown command “${command}”. There are: ${Object.keys(programs).join(', ')}.`);
    return 1;
  }
  try {
    await ensureInstalled(root);
    return await runInOrder(steps, args);
  } catch (error) {
    if (!(error instanceof Error) || !(error instanceof SetupError || 'syscall' in error)) throw error;
    say(error.message);
    return error instanceof SetupError ? error.exitCode : 1;
  }
}

/**
 * @param {(string | (() => string[]))[]} steps
 * @param {string[]} args
 */
async function runInOrder(steps, args) {
  for (const [index, program] of steps.entries()) {
    const isLast = index === steps.length - 1;
    const words = typeof program === 'string' ? [program] : program();
    const { exitCode } = await runChild(nodePath(root), [...words, ...(isLast ? args : [])], {
      cwd: root,
      env: withRuntimeFirst(root),
    });
    if (isLast || exitCode !== 0) return exitCode;
  }
  return 0;
}
