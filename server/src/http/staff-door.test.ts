import type { EndpointShape } from '@hengfu/contract/endpoint';
import { staffPermsOf, staffRoles } from '@hengfu/contract/staff/permissions';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { everyEndpoint, everyStaffEndpoint } from '../testing/endpoints.ts';
import { type TestMerchant, TestProduct } from '../testing/test-product.ts';
import { TestStaff } from '../testing/test-staff.ts';
import type { Visitor } from '../testing/visitor.ts';

const endpoints = await everyStaffEndpoint();
const merchantEndpoints = await everyEndpoint();
const named = (list: readonly EndpointShape[]) =>
  list.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const);
const guarded = endpoints.filter(({ access }) => access === 'staff');
const pathOf = ({ path }: EndpointShape) => path.replaceAll(/:\w+/g, '00000000-0000-4000-8000-000000000000');

let product: TestProduct;
let staff: TestStaff;
let merchant: TestMerchant;
let person: Visitor;
let members: Map<string, Visitor>;

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'));
  staff = await TestStaff.start(product);
  merchant = await product.merchant('outside');
  person = await product.person(merchant);
  members = new Map();
  for (const role of staffRoles) members.set(role, await staff.member(role.toLowerCase(), role));
});
afterAll(async () => {
  await staff.close();
  await product.close();
});

/** Sends a call with a body that no schema accepts, so that nothing happens if it is admitted. */
function probe(visitor: Visitor, endpoint: EndpointShape, headers: Record<string, string> = {}) {
  return visitor.send(endpoint.method, pathOf(endpoint), endpoint.method === 'GET' ? undefined : {}, headers);
}

/** Gives a browser the cookies of another one, and the token that goes with them. */
function withCookiesOf(visitor: Visitor, other: Visitor): Visitor {
  for (const [name, value] of other.cookies) visitor.cookies.set(name, value);
  return visitor;
}

