import { createHash, createHmac, randomUUID } from 'node:crypto';
import { type RequestDetail, refusedPerHour } from '@hengfu/contract/request-log';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { asOwner } from '#db/owner.ts';
import { type TestMerchant, TestProduct } from '../../testing/test-product.ts';
import { until } from '../../testing/until.ts';
import type { Answer, Visitor } from '../../testing/visitor.ts';

let product: TestProduct;
let merchant: TestMerchant;
let developer: Visitor;

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'), { bank: true });
  merchant = await product.merchant('logged');
  developer = await product.person(merchant, 'DEVELOPER');
});
afterAll(() => product.close());

const path = '/api/merchant/requests';
const collections = '/openapi/v1/collections';
const order = (number: string) => ({ out_trade_no: number, amount: '1.00', currency: 'CNY' });
const seconds = (offset = 0) => String(Math.floor(Date.now() / 1000) + offset);

/** Waits until a call is in the log; returns it. */
async function logged({ headers }: Answer, visitor = developer): Promise<RequestDetail> {
  const id = headers.get('x-request-id');
  const { json } = await until(
    () => visitor.get(`${path}/${id}`),
    ({ status }) => status === 200,
  );
  return json.data;
}
const listed = async (filters = '', visitor = developer) =>
  (await visitor.get(`${path}?limit=200${filters}`)).json;

describe('a call that was done', () => {
  it('is kept with its time, duration, key, address and order, and with its bodies', async () => {
    const before = Date.now();
    const answer = await merchant.program.create('done', { subject: 'Shoes' });
    const call = await logged(answer);
    expect(call).toMatchObject({
      method: 'POST',
      path: collections,
      query: null,
      status: 201,
      code: null,
      keyId: merchant.program.key.id,
      address: '127.0.0.1',
      trade_no: answer.json.trade_no,
      out_trade_no: 'done',
      reason: null,
    });
    expect(Date.parse(call.at)).toBeGreaterThan(before - 1000);
    expect(Date.parse(call.at)).toBeLessThanOrEqual(Date.now());
    expect(call.durationMs).toBeGreaterThanOrEqual(0);
    expect(JSON.parse(call.request.text ?? '')).toEqual({
      out_trade_no: 'done',
      amount: '100.00',
      currency: 'CNY',
      subject: 'Shoes',
    });
    expect(call.request.bytes).toBe(JSON.stringify(JSON.parse(call.request.text ?? '')).length);
    const reply = JSON.parse(call.response.text ?? '');
    expect(reply).toEqual({ ...answer.json, cashierUrl: `${product.url}/•••` });
  });

  it('is found by its order, result, path, method, key, address and request ID', async () => {
    const { program } = await product.merchant('found');
    const found = await product.merchant('found-too');
    const visitor = await product.person(found, 'DEVELOPER', 'finder');
    const created = await found.program.create('mine');
    const read = await found.program.get(`${collections}?out_trade_no=mine`);
    const missing = await found.program.get(`${collections}/none`);
    await program.create('mine');
    for (const one of [created, read, missing]) await logged(one, visitor);
    const ids = async (filters: string) =>
      (await listed(filters, visitor)).data.map((row: { request_id: string }) => row.request_id);
    const [first, second, third] = [created, read, missing].map(({ headers }) => headers.get('x-request-id'));
    expect(await ids('')).toEqual([third, second, first]);
    expect(await ids('&order_no=mine')).toEqual([second, first]);
    expect(await ids(`&order_no=${created.json.trade_no}`)).toEqual([second, first]);
    expect(await ids('&result=refused')).toEqual([third]);
    expect(await ids('&result=done')).toEqual([second, first]);
    expect(await ids('&result=done,refused&method=POST')).toEqual([first]);
    expect(await ids('&result=failed,refused')).toEqual([third]);
    expect(await ids('&code=not_found')).toEqual([third]);
    expect(await ids(`&path=${collections}/n`)).toEqual([third]);
    expect(await ids(`&keyId=${found.program.key.id}&address=127.0.0.1`)).toEqual([third, second, first]);
    expect(await ids(`&keyId=${program.key.id}`)).toEqual([]);
    expect(await ids(`&request_id=${second}`)).toEqual([second]);
    expect(await ids('&request_id=1')).toEqual([]);
    expect(await ids(`&createdTo=${new Date(Date.now() - 3_600_000).toISOString()}`)).toEqual([]);
  });

  it('is found by its ID alone, however the clock is set', async () => {
    const { headers } = await merchant.program.create('by-id');
    const call = await logged({ headers } as Answer);
    const id = headers.get('x-request-id') ?? '';
    expect(Date.parse(call.at)).toBe(Number.parseInt(id.replace('-', '').slice(0, 12), 16));
    for (const other of [
      randomUUID(),
      'ffffffff-ffff-7fff-8fff-ffffffffffff',
      id.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
    ])
      expect((await developer.get(`${path}/${other}`)).status).toBe(404);
    const { data } = await listed(`&request_id=${id}`);
    expect(data.map(({ out_trade_no: number }: RequestDetail) => number)).toEqual(['by-id']);
  });

  it('is shown to nobody else', async () => {
    const answer = await merchant.program.create('private');
    await logged(answer);
    const other = await product.person(await product.merchant('curious'), 'MERCHANT_ADMIN', 'curious');
    const id = answer.headers.get('x-request-id');
    expect((await other.get(`${path}/${id}`)).status).toBe(404);
    expect((await listed(`&request_id=${id}`, other)).data).toEqual([]);
    expect((await listed('', other)).data).toEqual([]);
    const viewer = await product.person(merchant, 'MERCHANT_VIEWER');
    expect((await viewer.get(path)).status).toBe(403);
    expect((await viewer.get(`${path}/${id}`)).status).toBe(403);
  });
});

