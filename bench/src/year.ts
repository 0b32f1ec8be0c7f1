import { setTimeout as pause } from 'node:timers/promises';
import { type KeyedMerchant, makeMerchants } from '@hengfu/server/testing/keyed-merchants.ts';
import { openTestInstallation, type TestInstallation } from '@hengfu/server/testing/test-installation.ts';
import { type Figure, percentile } from './figures.ts';
import { type Growth, measureGrowth } from './growth.ts';

/** Assumptions about the year; nothing here is measured. */
const year = {
  ordersPerDay: 100e6,
  days: 365,
  /** The same share as in the demo. */
  paidShare: 0.78,
  /** Ratio of the busiest second to the day's mean. */
  peak: 5,
  /** Maximum utilization of a core at the peak. */
  busyShare: 0.5,
  coresPerNode: 32,
  /** A primary and a standby of each node. */
  copies: 2,
  /** Days of WAL kept for point-in-time recovery. */
  walDays: 14,
};

const orders = 4000;
const warmOrders = 200;
const clients = 16;
const secondsPerDay = 86_400;
const settleMs = 500;
const [kilo, giga, tera] = [1e3, 1e9, 1e12];

/** The tables behind each promise; all other tables count as the rest. */
const promises: readonly { name: string; tables: readonly string[] }[] = [
  { name: 'the order itself, found by any filter', tables: ['collection'] },
  { name: 'its timeline', tables: ['collection_event'] },
  {
    name: 'double entries, each with its balance',
    tables: ['ledger_entry', 'ledger_transfer', 'ledger_account'],
  },
  {
    name: 'figures of any day at once: rollups',
    tables: ['order_rollup', 'order_rollup_period', 'order_rollup_day', 'order_outcome_day'],
  },
  { name: 'settlement in batches', tables: ['settlement'] },
  { name: 'merchant notification: callbacks and the queue', tables: ['callback_message', 'jobs'] },
];

/**
 * Extrapolates a year at 100 million collections a day from the measured cost of one: rows, indexes, WAL and
 * CPU of orders that the product's own services create, pay and settle. A multiplication, not a forecast:
 * effects of size (deeper indexes, full-page images at checkpoints, vacuum of billions of rows) are not
 * included.
 */
export async function measureYear(): Promise<Figure[]> {
  const installation = await openTestInstallation();
  try {
    const merchants = await makeMerchants(installation.runtime, 100);
    await createOrders(installation, merchants, 'warm', warmOrders);
    const latenciesMs: number[] = [];
    const growth = await measureGrowth(installation.ownerUrl, async () => {
      latenciesMs.push(...(await createOrders(installation, merchants, 'year', orders)));
      for (const { id } of merchants)
        await installation.runtime.services.settlements.runNow(id, new Date(Date.now() + settleMs));
      await pause(settleMs);
    });
    return [...assumptions(), ...perOrder(growth), ...perYear(growth, percentile(latenciesMs, 0.5))];
  } finally {
    await installation.close();
  }
}

