import type { AuditValues } from '@hengfu/contract/audit-fields';
import { addressFault, type Network } from '@hengfu/contract/wallets';
import type { Database, Tx } from '#db/database.ts';
import { fieldsOfActor, ofService, writeAudit } from '#domain/audit.sql.ts';
import type { ServiceActor } from '#domain/caller.ts';
import { fieldRefusal, Refusal } from '#domain/refusal.ts';
import type { Wallet } from '../topups.rules.ts';
import { insertWallet, listEveryWallet, listWallets, type WalletVersion } from './deposit-wallets.sql.ts';

/** The service's wallets, which merchants send USDT to. */
export class DepositWallets {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Lists the newest wallet of each network. */
  list() {
    return this.#database.asSystem((tx) => listWallets(tx));
  }

  /** Lists the latest wallets of each network, newest first. */
  history(): Promise<WalletVersion[]> {
    return this.#database.asSystem((tx) => listEveryWallet(tx));
  }

  /** Sets the wallet of a network, from now on. Audits the change. Throws `validation_failed` if the network has no such address. */
  set(wallet: Wallet, by: ServiceActor): Promise<void> {
    return this.#database.asSystem((tx) => setWallet(tx, { ...wallet, isOpen: true }, by));
  }

  /** Closes a network for new top-ups. Audits the change. Throws `not_found` if it never had a wallet. */
  close(network: Network, by: ServiceActor): Promise<void> {
    return this.#database.asSystem(async (tx) => {
      const wallet = (await listWallets(tx)).find((one) => one.network === network);
      if (!wallet) throw new Refusal('not_found');
      await setWallet(tx, { ...wallet, isOpen: false }, by);
    });
  }
}

/** Refuses an address that a network cannot have: `validation_failed`. */
export function checkWallet({ network, address }: Pick<Wallet, 'network' | 'address'>): void {
  const fault = addressFault(network, address);
  if (fault === 'checksum') throw fieldRefusal('address', 'validation.addressChecksum');
  if (fault) throw fieldRefusal('address', 'validation.address');
}

/** Sets the wallet of a network, from now on, in the transaction of whoever decides so. Throws `validation_failed`. */
export async function setWallet(
  tx: Tx,
  wallet: Wallet & { isOpen: boolean },
  by: ServiceActor,
): Promise<void> {
  checkWallet(wallet);
  const { network } = wallet;
  const before = (await listWallets(tx)).find((one) => one.network === network);
  await insertWallet(tx, wallet);
  await writeAudit(tx, {
    merchantId: null,
    ...fieldsOfActor(by),
    action: 'deposit_wallet.set',
    subject: network,
    ...(before && { before: recorded(before) }),
    after: recorded(wallet),
  });
  tx.changed(ofService, 'service');
}

function recorded({ address, isOpen, minimumUsdtMinor }: Wallet & { isOpen: boolean }): AuditValues {
  return { address, isOpen, minimumUsdtMinor: String(minimumUsdtMinor) };
}
