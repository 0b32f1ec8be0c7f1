import { readdir, readlink } from 'node:fs/promises';
import { commandOf, runningProcesses } from '@hengfu/server/db/embedded/process-table.ts';

/** A process that keeps a file system in use, and one of the files in question. */
export interface FileUser {
  pid: number;
  command: string;
  file: string;
}

/** Finds the processes that have a file below `folder` open or their working directory in it. Linux only. */
export async function usersOf(folder: string): Promise<FileUser[]> {
  const users: FileUser[] = [];
  for (const { pid } of runningProcesses()) {
    const file = (await filesOf(pid)).find((name) => name === folder || name.startsWith(`${folder}/`));
    if (file !== undefined) users.push({ pid, command: commandOf(pid), file });
  }
  return users;
}

/** Lists the open files of a process and its working directory; none if it has ended. */
async function filesOf(pid: number): Promise<string[]> {
  const descriptors = await readdir(`/proc/${pid}/fd`).catch(() => []);
  const links = [`/proc/${pid}/cwd`, ...descriptors.map((name) => `/proc/${pid}/fd/${name}`)];
  const files = await Promise.all(links.map((link) => readlink(link).catch(() => undefined)));
  return files.filter((file) => file !== undefined);
}
