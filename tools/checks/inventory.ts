import { listFiles, readSource } from '../sources.ts';
import { inventoryFiles } from '../supply-chain/inventory.ts';
import type { Check } from './check.ts';

/** The bill of materials and the list of licences are what the lock file says. */
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

/** Names each file that is missing or differs from what it should be. */
export function inventoryProblems(
  wanted: ReadonlyMap<string, string>,
  readFile: (path: string) => string | undefined,
): string[] {
  return [...wanted]
    .filter(([path, text]) => readFile(path) !== text)
    .map(([path]) => `${path} does not fit package-lock.json: npm run sbom writes it anew`);
}
