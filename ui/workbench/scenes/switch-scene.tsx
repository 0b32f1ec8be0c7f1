import { type ReactElement, useState } from 'react';
import { Switch } from '../../src/controls/switch.tsx';
import styles from '../workbench.module.css';

/** Switches, on and off, enabled and disabled. */
export function SwitchScene(): ReactElement {
  const [isFixed, setFixed] = useState(false);
  return (
    <>
      <h1>Switch</h1>
      <div className={styles.column}>
        <Switch checked={isFixed} onChange={({ target }) => setFixed(target.checked)}>
          Fixed header
        </Switch>
        <Switch defaultChecked>Tabs for open pages, which stay as they were left</Switch>
        <Switch disabled>Watermark</Switch>
        <Switch disabled defaultChecked>
          Sidebar logo
        </Switch>
      </div>
      <p role="status">{isFixed ? 'fixed' : 'scrolls'}</p>
    </>
  );
}
