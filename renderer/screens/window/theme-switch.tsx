import { useEffect, type ReactNode } from 'react';
import { Icon } from '../../components/icon.tsx';
import type { Theme } from '../../state/ui-store.ts';
import shared from '../../styles/shared.module.css';
import { useActions, useUi } from '../../window-context.ts';
import styles from './theme-switch.module.css';

const NAMES: Readonly<Record<Theme, string>> = { system: 'System', light: 'Light', dark: 'Dark' };
const THEMES = ['system', 'light', 'dark'] as const;

/** Light or dark, by hand or as the system has it. */
export function ThemeSwitch(): ReactNode {
  const { setTheme } = useActions();
  const theme = useUi((ui) => ui.theme);
  return (
    <fieldset className={styles['switch']}>
      <legend className={shared['unseen']}>Theme</legend>
      {THEMES.map((one) => (
        <label key={one} className={styles['choice']} title={`${NAMES[one]} theme`}>
          <input
            type="radio"
            name="theme"
            className={shared['unseen']}
            checked={one === theme}
            onChange={() => setTheme(one)}
          />
          <Icon name={one} />
          <span className={shared['unseen']}>{NAMES[one]}</span>
        </label>
      ))}
    </fieldset>
  );
}

/** Writes the choice where the tokens look for it. */
export function useTheme(): void {
  const theme = useUi((ui) => ui.theme);
  useEffect(() => {
    if (theme === 'system') delete document.documentElement.dataset['theme'];
    else document.documentElement.dataset['theme'] = theme;
  }, [theme]);
}
