/** What the choice is made from. */
export interface StartMachine {
  /** Electron's executable, where there is one. */
  readonly electron: string | undefined;
  /** No window and no browser is wanted. */
  readonly headless: boolean;
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly isRoot: boolean;
}

export interface ChosenShell {
  /** The executable to run; without it, the browser shell. */
  readonly electron?: string;
  readonly why: string;
  /** True when nothing but the binary stands in Electron's way. */
  readonly isMissing?: boolean;
}

/** Which shell shows the window, and why. */
export function chooseShell(machine: StartMachine): ChosenShell;
