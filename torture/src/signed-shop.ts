import { setTimeout as pause } from 'node:timers/promises';
import type { KeyedMerchant } from '@hengfu/server/testing/keyed-merchants.ts';
import { ShopProgram } from '@hengfu/server/testing/shop-program.ts';
import type { Random } from './torture.ts';

/** Who signs calls. */
export type KeyedShop = Pick<KeyedMerchant, 'key'>;

/** What shops met. */
export interface Met {
  /** Numbers of the orders that were acknowledged. */
  payouts: string[];
  collections: string[];
  /** Answers of 503: to be tried again. */
  away: number;
  /** From the first of them in a row to the next that was no 503. */
  longestAwayMs: number;
  slowestMs: number;
  faults: string[];
}

/** Who sends, and where to. */
interface ShopPlan {
  /** The processes that take calls now. */
  urls: () => readonly string[];
  merchants: readonly KeyedShop[];
  /** How many send at a time, each one call after the other. */
  shops: number;
  pauseMs: number;
  random: Random;
}

const retryMs = 50;

/**
 * Shops that send payouts and orders, one after the other, to whichever process is among those that stand before them
 * now: what a load balancer does. What is answered with 503 is sent again as it is. The function that is returned ends
 * them and tells what they met.
 */
export function openShops({ urls, merchants, shops, pauseMs, random }: ShopPlan): () => Promise<Met> {
  const met: Met = { payouts: [], collections: [], away: 0, longestAwayMs: 0, slowestMs: 0, faults: [] };
  let isOver = false;
  const shop = async (name: number) => {
    for (let number = 0; !isOver; number++) {
      const { key } = random.of(merchants);
      const kind = random.percent(60) ? 'payouts' : 'collections';
      await send(`shop-${name}-${number}`, kind, key);
      await pause(pauseMs);
    }
  };
  const send = async (number: string, kind: 'payouts' | 'collections', key: KeyedMerchant['key']) => {
    const body = kind === 'payouts' ? payoutOf(number, random) : collectionOf(number);
    const firstAt = performance.now();
    for (;;) {
      const begunAt = performance.now();
      const answer = await new ShopProgram(random.of(urls()), key)
        .post(`/openapi/v1/${kind}`, body)
        .catch((error: Error) => ({ status: 0, json: `${error.message}: ${error.cause}` }));
      met.slowestMs = Math.max(met.slowestMs, performance.now() - begunAt);
      if (answer.status === 503) {
        met.away++;
        met.longestAwayMs = Math.max(met.longestAwayMs, performance.now() - firstAt);
        await pause(retryMs);
        continue;
      }
      if (answer.status === 200 || answer.status === 201) met[kind].push(number);
      else met.faults.push(`${number} was answered with ${answer.status}: ${JSON.stringify(answer.json)}`);
      return;
    }
  };
  const all = Promise.all(Array.from({ length: shops }, (_, name) => shop(name)));
  return async () => {
    isOver = true;
    await all;
    return met;
  };
}

function collectionOf(number: string): object {
  return { out_trade_no: number, amount: '10.00', currency: 'CNY', subject: 'Order' };
}

/** The last two digits of the amount tell the sandbox bank what to do with it: paid, refused, late, told twice. */
function payoutOf(number: string, random: Random): object {
  return {
    out_trade_no: number,
    currency: 'CNY',
    channel: 'CN_BANK',
    payee: '王芳',
    bank: 'ICBC',
    bankName: '中国工商银行',
    amount: `1.0${random.of([0, 0, 0, 0, 1, 2, 3])}`,
    payeeAccount: `6222 ${String(random.between(1, 2 ** 31 - 1)).padStart(10, '0')}`,
  };
}
