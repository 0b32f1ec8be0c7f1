import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { useT } from '../platform/i18n.ts';
import { buttonClass } from './button.tsx';
import { Notice } from './notice.tsx';

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
