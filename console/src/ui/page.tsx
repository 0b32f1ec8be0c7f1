import type { ReactElement, ReactNode } from 'react';
import styles from './page.module.css';

interface PageProps {
  title: string;
  /** A line about the whole page, beside or below its title. */
  intro?: ReactNode;
  children: ReactNode;
}

/** A page of the console: its title, and its parts below each other. */
export function Page({ title, intro, children }: PageProps): ReactElement {
  return (
    <div className={styles.page}>
      <header className={styles.head}>
        <h1>{title}</h1>
        {intro && <p>{intro}</p>}
      </header>
      {children}
    </div>
  );
}
