import { licenseOf } from '../checks/dependencies.ts';
import type { LockFile } from '../checks/lock-file.ts';

type Packages = LockFile['packages'];

/** What production is made of: the server, the console and what they share. As in the Dockerfile. */
const productionWorkspaces = ['phrases', 'contract', 'server', 'console'];

/** A package that runs in production or is built into the console. */
export interface ProductionPackage {
  readonly name: string;
  readonly version: string;
  /** An SPDX expression. */
  readonly license: string;
  /** `sha512-…` in Base64, as in the lock file. */
  readonly integrity?: string;
  /** Whether every way to it leads through an optional dependency: it is installed where the platform fits. */
  readonly isOptional: boolean;
  /** `name@version` of each package that it needs, sorted. */
  readonly needs: readonly string[];
}

export interface Production {
  /** Every third-party package, sorted by name and version. */
  readonly packages: readonly ProductionPackage[];
  /** `name@version` of what the workspaces name themselves, sorted. */
  readonly direct: readonly string[];
}

/**
 * Finds the packages that production workspaces need, directly or not.
 * @throws where the lock file does not have a package that another one cannot do without
 */
export function productionOf(
  { packages }: LockFile,
  workspaces: readonly string[] = productionWorkspaces,
): Production {
  const reached = reach(packages, workspaces);
  const found = new Map<string, ProductionPackage>();
  // A version may be installed in several places. It is optional only if it is at each of them.
  for (const [path, isOptional] of [...reached].sort(([, one], [, other]) => Number(other) - Number(one))) {
    if (isOurs(path)) continue;
    const each = describe(path, isOptional, packages);
    found.set(idOf(each), each);
  }
  const direct = workspaces.flatMap((workspace) => needsOf(workspace, packages)).filter(isThirdParty);
  return {
    packages: [...found].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, each]) => each),
    direct: [...new Set(direct.map(({ path }) => idAt(path, packages)))].sort(),
  };
}

/** Paths in the lock file that can be reached, each with whether only through optional dependencies. */
function reach(packages: Packages, workspaces: readonly string[]): Map<string, boolean> {
  const reached = new Map<string, boolean>();
  const waiting: Need[] = workspaces.map((path) => ({ path, isOptional: false }));
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    const { path, isOptional } = next;
    const before = reached.get(path);
    if (before === false || before === isOptional) continue;
    reached.set(path, isOptional);
    for (const need of needsOf(path, packages))
      waiting.push({ path: need.path, isOptional: isOptional || need.isOptional });
  }
  return reached;
}

function describe(path: string, isOptional: boolean, packages: Packages): ProductionPackage {
  const entry = packages[path] ?? {};
  const name = entry.name ?? nameOf(path);
  return {
    name,
    version: entry.version ?? '',
    license: licenseOf(name, entry),
    integrity: entry.integrity,
    isOptional,
    needs: needsOf(path, packages)
      .map((need) => idAt(need.path, packages))
      .sort(),
  };
}

/** `name@version` */
export function idOf({ name, version }: { readonly name: string; readonly version: string }): string {
  return `${name}@${version}`;
}

interface Need {
  readonly path: string;
  readonly isOptional: boolean;
}

function needsOf(from: string, packages: Packages): Need[] {
  const entry = packages[from] ?? {};
  const { dependencies = {}, optionalDependencies = {}, peerDependencies = {} } = entry;
  const peers = Object.keys(peerDependencies).filter((name) => !entry.peerDependenciesMeta?.[name]?.optional);
  const names = new Set([...Object.keys(dependencies), ...Object.keys(optionalDependencies), ...peers]);
  return [...names].flatMap((name) => {
    const isOptional = Object.hasOwn(optionalDependencies, name);
    const path = resolve(from, name, packages);
    if (path === undefined && !isOptional)
      throw new Error(`${from} needs ${name}, and the lock file does not have it`);
    return path === undefined ? [] : [{ path, isOptional }];
  });
}

/** Looks for a package as Node does: beside the one that needs it, then further up. */
function resolve(from: string, name: string, packages: Packages): string | undefined {
  for (let place: string | undefined = from; place !== undefined; place = above(place)) {
    const path = place === '' ? `node_modules/${name}` : `${place}/node_modules/${name}`;
    const entry = packages[path];
    if (entry) return entry.link ? entry.resolved : path;
  }
  return undefined;
}

/** The next folder that may have a node_modules; a workspace's is the root. */
function above(place: string): string | undefined {
  if (place === '') return undefined;
  const end = place.lastIndexOf('node_modules/');
  return end <= 0 ? '' : place.slice(0, end - 1);
}

function isOurs(path: string): boolean {
  return !path.includes('node_modules/');
}

function isThirdParty({ path }: Need): boolean {
  return !isOurs(path);
}

function nameOf(path: string): string {
  return path.split('node_modules/').at(-1) ?? path;
}

function idAt(path: string, packages: Packages): string {
  const { name = nameOf(path), version } = packages[path] ?? {};
  return `${name}@${version}`;
}
