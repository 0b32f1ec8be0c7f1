import { readSource } from '../sources.ts';
import type { Check } from './check.ts';

interface Entry {
  readonly license?: string;
  readonly link?: boolean;
  readonly hasInstallScript?: boolean;
}

/** What may be used as we use it: unchanged, beside our own code. LGPL and MPL ask for no more than that. */
const allowed = new Set([
  ...[
    '0BSD',
    'Apache-2.0',
    'BlueOak-1.0.0',
    'BSD-2-Clause',
    'BSD-3-Clause',
    'CC0-1.0',
    'ISC',
    'MIT',
    'Unlicense',
  ],
  ...['LGPL-3.0-or-later', 'MPL-2.0', 'Python-2.0'],
]);
/** Packages whose lock entry names none: what their own files say. */
const named: Readonly<Record<string, string>> = {
  busboy: 'MIT',
  streamsearch: 'MIT',
  'humanize-number': 'MIT',
};

/** Every package has a licence that allows our use, and none runs a script at its installation that nobody has named. */
export const dependencies: Check = {
  name: 'dependencies',
  run: async () => {
    const { packages } = JSON.parse(readSource('package-lock.json')) as { packages: Record<string, Entry> };
    const { allowScripts } = JSON.parse(readSource('package.json')) as {
      allowScripts: Record<string, boolean>;
    };
    return { problems: dependencyProblems(packages, Object.keys(allowScripts)) };
  },
};

/** What is wrong with locked packages. */
export function dependencyProblems(
  packages: Readonly<Record<string, Entry>>,
  scriptsDecided: readonly string[],
): string[] {
  return Object.entries(packages).flatMap(([path, entry]) => {
    const [, name] = /node_modules\/((?:@[^/]+\/)?[^/]+)$/.exec(path) ?? [];
    if (name === undefined || entry.link) return [];
    const licence = entry.license ?? named[name] ?? 'none';
    return [
      ...(isAllowed(licence) ? [] : [`${path}: the licence ${licence} is not among those that are allowed`]),
      ...(entry.hasInstallScript && !scriptsDecided.includes(name)
        ? [`${path}: runs a script when it is installed; name it in allowScripts`]
        : []),
    ];
  });
}

/** SPDX expressions: all of "A AND B", any of "A OR B". */
function isAllowed(expression: string): boolean {
  return expression
    .replace(/[()]/g, '')
    .split(' OR ')
    .some((part) => part.split(' AND ').every((licence) => allowed.has(licence)));
}
