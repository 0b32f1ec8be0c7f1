import type { ApprovalRuleInput } from '@hengfu/contract/approval-rules';
import type { Role } from '@hengfu/contract/permissions';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { Colleague, payoutRule } from '../../testing/approving-office.ts';
import { ShopProgram } from '../../testing/shop-program.ts';
import { type TestMerchant, TestProduct } from '../../testing/test-product.ts';

let product: TestProduct;
let merchants = 0;

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'));
});
afterAll(async () => {
  expect(await product.deadlocks()).toBe(0);
  await product.close();
});

const keyPath = '/api/merchant/access-key';
const listPath = '/api/merchant/ip-address';
const waitingPath = '/api/merchant/access-requests';
const outcome = ({ status, json }: { status: number; json: { code?: string } }) => [status, json.code];
const accessRule: ApprovalRuleInput = { ...payoutRule('0'), kind: 'access' };

interface Office {
  merchant: TestMerchant;
  admin: Colleague;
  developer: Colleague;
  approver: Colleague;
}

/** A merchant with an administrator, a developer and an approver, who has to approve changes of the access. */
async function office(rules: readonly ApprovalRuleInput[] = [accessRule]): Promise<Office> {
  const merchant = await product.merchant(`access${++merchants}`);
  const join = (role: Role, name: string) => Colleague.join(product, merchant, { role, name });
  const admin = await join('MERCHANT_ADMIN', 'admin');
  const developer = await join('DEVELOPER', 'developer');
  const approver = await join('APPROVER', 'approver');
  expect((await admin.setRules(rules)).json).toEqual({ data: { request_no: null } });
  return { merchant, admin, developer, approver };
}

const newKey = (by: Colleague, overlapHours = 24) =>
  by.authorized('PUT', `${keyPath}/regenerate`, { overlapHours });
const setKey = (by: Colleague, body: object) => by.authorized('PUT', `${keyPath}/update`, body);
const setList = ({ visitor }: Colleague, lines: readonly string[], more: object = {}) =>
  visitor.send('PUT', listPath, { addresses: lines.join('\n'), confirmClosed: true, ...more });
const keyOf = async ({ visitor }: Colleague) => (await visitor.get(keyPath)).json.data;
const listOf = async ({ visitor }: Colleague) => (await visitor.get(listPath)).json.data.addresses;
const waiting = async ({ visitor }: Colleague) => (await visitor.get(waitingPath)).json.data;
const state = async (by: Colleague, requestNo: string) => (await by.request(requestNo)).state;

/** Creates an order with a key. Returns "created", or the error code. */
async function tryKey(key: { id: string; secret: string }, name: string): Promise<string> {
  const { status, json } = await new ShopProgram(product.url, key).create(name);
  return status === 201 ? 'created' : json.code;
}

