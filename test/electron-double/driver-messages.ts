/** What a user would see of the app on the desktop, apart from what is in its windows. */
export interface DesktopState {
  readonly windows: readonly {
    readonly visible: boolean;
    readonly minimized: boolean;
    /** Where its page is, as the app knows it; empty until there is one. */
    readonly url: string;
  }[];
  /** By tray icon. */
  readonly trays: readonly {
    readonly toolTip: string;
    readonly menu: readonly { readonly type: string; readonly label: string; readonly enabled: boolean }[];
  }[];
  /** Addresses that were handed to the system. */
  readonly opened: readonly string[];
  /** Where to attach to the pages (Chrome DevTools Protocol); undefined before the first window. */
  readonly devtools: string | undefined;
}

/** What a user does, to the first window and the first icon. */
export type UserAction =
  | { readonly do: 'click-tray' }
  | { readonly do: 'choose-tray-item'; readonly label: string }
  | { readonly do: 'close-window' }
  | { readonly do: 'minimize-window' };

/** From a test to the double, over the IPC channel of a child process. */
export interface DriverRequest {
  readonly id: number;
  readonly action: UserAction;
}

/** From the double to a test. */
export type DriverMessage =
  | { readonly kind: 'state'; readonly state: DesktopState }
  | { readonly kind: 'done'; readonly id: number; readonly error?: string };
