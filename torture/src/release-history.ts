import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { missingProgram, type Obstacle } from '@hengfu/server/testing/obstacle.ts';

const run = promisify(execFile);

/** A released version of the product in the git history. */
export interface Release {
  readonly version: string;
  /** The newest commit of that version: its changelog entry is complete there and still the first one. */
  readonly commit: string;
}

/** Runs git in a repository, even if its files belong to another user. */
export function git(repository: string, ...args: string[]): Promise<{ stdout: string }> {
  const safe = ['-c', 'safe.directory=*'];
  return run('git', [...safe, '-C', repository, ...args], { maxBuffer: 2 ** 26 });
}

/**
 * Finds the latest release before the working tree: the newest commit whose changelog begins with the version
 * in its package.json. If the working tree is itself a release, finds the one before. Goes by content, not by
 * commit ids or tags, since a checkout may have rewritten commits and no tags.
 */
export async function findRelease(repository: string): Promise<Release | Obstacle> {
  const noGit = missingProgram('git', 'git');
  if (noGit) return noGit;
  const own = await ownRelease(repository);
  const commits = await commitsOf(repository);
  if (!commits) return { kind: 'history', reason: 'there is no git history (an archive of the sources)' };
  for (const commit of commits) {
    const version = await releaseAt(repository, commit);
    if (version !== undefined && version !== own) return { version, commit };
  }
  const shallow = (await git(repository, 'rev-parse', '--is-shallow-repository')).stdout.trim() === 'true';
  const reason = `no commit of the history${shallow ? ', which is shallow,' : ''} is a release before this one`;
  return { kind: 'history', reason };
}

/**
 * Returns the version that these files release; undefined if the changelog begins with something unreleased.
 */
function releasedVersion(changelog: string, packageJson: string): string | undefined {
  const heading = /^## (.+)$/m.exec(changelog)?.[1]?.trim();
  return heading === JSON.parse(packageJson).version ? heading : undefined;
}

const files = ['CHANGELOG.md', 'package.json'] as const;

async function ownRelease(repository: string): Promise<string | undefined> {
  const [changelog, packageJson] = await Promise.all(
    files.map((file) => readFile(join(repository, file), 'utf8')),
  );
  return releasedVersion(changelog ?? '', packageJson ?? '');
}

/** Lists the first-parent commits that changed either file, newest first; undefined without a history. */
async function commitsOf(repository: string): Promise<string[] | undefined> {
  // A folder inside another repository has no history of its own.
  const top = await git(repository, 'rev-parse', '--show-prefix').catch(() => undefined);
  if (top?.stdout.trim() !== '') return undefined;
  const { stdout } = await git(repository, 'log', '--first-parent', '--format=%H', 'HEAD', '--', ...files);
  return stdout.split('\n').filter(Boolean);
}

async function releaseAt(repository: string, commit: string): Promise<string | undefined> {
  const texts = files.map((file) => git(repository, 'show', `${commit}:${file}`));
  const [changelog, packageJson] = await Promise.all(texts).catch(() => []);
  return changelog && packageJson && releasedVersion(changelog.stdout, packageJson.stdout);
}
