import type { ChannelCode } from '@hengfu/contract/channels';
import { formatAmount } from '@hengfu/contract/money';
import type { DayDetail, Difference } from '@hengfu/contract/staff/statement-days';
import type { CsvColumns, StatementMapping } from '@hengfu/contract/staff/statement-mapping';
import { post, type TransferType } from '#ledger/ledger.ts';
import { moveAtChannel, orderNumber } from './clearing-movements.ts';
import type { TestMerchant, TestProduct } from './test-product.ts';
import type { TestStaff } from './test-staff.ts';
import { until } from './until.ts';
import type { Visitor } from './visitor.ts';

/** The columns of the CSV files that tests write. */
export const plainColumns: CsvColumns = {
  delimiter: 'comma',
  encoding: 'utf-8',
  headingRow: 1,
  decimalMark: 'point',
  dateOrder: 'ymd',
  amountForm: 'signed',
  reference: 'number',
  amount: 'amount',
  credit: '',
  debit: '',
  direction: '',
  creditWord: '',
  date: 'date',
  bankReference: 'bank',
  text: 'text',
};

const dayMs = 86_400_000;
const zone = 'Asia/Shanghai';

/** A line of a statement: our number and minor units, positive came in. */
export type StatementRow = readonly [reference: string | undefined, amountMinor: bigint];

/** Moves money at a channel, writes statements about it, and uploads them. */
export class StatementDesk {
  readonly #product: TestProduct;
  readonly #staff: TestStaff;
  readonly #member: Visitor;
  #daysAgo = 65;

  constructor(product: TestProduct, staff: TestStaff, member: Visitor) {
    this.#product = product;
    this.#staff = staff;
    this.#member = member;
  }

  /** Today at the bank. */
  today(): string {
    return new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(new Date());
  }

  /** A day of the past that no test has used. */
  nextDay(): string {
    if (--this.#daysAgo < 2) throw new Error('no days are left');
    return shifted(this.today(), -this.#daysAgo);
  }

  dayBefore(day: string): string {
    return shifted(day, -1);
  }

  path(day: string, channel: ChannelCode = 'CN_BANK'): string {
    return `/api/staff/reconciliation/days/${channel}/${day}`;
  }

  async saveMapping(channel: ChannelCode, more: Partial<StatementMapping> = {}): Promise<void> {
    const mapping: StatementMapping = {
      zone,
      dayEnds: '00:00',
      csv: plainColumns,
      ...more,
    };
    const { status, json } = await this.#member.send(
      'PUT',
      `/api/staff/reconciliation/mappings/${channel}`,
      mapping,
    );
    if (status !== 204) throw new Error(`mapping: ${JSON.stringify(json)}`);
  }

  /** Posts movements of a merchant at noon of a day; returns their numbers. */
  move(merchant: TestMerchant, day: string, amounts: readonly bigint[]): Promise<string[]> {
    return this.moveAt(
      merchant,
      amounts.map((amountMinor) => [amountMinor, new Date(`${day}T12:00:00+08:00`)]),
    );
  }

  async moveAt(merchant: TestMerchant, amounts: readonly (readonly [bigint, Date])[]): Promise<string[]> {
    const movements = amounts.map(([amountMinor, at]) => ({
      reference: orderNumber(merchant, amountMinor > 0n ? 'C' : 'P'),
      amountMinor,
      at,
    }));
    await moveAtChannel(this.#product.services.database, merchant, 'CN_BANK', movements);
    return movements.map(({ reference }) => reference);
  }

  /** Posts a refund, or its reversal (negative). */
  async refund(
    merchant: TestMerchant,
    day: string,
    refundNo: string,
    amountMinor: bigint,
    type: TransferType,
  ) {
    await this.#product.services.database.asSystemFor(merchant.id, (tx) =>
      post(tx, {
        type,
        key: `${type}:${refundNo}`,
        subjectNo: refundNo.split('-R')[0] ?? '',
        currency: merchant.currency,
        entries: [
          { account: 'clearing', reference: 'CN_BANK', amountMinor },
          { account: 'fees', amountMinor: -amountMinor },
        ],
        at: new Date(`${day}T13:00:00+08:00`),
      }),
    );
  }

  csv(day: string, rows: readonly StatementRow[]): string {
    const lines = rows.map(
      ([reference = '', amountMinor], at) =>
        `${reference},${formatAmount(amountMinor, 'CNY')},${day},B${at + 1},line ${at + 1}\n`,
    );
    return `number,amount,date,bank,text\n${lines.join('')}`;
  }

  camt(day: string, rows: readonly StatementRow[]): string {
    const balance = (code: string, minor: bigint) =>
      `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp><Amt Ccy="CNY">${formatAmount(minor, 'CNY')}</Amt><CdtDbtInd>CRDT</CdtDbtInd></Bal>`;
    const entries = rows.map(([reference, minor]) => {
      const way = minor > 0n ? 'CRDT' : 'DBIT';
      const amount = formatAmount(minor > 0n ? minor : -minor, 'CNY');
      return (
        `<Ntry><Amt Ccy="CNY">${amount}</Amt><CdtDbtInd>${way}</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts><ValDt><Dt>${day}</Dt></ValDt>` +
        `<NtryDtls><TxDtls><Refs><EndToEndId>${reference}</EndToEndId></Refs></TxDtls></NtryDtls></Ntry>`
      );
    });
    const sum = rows.reduce((total, [, minor]) => total + minor, 10_000n);
    return (
      '<?xml version="1.0" encoding="UTF-8"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><Stmt>' +
      `${balance('OPBD', 10_000n)}${balance('CLBD', sum)}${entries.join('')}</Stmt></BkToCstmrStmt></Document>`
    );
  }

  /** Sends a file as the statement of a day. */
  async send(
    day: string,
    file: string | Buffer,
    format: 'csv' | 'camt053' = 'csv',
    name = 'statement.csv',
    channel: ChannelCode = 'CN_BANK',
    by = this.#member,
  ) {
    const query = new URLSearchParams({ format, name });
    const response = await fetch(`${this.#staff.url}${this.path(day, channel)}/statement?${query}`, {
      method: 'POST',
      headers: {
        cookie: [...by.cookies].map(([key, value]) => `${key}=${value}`).join('; '),
        'x-xsrf-token': by.cookies.get('STAFF-XSRF-TOKEN') ?? '',
        'content-type': 'application/octet-stream',
      },
      body: typeof file === 'string' ? file : new Uint8Array(file),
    });
    // biome-ignore lint/suspicious/noExplicitAny: tests reach into replies of every shape
    return { status: response.status, json: (await response.json()) as any };
  }

  /** Waits until the statement of a day is loaded. */
  async done(day: string): Promise<DayDetail> {
    const { json } = await until(
      () => this.#member.get(this.path(day)),
      (found) => found.json.data.state !== 'loading',
    );
    return json.data;
  }

  /** Uploads the statement of a day, and waits until it is matched. */
  async upload(day: string, rows: readonly StatementRow[]): Promise<DayDetail> {
    const { status, json } = await this.send(day, this.csv(day, rows));
    if (status !== 201) throw new Error(`upload: ${JSON.stringify(json)}`);
    return this.done(day);
  }

  async differences(day: string): Promise<Difference[]> {
    return (await this.#member.get(`${this.path(day)}/differences`)).json.data;
  }
}

function shifted(day: string, days: number): string {
  return new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10);
}
