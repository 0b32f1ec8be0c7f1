import type { ReactElement } from 'react';
import { useT } from '../../src/language/i18n.ts';
import { Hint } from '../../src/overlays/hint.tsx';

/** An explanation behind an "i" button. */
export function HintScene(): ReactElement {
  const t = useT();
  return (
    <>
      <h1>Hint</h1>
      <p>
        {t('collections.trade_no')}{' '}
        <Hint label={t('collections.trade_no')} text={t('ui.numberHint', { time: '2026-03-03 01:35:00' })} />
      </p>
    </>
  );
}
