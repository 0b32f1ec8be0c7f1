import { ShopProgram } from '@hengfu/server/testing/shop-program.ts';
import { until } from '@hengfu/server/testing/until.ts';
import { operator } from './operator.ts';
import type { KeyedShop } from './signed-shop.ts';

/**
 * A running product of any version: its database, its address and the entry point of its operator commands.
 */
interface AnyVersion {
  readonly ownerUrl: string;
  readonly url: string;
  readonly operatorMain: string;
}

/** The sandbox bank pays an amount that ends in 05 immediately. */
const funds = '1000000.05';
const channel = 'CN_BANK';

/**
 * Sets up merchants with an access key and settled funds. Uses only the operator commands, the Open API and
 * the checkout, since the running version may have another database schema than these sources.
 */
export async function setUpShops(product: AnyVersion, count: number): Promise<KeyedShop[]> {
  await command(product, 'channel', 'install', '--adapter', 'sandbox');
  const codes = Array.from({ length: count }, (_, index) => `shop-${index + 1}`);
  return Promise.all(codes.map((code) => setUpShop(product, code)));
}

async function setUpShop(product: AnyVersion, code: string): Promise<KeyedShop> {
  const merchant = ['--merchant', code];
  const home = ['--currency', 'CNY', '--zone', 'Asia/Shanghai'];
  await command(product, 'merchant', 'create', '--code', code, '--name', code, ...home);
  await command(product, 'terms', 'set', ...merchant, '--channel', channel);
  await command(product, 'ip-address', 'set', ...merchant, '--allow', '127.0.0.1/32');
  const { id, secret } = await command(product, 'access-key', 'add', ...merchant);
  const shop = { key: { id: String(id), secret: String(secret) } };
  await collect(product, new ShopProgram(product.url, shop.key));
  await command(product, 'settlement', 'run', ...merchant);
  return shop;
}

/** Collects the funds: creates an order and pays it at the checkout. */
async function collect({ url }: AnyVersion, program: ShopProgram): Promise<void> {
  const { status, json } = await program.create('funds', { amount: funds });
  if (status !== 201)
    throw new Error(`the order for the funds got the reply ${status} ${JSON.stringify(json)}`);
  const token = new URL(json.cashierUrl).pathname.split('/').at(-1);
  const page = `${url}/api/cashier/${token}`;
  const headers = { 'content-type': 'application/json' };
  const paying = await fetch(`${page}/pay`, { method: 'POST', headers, body: JSON.stringify({ channel }) });
  if (!paying.ok) throw new Error(`the payment got the reply ${paying.status} ${await paying.text()}`);
  await until(
    async () => (await fetch(page)).json(),
    (order) => order.status === 'success',
  );
}

async function command(
  { ownerUrl, operatorMain }: AnyVersion,
  ...args: string[]
): Promise<Record<string, unknown>> {
  const { code, text } = await operator(ownerUrl, [...args, '--json'], { main: operatorMain });
  if (code !== 0) throw new Error(`operator ${args.join(' ')} exited with ${code}: ${text}`);
  return JSON.parse(text);
}
