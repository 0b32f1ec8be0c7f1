import { expect, it } from 'vitest';
import { accessKeysEndpoints } from './access-keys.ts';
import { callbackEndpointEndpoints } from './callback-endpoints.ts';
import { paymentLinkInput } from './payment-links.ts';

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

it.each(['the name of a key', 'the title of a payment link', 'a field that a payment link asks for'])(
  '%s can be seen',
  (name) => {
    expect(() => texts[name]?.('\u200b \u202e')).toThrow();
  },
);
