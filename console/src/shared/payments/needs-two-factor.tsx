import { buttonClass } from '@hengfu/ui/controls/button.tsx';
import { Notice } from '@hengfu/ui/controls/notice.tsx';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { Link } from '@tanstack/react-router';
import type { ReactElement, ReactNode } from 'react';
import { useUser } from '../../platform/session-store.ts';

/** Shows its children to users with a second factor, and to others a link to bind one (spec, point 2). */
export function NeedsTwoFactor({ children }: { children: ReactNode }): ReactElement {
  const t = useT();
  if (useUser().twoFactor === 'on') return <>{children}</>;
  const bindLink = (
    <Link to="/setting/accountSecurity" className={buttonClass('primary')}>
      {t('twoFactor.bind')}
    </Link>
  );
  return (
    <Notice tone="waiting" action={bindLink}>
      {t('twoFactor.requiredText')}
    </Notice>
  );
}
