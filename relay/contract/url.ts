/** Whether an address holds neither a user name nor a password (RFC 3986 section 3.2.1): others are shown it. */
export function hasNoCredentials({ username, password }: URL): boolean {
  return username === '' && password === '';
}

/** Whether a URL's host is this machine itself (RFC 6761 section 6.3, RFC 1122 section 3.2.1.3, RFC 4291 section 2.5.3). */
export function isLoopbackHost(hostname: string): boolean {
  return /^(?:localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])$/.test(hostname);
}
