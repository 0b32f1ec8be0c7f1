import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Command } from 'commander';
import { expect, it } from 'vitest';
import { fieldRefusal, Refusal } from '#domain/refusal.ts';
import { root } from '#folders.ts';
import { operatorProgram } from './commands.ts';
import { rateOption, rateText } from './parse.ts';
import { timelineRow } from './payout-commands.ts';
import { refusalText } from './refusal-text.ts';

const at = new Date('2026-01-31T00:00:00Z');

it('shows a bank’s rejection as a code and its meaning, and the bank’s text separately', () => {
  const event = { at, status: 'rejected', reason: 'channel_refused', refusal: 'accountClosed' };
  expect(timelineRow({ ...event, detail: 'ACCT CLSD' })).toEqual({
    at: '2026-01-31T00:00:00.000Z',
    status: 'rejected',
    reason: 'channel_refused',
    refusal: 'accountClosed',
    meaning: 'The receiving account is closed.',
    bank_said: 'ACCT CLSD',
    operator_said: '–',
  });
});

it('does not show an operator’s reason as the bank’s', () => {
  const event = { at, status: 'rejected', reason: 'staff_rejected', refusal: null, detail: 'fraud' };
  expect(timelineRow(event)).toMatchObject({ bank_said: '–', operator_said: 'fraud' });
});

it('shows a reason without a phrase as it is', () => {
  const event = { at, status: 'pending', reason: 'from_the_future', refusal: null, detail: null };
  expect(timelineRow(event)).toMatchObject({ reason: 'from_the_future', meaning: '–', bank_said: '–' });
});

it.each([
  [new Refusal('not_found'), 'No record has that name or number. (not_found)'],
  [
    new Refusal('idempotency_key_reused', { values: { number: 'F1' } }),
    'Nothing has moved: a transfer was made under this key before, F1.',
  ],
  [new Refusal('insufficient_funds'), 'Insufficient available funds. (insufficient_funds)'],
  [
    fieldRefusal('address', 'validation.amount'),
    'That value is not valid. --help shows the accepted values. (validation_failed) address: Please enter',
  ],
])('explains a refusal with a sentence and its code: %s', (refusal, text) => {
  expect(refusalText(refusal)).toContain(text);
});

const order = `T${'1'.repeat(21)}`;
it.each([
  [
    'topups.status.approved',
    `Not possible: the status is “Approved”. Next: topup credit ${order}, or topup reject ${order} --reason <text>`,
  ],
  ['topups.status.paid', 'This status is final. (invalid_transition)'],
  ['withdrawals.status.approved', `Next: withdrawal pay ${order} --transaction <hash>`],
  ['payouts.status.processing', `Next: payout take-up ${order}`],
])('names the state %s and the commands that apply to it', (status, text) => {
  const refusal = new Refusal('invalid_transition', { values: { status } });
  expect(refusalText(refusal, ['topup', 'approve', order])).toContain(text);
});

it('names the command that suspends the merchant of a batch', () => {
  expect(refusalText(new Refusal('invalid_transition'))).toContain('Next: merchant suspend --merchant');
});

it('takes and shows fee rates in percent', () => {
  expect([rateOption('0.6%'), rateOption('0.6'), rateOption('12.3456%')]).toEqual([6000, 6000, 123_456]);
  expect([rateText(6000), rateText(1), rateText(0)]).toEqual(['0.6%', '0.0001%', '0%']);
  for (const text of ['6000', '0.6 %', '%', '-1', '0.00001']) expect(() => rateOption(text)).toThrow();
  const help = operatorProgram()
    .commands.find((command) => command.name() === 'terms')
    ?.helpInformation()
    .replaceAll(/\s+/g, ' ');
  expect(help).toContain('at first 0.6%');
  expect(help).not.toContain('6000');
});

it('names only options that a command has', async () => {
  const optionsOf = ({ options, commands }: Command): (string | undefined)[] => [
    ...options.map(({ long }) => long),
    ...commands.flatMap(optionsOf),
  ];
  const known = new Set([...optionsOf(operatorProgram()), '--help']);
  for (const folder of ['operator', 'recovery']) {
    const names = await readdir(join(root, 'server/src', folder), { recursive: true });
    for (const name of names.filter((each) => each.endsWith('.ts') && !each.endsWith('.test.ts'))) {
      const text = await readFile(join(root, 'server/src', folder, name), 'utf8');
      const named = [...text.matchAll(/(?<![\w-])--[a-z][a-z-]*/g)].map(([option]) => option);
      expect([name, named.filter((option) => !known.has(option))]).toEqual([name, []]);
    }
  }
});
