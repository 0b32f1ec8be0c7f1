import type { Currency } from './money.ts';

/**
 * The payment channels of the product: country, currency, and the phrase `channels.<code>` that names each
 * one. A merchant's terms determine which of them it may use.
 */
export const channelCatalogue = {
  CN_BANK: { country: 'CN', currency: 'CNY' },
  VN_NAPAS: { country: 'VN', currency: 'VND' },
  IN_IMPS: { country: 'IN', currency: 'INR' },
  BR_PIX: { country: 'BR', currency: 'BRL' },
} as const satisfies Record<string, { country: string; currency: Currency }>;

export type ChannelCode = keyof typeof channelCatalogue;
export const channelCodes = Object.keys(channelCatalogue) as [ChannelCode, ...ChannelCode[]];

/**
 * The types of PIX keys: a tax number, a telephone number, an email address, or a random key (Banco Central,
 * DICT).
 */
export const pixKeyTypes = ['CPF', 'CNPJ', 'PHONE', 'EMAIL', 'EVP'] as const;
export type PixKeyType = (typeof pixKeyTypes)[number];

/** The fields of a channel's form besides payee, account and amount, in their order. */
export const channelFields = {
  CN_BANK: ['bank', 'bankName', 'branchName'],
  VN_NAPAS: ['bank'],
  IN_IMPS: ['ifsc'],
  BR_PIX: ['accountType', 'taxId'],
} as const satisfies Record<ChannelCode, readonly ChannelField[]>;
export type ChannelField = 'bank' | 'bankName' | 'branchName' | 'ifsc' | 'accountType' | 'taxId';

/**
 * Reasons why a channel refuses a payment. An adapter maps its bank's wording to one of these, and unknown
 * wording to `other`. People see the phrase of the code, never the bank's wording alone.
 */
export const collectionRefusals = ['insufficientFunds', 'declinedByPayer', 'other'] as const;
export type CollectionRefusal = (typeof collectionRefusals)[number];

/** Reasons why a channel refuses a payout. */
export const payoutRefusals = ['accountClosed', 'nameMismatch', 'neverArrived', 'other'] as const;
export type PayoutRefusal = (typeof payoutRefusals)[number];

/**
 * A channel's refusal: a code that has a phrase in every language, and the channel's own wording for support.
 */
export interface ChannelRefusal<Code extends string> {
  code: Code;
  words: string | null;
}
