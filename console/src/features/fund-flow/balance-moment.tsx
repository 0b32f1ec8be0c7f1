import { Button } from '@hengfu/ui/controls/button.tsx';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { useUiSettings } from '@hengfu/ui/language/ui-settings.ts';
import { MomentField } from '@hengfu/ui/overlays/moment-field.tsx';
import { type ReactElement, useId } from 'react';
import styles from './fund-flow.module.css';

interface BalanceMomentProps {
  /** An instant; undefined means now. */
  at: string | undefined;
  onChange: (at: string | undefined) => void;
}

/** Chooses the past moment whose balance is shown. */
export function BalanceMoment({ at, onChange }: BalanceMomentProps): ReactElement {
  const t = useT();
  const id = useId();
  const { zone } = useUiSettings();
  return (
    <div className={styles.moment}>
      <label htmlFor={id}>{t('fundFlow.atMoment')}</label>
      <MomentField
        id={id}
        label={t('fundFlow.atMoment')}
        timeLabel={t('fundFlow.atTime')}
        timeHint={t('fundFlow.atHint', { zone })}
        at={at}
        placeholder={t('fundFlow.now')}
        onChange={onChange}
      />
      {at !== undefined && <Button onClick={() => onChange(undefined)}>{t('fundFlow.nowAgain')}</Button>}
    </div>
  );
}
