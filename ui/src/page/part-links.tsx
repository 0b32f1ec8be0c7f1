import type { ReactElement, ReactNode } from 'react';
import styles from './part-links.module.css';

interface PartLinksProps {
  /** Names the links for screen readers. */
  label: string;
  /** The links, of which the router marks the current one. */
  children: ReactNode;
}

/** Links to the parts of a page, in one line; on a phone it scrolls. */
export function PartLinks({ label, children }: PartLinksProps): ReactElement {
  return (
    <nav className={styles.parts} aria-label={label}>
      {children}
    </nav>
  );
}
