import { type ReactElement, type ReactNode, useId } from 'react';
import styles from './section.module.css';

interface SectionProps {
  title: string;
  /** What stands at the end of the heading's line. */
  extra?: ReactNode;
  /** A card of its own on a page; without it, a part of a detail. */
  isCard?: boolean;
  children: ReactNode;
}

/** A part of a page under a heading; screen readers list it by that name. */
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
