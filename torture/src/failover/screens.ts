import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { MerchantService } from '@hengfu/server/features/merchants/merchants.service.ts';
import { EventStream } from '@hengfu/server/testing/event-stream.ts';
import { until } from '@hengfu/server/testing/until.ts';
import { Visitor } from '@hengfu/server/testing/visitor.ts';
import type { Harness } from '../harness.ts';

const exportsPath = '/api/merchant/exports';
const account = { email: 'failover@shop.test', password: 'Failover-pass-2026' };
const retryMs = 500;
const betweenExportsMs = 4000;
/** Reads and streams must be back this soon after writes are. */
const backWithinMs = 20_000;

/** A person at the console: an open event stream, lists that are read, and exports, one after another. */
export class Screens {
  /** Exports requested by number, with the status last seen. */
  readonly exports = new Map<string, string>();
  readonly faults: string[] = [];
  reads = 0;
  events = 0;
  streams = 0;
  readonly #url: string;
  readonly #visitor: Visitor;
  #isOver = false;
  #running: Promise<unknown> = Promise.resolve();
  #stream: EventStream | undefined;

  private constructor(url: string, visitor: Visitor) {
    this.#url = url;
    this.#visitor = visitor;
  }

  /** Signs a person of the first merchant in. */
  static async open(harness: Harness, url: string): Promise<Screens> {
    const { services } = harness.installation.runtime;
    const [merchant] = harness.merchants;
    if (!merchant) throw new Error('the harness has no merchant');
    const admin = new MerchantService(services.database, services.secrets, 'operator:setup');
    await admin.createUser(merchant.id, { ...account, name: 'Failover', roles: ['MERCHANT_ADMIN'] });
    const visitor = new Visitor(url);
    await visitor.signIn(account.email, account.password);
    const screens = new Screens(url, visitor);
    screens.#running = Promise.all([screens.#watch(), screens.#read(), screens.#export()]);
    return screens;
  }

  /** Waits until a list was read and a change arrived, both after now. Late ones are faults. */
  async back(after: string): Promise<void> {
    const { reads, events } = this;
    await until(
      async () => ({ reads: this.reads, events: this.events }),
      (now) => now.reads > reads && now.events > events,
      backWithinMs,
    ).catch((error: Error) =>
      this.faults.push(`after ${after}: no read or no live update: ${error.message}`),
    );
  }

  /** Ends it once the last export is final. */
  async close(): Promise<void> {
    this.#isOver = true;
    await this.#stream?.cancel().catch(() => undefined);
    await this.#running;
  }

  /** Keeps an event stream open, as the console does. */
  async #watch(): Promise<void> {
    while (!this.#isOver) {
      try {
        this.#stream = await EventStream.open(this.#url, this.#visitor);
        this.streams++;
        for (;;) {
          await this.#stream.next();
          this.events++;
        }
      } catch {
        await pause(retryMs);
      }
    }
  }

  async #read(): Promise<void> {
    while (!this.#isOver) {
      const { status } = await this.#visitor.get('/api/merchant/payouts').catch(() => ({ status: 503 }));
      if (status === 200) this.reads++;
      else if (status !== 503) this.faults.push(`a list got the reply ${status}`);
      await pause(retryMs);
    }
  }

  async #export(): Promise<void> {
    const request = { list: 'payouts', format: 'csv', language: 'en', zone: 'UTC' };
    while (!this.#isOver) {
      const reply = await this.#visitor.post(exportsPath, request).catch(() => undefined);
      if (reply && reply.status < 300) await this.#finish(reply.json.data.export_no);
      else if (reply && reply.status !== 503) this.faults.push(`an export got the reply ${reply.status}`);
      await pause(betweenExportsMs);
    }
  }

  /** Waits for the end of an export, and compares its file with its SHA-256. */
  async #finish(exportNo: string): Promise<void> {
    for (;;) {
      const reply = await this.#visitor.get(exportsPath).catch(() => undefined);
      const row =
        reply?.status === 200 &&
        reply.json.data.find((each: { export_no: string }) => each.export_no === exportNo);
      if (reply?.status === 200 && !row) {
        this.faults.push(`the acknowledged export ${exportNo} is missing`);
        return;
      }
      if (row) this.exports.set(exportNo, row.status);
      if (row?.status === 'failed') this.faults.push(`export ${exportNo} failed: ${row.reason}`);
      if (row?.status === 'failed') return;
      if (row?.status === 'successful' && (await this.#isSound(exportNo, row.sha256))) return;
      await pause(retryMs);
    }
  }

  /** Downloads a file; false if the server is away for the moment. */
  async #isSound(exportNo: string, sha256: string): Promise<boolean> {
    const cookie = [...this.#visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const reply = await fetch(`${this.#url}${exportsPath}/${exportNo}/file`, { headers: { cookie } }).catch(
      () => undefined,
    );
    if (!reply || reply.status === 503) return false;
    const bytes = Buffer.from(await reply.arrayBuffer());
    if (createHash('sha256').update(bytes).digest('hex') !== sha256)
      this.faults.push(`the file of ${exportNo} does not match its SHA-256`);
    return true;
  }
}
