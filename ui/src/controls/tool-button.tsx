import type { ReactElement } from 'react';
import { Icon, type IconName } from './icon.tsx';
import styles from './tool-button.module.css';

/** CSS class of the quiet buttons in bars and headers: an icon, optionally with text. */
export const toolClass = styles.tool;

interface ToolButtonProps {
  icon: IconName;
  label: string;
  /** For a button that opens something: its expanded state. */
  isOpen?: boolean;
  onClick: () => void;
}

/** A quiet button with only an icon. */
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
