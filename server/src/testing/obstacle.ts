import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Kinds of obstacles; tools/skips.ts says which of them a build server tolerates. */
export type ObstacleKind = 'package' | 'privilege' | 'history' | 'network' | 'platform' | 'database' | 'time';

/** Why a test cannot run here. */
export interface Obstacle {
  readonly kind: ObstacleKind;
  readonly reason: string;
}

/** Formats an obstacle as the reason of a skipped test. The kind comes first: tools/skips.ts reads it. */
export function skipReason({ kind, reason }: Obstacle): string {
  return `${kind}: ${reason}`;
}

export const isRoot = process.getuid?.() === 0;

/** The obstacle to tests that need root. */
export const needsRoot: Obstacle | undefined = isRoot
  ? undefined
  : { kind: 'privilege', reason: 'only root can run it' };

/** The obstacle to tests that need packages and time: `npm test` runs them with `CI=true` only, as the build server does. */
export const needsBuildServer: Obstacle | undefined = process.env.CI
  ? undefined
  : { kind: 'time', reason: 'it takes packages and time, so it runs with CI=true only' };

const systemFolders = ['/usr/local/sbin', '/usr/sbin', '/sbin'];

/** Finds an installed program by its name, also where PATH lacks the folders of system programs. */
export function findProgram(name: string): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(delimiter), ...systemFolders];
  return folders.map((folder) => join(folder, name)).find(isExecutable);
}

/** Describes a missing program and the Debian package that has it; undefined if the program is installed. */
export function missingProgram(name: string, debianPackage: string): Obstacle | undefined {
  if (findProgram(name)) return undefined;
  return { kind: 'package', reason: `${name} is not installed (Debian: apt-get install ${debianPackage})` };
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