describe('with a rule for the access', () => {
  it('a new key is made once it is approved, and its secret is shown to nobody before it is revealed', async () => {
    const { merchant, developer, approver, admin } = await office();
    const old = merchant.program.key;
    const asked = await newKey(developer);
    const { request_no } = asked.json.data;
    expect(asked.json).toEqual({ data: { request_no: expect.stringMatching(/^A\d+/) } });
    expect(await keyOf(developer)).toMatchObject({ keyId: old.id, older: [] });
    expect(await approver.request(request_no)).toMatchObject({
      kind: 'access',
      amount: null,
      target: old.id,
      access: { action: 'newKey', keyId: old.id, overlapHours: 24, endsAt: null },
    });
    expect(outcome(await developer.approve(request_no))).toEqual([403, 'forbidden']);
    expect(outcome(await admin.approve(request_no))).toEqual([403, 'not_approver']);
    const approved = await approver.approve(request_no);
    expect(approved.json.data.state).toBe('approved');
    expect(JSON.stringify(approved.json)).not.toContain('sk_');
    const { keyId, older } = await keyOf(developer);
    expect(keyId).not.toBe(old.id);
    expect(older).toEqual([{ keyId: old.id, endsAt: expect.any(String) }]);
    expect(await tryKey(old, 'beside')).toBe('created');
    const { rows } = await product.services.database.asSystem((tx) =>
      sql<{ readers: number; texts: string }>`
        select (select count(*) from access_key_reader where key_id = ${keyId})::integer as readers,
          (select string_agg(concat(r.change, n.facts, a.before, a.after), '') from approval_request r, notice n, audit a
            where r.merchant_id = ${merchant.id} and n.merchant_id = ${merchant.id} and a.merchant_id = ${merchant.id}) as texts`.execute(
        tx.query,
      ),
    );
    expect(rows[0]?.readers).toBe(0);
    const { data } = (await developer.authorizedGet(`${keyPath}/secret`)).json;
    expect(data.keyId).toBe(keyId);
    expect(rows[0]?.texts).not.toContain(data.secret);
    expect(await tryKey({ id: data.keyId, secret: data.secret }, 'new')).toBe('created');
  });

  it('the change is recorded as made by the person who asked, and as approved by another one', async () => {
    const { merchant, developer, approver, admin } = await office();
    const { request_no } = (await setList(developer, ['127.0.0.1', '203.0.113.7'])).json.data;
    await approver.approve(request_no);
    const { rows } = await product.services.database.asSystem((tx) =>
      sql<{ action: string; actor: string; subject: string | null; request_no: string | null }>`
        select action, actor, subject, after ->> 'requestNo' as request_no from audit
        where merchant_id = ${merchant.id} and action in ('approval.access_asked', 'approval.approve', 'ip_address.set')
          and actor like 'user:%' order by id`.execute(tx.query),
    );
    expect(rows).toEqual([
      {
        action: 'approval.access_asked',
        actor: `user:${developer.id}`,
        subject: request_no,
        request_no: null,
      },
      { action: 'ip_address.set', actor: `user:${developer.id}`, subject: null, request_no },
      { action: 'approval.approve', actor: `user:${approver.id}`, subject: request_no, request_no },
    ]);
    const { data } = (await developer.visitor.get('/api/merchant/notices')).json;
    expect(data).toContainEqual(
      expect.objectContaining({ kind: 'requestApproved', asked: { setting: 'whitelist', reason: null } }),
    );
    expect(await listOf(admin)).toEqual(['127.0.0.1', '203.0.113.7']);
  });

  it('a list that allows less applies at once, and one that allows more waits as a whole', async () => {
    const { developer, approver } = await office();
    const { request_no } = (await setList(developer, ['127.0.0.0/8', '203.0.113.0/24'])).json.data;
    expect(await approver.request(request_no)).toMatchObject({
      target: '127.0.0.0/8, 203.0.113.0/24',
      access: { action: 'whitelist', added: ['127.0.0.0/8', '203.0.113.0/24'], removed: ['127.0.0.1'] },
    });
    expect(await listOf(developer)).toEqual(['127.0.0.1']);
    await approver.approve(request_no);
    expect(await listOf(developer)).toEqual(['127.0.0.0/8', '203.0.113.0/24']);
    // A part of an allowed block, and one block less.
    expect((await setList(developer, ['127.0.0.1', '127.1.0.0/16'])).json).toBe('');
    expect(await listOf(developer)).toEqual(['127.0.0.1', '127.1.0.0/16']);
    const wider = await setList(developer, ['127.0.0.0/8']);
    expect(wider.json.data.request_no).toMatch(/^A/);
    const open = await setList(developer, ['0.0.0.0/0'], { confirmOpen: true });
    expect(outcome(open)).toEqual([409, 'request_waiting']);
    await developer.visitor.send('DELETE', `${waitingPath}/${wider.json.data.request_no}`);
    const asked = (await setList(developer, ['0.0.0.0/0'], { confirmOpen: true })).json.data.request_no;
    expect((await approver.request(asked)).access).toMatchObject({ isOpen: true });
  });

  it('a key is disabled at once, also while a change waits, and stays disabled', async () => {
    const { merchant, developer, approver } = await office();
    const { key } = merchant.program;
    const url = 'https://shop.test/callback';
    const { request_no } = (await setKey(developer, { callbackUrl: url, note: 'a', isEnabled: true })).json
      .data;
    expect(await keyOf(developer)).toMatchObject({ callbackUrl: null, note: 'a', isEnabled: true });
    expect(outcome(await newKey(developer))).toEqual([409, 'request_waiting']);
    expect((await setKey(developer, { note: 'leaked', isEnabled: false })).json).toBe('');
    expect(await tryKey(key, 'off')).toBe('key_disabled');
    expect(outcome(await approver.approve(request_no))).toEqual([409, 'conflict']);
    expect(await state(approver, request_no)).toBe('waiting');
    expect(await keyOf(developer)).toMatchObject({ callbackUrl: null, note: 'leaked', isEnabled: false });
    await developer.visitor.send('DELETE', `${waitingPath}/${request_no}`);
    // Enabling it again waits; with the URL, both are one request.
    const again = (await setKey(developer, { callbackUrl: url, isEnabled: true })).json.data.request_no;
    expect((await approver.request(again)).access).toMatchObject({
      before: { callbackUrl: null, isEnabled: false },
      after: { callbackUrl: url, isEnabled: true },
    });
    await approver.approve(again);
    expect(await keyOf(developer)).toMatchObject({ callbackUrl: url, note: null, isEnabled: true });
    expect(await tryKey(key, 'on')).toBe('created');
    expect((await setKey(developer, { isEnabled: true })).json).toBe('');
    expect(await keyOf(developer)).toMatchObject({ callbackUrl: null });
  });

  it('a new callback URL waits while the same call disables the key at once', async () => {
    const { developer } = await office();
    const both = await setKey(developer, { callbackUrl: 'https://shop.test/new', isEnabled: false });
    expect(both.json.data.request_no).toMatch(/^A/);
    expect(await keyOf(developer)).toMatchObject({ callbackUrl: null, isEnabled: false });
  });

  it('older keys are ended at once', async () => {
    const { merchant, developer, approver } = await office();
    const old = merchant.program.key;
    await approver.approve((await newKey(developer)).json.data.request_no);
    expect(await tryKey(old, 'beside')).toBe('created');
    expect((await developer.visitor.send('DELETE', `${keyPath}/older`)).status).toBe(204);
    expect(await tryKey(old, 'after')).toBe('signature_invalid');
    expect((await keyOf(developer)).older).toEqual([]);
  });

  it('one change of each setting waits; two at once leave one request', async () => {
    const { developer, admin } = await office();
    const keys = await Promise.all([newKey(developer), newKey(admin), newKey(developer)]);
    const made = keys.filter(({ json }) => json.data?.request_no);
    expect(made).toHaveLength(1);
    expect((await setList(admin, ['198.51.100.1'])).json.data.request_no).toMatch(/^A/);
    const { data } = (await admin.visitor.get('/api/merchant/approvals?state=waiting')).json;
    expect(data).toHaveLength(2);
    const { needsApproval, waiting: both } = await waiting(developer);
    expect(needsApproval).toBe(true);
    expect(both.map(({ change }: { change: { action: string } }) => change.action).sort()).toEqual([
      'newKey',
      'whitelist',
    ]);
  });

  it('the person who asked withdraws it, without a right to read other requests, and nobody else does', async () => {
    const { developer, admin, approver } = await office([accessRule, payoutRule('100.00')]);
    const { request_no } = (await newKey(developer)).json.data;
    expect(await waiting(developer)).toMatchObject({ waiting: [{ request_no, isYours: true }] });
    expect(await waiting(admin)).toMatchObject({ waiting: [{ request_no, isYours: false }] });
    const withdraw = ({ visitor }: Colleague, no = request_no) =>
      visitor.send('DELETE', `${waitingPath}/${no}`);
    expect(outcome(await withdraw(admin))).toEqual([403, 'forbidden']);
    expect(outcome(await withdraw(approver))).toEqual([403, 'forbidden']);
    expect((await withdraw(developer)).status).toBe(204);
    expect(outcome(await withdraw(developer))).toEqual([409, 'invalid_transition']);
    expect(outcome(await approver.approve(request_no))).toEqual([409, 'invalid_transition']);
    // A request of another kind has another call.
    const rules = (await admin.setRules([accessRule])).json.data.request_no;
    expect(outcome(await withdraw(admin, rules))).toEqual([404, 'not_found']);
    expect(await waiting(developer)).toEqual({ needsApproval: true, waiting: [] });
  });

  it('a refusal names its reason to the person who asked', async () => {
    const { developer, approver } = await office();
    const { request_no } = (await newKey(developer)).json.data;
    await approver.refuse(request_no, 'not agreed');
    const { data } = (await developer.visitor.get('/api/merchant/notices')).json;
    expect(data).toContainEqual(
      expect.objectContaining({ kind: 'requestRefused', asked: { setting: 'key', reason: 'not agreed' } }),
    );
    expect((await newKey(developer)).json.data.request_no).toMatch(/^A/);
  });

  it('an expired request makes no key, and does not keep another one from being asked for', async () => {
    const { merchant, developer, approver } = await office();
    const { request_no } = (await newKey(developer)).json.data;
    await product.services.database.asSystem((tx) =>
      sql`update approval_request set expires_at = now() - interval '1 millisecond' where merchant_id = ${merchant.id}`.execute(
        tx.query,
      ),
    );
    expect(outcome(await approver.approve(request_no))).toEqual([409, 'invalid_transition']);
    expect((await waiting(developer)).waiting).toEqual([]);
    await product.services.approvals.expire();
    expect(await state(approver, request_no)).toBe('expired');
    expect((await keyOf(developer)).keyId).toBe(merchant.program.key.id);
    expect((await newKey(developer)).json.data.request_no).toMatch(/^A/);
  });

  it('a change is not made any more once its requester may not change the access, or is suspended', async () => {
    const { developer, admin, approver } = await office();
    const { request_no } = (await setList(developer, ['198.51.100.1'])).json.data;
    await admin.visitor.post(`/api/merchant/team/members/${developer.id}/suspension`, {});
    expect(outcome(await approver.approve(request_no))).toEqual([409, 'conflict']);
    expect(await listOf(admin)).toEqual(['127.0.0.1']);
  });

  it('an approval does not count from somebody who was suspended in between', async () => {
    const { merchant, developer, admin, approver } = await office();
    const second = await Colleague.join(product, merchant, { role: 'APPROVER', name: 'second' });
    await product.services.approvalRules.setFor(merchant.id, 'operator:test', {
      rules: [{ ...accessRule, amountMinor: '0', approvers: 2 }],
      days: 7,
    });
    const { request_no } = (await newKey(developer)).json.data;
    expect((await approver.approve(request_no)).json.data.state).toBe('waiting');
    await admin.visitor.post(`/api/merchant/team/members/${approver.id}/suspension`, {});
    expect((await second.approve(request_no)).json.data.state).toBe('waiting');
    expect((await keyOf(developer)).keyId).toBe(merchant.program.key.id);
  });

  it('two approvals at once make one key', async () => {
    const { merchant, developer, approver } = await office();
    const second = await Colleague.join(product, merchant, { role: 'APPROVER', name: 'second' });
    const { request_no } = (await newKey(developer)).json.data;
    const both = await Promise.all([approver.approve(request_no, []), second.approve(request_no, [])]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    const { rows } = await product.services.database.asSystem((tx) =>
      sql`select from access_key where merchant_id = ${merchant.id}`.execute(tx.query),
    );
    expect(rows).toHaveLength(2);
  });

  it('a list that an operator has changed since is not changed; a key beside the others changes nothing', async () => {
    const { merchant, developer, approver } = await office();
    const admin = product.admin();
    const list = (await setList(developer, ['198.51.100.1'])).json.data.request_no;
    const key = (await newKey(developer)).json.data.request_no;
    await admin.setAllowedAddresses(merchant.id, ['192.0.2.0/24'], { confirmClosed: true });
    const beside = `ak_${merchant.code}_other`;
    await admin.addAccessKey(merchant.id, beside, 'sk_other_secret_0123456789');
    expect(outcome(await approver.approve(list))).toEqual([409, 'conflict']);
    expect((await approver.approve(key)).json.data.state).toBe('approved');
    expect(await listOf(developer)).toEqual(['192.0.2.0/24']);
    const { keyId, older } = await keyOf(developer);
    expect(older).toEqual([{ keyId: merchant.program.key.id, endsAt: expect.any(String) }]);
    expect([merchant.program.key.id, beside]).not.toContain(keyId);
  });

  it('a list that would by now stop the merchant’s systems is not approved, unless that was confirmed', async () => {
    const { merchant, developer, approver } = await office();
    const outside = ['198.51.100.1'];
    const asked = await setList(developer, outside, { confirmClosed: false });
    const { request_no } = asked.json.data;
    await product.services.database.asSystem((tx) =>
      sql`insert into signed_call_count (merchant_id, address, day, calls)
        values (${merchant.id}, '127.0.0.1', (now() at time zone 'UTC')::date, 1)`.execute(tx.query),
    );
    expect(outcome(await approver.approve(request_no))).toEqual([409, 'conflict']);
    await developer.visitor.send('DELETE', `${waitingPath}/${request_no}`);
    expect(outcome(await setList(developer, outside, { confirmClosed: false }))).toEqual([
      409,
      'whitelist_excludes',
    ]);
    const confirmed = (await setList(developer, outside)).json.data.request_no;
    expect((await approver.approve(confirmed)).json.data.state).toBe('approved');
  });
});

describe('the rules for settings', () => {
  it('leave changes of the access alone as long as there are none for it', async () => {
    const { merchant, developer } = await office([payoutRule('100.00')]);
    expect((await newKey(developer)).json.data.keyId).toMatch(/^ak_/);
    expect((await setList(developer, ['198.51.100.1'])).json).toBe('');
    expect(await waiting(developer)).toEqual({ needsApproval: false, waiting: [] });
    expect((await keyOf(developer)).keyId).not.toBe(merchant.program.key.id);
  });

  it.each(['access', 'team'] as const)('for %s have no amount', async (kind) => {
    const { admin } = await office([payoutRule('100.00')]);
    const refused = await admin.setRules([{ ...payoutRule('1.00'), kind }]);
    expect([refused.status, Object.keys(refused.json.errors)]).toEqual([422, ['rules.0.amount']]);
    const twice = await admin.setRules([
      { ...payoutRule('0'), kind },
      { ...payoutRule('0.00'), kind },
    ]);
    expect(twice.status).toBe(422);
  });

  it('are changed with the approval of all rules, as others are', async () => {
    const { admin, approver, developer } = await office();
    const { request_no } = (await admin.setRules([])).json.data;
    expect((await newKey(developer)).json.data.request_no).toMatch(/^A/);
    expect((await approver.approve(request_no)).json.data.state).toBe('approved');
    // An earlier request still needs the approval of the rule, and changes from now on need none.
    const { waiting: still, needsApproval } = await waiting(developer);
    expect([still.length, needsApproval]).toEqual([1, false]);
    expect((await setList(developer, ['198.51.100.1'])).json).toBe('');
    expect((await approver.approve(still[0].request_no)).json.data.state).toBe('approved');
  });

  it('that too few could meet are refused', async () => {
    const { admin } = await office([payoutRule('100.00')]);
    const refused = await admin.setRules([payoutRule('100.00'), { ...accessRule, approvers: 2 }]);
    expect(outcome(refused)).toEqual([409, 'approvers_missing']);
  });

  it('of when it was asked for hold, together with those of now; rules of other kinds do not', async () => {
    const { merchant, admin, developer, approver } = await office();
    const { request_no } = (await newKey(developer)).json.data;
    const owner = await Colleague.join(product, merchant, { role: 'ROOT', name: 'owner' });
    await product.services.approvalRules.setFor(merchant.id, 'operator:test', {
      rules: [
        { ...accessRule, amountMinor: '0', roles: ['ROOT'] },
        { ...payoutRule('0'), amountMinor: '0', roles: ['MERCHANT_ADMIN'] },
      ],
      days: 7,
    });
    expect(await admin.waitingForMe()).toEqual([]);
    expect(outcome(await admin.approve(request_no))).toEqual([403, 'not_approver']);
    expect((await owner.approve(request_no)).json.data.state).toBe('waiting');
    expect((await approver.approve(request_no)).json.data.state).toBe('approved');
  });
});

describe('with a rule for the team alone', () => {
  const teamRule: ApprovalRuleInput = { ...payoutRule('0'), kind: 'team' };
  const team = '/api/merchant/team';

  it('every invitation, new role and return of a member waits, and taking away does not', async () => {
    const { merchant, admin, approver } = await office([teamRule]);
    const { json } = await admin.visitor.post(`${team}/invitations`, {
      email: `guest@${merchant.code}.test`,
      roles: ['SUPPORT'],
    });
    expect(json.data.approvalState).toBe('waiting');
    const token = json.data.url.slice(json.data.url.lastIndexOf('/') + 1);
    expect(await Colleague.joinBy(product, token)).toBeUndefined();
    const [invitation] = await approver.waitingForMe();
    await approver.approve(invitation ?? '');
    const guest = await Colleague.joinBy(product, token);
    const member = `${team}/members/${guest?.id}`;
    const roles = async (given: Role[]) =>
      (await admin.visitor.send('PUT', `${member}/roles`, { roles: given })).json.data.request_no;
    const asked = await roles(['SUPPORT', 'MERCHANT_VIEWER']);
    expect((await approver.approve(asked)).json.data.state).toBe('approved');
    expect(await roles(['MERCHANT_VIEWER'])).toBeNull();
    expect((await admin.visitor.post(`${member}/suspension`, {})).status).toBe(204);
    const { request_no } = (await admin.visitor.send('DELETE', `${member}/suspension`)).json.data;
    expect((await approver.request(request_no)).team).toMatchObject({ after: ['MERCHANT_VIEWER'] });
    expect((await approver.approve(request_no)).json.data.state).toBe('approved');
    expect((await admin.visitor.send('DELETE', member)).status).toBe(204);
  });

  it('an older invitation does not get around it', async () => {
    const { merchant, admin, approver } = await office([payoutRule('100.00')]);
    const { json } = await admin.visitor.post(`${team}/invitations`, {
      email: `early@${merchant.code}.test`,
      roles: ['SUPPORT'],
    });
    expect(json.data.approvalState).toBeNull();
    await approver.approve((await admin.setRules([payoutRule('100.00'), teamRule])).json.data.request_no);
    const token = json.data.url.slice(json.data.url.lastIndexOf('/') + 1);
    expect(await Colleague.joinBy(product, token)).toBeUndefined();
  });

  it('a change without a payment right needs the rules for the team, and one with it all rules', async () => {
    const { merchant, admin, approver } = await office([teamRule]);
    const owner = await Colleague.join(product, merchant, { role: 'ROOT', name: 'owner' });
    await product.services.approvalRules.setFor(merchant.id, 'operator:test', {
      rules: [
        { ...teamRule, amountMinor: '0' },
        { ...payoutRule('0'), amountMinor: '0', roles: ['ROOT'] },
      ],
      days: 7,
    });
    const viewer = await product.person(merchant, 'MERCHANT_VIEWER', 'viewer');
    const { id } = (await viewer.get('/api/merchant/user')).json.data;
    const roles = async (given: Role[]) =>
      (await admin.visitor.send('PUT', `${team}/members/${id}/roles`, { roles: given })).json.data.request_no;
    const harmless = await roles(['SUPPORT']);
    expect(await owner.waitingForMe()).toEqual([]);
    expect((await approver.approve(harmless)).json.data.state).toBe('approved');
    const paying = await roles(['FINANCE']);
    expect((await approver.approve(paying)).json.data.state).toBe('waiting');
    expect((await owner.approve(paying)).json.data.state).toBe('approved');
  });

  it('roles that give a payment right by now are not given by the rules for the team', async () => {
    const { merchant, admin, approver } = await office([teamRule]);
    const viewer = await product.person(merchant, 'MERCHANT_VIEWER', 'viewer');
    const { id } = (await viewer.get('/api/merchant/user')).json.data;
    const asked = await admin.visitor.send('PUT', `${team}/members/${id}/roles`, { roles: ['FINANCE'] });
    const { request_no } = asked.json.data;
    // As if the role had given none when it was asked for.
    await product.services.database.asSystem((tx) =>
      sql`update approval_request set rule_kind = 'team' where merchant_id = ${merchant.id}`.execute(
        tx.query,
      ),
    );
    expect(outcome(await approver.approve(request_no))).toEqual([409, 'conflict']);
  });
});
