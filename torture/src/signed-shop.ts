import { setTimeout as pause } from 'node:timers/promises';
import type { KeyedMerchant } from '@hengfu/server/testing/keyed-merchants.ts';
import { ShopProgram } from '@hengfu/server/testing/shop-program.ts';
import type { Random } from './torture.ts';

/** A merchant whose access key signs calls. */
export type KeyedShop = Pick<KeyedMerchant, 'key'>;

/** The replies that shops received. */
export interface ShopReport {
  /** Merchant order numbers of the acknowledged payouts. */
  payouts: string[];
  /** Merchant order numbers of the acknowledged collections. */
  collections: string[];
  /** Number of 503 replies; each call is retried. */
  unavailable: number;
  /** The longest time from the first attempt of a call to its last 503. */
  longestUnavailableMs: number;
  slowestMs: number;
  faults: string[];
}

interface ShopPlan {
  /** Addresses of the processes that accept calls now. */
  urls: () => readonly string[];
  merchants: readonly KeyedShop[];
  /** Number of concurrent shops; each sends one call after the other. */
  shops: number;
  pauseMs: number;
  random: Random;
}

const retryMs = 50;

/**
 * Starts shops that send payouts and orders, each call to one of the current processes, as a load balancer
 * would. A call that gets 503 is retried unchanged. The returned function stops the shops and resolves with
 * their report.
 */
export function startShops({ urls, merchants, shops, pauseMs, random }: ShopPlan): () => Promise<ShopReport> {
  const report: ShopReport = {
    payouts: [],
    collections: [],
    unavailable: 0,
    longestUnavailableMs: 0,
    slowestMs: 0,
    faults: [],
  };
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
      report.slowestMs = Math.max(report.slowestMs, performance.now() - begunAt);
      if (answer.status === 503) {
        report.unavailable++;
        report.longestUnavailableMs = Math.max(report.longestUnavailableMs, performance.now() - firstAt);
        await pause(retryMs);
        continue;
      }
      if (answer.status === 200 || answer.status === 201) report[kind].push(number);
      else report.faults.push(`${number} got the reply ${answer.status}: ${JSON.stringify(answer.json)}`);
      return;
    }
  };
  const all = Promise.all(Array.from({ length: shops }, (_, name) => shop(name)));
  return async () => {
    isOver = true;
    await all;
    return report;
  };
}

function collectionOf(number: string): object {
  return { out_trade_no: number, amount: '10.00', currency: 'CNY', subject: 'Order' };
}

/** The amount's last two digits choose the sandbox bank's result: paid, refused, late or reported twice. */
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
