import type { Network } from '@hengfu/contract/wallets';
import type { Services } from '#composition/services.ts';
import type { Home } from '#domain/caller.ts';
import { personOf } from './people.ts';

const operator = 'operator:demo';
const terms = { feeUsdtMinor: 1_500_000n, freePerDay: 2, minimumUsdtMinor: 10_000_000n };
const rates = { CNY: '7.12', VND: '25420' } as const;

/** Well-formed addresses of well-known contracts, which are nobody's wallets. */
const tron = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t';
const ethereum = '0xdAC17F958D2ee523a2206206994597C13D831ec7';

const withdrawals: readonly [
  amount: string,
  network: Network,
  address: string,
  ends: 'paid' | 'approved' | 'rejected' | null,
][] = [
  ['500', 'TRC20', tron, 'paid'],
  ['120', 'ERC20', ethereum, 'rejected'],
  ['300', 'TRC20', tron, 'approved'],
  ['80', 'TRC20', tron, null],
];

/** Sets the rate and terms of a demo merchant, and creates withdrawals in every state for the first one. */
export async function seedWithdrawals(
  services: Services,
  home: Home,
  { userId, paymentPassword }: { userId: bigint; paymentPassword: string },
): Promise<void> {
  const { withdrawalTerms, withdrawals: service, withdrawalReview } = services;
  if (home.currency === 'CNY' || home.currency === 'VND')
    await withdrawalTerms.setRate(home.currency, rates[home.currency], operator);
  await withdrawalTerms.setTerms(home.merchantId, terms, operator);
  if (home.code !== 'demo') return;
  const person = personOf(home, userId);
  const request = { id: 'demo', address: '127.0.0.1', userAgent: undefined, language: 'zh-cn' } as const;
  for (const [amount, network, address, ends] of withdrawals) {
    const { tradeNo } = await service.apply(person, request, {
      amount,
      unit: 'usdt',
      network,
      address,
      payment_password: paymentPassword,
    });
    if (ends === 'paid' || ends === 'approved') await withdrawalReview.approve(tradeNo, operator);
    if (ends === 'paid')
      await withdrawalReview.pay(
        tradeNo,
        operator,
        '7c2d4206c03a883dd9066d620335dc1be272a8dc733cfa3f6d10308faa37facc',
      );
    if (ends === 'rejected')
      await withdrawalReview.reject(tradeNo, operator, '钱包地址属于合约，请更换收款地址。');
  }
}
