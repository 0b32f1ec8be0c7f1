import { formatAmount } from '@hengfu/contract/money';
import type { Network } from '@hengfu/contract/wallets';
import type { Database, Tx } from '#db/database.ts';
import type { ServiceActor } from '#domain/caller.ts';
import { Refusal } from '#domain/refusal.ts';
import type { StaffEffects, StaffRequests } from '#domain/staff-requests.sql.ts';
import type { Wallet } from '../topups.rules.ts';
import { checkWallet, setWallet } from './deposit-wallets.service.ts';
import { listWallets } from './deposit-wallets.sql.ts';

/** The minimum of a network's first wallet, if it is not named. */
const firstMinimumUsdtMinor = 10_000_000n;

type State = Wallet & { isOpen: boolean };
/** A wallet as a request keeps it. */
type Kept = Omit<State, 'minimumUsdtMinor'> & { minimumUsdtMinor: string };

/** The change of a request for a wallet, with the wallet that both people read as the current one. */
interface WalletChange {
  wallet: Kept;
  before: Kept | null;
}

/** Sets deposit wallets once a second person agrees. */
export class WalletRequests {
  readonly #database: Database;
  readonly #requests: StaffRequests;

  constructor(database: Database, requests: StaffRequests) {
    this.#database = database;
    this.#requests = requests;
  }

  /**
   * Asks for the wallet of a network. An absent minimum stays as before; a first wallet's is 10 USDT. Returns the request's ID; undefined
   * if an operator's change was made at once. Throws `validation_failed` if the network has no such address, and `request_waiting`.
   */
  async ask(
    named: Omit<State, 'minimumUsdtMinor'> & { minimumUsdtMinor: bigint | undefined },
    by: ServiceActor,
    reason: string,
    options: { breakGlass?: string | undefined } = {},
  ): Promise<bigint | undefined> {
    checkWallet(named);
    const before = await this.#database.asSystem((tx) => currentWallet(tx, named.network));
    const minimumUsdtMinor = named.minimumUsdtMinor ?? before?.minimumUsdtMinor ?? firstMinimumUsdtMinor;
    const wallet: State = { ...named, minimumUsdtMinor };
    const change: WalletChange = { wallet: kept(wallet), before: before ? kept(before) : null };
    const facts = [
      { name: 'address', before: before?.address ?? null, after: wallet.address },
      { name: 'minimum', before: before ? minimumOf(before) : null, after: minimumOf(wallet) },
      { name: 'isOpen', before: before ? String(before.isOpen) : null, after: String(wallet.isOpen) },
    ] as const;
    const question = {
      kind: 'depositWallet',
      merchantId: null,
      subject: wallet.network,
      change,
      facts,
      reason,
    } as const;
    return this.#requests.ask(question, by, options);
  }

  /** Asks to close a network for new top-ups. Throws `not_found` if it never had a wallet, and as {@link ask} does. */
  async askToClose(
    network: Network,
    by: ServiceActor,
    reason: string,
    options: { breakGlass?: string | undefined } = {},
  ): Promise<bigint | undefined> {
    const wallet = await this.#database.asSystem((tx) => currentWallet(tx, network));
    if (!wallet) throw new Refusal('not_found');
    return this.ask({ ...wallet, isOpen: false }, by, reason, options);
  }
}

/** Sets a wallet once the second person agrees, unless another one applies by now. */
export const depositWalletEffects: StaffEffects = {
  async perform(tx, { change }, by) {
    const { wallet, before } = change as WalletChange;
    const current = await currentWallet(tx, wallet.network);
    const isSame = current ? before && areSame(kept(current), before) : before === null;
    if (!isSame) throw new Refusal('approval_changed');
    await setWallet(tx, { ...wallet, minimumUsdtMinor: BigInt(wallet.minimumUsdtMinor) }, by);
  },
};

async function currentWallet(tx: Tx, network: Network): Promise<State | undefined> {
  return (await listWallets(tx)).find((one) => one.network === network);
}

function kept({ network, address, isOpen, minimumUsdtMinor }: State): Kept {
  return { network, address, isOpen, minimumUsdtMinor: String(minimumUsdtMinor) };
}

function areSame(one: Kept, other: Kept): boolean {
  return (
    one.address === other.address &&
    one.isOpen === other.isOpen &&
    one.minimumUsdtMinor === other.minimumUsdtMinor
  );
}

function minimumOf({ minimumUsdtMinor }: Wallet): string {
  return formatAmount(minimumUsdtMinor, 'USDT');
}
