import type { ReactElement } from 'react';
import { Icon, type IconName } from './icon.tsx';
import styles from './tool-button.module.css';

/** The look of the quiet buttons of bars and heads: an icon, or an icon with a few words. */
export const toolClass = styles.tool;

interface ToolButtonProps {
  icon: IconName;
  label: string;
  /** For a button that opens something: whether it is open. */
  isOpen?: boolean;
  onClick: () => void;
}

/** A quiet button that is an icon. */
export function ToolButton({ icon, label, isOpen, onClick }: ToolButtonProps): ReactElement {
  return (
    <button
      type="button"
      className={styles.tool}
      aria-label={label}
      title={label}
      aria-expanded={isOpen}
      onClick={onClick}
    >
      <Icon name={icon} size={20} />
    </button>
  );
}
