import { type ReactElement, type ReactNode, useId } from 'react';
import styles from './section.module.css';

interface SectionProps {
  title: string;
  /** Content at the end of the heading's line. */
  extra?: ReactNode;
  /** True: a card on a page; false: a part of a detail. */
  isCard?: boolean;
  /** The page's own heading says the same, so this one is for screen readers only. */
  isTitleHidden?: boolean;
  children: ReactNode;
}

/** A section of a page, named by its heading for screen readers. */
export function Section(props: SectionProps): ReactElement {
  const { title, extra, isCard = false, isTitleHidden = false, children } = props;
  const id = useId();
  return (
    <section aria-labelledby={id} className={isCard ? styles.card : styles.part}>
      <header className={isTitleHidden && !extra ? 'visually-hidden' : styles.head}>
        <h2 id={id} className={isTitleHidden ? 'visually-hidden' : undefined}>
          {title}
        </h2>
        {extra}
      </header>
      {children}
    </section>
  );
}
