import { buttonClass } from '@hengfu/ui/controls/button.tsx';
import { Notice } from '@hengfu/ui/controls/notice.tsx';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';

/** The specification's message that no channel is open, with a link to support. */
export function NoChannel(): ReactElement {
  const t = useT();
  const contactLink = (
    <Link to="/contactUs" className={buttonClass('outline')}>
      {t('payouts.contact')}
    </Link>
  );
  return (
    <Notice tone="waiting" action={contactLink}>
      {t('payouts.noChannel')}
    </Notice>
  );
}
