import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';

/**
 * Directory with the packages that bring the product's Node, one for each platform, with their hashes.
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
 * Package that brings Node for this platform, by the names under which it is published.
 */
export function runtimePackage() {
  const prefix = process.platform === 'darwin' && process.arch === 'arm64' ? 'node-bin' : 'node';
  return `${prefix}-${process.platform}-${process.arch}`;
}

/**
 * Whether npm has installed this platform's package.
 * @param {string} root
 */
export function isRuntimeFetched(root) {
  return existsSync(join(runtimeDirectory(root), 'node_modules', runtimePackage(), 'bin'));
}

/**
 * Puts the installed Node where `nodePath` says. Its package has no install script that would do it.
 * @param {string} root
 */
export function linkRuntime(root) {
  const bin = dirname(nodePath(root));
  mkdirSync(bin, { recursive: true });
  rmSync(nodePath(root), { force: true });
  symlinkSync(join('../..', runtimePackage(), 'bin/node'), nodePath(root));
}

/**
 * Version that tools/runtime/package.json pins, without the leading v.
 * @param {string} root
 * @returns {string}
 */
export function pinnedVersion(root) {
  return JSON.parse(readFileSync(join(runtimeDirectory(root), 'package.json'), 'utf8')).version;
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
