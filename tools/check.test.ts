import { expect, test } from 'vitest';
import { stageResultOf } from './check.ts';

const check = (name: string) => ({ name, run: async () => ({ problems: [] }) });

test('a check counts once: as failed, as skipped with its reason, or as passed', () => {
  const result = stageResultOf(
    new Map([
      [check('good'), { problems: [], note: 'a figure' }],
      [check('bad'), { problems: ['a', 'b'] }],
      [check('unanswered'), { problems: [], skipped: 'nobody there' }],
      [check('bad and unanswered'), { problems: ['c'], skipped: 'nobody there' }],
    ]),
  );
  expect(result).toEqual({
    passed: 1,
    failed: 2,
    faults: [
      { name: 'bad', message: 'a\nb' },
      { name: 'bad and unanswered', message: 'c' },
    ],
    skipped: [{ name: 'unanswered', message: 'nobody there' }],
  });
});
