import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';

/**
 * Directory with the package that brings the product's Node.
 * @param {string} root
 */
export function runtimeDirectory(root) {
  return join(root, 'tools/runtime');
}

/**
 * The Node that everything runs on.
 * @param {string} root
 */
export function nodePath(root) {
  return join(runtimeDirectory(root), 'node_modules/node/bin/node');
}

/**
 * Version that tools/runtime/package.json pins, without the leading v.
 * @param {string} root
 * @returns {string}
 */
export function pinnedVersion(root) {
  return JSON.parse(readFileSync(join(runtimeDirectory(root), 'package.json'), 'utf8')).dependencies.node;
}

/**
 * Asks the installed Node for its version: a half-finished download or another machine's binary does not answer.
 * @param {string} root
 */
export function isRuntimeWorking(root) {
  try {
    const answer = execFileSync(nodePath(root), ['--version'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: 10_000,
    });
    return answer.trim() === `v${pinnedVersion(root)}`;
  } catch {
    return false;
  }
}

/**
 * Our environment with the product's Node first in PATH, so that npm and every `#!/usr/bin/env node` run on it.
 * @param {string} root
 * @returns {NodeJS.ProcessEnv}
 */
export function withRuntimeFirst(root) {
  return { ...process.env, PATH: `${dirname(nodePath(root))}${delimiter}${process.env.PATH ?? ''}` };
}
