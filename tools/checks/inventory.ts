import { listFiles, readSource } from '../sources.ts';
import { inventoryFiles } from '../supply-chain/inventory.ts';
import type { Check } from './check.ts';

/** Checks that the bill of materials and the list of licenses match the lock file. */
export const inventory: Check = {
  name: 'bill of materials',
  run: async () => {
    const files = new Set(listFiles());
    return {
      problems: inventoryProblems(inventoryFiles(), (path) =>
        files.has(path) ? readSource(path) : undefined,
      ),
    };
  },
};

/** Lists the files that are missing or out of date. */
export function inventoryProblems(
  expected: ReadonlyMap<string, string>,
  readFile: (path: string) => string | undefined,
): string[] {
  return [...expected]
    .filter(([path, text]) => readFile(path) !== text)
    .map(([path]) => `${path} does not match package-lock.json: run npm run sbom`);
}
