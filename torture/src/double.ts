import { setTimeout as pause } from 'node:timers/promises';
import { balances } from '@hengfu/server/ledger/ledger.ts';
import { fundMerchant, makeMerchants } from '@hengfu/server/testing/keyed-merchants.ts';
import { ShopProgram } from '@hengfu/server/testing/shop-program.ts';
import { openTestInstallation, serve } from '@hengfu/server/testing/test-installation.ts';
import type { Answer } from '@hengfu/server/testing/visitor.ts';
import { faultsOfBooks } from './books.ts';
import { ordersOf } from './orders.ts';
import { type Random, torture } from './torture.ts';

interface Size {
  calls: number;
}

const merchantCount = 2;
/** A payout of 10.00 costs 10.02 with its 0.2 % fee; the funds, less a 0.6 % fee, cover a hundred. */
const covered = 100;
const funds = '1008.05';
const maxAttempts = 50;
const retryMs = 100;

/**
 * Sends the same payout concurrently on many connections to two processes: one is created. Then sends as many
 * different payouts against funds for a hundred: a hundred are created.
 */
export const double = torture<Size>({
  title: 'one payout sent many times concurrently, and many payouts against funds for a hundred',
  short: { calls: 400 },
  long: { calls: 10_000 },
  async run({ calls }, random) {
    const installation = await openTestInstallation();
    const faults: string[] = [];
    try {
      const merchants = await makeMerchants(installation.runtime, merchantCount);
      for (const merchant of merchants) await fundMerchant(installation.runtime, merchant, funds);
      const web = await Promise.all(
        [0, 1].map(() => serve(installation.ownerUrl, installation.folder, { PROCESS: 'web' })),
      );
      const send = async (merchant: number, body: (call: number) => object) => {
        const { key } = merchants[merchant] as (typeof merchants)[number];
        const programs = web.map(({ url }) => new ShopProgram(url, key));
        return Promise.all(
          Array.from({ length: calls }, (_, call) =>
            callWithRetry(programs, random, (program) => program.post('/openapi/v1/payouts', body(call))),
          ),
        );
      };
      const one = await send(0, () => payout('one', 0));
      const made = new Set(one.map(({ json }) => json.trade_no));
      if (made.size !== 1) faults.push(`one number got ${made.size} payouts in reply`);
      faults.push(...unexpectedReplies(one, [201]));
      const many = await send(1, (call) => payout(`many-${call}`, call));
      const accepted = many.filter(({ status }) => status === 201).length;
      if (accepted !== covered) faults.push(`funds for ${covered} payouts paid ${accepted}`);
      faults.push(...unexpectedReplies(many, [201, 409]));
      await Promise.all(web.map((process) => process.stop()));
      const { database } = installation.runtime.services;
      const { byNumber, duplicates } = await ordersOf(database, 'payout');
      if (byNumber.size !== 1 + covered) faults.push(`${byNumber.size} payouts were stored`);
      faults.push(...duplicates);
      const left = await database.asMerchant(merchants[1]?.id ?? 0n, (tx) => balances(tx, 'CNY'));
      if (left.available !== 0n) faults.push(`${left.available} is left after a hundred payouts`);
      faults.push(...(await faultsOfBooks(installation.ownerUrl, database)));
      return {
        counts: { 'calls of one number': one.length, 'calls of many': many.length, created: 1 + accepted },
        faults,
      };
    } finally {
      await installation.close();
    }
  },
});

/** Retries a call after a failed connection or 503. Throws after too many attempts. */
async function callWithRetry(
  programs: readonly ShopProgram[],
  random: Random,
  call: (program: ShopProgram) => Promise<Answer>,
): Promise<Answer> {
  for (let attempt = 1; ; attempt++) {
    const answer = await call(random.of(programs)).catch(() => undefined);
    if (answer && answer.status !== 503) return answer;
    if (attempt === maxAttempts) throw new Error(`no reply after ${maxAttempts} attempts`);
    await pause(retryMs);
  }
}

function unexpectedReplies(answers: readonly Answer[], expected: readonly number[]): string[] {
  const others = answers.filter(({ status }) => !expected.includes(status));
  return [...new Set(others.map(({ status, json }) => `a reply was ${status} ${json.code}`))];
}

const payout = (number: string, account: number) => ({
  out_trade_no: number,
  amount: '10.00',
  currency: 'CNY',
  channel: 'CN_BANK',
  payee: '王芳',
  payeeAccount: `95588012${String(account).padStart(8, '0')}`,
  bank: 'ICBC',
  bankName: 'ICBC',
});
