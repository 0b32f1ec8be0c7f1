import { Icon } from '@hengfu/ui/controls/icon.tsx';
import { useNarrow } from '@hengfu/ui/controls/use-narrow.ts';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { Money } from '@hengfu/ui/values/money.tsx';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement, ReactNode } from 'react';
import { figuresOptions } from './fund-flow.api.ts';
import styles from './fund-flow.module.css';

/** Folds the figures into one line on a phone, so that the first rows are on its first screen. */
export function PhoneFold({ children }: { children: ReactNode }): ReactElement {
  const t = useT();
  const { data } = useQuery(figuresOptions);
  if (!useNarrow()) return <>{children}</>;
  return (
    <details className={styles.fold}>
      <summary>
        <Icon name="chevronRight" size={14} />
        <span>{t('account.available')}</span>
        <strong>{data && <Money amount={data.available} currency={data.currency} />}</strong>
      </summary>
      {children}
    </details>
  );
}
