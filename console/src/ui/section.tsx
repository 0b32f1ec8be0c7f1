import { type ReactElement, type ReactNode, useId } from 'react';
import styles from './section.module.css';

interface SectionProps {
  title: string;
  /** Content at the end of the heading's line. */
  extra?: ReactNode;
  /** True: a card on a page; false: a part of a detail. */
  isCard?: boolean;
  children: ReactNode;
}

/** A section of a page, named by its heading for screen readers. */
export function Section({ title, extra, isCard = false, children }: SectionProps): ReactElement {
  const id = useId();
  return (
    <section aria-labelledby={id} className={isCard ? styles.card : styles.part}>
      <header className={styles.head}>
        <h2 id={id}>{title}</h2>
        {extra}
      </header>
      {children}
    </section>
  );
}
