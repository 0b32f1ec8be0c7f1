import { parseArgs } from 'node:util';
import { CallbackReceiver } from './callback-receiver.ts';
import { findService, unreachable } from './service.ts';
import { demoKey, type NewOrder, type Order, ShopClient, ShopError } from './shop-client.ts';

const help = `A sample merchant system that uses the Open API (docs/open-api.md).

  npm run -s shop -- create --amount 100.00   creates an order, prints its checkout link
  npm run -s shop -- find <out_trade_no>      prints an order found by merchant order number
  npm run -s shop -- get <trade_no>           prints an order
  npm run -s shop -- cancel <trade_no>        cancels an unpaid order
  npm run -s shop -- refund <trade_no>        refunds an order

  --base, --key, --secret   another service or merchant. Default: the demo merchant of the product on this
                            machine, found by PORT or DATA_DIR
  create also takes
  --out-trade-no, --currency (CNY), --subject, --channel, --notify-url, --return-url, --expires-in <seconds>
  --listen                  receives the order's callbacks and prints them until Ctrl-C
  --json                    prints the whole order
`;

const text = { type: 'string' } as const;
const flag = { type: 'boolean' } as const;
const options = {
  base: { ...text, default: findService(process.env) },
  key: { ...text, default: demoKey.key },
  secret: { ...text, default: demoKey.secret },
  amount: text,
  currency: { ...text, default: 'CNY' },
  'out-trade-no': text,
  subject: text,
  channel: text,
  'notify-url': text,
  'return-url': text,
  'expires-in': text,
  listen: flag,
  json: flag,
  help: flag,
} as const;

type Values = ReturnType<typeof parse>['values'];

function parse() {
  return parseArgs({ options, allowPositionals: true });
}

function print(order: Order): void {
  process.stdout.write(`${JSON.stringify(order, null, 2)}\n`);
}

async function create(shop: ShopClient, values: Values): Promise<void> {
  if (values.amount === undefined) throw new Error('create needs --amount, as in --amount 100.00');
  const receiver = values.listen
    ? await CallbackReceiver.start({ secret: values.secret, answer: show })
    : undefined;
  const notifyUrl = values['notify-url'] ?? receiver?.url;
  const order: NewOrder = {
    out_trade_no: values['out-trade-no'] ?? `SHOP-${Date.now()}`,
    amount: values.amount,
    currency: values.currency,
    ...(values.subject !== undefined && { subject: values.subject }),
    ...(values.channel !== undefined && { channel: values.channel }),
    ...(notifyUrl !== undefined && { notifyUrl }),
    ...(values['return-url'] !== undefined && { returnUrl: values['return-url'] }),
    ...(values['expires-in'] !== undefined && { expiresIn: Number(values['expires-in']) }),
  };
  try {
    const created = await shop.create(order);
    if (values.json) print(created);
    else process.stdout.write(`${created.cashierUrl}\n`);
  } catch (error) {
    await receiver?.close();
    throw error;
  }
}

function show(message: { type: string; data: Order }): number {
  process.stdout.write(`${message.type} ${message.data.trade_no} ${message.data.status}\n`);
  return 204;
}

async function main(): Promise<void> {
  const { values, positionals } = parse();
  const [command, number] = positionals;
  if (values.help || command === undefined) {
    process.stdout.write(help);
    return;
  }
  const shop = new ShopClient({
    base: values.base.replace(/\/+$/, ''),
    key: values.key,
    secret: values.secret,
  });
  await act(shop, values, { command, number }).catch((error: unknown) => {
    throw unreachable(error, shop.options.base) ?? error;
  });
}

/** Runs a command, as in `get C26…`. */
async function act(
  shop: ShopClient,
  values: Values,
  { command, number }: { command: string; number: string | undefined },
): Promise<void> {
  if (command === 'create') return create(shop, values);
  if (command !== 'find' && command !== 'get' && command !== 'cancel' && command !== 'refund') {
    throw new Error(`There is no command "${command}". --help lists them.`);
  }
  if (number === undefined) throw new Error(`${command} needs the number of the order`);
  print(await shop[command](number));
}

await main().catch((error: unknown) => {
  const fields = error instanceof ShopError ? Object.entries(error.errors) : [];
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  for (const [field, messages] of fields) process.stderr.write(`  ${field}: ${messages.join(' ')}\n`);
  process.exitCode = 1;
});
