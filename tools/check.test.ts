import { expect, test } from 'vitest';
import { stageResultOf } from './check.ts';

const check = (name: string) => ({ name, run: async () => ({ problems: [] }) });

test('counts each check once: as failed, as skipped with its reason, or as passed', () => {
  const result = stageResultOf(
    new Map([
      [check('good'), { problems: [], note: 'a figure' }],
      [check('bad'), { problems: ['a', 'b'] }],
      [check('unanswered'), { problems: [], skipped: 'unreachable' }],
      [check('bad and unanswered'), { problems: ['c'], skipped: 'unreachable' }],
    ]),
  );
  expect(result).toEqual({
    passed: 1,
    failed: 2,
    failures: [
      { name: 'bad', message: 'a\nb' },
      { name: 'bad and unanswered', message: 'c' },
    ],
    skipped: [{ name: 'unanswered', message: 'unreachable' }],
  });
});
