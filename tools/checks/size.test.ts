import { expect, test } from 'vitest';
import { checkSizes, limits } from './size.ts';

const lines = (count: number) => '// a line\n'.repeat(count);
const functionOf = (count: number) => `const f = () => {\n${lines(count - 2)}};\n`;

test('accepts files and functions at the limit', () => {
  const { problems, note } = checkSizes(
    new Map([
      ['a.ts', lines(limits.file)],
      ...Array.from({ length: 9 }, (_, index): [string, string] => [
        `${index}.ts`,
        functionOf(limits.function),
      ]),
    ]),
  );
  expect(problems).toEqual([]);
  expect(note).toBe('10 files, median 80 lines (aim 60), p90 80 (at most 180)');
});

test('reports a file that is too long', () => {
  const files: [string, string][] = Array.from({ length: 9 }, (_, index) => [`${index}.ts`, lines(1)]);
  expect(checkSizes(new Map([...files, ['a.ts', lines(limits.file + 1)]])).problems).toEqual([
    'a.ts: 301 lines (at most 300)',
  ]);
});

test('reports a function that is too long, with its location', () => {
  const source = `${lines(3)}${functionOf(limits.function + 1)}`;
  expect(checkSizes(new Map([['a.ts', source]])).problems).toEqual([
    'a.ts:4: a function of 81 lines (at most 80)',
  ]);
});

test('reports too many long files, even if none exceeds the limit', () => {
  const files: [string, string][] = Array.from({ length: 10 }, (_, index) => [`${index}.ts`, lines(200)]);
  expect(checkSizes(new Map(files)).problems).toEqual(['p90 of the files is 200 lines (at most 180)']);
});

test('reports a feature with too many files, counting server and console separately', () => {
  const filesOf = (side: string, count: number) =>
    Array.from({ length: count }, (_, index): [string, string] => [
      `${side}/src/features/a/${index}.ts`,
      'x',
    ]);
  expect(checkSizes(new Map([...filesOf('server', 14), ...filesOf('console', 13)])).problems).toEqual([
    'server/src/features/a: 14 source files (at most 13)',
  ]);
});
