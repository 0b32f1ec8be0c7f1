import { z } from 'zod';
import type { Store } from './store.ts';

const callbackRow = z.object({ id: z.bigint(), url: z.string(), body: z.string(), attempts: z.bigint() });

/** A callback that waits to be acknowledged; `body` is the JSON exactly as it is sent each time. */
export type Callback = z.output<typeof callbackRow>;

const nextRow = z.object({ id: z.bigint(), nextAttemptAt: z.string() });

/** Prepares the statements of the callback outbox. */
export function createCallbackQueries({ db }: Store) {
  const insert = db.prepare(
    `INSERT INTO callbacks (url, body, next_attempt_at, give_up_at) VALUES (:url, :body, :now, :giveUpAt)`,
  );
  const next = db.prepare(
    `SELECT id, next_attempt_at AS nextAttemptAt FROM callbacks
     WHERE status = 'waiting' ORDER BY next_attempt_at, id LIMIT :limit`,
  );
  const find = db.prepare(
    `SELECT id, url, body, attempts FROM callbacks WHERE id = :id AND status = 'waiting'`,
  );
  const acknowledge = db.prepare(
    `UPDATE callbacks SET status = 'acknowledged', attempts = attempts + 1, last_result = :result
     WHERE id = :id AND status = 'waiting'`,
  );
  // A callback whose next attempt would come after its retry period is given up immediately.
  const postpone = db.prepare(
    `UPDATE callbacks SET attempts = attempts + 1, last_result = :result, next_attempt_at = :nextAttemptAt,
       status = CASE WHEN :nextAttemptAt > give_up_at THEN 'given_up' ELSE 'waiting' END
     WHERE id = :id AND status = 'waiting'`,
  );

  return {
    /** Puts a callback into the outbox, due now; returns its id. */
    insert(row: { url: string; body: string; now: string; giveUpAt: string }): bigint {
      return BigInt(insert.run(row).lastInsertRowid);
    },
    /** Returns the waiting callbacks that are due first, earliest first. */
    next(limit: number): z.output<typeof nextRow>[] {
      return z.array(nextRow).parse(next.all({ limit }));
    },
    /** Finds a callback that is still waiting. */
    find(id: bigint): Callback | undefined {
      return callbackRow.optional().parse(find.get({ id }));
    },
    /** Marks a callback as acknowledged: nothing more is sent. */
    acknowledge(id: bigint, result: string): void {
      acknowledge.run({ id, result });
    },
    /** Records a failed attempt: the callback is retried at `nextAttemptAt`, or given up. */
    postpone(id: bigint, result: string, nextAttemptAt: string): void {
      postpone.run({ id, result, nextAttemptAt });
    },
  };
}

/** The prepared statements of the callback outbox. */
export type CallbackQueries = ReturnType<typeof createCallbackQueries>;
