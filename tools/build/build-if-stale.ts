import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isTest, listFiles } from '../sources.ts';

/** A part of the product that is built before it starts. */
export interface Buildable {
  /** Directory for the finished files; its `.stamp` has two hashes of the sources: of their contents, and of their sizes and times. */
  dist: string;
  /** Matches the paths of what it is built from, besides the dependencies and this tool. */
  sources: RegExp;
  /** Matches the test files that it is built from; none by default. */
  testSources?: RegExp;
  /** Writes the built files to a directory. */
  bundle(outDir: string): Promise<void>;
}

/**
 * Builds a part if its sources changed since the last build. The new files replace the old ones only
 * when they are complete: a build that fails or is interrupted leaves the previous one.
 * @param base the repository
 * @param files all of its files, if the caller has listed them
 * @returns whether a build was necessary
 */
export async function buildIfStale(
  base: string,
  { dist, sources, testSources, bundle }: Buildable,
  files: readonly string[] = listFiles(base),
): Promise<boolean> {
  const paths = files.filter(
    (path) => (isSource(path, sources) && !isTest(path)) || testSources?.test(path) === true,
  );
  const known = readStamp(dist);
  // Reading sizes and times takes a tenth of the time of reading the files, and a start waits for it.
  const times = timesHash(base, paths);
  if (known.times === times) return false;
  const content = contentHash(base, paths);
  const stamp = `${content}\n${times}\n`;
  if (known.content === content) {
    // Saves reading the files the next time, if the folder may be written.
    try {
      writeFileSync(join(dist, '.stamp'), stamp);
    } catch {}
    return false;
  }
  await removeLeftovers(dirname(dist));
  const buildDirectory = join(dirname(dist), `${buildPrefix}${process.pid}`);
  // Named dist like the real one, so that git and the checks ignore it.
  const outDir = join(buildDirectory, 'dist');
  try {
    await mkdir(outDir, { recursive: true });
    await bundle(outDir);
    await writeFile(join(outDir, '.stamp'), stamp);
    await replace(dist, outDir, join(buildDirectory, 'old'));
  } finally {
    await rm(buildDirectory, { recursive: true, force: true });
  }
  return true;
}

const buildPrefix = '.build-';

function isSource(path: string, sources: RegExp): boolean {
  return path === 'package-lock.json' || path.startsWith('tools/build/') || sources.test(path);
}

function contentHash(base: string, paths: readonly string[]): string {
  const hash = createHash('sha256');
  for (const path of paths) {
    const content = readFileSync(join(base, path));
    hash.update(`${path} ${content.length}\n`).update(content);
  }
  return hash.digest('hex');
}

/** Hashes sizes and times of files: every change of a file changes one of them. */
function timesHash(base: string, paths: readonly string[]): string {
  const hash = createHash('sha256');
  for (const path of paths) {
    const { size, mtimeNs, ctimeNs } = statSync(join(base, path), { bigint: true });
    hash.update(`${path} ${size} ${mtimeNs} ${ctimeNs}\n`);
  }
  return hash.digest('hex');
}

function readStamp(dist: string): { content?: string | undefined; times?: string | undefined } {
  const path = join(dist, '.stamp');
  if (!existsSync(path)) return {};
  const [content, times] = readFileSync(path, 'utf8').split('\n');
  return { content, times };
}

/** Removes the incomplete files of killed builds. */
async function removeLeftovers(directory: string): Promise<void> {
  for (const name of await readdir(directory)) {
    const pid = name.startsWith(buildPrefix) ? Number(name.slice(buildPrefix.length)) : 0;
    if (pid > 0 && !isRunning(pid)) await rm(join(directory, name), { recursive: true, force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Moves the new files into place. If two builds run at once, the slower replaces the files of the other. */
async function replace(dist: string, fresh: string, aside: string): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    await rename(dist, `${aside}-${attempt}`).catch(ignore('ENOENT'));
    const isDone = await rename(fresh, dist).then(() => true, ignore('ENOTEMPTY'));
    if (isDone) return;
  }
}

function ignore(code: string): (error: NodeJS.ErrnoException) => void {
  return (error) => {
    if (error.code !== code) throw error;
  };
}
