import type { Runtime } from '@hengfu/server/composition/runtime.ts';
import { MerchantService } from '@hengfu/server/features/merchants/merchants.service.ts';
import { type Dispatcher, fetch, type Response } from 'undici';

const benchPerson = { email: 'bench@hengfu.test', password: 'Bench-pass-2026' };

/** Another person for each merchant. */
export const personOf = (code: string) => ({ ...benchPerson, email: `${code}@hengfu.test` });

/** Adds a person who may see everything of a merchant. */
export async function addPerson(
  { services }: Runtime,
  merchantId: bigint,
  person = benchPerson,
): Promise<void> {
  const admin = new MerchantService(services.database, services.secrets, 'operator:bench');
  await admin.createUser(merchantId, { ...person, name: 'Bench', roles: ['MERCHANT_ADMIN'] });
}

interface Browser {
  /** Cookies that it has from before, as one header. */
  cookie?: string;
  /** Where it connects from. */
  dispatcher?: Dispatcher;
}

/** Signs in and returns the cookies of the session, as one header. */
export async function signIn(
  url: string,
  person = benchPerson,
  { cookie = '', dispatcher }: Browser = {},
): Promise<string> {
  const jar = new Map<string, string>();
  const keep = (line: string) => {
    const [name = '', value = ''] = (line.split(';')[0] ?? '').split('=');
    jar.set(name, value);
  };
  const keepAll = (answer: Response) => answer.headers.getSetCookie().forEach(keep);
  const header = () => [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
  if (cookie) cookie.split('; ').forEach(keep);
  const from = dispatcher ? { dispatcher } : {};
  keepAll(await fetch(`${url}/api/csrf-cookie`, from));
  const answer = await fetch(`${url}/api/login`, {
    method: 'POST',
    headers: { cookie: header(), 'x-xsrf-token': decodeURIComponent(jar.get('XSRF-TOKEN') ?? '') },
    body: new URLSearchParams(person),
    ...from,
  });
  if (!answer.ok) throw new Error(`sign-in was refused: ${answer.status} ${await answer.text()}`);
  keepAll(answer);
  return header();
}
