import { createHash, randomInt } from 'node:crypto';
import { quotas } from '@hengfu/contract/quotas';
import { evidenceLimits } from '@hengfu/contract/staff/evidence';
import { sql } from 'kysely';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { asOwner } from '#db/owner.ts';
import { greyPng } from '../../../demo/picture.ts';
import { somePdf, uploadEvidence } from '../../../testing/evidence.ts';
import { type TestMerchant, TestProduct } from '../../../testing/test-product.ts';
import { TestStaff } from '../../../testing/test-staff.ts';
import type { Visitor } from '../../../testing/visitor.ts';

let product: TestProduct;
let staff: TestStaff;
let merchant: TestMerchant;
let finance: Visitor;
let admin: Visitor;
let reviewer: Visitor;

beforeAll(async () => {
  // Without a worker, payouts stay where the tests put them.
  product = await TestProduct.start(inject('ownerUrl'), { bank: true });
  staff = await TestStaff.start(product);
  merchant = await product.merchant('shop');
  await product.fund(merchant, '10000.00');
  finance = await staff.member('finance', 'FINANCE');
  admin = await staff.member('admin', 'ADMIN');
  reviewer = await staff.member('reviewer', 'REVIEWER', 'SUPPORT');
});
afterAll(async () => {
  await staff.close();
  await product.close();
});

const asSystem = <T extends object>(text: ReturnType<typeof sql<T>>) =>
  product.services.database.asSystem(async (tx) => (await text.execute(tx.query)).rows);

let count = 0;
/** A payout that was sent and whose outcome nobody knows. */
async function unknown(status = 'processing'): Promise<string> {
  const { json } = await merchant.program.post('/openapi/v1/payouts', {
    out_trade_no: `pay-${++count}`,
    currency: 'CNY',
    channel: 'CN_BANK',
    amount: `${10 + count}.00`,
    payee: '王芳',
    bank: 'ICBC',
    bankName: '中国工商银行',
    payeeAccount: '6222021234567890128',
  });
  expect(json.trade_no).toBeDefined();
  await product.services.database.asMerchant(merchant.id, (tx) =>
    sql`update payout set status = ${status}, sent_at = now() where trade_no = ${json.trade_no}`.execute(
      tx.query,
    ),
  );
  return json.trade_no;
}

const picture = () => greyPng(8, 8, () => randomInt(256));
const upload = async (by: Visitor, tradeNo: string, file?: string | Uint8Array, name?: string) => {
  const { status, json } = await uploadEvidence(by, tradeNo, file, name);
  expect([status, json.code]).toEqual([201, undefined]);
  return json.data;
};
const ask = (by: Visitor, tradeNo: string, evidence: unknown) =>
  by.post(`/api/staff/payouts/${tradeNo}/outcome`, {
    outcome: 'paid',
    bankReference: 'LINE-7',
    reason: 'page 3 of the statement',
    evidence,
  });
const list = async (by: Visitor, tradeNo: string) =>
  (await by.get(`/api/staff/payouts/${tradeNo}/evidence`)).json.data;
const show = (by: Visitor, tradeNo: string, id: string, what = '') =>
  by.get(`/api/staff/payouts/${tradeNo}/evidence/${id}${what}`);

