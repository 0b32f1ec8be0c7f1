import { randomInt } from 'node:crypto';
import { formatAmount } from '@hengfu/contract/money';
import { SandboxAdapter } from '#channels/sandbox/sandbox-adapter.ts';
import type { Services } from '#composition/services.ts';
import type { Recurring } from '#jobs/jobs.ts';
import type { JobLine } from '#jobs/workers.ts';
import { MerchantService } from '../features/merchants/merchants.service.ts';
import { shops } from './orders.ts';
import { demoMerchants } from './people.ts';

const task = 'demo.autopilot';

/**
 * Simulates payers in demo mode: every 20 seconds one orders at the demo shop; most pay through the sandbox
 * bank.
 */
export function autopilot(
  services: Services,
  sandbox: { url: string; secret: string },
): { lines: JobLine[]; recurring: Recurring[] } {
  const bank = new SandboxAdapter(sandbox);
  const admin = new MerchantService(services.database, services.secrets, 'operator:demo');
  const run = async () => {
    const [{ merchant, channel }] = demoMerchants;
    const shop = shops[merchant.code];
    if (!shop) return;
    const { id: merchantId, name } = await admin.find(merchant.code);
    const { code, currency, zone } = merchant;
    // Small amounts are more frequent, as in the seeded days.
    const share = (randomInt(1_000_000) / 1_000_000) ** 2.2;
    const minor = BigInt(Math.round((shop.low + (shop.high - shop.low) * share) / 100) * 100);
    const order = await services.collections.create(
      { merchantId, code, name, currency, zone },
      {
        out_trade_no: `${shop.prefix}${Date.now()}${randomInt(100, 1000)}`,
        amount: formatAmount(minor, currency),
        currency,
        channel,
        subject: shop.subjects[randomInt(shop.subjects.length)] ?? shop.subjects[0],
      },
    );
    if (randomInt(100) >= 90) return;
    await services.cashier.pay(order.cashierToken, channel, 'zh-cn');
    await bank.playPayer(order.tradeNo, randomInt(100) < 95 ? 'confirm' : 'decline');
  };
  return { lines: [{ tasks: { [task]: run }, concurrency: 1 }], recurring: [{ task, everySeconds: 20 }] };
}
