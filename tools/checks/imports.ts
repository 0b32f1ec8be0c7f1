import { checkImports } from '../import-rules/check-imports.ts';
import type { Workspace } from '../import-rules/resolve.ts';
import { isModule, listFiles, readSource } from '../sources.ts';
import { workspaceDirectories } from '../workspaces.ts';
import type { Check } from './check.ts';

/** Checks imports between layers (the rules are in tools/import-rules/layers.ts) and finds cycles. */
export const imports: Check = {
  name: 'imports',
  run: async () => {
    const files = listFiles().filter(isModule);
    const sources = new Map(files.map((file) => [file, readSource(file)]));
    return { problems: checkImports(sources, workspaceDirectories().map(readWorkspace)) };
  },
};

function readWorkspace(directory: string): Workspace {
  return { ...JSON.parse(readSource(`${directory}/package.json`)), directory };
}
