import { type ReactElement, type ReactNode, useLayoutEffect, useRef } from 'react';
import { useResetOnLeave } from '../browser/page-place.ts';
import { Notice } from '../controls/notice.tsx';
import { useT } from '../language/i18n.ts';
import styles from './done.module.css';
import { Section } from './section.tsx';

interface DoneProps {
  /** Links to continue with: follow the order, submit another one. */
  actions: ReactNode;
  children: ReactNode;
}

/**
 * Confirms a submitted order in place of its form. Takes the focus, and passes it to the page when unmounted.
 * Leaving the page resets it to the form.
 */
export function Done({ actions, children }: DoneProps): ReactElement {
  const t = useT();
  useResetOnLeave();
  const ref = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const main = ref.current?.closest('main');
    ref.current?.focus();
    return () => main?.focus({ preventScroll: true });
  }, []);
  return (
    <div ref={ref} tabIndex={-1} className={styles.done}>
      <Section isCard title={t('payouts.madeTitle')}>
        <Notice tone="good" icon="circleCheck" action={actions}>
          {children}
        </Notice>
      </Section>
    </div>
  );
}
