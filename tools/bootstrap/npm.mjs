import { readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { runChild } from './child.mjs';
import { SetupError } from './say.mjs';

/**
 * `dev` and `optional` are explicit because NODE_ENV=production or a user's npm settings would exclude them.
 * No install script runs here: older versions of npm ignore `allowScripts`, and newer ones run scripts that
 * it does not mention.
 */
const installArguments = [
  '--ignore-scripts',
  '--include=dev',
  '--include=optional',
  '--no-audit',
  '--no-fund',
];

/** Maps patterns in npm's output to advice for the user. */
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
 * Installs a directory's package-lock.json, then runs the install scripts of the packages that `allowScripts`
 * in its package.json allows by name, and no others. npm's output goes to stderr.
 * @param {string} directory
 * @param {NodeJS.ProcessEnv} env
 * @param {readonly string[]} workspaces only what these need; everything by default
 * @throws {SetupError} with one sentence on the cause, if npm's output reveals it
 */
export function npmCi(directory, env, workspaces = []) {
  return install(
    ['ci', ...installArguments, ...workspaces.map((name) => `--workspace=${name}`)],
    directory,
    env,
  );
}

/**
 * Adds what {@link npmCi} has left out, from the same lock file. Removes nothing meanwhile: programs may be running from there.
 * @param {string} directory
 * @param {NodeJS.ProcessEnv} env
 * @throws {SetupError} like {@link npmCi}
 */
export function npmComplete(directory, env) {
  return install(['install', '--no-save', '--package-lock', ...installArguments], directory, env);
}

/**
 * @param {string[]} args
 * @param {string} directory
 * @param {NodeJS.ProcessEnv} env
 */
async function install(args, directory, env) {
  await npm(args, directory, env);
  const allowed = allowedScripts(directory);
  if (allowed.length > 0) await npm(['rebuild', '--ignore-scripts=false', ...allowed], directory, env);
}

/** @param {string} directory */
function allowedScripts(directory) {
  const { allowScripts = {} } = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'));
  return Object.keys(allowScripts).filter((name) => allowScripts[name] === true);
}

/**
 * @param {string[]} args
 * @param {string} directory
 * @param {NodeJS.ProcessEnv} env
 */
async function npm(args, directory, env) {
  let output = '';
  const { exitCode, signal } = await runChild('npm', args, {
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
    throw new SetupError(
      `“npm ${args[0]}” failed in ${directory}: ${known?.advice ?? 'see npm’s output above.'}`,
    );
  }
}
