import { type Role, roles } from '@hengfu/contract/permissions';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { Colleague, payoutRule } from '../../testing/approving-office.ts';
import { ShopProgram } from '../../testing/shop-program.ts';
import { type TestMerchant, TestProduct } from '../../testing/test-product.ts';

/** One attempt by somebody whom the adversary controls; the numbers choose who acts, on what, and with which roles. */
interface Attempt {
  kind: (typeof kinds)[number];
  actor: number;
  target: number;
  roles: Role[];
}

const kinds = [
  'pay',
  'payInParts',
  'payByKey',
  'newKey',
  'newKey',
  'whitelist',
  'callback',
  'withdraw',
  'approve',
  'approve',
  'approve',
  'approveMany',
  'rules',
  'invite',
  'invite',
  'join',
  'join',
  'renew',
  'roles',
  'suspend',
  'reactivate',
  'remove',
] as const;

const attempt: fc.Arbitrary<Attempt> = fc.record({
  kind: fc.constantFrom(...kinds),
  actor: fc.nat(6),
  target: fc.nat(6),
  roles: fc.oneof(
    fc.uniqueArray(fc.constantFrom(...roles), { minLength: 1, maxLength: 2 }),
    // Somebody without payment rights joins without approval.
    fc.constantFrom<Role[]>(['SUPPORT'], ['MERCHANT_VIEWER']),
  ),
});

/** The rule names the adversary's own role, and one that the adversary can try to give to others. No account is known. */
const shared = { approvers: 1, people: [], roles: ['APPROVER', 'MERCHANT_ADMIN'] satisfies Role[] };
const rules = fc.constantFrom(
  { ...shared, kind: 'payout' as const, amountMinor: '10000' },
  { ...shared, kind: 'payee' as const, amountMinor: '3000' },
);

const team = '/api/merchant/team';
let product: TestProduct;
let count = 0;
/**
 * How many payments and changes of the access waited in all runs, how many of these were made where no rule covers them, and how many
 * people joined: the property must not hold for want of attempts.
 */
const seen = { payments: 0, asked: 0, opened: 0, joined: 0 };
const noRow = { sent: null, alone: 0, payments: 0, asked: 0, opened: 0 };

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'));
});
afterAll(async () => {
  expect(await product.violations()).toEqual([]);
  await product.close();
});

/** Controls one account of a merchant, everybody whom that account can invite, and a program with the access key. */
class Adversary {
  readonly #merchant: TestMerchant;
  readonly #actors: Colleague[];
  readonly #tokens: string[] = [];
  #numbers = 0;
  #knowsKey = false;

  constructor(merchant: TestMerchant, first: Colleague) {
    this.#merchant = merchant;
    this.#actors = [first];
  }

  async try({ kind, actor: index, target, roles: given }: Attempt): Promise<void> {
    const actor = this.#actors[index % this.#actors.length] as Colleague;
    const { visitor } = actor;
    // Suspended or removed by another one.
    if ((await visitor.get('/api/merchant/user')).status !== 200) return;
    const account = `12345678900${target}`;
    if (kind === 'pay') await actor.pay('100.00', account, { confirmSimilar: true });
    if (kind === 'payInParts')
      for (const amount of target % 2 === 0 ? ['40.00', '35.00', '25.00'] : ['14.00', '9.00', '7.00'])
        await actor.pay(amount, account, { confirmSimilar: true });
    if (kind === 'payByKey') await this.#payByKey(actor, account);
    if (kind === 'newKey') await this.#newKey(actor, account);
    if (kind === 'whitelist')
      await visitor.send('PUT', '/api/merchant/ip-address', {
        addresses: target % 2 === 0 ? '0.0.0.0/0' : `127.0.0.1\n203.0.113.${target}`,
        confirmOpen: true,
        confirmClosed: true,
      });
    if (kind === 'callback')
      await actor.authorized('PUT', '/api/merchant/access-key/update', {
        callbackUrl: `https://adversary.test/${target}`,
        isEnabled: true,
      });
    if (kind === 'approve') {
      const [requestNo] = await this.#requests(actor, target);
      if (requestNo) await actor.approve(requestNo);
    }
    if (kind === 'approveMany')
      await actor.authorized('POST', '/api/merchant/approvals-approval', {
        request_nos: await this.#requests(actor, target),
      });
    if (kind === 'withdraw') {
      const [requestNo] = await this.#requests(actor, target);
      if (requestNo) await actor.withdraw(requestNo);
    }
    if (kind === 'rules') await actor.setRules(target % 2 === 0 ? [] : [payoutRule('9999.00')]);
    if (kind === 'invite') {
      const email = `guest${this.#numbers++}@${this.#merchant.code}.test`;
      this.#keep(await visitor.post(`${team}/invitations`, { email, roles: given }));
    }
    if (kind === 'join') return this.#join(target);
    const { members = [], invitations = [] } = (await visitor.get(team)).json.data ?? {};
    const member = `${team}/members/${members[target % (members.length || 1)]?.id ?? 1}`;
    const invitation = `${team}/invitations/${invitations[target % (invitations.length || 1)]?.id ?? 1}`;
    if (kind === 'renew') this.#keep(await visitor.post(`${invitation}/link`, {}));
    if (kind === 'roles') await visitor.send('PUT', `${member}/roles`, { roles: given });
    if (kind === 'suspend') await visitor.post(`${member}/suspension`, {});
    if (kind === 'reactivate') await visitor.send('DELETE', `${member}/suspension`, {});
    if (kind === 'remove') await visitor.send('DELETE', member, {});
  }

