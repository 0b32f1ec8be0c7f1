import { addPerson, signIn } from './console-session.ts';
import { atMost, type Figure, percentile } from './figures.ts';
import { loadCollections } from './loader.sql.ts';
import { makeMerchants } from './merchants.ts';
import { openBed, serve } from './product.ts';

const defaultRows = 2_000_000;
const warmReads = 3;
const reads = 20;
const deepRows = 10_000;
const limitMs = 25;

/** One page of the console's list of transactions. */
interface Page {
  data: { trade_no: string; out_trade_no: string; settlement_no: string | null }[];
  next: string | null;
  total: { count: number; exact: boolean };
}

/** Every filter of the list of transactions, alone and as people combine them, at many rows of one merchant. */
export async function measureLists(rows = defaultRows): Promise<Figure[]> {
  const bed = await openBed();
  try {
    const [merchant] = await makeMerchants(bed.runtime, 1);
    if (!merchant) throw new Error('no merchant');
    await addPerson(bed.runtime, merchant.id);
    await loadCollections(bed.runtime.services.database, bed.ownerUrl, merchant.id, rows);
    const product = await serve(bed.ownerUrl, bed.folder);
    const reader = new Reader(product.url, await signIn(product.url));
    const figures = [{ name: 'collections of the merchant', value: rows, unit: '' }];
    for (const [name, query] of await filters(reader)) figures.push(...(await reader.measure(name, query)));
    figures.push(await reader.measureDashboard());
    await product.stop();
    return figures;
  } finally {
    await bed.close();
  }
}

/** The filters with values that match many rows, few, or none. */
async function filters(reader: Reader): Promise<[string, string][]> {
  const { data } = await reader.page('limit=200');
  const settled = await reader.page('settlementStatus=settled');
  const row = data[100];
  const ago = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
  const month = `createdFrom=${ago(60)}&createdTo=${ago(30)}`;
  return [
    ['no filter', ''],
    ['order number', `trade_no=${row?.trade_no}`],
    ['merchant order number', `out_trade_no=${row?.out_trade_no}`],
    ['order number of nobody', 'trade_no=C000'],
    ['status, most', 'status=success'],
    ['status, few', 'status=refunded'],
    ['status, hardly any', 'status=toBePaid'],
    ['three states', 'status=failed,refunded,toBePaid'],
    ['settlement status, most', 'settlementStatus=settled'],
    ['settlement status, few', 'settlementStatus=unsettled'],
    ['settlement status, none', 'settlementStatus=pendingSettlement'],
    ['two settlement states', 'settlementStatus=unsettled,pendingSettlement'],
    ['channel', 'channel=CN_BANK'],
    ['channel of nobody', 'channel=VN_NAPAS'],
    ['batch', `settlement_no=${settled.data[0]?.settlement_no}`],
    ['amount, wide', 'amountFrom=100.00&amountTo=5000.00'],
    ['amount, narrow', 'amountFrom=123.45&amountTo=123.45'],
    ['amount, few', 'amountFrom=9950.00'],
    ['created, a month', month],
    ['paid, a month', `paidFrom=${ago(60)}&paidTo=${ago(30)}`],
    ['paid, a day', `paidFrom=${ago(60)}&paidTo=${ago(59)}`],
    ['status and month', `status=failed&${month}`],
    ['status and amount', 'status=failed&amountFrom=9000.00'],
    ['two states, amount and month', `status=failed,cancelled&amountFrom=8000.00&${month}`],
    ['settlement status and paid', `settlementStatus=settled&paidFrom=${ago(200)}&paidTo=${ago(199)}`],
    ['channel and narrow amount', 'channel=CN_BANK&amountFrom=777.77&amountTo=777.77'],
    ['everything', `status=success&settlementStatus=settled&channel=CN_BANK&amountFrom=9900.00&${month}`],
  ];
}

/** Reads the console's calls as a browser with a session does. */
class Reader {
  readonly #url: string;
  readonly #cookie: string;

  constructor(url: string, cookie: string) {
    this.#url = url;
    this.#cookie = cookie;
  }

  page(query: string): Promise<Page> {
    return this.#get(`/api/merchant/collections?${query.replaceAll('+', '%2B')}`);
  }

  /** The 95th percentile of the first page and, where the list is long enough, of one deep in it. */
  async measure(name: string, query: string): Promise<Figure[]> {
    const first = await this.#p95(() => this.page(query));
    const { total, next } = await this.page(`${query}&limit=200`);
    const figures = [atMost(`${name}: first page, p95`, first, 'ms', limitMs)];
    if (total.exact && total.count <= deepRows) return figures;
    let cursor = next;
    for (let depth = 200; depth < deepRows && cursor; depth += 200)
      cursor = (await this.page(`${query}&limit=200&cursor=${cursor}`)).next;
    if (!cursor) return figures;
    const deep = await this.#p95(() => this.page(`${query}&cursor=${cursor}`));
    return [...figures, atMost(`${name}: ${deepRows} rows deep, p95`, deep, 'ms', limitMs)];
  }

  async measureDashboard(): Promise<Figure> {
    return atMost('dashboard, p95', await this.#p95(() => this.#get('/api/merchant/dashboard')), 'ms', 10);
  }

  async #p95(read: () => Promise<unknown>): Promise<number> {
    const times: number[] = [];
    for (let number = 0; number < warmReads + reads; number++) {
      const startedAt = performance.now();
      await read();
      if (number >= warmReads) times.push(performance.now() - startedAt);
    }
    return percentile(times, 0.95);
  }

  async #get<T>(path: string): Promise<T> {
    const answer = await fetch(this.#url + path, { headers: { cookie: this.#cookie } });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return answer.json() as Promise<T>;
  }
}
