import { listFiles, readSource } from '../sources.ts';
import type { Check } from './check.ts';

/** A path that exists on one machine only: someone's home directory, or a work directory of the system's root. */
const machinePath = /(?<![\w.*-])\/(?:root|work|home\/[a-z][\w-]*|Users\/[A-Za-z][\w-]*)(?:\/|(?=['"\s]))/;

/** No file of the repository knows the machine it was written on. */
export const paths: Check = {
  name: 'machine paths',
  run: async () => ({ problems: listFiles().flatMap((file) => machinePaths(file, readSource(file))) }),
};

/** Lines of a text that name such a path. */
export function machinePaths(file: string, text: string): string[] {
  if (text.includes('\0')) return [];
  return text.split('\n').flatMap((line, index) => {
    const [found] = machinePath.exec(line) ?? [];
    return found ? [`${file}:${index + 1}: ${found}`] : [];
  });
}