describe('a refused call says why', () => {
  const signedBy = (secret: string, lines: readonly string[]) =>
    createHmac('sha256', secret).update(lines.join('\n')).digest('hex');

  it('the text that was signed, without the secret, the signature and the whole nonce', async () => {
    const [nonce, timestamp] = [randomUUID(), seconds()];
    const signature = 'f'.repeat(64);
    const body = order('wrongly signed');
    const options = { nonce, timestamp, headers: { 'x-signature': signature } };
    const call = await logged(await merchant.program.post(`${collections}?remark=a`, body, options));
    const hash = createHash('sha256').update(JSON.stringify(body)).digest('hex');
    expect(call).toMatchObject({ status: 401, code: 'signature_invalid' });
    expect(call.reason).toEqual({
      kind: 'signature',
      signed: ['POST', `${collections}?remark=•••`, timestamp, `${nonce.slice(0, 4)}…`, hash],
    });
    const whole = JSON.stringify(call);
    for (const secret of [nonce, signature, merchant.program.key.secret]) expect(whole).not.toContain(secret);
  });

  it('the hash of a body with masked values only as far as nobody can try values with it', async () => {
    const body = { out_trade_no: 'p', amount: '1.00', payee: '王芳', payeeAccount: '123456789012' };
    const options = { headers: { 'x-signature': 'f'.repeat(64) } };
    const call = await logged(await merchant.program.post('/openapi/v1/payouts', body, options));
    const hash = createHash('sha256').update(JSON.stringify(body)).digest('hex');
    expect(call.reason?.kind === 'signature' && call.reason.signed[4]).toBe(`${hash.slice(0, 2)}…`);
    expect(JSON.stringify(call)).not.toContain(hash.slice(0, 6));
    expect(JSON.parse(call.request.text ?? '')).toMatchObject({ payee: '王•••', payeeAccount: '•••9012' });
  });

  const mistakes: [string, (lines: string[], body: string, secret: string) => string][] = [
    [
      'noQuery',
      ([m = '', p = '', ...rest], _body, secret) => signedBy(secret, [m, p.split('?')[0] ?? '', ...rest]),
    ],
    ['plainBody', (lines, body, secret) => signedBy(secret, [...lines.slice(0, 4), body])],
    [
      'emptyBody',
      (lines, _body, secret) => signedBy(secret, [...lines.slice(0, 4), createHash('sha256').digest('hex')]),
    ],
    [
      'upperCaseHash',
      (lines, _body, secret) => signedBy(secret, [...lines.slice(0, 4), lines[4]?.toUpperCase() ?? '']),
    ],
    ['upperCaseSignature', (lines, _body, secret) => signedBy(secret, lines).toUpperCase()],
    [
      'base64Signature',
      (lines, _body, secret) => Buffer.from(signedBy(secret, lines), 'hex').toString('base64'),
    ],
    ['carriageReturns', (lines, _body, secret) => signedBy(secret, [lines.join('\r\n')])],
    ['finalLineBreak', (lines, _body, secret) => signedBy(secret, [...lines, ''])],
  ];
  it.each(mistakes)('the usual mistake %s', async (mistake, sign) => {
    const [nonce, timestamp, body] = [randomUUID(), seconds(), order(mistake)];
    const sent = `${collections}?a=b`;
    const hash = createHash('sha256').update(JSON.stringify(body)).digest('hex');
    const lines = ['POST', sent, timestamp, nonce, hash];
    const signature = sign(lines, JSON.stringify(body), merchant.program.key.secret);
    const options = { nonce, timestamp, headers: { 'x-signature': signature } };
    const answer = await merchant.program.post(sent, body, options);
    expect(answer.json.code).toBe('signature_invalid');
    expect((await logged(answer)).reason).toMatchObject({ kind: 'signature', mistake });
  });

  it('missing and malformed headers', async () => {
    const missing = await merchant.program.post(collections, order('h'), {
      headers: { 'x-signature': undefined },
    });
    expect((await logged(missing)).reason).toEqual({ kind: 'headers', headers: ['x-signature'] });
    const short = await merchant.program.post(collections, order('h'), { nonce: 'short' });
    expect((await logged(short)).reason).toEqual({ kind: 'headers', headers: ['x-nonce'] });
  });

  it('how far the clock is off, or that the time is not in seconds', async () => {
    const late = await logged(await merchant.program.create('late', {}, { timestamp: seconds(-312) }));
    const early = await logged(await merchant.program.create('early', {}, { timestamp: seconds(500) }));
    const behind = [late, early].map(({ reason }) => (reason?.kind === 'clock' ? reason.secondsBehind : 0));
    expect(Math.abs((behind[0] ?? 0) - 312)).toBeLessThan(5);
    expect(Math.abs((behind[1] ?? 0) + 500)).toBeLessThan(5);
    const milliseconds = await merchant.program.create('ms', {}, { timestamp: String(Date.now()) });
    expect((await logged(milliseconds)).reason).toEqual({ kind: 'timestamp', isMilliseconds: true });
    const malformed = await merchant.program.create('bad', {}, { timestamp: '1e9' });
    expect((await logged(malformed)).reason).toEqual({ kind: 'timestamp', isMilliseconds: false });
  });

  it('the address that is not allowed, a suspension, and the nonce', async () => {
    const { id, program } = await product.merchant('closed-in');
    const visitor = await product.person({ ...merchant, id, code: 'closed-in' }, 'DEVELOPER', 'insider');
    const nonce = randomUUID();
    await program.create('a', {}, { nonce });
    const replayed = await program.create('b', {}, { nonce });
    expect((await logged(replayed, visitor)).reason).toEqual({ kind: 'nonce' });
    await product.admin().setAllowedAddresses(id, ['192.0.2.0/24'], { confirmClosed: true });
    const elsewhere = await program.create('c');
    expect((await logged(elsewhere, visitor)).reason).toEqual({ kind: 'address', address: '127.0.0.1' });
    await product.admin().setAllowedAddresses(id, ['127.0.0.1/32']);
    const change = (to: string) =>
      product.services.database.asSystem((tx) =>
        sql`update merchant set suspended_at = ${sql.raw(to)} where id = ${id}`.execute(tx.query),
      );
    await change('now()');
    const stopped = await program.create('d');
    await change('null');
    expect((await logged(stopped, visitor)).reason).toEqual({ kind: 'suspended' });
  });

  it('that the key is not active', async () => {
    const { id, program } = await product.merchant('keyless');
    const visitor = await product.person({ ...merchant, id, code: 'keyless' }, 'DEVELOPER', 'keyless');
    await program.create('a');
    for (const [column, state, code] of [
      ['disabled_at', 'disabled', 'key_disabled'],
      ['ends_at', 'expired', 'key_expired'],
      ['revoked_at', 'revoked', 'signature_invalid'],
    ] as const) {
      await product.services.database.asSystem((tx) =>
        sql`update access_key set ${sql.ref(column)} = now() where key_id = ${program.key.id}`.execute(
          tx.query,
        ),
      );
      const answer = await program.create(state);
      expect(answer.json.code).toBe(code);
      expect((await logged(answer, visitor)).reason).toEqual({ kind: 'key', state });
      const wrong = await program.create(state, {}, { headers: { 'x-signature': 'f'.repeat(64) } });
      expect(wrong.json.code).toBe('signature_invalid');
      expect((await logged(wrong, visitor)).reason).toEqual({ kind: 'key', state });
    }
  });

  it('that the key lacks a scope, or may not be used from the address', async () => {
    const { id, program } = await product.merchant('narrow');
    const visitor = await product.person({ ...merchant, id, code: 'narrow' }, 'DEVELOPER', 'narrow');
    const limit = (column: string, value: string) =>
      product.services.database.asSystem((tx) =>
        sql`update access_key set ${sql.ref(column)} = ${sql.raw(value)} where key_id = ${program.key.id}`.execute(
          tx.query,
        ),
      );
    await limit('scopes', `array['balance']`);
    const unscoped = await program.create('narrow');
    expect(unscoped.json.code).toBe('key_scope');
    const call = await logged(unscoped, visitor);
    expect(call.reason).toEqual({ kind: 'scope', scope: 'collections' });
    expect(JSON.parse(call.response.text ?? '')).toEqual(unscoped.json);
    await limit('allowed_addresses', `array['192.0.2.0/24'::cidr]`);
    const elsewhere = await program.create('narrow');
    expect(elsewhere.json.code).toBe('key_address_not_allowed');
    expect((await logged(elsewhere, visitor)).reason).toEqual({ kind: 'address', address: '127.0.0.1' });
  });

  it('in a text with characters beyond the basic plane, wherever it is cut', async () => {
    for (const before of [0, 1]) {
      const text = encodeURIComponent('x'.repeat(before) + '🛒'.repeat(140));
      const call = await logged(await merchant.program.get(`${collections}/none?subject=${text}`));
      expect(call).toMatchObject({ status: 422, query: expect.stringMatching(/…$/) });
    }
  });

  it('the fields that are wrong, with the sentences of the reply', async () => {
    const body = { out_trade_no: 'fields', amount: 'much', currency: 'CNY', colour: 'red-herring' };
    const answer = await merchant.program.post(collections, body);
    const call = await logged(answer);
    expect(call).toMatchObject({ status: 422, code: 'validation_failed', out_trade_no: 'fields' });
    expect(call.reason?.kind === 'fields' && [...call.reason.fields].sort()).toEqual(['amount', 'colour']);
    expect(JSON.parse(call.response.text ?? '')).toEqual(answer.json);
    expect(JSON.parse(call.request.text ?? '')).toEqual({ ...body, colour: '•••' });
  });

  it('of a body that is not JSON, only the size', async () => {
    const answer = await merchant.program.post(collections, '{"payeeAccount": "123456789012"');
    const call = await logged(answer);
    expect(call).toMatchObject({ status: 400, code: 'bad_request', request: { bytes: 31, text: null } });
  });

  it('and a path that does not exist', async () => {
    const call = await logged(await merchant.program.get('/openapi/v1/orders'));
    expect(call).toMatchObject({ status: 404, code: 'not_found', path: '/openapi/v1/orders' });
  });
});

