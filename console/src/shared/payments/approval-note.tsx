import type { ApprovalState } from '@hengfu/contract/approval-states';
import type { PhraseKey } from '@hengfu/phrases/phrases';
import { buttonClass } from '@hengfu/ui/controls/button.tsx';
import { Notice } from '@hengfu/ui/controls/notice.tsx';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { HasPerm } from '../../platform/session-store.ts';

/** Says that an order waits for approval, with a link to its request. Nothing for other orders. */
export function ApprovalNote({
  state,
  tradeNo,
  hint = 'approvals.waitsHint',
}: {
  state: ApprovalState | null;
  tradeNo: string;
  hint?: PhraseKey;
}): ReactElement | null {
  const t = useT();
  if (state !== 'waiting') return null;
  const toRequest = (
    <HasPerm any={['approvals.read']}>
      <Link to="/approvals" search={{ subject_no: tradeNo }} className={buttonClass('outline')}>
        {t('approvals.toRequest')}
      </Link>
    </HasPerm>
  );
  return (
    <Notice tone="waiting" action={toRequest}>
      {t(hint)}
    </Notice>
  );
}
