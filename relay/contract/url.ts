/** Whether an address holds neither a user name nor a password (RFC 3986 section 3.2.1): others are shown it. */
export function hasNoCredentials({ username, password }: URL): boolean {
  return username === '' && password === '';
}
