import { createHash } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withLock } from './lock.mjs';
import { npmCi, npmComplete } from './npm.mjs';
import {
  isRuntimeFetched,
  isRuntimeWorking,
  linkRuntime,
  pinnedVersion,
  runtimeDirectory,
  runtimePackage,
  withRuntimeFirst,
} from './runtime.mjs';
import { SetupError, say } from './say.mjs';

/** Workspaces that the product is built from and runs. The others are for those who change it. */
const productWorkspaces = [
  'phrases',
  'contract',
  'server',
  'ui',
  'client',
  'console',
  'backoffice',
  'sandbox',
];

/**
 * Makes sure that the pinned Node and the dependencies of package-lock.json are installed: those of the product, or all. Fast and
 * silent if they are; concurrent calls wait for each other.
 * @param {string} root
 * @param {'product' | 'all'} scope
 * @throws {SetupError} if they can't be installed
 */
export async function ensureInstalled(root, scope) {
  if (isRuntimeWorking(root) && isUpToDate(root, scope)) return;
  await withLock(join(root, 'tools/.install.lock'), async () => {
    if (!isRuntimeWorking(root)) await installRuntime(root);
    if (!isUpToDate(root, scope)) await installDependencies(root, scope);
  });
}

/** @param {string} root */
async function installRuntime(root) {
  say(`downloading Node ${pinnedVersion(root)} …`);
  await npmCi(runtimeDirectory(root), process.env);
  // Each package fits one platform and is therefore optional: npm does not report an error if it skips one.
  if (!isRuntimeFetched(root)) {
    throw new SetupError(
      `npm skipped ${runtimePackage()}, which contains Node ${pinnedVersion(root)}: the registry can’t be ` +
        'reached or does not have it, its hash differs from tools/runtime/package-lock.json, or Node does ' +
        'not support this platform (it needs macOS, or Linux with glibc).',
    );
  }
  linkRuntime(root);
  if (isRuntimeWorking(root)) return;
  throw new SetupError(
    `Node ${pinnedVersion(root)} is installed but does not run here (${process.platform} ${process.arch}). ` +
      'It needs macOS, or Linux with glibc.',
  );
}

/**
 * @param {string} root
 * @param {'product' | 'all'} scope
 */
async function installDependencies(root, scope) {
  const env = withRuntimeFirst(root);
  const isProductThere = isUpToDate(root, 'product');
  // A complete installation is replaced by a complete one. Those from before there were scopes are complete.
  const wanted = readStamp(root)?.endsWith(' product\n') === false ? 'all' : scope;
  // Removed first and written last, so that an interrupted installation is repeated.
  rmSync(stampPath(root), { force: true });
  if (isProductThere) {
    say('installing the dependencies of tests and tools …');
    await npmComplete(root, env).catch((error) => {
      // npm has undone what it did, so the product can still be started, also without a network.
      writeFileSync(stampPath(root), expectedStamp(root, 'product'));
      throw error;
    });
  } else {
    say(`installing dependencies, about ${wanted === 'all' ? 'a minute' : 'half a minute'} …`);
    await npmCi(root, env, wanted === 'product' ? productWorkspaces : []);
  }
  writeFileSync(stampPath(root), expectedStamp(root, wanted));
}

/**
 * @param {string} root
 * @param {'product' | 'all'} scope
 */
function isUpToDate(root, scope) {
  const stamp = readStamp(root);
  return stamp === expectedStamp(root, 'all') || stamp === expectedStamp(root, scope);
}

/**
 * Returns what identifies the installation, or undefined if there is none, or an interrupted one.
 * @param {string} root
 */
function readStamp(root) {
  try {
    return readFileSync(stampPath(root), 'utf8');
  } catch {
    return undefined;
  }
}

/** @param {string} root */
function stampPath(root) {
  return join(root, 'node_modules/.hengfu-install');
}

/**
 * Identifies an installation: the lock file's hash, Node's version, for which native add-ons are built, and the scope.
 * @param {string} root
 * @param {'product' | 'all'} scope
 */
function expectedStamp(root, scope) {
  const lockFile = readFileSync(join(root, 'package-lock.json'));
  return `${createHash('sha256').update(lockFile).digest('hex')} node ${pinnedVersion(root)} ${scope}\n`;
}
