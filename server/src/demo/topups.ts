import { createHash } from 'node:crypto';
import { parseAmount } from '@hengfu/contract/money';
import type { Network } from '@hengfu/contract/wallets';
import type { Services } from '#composition/services.ts';
import type { Home } from '#domain/caller.ts';
import { personOf } from './people.ts';
import { receiptPicture } from './picture.ts';

const operator = 'operator:demo';
const minimumUsdtMinor = 10_000_000n;
const request = { id: 'demo', address: '127.0.0.1', userAgent: undefined, language: 'zh-cn' } as const;

/** Well-formed addresses without a known private key. */
const wallets: readonly [Network, string][] = [
  ['TRC20', 'T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb'],
  ['ERC20', '0x000000000000000000000000000000000000dEaD'],
  ['BEP20', '0x000000000000000000000000000000000000dEaD'],
  ['SOLANA', '11111111111111111111111111111111'],
];

const topups: readonly [
  amount: string,
  network: 'TRC20' | 'ERC20',
  ends: 'paid' | 'approved' | 'rejected' | null,
  arrived?: string,
][] = [
  ['2000', 'TRC20', 'paid'],
  ['1500', 'ERC20', 'paid', '1498.5'],
  ['800', 'TRC20', 'rejected'],
  ['500', 'TRC20', 'approved'],
  ['350.5', 'ERC20', null],
];

/** Sets the wallets that demo merchants send to, and the rate of USDT in USD. */
export async function seedWallets({ depositWallets, withdrawalTerms }: Services): Promise<void> {
  await withdrawalTerms.setRate('USD', '0.9998', operator);
  for (const [network, address] of wallets)
    await depositWallets.set({ network, address, minimumUsdtMinor }, operator);
}

/** Creates a top-up in every state for the first demo merchant. */
export async function seedTopups(services: Services, home: Home, userId: bigint): Promise<void> {
  if (home.code !== 'demo') return;
  const { topups: service, topupReview } = services;
  for (const [index, [amount, network, ends, arrived = amount]] of topups.entries()) {
    const digits = createHash('sha256').update(`topup ${index}`).digest('hex');
    const { tradeNo } = await service.apply(personOf(home, userId), request, {
      coin: 'USDT',
      amount,
      network,
      address: wallets.find(([code]) => code === network)?.[1] ?? '',
      transactionId: network === 'TRC20' ? digits : `0x${digits}`,
      screenshot: receiptPicture(index).toString('base64'),
    });
    if (ends === 'paid' || ends === 'approved')
      await topupReview.approve(tradeNo, operator, parseAmount(arrived, 'USDT') ?? 0n);
    if (ends === 'paid') await topupReview.credit(tradeNo, operator);
    if (ends === 'rejected') await topupReview.reject(tradeNo, operator, '该交易未到账，请核对网络与哈希。');
  }
}
