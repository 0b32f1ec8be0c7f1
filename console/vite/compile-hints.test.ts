import { build } from 'vite';
import { expect, test } from 'vitest';
import { compileHints } from './compile-hints.ts';

const sources: Record<string, string> = {
  entry: 'import("shared").then(({ value }) => console.log(value));',
  shared: 'export const value = Math.random();',
};

test('a shared chunk begins with the hint, and other chunks do not have it', async () => {
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
        output: { codeSplitting: { groups: [{ name: 'common', test: /^shared$/ }] } },
      },
    },
  });
  const chunks = [built].flat().flatMap((each) => ('output' in each ? each.output : []));
  const hinted = chunks.flatMap((file) =>
    file.type === 'chunk' ? [[file.name, file.code.startsWith('//# allFunctionsCalledOnLoad\n')]] : [],
  );
  expect(Object.fromEntries(hinted)).toMatchObject({ common: true, entry: false });
});
