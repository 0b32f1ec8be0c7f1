import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isTest, listFiles } from '../sources.ts';
import { precompress } from './precompress.ts';

/**
 * Builds the console when its sources changed since the last build. The new files stand in for the old ones at one
 * stroke and only when they are complete: a build that fails or is cut short leaves what was there.
 * @param base the repository
 * @param dist where the finished console goes; `.stamp` in it names the sources that it was made from
 * @param bundle puts the built files into the directory that it is given
 * @returns whether there was something to do
 */
export async function buildIfStale(
  base: string,
  dist: string,
  bundle: (outDir: string) => Promise<void>,
): Promise<boolean> {
  const stamp = sourcesHash(base);
  if (readStamp(dist) === stamp) return false;
  await removeLeftovers(dirname(dist));
  const workshop = join(dirname(dist), `${workshopPrefix}${process.pid}`);
  // Named dist like the real one, so that git and the checks leave it alone.
  const outDir = join(workshop, 'dist');
  try {
    await mkdir(outDir, { recursive: true });
    await bundle(outDir);
    await precompress(outDir);
    await writeFile(join(outDir, '.stamp'), stamp);
    await replace(dist, outDir, join(workshop, 'old'));
  } finally {
    await rm(workshop, { recursive: true, force: true });
  }
  return true;
}

const workshopPrefix = '.build-';

/** What the console is made from: its own sources, the contract, the phrases, the dependencies and this tool. */
function sourcesHash(base: string): string {
  const isSource = (path: string) =>
    path === 'package-lock.json' || /^(console|contract|phrases|tools\/console-build)\//.test(path);
  const hash = createHash('sha256');
  for (const path of listFiles(base).filter((each) => isSource(each) && !isTest(each))) {
    const content = readFileSync(join(base, path));
    hash.update(`${path} ${content.length}\n`).update(content);
  }
  return `${hash.digest('hex')}\n`;
}

function readStamp(dist: string): string | undefined {
  const path = join(dist, '.stamp');
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}

/** Half-built files of builds that were killed. */
async function removeLeftovers(directory: string): Promise<void> {
  for (const name of await readdir(directory)) {
    const pid = name.startsWith(workshopPrefix) ? Number(name.slice(workshopPrefix.length)) : 0;
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

/** Two builds at once both come here: whoever is slower takes the place of the faster one's files. */
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
