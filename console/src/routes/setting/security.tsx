import type { ReactElement } from 'react';
import { securityEventsOptions, sessionsOptions } from '../../features/profile/profile.api.ts';
import { SecurityPage } from '../../features/profile/security-page.tsx';
import { PasskeySection } from '../../features/two-factor/passkey-section.tsx';
import { TwoFactorSection } from '../../features/two-factor/two-factor-section.tsx';
import { queryClient } from '../../platform/query-client.ts';

/** Prefetches the page's data. */
export function prefetch(): void {
  void queryClient.prefetchQuery(sessionsOptions);
  void queryClient.prefetchQuery(securityEventsOptions);
}

/** Combines the security page and the second factor: two features, which must not import each other. */
export function Security(): ReactElement {
  const twoFactor = (
    <>
      <TwoFactorSection />
      <PasskeySection />
    </>
  );
  return <SecurityPage twoFactor={twoFactor} />;
}
