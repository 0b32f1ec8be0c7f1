import { MerchantService } from '@hengfu/server/features/merchants/merchants.service.ts';
import type { Runtime } from '@hengfu/server/runtime.ts';

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

/** Signs in and returns the cookies of the session, as one header. */
export async function signIn(url: string, person = benchPerson): Promise<string> {
  const jar = new Map<string, string>();
  const keep = (answer: Response) => {
    for (const line of answer.headers.getSetCookie()) {
      const [name = '', value = ''] = (line.split(';')[0] ?? '').split('=');
      jar.set(name, value);
    }
  };
  const header = () => [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
  keep(await fetch(`${url}/api/csrf-cookie`));
  const answer = await fetch(`${url}/api/login`, {
    method: 'POST',
    headers: { cookie: header(), 'x-xsrf-token': decodeURIComponent(jar.get('XSRF-TOKEN') ?? '') },
    body: new URLSearchParams(person),
  });
  if (!answer.ok) throw new Error(`sign-in was refused: ${answer.status} ${await answer.text()}`);
  keep(answer);
  return header();
}
