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

/** Which shell shows the window (`electron`: the executable to run; without it, the browser shell), and why. */
export function chooseShell(machine: StartMachine): { readonly electron?: string; readonly why: string };
