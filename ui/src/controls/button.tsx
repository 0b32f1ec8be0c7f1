import type { ComponentProps, ReactElement } from 'react';
import styles from './button.module.css';
import { Icon, type IconName } from './icon.tsx';

interface ButtonProps extends ComponentProps<'button'> {
  /** `primary` is the main action, `danger` a main action that stops something; `quiet` has no border until hovered. */
  look?: 'outline' | 'primary' | 'danger' | 'quiet';
  icon?: IconName;
}

/** A button with an icon, a text, or both. */
export function Button({ look = 'outline', icon, children, className, ...rest }: ButtonProps): ReactElement {
  return (
    <button type="button" className={buttonClass(look, className)} {...rest}>
      {icon && <Icon name={icon} />}
      {children}
    </button>
  );
}

/** A button with only an icon; `label` is its name and tooltip. */
export function IconButton({
  label,
  icon,
  className,
  ...rest
}: Omit<ButtonProps, 'look' | 'children'> & { label: string; icon: IconName }): ReactElement {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      className={`${styles.icon} ${className ?? ''}`}
      {...rest}
    >
      <Icon name={icon} />
    </button>
  );
}

/** The class for other elements that look like a button: a link, a popover's opener. */
export function buttonClass(look: NonNullable<ButtonProps['look']> = 'outline', extra?: string): string {
  return [styles.button, styles[look], extra].filter(Boolean).join(' ');
}
