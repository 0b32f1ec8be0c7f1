import { join } from 'node:path';
import { root } from '../sources.ts';
import type { Check } from './check.ts';

/** The part of a generated file (sdk/generate/files.ts) that is reported here. */
interface StaleFile {
  readonly path: string;
  readonly expected: string | undefined;
}

/**
 * Checks that the document, types and vectors of the libraries are those that `npm run sdk` would write, and that each library
 * names one version wherever it names it.
 */
export const libraries: Check = {
  name: 'libraries',
  run: async () => {
    const { staleFiles } = await import(join(root, 'sdk/generate/files.ts'));
    const { versionProblems } = await import(join(root, 'sdk/generate/versions.ts'));
    const stale: StaleFile[] = await staleFiles();
    return {
      problems: [
        ...stale.map(({ path, expected }) =>
          expected === undefined
            ? `sdk/${path}: nothing generates it any more; run npm run sdk`
            : `sdk/${path}: differs from the contract; run npm run sdk`,
        ),
        ...versionProblems(),
      ],
    };
  },
};
