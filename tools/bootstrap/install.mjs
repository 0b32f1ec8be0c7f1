import { createHash } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withLock } from './lock.mjs';
import { npmCi } from './npm.mjs';
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

/**
 * Makes sure that the pinned Node and the dependencies of package-lock.json are there. Silent and quick when they are;
 * a second call at the same time waits for the first.
 * @param {string} root
 * @throws {SetupError} when they can't be had
 */
export async function ensureInstalled(root) {
  if (isRuntimeWorking(root) && isUpToDate(root)) return;
  await withLock(join(root, 'tools/.install.lock'), async () => {
    if (!isRuntimeWorking(root)) await installRuntime(root);
    if (!isUpToDate(root)) await installDependencies(root);
  });
}

/** @param {string} root */
async function installRuntime(root) {
  say(`fetching Node ${pinnedVersion(root)} …`);
  await npmCi(runtimeDirectory(root), process.env);
  // To npm the packages are optional, as each fits one platform: it reports no failure when it leaves one out.
  if (!isRuntimeFetched(root)) {
    throw new SetupError(
      `npm left out ${runtimePackage()}, which brings Node ${pinnedVersion(root)}: the registry can’t be reached or does not ` +
        'have it, what it sent has another hash than tools/runtime/package-lock.json, or Node is not made for this platform ' +
        '(it needs macOS, or Linux with glibc).',
    );
  }
  linkRuntime(root);
  if (isRuntimeWorking(root)) return;
  throw new SetupError(
    `Node ${pinnedVersion(root)} was fetched but does not run here (${process.platform} ${process.arch}). ` +
      'It needs macOS, or Linux with glibc.',
  );
}

/** @param {string} root */
async function installDependencies(root) {
  say('installing dependencies, about a minute …');
  // The stamp goes first and comes last: an installation that was cut short is done again.
  rmSync(stampPath(root), { force: true });
  await npmCi(root, withRuntimeFirst(root));
  writeFileSync(stampPath(root), wantedStamp(root));
}

/** @param {string} root */
function isUpToDate(root) {
  try {
    return readFileSync(stampPath(root), 'utf8') === wantedStamp(root);
  } catch {
    return false;
  }
}

/** @param {string} root */
function stampPath(root) {
  return join(root, 'node_modules/.hengfu-install');
}

/**
 * What the dependencies depend on: the lock file, and Node's version (native add-ons are built for one).
 * @param {string} root
 */
function wantedStamp(root) {
  const lockFile = readFileSync(join(root, 'package-lock.json'));
  return `${createHash('sha256').update(lockFile).digest('hex')} node ${pinnedVersion(root)}\n`;
}
