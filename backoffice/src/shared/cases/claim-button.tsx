import { Button } from '@hengfu/ui/controls/button.tsx';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import styles from './cases.module.css';

interface ClaimButtonProps {
  isOwn: boolean;
  isPending: boolean;
  onPressed: () => void;
}

/** Takes a case, or gives it back. */
export function ClaimButton({ isOwn, isPending, onPressed }: ClaimButtonProps): ReactElement {
  const t = useT();
  return (
    <Button onClick={onPressed} aria-disabled={isPending}>
      {isOwn ? t('office.release') : t('office.take')}
    </Button>
  );
}

/** Leads to the request for a case that waits for a second person. */
export function RequestLink({ requestId }: { requestId: string }): ReactElement {
  const t = useT();
  return (
    <p className={styles.claim}>
      {t('officeRequests.caseWaits')}{' '}
      <Link to="/requests" search={{ request: requestId }}>
        {t('officeRequests.open')}
      </Link>
    </p>
  );
}
