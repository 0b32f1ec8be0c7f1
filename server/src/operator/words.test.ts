import { expect, it } from 'vitest';
import { fieldRefusal, Refusal } from '#domain/refusal.ts';
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
  [new Refusal('insufficient_funds'), 'Insufficient available funds. (insufficient_funds)'],
  [
    fieldRefusal('address', 'validation.amount'),
    'That value is not valid. --help shows the accepted values. (validation_failed) address: Please enter',
  ],
])('explains a refusal with a sentence and its code: %s', (refusal, text) => {
  expect(refusalText(refusal)).toContain(text);
});
