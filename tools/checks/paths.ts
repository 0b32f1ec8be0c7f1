import { listFiles, readSource } from '../sources.ts';
import type { Check } from './check.ts';

/** Matches paths that exist on one machine only: home directories, and a work directory of root. */
const machinePath = /(?<![\w.*-])\/(?:root|work|home\/[a-z][\w-]*|Users\/[A-Za-z][\w-]*)(?:\/|(?=['"\s]))/;

/** Checks that no file of the repository mentions a path of the machine on which it was written. */
export const paths: Check = {
  name: 'machine paths',
  run: async () => ({ problems: listFiles().flatMap((file) => machinePaths(file, readSource(file))) }),
};

/** Lists the lines of a text that contain such a path. */
export function machinePaths(file: string, text: string): string[] {
  if (text.includes('\0')) return [];
  return text.split('\n').flatMap((line, index) => {
    const [found] = machinePath.exec(line) ?? [];
    return found ? [`${file}:${index + 1}: ${found}`] : [];
  });
}
