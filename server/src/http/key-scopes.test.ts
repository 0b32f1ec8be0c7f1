import type { EndpointShape } from '@hengfu/contract/endpoint';
import { type CallScope, type KeyScope, keyScopes } from '@hengfu/contract/key-scopes';
import { sql } from 'kysely';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { everyEndpoint } from '../testing/endpoints.ts';
import { ShopProgram } from '../testing/shop-program.ts';
import { type TestMerchant, TestProduct } from '../testing/test-product.ts';

let product: TestProduct;
let merchant: TestMerchant;
/** A key for each scope, with this scope alone. */
const programs = new Map<KeyScope, ShopProgram>();
const logged: { msg?: string; code?: string; access_key?: string }[] = [];

const signed = (await everyEndpoint()).filter(({ access }) => access === 'signed');
const areas = keyScopes.filter((scope): scope is CallScope => scope !== 'read');

beforeAll(async () => {
  const log = pino({ level: 'info' }, { write: (line: string) => void logged.push(JSON.parse(line)) });
  product = await TestProduct.start(inject('ownerUrl'), { log });
  merchant = await product.merchant('scoped');
  for (const scope of keyScopes) {
    const key = { id: `ak_scoped_${scope}`, secret: `sk_scoped_${scope}` };
    await product.admin().addAccessKey(merchant.id, key.id, key.secret, { scopes: [scope] });
    programs.set(scope, new ShopProgram(product.url, key));
  }
});
afterAll(() => product.close());

const call = (scope: KeyScope, { method, path }: EndpointShape) =>
  programs.get(scope)?.send(method, path.replaceAll(/:\w+/g, 'x'), method === 'GET' ? undefined : {}, {});

describe('every call of the Open API', () => {
  it.each(signed.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const))(
    '%s takes its own scope, and `read` if it changes nothing',
    async (_, endpoint) => {
      expect(areas).toContain(endpoint.scope);
      for (const scope of keyScopes) {
        const answer = await call(scope, endpoint);
        const isAllowed = scope === endpoint.scope || (scope === 'read' && endpoint.method === 'GET');
        if (isAllowed) expect(answer?.status).not.toBe(403);
        else
          expect([answer?.status, answer?.json]).toMatchObject([
            403,
            { code: 'key_scope', details: { scope: endpoint.scope } },
          ]);
      }
    },
  );

  it('is refused before its input is checked, and uses up no nonce', async () => {
    const options = { nonce: 'nonce-without-scope' };
    const read = programs.get('read');
    const order = { out_trade_no: 'unscoped', amount: '1.00', currency: 'CNY' };
    for (const body of [order, {}])
      expect((await read?.post('/openapi/v1/collections', body, options))?.json.code).toBe('key_scope');
    const { rows } = await product.services.database.asSystem((tx) =>
      sql`select from used_nonce where merchant_id = ${merchant.id} and nonce = ${options.nonce}`.execute(
        tx.query,
      ),
    );
    expect(rows).toEqual([]);
    expect((await read?.get('/openapi/v1/collections?out_trade_no=unscoped'))?.status).toBe(404);
  });

  it('says in the caller’s language which scope is missing, and the log says it with the key', async () => {
    const headers = { 'accept-language': 'zh-CN' };
    const refused = await programs.get('balance')?.get('/openapi/v1/payouts/x', { headers });
    expect(refused?.json.message).toBe('该接口密钥没有“代付”权限。');
    expect(logged).toContainEqual(
      expect.objectContaining({
        msg: 'signed call refused',
        access_key: 'ak_scoped_balance',
        code: 'key_scope',
      }),
    );
  });

  it('leaves no trace in the log if the signature is wrong', async () => {
    const forged = new ShopProgram(product.url, { id: 'ak_scoped_read', secret: 'sk_guessed' });
    const before = logged.filter(({ msg }) => msg === 'signed call refused').length;
    expect((await forged.post('/openapi/v1/payouts', {})).json.code).toBe('signature_invalid');
    expect(logged.filter(({ msg }) => msg === 'signed call refused')).toHaveLength(before);
  });
});
