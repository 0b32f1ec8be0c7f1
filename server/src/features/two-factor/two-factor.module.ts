import { passkeyEndpoints } from '@hengfu/contract/passkeys';
import { twoFactorEndpoints } from '@hengfu/contract/two-factor';
import { feature } from '#http/bind.ts';
import type { FeatureModule, ModuleDeps } from '../module.ts';
import { AppBindingService } from './app-binding.service.ts';
import { ChallengeService } from './challenge.service.ts';
import { passkeyHandlers } from './passkeys/passkeys.routes.ts';
import { PasskeyService } from './passkeys/passkeys.service.ts';
import { twoFactorHandlers } from './two-factor.routes.ts';
import { TwoFactorService } from './two-factor.service.ts';

/** Second factors: authenticator apps, passkeys and recovery codes. */
export function twoFactorModule({ database, secrets, title, appUrl }: ModuleDeps) {
  const twoFactor = new TwoFactorService(database, secrets);
  const appBinding = new AppBindingService(database, secrets, title);
  const passkeys = new PasskeyService({ database, secrets, title, appUrl });
  const challenges = new ChallengeService(database, secrets, passkeys);
  return {
    services: { twoFactor, appBinding, passkeys, challenges },
    endpoints: (guards) => [
      feature(twoFactorEndpoints, twoFactorHandlers({ twoFactor, appBinding, challenges }, guards)),
      feature(passkeyEndpoints, passkeyHandlers(passkeys, challenges, guards)),
    ],
  } satisfies FeatureModule;
}
