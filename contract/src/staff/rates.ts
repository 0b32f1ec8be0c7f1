import * as z from 'zod';
import { endpoint } from '../endpoint.ts';
import { instant } from '../lists.ts';
import { amount, amountInput, currencies, currency } from '../money.ts';
import { phrase } from '../phrase.ts';
import { parseRate } from '../rates.ts';
import { addressFault, networkCodes } from '../wallets.ts';
import { askedReply, reasonText } from './texts.ts';

/** The price of one USDT in a currency, from an instant on. */
const exchangeRate = z.object({
  currency,
  rate: z.string(),
  validFrom: instant,
  isCurrent: z.boolean(),
});

/** The wallet that merchants send USDT to on a network, from an instant on. */
const depositWallet = z.object({
  network: z.enum(networkCodes),
  address: z.string(),
  /** The smallest top-up, in USDT. */
  minimum: amount,
  /** Whether the network takes new top-ups. */
  isOpen: z.boolean(),
  validFrom: instant,
  isCurrent: z.boolean(),
});
export type DepositWallet = z.output<typeof depositWallet>;

/** The currencies that have a rate: all but USDT itself. */
export const ratedCurrencies = currencies.filter((each) => each !== 'USDT');

/** Body of a request for a rate: units of the currency for one USDT. */
const askRate = z.strictObject({
  currency: currency.exclude(['USDT'], phrase('validation.currency')),
  rate: z
    .string(phrase('validation.required'))
    .trim()
    .refine((text) => parseRate(text) !== undefined, phrase('officeService.faultRate')),
  reason: reasonText,
});

const maxAddressLength = 128;

/** Body of a request for a deposit wallet. A closed one takes no new top-ups. */
const askWallet = z
  .strictObject({
    network: z.enum(networkCodes, phrase('validation.networkRequired')),
    address: z
      .string(phrase('validation.required'))
      .trim()
      .min(1, phrase('validation.required'))
      .max(maxAddressLength, phrase('validation.tooLong')),
    minimum: amountInput,
    state: z.enum(['open', 'closed'], phrase('validation.choice')),
    reason: reasonText,
  })
  .superRefine(({ network, address }, context) => {
    const fault = addressFault(network, address);
    if (!fault) return;
    const message = phrase(fault === 'checksum' ? 'validation.addressChecksum' : 'validation.address');
    context.addIssue({ code: 'custom', path: ['address'], message });
  });

export const rateEndpoints = {
  list: endpoint({
    method: 'GET',
    path: '/api/staff/rates',
    summary: 'Lists the exchange rates, newest first: the current ones, and the latest earlier ones.',
    access: 'staff',
    staffPerm: 'rates.read',
    status: 200,
    reply: z.object({ data: z.array(exchangeRate) }),
    errors: [],
  }),
  ask: endpoint({
    method: 'POST',
    path: '/api/staff/rates',
    summary:
      'Asks for the price of one USDT in a currency. It applies from the moment at which a second person agrees.',
    access: 'staff',
    staffPerm: 'rates.set',
    body: askRate,
    ...askedReply,
    errors: ['request_waiting'],
  }),
};

export const depositWalletEndpoints = {
  list: endpoint({
    method: 'GET',
    path: '/api/staff/wallets',
    summary: 'Lists the deposit wallets, newest first: the current ones, and the latest earlier ones.',
    access: 'staff',
    staffPerm: 'wallets.read',
    status: 200,
    reply: z.object({ data: z.array(depositWallet) }),
    errors: [],
  }),
  ask: endpoint({
    method: 'POST',
    path: '/api/staff/wallets',
    summary:
      'Asks for the deposit wallet of a network, or to close it. It applies from the moment at which a second person agrees.',
    access: 'staff',
    staffPerm: 'wallets.set',
    body: askWallet,
    ...askedReply,
    errors: ['request_waiting'],
  }),
};
