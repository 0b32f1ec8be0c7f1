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
  /** Wrong or repeated messages of the bank, meanwhile. */
  messages: number;
  /** So long the way to the bank is bad, once all were sent. */
  badSeconds: number;
  endWithinSeconds: number;
}

const merchantCount = 3;
const clients = 20;
/** The last two digits of an amount choose what the bank does: sandbox/README.md. */
const cents = ['00', '01', '02', '03', '04', '05', '06', '07', '08', '09'];
const lookEveryMs = 100;

/**
 * A channel that answers late, twice, never, nonsense, or something else than before. Each payout is sent once, ends by
 * asking, and our book agrees with the bank's.
 */
export const channel = torture<Size>({
  title: 'a channel that answers late, twice, never or wrong',
  short: { payouts: 40, messages: 100, badSeconds: 5, endWithinSeconds: 120 },
  long: { payouts: 3000, messages: 5000, badSeconds: 120, endWithinSeconds: 900 },
  async run(size, random) {
    const installation = await openTestInstallation();
    const secret = sandboxSecret;
    const bankFolder = join(installation.folder, 'bank');
    const bank = await startSandbox({ dataDirectory: bankFolder, secret, timings: { holdMs: 500 } });
    const between = await UnreliableBank.start(bank.url, random);
    try {
      const { database } = installation.runtime.services;
      const merchants = await makeMerchants(installation.runtime, merchantCount);
      for (const merchant of merchants) await fundMerchant(installation.runtime, merchant, '100000000.00');
      const product = await serve(installation.ownerUrl, installation.folder, { SANDBOX_URL: between.url });
      const faults = await payMany(product.url, merchants, size.payouts, random);
      const liar = { url: product.url, secret, random, count: size.messages };
      const made = await ordersOf(database, 'payout');
      const references = [...made.byNumber.values()].map(({ tradeNo }) => tradeNo);
      const lies = await tellLies({ ...liar, hasEnded: false }, references);
      await pause(size.badSeconds * 1000);
      between.recover();
      const endsAt = performance.now() + size.endWithinSeconds * 1000;
      while ((await countOpen(database)) > 0 && performance.now() < endsAt) await pause(lookEveryMs);
      const open = await countOpen(database);
      if (open > 0) faults.push(`${open} payouts have no end after ${size.endWithinSeconds} s`);
      const before = await ordersOf(database, 'payout');
      // What has ended stays as it is, whatever is told of it.
      lies.push(...(await tellLies({ ...liar, hasEnded: true }, references)));
      const after = await ordersOf(database, 'payout');
      for (const [number, { status }] of before.byNumber) {
        const now = after.byNumber.get(number)?.status;
        if (now !== status) faults.push(`${number} was ${status}, and is ${now}`);
      }
      faults.push(
        ...lies.filter((status) => status >= 500).map((status) => `a message was answered ${status}`),
      );
      await product.stop();
      await bank.close();
      for (const [reference, times] of between.sent)
        if (times > 1) faults.push(`${reference} was sent ${times} times`);
      faults.push(...faultsAgainstBank(await keptPayouts(database), bankFolder));
      faults.push(...(await faultsOfBooks(installation.ownerUrl, database)));
      const counts = {
        payouts: after.byNumber.size,
        messages: lies.length,
        ...Object.fromEntries(between.happened),
      };
      return { counts, faults };
    } finally {
      await between.close();
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
      if (answer.status !== 201) faults.push(`a payout was answered ${answer.status} ${answer.json.code}`);
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  return faults;
}

interface Liar {
  url: string;
  secret: string;
  random: Random;
  count: number;
  /** Everything has ended: now the bank itself may contradict what it said. */
  hasEnded: boolean;
}

/**
 * Sends messages that the bank would not: signed by somebody else, of payouts that nobody made, unreadable, too old, and
 * other ends of what has ended. Resolves with the statuses of the answers.
 */
async function tellLies(
  { url, secret, random, count, hasEnded }: Liar,
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
    // With the right signature it would be the truth about a payout that is under way.
    const wouldBeTrue = !hasEnded && !isUnreadable && references.includes(reference);
    const key = wouldBeTrue ? `not ${secret}` : random.of([secret, `not ${secret}`]);
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
