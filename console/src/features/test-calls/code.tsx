import { CopyButton } from '@hengfu/ui/controls/copy-button.tsx';
import type { ReactElement } from 'react';
import styles from './test-calls.module.css';

/** A text for programs, with its name and a button that copies it. */
export function Code({ title, text }: { title: string; text: string }): ReactElement {
  return (
    <section aria-label={title}>
      <div className={styles.codeHead}>
        <h3>{title}</h3>
        <CopyButton text={text} name={title} />
      </div>
      <pre className={styles.code} translate="no">
        {text}
      </pre>
    </section>
  );
}
