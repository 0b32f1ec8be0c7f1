import { builtinModules } from 'node:module';
import { dirname, join } from 'node:path/posix';

/** A workspace of the repository, as its package.json describes it. */
export interface Workspace {
  /** Relative to the root, as in `server`. */
  readonly directory: string;
  readonly name: string;
  /** `exports` and `imports`, patterns with one `*` as in `"./*": "./src/*.ts"`. */
  readonly exports?: Readonly<Record<string, string>>;
  readonly imports?: Readonly<Record<string, string>>;
}

/** The target of an import: a file (relative to the root), or a package (Node's own: `node:fs`). */
export type Target = { readonly file: string } | { readonly package: string };

/** Resolves a specifier in a file. Does not check whether the target exists, since the compiler does. */
export function resolveImport(from: string, specifier: string, workspaces: readonly Workspace[]): Target {
  const path = specifier.replace(/\?.*$/, '');
  if (path.startsWith('.')) return { file: join(dirname(from), path) };
  if (path.startsWith('#')) {
    const own = workspaces.find(({ directory }) => from.startsWith(`${directory}/`));
    const mapped = own && applyPatterns(own.imports ?? {}, path);
    return own && mapped ? { file: join(own.directory, mapped) } : { package: path };
  }
  const packageName = path.split('/', path.startsWith('@') ? 2 : 1).join('/');
  const workspace = workspaces.find(({ name }) => name === packageName);
  if (workspace) {
    const mapped = applyPatterns(workspace.exports ?? {}, `.${path.slice(packageName.length)}`);
    return { file: join(workspace.directory, mapped ?? 'package.json') };
  }
  return { package: builtinModules.includes(path) ? `node:${path}` : packageName };
}

function applyPatterns(patterns: Readonly<Record<string, string>>, subject: string): string | undefined {
  for (const [pattern, target] of Object.entries(patterns)) {
    const [start = '', end] = pattern.split('*');
    if (end === undefined ? subject === pattern : subject.startsWith(start) && subject.endsWith(end)) {
      return target.replace('*', subject.slice(start.length, subject.length - (end?.length ?? 0)));
    }
  }
  return undefined;
}
