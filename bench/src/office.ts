import { createHash } from 'node:crypto';
import type { OrderRow } from '@hengfu/contract/staff/orders';
import { guardsOf } from '@hengfu/server/db/guards.ts';
import { runBulk } from '@hengfu/server/testing/bulk.sql.ts';
import { makeMerchants } from '@hengfu/server/testing/keyed-merchants.ts';
import { TestStaff } from '@hengfu/server/testing/test-staff.ts';
import type { Visitor } from '@hengfu/server/testing/visitor.ts';
import { atMost, type Figure, percentile } from './figures.ts';
import { fillInstallation } from './filled-installation.ts';
import { ordersOfAll } from './office.sql.ts';

const merchantCount = 1000;
const limitMs = 50;
const readsOfEach = 5;
const tables = ['collection', 'payout'];

const md5 = (text: string) => createHash('md5').update(text).digest('hex');

/** Reads the orders of all merchants in the back office over HTTP, with each of its filters: the first page and the next. */
export async function measureOffice(orders: number): Promise<Figure[]> {
  const { installation, filled: merchant } = await fillInstallation(async ({ runtime, ownerUrl }) => {
    const [first] = await makeMerchants(runtime, merchantCount);
    if (!first) throw new Error('no merchant was created');
    const guards = await guardsOf(ownerUrl, tables);
    await runBulk(ownerUrl, [
      ...guards.off,
      ...ordersOfAll(orders),
      ...guards.on.map(({ step }) => step),
      ...guards.closed,
      [`vacuum analyze ${tables.join(', ')}`],
    ]);
    return first;
  });
  const { ownerUrl, folder } = installation;
  const staff = await TestStaff.start({ ownerUrl, dataDirectory: folder });
  try {
    const member = await staff.member('support', 'SUPPORT');
    const times = await timesOf(member, `PB${md5(`${merchant.id} 77`)}`);
    return [
      { name: 'orders of all merchants', value: orders, unit: '' },
      { name: 'reads', value: times.length, unit: '' },
      { name: 'reads, p50', value: percentile(times, 0.5), unit: 'ms' },
      atMost('reads, p95', percentile(times, 0.95), 'ms', limitMs),
      { name: 'slowest', value: Math.max(...times), unit: 'ms' },
    ];
  } finally {
    await staff.close();
    await installation.close();
  }
}

/** @param reference the bank reference of a payout */
async function timesOf(member: Visitor, reference: string): Promise<number[]> {
  const [sample] = (await read(member, { kind: 'payout', status: 'processed' })).data.slice(-1);
  if (!sample) throw new Error('there is no payout');
  const sets: Record<string, string>[] = [
    {},
    { kind: 'payout' },
    { kind: 'collection' },
    { status: 'processed' },
    { status: 'failed' },
    { status: 'rejected' },
    { status: 'refunded' },
    { channel: 'CN_BANK' },
    { channel: 'BR_PIX' },
    { merchant: 'shop-1' },
    { merchant: 'shop-900' },
    { merchant: 'shop-1', status: 'rejected' },
    { createdTo: '2020-01-01T00:00:00Z' },
    { createdFrom: new Date(Date.now() - 30 * 86_400_000).toISOString(), status: 'rejected' },
    { search: sample.trade_no },
    { search: 'SHOP77' },
    { search: 'PAY77' },
    { search: reference },
    { search: '622200000077' },
    { search: 'nothing-of-the-kind' },
  ];
  const times: number[] = [];
  for (const filters of sets) {
    await read(member, filters);
    for (let again = 0; again < readsOfEach; again++) {
      const first = await timed(() => read(member, filters));
      times.push(first.ms);
      if (first.page.next)
        times.push((await timed(() => read(member, { ...filters, cursor: first.page.next ?? '' }))).ms);
    }
  }
  return times;
}

interface OrderPage {
  data: OrderRow[];
  next: string | null;
}

async function read(member: Visitor, filters: Record<string, string>): Promise<OrderPage> {
  const { status, json } = await member.get(`/api/staff/orders?${new URLSearchParams(filters)}`);
  if (status !== 200) throw new Error(`${JSON.stringify(filters)}: ${status} ${JSON.stringify(json)}`);
  return json;
}

async function timed(work: () => Promise<OrderPage>): Promise<{ page: OrderPage; ms: number }> {
  const startedAt = performance.now();
  const page = await work();
  return { page, ms: performance.now() - startedAt };
}
