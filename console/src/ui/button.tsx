import type { ComponentProps, ReactElement } from 'react';
import styles from './button.module.css';
import { Icon, type IconName } from './icon.tsx';

interface ButtonProps extends ComponentProps<'button'> {
  /** `primary` is the one thing to do here; `quiet` has no border until pointed at. */
  look?: 'outline' | 'primary' | 'quiet';
  icon?: IconName;
}

/** A button without antd's run-time styles: lists have hundreds, and the first row should not wait for them. */
export function Button({ look = 'outline', icon, children, className, ...rest }: ButtonProps): ReactElement {
  return (
    <button type="button" className={buttonClass(look, className)} {...rest}>
      {icon && <Icon name={icon} />}
      {children}
    </button>
  );
}

/** A button that shows an icon alone; `label` is its name, and its tooltip. */
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

/** The class of something else that looks like a button: a link, a popover's opener. */
export function buttonClass(look: NonNullable<ButtonProps['look']> = 'outline', extra?: string): string {
  return [styles.button, styles[look], extra].filter(Boolean).join(' ');
}
