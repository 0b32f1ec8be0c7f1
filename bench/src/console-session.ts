import type { Runtime } from '@hengfu/server/composition/runtime.ts';
import { MerchantService } from '@hengfu/server/features/merchants/merchants.service.ts';
import { type Dispatcher, fetch, type Response } from 'undici';

const benchUser = { email: 'bench@hengfu.test', password: 'Bench-pass-2026' };

/** Returns the credentials of a merchant's user. */
export const userOf = (code: string) => ({ ...benchUser, email: `${code}@hengfu.test` });

/** Adds a user who may see everything of a merchant. */
export async function addUser({ services }: Runtime, merchantId: bigint, user = benchUser): Promise<void> {
  const admin = new MerchantService(services.database, services.secrets, 'operator:bench');
  await admin.createUser(merchantId, { ...user, name: 'Bench', roles: ['MERCHANT_ADMIN'] });
}

interface Browser {
  /** Cookies from earlier visits, as one header. */
  cookie?: string;
  /** Connects from another address. */
  dispatcher?: Dispatcher;
}

/** Signs in and returns the session's cookies, as one header. Throws if the sign-in is refused. */
export async function signIn(
  url: string,
  user = benchUser,
  { cookie = '', dispatcher }: Browser = {},
): Promise<string> {
  const jar = new Map<string, string>();
  const store = (line: string) => {
    const [name = '', value = ''] = (line.split(';')[0] ?? '').split('=');
    jar.set(name, value);
  };
  const storeAll = (reply: Response) => reply.headers.getSetCookie().forEach(store);
  const header = () => [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
  if (cookie) cookie.split('; ').forEach(store);
  const options = dispatcher ? { dispatcher } : {};
  storeAll(await fetch(`${url}/api/csrf-cookie`, options));
  const reply = await fetch(`${url}/api/login`, {
    method: 'POST',
    headers: { cookie: header(), 'x-xsrf-token': decodeURIComponent(jar.get('XSRF-TOKEN') ?? '') },
    body: new URLSearchParams(user),
    ...options,
  });
  if (!reply.ok) throw new Error(`the sign-in was refused: ${reply.status} ${await reply.text()}`);
  storeAll(reply);
  return header();
}
