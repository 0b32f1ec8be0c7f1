import { build } from 'vite';
import { expect, test } from 'vitest';
import { compileHints } from './compile-hints.ts';

const sources: Record<string, string> = {
  entry:
    'import { value } from "shared"; import { idle } from "idle"; console.log(value, idle, import("later"));',
  shared: 'export const value = Math.random();',
  idle: 'export const idle = Math.random();',
  later: 'export const later = Math.random();',
};

test('chunks of the first page begin with the hint, unless most of their code waits, and later ones do not', async () => {
  const memory = {
    name: 'memory',
    resolveId: (id: string) => (Object.hasOwn(sources, id) ? id : undefined),
    load: (id: string) => sources[id],
  };
  const built = await build({
    configFile: false,
    logLevel: 'silent',
    plugins: [memory, compileHints()],
    build: {
      write: false,
      rolldownOptions: {
        input: 'entry',
        output: {
          codeSplitting: {
            groups: [
              { name: 'common', test: /^shared$/ },
              { name: 'pages', test: /^idle$/ },
            ],
          },
        },
      },
    },
  });
  const chunks = [built].flat().flatMap((each) => ('output' in each ? each.output : []));
  const hinted = chunks.flatMap((file) =>
    file.type === 'chunk' ? [[file.name, file.code.startsWith('//# allFunctionsCalledOnLoad\n')]] : [],
  );
  expect(Object.fromEntries(hinted)).toMatchObject({ entry: true, common: true, pages: false, later: false });
});
