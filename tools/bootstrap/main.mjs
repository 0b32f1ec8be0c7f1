import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runChild } from './child.mjs';
import { ensureInstalled } from './install.mjs';
import { nodePath, withRuntimeFirst } from './runtime.mjs';
import { SetupError, say } from './say.mjs';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/**
 * What each command runs, in order; the command's arguments go to the last program.
 * @type {Record<string, string[]>}
 */
const programs = {
  start: ['tools/build-console.ts', 'server/src/main.ts'],
  test: ['tools/test.ts'],
  check: ['tools/check.ts'],
  build: ['tools/build-console.ts'],
  operator: ['server/src/operator/main.ts'],
  bench: ['tools/build-console.ts', 'bench/src/main.ts'],
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
 * @param {string[]} steps
 * @param {string[]} args
 */
async function runInOrder(steps, args) {
  for (const [index, program] of steps.entries()) {
    const isLast = index === steps.length - 1;
    const { exitCode } = await runChild(nodePath(root), [program, ...(isLast ? args : [])], {
      cwd: root,
      env: withRuntimeFirst(root),
    });
    if (isLast || exitCode !== 0) return exitCode;
  }
  return 0;
}
