import { readSource } from '../sources.ts';
import type { Check } from './check.ts';

/** The part of a package-lock.json (version 3) that is read here. */
export interface LockFile {
  readonly packages: Readonly<Record<string, LockEntry>>;
}

export interface LockEntry {
  /** Where it is not the name of its folder: an alias, or a workspace. */
  readonly name?: string;
  readonly version?: string;
  readonly integrity?: string;
  /** A link to a workspace, whose folder is `resolved`. */
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

/** A package that another one wants where the platform fits, and that the lock file does not have. */
export interface MissingEntry {
  readonly name: string;
  readonly version: string;
  readonly wantedBy: LockEntry;
}

/**
 * Each platform's packages are in the lock file. npm writes only those that it could see (its issue 4828), and then
 * `npm ci` fails, or installs nothing for the platforms that are left out.
 */
export const lockFile: Check = {
  name: 'lock file',
  run: async () => {
    const missing = missingEntries(JSON.parse(readSource('package-lock.json')));
    return {
      problems: missing.map(
        ({ name, version }) => `${name}@${version} is missing: node tools/complete-lock-file.ts adds it`,
      ),
    };
  },
};

/** The optional dependencies of locked packages that are not locked themselves. */
export function missingEntries({ packages }: LockFile): MissingEntry[] {
  const locked = new Set(Object.keys(packages).map((path) => path.split('node_modules/').at(-1)));
  return Object.entries(packages)
    .filter(([path]) => path.includes('node_modules/'))
    .flatMap(([, wantedBy]) =>
      Object.entries(wantedBy.optionalDependencies ?? {})
        .filter(([name]) => !locked.has(name))
        .map(([name, version]) => ({ name, version, wantedBy })),
    );
}
