import { expect, it } from 'vitest';
import { accessKeysEndpoints } from './access-keys.ts';
import { approvalEndpoints } from './approvals.ts';
import { callbackEndpointEndpoints } from './callback-endpoints.ts';
import { payerAnswers } from './payer-fields.ts';
import { paymentLinkInput } from './payment-links.ts';
import { refundReason } from './refunds.ts';
import { rejection } from './staff/cases.ts';
import { refuseStaffRequest } from './staff/requests.ts';
import { englishText, reasonText } from './staff/texts.ts';

const misleading = '\u202eab\u0007c\u200b\u2066';

const texts: Record<string, (text: string) => unknown> = {
  'the name of a key': (name) => accessKeysEndpoints.create.body.parse({ name, scopes: ['read'] }).name,
  'the description of a callback endpoint': (description) =>
    callbackEndpointEndpoints.create.body.parse({ url: 'https://shop.test/', description }).description,
  'the title of a payment link': (title) => paymentLinkInput.parse({ title, amount: '1.00' }).title,
  'a field that a payment link asks for': (label) =>
    paymentLinkInput.parse({ title: 'A', amount: '1.00', asked: { known: [], own: [label] } }).asked.own[0],
};

it.each(Object.entries(texts))('%s has no characters that mislead its readers', (_, read) => {
  expect(read(misleading)).toBe('abc');
});

it('an answer of a payer can be seen', () => {
  for (const name of ['', '\u200b', '\u3164'])
    expect(payerAnswers.name.safeParse(name).success, JSON.stringify(name)).toBe(false);
  expect(payerAnswers.name.parse(' Ann ')).toBe('Ann');
});

it.each(['the name of a key', 'the title of a payment link', 'a field that a payment link asks for'])(
  '%s can be seen',
  (name) => {
    expect(() => texts[name]?.('\u200b \u202e')).toThrow();
  },
);

const reasons: Record<string, (reason: string) => unknown> = {
  'the reason for a refund': (reason) => refundReason.parse(reason),
  'the reason for a refusal by a merchant': (reason) =>
    approvalEndpoints.refuse.body.parse({ reason }).reason,
  'the reason for a refusal by our staff': (reason) => refuseStaffRequest.parse({ reason }).reason,
  'the reason for a rejection that a merchant reads': (reason) => rejection.parse({ reason }).reason,
  'the reason for a request': (reason) => reasonText.parse(reason),
  'a text in English': (text) => englishText(300).parse(text),
};

it.each(Object.entries(reasons))('%s can be seen, and stays as it was written', (_, read) => {
  for (const empty of ['', ' \n ', '\u200b', '\u202e \u2060', '\u3164\u115f', '\u2800', '\u00ad'])
    expect(() => read(empty), JSON.stringify(empty)).toThrow();
  for (const text of ['no', '👍', '不', 'one\ntwo', 'שלום\u200fעולם'])
    expect(read(text), JSON.stringify(text)).toBe(text);
});
