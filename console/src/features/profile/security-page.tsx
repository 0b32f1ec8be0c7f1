import { useT } from '@hengfu/ui/language/i18n.ts';
import { Page } from '@hengfu/ui/page/page.tsx';
import type { ReactElement, ReactNode } from 'react';
import { EventsSection } from './events-section.tsx';
import { PasswordSection } from './password-section.tsx';
import { SessionsSection } from './sessions-section.tsx';

/** Settings → Security. `twoFactor` belongs to another feature; the route passes it in. */
export function SecurityPage({ twoFactor }: { twoFactor: ReactNode }): ReactElement {
  const t = useT();
  return (
    <Page title={t('profile.securityTitle')}>
      {twoFactor}
      <PasswordSection />
      <SessionsSection />
      <EventsSection />
    </Page>
  );
}
