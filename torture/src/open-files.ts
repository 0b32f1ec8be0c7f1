import { readdir, readFile, readlink, realpath } from 'node:fs/promises';
import { commandOf, runningProcesses } from '@hengfu/server/db/embedded/process-table.ts';

/** A process that keeps a file system in use, and one of the files in question. */
export interface FileUser {
  pid: number;
  command: string;
  file: string;
}

/** Finds the processes that use a file below `folder`: open, mapped, as their program, or as their working directory. Linux only. */
export async function usersOf(folder: string): Promise<FileUser[]> {
  const users: FileUser[] = [];
  const root = await realpath(folder);
  for (const { pid } of runningProcesses()) {
    const file = (await filesOf(pid)).find((name) => name === root || name.startsWith(`${root}/`));
    if (file !== undefined) users.push({ pid, command: commandOf(pid), file });
  }
  return users;
}

/** Lists the files that a process uses; none if it has ended. */
async function filesOf(pid: number): Promise<string[]> {
  const folder = `/proc/${pid}`;
  const descriptors = await readdir(`${folder}/fd`).catch(() => []);
  const links = ['cwd', 'root', 'exe', ...descriptors.map((name) => `fd/${name}`)];
  const files = await Promise.all(links.map((link) => readlink(`${folder}/${link}`).catch(() => undefined)));
  const maps = await readFile(`${folder}/maps`, 'utf8').catch(() => '');
  const mapped = maps.split('\n').map((line) => line.slice(line.indexOf('/')));
  return [...files.filter((file) => file !== undefined), ...mapped];
}
