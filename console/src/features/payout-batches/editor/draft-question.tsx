import { Button } from '@hengfu/ui/controls/button.tsx';
import { Dialog } from '@hengfu/ui/overlays/dialog.tsx';
import type { ReactElement, ReactNode } from 'react';
import styles from '../payout-batches.module.css';

interface DraftQuestionProps {
  title: string;
  children: ReactNode;
  /** The label of the button that loses the draft. */
  lose: string;
  onLose: () => void;
  keep: string;
  onKeep: () => void;
}

/** Asks before the rows of a draft are lost. Escape keeps them. */
export function DraftQuestion({
  title,
  children,
  lose,
  onLose,
  keep,
  onKeep,
}: DraftQuestionProps): ReactElement {
  return (
    <Dialog title={title} onClose={onKeep}>
      <p>{children}</p>
      <div className={styles.buttons}>
        <Button look="primary" onClick={onLose}>
          {lose}
        </Button>
        <Button onClick={onKeep}>{keep}</Button>
      </div>
    </Dialog>
  );
}