describe('the log', () => {
  it('keeps nothing of keys that do not exist', async () => {
    await merchant.program.create('x', {}, { headers: { 'x-key': 'ak_nobody' } });
    await logged(await merchant.program.create('after'));
    const { rows } = await product.services.database.asSystem((tx) =>
      sql`select from api_request where key_id = 'ak_nobody'`.execute(tx.query),
    );
    expect(rows).toEqual([]);
  });

  it('keeps a thousand refused calls of a key in an hour, and counts the others', async () => {
    const flooded = await product.merchant('flooded');
    const visitor = await product.person(flooded, 'DEVELOPER', 'flooded');
    await flooded.program.create('first');
    const more = 60;
    const attempts = Array.from({ length: refusedPerHour + more }, (_, number) => number);
    const attempt = () => flooded.program.get(collections, { headers: { 'x-signature': 'f'.repeat(64) } });
    while (attempts.length > 0) await Promise.all(attempts.splice(0, 50).map(attempt));
    const allowed = await flooded.program.create('still');
    await logged(allowed, visitor);
    const { unrecorded } = await until(
      () => listed('', visitor),
      (reply) => reply.unrecorded >= more,
    );
    const kept = async () =>
      (
        await product.services.database.asMerchant(flooded.id, (tx) =>
          sql<{ kept: number; refused: number }>`
            select count(*)::integer as kept, (select sum(refused + unverified)::integer from api_request_count
              where merchant_id = ${flooded.id}) as refused
            from api_request where merchant_id = ${flooded.id} and status >= 400`.execute(tx.query),
        )
      ).rows[0];
    // An hour may begin in the middle of the test.
    const { kept: rows = 0, refused = 0 } = (await kept()) ?? {};
    expect(refused).toBe(refusedPerHour + more);
    expect(rows + unrecorded).toBe(refusedPerHour + more);
    expect(unrecorded).toBeLessThanOrEqual(more);
    expect((await listed('&result=done', visitor)).data).toHaveLength(2);
  });

  it('makes the partitions of a day if the job has not', async () => {
    await asOwner(product.ownerUrl, (client) =>
      client.query(`drop table day.api_request_${today()}, day.api_request_block_${today()}`),
    );
    await logged(await merchant.program.create('without partition'));
    await logged(await merchant.program.get(`${collections}/none`));
  });

  it('drops whole days after thirty days, and makes those ahead', async () => {
    const days = async () =>
      (
        await asOwner(product.ownerUrl, (client) =>
          client.query<{ day: string }>(
            `select right(relname, 10) as day from pg_class where relnamespace = 'day'::regnamespace and relkind = 'r'
             group by 1 having count(*) = 2 order by 1`,
          ),
        )
      ).rows.map(({ day }) => day);
    const dayAt = (offset: number) =>
      new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10).replaceAll('-', '_');
    await asOwner(product.ownerUrl, (client) =>
      client.query(`select make_request_days(now() - interval '33 days', now())`),
    );
    expect(await days()).toContain(dayAt(-32));
    await product.services.tasks['requests.days']?.({});
    const left = await days();
    expect(left[0]).toBe(dayAt(-30));
    expect(left.at(-1)).toBe(dayAt(7));
    expect(left).toHaveLength(38);
    const parts = await asOwner(product.ownerUrl, (client) =>
      client.query(`select from pg_class where relnamespace = 'day'::regnamespace and relkind = 'r'`),
    );
    expect(parts.rows).toHaveLength(2 * 38);
  });

  it.each(['nestloop', 'hashjoin', 'mergejoin'])('finds the days by every plan: %s', async (join) => {
    await asOwner(product.ownerUrl, async (client) => {
      await client.query('begin');
      for (const other of ['nestloop', 'hashjoin', 'mergejoin', 'indexscan', 'bitmapscan'])
        await client.query(`set local enable_${other} = ${other === join ? 'on' : 'off'}`);
      const { rows } = await client.query(`select drop_request_days(now() - interval '1 year') as dropped`);
      expect(rows).toEqual([{ dropped: 0 }]);
      await client.query('rollback');
    });
  });

  it('makes the days ahead although an old day cannot be dropped', async () => {
    const named = (offset: number) => {
      const day = new Date(Date.now() + offset * 86_400_000);
      return `day.api_request_${day.toISOString().slice(0, 10).replaceAll('-', '_')}`;
    };
    await asOwner(product.ownerUrl, async (client) => {
      await client.query(`select make_request_days(now() - interval '33 days', now() - interval '33 days')`);
      await client.query(`drop table ${named(7)}`);
      await client.query('begin');
      await client.query(`lock table ${named(-33)} in access share mode`);
      await expect(product.services.tasks['requests.days']?.({})).rejects.toThrow();
      await client.query('rollback');
      const { rows } = await client.query(`select to_regclass('${named(7)}') is not null as made`);
      expect(rows).toEqual([{ made: true }]);
    });
    await product.services.tasks['requests.days']?.({});
  });
});

function today(): string {
  return new Date().toISOString().slice(0, 10).replaceAll('-', '_');
}
