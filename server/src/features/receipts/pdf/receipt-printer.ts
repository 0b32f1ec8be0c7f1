import { pathToFileURL } from 'node:url';
import { entryFile } from '#folders.ts';
import { FairQueue } from '#threads/fair-queue.ts';
import { OwnThread } from '#threads/own-thread.ts';
import type { PrintedReceipt } from './draw-receipt.ts';

/** PDFs drawn at a time, and those that may wait: for one receipt and in all. Each takes about 50 ms of a core. */
export const printQueue = { concurrency: 1, waitingInLane: 3, waitingInAll: 40 };
/** The fonts take 20 MB, which the end of the thread frees. */
const idleMs = 30_000;

/** Draws receipts as PDF in a thread of its own, one after the other, receipts round-robin. */
export class ReceiptPrinter {
  readonly #queue = new FairQueue(printQueue);
  readonly #thread = new OwnThread<PrintedReceipt, Uint8Array>({
    module: pathToFileURL(entryFile('receiptThread')),
    given: undefined,
    idleMs,
  });

  /** Returns the PDF; undefined if too many are waiting, of this receipt or in all. */
  async print(lane: string, receipt: PrintedReceipt): Promise<Buffer | undefined> {
    const content = await this.#queue.run(lane, () => this.#thread.ask(receipt));
    return content && Buffer.from(content);
  }
}