describe('access to the back office', () => {
  it('is declared for every call: staff, or anyone for signing in', () => {
    expect(endpoints.length).toBeGreaterThan(15);
    for (const { path, access } of endpoints) {
      expect(path).toMatch(/^\/api\/staff\//);
      expect(['staff', 'public']).toContain(access);
    }
    const open = endpoints.filter(({ access }) => access === 'public').map(({ path }) => path);
    expect(open).toEqual(['/api/staff/csrf-cookie', '/api/staff/login']);
    expect(merchantEndpoints.filter(({ path }) => path.startsWith('/api/staff'))).toEqual([]);
  });

  it.each(named(guarded))('%s refuses whoever is not signed in', async (_name, endpoint) => {
    const visitor = staff.visitor();
    await visitor.get('/api/staff/csrf-cookie');
    const { status, json } = await probe(visitor, endpoint);
    expect([status, json.code]).toEqual([401, 'unauthenticated']);
  });

  it.each(named(guarded))('%s refuses the session of a merchant', async (_name, endpoint) => {
    const visitor = staff.visitor();
    await visitor.get('/api/staff/csrf-cookie');
    const [stolen] = [...person.cookies].filter(([name]) => name === 'hengfu_session');
    visitor.cookies.set('hengfu_session', stolen?.[1] ?? '');
    expect((await probe(visitor, endpoint)).status).toBe(401);
    // Under the name that this door reads, it is no session of our staff, and its token is worth nothing.
    const renamed = staff.visitor();
    renamed.cookies.set('hengfu_staff_session', stolen?.[1] ?? '');
    renamed.cookies.set('STAFF-XSRF-TOKEN', person.cookies.get('XSRF-TOKEN') ?? '');
    expect((await probe(renamed, endpoint)).status).toBe(endpoint.method === 'GET' ? 401 : 419);
  });

  const withPerm = guarded.filter(({ staffPerm }) => staffPerm !== undefined);
  it.each(named(withPerm))('%s asks for its permission', async (_name, endpoint) => {
    for (const role of staffRoles) {
      const visitor = members.get(role);
      if (!visitor) throw new Error(role);
      const { status, json } = await probe(visitor, endpoint);
      const isPermitted =
        endpoint.staffPerm !== undefined && staffPermsOf([role]).includes(endpoint.staffPerm);
      if (isPermitted) expect([200, 404, 422], `${role} ${json.code}`).toContain(status);
      else expect([role, status, json.code]).toEqual([role, 403, 'forbidden']);
    }
  });

  it.each(named(endpoints.filter(({ method }) => method !== 'GET')))(
    '%s refuses a write without the token of its session',
    async (_name, endpoint) => {
      const visitor = withCookiesOf(staff.visitor(), await freshMember());
      const { status, json } = await probe(visitor, endpoint, { 'x-xsrf-token': 'another' });
      expect([status, json.code]).toEqual([419, 'csrf_mismatch']);
    },
  );

  it.each(named(endpoints.filter(({ method }) => method !== 'GET')))(
    '%s refuses a write from another origin, another port included',
    async (_name, endpoint) => {
      const visitor = await freshMember();
      for (const origin of [product.url, 'https://evil.example', 'null', `${staff.url}.evil.example`]) {
        const { status, json } = await probe(visitor, endpoint, { origin });
        expect([origin, status, json.code]).toEqual([origin, 419, 'csrf_mismatch']);
      }
      expect((await probe(visitor, endpoint, { origin: staff.url })).json.code).not.toBe('csrf_mismatch');
    },
  );
});

let fresh = 0;
/** Signs somebody in who may do everything, because some of the calls end the session. */
function freshMember(): Promise<Visitor> {
  return staff.member(`fresh${++fresh}`, 'ADMIN');
}

describe('the two doors', () => {
  it.each(named(endpoints))('%s does not exist on the merchants’ port', async (_name, endpoint) => {
    const { status } = await probe(withCookiesOf(person, await freshMember()), endpoint);
    expect(status).toBe(404);
  });

  it.each(named(merchantEndpoints))('%s does not exist on the port of our staff', async (_name, endpoint) => {
    const visitor = members.get('ADMIN');
    if (!visitor) throw new Error('no member');
    expect((await probe(visitor, endpoint)).status).toBe(404);
  });

  it.each(named(merchantEndpoints.filter(({ access }) => access === 'session')))(
    '%s refuses the session of our staff on the merchants’ port',
    async (_name, endpoint) => {
      const visitor = product.visitor();
      await visitor.get('/api/csrf-cookie');
      const session = members.get('ADMIN')?.cookies.get('hengfu_staff_session') ?? '';
      visitor.cookies.set('hengfu_staff_session', session);
      expect((await probe(visitor, endpoint)).status).toBe(401);
      const renamed = product.visitor();
      renamed.cookies.set('hengfu_session', session);
      renamed.cookies.set('XSRF-TOKEN', members.get('ADMIN')?.cookies.get('STAFF-XSRF-TOKEN') ?? '');
      expect((await probe(renamed, endpoint)).status).toBe(endpoint.method === 'GET' ? 401 : 419);
    },
  );

  it.each(named(merchantEndpoints.filter(({ method, access }) => method !== 'GET' && access === 'session')))(
    '%s refuses a write from the port of our staff',
    async (_name, endpoint) => {
      const { status, json } = await probe(person, endpoint, { origin: staff.url });
      expect([status, json.code]).toEqual([419, 'csrf_mismatch']);
    },
  );

  it('each describe their own calls', async () => {
    const { json } = await staff.visitor().get('/api/staff/docs/staff.json');
    expect(Object.keys(json.paths).every((path) => path.startsWith('/api/staff/'))).toBe(true);
    expect((await product.visitor().get('/api/staff/docs/staff.json')).status).toBe(404);
    expect((await staff.visitor().get('/api/docs/console.json')).status).toBe(404);
  });
});
