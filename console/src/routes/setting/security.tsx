import type { ReactElement } from 'react';
import { SecurityPage } from '../../features/profile/security-page.tsx';
import { PasskeySection } from '../../features/two-factor/passkey-section.tsx';
import { TwoFactorSection } from '../../features/two-factor/two-factor-section.tsx';

/** The security page with the second factor in it: two features that do not know each other. */
export function Security(): ReactElement {
  const twoFactor = (
    <>
      <TwoFactorSection />
      <PasskeySection />
    </>
  );
  return <SecurityPage twoFactor={twoFactor} />;
}
