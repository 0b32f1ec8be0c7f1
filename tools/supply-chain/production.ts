import { licenseOf } from '../checks/dependencies.ts';
import type { LockFile } from '../checks/lock-file.ts';

type Packages = LockFile['packages'];

/** The workspaces that run in production, as in the Dockerfile: server, console and what they are made of. */
const productionWorkspaces = ['phrases', 'contract', 'server', 'ui', 'client', 'console', 'backoffice'];

/** A package that runs in production or is built into the console. */
export interface ProductionPackage {
  readonly name: string;
  readonly version: string;
  /** An SPDX expression. */
  readonly license: string;
  /** `sha512-…` in Base64, as in the lock file. */
  readonly integrity?: string;
  /** Whether it is reached only through optional dependencies, and so installed only on some platforms. */
  readonly isOptional: boolean;
  /** `name@version` of each of its dependencies, sorted. */
  readonly needs: readonly string[];
}

export interface Production {
  /** Every third-party package, sorted by name and version. */
  readonly packages: readonly ProductionPackage[];
  /** `name@version` of the workspaces' direct dependencies, sorted. */
  readonly direct: readonly string[];
}

/**
 * Finds the direct and transitive dependencies of the production workspaces.
 * @throws {Error} if the lock file lacks a required package
 */
export function productionOf(
  { packages }: LockFile,
  workspaces: readonly string[] = productionWorkspaces,
): Production {
  const reached = reach(packages, workspaces);
  const found = new Map<string, ProductionPackage>();
  // A version may be installed several times, and is optional only if every copy is: required copies go last.
  for (const [path, isOptional] of [...reached].sort(([, one], [, other]) => Number(other) - Number(one))) {
    if (isOurs(path)) continue;
    const each = componentOf(path, isOptional, packages);
    found.set(idOf(each), each);
  }
  const direct = workspaces.flatMap((workspace) => dependenciesOf(workspace, packages)).filter(isThirdParty);
  return {
    packages: [...found].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, each]) => each),
    direct: [...new Set(direct.map(({ path }) => idAt(path, packages)))].sort(),
  };
}

/** Finds the reachable paths of the lock file, and whether each is reached only through optional packages. */
function reach(packages: Packages, workspaces: readonly string[]): Map<string, boolean> {
  const reached = new Map<string, boolean>();
  const queue: Dependency[] = workspaces.map((path) => ({ path, isOptional: false }));
  for (let next = queue.shift(); next; next = queue.shift()) {
    const { path, isOptional } = next;
    const before = reached.get(path);
    if (before === false || before === isOptional) continue;
    reached.set(path, isOptional);
    for (const need of dependenciesOf(path, packages))
      queue.push({ path: need.path, isOptional: isOptional || need.isOptional });
  }
  return reached;
}

function componentOf(path: string, isOptional: boolean, packages: Packages): ProductionPackage {
  const entry = packages[path] ?? {};
  const name = entry.name ?? nameOf(path);
  return {
    name,
    version: entry.version ?? '',
    license: licenseOf(name, entry),
    integrity: entry.integrity,
    isOptional,
    needs: dependenciesOf(path, packages)
      .map((need) => idAt(need.path, packages))
      .sort(),
  };
}

/** `name@version` */
export function idOf({ name, version }: { readonly name: string; readonly version: string }): string {
  return `${name}@${version}`;
}

interface Dependency {
  readonly path: string;
  readonly isOptional: boolean;
}

function dependenciesOf(from: string, packages: Packages): Dependency[] {
  const entry = packages[from] ?? {};
  const { dependencies = {}, optionalDependencies = {}, peerDependencies = {} } = entry;
  const peers = Object.keys(peerDependencies).filter((name) => !entry.peerDependenciesMeta?.[name]?.optional);
  const names = new Set([...Object.keys(dependencies), ...Object.keys(optionalDependencies), ...peers]);
  return [...names].flatMap((name) => {
    const isOptional = Object.hasOwn(optionalDependencies, name);
    const path = resolve(from, name, packages);
    if (path === undefined && !isOptional)
      throw new Error(`${from} needs ${name}, but the lock file does not have it`);
    return path === undefined ? [] : [{ path, isOptional }];
  });
}

/** Resolves a package as Node does: in the node_modules of the package that needs it, then further up. */
function resolve(from: string, name: string, packages: Packages): string | undefined {
  for (let folder: string | undefined = from; folder !== undefined; folder = parentOf(folder)) {
    const path = folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`;
    const entry = packages[path];
    if (entry) return entry.link ? entry.resolved : path;
  }
  return undefined;
}

/** Returns the next folder up that may have a node_modules; for a workspace, the root. */
function parentOf(folder: string): string | undefined {
  if (folder === '') return undefined;
  const end = folder.lastIndexOf('node_modules/');
  return end <= 0 ? '' : folder.slice(0, end - 1);
}

function isOurs(path: string): boolean {
  return !path.includes('node_modules/');
}

function isThirdParty({ path }: Dependency): boolean {
  return !isOurs(path);
}

function nameOf(path: string): string {
  return path.split('node_modules/').at(-1) ?? path;
}

function idAt(path: string, packages: Packages): string {
  const { name = nameOf(path), version } = packages[path] ?? {};
  return `${name}@${version}`;
}
