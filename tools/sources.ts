import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The repository's own directory, absolute. */
export const root = dirname(import.meta.dirname);

/**
 * Every file of the repository that .gitignore does not leave out, relative to the root, sorted. Reads the tree and not
 * git's index: checks also run on an unpacked archive. Of .gitignore's syntax it knows what ours uses: `name/` for a
 * directory anywhere, `*.suffix` and `name` for files.
 */
export function listFiles(base: string = root): string[] {
  const lines = readFileSync(join(base, '.gitignore'), 'utf8').split('\n');
  const ignored = ['.git/', '.git', ...lines.filter((line) => line !== '' && !line.startsWith('#'))];
  const isIgnored = (name: string, isDirectory: boolean) =>
    ignored.some((line) => {
      if (line.endsWith('/')) return isDirectory && name === line.slice(0, -1);
      return line.startsWith('*') ? name.endsWith(line.slice(1)) : name === line;
    });
  const walk = (directory: string): string[] =>
    readdirSync(join(base, directory), { withFileTypes: true }).flatMap((entry) => {
      const path = directory === '' ? entry.name : `${directory}/${entry.name}`;
      if (isIgnored(entry.name, entry.isDirectory())) return [];
      return entry.isDirectory() ? walk(path) : [path];
    });
  return walk('').sort();
}

/** TypeScript, JSX included. */
export function isTypeScript(path: string): boolean {
  return /\.tsx?$/.test(path);
}

/** TypeScript, and the plain JavaScript of the bootstrap. */
export function isModule(path: string): boolean {
  return isTypeScript(path) || path.endsWith('.mjs');
}

/** Tests and what only tests use. */
export function isTest(path: string): boolean {
  return /\.(test|spec)\.tsx?$|(^|\/)(testing|test)\/|^e2e\//.test(path);
}

/** A file's text, by its path relative to the root. */
export function readSource(path: string, base: string = root): string {
  return readFileSync(join(base, path), 'utf8');
}
