import { type ReactElement, type ReactNode, useLayoutEffect, useRef } from 'react';
import { useT } from '../platform/i18n.ts';
import { useForgottenWhenLeft } from '../platform/page-place.ts';
import styles from './done.module.css';
import { Notice } from './notice.tsx';
import { Section } from './section.tsx';

interface DoneProps {
  /** Ways on: to follow what was made, to make another one. */
  ways: ReactNode;
  children: ReactNode;
}

/**
 * What was applied for, in the place of its form, whose focus it takes over and hands on to the page when it goes.
 * Whoever comes back later finds the form again.
 */
export function Done({ ways, children }: DoneProps): ReactElement {
  const t = useT();
  useForgottenWhenLeft();
  const ref = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const main = ref.current?.closest('main');
    ref.current?.focus();
    return () => main?.focus({ preventScroll: true });
  }, []);
  return (
    <div ref={ref} tabIndex={-1} className={styles.done}>
      <Section isCard title={t('payouts.madeTitle')}>
        <Notice tone="good" icon="circleCheck" action={ways}>
          {children}
        </Notice>
      </Section>
    </div>
  );
}
