import { constants } from 'node:os';
import { runChild } from './child.mjs';
import { SetupError } from './say.mjs';

/** `dev` and `optional` are named because NODE_ENV=production or a user's npm settings would leave them out. */
const npmArguments = ['ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund'];

/** What npm's output says → what the person can do about it. */
const causes = [
  {
    pattern:
      /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ENETUNREACH|EHOSTUNREACH|ETIMEDOUT|ERR_SOCKET_TIMEOUT)\b/,
    advice: 'the package registry can’t be reached. Check the network or the proxy and try again.',
  },
  { pattern: /\bENOSPC\b/, advice: 'the disk is full.' },
  {
    pattern: /\b(EACCES|EPERM|EROFS)\b/,
    advice: 'no permission to write. Run as the directory’s owner, or in a directory of your own.',
  },
];

/**
 * Installs what a directory's package-lock.json names. npm's output goes to stderr.
 * @param {string} directory
 * @param {NodeJS.ProcessEnv} env
 * @throws {SetupError} with one sentence on the cause, as far as npm's output tells
 */
export async function npmCi(directory, env) {
  let output = '';
  const { exitCode, signal } = await runChild('npm', npmArguments, {
    cwd: directory,
    env,
    onOutput: (chunk) => {
      output += chunk;
      process.stderr.write(chunk);
    },
  }).catch((error) => {
    throw new SetupError(
      `npm can’t be started (${error.message}). It comes with Node: see https://nodejs.org`,
    );
  });
  if (signal !== undefined) {
    throw new SetupError('interrupted. The next run installs again.', 128 + constants.signals[signal]);
  }
  if (exitCode !== 0) {
    const known = causes.find(({ pattern }) => pattern.test(output));
    throw new SetupError(`“npm ci” failed in ${directory}: ${known?.advice ?? 'see npm’s output above.'}`);
  }
}
