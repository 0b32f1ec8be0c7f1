import type { ReactElement } from 'react';
import { Progress } from '../../src/controls/progress.tsx';
import styles from '../workbench.module.css';

/** Progress of what is counted, from nothing to everything, and of something whose end nobody knows. */
export function ProgressScene(): ReactElement {
  return (
    <>
      <h1>Progress</h1>
      <div className={styles.column}>
        {[0, 12, 400].map((value) => (
          <Progress key={value} label={`${value} of 400 rows`} value={value} max={400} />
        ))}
        <Progress label="Reading the file" value={undefined} max={1} />
      </div>
    </>
  );
}
