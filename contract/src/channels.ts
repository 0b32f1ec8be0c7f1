import type { Currency } from './money.ts';

/**
 * The payment channels of the product: country, currency, and the phrase `channels.<code>` that names each one.
 * Which of them a merchant may use stands in its terms.
 */
export const channelCatalogue = {
  CN_BANK: { country: 'CN', currency: 'CNY' },
  VN_NAPAS: { country: 'VN', currency: 'VND' },
  IN_IMPS: { country: 'IN', currency: 'INR' },
  BR_PIX: { country: 'BR', currency: 'BRL' },
} as const satisfies Record<string, { country: string; currency: Currency }>;

export type ChannelCode = keyof typeof channelCatalogue;
export const channelCodes = Object.keys(channelCatalogue) as [ChannelCode, ...ChannelCode[]];
