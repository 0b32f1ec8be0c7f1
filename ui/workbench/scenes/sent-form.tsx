import { type ReactElement, type ReactNode, useState } from 'react';
import { Button } from '../../src/controls/button.tsx';
import styles from '../workbench.module.css';

/** A form that shows what it sends, as `name=value` pairs. */
export function SentForm({ children }: { children: ReactNode }): ReactElement {
  const [sent, setSent] = useState('');
  return (
    <form
      className={styles.sent}
      onSubmit={(event) => {
        event.preventDefault();
        setSent([...new FormData(event.currentTarget)].map(([name, value]) => `${name}=${value}`).join(' '));
      }}
    >
      {children}
      <Button type="submit">Send</Button> <Button type="reset">Reset</Button>
      <p role="status">{sent}</p>
    </form>
  );
}
