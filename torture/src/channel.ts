import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startSandbox } from '@hengfu/sandbox/server';
import { signatureHeader, signCallback, timestampHeader } from '@hengfu/sandbox/signature';
import { fundMerchant, type KeyedMerchant, makeMerchants } from '@hengfu/server/testing/keyed-merchants.ts';
import { ShopProgram } from '@hengfu/server/testing/shop-program.ts';
import { sandboxSecret } from '@hengfu/server/testing/test-database.ts';
import { openTestInstallation, serve } from '@hengfu/server/testing/test-installation.ts';
import { faultsAgainstBank, keptPayouts } from './bank-book.ts';
import { faultsOfBooks } from './books.ts';
import { countOpen, ordersOf } from './orders.ts';
import { type Random, torture } from './torture.ts';
import { UnreliableBank } from './unreliable-bank.ts';

interface Size {
  payouts: number;
  /** Forged messages in the bank's name, sent once while payouts are open and once after they are final. */
  messages: number;
  /** How long the connection to the bank stays unreliable after all payouts were sent. */
  badSeconds: number;
  finalWithinSeconds: number;
}

const merchantCount = 3;
const clients = 20;
/** The last two digits of an amount choose what the bank does: sandbox/README.md. */
const cents = ['00', '01', '02', '03', '04', '05', '06', '07', '08', '09'];
const pollEveryMs = 100;

/**
 * A channel that replies late, twice, never, with nonsense or with contradictions. Each payout is sent once,
 * unknown outcomes are resolved by status queries, and our records agree with the bank's.
 */
export const channel = torture<Size>({
  title: 'a channel that replies late, twice, never or wrongly',
  short: { payouts: 40, messages: 100, badSeconds: 5, finalWithinSeconds: 120 },
  long: { payouts: 3000, messages: 5000, badSeconds: 120, finalWithinSeconds: 900 },
  async run(size, random) {
    const installation = await openTestInstallation();
    const secret = sandboxSecret;
    const bankFolder = join(installation.folder, 'bank');
    const bank = await startSandbox({ dataDirectory: bankFolder, secret, timings: { holdMs: 500 } });
    const proxy = await UnreliableBank.start(bank.url, random);
    try {
      const { database } = installation.runtime.services;
      const merchants = await makeMerchants(installation.runtime, merchantCount);
      for (const merchant of merchants) await fundMerchant(installation.runtime, merchant, '100000000.00');
      const product = await serve(installation.ownerUrl, installation.folder, { SANDBOX_URL: proxy.url });
      const faults = await payMany(product.url, merchants, size.payouts, random);
      const forgery = { url: product.url, secret, random, count: size.messages };
      const created = await ordersOf(database, 'payout');
      const references = [...created.byNumber.values()].map(({ tradeNo }) => tradeNo);
      const statuses = await sendFalseCallbacks({ ...forgery, areFinal: false }, references);
      await pause(size.badSeconds * 1000);
      proxy.recover();
      const endsAt = performance.now() + size.finalWithinSeconds * 1000;
      while ((await countOpen(database)) > 0 && performance.now() < endsAt) await pause(pollEveryMs);
      const open = await countOpen(database);
      if (open > 0) faults.push(`${open} payouts are not final after ${size.finalWithinSeconds} s`);
      const before = await ordersOf(database, 'payout');
      // No message may change a final payout.
      statuses.push(...(await sendFalseCallbacks({ ...forgery, areFinal: true }, references)));
      const after = await ordersOf(database, 'payout');
      for (const [number, { status }] of before.byNumber) {
        const now = after.byNumber.get(number)?.status;
        if (now !== status) faults.push(`${number} was ${status}, but is now ${now}`);
      }
      faults.push(
        ...statuses.filter((status) => status >= 500).map((status) => `a message got the reply ${status}`),
      );
      await product.stop();
      await bank.close();
      for (const [reference, times] of proxy.sendCounts)
        if (times > 1) faults.push(`${reference} was sent ${times} times`);
      faults.push(...faultsAgainstBank(await keptPayouts(database), bankFolder));
      faults.push(...(await faultsOfBooks(installation.ownerUrl, database)));
      const counts = {
        payouts: after.byNumber.size,
        messages: statuses.length,
        ...Object.fromEntries(proxy.outcomeCounts),
      };
      return { counts, faults };
    } finally {
      await proxy.close();
      await bank.close();
      await installation.close();
    }
  },
});

async function payMany(
  url: string,
  merchants: readonly KeyedMerchant[],
  count: number,
  random: Random,
): Promise<string[]> {
  const programs = merchants.map(({ key }) => new ShopProgram(url, key));
  const faults: string[] = [];
  let next = 0;
  const client = async () => {
    for (let number = next++; number < count; number = next++) {
      const answer = await random.of(programs).post('/openapi/v1/payouts', {
        out_trade_no: `channel-${number}`,
        amount: `${1 + number}.${random.of(cents)}`,
        currency: 'CNY',
        channel: 'CN_BANK',
        payee: '王芳',
        payeeAccount: `95588012${String(number).padStart(8, '0')}`,
        bank: 'ICBC',
        bankName: 'ICBC',
      });
      if (answer.status !== 201) faults.push(`a payout got the reply ${answer.status} ${answer.json.code}`);
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  return faults;
}

interface Forgery {
  url: string;
  secret: string;
  random: Random;
  count: number;
  /** All payouts are final, so correctly signed messages may contradict their results. */
  areFinal: boolean;
}

/**
 * Sends callbacks that the bank would not send: with a wrong signature, for unknown payouts, unreadable, too
 * old, or contradicting a final result. Resolves with the HTTP statuses of the replies.
 */
async function sendFalseCallbacks(
  { url, secret, random, count, areFinal }: Forgery,
  references: readonly string[],
): Promise<number[]> {
  const statuses: number[] = [];
  for (let number = 0; number < count; number++) {
    const reference = random.percent(20) ? `P${random.between(1, 1e9)}` : random.of(references);
    const type = random.of(['payout.paid', 'payout.refused', 'collection.paid', 'payout.lost']);
    const isUnreadable = random.percent(10);
    const body = isUnreadable
      ? '{"type":'
      : JSON.stringify({ type, reference, bankId: 'x', amountMinor: '1', currency: 'CNY' });
    // For an open payout, a correctly signed message would be a valid result.
    const wouldBeValid = !areFinal && !isUnreadable && references.includes(reference);
    const key = wouldBeValid ? `not ${secret}` : random.of([secret, `not ${secret}`]);
    const timestamp = String(Math.floor(Date.now() / 1000) - (random.percent(20) ? 4000 : 0));
    const answer = await fetch(`${url}/api/channels/CN_BANK/callback`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        [timestampHeader]: timestamp,
        [signatureHeader]: signCallback(key, timestamp, body),
      },
      body,
    });
    statuses.push(answer.status);
    await answer.arrayBuffer();
  }
  return statuses;
}
