import { type RawBuilder, sql } from 'kysely';
import { expect } from 'vitest';
import { asOwner } from '#db/owner.ts';
import type { TestProduct } from './test-product.ts';
import { until } from './until.ts';
import type { Answer } from './visitor.ts';

/** Kinds of orders that a shop creates with signed calls: the last part of their path. */
export type Kind = 'collections' | 'payouts';

/** Returns `accepted`, or the code that a call was refused with. */
export const outcomeOf = ({ status, json }: Answer): string => (status < 300 ? 'accepted' : json.code);

/** Returns the body of a call. Payouts with the same number go to the same account, all others to different ones. */
function bodyOf(kind: Kind, out_trade_no: string, fields: object): object {
  const digits = `${BigInt(`0x${Buffer.from(out_trade_no).toString('hex')}`)}`;
  const payeeAccount = `95588${digits.padStart(13, '0').slice(-13)}`;
  const payee = { channel: 'CN_BANK', payee: '王芳', payeeAccount, bank: 'ICBC', bankName: 'ICBC' };
  return { out_trade_no, amount: '1.00', currency: 'CNY', ...(kind === 'payouts' && payee), ...fields };
}

let shops = 0;

/**
 * Opens a shop with funds that creates orders of one kind. The process has read its key and never admitted a call with it: the first one
 * was a replay.
 */
export async function openShop(product: TestProduct, kind: Kind, funds = '100.00') {
  const merchant = await product.merchant(`shop${++shops}`);
  await product.fund(merchant, funds);
  const { id, program } = merchant;
  const run = async <T>(statement: RawBuilder<T>) =>
    (await product.services.database.asSystem((tx) => statement.execute(tx.query))).rows;
  const get = async (nonce: string, path: string) =>
    outcomeOf(await program.get(`/openapi/v1/${path}`, { nonce }));
  await run(sql`insert into used_nonce values (${id}, ${program.key.id}, 'used-before')`);
  expect(await get('used-before', 'balance')).toBe('nonce_replayed');
  const post = (nonce: string, number: string, fields: object = {}, headers = {}) =>
    program.post(`/openapi/v1/${kind}`, bodyOf(kind, number, fields), { nonce, headers });
  const outcome = async (...call: Parameters<typeof post>) => outcomeOf(await post(...call));
  const setKey = (to: RawBuilder<unknown>) => run(sql`update access_key set ${to} where merchant_id = ${id}`);
  const setMerchant = (to: RawBuilder<unknown>) => run(sql`update merchant set ${to} where id = ${id}`);
  const isClaimed = async (nonce: string) =>
    (await run(sql`select from used_nonce where merchant_id = ${id} and nonce = ${nonce}`)).length > 0;
  /** Reads number and callback URL of each order, apart from those that gave funds. */
  const orders = async () => {
    const rows = await run(sql<{ out_trade_no: string; notify_url: string | null }>`
      select out_trade_no, notify_url from ${sql.table(kind.slice(0, -1))}
      where merchant_id = ${id} and out_trade_no not like 'funds-%' order by id`);
    return rows.map(({ out_trade_no, notify_url }) => [out_trade_no, notify_url]);
  };
  /**
   * Makes one call per nonce while another transaction, of the shop's ledger, holds a lock. Does more work once each of them has claimed
   * its nonce.
   */
  const whileLocked = (lock: string, nonces: readonly string[], meanwhile: () => Promise<unknown>) =>
    asOwner(product.ownerUrl, async (client) => {
      const answers: Promise<string>[] = [];
      await client.query(`begin; set local role hengfu_ledger; set local app.merchant_id = '${id}'; ${lock}`);
      for (const nonce of nonces) {
        answers.push(outcome(nonce, nonce));
        await until(() => isClaimed(nonce), Boolean);
        await meanwhile();
      }
      await client.query('rollback');
      return Promise.all(answers);
    });
  return { merchant, get, post, outcome, setKey, setMerchant, isClaimed, orders, whileLocked };
}