describe('the evidence of an outcome', () => {
  it('is kept with the request: pictures re-encoded, a PDF as it is and only as a download', async () => {
    const tradeNo = await unknown();
    const given = Buffer.concat([picture(), Buffer.from('<script>left behind the picture</script>')]);
    const image = await upload(finance, tradeNo, given, 'line 7.png');
    const document = await upload(finance, tradeNo, somePdf, 'statement.pdf.html');
    expect(document.sha256).toBe(createHash('sha256').update(somePdf).digest('hex'));
    // Nobody reads it before somebody asks with it.
    expect(await list(finance, tradeNo)).toEqual([]);
    expect((await show(finance, tradeNo, image.id)).status).toBe(404);

    const asked = await ask(finance, tradeNo, [image.id, document.id]);
    expect(asked.status).toBe(200);
    const { requestId } = asked.json.data;
    expect(await list(reviewer, tradeNo)).toMatchObject([
      { id: image.id, name: 'line 7.png', type: 'image/png', requestId },
      { id: document.id, name: 'statement.pdf.html', type: 'application/pdf', requestId },
    ]);
    const { json } = await show(admin, tradeNo, image.id, '/picture');
    const stored = Buffer.from(json.data.base64, 'base64');
    expect(stored.includes('script')).toBe(false);
    expect(createHash('sha256').update(stored).digest('hex')).toBe(image.sha256);
    expect((await sharp(stored).metadata()).width).toBe(8);

    const file = await show(admin, tradeNo, document.id);
    expect([file.json, file.headers.get('content-type')]).toEqual([somePdf, 'application/pdf']);
    expect(file.headers.get('content-disposition')).toMatch(
      new RegExp(`^attachment; filename="${tradeNo}-${document.id}\\.pdf"`),
    );
    expect(file.headers.get('x-content-type-options')).toBe('nosniff');
    expect((await show(admin, tradeNo, document.id, '/picture')).status).toBe(404);

    const hashes = [image.sha256, document.sha256];
    const trail = await asSystem(
      sql<{ action: string; after: { sha256?: string; change?: { evidence: { sha256: string }[] } } }>`
        select action, after from audit where subject = ${tradeNo} order by id`,
    );
    expect(trail.map(({ action }) => action).slice(-3)).toEqual([
      'payout.evidence',
      'payout.evidence',
      'staff_request.ask',
    ]);
    expect(trail.slice(-3, -1).map(({ after }) => after.sha256)).toEqual(hashes);
    expect(trail.at(-1)?.after.change?.evidence.map(({ sha256 }) => sha256)).toEqual(hashes);
    expect((await admin.post(`/api/staff/requests/${requestId}/approve`, {})).status).toBe(200);
    expect(await list(reviewer, tradeNo)).toHaveLength(2);
  });

  it('cannot be changed or deleted once somebody has asked with it', async () => {
    const tradeNo = await unknown();
    const { id } = await upload(finance, tradeNo);
    await ask(finance, tradeNo, [id]);
    for (const text of [
      sql`delete from staff_evidence where id = ${id}::bigint`,
      sql`update staff_evidence set kept_at = null, request_id = null where id = ${id}::bigint`,
    ])
      await expect(staff.runtime.database.asSystem((tx) => text.execute(tx.query))).rejects.toThrow();
  });

  it('belongs to the person who uploaded it, to one payout and to one request', async () => {
    const [tradeNo, other] = [await unknown(), await unknown()];
    const { id } = await upload(finance, tradeNo);
    const refused = async (by: Visitor, subject: string, evidence: unknown) => {
      const { status, json } = await ask(by, subject, evidence);
      expect([status, json.code]).toEqual([422, 'validation_failed']);
      expect(Object.keys(json.errors)).toEqual(['evidence']);
    };
    await refused(admin, tradeNo, [id]);
    await refused(finance, other, [id]);
    for (const wrong of [[], ['0'], ['x'], [id, id], ['999999999'], undefined, id])
      expect((await ask(finance, tradeNo, wrong)).status).toBe(422);
    const four = await Promise.all(Array.from({ length: 4 }, () => upload(finance, tradeNo)));
    await refused(
      finance,
      tradeNo,
      four.map((file) => file.id),
    );
    // Twenty at once: one request has it.
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask(finance, tradeNo, [id])));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status !== 200 && status !== 409 && status !== 422)).toEqual([]);
    const { requestId } = answers.find(({ status }) => status === 200)?.json.data ?? {};
    await admin.post(`/api/staff/requests/${requestId}/refuse`, { reason: 'another line' });
    await refused(finance, tradeNo, [id]);
    expect((await show(admin, other, id)).status).toBe(404);
  });

  it('is PNG, JPEG or PDF by its first bytes, of at most 5 MB, whatever its name says', async () => {
    const tradeNo = await unknown();
    for (const file of [
      '',
      '<svg xmlns="http://www.w3.org/2000/svg"/>',
      ' %PDF-1.7',
      'PK\u0003\u0004',
      picture().subarray(0, 20),
    ]) {
      const { status, json } = await uploadEvidence(finance, tradeNo, file, 'statement.pdf');
      expect([status, json.code, Object.keys(json.errors)]).toEqual([422, 'validation_failed', ['file']]);
    }
    const largest = Buffer.concat([
      Buffer.from(somePdf),
      Buffer.alloc(evidenceLimits.bytes - somePdf.length),
    ]);
    expect(await upload(finance, tradeNo, largest)).toMatchObject({ bytes: evidenceLimits.bytes });
    const { status, json } = await uploadEvidence(
      finance,
      tradeNo,
      Buffer.concat([largest, Buffer.from('x')]),
    );
    expect([status, json.code]).toEqual([413, 'payload_too_large']);
    const large = Buffer.concat([picture(), Buffer.alloc(3 * 1024 * 1024)]);
    expect((await upload(finance, tradeNo, large, 'x.png')).bytes).toBeLessThan(1000);
    expect((await uploadEvidence(finance, tradeNo, somePdf, 'x'.repeat(201))).status).toBe(422);
  });

  it('is not for those who cannot decide, and not for payouts whose outcome is known', async () => {
    const tradeNo = await unknown();
    expect((await uploadEvidence(reviewer, tradeNo)).json.code).toBe('forbidden');
    expect((await uploadEvidence(staff.visitor(), tradeNo)).status).toBe(419);
    expect((await staff.visitor().get(`/api/staff/payouts/${tradeNo}/evidence`)).status).toBe(401);
    expect((await uploadEvidence(finance, 'P0')).json.code).toBe('not_found');
    expect((await uploadEvidence(finance, await unknown('pending'))).json.code).toBe('invalid_transition');
  });

  it('of one person is limited, and deleted after a day if nobody has asked with it', async () => {
    const eager = await staff.member('eager', 'FINANCE');
    const tradeNo = await unknown();
    const answers = await Promise.all(
      Array.from({ length: quotas.evidenceOfMember + 5 }, () => uploadEvidence(eager, tradeNo)),
    );
    const stored = answers.filter(({ status }) => status === 201);
    expect(stored).toHaveLength(quotas.evidenceOfMember);
    expect((await uploadEvidence(eager, tradeNo)).json.code).toBe('quota_reached');
    await ask(eager, tradeNo, [stored[0]?.json.data.id]);
    await asOwner(product.ownerUrl, (client) =>
      client.query(`alter table staff_evidence disable trigger kept;
        update staff_evidence set created_at = created_at - interval '25 hours' where subject = '${tradeNo}';
        alter table staff_evidence enable trigger kept`),
    );
    await staff.runtime.services.payoutEvidence.sweep();
    expect(await list(eager, tradeNo)).toHaveLength(1);
    await upload(eager, tradeNo);
    expect((await ask(eager, tradeNo, [stored[1]?.json.data.id])).status).toBe(422);
  });

  it('of one person within a day, and of all together, is limited; a payout shows the latest', async () => {
    const keen = await staff.member('keen', 'FINANCE');
    const tradeNo = await unknown();
    const { id } = await upload(keen, tradeNo);
    const { requestId } = (await ask(keen, tradeNo, [id])).json.data;
    const { rows } = await asOwner(product.ownerUrl, (client) =>
      client.query(
        `insert into staff_evidence (subject, uploaded_by, name, type, content, sha256, request_id, kept_at)
          select subject, uploaded_by, name, type, content, sha256, request_id, kept_at
          from staff_evidence, generate_series(2, ${quotas.evidenceOfMemberDaily}) where id = ${id} returning uploaded_by`,
      ),
    );
    expect((await uploadEvidence(keen, tradeNo)).json).toMatchObject({
      code: 'quota_reached',
      details: { quota: 'evidenceOfMemberDaily' },
    });
    expect(await list(keen, tradeNo)).toHaveLength(evidenceLimits.listed);
    // Another one is not affected, until all together have too many.
    await upload(finance, tradeNo);
    await asOwner(product.ownerUrl, (client) =>
      client.query(
        `insert into staff_evidence (subject, uploaded_by, name, type, content, sha256, request_id, kept_at)
          select subject, 'operator:x', name, type, content, sha256, ${requestId}, kept_at
          from staff_evidence, generate_series(1, ${quotas.evidenceDaily}) where id = ${id}`,
      ),
    );
    expect((await uploadEvidence(finance, tradeNo)).json).toMatchObject({
      code: 'quota_reached',
      details: { quota: 'evidenceDaily' },
    });
    await asOwner(product.ownerUrl, (client) =>
      client.query(`alter table staff_evidence disable trigger kept;
        delete from staff_evidence where uploaded_by in ('operator:x', '${rows[0].uploaded_by}');
        alter table staff_evidence enable trigger kept`),
    );
  });

  it('of an operator is asked with as that of a person, and is also kept where the operator acts alone', async () => {
    const [tradeNo, alone] = [await unknown(), await unknown()];
    const { payoutEvidence, payoutOutcomes } = staff.runtime.services;
    const actor = 'operator:test';
    const file = { name: 'line.pdf', bytes: Buffer.from(somePdf) };
    const outcome = async (subject: string, options?: { breakGlass: string }) => {
      const { id } = await payoutEvidence.upload(subject, file, actor);
      const asked = {
        outcome: 'failed',
        bankReference: 'LINE-8',
        reason: 'page 4',
        evidence: [String(id)],
      } as const;
      return payoutOutcomes.ask(subject, { ...asked, evidence: [...asked.evidence] }, actor, options);
    };
    const requestId = String(await outcome(tradeNo));
    expect(await list(admin, tradeNo)).toMatchObject([{ name: 'line.pdf', requestId }]);
    await expect(outcome(tradeNo)).rejects.toMatchObject({ code: 'request_waiting' });
    expect((await admin.post(`/api/staff/requests/${requestId}/approve`, {})).status).toBe(200);
    expect(await outcome(alone, { breakGlass: 'nobody is here' })).toBeUndefined();
    expect(await list(admin, alone)).toMatchObject([{ name: 'line.pdf', requestId: null }]);
  });
});
