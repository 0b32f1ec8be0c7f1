/** The kinds of signed calls that a load can send. */
export type SignedCall = 'collections' | 'payouts';

const payees = 5000;
const minorPerUnit = 100;

/** Path and nth body of each kind of call. Order numbers are unique, and no two payouts are twins. */
export const signedCalls: Record<SignedCall, { path: string; bodyOf(number: number): object }> = {
  collections: {
    path: '/openapi/v1/collections',
    bodyOf: (number) => ({
      out_trade_no: `bench-${number}`,
      amount: `${10 + (number % 990)}.00`,
      currency: 'CNY',
      subject: 'Benchmark order',
      notifyUrl: 'https://shop.example/callback',
    }),
  },
  payouts: {
    path: '/openapi/v1/payouts',
    bodyOf: (number) => ({
      out_trade_no: `bench-${number}`,
      amount: (10 + number / minorPerUnit).toFixed(2),
      currency: 'CNY',
      channel: 'CN_BANK',
      payee: `王芳${String.fromCodePoint(0x4e00 + (number % payees))}`,
      payeeAccount: `9558 8012 ${String(number % payees).padStart(8, '0')}`,
      bank: 'ICBC',
      bankName: '中国工商银行',
      notifyUrl: 'https://shop.example/callback',
    }),
  },
};
