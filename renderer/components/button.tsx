import type { ReactNode, Ref } from 'react';
import { ariaKeys, type KeyAction } from '../keyboard/keymap.ts';
import styles from './button.module.css';
import { classes } from './class-names.ts';
import { Icon } from './icon.tsx';
import type { IconName } from './icon-paths.tsx';
import { KeyCaps } from './key-cap.tsx';

interface ButtonProps {
  readonly children: ReactNode;
  readonly onPress: () => void;
  /** One filled button in a pane: the step that is most likely wanted. */
  readonly look?: 'filled' | 'plain' | 'quiet';
  readonly small?: boolean;
  readonly icon?: IconName;
  /** Its key, shown as a cap. */
  readonly keys?: KeyAction;
  /** It stays reachable while it can do nothing; why stands in words beside it, under the id `reasonId`. */
  readonly disabled?: boolean;
  readonly reasonId?: string | undefined;
  readonly ref?: Ref<HTMLButtonElement>;
}

/** A button with words. */
export function Button(props: ButtonProps): ReactNode {
  const { children, onPress, look = 'plain', small, icon, keys, disabled = false, reasonId, ref } = props;
  return (
    <button
      ref={ref}
      type="button"
      className={classes(styles['button'], styles[look], small === true && styles['small'])}
      aria-disabled={disabled || undefined}
      aria-describedby={disabled ? reasonId : undefined}
      aria-keyshortcuts={keys === undefined ? undefined : ariaKeys(keys)}
      onClick={() => {
        if (!disabled) onPress();
      }}
    >
      {icon === undefined ? null : <Icon name={icon} />}
      {children}
      {keys === undefined ? null : <KeyCaps action={keys} />}
    </button>
  );
}

interface IconButtonProps {
  readonly icon: IconName;
  /** What it does, for those who cannot see the icon; also shown on hover. */
  readonly label: string;
  readonly onPress: () => void;
  readonly className?: string | undefined;
}

/** A button that is only an icon. */
export function IconButton({ icon, label, onPress, className }: IconButtonProps): ReactNode {
  return (
    <button
      type="button"
      className={classes(styles['button'], styles['quiet'], styles['square'], className)}
      aria-label={label}
      title={label}
      onClick={onPress}
    >
      <Icon name={icon} />
    </button>
  );
}
