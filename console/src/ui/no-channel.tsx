import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { useT } from '../platform/i18n.ts';
import { buttonClass } from './button.tsx';
import { Notice } from './notice.tsx';

/** No channel is open: the specification's message, and whom to ask. */
export function NoChannel(): ReactElement {
  const t = useT();
  const way = (
    <Link to="/contactUs" className={buttonClass('outline')}>
      {t('payouts.contact')}
    </Link>
  );
  return (
    <Notice tone="waiting" action={way}>
      {t('payouts.noChannel')}
    </Notice>
  );
}
