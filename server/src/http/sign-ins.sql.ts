import { noticeDays } from '@hengfu/contract/notices';
import { sql } from 'kysely';
import type { Tx } from '#db/database.ts';
import { noticePerson } from '#domain/notices.sql.ts';
import type { NewSession } from './session.sql.ts';

/** A sign-in: the user, and the address and browser used. */
type SignIn = Pick<NewSession, 'userId' | 'address' | 'userAgent'>;

/**
 * Records where a user signed in from, and notifies them of a browser or an address that they had not used
 * for ninety days, at every merchant that the user works for. A first sign-in has nothing to compare with and sends no
 * notification.
 */
export async function noteSignIn(tx: Tx, { userId, address, userAgent }: SignIn): Promise<void> {
  const { rows } = await sql`
    with origin (kind, value) as (
      values ('address', sign_in_address(${address}::inet)), ('browser', sign_in_browser(${userAgent ?? null}))
    ), noted as (
      insert into sign_in_origin (user_id, kind, value)
      select ${userId}::bigint, kind, value from origin order by kind
      on conflict (user_id, kind, value) do update set last_at = now()
    )
    select from sign_in_origin before join origin using (kind)
    where before.user_id = ${userId}
    group by kind
    having not bool_or(before.value = origin.value and before.last_at > now() - ${noticeDays} * interval '1 day')`.execute(
    tx.prepared,
  );
  if (rows.length === 0) return;
  const facts = { address, ...(userAgent !== undefined && { userAgent: userAgent.slice(0, 400) }) };
  await noticePerson(tx, userId, { kind: 'signInNew', facts });
}

/** Deletes old sign-in origins, except a user's latest of each kind, with which the next one is compared. */
export async function deleteOldOrigins(tx: Tx): Promise<void> {
  await sql`
    delete from sign_in_origin o where last_at < now() - ${noticeDays} * interval '1 day' and exists (
      select from sign_in_origin later where later.user_id = o.user_id
        and later.kind = o.kind and (later.last_at, later.value) > (o.last_at, o.value))`.execute(tx.query);
}
