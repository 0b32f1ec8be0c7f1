import { expect, test } from 'vitest';
import { oddPhrases } from './plain-english.ts';

test.each([
  '/** What a page needs. */',
  ' * Who takes a connection has it.',
  '// Whoever comes first writes it.',
  '-- What the row holds.',
  '// An end is told of by the notice.',
  '// The job comes to its end.',
  '// It is in nobody’s way.',
  '// Nobody is let in.',
  '// The export is begun anew.',
])('reports %s', (line) => {
  expect(oddPhrases('server/src/a.ts', line)).toHaveLength(1);
});

test.each([
  '/** Posts one transfer per subject. */',
  '// What if the worker dies here? Another one takes over.',
  "const title = 'What a day';",
  '// The merchant is notified.',
])('accepts %s', (line) => {
  expect(oddPhrases('server/src/a.ts', line)).toEqual([]);
});
