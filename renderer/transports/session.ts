/** What became of the one-time token that the page's address may carry. */
export type SessionStart = 'signed_in' | 'no_token' | 'refused' | 'unreachable';

/** What it takes from the browser: the address, a way to shorten it, and fetch. */
export interface SessionPorts {
  readonly hash: () => string;
  readonly stripHash: () => void;
  readonly fetch: typeof fetch;
}

/** The browser's own. */
export function browserSession(): SessionPorts {
  return {
    hash: () => window.location.hash,
    stripHash: () => window.history.replaceState(null, '', window.location.pathname + window.location.search),
    fetch: (input, init) => fetch(input, init),
  };
}

/**
 * Trades the token in `#…` for the cookie of this window. The token leaves the address in every case but one: when
 * nobody answered, it was not used, and loading the page again may use it.
 */
export async function startSession({ hash, stripHash, fetch }: SessionPorts): Promise<SessionStart> {
  const token = hash().replace(/^#/, '');
  if (token === '') return 'no_token';
  try {
    const response = await fetch('/session', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token }),
    });
    stripHash();
    return response.ok ? 'signed_in' : 'refused';
  } catch {
    return 'unreachable';
  }
}
