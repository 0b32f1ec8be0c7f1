import { expect, it } from 'vitest';
import { operatorName } from './operator.ts';

it.each([
  [{ USER: 'ann' }, 'operator:ann'],
  [{ LOGNAME: 'bea' }, 'operator:bea'],
  [{}, 'operator:unknown'],
  [{ USER: '', LOGNAME: 'x' }, 'operator:unknown'],
  [{ USER: '沈嘉宁 <staff@hengfu.test>' }, 'operator:_____staff@hengfu.test_'],
  [{ USER: 'staff:1\n' }, 'operator:staff_1_'],
  [{ USER: 'x'.repeat(200) }, `operator:${'x'.repeat(64)}`],
])('%j acts as %s', (env, name) => {
  expect(operatorName(env)).toBe(name);
});
