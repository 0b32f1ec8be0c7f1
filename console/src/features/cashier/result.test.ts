import type { CashierOrder } from '@hengfu/contract/cashier';
import { collectionRefusals } from '@hengfu/contract/channels';
import { languages } from '@hengfu/contract/languages';
import { describe, expect, it } from 'vitest';
import { loadPhrases } from './language.tsx';
import { endingText } from './result.tsx';

const order = { merchant: 'Tea $& House', payment: null } as CashierOrder;
const payment = { channel: 'CN_BANK', payUrl: 'https://bank.example/1', qrContent: null };
const endings = ['paid', 'failed', 'cancelled', 'closed', 'refunded', 'returning', 'notReturned'] as const;

describe.each(languages)('in %s', (language) => {
  it('every result has a title and says what to do, with every placeholder filled', async () => {
    const phrases = await loadPhrases(language);
    const texts = endings.map((ending) => endingText(ending, order, phrases));
    expect(new Set(texts.map(([title]) => title)).size).toBe(endings.length);
    for (const [title, text] of texts) {
      expect(title).not.toBe('');
      expect(text.length).toBeGreaterThan(10);
      expect(text).not.toContain('{{');
    }
  });

  it('a payer whose time ran out at the bank is told not to pay again', async () => {
    const phrases = await loadPhrases(language);
    const [, late] = endingText('closed', { ...order, payment }, phrases);
    expect(late).not.toBe(endingText('closed', order, phrases)[1]);
    expect(late).toBe(phrases.cashier.closedLateText);
  });

  it('every reason of a failure has its own sentence', async () => {
    const { refusal } = (await loadPhrases(language)).cashier;
    expect(new Set(collectionRefusals.map((reason) => refusal[reason])).size).toBe(collectionRefusals.length);
  });
});
