import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';

/**
 * Directory whose lock file pins the product's Node: one package per platform, with its hash.
 * @param {string} root
 */
export function runtimeDirectory(root) {
  return join(root, 'tools/runtime');
}

/**
 * Path of the Node binary that everything runs on.
 * @param {string} root
 */
export function nodePath(root) {
  return join(runtimeDirectory(root), 'node_modules/node/bin/node');
}

/**
 * Name of the package that contains Node for this platform.
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
 * Links the installed Node to `nodePath`. Its package has no install script that would do so.
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
 * Whether the installed Node runs and reports the pinned version. An incomplete download or another
 * platform's binary does not.
 * @param {string} root
 */
export function isRuntimeWorking(root) {
  try {
    const output = execFileSync(nodePath(root), ['--version'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: 10_000,
    });
    return output.trim() === `v${pinnedVersion(root)}`;
  } catch {
    return false;
  }
}

/**
 * Returns our environment with the product's Node first in PATH, so that npm and every `#!/usr/bin/env node`
 * use it.
 * @param {string} root
 * @returns {NodeJS.ProcessEnv}
 */
export function withRuntimeFirst(root) {
  return { ...process.env, PATH: `${dirname(nodePath(root))}${delimiter}${process.env.PATH ?? ''}` };
}
