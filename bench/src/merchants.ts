import { MerchantService } from '@hengfu/server/features/merchants/merchants.service.ts';
import type { Runtime } from '@hengfu/server/runtime.ts';

/** A merchant with an access key that this machine may use. */
export interface BenchMerchant {
  id: bigint;
  key: { id: string; secret: string };
}

/** Makes merchants whose home currency is CNY, each with a channel and a key. */
export async function makeMerchants({ services }: Runtime, count: number): Promise<BenchMerchant[]> {
  const admin = new MerchantService(services.database, services.secrets, 'operator:bench');
  await admin.installChannels('sandbox');
  const merchants: BenchMerchant[] = [];
  for (let number = 1; number <= count; number++) {
    const code = `bench-${number}`;
    const id = await admin.create({
      code,
      name: code,
      currency: 'CNY',
      zone: 'Asia/Shanghai',
      cutOff: '00:00',
    });
    await admin.setTerms(id, {
      channel: 'CN_BANK',
      collectionRatePpm: 6000,
      collectionFixedMinor: 0n,
      payoutRatePpm: 2000,
      payoutFixedMinor: 0n,
      validFrom: new Date('2020-01-01T00:00:00Z'),
    });
    const key = { id: `ak_${code}`, secret: `sk_${code}_secret` };
    await admin.addAccessKey(id, key.id, key.secret);
    await admin.setAllowedAddresses(id, ['127.0.0.1/32']);
    merchants.push({ id, key });
  }
  return merchants;
}
