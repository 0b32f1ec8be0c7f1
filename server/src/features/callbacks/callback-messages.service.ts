import type { CallbackQuery } from '@hengfu/contract/callback-messages';
import type { ArchiveReader } from '#archive/archive-reader.ts';
import {
  type AttemptWithReply,
  findArchivedAttemptsOf,
  listAttemptsOf,
  toArchivedReply,
} from '#callbacks/attempts.sql.ts';
import { reopenMessages } from '#callbacks/callbacks.sql.ts';
import { scheduleReopened } from '#callbacks/callbacks.ts';
import type { Database } from '#db/database.ts';
import { auditPerson } from '#domain/audit.sql.ts';
import type { Person, RequestInfo } from '#domain/caller.ts';
import type { Page } from '#domain/list.sql.ts';
import { Refusal } from '#domain/refusal.ts';
import { countOrRefuse } from '#domain/throttle.sql.ts';
import { tries } from '#domain/throttle-keys.ts';
import { type CallbackMessage, findMessages, listMessages, readBody } from './callback-messages.sql.ts';

/** Calls per merchant, each of which sends up to a hundred messages again. */
const againLimit = { limit: 60, windowSeconds: 600 };

/** A callback with its body, and every attempt, oldest first. */
export interface MessageHistory extends CallbackMessage {
  body: string;
  history: AttemptWithReply[];
}

/** Reads a merchant's callbacks, and sends them again. */
export class CallbackMessages {
  readonly #database: Database;
  readonly #archive: ArchiveReader;

  constructor(database: Database, archive: ArchiveReader) {
    this.#database = database;
    this.#archive = archive;
  }

  list(merchantId: bigint, query: CallbackQuery): Promise<Page<CallbackMessage>> {
    return this.#database.asMerchant(merchantId, (tx) => listMessages(tx, query), { snapshot: true });
  }

  /** Returns a callback with its body and every attempt. Throws `not_found`, also for another merchant's callback. */
  async find(merchantId: bigint, id: string): Promise<MessageHistory> {
    const { message, body, attempts, old } = await this.#database.asMerchant(merchantId, async (tx) => {
      const [found] = await findMessages(tx, [id]);
      if (!found) throw new Refusal('not_found');
      return {
        message: found,
        body: await readBody(tx, id),
        attempts: await listAttemptsOf(tx, found),
        old: await findArchivedAttemptsOf(tx, found),
      };
    });
    const earlier = (await this.#archive.read(old)).map(toArchivedReply);
    return { ...message, body, history: [...earlier, ...attempts] };
  }

  /**
   * Sends callbacks again under their old IDs: all of them, or none. Returns how many. Throws `not_found` if one is not the merchant's, or its
   * endpoint was removed; `too_many_attempts`.
   */
  async sendAgain(person: Person, request: RequestInfo, given: readonly string[]): Promise<number> {
    const { merchantId } = person.home;
    const ids = [...new Set(given.map((id) => id.toLowerCase()))];
    await countOrRefuse(this.#database, tries.callbacksAgain(merchantId), againLimit);
    return this.#database.asMerchant(merchantId, async (tx) => {
      const found = await findMessages(tx, ids);
      if (found.length < ids.length || found.some(({ endpoint }) => endpoint?.isRemoved))
        throw new Refusal('not_found');
      const reopened = await reopenMessages(tx, ids);
      for (const message of reopened) {
        await scheduleReopened(tx, message);
        await auditPerson(tx, person, request, 'callback.send_again', {
          subject: message.subjectNo,
          after: { event: message.event },
        });
      }
      tx.changed(merchantId, 'callbacks');
      return reopened.length;
    });
  }
}
