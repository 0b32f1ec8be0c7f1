import type { Currency } from '@hengfu/contract/money';
import type { Network } from '@hengfu/contract/wallets';
import { sql } from 'kysely';
import type { Tx } from '#db/database.ts';
import type { Options, Wallet } from '../topups.rules.ts';

/**
 * Reads the current rates and open wallets for top-ups; undefined if the currency has no rate or no wallet is
 * open.
 */
export async function readOptions(tx: Tx, currency: Currency): Promise<Options | undefined> {
  const { rows } = await sql<Omit<Options, 'wallets'>>`
    select trim_scale(home.usdt_rate)::text as rate, home.valid_from as "rateAt",
      (select trim_scale(usdt_rate)::text from exchange_rate where currency = 'USD' and valid_from <= now()
        order by valid_from desc limit 1) as "usdRate"
    from exchange_rate home where currency = ${currency} and valid_from <= now()
    order by valid_from desc limit 1`.execute(tx.query);
  const [rates] = rows;
  const wallets = rates ? (await listWallets(tx)).filter((wallet) => wallet.isOpen) : [];
  return rates && wallets.length > 0 ? { ...rates, wallets } : undefined;
}

/** Lists the newest wallet of each network. */
export async function listWallets(tx: Tx): Promise<(Wallet & { isOpen: boolean; validFrom: Date })[]> {
  const { rows } = await sql<Wallet & { isOpen: boolean; validFrom: Date }>`
    select distinct on (network) network, address, minimum_usdt_minor as "minimumUsdtMinor", is_open as "isOpen",
      valid_from as "validFrom"
    from deposit_wallet where valid_from <= now() order by network, valid_from desc`.execute(tx.query);
  return rows;
}

/** Wallets of each network that are listed with their history. */
const maxPerNetwork = 30;

/** A wallet of a network, from an instant on. */
export type WalletVersion = Wallet & { isOpen: boolean; validFrom: Date; isCurrent: boolean };

/** Lists the latest wallets of each network, newest first. */
export async function listEveryWallet(tx: Tx): Promise<WalletVersion[]> {
  const { rows } = await sql<WalletVersion>`
    select network, address, "minimumUsdtMinor", "isOpen", "validFrom", "isCurrent" from (
      select network, address, minimum_usdt_minor as "minimumUsdtMinor", is_open as "isOpen", valid_from as "validFrom",
        row_number() over (partition by network order by valid_from desc) as place,
        valid_from = max(valid_from) filter (where valid_from <= now()) over (partition by network) as "isCurrent"
      from deposit_wallet) w
    where place <= ${maxPerNetwork} order by "validFrom" desc, network`.execute(tx.query);
  return rows;
}

/** Whether an address is, or ever was, the service's on a network. */
export async function isServiceWallet(tx: Tx, network: Network, address: string): Promise<boolean> {
  const row = await tx.query
    .selectFrom('deposit_wallet')
    .select('address')
    .where('network', '=', network)
    .where('address', '=', address)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Sets the wallet of a network, from now on. */
export async function insertWallet(tx: Tx, wallet: Wallet & { isOpen: boolean }): Promise<void> {
  await tx.query
    .insertInto('deposit_wallet')
    .values({
      network: wallet.network,
      address: wallet.address,
      minimum_usdt_minor: wallet.minimumUsdtMinor,
      is_open: wallet.isOpen,
    })
    .execute();
}
