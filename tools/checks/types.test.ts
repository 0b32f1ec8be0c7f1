import { expect, it } from 'vitest';
import { differences, importedWorkspaces } from './types.ts';

it('finds the workspaces that sources import from, however they do', () => {
  const sources = [
    "import { a } from '@hengfu/contract';\nexport type { B } from '@hengfu/ui/page/part.tsx';",
    "const c = await import('@hengfu/server/main.ts');\nimport { d } from '@hengfu/contract/d';\nimport e from 'other';",
    "import {\n  f,\n} from '@hengfu/phrases';\nimport '@hengfu/tools/side-effect';\nconst sample = \"import { g } from '@hengfu/bench';\";",
  ];
  expect(importedWorkspaces(sources)).toEqual(['contract', 'ui', 'server', 'phrases', 'tools']);
});

it('reports references that are missing or idle, but none to the workspace itself', () => {
  expect(differences('console/tsconfig.json', ['ui', 'contract', 'console'], ['ui', 'client'])).toEqual([
    'console/tsconfig.json: a reference to ../contract is missing',
    'console/tsconfig.json: nothing imports from ../client',
  ]);
  expect(differences('console/tsconfig.json', ['ui'], ['ui'])).toEqual([]);
});
