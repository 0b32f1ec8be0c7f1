import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Absolute path of the repository. */
export const root = dirname(import.meta.dirname);

/**
 * Lists every file of the repository that .gitignore does not exclude, relative to the root, sorted. Reads
 * the tree instead of git's index, because the checks also run on an unpacked archive. Supports only the
 * .gitignore patterns that ours uses: `name/` for a directory anywhere, `*.suffix` and `name` for files.
 */
export function listFiles(base: string = root): string[] {
  const patterns = readFileSync(join(base, '.gitignore'), 'utf8').split('\n');
  const ignored = ['.git/', '.git', ...patterns.filter((each) => each !== '' && !each.startsWith('#'))];
  const isIgnored = (name: string, isDirectory: boolean) =>
    ignored.some((pattern) => {
      if (pattern.endsWith('/')) return isDirectory && name === pattern.slice(0, -1);
      return pattern.startsWith('*') ? name.endsWith(pattern.slice(1)) : name === pattern;
    });
  const walk = (directory: string): string[] =>
    readdirSync(join(base, directory), { withFileTypes: true }).flatMap((entry) => {
      const path = directory === '' ? entry.name : `${directory}/${entry.name}`;
      if (isIgnored(entry.name, entry.isDirectory())) return [];
      return entry.isDirectory() ? walk(path) : [path];
    });
  return walk('').sort();
}

/** Whether a path is TypeScript, JSX included. */
export function isTypeScript(path: string): boolean {
  return /\.tsx?$/.test(path);
}

/** Whether a path is TypeScript, or plain JavaScript of the bootstrap. */
export function isModule(path: string): boolean {
  return isTypeScript(path) || path.endsWith('.mjs');
}

/** Whether a path is a test, or only used by tests. */
export function isTest(path: string): boolean {
  return /\.(test|spec)\.tsx?$|(^|\/)(testing|test)\/|^e2e\//.test(path);
}

/** Reads a file; the path is relative to the root. */
export function readSource(path: string, base: string = root): string {
  return readFileSync(join(base, path), 'utf8');
}