  /** Reads the access key, and asks for a payout with it. */
  async #payByKey(actor: Colleague, payeeAccount: string): Promise<void> {
    const { status } = await actor.authorizedGet('/api/merchant/access-key/secret');
    this.#knowsKey ||= status === 200;
    if (!this.#knowsKey) return;
    await this.#merchant.program.post('/openapi/v1/payouts', this.#order('150.00', payeeAccount));
  }

  /** Makes a new access key, and pays with it what a rule would not cover alone. */
  async #newKey(actor: Colleague, payeeAccount: string): Promise<void> {
    const { status, json } = await actor.authorized('PUT', '/api/merchant/access-key/regenerate', {
      overlapHours: 24,
    });
    if (status !== 200 || !json.data.secret) return;
    const { keyId, secret } = json.data;
    const program = new ShopProgram(product.url, { id: keyId, secret });
    await program.post('/openapi/v1/payouts', this.#order('60.00', payeeAccount));
  }

  #order(amount: string, payeeAccount: string) {
    const payee = { payee: '李明', payeeAccount, bank: 'ICBC', bankName: 'ICBC' };
    const out_trade_no = `adv-${count}-${this.#numbers++}`;
    return { ...payee, out_trade_no, amount, currency: 'CNY', channel: 'CN_BANK', confirmSimilar: true };
  }

  /** Returns the numbers of requests that wait, beginning with one of them. */
  async #requests({ visitor }: Colleague, from: number): Promise<string[]> {
    const { data = [] } = (await visitor.get('/api/merchant/approvals?state=waiting')).json;
    const numbers = data.map(({ request_no }: { request_no: string }) => request_no);
    return numbers.length === 0
      ? []
      : [...numbers.slice(from % numbers.length), ...numbers.slice(0, from % numbers.length)];
  }

  #keep({ json }: { json: { data?: { url: string } } }): void {
    if (json.data) this.#tokens.push(json.data.url.slice(json.data.url.lastIndexOf('/') + 1));
  }

  async #join(target: number): Promise<void> {
    const token = this.#tokens[target % (this.#tokens.length || 1)];
    const joined = token && (await Colleague.joinBy(product, token));
    if (!joined) return;
    seen.joined++;
    this.#actors.push(joined);
  }
}

it('an adversary with one account, and everybody whom it can invite, never gets a covered payment sent, nor the access widened', async () => {
  await fc.assert(
    fc.asyncProperty(
      rules,
      fc.array(attempt, { minLength: 15, maxLength: 30 }),
      fc.boolean(),
      async (rule, attempts, isAccessCovered) => {
        const merchant = await product.merchant(`adversary${count++}`);
        await product.fund(merchant, '10000.00');
        const honest = await Colleague.join(product, merchant, { role: 'APPROVER', name: 'honest' });
        const admin = await Colleague.join(product, merchant, { role: 'MERCHANT_ADMIN', name: 'admin' });
        expect((await honest.visitor.get('/api/merchant/approvals')).status).toBe(200);
        await product.services.approvalRules.setFor(merchant.id, 'operator:test', {
          rules: [
            rule,
            ...(isAccessCovered ? [{ ...shared, kind: 'access' as const, amountMinor: '0' }] : []),
          ],
          days: 7,
        });
        const adversary = new Adversary(merchant, admin);
        for (const each of attempts) await adversary.try(each);
        const { rows } = await product.services.database.asSystem((tx) =>
          sql<{ sent: bigint | null; alone: number; payments: number; asked: number; opened: number }>`
          select (select max(total) from (select sum(amount_minor) as total from payout
              where merchant_id = ${merchant.id} and approval_state is null
              group by grouping sets ((account_key), (case when created_by like 'key:%' then 'key' else created_by end))) sums)::bigint as sent,
            (select count(*) from payout where merchant_id = ${merchant.id} and approval_state = 'approved')::integer as alone,
            (select count(*) from payout where merchant_id = ${merchant.id} and approval_state is not null)::integer as payments,
            (select count(*) from approval_request where merchant_id = ${merchant.id} and kind = 'access')::integer as asked,
            (select count(*) filter (where key_id <> ${merchant.program.key.id} or callback_url is not null) from access_key
              where merchant_id = ${merchant.id})::integer
              + (select cardinality(array_remove(allowed_addresses, '127.0.0.1/32')) from merchant where id = ${merchant.id}) as opened`.execute(
            tx.query,
          ),
        );
        const [{ sent, alone, payments, asked, opened } = noRow] = rows;
        seen.payments += payments;
        seen.asked += asked;
        seen.opened += opened;
        // Nothing was approved, and what was sent without approval stays below the limit: by account, and by requester.
        expect(alone).toBe(0);
        expect(Number(sent ?? 0n)).toBeLessThan(Number(rule.amountMinor));
        // No key was made, no callback URL set, and no address allowed.
        if (isAccessCovered) expect(opened).toBe(0);
      },
    ),
    { numRuns: 30, endOnFailure: true },
  );
  expect(seen.payments).toBeGreaterThan(10);
  expect(seen.joined).toBeGreaterThan(0);
  expect(seen.asked).toBeGreaterThan(5);
  // Without the rule, the same attempts succeed.
  expect(seen.opened).toBeGreaterThan(5);
}, 300_000);
