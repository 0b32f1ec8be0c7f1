import { formatAmount, parseAmount } from '@hengfu/contract/money';
import { depositWalletEndpoints } from '@hengfu/contract/staff/rates';
import { fieldRefusal } from '#domain/refusal.ts';
import { feature, type Handlers } from '#http/bind.ts';
import type { StaffDeps, StaffModule } from '../module.ts';
import { depositWalletEffects, WalletRequests } from './wallets/deposit-wallets.requests.ts';
import { DepositWallets } from './wallets/deposit-wallets.service.ts';

/** Deposit wallets in the back office, by the same service as the operators' commands. */
export function depositWalletsModule({ database, requests }: StaffDeps) {
  const walletRequests = new WalletRequests(database, requests);
  return {
    services: { walletRequests },
    endpoints: () => [
      feature(depositWalletEndpoints, walletHandlers(new DepositWallets(database), walletRequests)),
    ],
    requests: { depositWallet: depositWalletEffects },
  } satisfies StaffModule;
}

function walletHandlers(
  service: DepositWallets,
  requests: WalletRequests,
): Handlers<typeof depositWalletEndpoints> {
  return {
    list: async () => ({
      data: (await service.history()).map(({ minimumUsdtMinor, validFrom, ...wallet }) => ({
        ...wallet,
        minimum: formatAmount(minimumUsdtMinor, 'USDT'),
        validFrom: validFrom.toISOString(),
      })),
    }),
    ask: async ({ caller: member, request, body: { minimum, state, reason, ...wallet } }) => {
      const minimumUsdtMinor = parseAmount(minimum, 'USDT');
      if (minimumUsdtMinor === undefined) throw fieldRefusal('minimum', 'validation.amount');
      const asked = { ...wallet, minimumUsdtMinor, isOpen: state === 'open' };
      return { data: { request: String(await requests.ask(asked, { member, request }, reason)) } };
    },
  };
}
