import { createHash } from 'node:crypto';
import type { Database } from '#db/database.ts';
import { countOrRefuse, uncountTry } from '#domain/throttle.sql.ts';
import { tries } from '#domain/throttle-keys.ts';
import { addressGroup } from '#security/address-group.ts';

/**
 * Orders that payers make in ten minutes: from a group of addresses, which a whole office or a carrier's phones may share, from a site, with
 * one link, and for one merchant.
 */
const limits = {
  caller: { limit: 100, windowSeconds: 600 },
  site: { limit: 200, windowSeconds: 600 },
  link: { limit: 2000, windowSeconds: 600 },
  merchant: { limit: 6000, windowSeconds: 600 },
};

interface CountedLink {
  merchantId: bigint;
  id: bigint;
}

/**
 * Runs work that makes an order, and counts it before, so that concurrent ones count, too. One that is refused, or that was made before
 * (`isNew` false), is not counted: it must not use up what others may do. Throws `too_many_attempts`.
 */
export async function countedOrder<T extends { isNew: boolean }>(
  database: Database,
  { merchantId, id }: CountedLink,
  address: string,
  work: () => Promise<T>,
): Promise<T> {
  const { caller, site } = addressGroup(address);
  const counters = [
    { key: tries.linkOrdersFrom(caller), ...limits.caller },
    ...(site === undefined ? [] : [{ key: tries.linkOrdersFrom(site), ...limits.site }]),
    { key: tries.linkOrdersOf(merchantId, id), ...limits.link },
    { key: tries.linkOrdersFor(merchantId), ...limits.merchant },
  ];
  const counted: Buffer[] = [];
  let isMade = false;
  try {
    for (const { key, ...limit } of counters) {
      counted.push(key);
      await countOrRefuse(database, key, limit);
    }
    const made = await work();
    isMade = made.isNew;
    return made;
  } finally {
    if (!isMade) await Promise.all(counted.map((key) => uncount(database, key)));
  }
}

function uncount(database: Database, key: Buffer): Promise<void> {
  return database.asSystem((tx) => uncountTry(tx, key, 'sign_in_throttle'), { oneStatement: true });
}

const groupBytes = 16;

/** The payer of a link's order: the hash of its group of addresses, then that of its site. Neither leads back to an address, or to other links. */
export function payerOf(token: string, address: string): Buffer {
  const { caller, site } = addressGroup(address);
  return Buffer.concat(
    [caller, site ?? caller].map((group) =>
      createHash('sha256').update(`payer ${token} ${group}`).digest().subarray(0, groupBytes),
    ),
  );
}
