import { readSource } from '../sources.ts';
import type { Check } from './check.ts';

/** The part of a package-lock.json (version 3) that we read. */
export interface LockFile {
  readonly packages: Readonly<Record<string, LockEntry>>;
}

export interface LockEntry {
  /** Present if it differs from the folder's name: an alias, or a workspace. */
  readonly name?: string;
  readonly version?: string;
  readonly integrity?: string;
  /** True for a link to a workspace, whose folder is `resolved`. */
  readonly link?: boolean;
  readonly resolved?: string;
  readonly dev?: boolean;
  readonly hasInstallScript?: boolean;
  readonly license?: string;
  readonly engines?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

/** An optional dependency for some platform that the lock file lacks. */
export interface MissingEntry {
  readonly name: string;
  readonly version: string;
  readonly requiredBy: LockEntry;
}

/**
 * Checks that the lock file has every platform's packages. npm omits those that it does not see (its issue
 * 4828); then `npm ci` fails, or installs nothing for the omitted platforms.
 */
export const lockFile: Check = {
  name: 'lock file',
  run: async () => {
    const missing = missingEntries(JSON.parse(readSource('package-lock.json')));
    return {
      problems: missing.map(({ name, version }) => `${name}@${version} is missing: run npm run lock-file`),
    };
  },
};

/** Finds optional dependencies of locked packages that are not locked themselves. */
export function missingEntries({ packages }: LockFile): MissingEntry[] {
  const locked = new Set(Object.keys(packages).map((path) => path.split('node_modules/').at(-1)));
  return Object.entries(packages)
    .filter(([path]) => path.includes('node_modules/'))
    .flatMap(([, requiredBy]) =>
      Object.entries(requiredBy.optionalDependencies ?? {})
        .filter(([name]) => !locked.has(name))
        .map(([name, version]) => ({ name, version, requiredBy })),
    );
}
