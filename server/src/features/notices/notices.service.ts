import { type MarkNotices, noticeKinds, permOfNotice } from '@hengfu/contract/notices';
import { type Database, type MerchantTx, pipelined } from '#db/database.ts';
import { holds, type Person } from '#domain/caller.ts';
import { deleteOldOrigins } from '#http/sign-ins.sql.ts';
import type { Recurring, Task } from '#jobs/jobs.ts';
import {
  countUnread,
  deleteOld,
  listNotices,
  markSome,
  type Notice,
  type Reader,
  raiseMark,
  withBounds,
} from './notices.sql.ts';

const sweepTask = 'notices.sweep';
export const noticeRecurring: readonly Recurring[] = [{ task: sweepTask, everySeconds: 600 }];
const deleteBatchSize = 1000;
const maxBatchesPerRun = 50;

/** Lists notices and keeps track of which ones each person has read. */
export class NoticeService {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  readonly tasks: Record<string, Task> = { [sweepTask]: () => this.#sweep() };

  /**
   * Lists the newest notices below an id, with one extra row if there are more than `limit`, and counts the
   * unread ones.
   */
  list(
    person: Person,
    page: { below: bigint | null; limit: number },
  ): Promise<{ rows: Notice[]; unread: number }> {
    return this.#database.asMerchant(person.home.merchantId, async (tx) => {
      const reader = await withBounds(tx, readerOf(person));
      const [rows, unread] = await pipelined([
        listNotices(tx, reader, { ...page, limit: page.limit + 1 }),
        countUnread(tx, reader),
      ]);
      return { rows, unread };
    });
  }

  /** Marks notices as read; returns how many are still unread. */
  markRead(person: Person, marks: MarkNotices): Promise<number> {
    const { merchantId } = person.home;
    return this.#database.asMerchant(merchantId, async (tx) => {
      await mark(tx, readerOf(person), marks);
      // Refreshes the person's other tabs.
      tx.changed(merchantId, 'notices');
      return countUnread(tx, await withBounds(tx, readerOf(person)));
    });
  }

  async #sweep(): Promise<void> {
    for (const table of ['notice', 'notice_read'] as const) {
      for (let batch = 0; batch < maxBatchesPerRun; batch++) {
        const deleted = await this.#database.asSystem((tx) => deleteOld(tx, table, deleteBatchSize));
        if (deleted < deleteBatchSize) break;
      }
    }
    await this.#database.asSystem(deleteOldOrigins);
  }
}

async function mark(tx: MerchantTx, reader: Reader, marks: MarkNotices): Promise<void> {
  if ('ids' in marks) return markSome(tx, await withBounds(tx, reader), { ids: marks.ids.map(BigInt) });
  const upTo = BigInt(marks.upTo);
  await raiseMark(tx, reader, upTo);
  await markSome(tx, await withBounds(tx, reader), { upTo });
}

/** Returns the person's id with the notice kinds that the person's permissions allow. */
function readerOf(person: Person): Reader {
  const kinds = noticeKinds.filter((kind) => {
    const perm = permOfNotice[kind];
    return perm === null || holds(person, perm);
  });
  return { userId: person.userId, kinds };
}
