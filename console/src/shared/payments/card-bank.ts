import type { Bank } from '@hengfu/contract/banks';
import type { ChannelCode } from '@hengfu/contract/channels';
import { bankOfCard, cardDigits } from './card-bank.rules.ts';

/**
 * Recognizes the bank by the first digits of a card number; undefined if they name none. Fetches the table of Chinese prefixes
 * with the first card, see docs/decisions/0025. Without it nothing is suggested.
 */
export async function recognizeBank(channel: ChannelCode, account: string): Promise<Bank | undefined> {
  if (cardDigits(account) === undefined) return undefined;
  if (channel !== 'CN_BANK') return bankOfCard(channel, account, []);
  const { cards } = await import('bankcard').catch(() => ({ cards: [] }));
  return bankOfCard(channel, account, cards);
}
