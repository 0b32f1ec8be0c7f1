import type { Perm } from '@hengfu/contract/permissions';
import type { PhraseKey } from '@hengfu/phrases/phrases';
import { buttonClass } from '@hengfu/ui/controls/button.tsx';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { HasPerm } from '../../platform/session-store.ts';

interface NextStepProps {
  to: '/behalfPay/apply' | '/recharge/topup' | '/withdrawal/apply' | '/setting/interfaceKey';
  /** The permission that the page requires. */
  perm: Perm;
  title: PhraseKey;
}

/** In an empty list, leads to the page where its first row comes from, if the user may open it. */
export function NextStep({ to, perm, title }: NextStepProps): ReactElement {
  const t = useT();
  return (
    <HasPerm any={[perm]}>
      <Link to={to} className={buttonClass('outline')}>
        {t(title)}
      </Link>
    </HasPerm>
  );
}
