import type { ReactElement, ReactNode } from 'react';
import styles from './page.module.css';

interface PageProps {
  title: string;
  /** A line about the page, beside or below the title. */
  intro?: ReactNode;
  children: ReactNode;
}

/** A page of the console: its title, and its sections below each other. */
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
