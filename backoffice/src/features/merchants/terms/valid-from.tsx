import { useT } from '@hengfu/ui/language/i18n.ts';
import { TimeText } from '@hengfu/ui/values/time-text.tsx';
import type { ReactElement } from 'react';

/** The beginning of a version of terms, and a mark if it is in force. */
export function ValidFrom({ validFrom, isInForce }: { validFrom: string; isInForce: boolean }): ReactElement {
  const t = useT();
  return (
    <>
      <TimeText at={validFrom} />
      {isInForce && <strong> · {t('officeMerchants.inForce')}</strong>}
    </>
  );
}