/** Creates orders and pays the assumed share of them; resolves with each one's duration in milliseconds. */
async function createOrders(
  installation: TestInstallation,
  merchants: KeyedMerchant[],
  run: string,
  count: number,
): Promise<number[]> {
  const { collections } = installation.runtime.services;
  const latenciesMs: number[] = [];
  let next = 0;
  const client = async () => {
    for (let number = next++; number < count; number = next++) {
      const merchant = merchants[number % merchants.length] as KeyedMerchant;
      const startedAt = performance.now();
      const currency = 'CNY';
      const home = { merchantId: merchant.id, code: 'bench', name: 'bench', currency, zone: 'UTC' } as const;
      const body = {
        out_trade_no: `${run}-${number}`,
        amount: '128.50',
        currency,
        channel: 'CN_BANK',
      } as const;
      const { tradeNo, amountMinor } = await collections.create(home, body, {
        callbackUrl: 'https://shop.example/callback',
      });
      if (number % 100 < year.paidShare * 100) {
        const paid = { status: 'paid', bankReference: `bank-${number}`, reason: null } as const;
        await collections.report({ reference: tradeNo, amountMinor, currency, ...paid });
      }
      latenciesMs.push(performance.now() - startedAt);
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  return latenciesMs;
}

const figure = (name: string, value: number, unit: string): Figure => ({ name, value, unit });

function assumptions(): Figure[] {
  return [
    figure('assumed: orders a day', year.ordersPerDay / 1e6, 'million'),
    figure('assumed: of them paid and settled', year.paidShare * 100, '%'),
    figure('assumed: busiest second, of the mean', year.peak, '×'),
    figure('assumed: busiest core at the peak', year.busyShare * 100, '%'),
    figure('assumed: cores of a node', year.coresPerNode, ''),
    figure('assumed: copies of everything', year.copies, ''),
    figure('assumed: WAL kept', year.walDays, 'days'),
  ];
}

function bytesOf(growth: Growth, tables: readonly string[]): number {
  return tables.reduce((sum, table) => sum + (growth.bytes.get(table) ?? 0), 0) / orders;
}

function perOrder(growth: Growth): Figure[] {
  const all = bytesOf(growth, [...growth.bytes.keys()]);
  const named = promises.map(({ name, tables }) => figure(`an order: ${name}`, bytesOf(growth, tables), 'B'));
  const rest = Math.round(all - named.reduce((sum, { value }) => sum + value, 0));
  return [
    ...named,
    figure('an order: the rest (trail, status, notices)', rest, 'B'),
    figure('an order: all tables and indexes', all, 'B'),
    figure('of that, unique indexes that prevent duplicates', growth.uniqueIndexBytes / orders, 'B'),
    figure('an order: WAL', growth.walBytes / orders, 'B'),
    figure('an order: CPU of the services', growth.ownCpuMs / orders, 'ms'),
    ...(growth.databaseCpuMs === undefined
      ? []
      : [figure('an order: CPU of PostgreSQL', growth.databaseCpuMs / orders, 'ms')]),
  ];
}

function perYear(growth: Growth, latencyMs: number): Figure[] {
  const perDay = (bytes: number) => (bytes / orders) * year.ordersPerDay;
  const all = [...growth.bytes.values()].reduce((sum, bytes) => sum + bytes, 0);
  const atPeak = (year.ordersPerDay / secondsPerDay) * year.peak;
  const coresFor = (cpuMs: number) => (atPeak * cpuMs) / orders / kilo / year.busyShare;
  const databaseCores = growth.databaseCpuMs === undefined ? undefined : coresFor(growth.databaseCpuMs);
  const kept = promises.map(({ name, tables }) =>
    figure(`a year: ${name}`, (bytesOf(growth, tables) * year.ordersPerDay * year.days) / tera, 'TB'),
  );
  return [
    figure('orders a second, mean', year.ordersPerDay / secondsPerDay, '/s'),
    figure('orders a second, peak', atPeak, '/s'),
    ...kept,
    figure('a year: all tables and indexes, one copy', (perDay(all) * year.days) / tera, 'TB'),
    figure('a year: all copies', (perDay(all) * year.days * year.copies) / tera, 'TB'),
    figure('a month, one copy (one partition)', (perDay(all) * 30) / tera, 'TB'),
    figure('WAL a day', perDay(growth.walBytes) / tera, 'TB'),
    figure('WAL at the peak', (atPeak * growth.walBytes) / orders / giga, 'GB/s'),
    figure('WAL kept', (perDay(growth.walBytes) * year.walDays) / tera, 'TB'),
    figure('connections in use at the peak', (atPeak * latencyMs) / kilo, ''),
    figure('cores for the services at the peak', coresFor(growth.ownCpuMs), ''),
    ...(databaseCores === undefined
      ? []
      : [
          figure('cores for PostgreSQL at the peak', databaseCores, ''),
          figure('database nodes', Math.ceil(databaseCores / year.coresPerNode), ''),
        ]),
  ];
}
